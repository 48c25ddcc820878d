// Types. Plain data; scalar and vector types are interned, so they compare with `===`.

import type { Dim } from "./dims.ts";
import type { DType } from "./dtypes.ts";

/** Where elements live. `gmem` is PyPTO's DDR; legality is the target's (one-ir 4.8). */
export const STORAGES = ["host", "gmem", "smem", "rmem", "tmem", "umat", "arena", "vec", "mat", "left", "right", "acc", "bias"] as const;
export type Storage = (typeof STORAGES)[number];

export type Type = ScalarType | VecType | TensorType | TupleType | UnitType | UnknownType;

export interface ScalarType {
  readonly kind: "Scalar";
  readonly dtype: DType;
}

/** A value of `lanes` elements in registers. A vector of `bool` is a mask. */
export interface VecType {
  readonly kind: "Vec";
  readonly dtype: DType;
  readonly lanes: number;
}

/** A tensor in memory, or a tile (`domain`): a buffer with a shape, or from `lowered` on a logical buffer. */
export interface TensorType {
  readonly kind: "Tensor";
  readonly domain: "tensor" | "tile";
  readonly shape: readonly Dim[];
  readonly dtype: DType;
  readonly storage: Storage;
}

export interface TupleType {
  readonly kind: "TupleType";
  readonly fields: readonly Type[];
}

/** Type of an effect: no value. */
export interface UnitType {
  readonly kind: "Unit";
}

/** Type of an erroneous expression; it silences everything that would follow from it. Legal nowhere after the frontend. */
export interface UnknownType {
  readonly kind: "Unknown";
}

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
