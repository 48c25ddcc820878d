// Values of elementwise ops: one scalar function applied over the common valid part of the operands.

import { sameDType, type DType } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { promote } from "../infer.ts";
import { resultDType, type EvalContext, type Operand } from "./arguments.ts";
import { broadcastShape, broadcastStrides, broadcastValid, readAs, stridesOf, walk } from "./iterate.ts";
import type { ScalarFunction } from "./scalars.ts";
import { isArrayValue, putter, zeros, type ArrayValue } from "./values.ts";

/** An operand, the dtype of its elements, and the dtype it is read in. */
export interface Read {
  readonly operand: Operand;
  readonly from: DType;
  readonly to: DType;
}

/** Applies a function to up to three operands. */
export function mapElements(reads: readonly Read[], result: DType, apply: ScalarFunction): ArrayValue {
  const arrays = reads.map((r) => r.operand).filter(isArrayValue);
  const shape = broadcastShape(arrays.map((a) => a.shape));
  const out = zeros(result, shape, broadcastValid(shape, arrays));
  const put = putter(out);
  const [a, b, c] = reads.map((r) => readAs(r.operand, r.from, r.to));
  invariant(a !== undefined, () => "an elementwise op without operands");
  const strides = [stridesOf(shape), ...reads.map((r) => broadcastStrides(isArrayValue(r.operand) ? r.operand.shape : [], shape.length))];
  walk(out.valid, strides, ([to = 0, x = 0, y = 0, z = 0]) => {
    put(to, b === undefined ? apply(a(x)) : c === undefined ? apply(a(x), b(y)) : apply(a(x), b(y), c(z)));
  });
  return out;
}

/** Reads of inputs by name, each converted to one dtype. */
export function readsIn(dtype: DType, inputs: Readonly<Record<string, Operand>>, { dtypes }: EvalContext): readonly Read[] {
  return Object.entries(inputs).map(([name, operand]) => ({ operand, from: dtypes[name] ?? dtype, to: dtype }));
}

interface One {
  readonly x: Operand;
}
interface Two {
  readonly a: Operand;
  readonly b: Operand;
}

/** An op of one operand, in the result's dtype. */
export const unary =
  (of: (dtype: DType) => ScalarFunction) =>
  ({ x }: One, context: EvalContext): ArrayValue => {
    const dtype = resultDType(context);
    return mapElements(readsIn(dtype, { x }, context), dtype, of(dtype));
  };

/** An op of two operands, both converted to the result's dtype. */
export const binary =
  (of: (dtype: DType) => ScalarFunction) =>
  ({ a, b }: Two, context: EvalContext): ArrayValue => {
    const dtype = resultDType(context);
    return mapElements(readsIn(dtype, { a, b }, context), dtype, of(dtype));
  };

/** A comparison: both operands in their common dtype, a bool for each. */
export const comparison =
  (of: (dtype: DType) => ScalarFunction) =>
  ({ a, b }: Two, context: EvalContext): ArrayValue => {
    const { a: left, b: right } = context.dtypes;
    invariant(left !== undefined && right !== undefined, () => "a comparison without dtypes");
    const dtype = sameDType(left, right) ? left : promote(left, right);
    return mapElements(readsIn(dtype, { a, b }, context), "bool", of(dtype));
  };
