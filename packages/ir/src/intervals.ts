// Intervals of integers: what a primitive gives for operands that lie in intervals. A result that could leave its dtype wraps, and
// nothing is known of it then.

import { DTYPE_NAMES, DTYPES, isInteger, isSigned, type DType } from "./dtypes.ts";
import type { Expr, Prim } from "./nodes.ts";

/** Inclusive. Ends beyond ±2^53, where numbers are not exact, are pushed outward a little; infinite where nothing is known. */
export interface Interval {
  readonly lo: number;
  readonly hi: number;
}

export const ANY_INTEGER: Interval = { lo: -Infinity, hi: Infinity };

export const isNonNegative = ({ lo }: Interval): boolean => lo >= 0;
export const isWithin = (inner: Interval, outer: Interval): boolean => inner.lo >= outer.lo && inner.hi <= outer.hi;
export const point = (value: number): Interval => ({ lo: value, hi: value });

/** All values of an integer dtype. */
export const dtypeInterval = (d: DType): Interval => WHOLE[d];

function wholeOf(d: DType): Interval {
  const { bits } = DTYPES[d];
  if (bits > 53) return isSigned(d) ? ANY_INTEGER : { lo: 0, hi: Infinity };
  return isSigned(d) ? { lo: -(2 ** (bits - 1)), hi: 2 ** (bits - 1) - 1 } : { lo: 0, hi: 2 ** bits - 1 };
}

/** Asked for with every value, and made once. */
const WHOLE = Object.fromEntries(DTYPE_NAMES.map((d) => [d, wholeOf(d)])) as Readonly<Record<DType, Interval>>; // one entry a name

export const literalInterval = (value: bigint): Interval => outward(Number(value), Number(value));

/** The values of 64 bits with sign, as far as numbers tell them from larger ones. */
const INT64: Interval = { lo: -(2 ** 63), hi: 2 ** 63 - 1024 };

/** The part of a dtype's values in which a result is known not to have wrapped. */
const unwrapped = ({ lo, hi }: Interval): Interval => ({ lo: Math.max(lo, INT64.lo), hi: Math.min(hi, INT64.hi) });

/** Interval of the result from those of the operands, or undefined where nothing is known; `whole` is that of the result's dtype. */
export function primInterval(p: Prim, intervalOf: (operand: Expr) => Interval, whole: Interval): Interval | undefined {
  const [x, y, z] = p.args;
  const a = x === undefined ? ANY_INTEGER : intervalOf(x);
  const b = y === undefined ? ANY_INTEGER : intervalOf(y);
  const c = z === undefined ? ANY_INTEGER : intervalOf(z);
  const found = wrappingInterval(p, a, b);
  if (found !== undefined) return isWithin(found, unwrapped(whole)) ? found : undefined;
  switch (p.op) {
    case "min": return { lo: Math.min(a.lo, b.lo), hi: Math.min(a.hi, b.hi) };
    case "max": return { lo: Math.max(a.lo, b.lo), hi: Math.max(a.hi, b.hi) };
    case "floordiv": return quotient(a, b);
    case "mod": return remainder(a, b);
    case "bitand": return a.lo < 0 && b.lo < 0 ? undefined : { lo: 0, hi: Math.min(a.lo < 0 ? Infinity : a.hi, b.lo < 0 ? Infinity : b.hi) };
    case "shr": return a.lo >= 0 ? { lo: 0, hi: a.hi } : undefined;
    case "select": return { lo: Math.min(b.lo, c.lo), hi: Math.max(b.hi, c.hi) };
    case "cast": return castInterval(p.args[0], a, whole);
    default: return undefined;
  }
}

/** Interval of the mathematical result of a primitive that may leave the dtype although its operands do not. */
function wrappingInterval({ op }: Prim, a: Interval, b: Interval): Interval | undefined {
  switch (op) {
    case "add": return outward(a.lo + b.lo, a.hi + b.hi);
    case "sub": return outward(a.lo - b.hi, a.hi - b.lo);
    case "mul": return product(a, b);
    case "neg": return outward(-a.hi, -a.lo);
    case "abs": return outward(Math.max(0, a.lo, -a.hi), Math.max(Math.abs(a.lo), Math.abs(a.hi)));
    default: return undefined;
  }
}

function castInterval(x: Expr | undefined, a: Interval, whole: Interval): Interval | undefined {
  if (x?.type.kind !== "Scalar") return undefined;
  if (x.type.dtype === "bool") return { lo: 0, hi: 1 };
  // the upper half of u64 is negative with a sign
  return isInteger(x.type.dtype) && isWithin(a, x.type.dtype === "u64" ? unwrapped(whole) : whole) ? a : undefined;
}

/** Ends that may have been rounded move away from each other, by more than the rounding. */
function outward(lo: number, hi: number): Interval {
  return { lo: Number.isNaN(lo) ? -Infinity : lo - slack(lo), hi: Number.isNaN(hi) ? Infinity : hi + slack(hi) };
}

const slack = (end: number): number => (Number.isSafeInteger(end) || !Number.isFinite(end) ? 0 : Math.abs(end) * 2 ** -50);

function product(a: Interval, b: Interval): Interval {
  const [ll, lh, hl, hh] = [times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)];
  return outward(Math.min(ll, lh, hl, hh), Math.max(ll, lh, hl, hh));
}

/** 0 times an infinite end is 0. */
const times = (x: number, y: number): number => (x === 0 || y === 0 ? 0 : x * y);

/** Floor division by what is not negative; by zero gives 0. */
function quotient(a: Interval, b: Interval): Interval | undefined {
  if (b.lo < 0) return undefined;
  const least = Math.max(b.lo, 1);
  const lo = a.lo >= 0 ? (b.lo === 0 || b.hi === Infinity ? 0 : Math.floor(a.lo / b.hi)) : Math.floor(a.lo / least);
  return { lo: b.lo === 0 ? Math.min(0, lo) : lo, hi: a.hi >= 0 ? Math.floor(a.hi / least) : 0 };
}

/** Sign of the divisor; by zero gives the dividend. */
function remainder(a: Interval, b: Interval): Interval | undefined {
  if (b.lo < 0) return undefined;
  const byPositive = { lo: 0, hi: a.lo >= 0 ? Math.min(a.hi, b.hi - 1) : b.hi - 1 };
  return b.lo > 0 ? byPositive : { lo: Math.min(0, a.lo), hi: Math.max(byPositive.hi, a.hi) };
}
