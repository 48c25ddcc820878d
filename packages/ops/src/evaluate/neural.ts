// Values of neural ops of several steps: rotary embedding and convolution.

import { accumulatorOf } from "../infer.ts";
import { castFunction } from "./casts.ts";
import { readAs, stridesOf, walk } from "./iterate.ts";
import { scalarFunction } from "./scalars.ts";
import { getter, putter, zeros, type ArrayValue, type Scalar } from "./values.ts";

const same = (value: Scalar): Scalar => value;

/** Heads of `[batch, position, head, element]` turned by the rows of two caches that their positions choose. */
export function turned(x: ArrayValue, cosines: ArrayValue, sines: ArrayValue, positions: ArrayValue): ArrayValue {
  const within = accumulatorOf(x.dtype);
  const [add, mul, neg] = [scalarFunction("add", within), scalarFunction("mul", within), scalarFunction("neg", within)];
  const round = within === x.dtype ? same : castFunction(within, x.dtype);
  const [get, cos, sin] = [x, cosines, sines].map((array) => readAs(array, array.dtype, within));
  if (get === undefined || cos === undefined || sin === undefined) return x; // there are three
  const [position, out] = [getter(positions), zeros(x.dtype, x.shape, x.valid)];
  const put = putter(out);
  const [batches = 1, steps = 1, heads = 1, length = 1] = x.shape;
  const ownPositions = positions.shape.length === 2 && positions.shape[0] === batches;
  for (let b = 0; b < batches; b++) {
    for (let s = 0; s < steps; s++) {
      const row = Number(position(ownPositions ? b * steps + s : s));
      const cached = (cache: (at: number) => Scalar, rows: number, d: number): Scalar => (row >= 0 && row < rows ? cache(row * length + d) : 0);
      for (let h = 0; h < heads; h++) {
        const base = ((b * steps + s) * heads + h) * length;
        for (let d = 0; d < length; d++) {
          const partner = d < length / 2 ? neg(get(base + d + length / 2)) : get(base + d - length / 2);
          const [c, t] = [cached(cos, cosines.shape[0] ?? 0, d), cached(sin, sines.shape[0] ?? 0, d)];
          put(base + d, round(add(mul(get(base + d), c), mul(partner, t))));
        }
      }
    }
  }
  return out;
}

/** How windows lie, rows first. */
interface Windows {
  readonly stride: readonly number[];
  readonly padding: readonly number[];
  readonly dilation: readonly number[];
  readonly groups: number;
}

export function convolved(x: ArrayValue, weight: ArrayValue, bias: ArrayValue | undefined, { stride, padding, dilation, groups }: Windows): ArrayValue {
  const [n = 1, channels = 1, height = 1, width = 1] = x.shape;
  const [outputs = 1, each = 1, rows = 1, columns = 1] = weight.shape;
  const pair = (list: readonly number[]): readonly [number, number] => [list[0] ?? 0, list.at(-1) ?? 0];
  const [[down, right], [above, before], [tall, wide]] = [pair(stride), pair(padding), pair(dilation)];
  const count = (input: number, kernel: number, pad: number, step: number, apart: number): number => Math.floor((input + 2 * pad - apart * (kernel - 1) - 1) / step) + 1;
  const out = zeros(x.dtype, [n, outputs, count(height, rows, above, down, tall), count(width, columns, before, right, wide)]);
  const within = accumulatorOf(x.dtype);
  const [get, factor, start] = [readAs(x, x.dtype, within), readAs(weight, weight.dtype, within), bias && readAs(bias, bias.dtype, within)];
  const [mad, round, put] = [scalarFunction("mad", within), within === x.dtype ? same : castFunction(within, x.dtype), putter(out)];
  const input = (b: number, c: number, i: number, j: number): Scalar =>
    i < 0 || j < 0 || i >= height || j >= width ? 0 : get(((b * channels + c) * height + i) * width + j);
  const [one, none] = [[1, 0, 0, 0], [0, 1, 0, 0]];
  walk(out.shape, [stridesOf(out.shape), one, none, [0, 0, 1, 0], [0, 0, 0, 1]], ([to = 0, b = 0, o = 0, i = 0, j = 0]) => {
    const first = Math.floor(o / (outputs / groups)) * each;
    let total = start === undefined ? 0 : start(o);
    for (let c = 0; c < each; c++) {
      for (let u = 0; u < rows; u++) {
        for (let v = 0; v < columns; v++) {
          const element = input(b, first + c, i * down - above + u * tall, j * right - before + v * wide);
          total = mad(element, factor(((o * each + c) * rows + u) * columns + v), total);
        }
      }
    }
    put(to, round(total));
  });
  return out;
}
