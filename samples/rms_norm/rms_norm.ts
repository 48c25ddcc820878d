// Root-mean-square normalisation of each row, as a graph of values.

import { tf } from "tilefoundry";
import { uniform } from "../inputs.ts";
import { numbers } from "../reference.ts";
import type { Sample } from "../sample.ts";

const EPSILON = 1e-6;

export const program = tf<"rms_norm">`
@func
def rms_norm(x: Tensor[(ROWS, D), "f32"], weight: Tensor[(D,), "f32"]) -> Tensor[(ROWS, D), "f32"]:
    mean_square = tf.reduce(tf.square(x), axes=(-1,), keepdim=True, kind="mean")
    return x * tf.rsqrt(mean_square + ${EPSILON}) * weight
`;

const inputs = (rows: number, d: number) => () => ({ x: uniform([rows, d], 1, 3), weight: uniform([d], 2) });

export const sample: Sample = {
  name: "rms_norm",
  program,
  cases: { "a tail": inputs(5, 301), "whole vectors": inputs(3, 64), "one column": inputs(4, 1), "no rows": inputs(0, 8) },
  reference: (args, round) => {
    const [x, weight] = [numbers(args["x"]), numbers(args["weight"])];
    const [rows = 0, d = 0] = x.shape;
    const data = new Array<number>(rows * d);
    for (let r = 0; r < rows; r++) {
      let sum = 0;
      for (let c = 0; c < d; c++) sum = round(sum + round((x.data[r * d + c] ?? 0) ** 2));
      const scale = round(1 / round(Math.sqrt(round(round(sum / d) + round(EPSILON)))));
      for (let c = 0; c < d; c++) data[r * d + c] = round(round((x.data[r * d + c] ?? 0) * scale) * (weight.data[c] ?? 0));
    }
    return { out: { shape: x.shape, dtype: "f32", data } };
  },
  comparison: "composite",
};
