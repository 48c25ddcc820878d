// Values of reductions: elements are combined one after another in row-major order, over the valid part.

import type { DType } from "@tilefoundry/ir";
import { normalAxis } from "../infer.ts";
import { stridesOf, walk } from "./iterate.ts";
import type { ScalarFunction } from "./scalars.ts";
import { getter, putter, zeros, type ArrayValue, type Scalar } from "./values.ts";

export interface Fold {
  readonly start: Scalar;
  readonly combine: ScalarFunction;
  readonly before?: ScalarFunction;
  /** What becomes of the combined value of `count` elements. */
  readonly after?: (combined: Scalar, count: number) => Scalar;
}

/** Folds the valid part of an array along axes; reduced axes stay with extent 1 if kept. */
export function reduceAxes(x: ArrayValue, axes: readonly number[], keep: boolean, { start, combine, before, after }: Fold): ArrayValue {
  const reduced = new Set(axes.map((axis) => normalAxis(axis, x.shape.length)));
  const outer = x.shape.map((_, axis) => axis).filter((axis) => !reduced.has(axis));
  const inner = x.shape.map((_, axis) => axis).filter((axis) => reduced.has(axis));
  const kept = (list: readonly number[]): readonly number[] => list.flatMap((n, axis) => (reduced.has(axis) ? (keep ? [1] : []) : [n]));
  const out = zeros(x.dtype, kept(x.shape), kept(x.valid));
  const get = getter(x);
  const put = putter(out);
  const own = stridesOf(x.shape);
  const pick = (list: readonly number[], among: readonly number[]): readonly number[] => among.map((axis) => list[axis] ?? 1);
  const innerExtents = pick(x.valid, inner);
  const count = innerExtents.reduce((n, e) => n * e, 1);
  walk(pick(x.valid, outer), [pick(own, outer), stridesOf(pick(x.shape, outer))], ([from = 0, to = 0]) => {
    let value = start;
    walk(innerExtents, [pick(own, inner)], ([step = 0]) => {
      const element = get(from + step);
      value = combine(value, before === undefined ? element : before(element));
    });
    put(to, after === undefined ? value : after(value, count));
  });
  return out;
}

/** Where along an axis the first largest or smallest element is, or the first NaN. */
export function positions(x: ArrayValue, axis: number, extreme: "max" | "min", keep: boolean, dtype: DType): ArrayValue {
  const others = (list: readonly number[]): readonly number[] => list.flatMap((n, at) => (at !== axis ? [n] : keep ? [1] : []));
  const out = zeros(dtype, others(x.shape), others(x.valid));
  const [get, put, own] = [getter(x), putter(out), stridesOf(x.shape)];
  const beats = extreme === "max" ? (a: Scalar, b: Scalar): boolean => a > b : (a: Scalar, b: Scalar): boolean => a < b;
  const drop = (list: readonly number[]): readonly number[] => list.filter((_, at) => at !== axis);
  const length = x.valid[axis] ?? 1;
  const step = own[axis] ?? 1;
  const strides = stridesOf(out.shape);
  walk(drop(x.valid), [drop(own), keep ? drop(strides) : strides], ([from = 0, to = 0]) => {
    let best = 0;
    for (let k = 0; k < length; k++) {
      const [element, champion] = [get(from + k * step), get(from + best * step)];
      if (champion === champion && (element !== element || beats(element, champion))) best = k;
    }
    put(to, best);
  });
  return out;
}
