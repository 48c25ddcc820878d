// The ways in which reductions combine: the identity of each, per dtype. The combining primitive has the name of the kind.

import { constant, DTYPES, isFloat, isSigned, numberConst, scalarType, type Const, type DType, type ReduceKind } from "@tilefoundry/ir";

/** What a reduction of nothing gives: 0, 1, the least or the greatest value, true or false. */
export function identity(kind: ReduceKind, dtype: DType): Const {
  switch (kind) {
    case "add": return numberConst(0, dtype);
    case "mul": return numberConst(1, dtype);
    case "max": return leastValue(dtype);
    case "min": return greatestValue(dtype);
    case "and": return constant(true, scalarType("bool"));
    case "or": return constant(false, scalarType("bool"));
  }
}

function leastValue(dtype: DType): Const {
  if (isFloat(dtype)) return numberConst(-Infinity, dtype);
  return constant(isSigned(dtype) ? -(1n << BigInt(DTYPES[dtype].bits - 1)) : 0n, scalarType(dtype));
}

function greatestValue(dtype: DType): Const {
  if (isFloat(dtype)) return numberConst(Infinity, dtype);
  return constant((1n << BigInt(DTYPES[dtype].bits - (isSigned(dtype) ? 1 : 0))) - 1n, scalarType(dtype));
}

/** What the result of a reduction is called. */
export const KIND_HINTS = {
  add: "sum",
  mul: "product",
  max: "largest",
  min: "least",
  and: "all",
  or: "any",
} as const satisfies Readonly<Record<ReduceKind, string>>;
