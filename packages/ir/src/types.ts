// Types. Plain data; scalar and vector types are interned, so they compare with `===`.

import type { DType } from "./dtypes.ts";
import type { Dim, ScalarType, Storage, TensorType, TupleType, Type, UnitType, UnknownType, VecType } from "./nodes.ts";

const scalars = new Map<DType, ScalarType>();
const vectors = new Map<DType, Map<number, VecType>>();

export function scalarType(dtype: DType): ScalarType {
  let type = scalars.get(dtype);
  if (type === undefined) scalars.set(dtype, (type = { kind: "Scalar", dtype }));
  return type;
}

export function vecType(dtype: DType, lanes: number): VecType {
  let byLanes = vectors.get(dtype);
  if (byLanes === undefined) vectors.set(dtype, (byLanes = new Map()));
  let type = byLanes.get(lanes);
  if (type === undefined) byLanes.set(lanes, (type = { kind: "Vec", dtype, lanes }));
  return type;
}

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

/** The rank-0 tensor in `umat` that TileFoundry uses for a scalar. */
export const asTensor = (t: ScalarType): TensorType => tensorType([], t.dtype, "umat");
