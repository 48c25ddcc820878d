// Every way of applying a primitive that computes on scalars: the dtypes its typing rule admits, its attributes, edge values, and
// random ones from a seed.

import {
  CAST_MODES, DTYPE_NAMES, DTYPES, isFloat, isInteger, MATH_PRIMS, PRIMS, primType, scalarType, variable, vecType, type DType, type PrimAttrs, type PrimOp,
} from "@tilefoundry/ir";
import { canonical, type Scalar, type ScalarPrim } from "@tilefoundry/ops/evaluate";

export interface Case {
  readonly op: ScalarPrim;
  readonly attrs: PrimAttrs;
  /** Of the operands; the condition of a `select` is a bool. */
  readonly operands: readonly DType[];
  readonly result: DType;
}

const NOT_COMPUTED: ReadonlySet<PrimOp> = new Set<PrimOp>(["splat", "lane", "reduce", "alloc_tensor", "load", "store", ...MATH_PRIMS]);
const COMPUTED = (Object.keys(PRIMS) as PrimOp[]).filter((op): op is ScalarPrim => !NOT_COMPUTED.has(op)); // Object.keys forgets its key type

export function casesOf(dtype: DType, lanes: number): readonly Case[] {
  return COMPUTED.flatMap((op) => attrsOf(op, dtype).flatMap((attrs): Case[] => {
    const operands = PRIMS[op].operands.map((_, i): DType => (op === "select" && i === 0 ? "bool" : dtype));
    const type = primType(op, operands.map((d) => variable("x", lanes === 1 ? scalarType(d) : vecType(d, lanes))), attrs);
    return typeof type === "string" || (type.kind !== "Scalar" && type.kind !== "Vec") ? [] : [{ op, attrs, operands, result: type.dtype }];
  }));
}

function attrsOf(op: ScalarPrim, dtype: DType): readonly PrimAttrs[] {
  if (op === "bitcast") return DTYPE_NAMES.filter((d) => d !== "bool" && DTYPES[d].bits === DTYPES[dtype].bits).map((d) => ({ dtype: d }));
  if (op !== "cast") return [{}];
  return DTYPE_NAMES.flatMap((d): readonly PrimAttrs[] => (isFloat(dtype) && isInteger(d) ? CAST_MODES.map((mode) => ({ dtype: d, mode })) : [{ dtype: d }]));
}

const FLOATS = [0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, 0.49999997, 1e-40, 255.5, -1e30, 2147483648, -2147483648.9, 4294967295.9, 9.3e18, Infinity, -Infinity, NaN];
const LONGS = [0, 1, -1, 2, -7, 3, 7, 63, 64, 65, 4294967296, -4294967297, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n, 16];

const EDGES: Readonly<Record<DType, readonly Scalar[]>> = {
  f32: [...FLOATS.map(Math.fround), Math.fround(3.4028235e38), 2 ** 24 + 2],
  f64: [...FLOATS, 1.7e308, 1e-310, 0.49999999999999994, 2 ** 53],
  i32: [0, 1, -1, 2, -7, 3, 7, 31, 32, 33, 255, 65536, 2147483647, -2147483648, 16777217, -16],
  u32: [0, 1, 2, 3, 7, 31, 32, 33, 255, 256, 65535, 2147483647, 2147483648, 4294967295, 16777217, 16],
  u8: [0, 1, 2, 3, 7, 8, 9, 16, 100, 127, 128, 200, 253, 254, 255, 64],
  i8: [0, 1, -1, 2, -7, 3, 7, 8, 9, 16, 100, 127, -127, -128, 64, -64],
  i16: [0, 1, -1, 2, -7, 3, 7, 15, 16, 17, 255, 256, 32767, -32768, -32767, 181],
  u16: [0, 1, 2, 3, 7, 15, 16, 17, 255, 256, 32767, 32768, 65534, 65535, 257, 181],
  u64: [0, 1, 2, 3, 7, 63, 64, 65, 4294967295, 4294967296, 2n ** 63n, 2n ** 64n - 1n, 2n ** 63n - 1n, 2n ** 53n, 2n ** 64n - 1025n, 2n ** 62n + 1n],
  i64: LONGS,
  index: LONGS,
  bool: [false, true],
};

/** `count` operands for each of so many rounds: all pairs of edges first, then random values. */
export function operandValues(dtype: DType, count: number, rounds: number, seed: number): readonly (readonly Scalar[])[] {
  const edges = EDGES[dtype];
  const random = generator(seed);
  return Array.from({ length: rounds }, (_, i) => Array.from({ length: count }, (_, k) => {
    const digit = Math.floor(i / edges.length ** k) % edges.length;
    const pairs = edges.length ** 2;
    return i < pairs ? (edges[k === 2 ? (i * 7 + 3) % edges.length : digit] ?? 0) : randomValue(dtype, random);
  }));
}

function randomValue(dtype: DType, random: () => number): Scalar {
  const bits = (random() * 2 ** 32) >>> 0;
  switch (dtype) {
    case "bool": return bits % 2 === 1;
    case "i8": return (bits << 24) >> 24;
    case "i16": return (bits << 16) >> 16;
    case "u8": return bits & 255;
    case "u16": return bits & 65535;
    case "u64": return canonical((BigInt(bits) << 32n) | BigInt((random() * 2 ** 32) >>> 0));
    case "u32": return bits;
    case "i32": return bits | 0;
    case "f32": return Math.fround((random() - 0.5) * 2 ** Math.floor(random() * 40 - 10));
    case "f64": return (random() - 0.5 + random() * 2 ** -31) * 2 ** Math.floor(random() * 80 - 20);
    case "i64":
    case "index": return Math.floor((random() - 0.5) * 2 ** Math.floor(random() * 53));
  }
}

/** Uniform numbers in [0, 1): mulberry32. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
