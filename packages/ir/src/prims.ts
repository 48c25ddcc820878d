// The closed primitive set: what lowered code is made of and what every target must take. Extending it is a design decision.
// Each row: its operands, its typing rule, whether it has an effect, and its operator spelling if Python has one.

import { DTYPES, isFloat, isInteger, sameDType, type DType } from "./dtypes.ts";
import { isRegister, scalarType, UNIT, vecType, withDType } from "./types.ts";
import type { PrimAttrs, ScalarType, Type, TensorType, VecType } from "./nodes.ts";
import type { PrimOp } from "./prim-names.ts";

type Register = ScalarType | VecType;

/** Whatever has a type; of an operand nothing else is looked at. */
interface Typed {
  readonly type: Type;
}

/** Result type, or the reason why the operands do not fit, as the end of a sentence that begins with the op. */
type Rule = (args: readonly Typed[], attrs: PrimAttrs) => Type | string;

interface PrimRow {
  readonly rule: Rule;
  /** Operands by name, for messages and documentation; `…` repeats. */
  readonly operands: readonly string[];
  readonly attrs: readonly (keyof PrimAttrs)[];
  readonly effect: "none" | "read" | "write" | "alloc";
  /** Operator in Python source, and its class for the printer; absent for primitives spelt as calls. */
  readonly operator?: string;
}

const allSame =
  (admits: (d: DType) => boolean, what: string, result?: DType): Rule =>
  (args) => {
    const first = args[0]?.type;
    if (first === undefined || !isRegister(first)) return "takes scalars or vectors";
    for (const { type: other } of args) {
      if (other === first) continue;
      if (!isRegister(other)) return "takes scalars or vectors";
      if (lanesOf(other) !== lanesOf(first)) return `mixes ${lanesOf(first)} and ${lanesOf(other)} lanes`;
      if (!sameDType(other.dtype, first.dtype)) return `mixes ${first.dtype} and ${other.dtype}`;
    }
    if (!admits(first.dtype)) return `takes ${what}, not ${first.dtype}`;
    return result === undefined ? first : withDType(first, result);
  };

const lanesOf = (t: Register): number => (t.kind === "Vec" ? t.lanes : 1);
const numeric = (d: DType): boolean => d !== "bool";
const bool = (d: DType): boolean => d === "bool";
const any = (): boolean => true;

const arithmetic = allSame(numeric, "numbers");
const integers = allSame(isInteger, "integers");
const bits = allSame((d) => isInteger(d) || d === "bool", "integers or bool");
const floats = allSame(isFloat, "floats");
const singles = allSame((d) => d === "f32", "f32");
const logical = allSame(bool, "bool");
const comparison = allSame(any, "scalars", "bool");

const binary = (rule: Rule, operator?: string): PrimRow => ({ rule, operands: ["a", "b"], attrs: [], effect: "none", ...(operator ? { operator } : {}) });
const unary = (rule: Rule, operator?: string): PrimRow => ({ rule, operands: ["x"], attrs: [], effect: "none", ...(operator ? { operator } : {}) });

const alternatives = allSame(any, "scalars");

const select: Rule = (args) => {
  const cond = args[0]?.type;
  if (cond === undefined || !isRegister(cond) || cond.dtype !== "bool") return "takes a bool condition first";
  const value = alternatives(args.slice(1), {});
  if (typeof value === "string" || !isRegister(value)) return value;
  return lanesOf(cond) === lanesOf(value) ? value : `mixes ${lanesOf(cond)} and ${lanesOf(value)} lanes`;
};

const cast: Rule = (args, { dtype }) => {
  const x = args[0]?.type;
  if (x === undefined || !isRegister(x)) return "takes a scalar or a vector";
  return dtype === undefined ? "needs a dtype" : withDType(x, dtype);
};

const bitcast: Rule = (args, { dtype }) => {
  const x = args[0]?.type;
  if (x === undefined || !isRegister(x)) return "takes a scalar or a vector";
  if (dtype === undefined) return "needs a dtype";
  return DTYPES[dtype].bits === DTYPES[x.dtype].bits && dtype !== "bool" ? withDType(x, dtype) : `cannot turn ${x.dtype} into ${dtype}: the widths differ`;
};

const splat: Rule = ([x], { lanes }) => (x?.type.kind === "Scalar" && lanes !== undefined ? vecType(x.type.dtype, lanes) : "takes a scalar and a number of lanes");

const lane: Rule = (args, { index }) => {
  const v = args[0]?.type;
  if (v?.kind !== "Vec" || index === undefined) return "takes a vector and a lane number";
  return index >= 0 && index < v.lanes ? scalarType(v.dtype) : `has no lane ${index} in ${v.lanes} lanes`;
};

const reduce: Rule = ([v], { kind }) => (v?.type.kind === "Vec" && kind !== undefined ? scalarType(v.type.dtype) : "takes a vector and a kind");

/** The buffer of a load or store, and the lanes of its mask, 0 without one. `values` operands stand behind the indices. */
function memory(args: readonly Typed[], attrs: PrimAttrs, values: number): { buffer: TensorType; lanes: number } | string {
  const buffer = args[0]?.type;
  if (buffer?.kind !== "Tensor") return "takes a buffer first";
  const mask = attrs.masked ? args[args.length - 1]?.type : undefined;
  const end = args.length - values - (attrs.masked ? 1 : 0);
  if (end - 1 !== buffer.shape.length) return `takes ${buffer.shape.length} indices here, not ${Math.max(0, end - 1)}`;
  for (let i = 1; i < end; i++) if (!isIndex(args[i])) return "takes index scalars as indices";
  if (attrs.masked && !(mask && isRegister(mask) && mask.dtype === "bool")) return "takes a bool mask";
  return { buffer, lanes: mask && isRegister(mask) ? lanesOf(mask) : 0 };
}

const isIndex = (x: Typed | undefined): boolean => x?.type.kind === "Scalar" && sameDType(x.type.dtype, "index");

const load: Rule = (args, attrs) => {
  const found = memory(args, attrs, 0);
  if (typeof found === "string") return found;
  const lanes = attrs.lanes ?? 1;
  if (attrs.masked && found.lanes !== lanes) return `has a mask of ${found.lanes} lanes for ${lanes}`;
  return lanes === 1 ? scalarType(found.buffer.dtype) : vecType(found.buffer.dtype, lanes);
};

const store: Rule = (args, attrs) => {
  const found = memory(args, attrs, 1);
  if (typeof found === "string") return found;
  const value = args[args.length - (attrs.masked ? 2 : 1)]?.type;
  if (value === undefined || !isRegister(value)) return "takes a scalar or a vector as value";
  if (!sameDType(value.dtype, found.buffer.dtype)) return `puts ${value.dtype} into a buffer of ${found.buffer.dtype}`;
  if (attrs.masked && found.lanes !== lanesOf(value)) return `has a mask of ${found.lanes} lanes for ${lanesOf(value)}`;
  return UNIT;
};

const barrier: Rule = (_args, { level }) => (level === undefined ? "needs a level" : UNIT);

const allocTensor: Rule = (_args, { type }) => type ?? "needs a shape, a dtype and a space";

export const PRIMS = {
  add: binary(arithmetic, "+"),
  sub: binary(arithmetic, "-"),
  mul: binary(arithmetic, "*"),
  /** Float division; integers divide with `floordiv`. */
  div: binary(floats, "/"),
  /** Rounds toward negative infinity; by zero gives 0. */
  floordiv: binary(integers, "//"),
  /** Sign of the divisor; by zero gives the dividend. */
  mod: binary(integers, "%"),
  bitand: binary(bits, "&"),
  bitor: binary(bits, "|"),
  bitxor: binary(bits, "^"),
  /** Amounts are taken modulo the width. */
  shl: binary(integers, "<<"),
  /** Arithmetic on signed, logical on unsigned. */
  shr: binary(integers, ">>"),
  and: binary(logical, "and"),
  or: binary(logical, "or"),
  eq: binary(comparison, "=="),
  ne: binary(comparison, "!="),
  lt: binary(comparison, "<"),
  le: binary(comparison, "<="),
  gt: binary(comparison, ">"),
  ge: binary(comparison, ">="),
  /** NaN from either side; max(-0.0, 0.0) is 0.0. */
  max: binary(arithmetic),
  min: binary(arithmetic),
  neg: unary(arithmetic, "-"),
  invert: unary(integers, "~"),
  not: unary(logical, "not"),
  abs: unary(arithmetic),
  sqrt: unary(floats),
  floor: unary(floats),
  ceil: unary(floats),
  /** Round to nearest, ties to even. */
  rint: unary(floats),
  select: { rule: select, operands: ["cond", "a", "b"], attrs: [], effect: "none" },
  cast: { rule: cast, operands: ["x"], attrs: ["dtype", "mode"], effect: "none" },
  bitcast: { rule: bitcast, operands: ["x"], attrs: ["dtype"], effect: "none" },
  /** a*b + c with one rounding, everywhere. */
  fma: { rule: floats, operands: ["a", "b", "c"], attrs: [], effect: "none" },
  /** a*b + c that a target may fuse or not, as its profile says. On integers exact. */
  mad: { rule: arithmetic, operands: ["a", "b", "c"], attrs: [], effect: "none" },
  // math functions: legal until expand-math
  exp: unary(floats),
  exp2: unary(floats),
  /** -inf of 0, NaN of what is negative. */
  log: unary(floats),
  log2: unary(floats),
  sin: unary(singles),
  cos: unary(singles),
  tanh: unary(floats),
  erf: unary(singles),
  splat: { rule: splat, operands: ["x"], attrs: ["lanes"], effect: "none" },
  lane: { rule: lane, operands: ["v"], attrs: ["index"], effect: "none" },
  /** Combines the lanes pairwise: lanes i and i + n/2 first, until one is left. */
  reduce: { rule: reduce, operands: ["v"], attrs: ["kind"], effect: "none" },
  alloc_tensor: { rule: allocTensor, operands: [], attrs: ["type", "offset"], effect: "alloc" },
  /** buffer, one index an axis, [mask]; a vector is `lanes` elements along the last axis; masked-off lanes read 0 and touch nothing. */
  load: { rule: load, operands: ["buffer", "index…"], attrs: ["lanes", "masked"], effect: "read" },
  /** buffer, one index an axis, value, [mask]. */
  store: { rule: store, operands: ["buffer", "index…", "value"], attrs: ["masked"], effect: "write" },
  /** Positions of the loops of the level, and of those inside them, meet: what one wrote before, all see behind. Legal until split-at-barriers. */
  barrier: { rule: barrier, operands: [], attrs: ["level"], effect: "write" },
} as const satisfies Readonly<Record<PrimOp, PrimRow>>;

/** Math functions, which expand-math turns into the other primitives. */
export const MATH_PRIMS = ["exp", "exp2", "log", "log2", "sin", "cos", "tanh", "erf"] as const satisfies readonly PrimOp[];
export type MathPrim = (typeof MATH_PRIMS)[number];

/** One row for every math function, for tables that do not tell them apart. */
export const forMath = <T>(row: T): Readonly<Record<MathPrim, T>> =>
  Object.fromEntries(MATH_PRIMS.map((op) => [op, row])) as Record<MathPrim, T>; // Object.fromEntries forgets the key type

export function primRow(op: PrimOp): PrimRow {
  return PRIMS[op];
}

