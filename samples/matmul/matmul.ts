// c = a @ b in 64 x 64 tiles; the accumulator is carried through the loop over K.

import { tf } from "tilefoundry";
import { uniform } from "../inputs.ts";
import { numbers } from "../reference.ts";
import type { Sample } from "../sample.ts";

export const program = tf<"matmul">`
@pl.function(type=pl.FunctionType.InCore)
def matmul(a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[K, N], pl.FP32], c: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, 64):
        for j in pl.range(0, N, 64):
            zero = pl.full([64, 64], dtype=pl.FP32, value=0.0)
            for k, (acc,) in pl.range(0, K, 64, init_values=(zero,)):
                left = pl.load(a, [i, k], [64, 64])
                right = pl.load(b, [k, j], [64, 64])
                total = pl.yield_(pl.matmul_acc(acc, left, right))
            pl.store(total, [i, j], c)
`;

const inputs = (m: number, k: number, n: number) => () => ({ a: uniform([m, k], 1), b: uniform([k, n], 2) });

export const sample: Sample = {
  name: "matmul",
  program,
  cases: { "whole tiles": inputs(64, 128, 64), "tails on every axis": inputs(70, 65, 67), small: inputs(3, 5, 2), "an empty sum": inputs(4, 0, 4) },
  reference: (args, round) => {
    const [a, b] = [numbers(args["a"]), numbers(args["b"])];
    const [m = 0, k = 0] = a.shape;
    const n = b.shape[1] ?? 0;
    const data = new Array<number>(m * n).fill(0);
    for (let i = 0; i < m; i++)
      for (let p = 0; p < k; p++)
        for (let j = 0; j < n; j++) data[i * n + j] = round((data[i * n + j] ?? 0) + round((a.data[i * k + p] ?? 0) * (b.data[p * n + j] ?? 0)));
    return { c: { shape: [m, n], dtype: "f32", data } };
  },
  comparison: "composite",
};
