// What each scalar primitive computes, one function for each dtype, written for the interpreter's inner loops and for constant
// folding: f32 rounds after every op, integers wrap, division by zero gives 0, shifts take their amount modulo the width.

import type { DType, PrimAttrs, PrimOp, ReduceKind } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { erf } from "./erf.ts";
import { bitcastFunction, castFunction, rint } from "./casts.ts";
import { fmaF32, fmaF64 } from "./fused.ts";
import { INT64, UINT64 } from "./integer64.ts";
import { canonical, type Scalar } from "./values.ts";

/** Primitives that take scalars and give a scalar; on vectors they apply lane by lane. */
export type ScalarPrim = Exclude<PrimOp, "splat" | "lane" | "reduce" | "alloc_tensor" | "load" | "store" | "barrier">;

/** Called with as many operands as the primitive has, each of the dtype it was asked for. */
export type ScalarFunction = (a: Scalar, b?: Scalar, c?: Scalar) => Scalar;

/** Any function of scalars, whatever its operands. */
type AnyFunction = (...operands: never[]) => Scalar;
type Table = { readonly [P in ScalarPrim]?: AnyFunction };

const COMPARE = {
  eq: (a: number, b: number): boolean => a === b,
  ne: (a: number, b: number): boolean => a !== b,
  lt: (a: number, b: number): boolean => a < b,
  le: (a: number, b: number): boolean => a <= b,
  gt: (a: number, b: number): boolean => a > b,
  ge: (a: number, b: number): boolean => a >= b,
  select: (condition: boolean, a: number, b: number): number => (condition ? a : b),
} as const;

/** Math.max and Math.min have the language's rules for NaN and zeros. */
const FLOAT = {
  ...COMPARE,
  max: (a: number, b: number): number => Math.max(a, b),
  min: (a: number, b: number): number => Math.min(a, b),
  neg: (a: number): number => -a,
  abs: (a: number): number => Math.abs(a),
  floor: (a: number): number => Math.floor(a),
  ceil: (a: number): number => Math.ceil(a),
  rint,
} as const;

/** Doubles hold sums, products, quotients and roots of floats well enough for the second rounding to be the only one that shows. */
const F32 = {
  ...FLOAT,
  add: (a: number, b: number): number => Math.fround(a + b),
  sub: (a: number, b: number): number => Math.fround(a - b),
  mul: (a: number, b: number): number => Math.fround(a * b),
  div: (a: number, b: number): number => Math.fround(a / b),
  sqrt: (a: number): number => Math.fround(Math.sqrt(a)),
  exp: (a: number): number => Math.fround(Math.exp(a)),
  exp2: (a: number): number => Math.fround(2 ** a),
  log: (a: number): number => Math.fround(Math.log(a)),
  log2: (a: number): number => Math.fround(Math.log2(a)),
  sin: (a: number): number => Math.fround(Math.sin(a)),
  cos: (a: number): number => Math.fround(Math.cos(a)),
  tanh: (a: number): number => Math.fround(Math.tanh(a)),
  erf: (a: number): number => Math.fround(erf(a)),
  mad: (a: number, b: number, c: number): number => Math.fround(Math.fround(a * b) + c),
  fma: fmaF32,
} as const satisfies Table;

const F64 = {
  ...FLOAT,
  add: (a: number, b: number): number => a + b,
  sub: (a: number, b: number): number => a - b,
  mul: (a: number, b: number): number => a * b,
  div: (a: number, b: number): number => a / b,
  sqrt: (a: number): number => Math.sqrt(a),
  exp: (a: number): number => Math.exp(a),
  exp2: (a: number): number => 2 ** a,
  log: (a: number): number => Math.log(a),
  log2: (a: number): number => Math.log2(a),
  tanh: (a: number): number => Math.tanh(a),
  mad: (a: number, b: number, c: number): number => a * b + c,
  fma: fmaF64,
} as const satisfies Table;

const WHOLE = {
  ...COMPARE,
  max: (a: number, b: number): number => (a > b ? a : b),
  min: (a: number, b: number): number => (a < b ? a : b),
} as const;

function floorMod(a: number, b: number): number {
  if (b === 0) return a;
  const rest = a % b | 0;
  return rest !== 0 && (rest ^ b) < 0 ? (rest + b) | 0 : rest;
}

const I32 = {
  ...WHOLE,
  add: (a: number, b: number): number => (a + b) | 0,
  sub: (a: number, b: number): number => (a - b) | 0,
  mul: (a: number, b: number): number => Math.imul(a, b),
  mad: (a: number, b: number, c: number): number => (Math.imul(a, b) + c) | 0,
  floordiv: (a: number, b: number): number => (b === 0 ? 0 : Math.floor(a / b) | 0),
  mod: floorMod,
  bitand: (a: number, b: number): number => a & b,
  bitor: (a: number, b: number): number => a | b,
  bitxor: (a: number, b: number): number => a ^ b,
  shl: (a: number, b: number): number => a << b,
  shr: (a: number, b: number): number => a >> b,
  neg: (a: number): number => -a | 0,
  abs: (a: number): number => Math.abs(a) | 0,
  invert: (a: number): number => ~a,
} as const satisfies Table;

const U32 = {
  ...WHOLE,
  add: (a: number, b: number): number => (a + b) >>> 0,
  sub: (a: number, b: number): number => (a - b) >>> 0,
  mul: (a: number, b: number): number => Math.imul(a, b) >>> 0,
  mad: (a: number, b: number, c: number): number => (Math.imul(a, b) + c) >>> 0,
  floordiv: (a: number, b: number): number => (b === 0 ? 0 : Math.floor(a / b)),
  mod: (a: number, b: number): number => (b === 0 ? a : a % b),
  bitand: (a: number, b: number): number => (a & b) >>> 0,
  bitor: (a: number, b: number): number => (a | b) >>> 0,
  bitxor: (a: number, b: number): number => (a ^ b) >>> 0,
  shl: (a: number, b: number): number => (a << b) >>> 0,
  shr: (a: number, b: number): number => a >>> b,
  neg: (a: number): number => -a >>> 0,
  abs: (a: number): number => a,
  invert: (a: number): number => ~a >>> 0,
} as const satisfies Table;

/** Integers of fewer than 32 bits: computed in 32, of which the low ones are kept. */
function narrowIntegers(bits: number, isSigned: boolean) {
  const [unused, mask] = [32 - bits, 2 ** bits - 1];
  const wrap = isSigned ? (x: number): number => (x << unused) >> unused : (x: number): number => x & mask;
  return {
    ...WHOLE,
    add: (a: number, b: number): number => wrap(a + b),
    sub: (a: number, b: number): number => wrap(a - b),
    mul: (a: number, b: number): number => wrap(Math.imul(a, b)),
    mad: (a: number, b: number, c: number): number => wrap(Math.imul(a, b) + c),
    floordiv: (a: number, b: number): number => (b === 0 ? 0 : wrap(Math.floor(a / b))),
    mod: floorMod,
    bitand: (a: number, b: number): number => a & b,
    bitor: (a: number, b: number): number => a | b,
    bitxor: (a: number, b: number): number => a ^ b,
    shl: (a: number, b: number): number => wrap(a << (b & (bits - 1))),
    shr: (a: number, b: number): number => a >> (b & (bits - 1)),
    neg: (a: number): number => wrap(-a),
    abs: (a: number): number => wrap(Math.abs(a)),
    invert: (a: number): number => wrap(~a),
  } as const satisfies Table;
}

const BOOL = {
  and: (a: boolean, b: boolean): boolean => a && b,
  or: (a: boolean, b: boolean): boolean => a || b,
  not: (a: boolean): boolean => !a,
  bitand: (a: boolean, b: boolean): boolean => a && b,
  bitor: (a: boolean, b: boolean): boolean => a || b,
  bitxor: (a: boolean, b: boolean): boolean => a !== b,
  eq: (a: boolean, b: boolean): boolean => a === b,
  ne: (a: boolean, b: boolean): boolean => a !== b,
  lt: (a: boolean, b: boolean): boolean => !a && b,
  le: (a: boolean, b: boolean): boolean => !a || b,
  gt: (a: boolean, b: boolean): boolean => a && !b,
  ge: (a: boolean, b: boolean): boolean => a || !b,
  select: (condition: boolean, a: boolean, b: boolean): boolean => (condition ? a : b),
} as const satisfies Table;

const TABLES = {
  f32: F32, f64: F64, bool: BOOL,
  i8: narrowIntegers(8, true), i16: narrowIntegers(16, true), i32: I32, i64: INT64, index: INT64,
  u8: narrowIntegers(8, false), u16: narrowIntegers(16, false), u32: U32, u64: UINT64,
} as const satisfies Readonly<Record<DType, Table>>;

/** Whether a primitive computes in a dtype. */
export function hasScalarFunction(op: ScalarPrim, dtype: DType): boolean {
  return op === "cast" || op === "bitcast" || op in TABLES[dtype];
}

/** The function of a primitive whose operands are of `dtype` (of `select`: the second and third; of casts: the source). */
export function scalarFunction(op: ScalarPrim, dtype: DType, attrs: PrimAttrs = {}): ScalarFunction {
  if (op === "cast" || op === "bitcast") {
    const to = attrs.dtype;
    invariant(to !== undefined, () => `${op} without a dtype`);
    return op === "cast" ? castFunction(dtype, to, attrs.mode) : bitcastFunction(dtype, to);
  }
  const table: Table = TABLES[dtype];
  const found = table[op];
  invariant(found !== undefined, () => `${op} of ${dtype}`);
  return found as ScalarFunction; // operands have the dtype and number that the primitive's typing rule demands
}

// — reductions —

/** What combines two values in a reduction. */
export const combineFunction = (kind: ReduceKind, dtype: DType): ScalarFunction => scalarFunction(kind, dtype);

/** What a reduction gives for nothing. */
export function identityOf(kind: ReduceKind, dtype: DType): Scalar {
  switch (kind) {
    case "add": return 0;
    case "mul": return 1;
    case "and": return true;
    case "or": return false;
    case "max": return LIMITS[dtype][0];
    case "min": return LIMITS[dtype][1];
  }
}

/** Least and greatest value of each dtype. */
export const LIMITS = {
  f32: [-Infinity, Infinity],
  f64: [-Infinity, Infinity],
  i8: [-128, 127],
  i16: [-32768, 32767],
  i32: [-2147483648, 2147483647],
  u8: [0, 255],
  u16: [0, 65535],
  u32: [0, 4294967295],
  u64: [0, canonical(2n ** 64n - 1n)],
  i64: [canonical(-(2n ** 63n)), canonical(2n ** 63n - 1n)],
  index: [canonical(-(2n ** 63n)), canonical(2n ** 63n - 1n)],
  bool: [false, true],
} as const satisfies Readonly<Record<DType, readonly [Scalar, Scalar]>>;

/** Combines lanes pairwise: lanes i and i + n/2, until one is left. */
export function reduceLanes(kind: ReduceKind, dtype: DType): (lanes: readonly Scalar[]) => Scalar {
  const combine = combineFunction(kind, dtype);
  return (lanes) => {
    let rest = lanes;
    while (rest.length > 1) {
      const half = rest.length >> 1;
      const upper = rest.slice(half);
      rest = rest.slice(0, half).map((lane, i) => combine(lane, upper[i]));
    }
    return rest[0] ?? identityOf(kind, dtype);
  };
}
