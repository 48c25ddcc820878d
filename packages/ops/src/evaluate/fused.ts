// Multiply-add with one rounding. f32: the product is exact in f64, and the sum is rounded to odd there, so that rounding it again
// to f32 is right (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008). f64: exact integer arithmetic.

const float = new Float64Array(1);
const bits = new BigInt64Array(float.buffer);
const words = new Int32Array(float.buffer);

export function fmaF32(a: number, b: number, c: number): number {
  const product = a * b;
  const sum = product + c;
  const head = sum - product;
  const error = product - (sum - head) + (c - head);
  return Math.fround(error === 0 || error !== error ? sum : roundToOdd(sum, error));
}

/** The neighbour of an inexact sum that has an odd significand; `error` is what the sum lacks. */
function roundToOdd(sum: number, error: number): number {
  float[0] = sum;
  if (((words[0] ?? 0) & 1) === 0) bits[0] = (bits[0] ?? 0n) + (sum > 0 === error > 0 ? 1n : -1n);
  return float[0];
}

export function fmaF64(a: number, b: number, c: number): number {
  if (!Number.isFinite(a) || !Number.isFinite(b) || !Number.isFinite(c)) return a * b + c;
  if (a === 0 || b === 0) return a * b + c;
  if (c === 0) return withZero(a, b, c);
  const x = decompose(a);
  const y = decompose(b);
  const z = decompose(c);
  const exponent = Math.min(x.exponent + y.exponent, z.exponent);
  const product = (x.significand * y.significand) << BigInt(x.exponent + y.exponent - exponent);
  const total = product + (z.significand << BigInt(z.exponent - exponent));
  return compose(total, exponent);
}

/** A non-zero product plus a zero is the rounded product, which keeps its sign where it underflows to zero. */
function withZero(a: number, b: number, c: number): number {
  const product = a * b;
  return product === 0 ? product : product + c;
}

/** A finite non-zero number as an integer times a power of two. */
function decompose(value: number): { readonly significand: bigint; readonly exponent: number } {
  float[0] = value;
  const word = bits[0] ?? 0n;
  const biased = Number((word >> 52n) & 0x7ffn);
  const fraction = word & 0xfffffffffffffn;
  const magnitude = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return { significand: word < 0n ? -magnitude : magnitude, exponent: Math.max(biased, 1) - 1075 };
}

const LEAST_EXPONENT = -1074;

/** The double nearest to an integer times a power of two, ties to even. */
function compose(significand: bigint, exponent: number): number {
  if (significand === 0n) return 0;
  const negative = significand < 0n;
  const magnitude = negative ? -significand : significand;
  const length = magnitude.toString(2).length;
  const drop = Math.max(length - 53, LEAST_EXPONENT - exponent);
  const rounded = drop <= 0 ? magnitude : shiftRounding(magnitude, BigInt(drop));
  const result = scale(Number(rounded), exponent + Math.max(drop, 0));
  return negative ? -result : result;
}

/** `magnitude / 2**drop`, ties to even. */
function shiftRounding(magnitude: bigint, drop: bigint): bigint {
  const quotient = magnitude >> drop;
  const twice = (magnitude - (quotient << drop)) << 1n;
  const one = 1n << drop;
  const up = twice > one || (twice === one && (quotient & 1n) === 1n);
  return up ? quotient + 1n : quotient;
}

/** `value * 2**exponent` where the result is exact or infinite; in two steps, since a power of two alone may overflow. */
function scale(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value * 2 ** half * 2 ** (exponent - half);
}
