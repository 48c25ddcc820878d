// 64-bit wrapping integers in their one form: a number while it is safe, else a bigint. Every op tries numbers first.

import { canonical } from "./values.ts";

export type Int64 = number | bigint;

const MOST = Number.MAX_SAFE_INTEGER;

const wrap = (exact: bigint): Int64 => canonical(BigInt.asIntN(64, exact));

const isInt32 = (x: Int64): x is number => typeof x === "number" && (x | 0) === x;

function add(a: Int64, b: Int64): Int64 {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (sum <= MOST && sum >= -MOST) return sum;
  }
  return wrap(BigInt(a) + BigInt(b));
}

function sub(a: Int64, b: Int64): Int64 {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (difference <= MOST && difference >= -MOST) return difference;
  }
  return wrap(BigInt(a) - BigInt(b));
}

function mul(a: Int64, b: Int64): Int64 {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (product <= MOST && product >= -MOST) return product + 0; // no -0
  }
  return wrap(BigInt(a) * BigInt(b));
}

/** The quotient of two safe integers rounds to no whole number it does not reach, so its floor is exact. */
function floordiv(a: Int64, b: Int64): Int64 {
  if (typeof a === "number" && typeof b === "number") return b === 0 ? 0 : Math.floor(a / b) + 0;
  const [x, y] = [BigInt(a), BigInt(b)];
  if (y === 0n) return 0;
  const quotient = x / y;
  return wrap(quotient * y !== x && x < 0n !== y < 0n ? quotient - 1n : quotient);
}

function mod(a: Int64, b: Int64): Int64 {
  if (typeof a === "number" && typeof b === "number") {
    if (b === 0) return a;
    const rest = a % b;
    return (rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest) + 0;
  }
  const [x, y] = [BigInt(a), BigInt(b)];
  if (y === 0n) return a;
  const rest = x % y;
  return wrap(rest !== 0n && rest < 0n !== y < 0n ? rest + y : rest);
}

const bitand = (a: Int64, b: Int64): Int64 => (isInt32(a) && isInt32(b) ? a & b : wrap(BigInt(a) & BigInt(b)));
const bitor = (a: Int64, b: Int64): Int64 => (isInt32(a) && isInt32(b) ? a | b : wrap(BigInt(a) | BigInt(b)));
const bitxor = (a: Int64, b: Int64): Int64 => (isInt32(a) && isInt32(b) ? a ^ b : wrap(BigInt(a) ^ BigInt(b)));

/** A shift amount modulo 64. */
const amountOf = (b: Int64): number => (typeof b === "number" ? b & 63 : Number(b & 63n));

function shl(a: Int64, b: Int64): Int64 {
  const amount = amountOf(b);
  if (typeof a === "number") {
    const shifted = a * 2 ** amount;
    if (shifted <= MOST && shifted >= -MOST) return shifted;
  }
  return wrap(BigInt(a) << BigInt(amount));
}

function shr(a: Int64, b: Int64): Int64 {
  const amount = amountOf(b);
  return typeof a === "number" ? Math.floor(a / 2 ** amount) : canonical(a >> BigInt(amount));
}

const neg = (a: Int64): Int64 => (typeof a === "number" ? 0 - a : wrap(-a));
const abs = (a: Int64): Int64 => (a < 0 ? neg(a) : a);
const invert = (a: Int64): Int64 => sub(-1, a);
const mad = (a: Int64, b: Int64, c: Int64): Int64 => add(mul(a, b), c);

export const INT64 = {
  add, sub, mul, floordiv, mod, bitand, bitor, bitxor, shl, shr, neg, abs, invert, mad,
  max: (a: Int64, b: Int64): Int64 => (a > b ? a : b),
  min: (a: Int64, b: Int64): Int64 => (a < b ? a : b),
  eq: (a: Int64, b: Int64): boolean => a === b,
  ne: (a: Int64, b: Int64): boolean => a !== b,
  lt: (a: Int64, b: Int64): boolean => a < b,
  le: (a: Int64, b: Int64): boolean => a <= b,
  gt: (a: Int64, b: Int64): boolean => a > b,
  ge: (a: Int64, b: Int64): boolean => a >= b,
  select: (condition: boolean, a: Int64, b: Int64): Int64 => (condition ? a : b),
} as const;
