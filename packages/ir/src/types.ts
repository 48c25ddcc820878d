// Types. Plain data; scalar and vector types are interned, so they compare with `===`.

import type { DType } from "./dtypes.ts";
import type { Dim, ScalarType, Storage, TensorType, TupleType, Type, UnitType, UnknownType, VecType } from "./nodes.ts";

const interned = new Map<string, ScalarType | VecType>();

function intern<T extends ScalarType | VecType>(key: string, make: () => T): T {
  const known = interned.get(key);
  if (known !== undefined) return known as T; // the key fixes the kind
  const made = make();
  interned.set(key, made);
  return made;
}

export const scalarType = (dtype: DType): ScalarType => intern(dtype, () => ({ kind: "Scalar", dtype }));

export const vecType = (dtype: DType, lanes: number): VecType => intern(`${dtype}x${lanes}`, () => ({ kind: "Vec", dtype, lanes }));

export function tensorType(shape: readonly Dim[], dtype: DType, storage: Storage = "gmem"): TensorType {
  return { kind: "Tensor", domain: "tensor", shape, dtype, storage };
}

export function tileType(shape: readonly Dim[], dtype: DType, storage: Storage = "vec"): TensorType {
  return { kind: "Tensor", domain: "tile", shape, dtype, storage };
}

export const tupleType = (fields: readonly Type[]): TupleType => ({ kind: "TupleType", fields });

export const UNIT: UnitType = Object.freeze({ kind: "Unit" });
export const UNKNOWN: UnknownType = Object.freeze({ kind: "Unknown" });

export const INDEX = scalarType("index");
export const BOOL = scalarType("bool");

export const isTensor = (t: Type): t is TensorType => t.kind === "Tensor";
export const isTile = (t: Type): t is TensorType => t.kind === "Tensor" && t.domain === "tile";
export const isScalar = (t: Type): t is ScalarType => t.kind === "Scalar";
/** Scalar or vector: what primitives compute with. */
export const isRegister = (t: Type): t is ScalarType | VecType => t.kind === "Scalar" || t.kind === "Vec";

/** The same shape of register with another dtype: what a comparison or a cast of `t` gives. */
export function withDType(t: ScalarType | VecType, dtype: DType): ScalarType | VecType {
  return t.kind === "Scalar" ? scalarType(dtype) : vecType(dtype, t.lanes);
}

/** The rank-0 tensor in `umat` that seed 000 uses for a scalar. */
export const asTensor = (t: ScalarType): TensorType => tensorType([], t.dtype, "umat");
