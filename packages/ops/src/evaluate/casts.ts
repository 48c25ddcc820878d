// Conversions between dtypes, and reinterpretation of bits. Float to integer rounds by the mode and clamps, NaN gives 0; integer
// to integer keeps the low bits; integer to float rounds once; to bool is `x != 0`.

import { DTYPES, isFloat, type CastMode, type DType } from "@tilefoundry/ir";
import { canonical, type Scalar } from "./values.ts";

type Convert = (x: Scalar) => Scalar;

/** The conversion of a value of one dtype to another. */
export function castFunction(from: DType, to: DType, mode: CastMode | "odd" = "trunc"): Convert {
  if (from === "bool") return fromBool(to);
  if (to === "bool") return (x) => x !== 0;
  if (isFloat(to)) return to === "f64" ? Number : isFloat(from) ? (x) => Math.fround(Number(x)) : roundedOnce;
  return isFloat(from) ? floatToInteger(to, ROUND[mode]) : LOW_BITS[to];
}

const fromBool = (to: DType): Convert => (to === "bool" ? (x) => x : (x) => (x === true ? 1 : 0));

/**
 * Integer to f32. A bigint has up to 64 bits; those that f64 could not hold are folded into its last bit, which keeps the second
 * rounding right.
 */
function roundedOnce(x: Scalar): number {
  if (typeof x !== "bigint") return Math.fround(Number(x));
  const sticky = (x & 0x7ffn) === 0n ? 0n : 0x800n;
  return Math.fround(Number(((x >> 11n) << 11n) | sticky));
}

/** Round to nearest, ties to even. */
export function rint(x: number): number {
  const magnitude = Math.abs(x);
  if (!(magnitude < 4503599627370496)) return x; // from 2**52 on every double is whole; NaN comes here too
  const rounded = magnitude + 4503599627370496 - 4503599627370496;
  return x < 0 || Object.is(x, -0) ? -rounded : rounded;
}

function roundAwayFromZero(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

/** The number itself if it is whole, else the odd one of both neighbours. */
function roundToOdd(x: number): number {
  const below = Math.floor(x);
  return below === x || below % 2 !== 0 ? below : below + 1;
}

const ROUND = { trunc: Math.trunc, floor: Math.floor, ceil: Math.ceil, rint, round: roundAwayFromZero, odd: roundToOdd } as const satisfies Readonly<
  Record<CastMode | "odd", (x: number) => number>
>;

function floatToInteger(to: DType, round: (x: number) => number): Convert {
  const { kind, bits } = DTYPES[to];
  if (bits === 64) return kind === "uint" ? (x) => wholeToU64(round(Number(x))) : (x) => wholeToI64(round(Number(x)));
  const least = kind === "uint" ? 0 : -(2 ** (bits - 1));
  const most = kind === "uint" ? 2 ** bits - 1 : 2 ** (bits - 1) - 1;
  return (x) => {
    const whole = round(Number(x));
    return whole > least ? (whole < most ? whole + 0 : most) : whole <= least ? least : 0; // `+ 0` turns -0 into 0; NaN fails both tests
  };
}

const TWO_63 = 9223372036854775808;

function wholeToI64(whole: number): number | bigint {
  if (Number.isSafeInteger(whole)) return whole + 0;
  if (whole !== whole) return 0;
  if (whole >= TWO_63) return 9223372036854775807n;
  return whole <= -TWO_63 ? -9223372036854775808n : BigInt(whole);
}

function wholeToU64(whole: number): number | bigint {
  if (!(whole > 0)) return 0; // NaN too
  if (whole >= 2 * TWO_63) return 18446744073709551615n;
  return Number.isSafeInteger(whole) ? whole : BigInt(whole);
}

const wide = (x: Scalar): Scalar => (typeof x === "bigint" ? canonical(BigInt.asIntN(64, x)) : x);

const unsignedWide = (x: Scalar): Scalar => (typeof x === "bigint" || Number(x) < 0 ? canonical(BigInt.asUintN(64, BigInt(x))) : x);

/** The low 32 bits of any integer. JavaScript's bit operations take numbers modulo 2**32, which is exact for safe integers. */
const low32 = (x: Scalar): number => (typeof x === "bigint" ? Number(BigInt.asIntN(32, x)) : Number(x) | 0);

const LOW_BITS = {
  i8: (x) => (low32(x) << 24) >> 24,
  i16: (x) => (low32(x) << 16) >> 16,
  i32: low32,
  u8: (x) => low32(x) & 255,
  u16: (x) => low32(x) & 65535,
  u32: (x) => low32(x) >>> 0,
  u64: unsignedWide,
  i64: wide,
  index: wide,
  bool: (x) => x !== 0,
  f32: roundedOnce,
  f64: Number,
} as const satisfies Readonly<Record<DType, Convert>>;

// — bits —

const buffer = new ArrayBuffer(8);
const VIEW = {
  f32: new Float32Array(buffer),
  f64: new Float64Array(buffer),
  i8: new Int8Array(buffer),
  i16: new Int16Array(buffer),
  i32: new Int32Array(buffer),
  u8: new Uint8Array(buffer),
  u16: new Uint16Array(buffer),
  u32: new Uint32Array(buffer),
  bool: new Uint8Array(buffer),
} as const;
const WIDE_VIEW = { i64: new BigInt64Array(buffer), index: new BigInt64Array(buffer), u64: new BigUint64Array(buffer) } as const;

type Narrow = keyof typeof VIEW;
const isWide = (d: DType): d is keyof typeof WIDE_VIEW => Object.hasOwn(WIDE_VIEW, d);

/** The same bits as another dtype of the same width. */
export function bitcastFunction(from: DType, to: DType): Convert {
  const write: (x: Scalar) => void = isWide(from) ? (x) => void (WIDE_VIEW[from][0] = BigInt(x)) : writeTo(VIEW[from]);
  const read: () => Scalar = isWide(to) ? () => canonical(WIDE_VIEW[to][0] ?? 0n) : readFrom(VIEW[to]);
  return (x) => {
    write(x);
    return read();
  };
}

/** NaN is one value here, so it has one pattern: the literal's. */
const writeTo = (view: (typeof VIEW)[Narrow]) => (x: Scalar): void => void (view[0] = x !== x ? NaN : Number(x));
const readFrom = (view: (typeof VIEW)[Narrow]) => (): Scalar => view[0] ?? 0;
