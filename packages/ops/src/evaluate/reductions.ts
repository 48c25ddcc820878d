// Values of reductions and matrix products: elements are combined one after another in row-major order, over the valid part.

import type { DType } from "@tilefoundry/ir";
import { normalAxis } from "../infer.ts";
import { broadcastShape, broadcastStrides, readAs, stridesOf, walk } from "./iterate.ts";
import { scalarFunction, type ScalarFunction } from "./scalars.ts";
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

/** A matrix operand: its last two axes as rows and columns, and the batch axes before them. */
export interface Matrix {
  readonly array: ArrayValue;
  readonly transposed: boolean;
}

interface MatrixView {
  readonly rows: number;
  readonly columns: number;
  readonly validRows: number;
  readonly validColumns: number;
  readonly rowStride: number;
  readonly columnStride: number;
}

function viewOf({ array, transposed }: Matrix): MatrixView {
  const rank = array.shape.length;
  const strides = stridesOf(array.shape);
  const [r, c] = transposed ? [rank - 1, rank - 2] : [rank - 2, rank - 1];
  return {
    rows: array.shape[r] ?? 1,
    columns: array.shape[c] ?? 1,
    validRows: array.valid[r] ?? 1,
    validColumns: array.valid[c] ?? 1,
    rowStride: strides[r] ?? 1,
    columnStride: strides[c] ?? 1,
  };
}

/** The elements of an array in a dtype, by flat position. */
const readIn = (array: ArrayValue, dtype: DType): ((at: number) => Scalar) => readAs(array, array.dtype, dtype);

/** The product of two matrices, added to an accumulator or to 0, in the accumulator's dtype. Batches are those of tensors, and whole. */
export function product(left: Matrix, right: Matrix, dtype: DType, acc?: ArrayValue): ArrayValue {
  const [a, b] = [viewOf(left), viewOf(right)];
  const batch = broadcastShape([left.array.shape.slice(0, -2), right.array.shape.slice(0, -2)]);
  const shape = [...batch, a.rows, b.columns];
  const valid = [...batch, a.validRows, b.validColumns].map((n, axis) => Math.min(n, acc?.valid[axis] ?? n));
  const out = zeros(dtype, shape, valid);
  const [x, y, put] = [readIn(left.array, dtype), readIn(right.array, dtype), putter(out)];
  const start = acc === undefined ? (): Scalar => 0 : getter(acc);
  const mad = scalarFunction("mad", dtype);
  const depth = Math.min(a.validColumns, b.validRows);
  const batchStrides = ({ array }: Matrix): readonly number[] => broadcastStrides(array.shape, shape.length).slice(0, -2);
  const strides = [stridesOf(shape), [...batchStrides(left), a.rowStride, 0], [...batchStrides(right), 0, b.columnStride]];
  walk(valid, strides, ([to = 0, row = 0, column = 0]) => {
    let total = start(to);
    for (let k = 0; k < depth; k++) total = mad(x(row + k * a.columnStride), y(column + k * b.rowStride), total);
    put(to, total);
  });
  return out;
}
