// y = relu(x @ w + bias): a kernel for 16 rows on blocks, then a region for what follows.

import { tf } from "tilefoundry";
import { uniform } from "../inputs.ts";
import { numbers } from "../reference.ts";
import type { Sample } from "../sample.ts";

export const program = tf<"linear" | "rows">`
@pl.program
class Linear:
    @pl.function(type=pl.FunctionType.InCore)
    def rows(
        self,
        x: pl.Tensor[[M, K], pl.FP32],
        w: pl.Tensor[[K, 32], pl.FP32],
        bias: pl.Tensor[[1, 32], pl.FP32],
        y: pl.Out[pl.Tensor[[M, 32], pl.FP32]],
    ):
        row = pl.get_block_idx() * 16
        zero = pl.full([16, 32], dtype=pl.FP32, value=0.0)
        for k, (acc,) in pl.range(0, K, 32, init_values=(zero,)):
            total = pl.yield_(pl.matmul_acc(acc, pl.load(x, [row, k], [16, 32]), pl.load(w, [k, 0], [32, 32])))
        return pl.store(pl.col_expand_add(total, pl.load(bias, [0, 0], [1, 32])), [row, 0], y)

    @pl.function(type=pl.FunctionType.Orchestration)
    def linear(
        self,
        x: pl.Tensor[[M, K], pl.FP32],
        w: pl.Tensor[[K, 32], pl.FP32],
        bias: pl.Tensor[[1, 32], pl.FP32],
        y: pl.Out[pl.Tensor[[M, 32], pl.FP32]],
    ):
        with pl.spmd(ceildiv(M, 16)):
            self.rows(x, w, bias, y)
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="relu"):
            for r in pl.parallel(M):
                y = pl.store(pl.relu(pl.load(y, [r, 0], [1, 32])), [r, 0], y)
        return y
`;

const COLUMNS = 32;

const inputs = (rows: number, k: number) => () => ({ x: uniform([rows, k], 1), w: uniform([k, COLUMNS], 2), bias: uniform([1, COLUMNS], 3) });

export const sample: Sample = {
  name: "linear",
  program,
  cases: { "whole blocks": inputs(32, 64), "a tail of rows and of K": inputs(21, 40), "one row": inputs(1, 1), "no rows": inputs(0, 32) },
  reference: (args, round) => {
    const [x, w, bias] = [numbers(args["x"]), numbers(args["w"]), numbers(args["bias"])];
    const [rows = 0, k = 0] = x.shape;
    const data = new Array<number>(rows * COLUMNS);
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < COLUMNS; c++) {
        let sum = 0;
        for (let i = 0; i < k; i++) sum = round(sum + round((x.data[r * k + i] ?? 0) * (w.data[i * COLUMNS + c] ?? 0)));
        data[r * COLUMNS + c] = Math.max(0, round(sum + (bias.data[c] ?? 0)));
      }
    }
    return { y: { shape: [rows, COLUMNS], dtype: "f32", data } };
  },
  comparison: "composite",
};
