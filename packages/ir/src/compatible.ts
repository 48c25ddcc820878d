// When a value of one type may stand where another type is declared: at assignments, carries, yields, results and returns.

import { shapesEqual } from "./dims.ts";
import type { Type } from "./nodes.ts";
import { sameDType } from "./dtypes.ts";

/** Kind, dtype (i64 and index are one) and shape agree. Where an array is stored is a hint here: placement inserts the copy. */
export function compatible(value: Type, declared: Type): boolean {
  if (value.kind === "Unknown" || declared.kind === "Unknown") return true; // reported where it arose
  if (value.kind === "Scalar" && declared.kind === "Scalar") return sameDType(value.dtype, declared.dtype);
  if (value.kind === "Vec" && declared.kind === "Vec") return sameDType(value.dtype, declared.dtype) && value.lanes === declared.lanes;
  if (value.kind === "Tensor" && declared.kind === "Tensor") {
    return value.domain === declared.domain && sameDType(value.dtype, declared.dtype) && shapesEqual(value.shape, declared.shape);
  }
  if (value.kind === "TupleType" && declared.kind === "TupleType") {
    return value.fields.length === declared.fields.length && value.fields.every((t, i) => compatible(t, declared.fields[i] ?? t));
  }
  return value.kind === declared.kind;
}
