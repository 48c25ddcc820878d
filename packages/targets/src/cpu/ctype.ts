// C types of the IR's registers, and literals.

import { DTYPES, isFloat, type Const, type DType } from "@tilefoundry/ir";

interface CType {
  /** Type of a scalar in a register. */
  readonly scalar: string;
  /** Type of an element in memory. */
  readonly stored: string;
  /** Unsigned type in which arithmetic wraps. */
  readonly wrap: string;
  readonly min: string;
  readonly max: string;
}

export const CTYPES = {
  f32: { scalar: "float", stored: "float", wrap: "", min: "-FLT_MAX", max: "FLT_MAX" },
  f64: { scalar: "double", stored: "double", wrap: "", min: "-DBL_MAX", max: "DBL_MAX" },
  i8: { scalar: "int8_t", stored: "int8_t", wrap: "uint32_t", min: "INT8_MIN", max: "INT8_MAX" },
  i16: { scalar: "int16_t", stored: "int16_t", wrap: "uint32_t", min: "INT16_MIN", max: "INT16_MAX" },
  i32: { scalar: "int32_t", stored: "int32_t", wrap: "uint32_t", min: "INT32_MIN", max: "INT32_MAX" },
  u32: { scalar: "uint32_t", stored: "uint32_t", wrap: "uint32_t", min: "0", max: "UINT32_MAX" },
  u8: { scalar: "uint8_t", stored: "uint8_t", wrap: "uint32_t", min: "0", max: "UINT8_MAX" },
  u16: { scalar: "uint16_t", stored: "uint16_t", wrap: "uint32_t", min: "0", max: "UINT16_MAX" },
  u64: { scalar: "uint64_t", stored: "uint64_t", wrap: "uint64_t", min: "0", max: "UINT64_MAX" },
  i64: { scalar: "int64_t", stored: "int64_t", wrap: "uint64_t", min: "INT64_MIN", max: "INT64_MAX" },
  index: { scalar: "int64_t", stored: "int64_t", wrap: "uint64_t", min: "INT64_MIN", max: "INT64_MAX" },
  bool: { scalar: "bool", stored: "uint8_t", wrap: "uint32_t", min: "0", max: "1" },
} as const satisfies Readonly<Record<DType, CType>>;

/** Element of a vector of the dtype: `index` computes as `i64`, a mask as the integer of its width. */
export type VecElement = Exclude<DType, "index" | "bool">;

export function vecElement(d: DType): VecElement {
  return d === "index" ? "i64" : d === "bool" ? "i32" : d;
}

/** Name of the typedef of a vector, as in `tf_f32x4`. */
export const vecName = (element: VecElement, lanes: number): string => `tf_${element}x${lanes}`;

export const vecScalar = (element: VecElement): string => CTYPES[element].stored;
export const vecBytes = (element: VecElement): number => DTYPES[element].bytes;

/** Signed integer element as wide as `bits`: what comparisons of such lanes give. */
export function maskElement(bits: number): VecElement {
  return bits === 64 ? "i64" : bits === 16 ? "i16" : bits === 8 ? "i8" : "i32";
}

/** The unsigned integer element of that width, in which arithmetic wraps. */
export function unsignedElement(bits: number): VecElement {
  return bits === 64 ? "u64" : bits === 16 ? "u16" : bits === 8 ? "u8" : "u32";
}

/** A literal of a scalar type. */
export function literal(value: Const["value"], d: DType): string {
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "bigint") return integerLiteral(value, d);
  return floatLiteral(value, isFloat(d) && d === "f32");
}

function integerLiteral(value: bigint, d: DType): string {
  if (d === "u32") return `${value}u`;
  if (d === "u64") return value < 2n ** 31n ? `${value}u` : `UINT64_C(${value})`;
  if (DTYPES[d].bits < 32) return `${value}`;
  if (d === "i32") return value === -(2n ** 31n) ? "INT32_MIN" : `${value}`;
  if (value === -(2n ** 63n)) return "INT64_MIN";
  return value >= -(2n ** 31n) + 1n && value < 2n ** 31n ? `${value}` : `INT64_C(${value})`;
}

function floatLiteral(value: number, single: boolean): string {
  if (Number.isNaN(value)) return single ? "NAN" : "(double)NAN";
  if (!Number.isFinite(value)) return `${value < 0 ? "-" : ""}${single ? "INFINITY" : "(double)INFINITY"}`;
  const digits = Object.is(value, -0) ? "-0.0" : single ? shortestSingle(value) : String(value);
  const written = /[.e]/.test(digits) ? digits : `${digits}.0`;
  return single ? `${written}f` : written;
}

/** The shortest decimal that rounds to the same f32. */
export function shortestSingle(value: number): string {
  for (let precision = 1; precision < 9; precision++) {
    const digits = Number(value.toPrecision(precision));
    if (Math.fround(digits) === value) return String(digits);
  }
  return String(Number(value.toPrecision(9)));
}
