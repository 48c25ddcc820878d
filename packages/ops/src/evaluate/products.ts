// Values of matrix products: one product after another is added along K, over the part that is valid in both operands.

import { sameDType, type DType } from "@tilefoundry/ir";
import { accumulatorOf, promote } from "../infer.ts";
import { castFunction } from "./casts.ts";
import { broadcastShape, broadcastStrides, broadcastValid, readAs, stridesOf, walk } from "./iterate.ts";
import { scalarFunction } from "./scalars.ts";
import { getter, putter, zeros, type ArrayValue, type Scalar } from "./values.ts";

/** A matrix operand: its last two axes as rows and columns, and the batch axes before them. A vector lacks one of the two. */
export interface Matrix {
  readonly array: ArrayValue;
  readonly transposed: boolean;
}

/** What a sum of products starts from, repeated along axes of extent 1; `fresh` starts from 0 after all. */
export interface Start {
  readonly from: ArrayValue;
  readonly fresh: boolean;
}

/** An axis of an operand. */
interface Axis {
  readonly extent: number;
  readonly valid: number;
  readonly stride: number;
}

interface View {
  /** Rows on the left, columns on the right; none of a vector. */
  readonly own: readonly Axis[];
  readonly k: Axis;
  readonly batch: ArrayValue;
}

function viewOf({ array, transposed }: Matrix, side: "left" | "right"): View {
  const strides = stridesOf(array.shape);
  const axes = array.shape.map((extent, at): Axis => ({ extent, valid: array.valid[at] ?? extent, stride: strides[at] ?? 1 }));
  const [first, second] = axes.slice(-2);
  const one: Axis = { extent: 1, valid: 1, stride: 0 };
  const batch: ArrayValue = { ...array, shape: array.shape.slice(0, -2), valid: array.valid.slice(0, -2) };
  if (second === undefined) return { own: [], k: first ?? one, batch };
  const [rows, columns] = transposed ? [second, first ?? one] : [first ?? one, second];
  return side === "left" ? { own: [rows], k: columns, batch } : { own: [columns], k: rows, batch };
}

/** The product of two matrices, summed in 32 bits at least and then given in a dtype. */
export function product(left: Matrix, right: Matrix, dtype: DType, start?: Start): ArrayValue {
  const [a, b] = [viewOf(left, "left"), viewOf(right, "right")];
  const batch = broadcastShape([a.batch.shape, b.batch.shape]);
  const own = [...a.own, ...b.own];
  const shape = [...batch, ...own.map((axis) => axis.extent)];
  const bound = start === undefined ? [] : [start.from];
  const valid = [...broadcastValid(batch, [a.batch, b.batch]), ...own.map((axis) => axis.valid)];
  const covered = broadcastValid(shape, bound).map((n, axis) => Math.min(n, valid[axis] ?? n));
  const out = zeros(dtype, shape, covered);
  const common = promote(left.array.dtype, right.array.dtype);
  const sum = start === undefined ? accumulatorOf(common) : dtype;
  const [x, y, put] = [readAs(left.array, left.array.dtype, sum), readAs(right.array, right.array.dtype, sum), putter(out)];
  const initial = start === undefined || start.fresh ? (): Scalar => 0 : getter(start.from);
  const [mad, round] = [scalarFunction("mad", sum), sameDType(sum, dtype) ? (value: Scalar): Scalar => value : castFunction(sum, dtype)];
  const depth = Math.min(a.k.valid, b.k.valid);
  const batchStrides = ({ array }: Matrix): readonly number[] => (array.shape.length <= 2 ? batch.map(() => 0) : broadcastStrides(array.shape, batch.length + 2).slice(0, -2));
  const none = (view: View): readonly number[] => view.own.map(() => 0);
  const strides = [
    stridesOf(shape),
    [...batchStrides(left), ...a.own.map((axis) => axis.stride), ...none(b)],
    [...batchStrides(right), ...none(a), ...b.own.map((axis) => axis.stride)],
    start === undefined ? shape.map(() => 0) : broadcastStrides(start.from.shape, shape.length),
  ];
  walk(covered, strides, ([to = 0, row = 0, column = 0, from = 0]) => {
    let total = initial(from);
    for (let k = 0; k < depth; k++) total = mad(x(row + k * a.k.stride), y(column + k * b.k.stride), total);
    put(to, round(total));
  });
  return out;
}
