// y = x transposed, in 32 x 32 tiles.

import { tf } from "tilefoundry";
import { uniform } from "../inputs.ts";
import { numbers } from "../reference.ts";
import type { Sample } from "../sample.ts";

export const program = tf<"transpose">`
@pl.function(type=pl.FunctionType.InCore)
def transpose(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[N, M], pl.FP32]]):
    for i in pl.parallel(0, M, 32):
        for j in pl.range(0, N, 32):
            tile = pl.load(x, [i, j], [32, 32])
            pl.store(pl.transpose(tile, 0, 1), [j, i], y)
`;

const inputs = (m: number, n: number) => () => ({ x: uniform([m, n], 1) });

export const sample: Sample = {
  name: "transpose",
  program,
  cases: { "whole tiles": inputs(64, 32), "tails on both axes": inputs(45, 70), "one row": inputs(1, 33), empty: inputs(0, 5) },
  reference: (args) => {
    const x = numbers(args["x"]);
    const [m = 0, n = 0] = x.shape;
    return { y: { shape: [n, m], dtype: "f32", data: Array.from({ length: m * n }, (_, k) => x.data[(k % m) * n + Math.floor(k / m)] ?? 0) } };
  },
  comparison: "exact",
};
