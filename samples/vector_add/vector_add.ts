// z = x + y, in tiles of 1024; the last tile ends where the tensors end.

import { tf } from "tilefoundry";
import { uniform } from "../inputs.ts";
import { numbers } from "../reference.ts";
import type { Sample } from "../sample.ts";

const TILE = 1024;

export const program = tf<"vector_add">`
@pl.function(type=pl.FunctionType.InCore)
def vector_add(x: pl.Tensor[[N], pl.FP32], y: pl.Tensor[[N], pl.FP32], z: pl.Out[pl.Tensor[[N], pl.FP32]]):
    for i in pl.parallel(0, N, ${TILE}):
        a = pl.load(x, [i], [${TILE}])
        b = pl.load(y, [i], [${TILE}])
        pl.store(pl.add(a, b), [i], z)
`;

const inputs = (n: number) => () => ({ x: uniform([n], 1), y: uniform([n], 2) });

export const sample: Sample = {
  name: "vector_add",
  program,
  cases: { "a tail": inputs(2500), "whole tiles": inputs(2048), "less than a vector": inputs(3), empty: inputs(0) },
  reference: (args, round) => {
    const [x, y] = [numbers(args["x"]), numbers(args["y"])];
    return { z: { shape: x.shape, dtype: "f32", data: x.data.map((v, i) => round(v + (y.data[i] ?? 0))) } };
  },
  comparison: "exact",
};
