// Element types as typed arrays, and values of JavaScript as elements.

import { DTYPES, isFloat, type DType } from "@tilefoundry/ir";

export type ElementData = Float32Array | Float64Array | Int32Array | Uint32Array | Uint8Array | BigInt64Array;

/** An element as JavaScript has it: `i64` and `index` are bigints in arrays, but numbers are taken for them too. */
export type Element = number | bigint | boolean;

type Maker = (buffer: ArrayBuffer, offset: number, length: number) => ElementData;

const VIEWS = {
  f32: (b, o, n) => new Float32Array(b, o, n),
  f64: (b, o, n) => new Float64Array(b, o, n),
  i32: (b, o, n) => new Int32Array(b, o, n),
  u32: (b, o, n) => new Uint32Array(b, o, n),
  u8: (b, o, n) => new Uint8Array(b, o, n),
  bool: (b, o, n) => new Uint8Array(b, o, n),
  i64: (b, o, n) => new BigInt64Array(b, o, n),
  index: (b, o, n) => new BigInt64Array(b, o, n),
} as const satisfies Readonly<Record<DType, Maker>>;

export const viewOf = (dtype: DType, buffer: ArrayBuffer, offset: number, length: number): ElementData => VIEWS[dtype](buffer, offset, length);

export const zeros = (dtype: DType, length: number): ElementData => viewOf(dtype, new ArrayBuffer(length * DTYPES[dtype].bytes), 0, length);

/** The dtype whose arrays are of this kind; bytes are `u8`. */
export function dtypeOfData(data: ElementData): DType {
  if (data instanceof Float32Array) return "f32";
  if (data instanceof Float64Array) return "f64";
  if (data instanceof Int32Array) return "i32";
  if (data instanceof Uint32Array) return "u32";
  return data instanceof BigInt64Array ? "i64" : "u8";
}

/** Whether arrays of both dtypes hold their elements alike: bytes for `u8` and `bool`, 64-bit integers for `i64` and `index`. */
export const sameStorage = (a: DType, b: DType): boolean => storageOf(a) === storageOf(b);

function storageOf(d: DType): DType {
  return d === "bool" ? "u8" : d === "index" ? "i64" : d;
}

export function isElementData(value: unknown): value is ElementData {
  return (
    value instanceof Float32Array || value instanceof Float64Array || value instanceof Int32Array ||
    value instanceof Uint32Array || value instanceof Uint8Array || value instanceof BigInt64Array
  );
}

/** The element that a value of JavaScript is in a dtype, or why it is none, as the end of a sentence. */
export function toElement(value: unknown, dtype: DType): number | bigint | { readonly fault: string } {
  if (dtype === "bool") return typeof value === "boolean" || value === 0 || value === 1 ? Number(value) : { fault: "is no boolean" };
  if (isFloat(dtype)) return typeof value === "number" ? value : { fault: "is no number" };
  return toInteger(value, dtype);
}

function toInteger(value: unknown, dtype: DType): number | bigint | { readonly fault: string } {
  if (typeof value === "number" && !Number.isInteger(value)) return { fault: "is no integer" };
  if (typeof value !== "number" && typeof value !== "bigint") return { fault: "is no integer" };
  const { bits, kind } = DTYPES[dtype];
  const exact = BigInt(value);
  const [lo, hi] = kind === "int" ? [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1)] : [0n, 2n ** BigInt(bits)];
  if (exact < lo || exact >= hi) return { fault: `is outside ${dtype}` };
  return bits === 64 ? exact : Number(exact);
}
