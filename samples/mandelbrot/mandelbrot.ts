// Iterations until |z| > 2 for each point of a grid over [-2, 1) x [-1.5, 1.5), at most `limit`.

import { NdArray, tf } from "tilefoundry";
import type { Sample } from "../sample.ts";

export const program = tf<"mandelbrot">`
@pl.function(type=pl.FunctionType.InCore)
def mandelbrot(limit: pl.Scalar[pl.INT32], counts: pl.Out[pl.Tensor[[H, W], pl.INT32]]):
    for row in pl.parallel(H):
        for column in pl.range(W):
            cr = pl.cast(column, pl.FP32) / pl.cast(W, pl.FP32) * 3.0 - 2.0
            ci = pl.cast(row, pl.FP32) / pl.cast(H, pl.FP32) * 3.0 - 1.5
            zr = 0.0
            zi = 0.0
            n = pl.const(0, pl.INT32)
            while n < limit:
                rr = zr * zr
                ii = zi * zi
                if rr + ii > 4.0:
                    break
                zi = 2.0 * zr * zi + ci
                zr = rr - ii + cr
                n = n + pl.const(1, pl.INT32)
            pl.write(counts, [row, column], n)
`;

const inputs = (h: number, w: number, limit: number) => () => ({ limit, counts: NdArray.zeros([h, w], "i32") });

export const sample: Sample = {
  name: "mandelbrot",
  program,
  cases: { "a picture": inputs(24, 40, 50), "no iterations": inputs(3, 3, 0), empty: inputs(0, 7, 10) },
  reference: (args, round) => {
    const limit = Number(args["limit"]);
    const [h = 0, w = 0] = (args["counts"] as NdArray).shape; // made by `inputs`
    const data: number[] = [];
    for (let row = 0; row < h; row++) for (let column = 0; column < w; column++) data.push(escapeTime(row, column, h, w, limit, round));
    return { counts: { shape: [h, w], dtype: "i32", data } };
  },
  comparison: "exact",
};

function escapeTime(row: number, column: number, h: number, w: number, limit: number, round: (x: number) => number): number {
  const cr = round(round(round(column / w) * 3) - 2);
  const ci = round(round(round(row / h) * 3) - 1.5);
  let [zr, zi, n] = [0, 0, 0];
  while (n < limit) {
    const [rr, ii] = [round(zr * zr), round(zi * zi)];
    if (round(rr + ii) > 4) break;
    zi = round(round(round(2 * zr) * zi) + ci);
    zr = round(round(rr - ii) + cr);
    n++;
  }
  return n;
}
