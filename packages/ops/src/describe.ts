// Words for types in messages, with dtypes in the spelling of the dialect.

import { DTYPES, shapeText, type Dialect, type DType, type Type } from "@tilefoundry/ir";

export const showDType = (dtype: DType, dialect: Dialect): string => (dialect === "pl" ? DTYPES[dtype].pl : dtype);

/** A dtype as the author writes it in an expression: `pl.FP32`, `"f32"`. */
export const writeDType = (dtype: DType, dialect: Dialect): string => (dialect === "pl" ? `pl.${DTYPES[dtype].pl}` : `"${dtype}"`);

export function showDTypes(dtypes: readonly DType[], dialect: Dialect): string {
  const names = dtypes.map((d) => showDType(d, dialect));
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} or ${String(names.at(-1))}`;
}

/** A type with its article: `a tile [1, 64] of FP32`, `a scalar of INDEX`. */
export function showType(type: Type, dialect: Dialect): string {
  switch (type.kind) {
    case "Tensor": return `a ${type.domain} ${shapeText(type.shape)} of ${showDType(type.dtype, dialect)}`;
    case "Scalar": return `a scalar of ${showDType(type.dtype, dialect)}`;
    case "Vec": return `a vector of ${type.lanes} ${showDType(type.dtype, dialect)}`;
    case "TupleType": return `a tuple of ${type.fields.length} values`;
    case "Unit": return "no value";
    case "Unknown": return "an erroneous value";
  }
}
