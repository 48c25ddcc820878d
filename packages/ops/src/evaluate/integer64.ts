// 64-bit wrapping integers in their one form: a number while it is safe, else a bigint. Every op tries numbers first.

import { canonical } from "./values.ts";

export type Int64 = number | bigint;

const MOST = Number.MAX_SAFE_INTEGER;

const isInt32 = (x: Int64): x is number => typeof x === "number" && (x | 0) === x;

/** A shift amount modulo 64. */
const amountOf = (b: Int64): number => (typeof b === "number" ? b & 63 : Number(b & 63n));

/** The operations of 64-bit integers with or without sign. */
function integers64(isSigned: boolean) {
  const least = isSigned ? -MOST : 0;
  const wrap = isSigned ? (exact: bigint): Int64 => canonical(BigInt.asIntN(64, exact)) : (exact: bigint): Int64 => canonical(BigInt.asUintN(64, exact));
  const fits = (x: number): boolean => x <= MOST && x >= least;

  function add(a: Int64, b: Int64): Int64 {
    if (typeof a === "number" && typeof b === "number") {
      const sum = a + b;
      if (fits(sum)) return sum;
    }
    return wrap(BigInt(a) + BigInt(b));
  }

  function sub(a: Int64, b: Int64): Int64 {
    if (typeof a === "number" && typeof b === "number") {
      const difference = a - b;
      if (fits(difference)) return difference;
    }
    return wrap(BigInt(a) - BigInt(b));
  }

  function mul(a: Int64, b: Int64): Int64 {
    if (typeof a === "number" && typeof b === "number") {
      const product = a * b;
      if (fits(product)) return product + 0; // no -0
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

  function shl(a: Int64, b: Int64): Int64 {
    const amount = amountOf(b);
    if (typeof a === "number") {
      const shifted = a * 2 ** amount;
      if (fits(shifted)) return shifted;
    }
    return wrap(BigInt(a) << BigInt(amount));
  }

  function shr(a: Int64, b: Int64): Int64 {
    const amount = amountOf(b);
    return typeof a === "number" ? Math.floor(a / 2 ** amount) : canonical(a >> BigInt(amount));
  }

  const neg = (a: Int64): Int64 => sub(0, a);
  return {
    add, sub, mul, floordiv, mod, shl, shr, neg,
    bitand: (a: Int64, b: Int64): Int64 => (isInt32(a) && isInt32(b) ? a & b : wrap(BigInt(a) & BigInt(b))),
    bitor: (a: Int64, b: Int64): Int64 => (isInt32(a) && isInt32(b) ? a | b : wrap(BigInt(a) | BigInt(b))),
    bitxor: (a: Int64, b: Int64): Int64 => (isInt32(a) && isInt32(b) ? a ^ b : wrap(BigInt(a) ^ BigInt(b))),
    abs: (a: Int64): Int64 => (a < 0 ? neg(a) : a),
    invert: (a: Int64): Int64 => wrap(~BigInt(a)),
    mad: (a: Int64, b: Int64, c: Int64): Int64 => add(mul(a, b), c),
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
}

export const INT64 = integers64(true);
export const UINT64 = integers64(false);
