// Softmax of each row, shifted by the row's maximum so that no exponential overflows.

import { array, tf } from "tilefoundry";
import { uniform } from "../inputs.ts";
import { numbers } from "../reference.ts";
import type { Sample } from "../sample.ts";

const COLUMNS = 1003;

export const program = tf<"softmax">`
@prim_func(target="wasm")
def softmax(x: pl.Tensor[[M, ${COLUMNS}], pl.FP32], y: pl.Out[pl.Tensor[[M, ${COLUMNS}], pl.FP32]]):
    for r in pl.parallel(M):
        row = pl.load(x, [r, 0], [1, ${COLUMNS}])
        e = pl.exp(pl.row_expand_sub(row, pl.row_max(row)))
        pl.store(pl.row_expand_div(e, pl.row_sum(e)), [r, 0], y)
`;

function withSpecials() {
  const data = Float32Array.from({ length: 4 * COLUMNS }, (_, i) => ((i * 37) % 101) / 10 - 5);
  data[5] = -Infinity;
  data[COLUMNS + 7] = NaN;
  data[2 * COLUMNS + 9] = Infinity;
  data.fill(-1e30, 3 * COLUMNS, 4 * COLUMNS);
  return { x: array(data, { shape: [4, COLUMNS] }) };
}

export const sample: Sample = {
  name: "softmax",
  program,
  cases: { "random rows": () => ({ x: uniform([7, COLUMNS], 3, 8) }), "NaN and infinities": withSpecials, "no rows": () => ({ x: uniform([0, COLUMNS], 1) }) },
  reference: (args, round) => {
    const x = numbers(args["x"]);
    const rows = x.shape[0] ?? 0;
    const data = new Array<number>(rows * COLUMNS);
    for (let r = 0; r < rows; r++) {
      const row = x.data.slice(r * COLUMNS, (r + 1) * COLUMNS);
      const largest = row.reduce((a, b) => Math.max(a, b), -Infinity);
      const e = row.map((v) => round(Math.exp(round(v - largest))));
      const total = e.reduce((a, b) => round(a + b), 0);
      e.forEach((v, c) => (data[r * COLUMNS + c] = round(v / total)));
    }
    return { y: { shape: x.shape, dtype: "f32", data } };
  },
  comparison: "composite",
};
