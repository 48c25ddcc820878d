// All samples, in order of what they bring in.

import { sample as blockReduce } from "./block_reduce/block_reduce.ts";
import { sample as gameOfLife } from "./game_of_life/game_of_life.ts";
import { sample as linear } from "./linear/linear.ts";
import { sample as mandelbrot } from "./mandelbrot/mandelbrot.ts";
import { sample as matmul } from "./matmul/matmul.ts";
import { sample as meshScale } from "./mesh_scale/mesh_scale.ts";
import { sample as mlp } from "./mlp/mlp.ts";
import { sample as rmsNorm } from "./rms_norm/rms_norm.ts";
import { sample as saxpy } from "./saxpy/saxpy.ts";
import { sample as softmax } from "./softmax/softmax.ts";
import { sample as transpose } from "./transpose/transpose.ts";
import { sample as vectorAdd } from "./vector_add/vector_add.ts";
import type { Sample } from "./sample.ts";

export const SAMPLES: readonly Sample[] = [vectorAdd, softmax, saxpy, matmul, rmsNorm, transpose, gameOfLife, mandelbrot, linear, mlp, meshScale, blockReduce];
