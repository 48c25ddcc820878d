// Values of reductions and matrix products: elements are combined one after another in row-major order, over the valid part.

import type { DType } from "@tilefoundry/ir";
import { normalAxis } from "../infer.ts";
import { castFunction } from "./casts.ts";
import { broadcastStrides, stridesOf, walk } from "./iterate.ts";
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
  readonly batch: readonly number[];
  readonly batchValid: readonly number[];
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
    batch: array.shape.slice(0, -2),
    batchValid: array.valid.slice(0, -2),
  };
}

/** The product of two matrices, added to an accumulator or to 0, in the accumulator's dtype. */
export function product(left: Matrix, right: Matrix, dtype: DType, acc?: ArrayValue): ArrayValue {
  const [a, b] = [viewOf(left), viewOf(right)];
  const batch = Array.from({ length: Math.max(a.batch.length, b.batch.length) }, (_, i, rank = Math.max(a.batch.length, b.batch.length)) => {
    const x = a.batch[i - rank + a.batch.length] ?? 1;
    return x === 1 ? (b.batch[i - rank + b.batch.length] ?? 1) : x;
  });
  const shape = [...batch, a.rows, b.columns];
  const limits = [...batch, a.validRows, b.validColumns];
  const out = zeros(dtype, shape, limits.map((n, axis) => Math.min(n, acc?.valid[axis] ?? n)));
  const read = (array: ArrayValue): ((at: number) => Scalar) => {
    const convert = castFunction(array.dtype, dtype);
    const get = getter(array);
    return (at) => convert(get(at));
  };
  const [x, y, put, mad, start] = [read(left.array), read(right.array), putter(out), scalarFunction("mad", dtype), acc && getter(acc)];
  const depth = Math.min(a.validColumns, b.validRows);
  const batchStrides = (m: Matrix): readonly number[] => broadcastStrides(m.array.shape, shape.length).slice(0, -2);
  const strides = [
    stridesOf(shape),
    [...batchStrides(left), a.rowStride, 0],
    [...batchStrides(right), 0, b.columnStride],
  ];
  walk(out.valid, strides, ([to = 0, row = 0, column = 0]) => {
    let total: Scalar = start === undefined ? 0 : start(to);
    for (let k = 0; k < depth; k++) total = mad(x(row + k * a.columnStride), y(column + k * b.rowStride), total);
    put(to, total);
  });
  return out;
}
