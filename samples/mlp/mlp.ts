// Two layers of one definition with a residual around them; the weights are bound once.

import { tf, type CallArguments } from "tilefoundry";
import { uniform } from "../inputs.ts";
import { numbers } from "../reference.ts";
import type { Rounding, Sample } from "../sample.ts";

export const program = tf<"forward" | "up" | "down">`
@module(entry="forward")
class Layer:
    @func
    def forward(x: Tensor[(N, D), "f32"], w: ConstTensor[(D, D), "f32"], bias: ConstTensor[(D,), "f32"]):
        return tf.relu(tf.matmul(x, w) + bias)


@module(entry="forward", target="wasm")
class Mlp:
    up = Layer
    down = Layer

    @func
    def forward(
        x: Tensor[(N, 24), "f32"],
        w0: ConstTensor[(24, 24), "f32"],
        b0: ConstTensor[(24,), "f32"],
        w1: ConstTensor[(24, 24), "f32"],
        b1: ConstTensor[(24,), "f32"],
    ):
        return x + down(up(x, w0, b0), w1, b1)
`;

const WIDTH = 24;

const inputs = (rows: number) => (): CallArguments => ({
  x: uniform([rows, WIDTH], 1), w0: uniform([WIDTH, WIDTH], 2), b0: uniform([WIDTH], 3), w1: uniform([WIDTH, WIDTH], 4), b1: uniform([WIDTH], 5),
});

function layer(x: readonly number[], w: readonly number[], bias: readonly number[], round: Rounding): readonly number[] {
  return x.map((_, at) => {
    const [r, c] = [Math.floor(at / WIDTH), at % WIDTH];
    let sum = 0;
    for (let i = 0; i < WIDTH; i++) sum = round(sum + round((x[r * WIDTH + i] ?? 0) * (w[i * WIDTH + c] ?? 0)));
    return Math.max(0, round(sum + (bias[c] ?? 0)));
  });
}

export const sample: Sample = {
  name: "mlp",
  program,
  cases: { "some rows": inputs(5), "one row": inputs(1), "no rows": inputs(0) },
  reference: (args, round) => {
    const [x, w0, b0, w1, b1] = ["x", "w0", "b0", "w1", "b1"].map((name) => numbers(args[name]).data);
    const hidden = layer(x ?? [], w0 ?? [], b0 ?? [], round);
    const out = layer(hidden, w1 ?? [], b1 ?? [], round);
    return { out: { shape: numbers(args["x"]).shape, dtype: "f32", data: out.map((v, i) => round((x?.[i] ?? 0) + v)) } };
  },
  comparison: "composite",
};
