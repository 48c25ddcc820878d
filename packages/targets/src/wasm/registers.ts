// How values of the IR lie in WebAssembly registers. A scalar is one value; integers of fewer bits and bool are an i32 with the value
// (bool 0 or 1), index is an i64, or an i32 where its range allows; u64 is always an i64, an i64 too is only where proved an i32. A
// vector is one or more v128 parts of 32- or 64-bit lanes; narrower integers take 32-bit lanes. A mask has
// lanes of 0 and -1, 64 bits wide if there are two of them, else 32.

import { invariant } from "@tilefoundry/text";
import type { DType, Type, VecType } from "@tilefoundry/ir";
import type { ValueType } from "./opcodes.ts";
import { SHAPES, type LaneShape } from "./shapes.ts";

/** Kind of arithmetic: a dtype, with `index` as `i64`. */
export type Kind = Exclude<DType, "index">;

export const kindOf = (d: DType): Kind => (d === "index" ? "i64" : d);

export const VALUE_TYPES = {
  bool: "i32", i8: "i32", i16: "i32", i32: "i32", i64: "i64", u8: "i32", u16: "i32", u32: "i32", u64: "i64", f32: "f32", f64: "f64",
} as const satisfies Readonly<Record<Kind, ValueType>>;

export const LANE_SHAPES = {
  i8: "i32x4", i16: "i32x4", i32: "i32x4", i64: "i64x2", u8: "i32x4", u16: "i32x4", u32: "i32x4", u64: "i64x2", f32: "f32x4", f64: "f64x2",
} as const satisfies Readonly<Record<Exclude<Kind, "bool">, LaneShape>>;

/** Integers that are narrower than their registers: how many bits they have, and whether a sign. */
export const NARROW = {
  i8: { bits: 8, sign: "s" }, i16: { bits: 16, sign: "s" }, u8: { bits: 8, sign: "u" }, u16: { bits: 16, sign: "u" },
} as const satisfies { readonly [K in Kind]?: { readonly bits: 8 | 16; readonly sign: "s" | "u" } };

export type NarrowKind = keyof typeof NARROW;

export const isNarrow = (kind: Kind): kind is NarrowKind => Object.hasOwn(NARROW, kind);

/** Whether a register of the kind holds 64-bit integers. */
export const isLong = (kind: Kind): kind is "i64" | "u64" => kind === "i64" || kind === "u64";

/** Where the lanes of a vector lie. */
export interface Lanes {
  readonly kind: Kind;
  readonly shape: LaneShape;
  readonly count: number;
  /** Lanes of a full part. */
  readonly perPart: 2 | 4;
  readonly parts: number;
}

/** Why a vector of this length has no place, or undefined. */
export function lanesFault({ lanes }: VecType): string | undefined {
  const fits = lanes >= 2 && lanes <= 64 && (lanes & (lanes - 1)) === 0;
  return fits ? undefined : `vectors have 2, 4, 8, … 64 lanes, not ${lanes}`;
}

/** There are few, and every vector asks for its own. */
const LANES: Readonly<Record<Kind, Lanes[]>> = { bool: [], i8: [], i16: [], i32: [], i64: [], u8: [], u16: [], u32: [], u64: [], f32: [], f64: [] };

export const lanesOf = (kind: Kind, count: number): Lanes => (LANES[kind][count] ??= makeLanes(kind, count));

function makeLanes(kind: Kind, count: number): Lanes {
  const shape = kind === "bool" ? maskShape(count) : LANE_SHAPES[kind];
  const perPart = SHAPES[shape].lanes;
  return { kind, shape, count, perPart, parts: Math.max(1, count / perPart) };
}

export const maskShape = (count: number): "i32x4" | "i64x2" => (count === 2 ? "i64x2" : "i32x4");

export function vectorLanes(type: Type): Lanes {
  invariant(type.kind === "Vec", () => `a vector expected, not ${type.kind}`);
  return lanesOf(kindOf(type.dtype), type.lanes);
}

export function kindOfType(type: Type): Kind {
  invariant(type.kind === "Scalar" || type.kind === "Vec" || type.kind === "Tensor", () => `dtype of ${type.kind}`);
  return kindOf(type.dtype);
}
