// Values of partial ops: an element of each valid part, combined where both are.

import { readAs, stridesOf, walk } from "./iterate.ts";
import { resultDType, type EvalContext } from "./arguments.ts";
import { scalarFunction } from "./scalars.ts";
import { putter, zeros, type ArrayValue, type Scalar } from "./values.ts";

interface Two {
  readonly a: ArrayValue;
  readonly b: ArrayValue;
}

export const partial = (op: "add" | "mul" | "max" | "min") => ({ a, b }: Two, context: EvalContext): ArrayValue => {
  const dtype = resultDType(context);
  const combine = scalarFunction(op, dtype);
  const out = zeros(dtype, a.shape, a.valid.map((n, axis) => Math.max(n, b.valid[axis] ?? n)));
  const [x, y, put] = [readAs(a, a.dtype, dtype), readAs(b, b.dtype, dtype), putter(out)];
  const units = out.valid.map((_, axis) => out.valid.map((__, other) => (axis === other ? 1 : 0)));
  walk(out.valid, [stridesOf(a.shape), ...units], ([at = 0, ...index]) => {
    const within = ({ valid }: ArrayValue): boolean => index.every((i, axis) => i < (valid[axis] ?? 0));
    const [left, right]: (Scalar | undefined)[] = [within(a) ? x(at) : undefined, within(b) ? y(at) : undefined];
    put(at, left !== undefined && right !== undefined ? combine(left, right) : (left ?? right ?? 0));
  });
  return out;
};
