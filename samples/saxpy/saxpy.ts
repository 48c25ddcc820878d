// y = alpha * x + y, in place.

import { tf } from "tilefoundry";
import { uniform } from "../inputs.ts";
import { numbers } from "../reference.ts";
import type { Sample } from "../sample.ts";

export const program = tf<"saxpy">`
@prim_func
def saxpy(alpha: Scalar["f32"], x: Tensor[(N,), "f32"], y: InOut[Tensor[(N,), "f32"]]):
    for i in T.parallel(0, N, 256):
        xs = pl.load(x, (i,), (256,))
        ys = pl.load(y, (i,), (256,))
        pl.store(alpha * xs + ys, (i,), y)
`;

const inputs = (n: number) => () => ({ alpha: 1.5, x: uniform([n], 1), y: uniform([n], 2) });

export const sample: Sample = {
  name: "saxpy",
  program,
  cases: { "a tail": inputs(1000), "one element": inputs(1), empty: inputs(0) },
  reference: (args, round) => {
    const [x, y] = [numbers(args["x"]), numbers(args["y"])];
    const alpha = Number(args["alpha"]);
    return { y: { shape: x.shape, dtype: "f32", data: x.data.map((v, i) => round(round(alpha * v) + (y.data[i] ?? 0))) } };
  },
  comparison: "exact",
};
