// Element types as typed arrays, and values of JavaScript as elements.

import { DTYPES, isFloat, type DType } from "@tilefoundry/ir";

export type ElementData =
  | Float32Array | Float64Array | Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array | BigInt64Array | BigUint64Array;

export const isWideData = (data: ElementData): data is BigInt64Array | BigUint64Array => data instanceof BigInt64Array || data instanceof BigUint64Array;

/** An element as JavaScript has it: 64-bit integers are bigints in arrays, but numbers are taken for them too. */
export type Element = number | bigint | boolean;

type Maker = (buffer: ArrayBuffer, offset: number, length: number) => ElementData;

const VIEWS = {
  f32: (b, o, n) => new Float32Array(b, o, n),
  f64: (b, o, n) => new Float64Array(b, o, n),
  i8: (b, o, n) => new Int8Array(b, o, n),
  i16: (b, o, n) => new Int16Array(b, o, n),
  i32: (b, o, n) => new Int32Array(b, o, n),
  u8: (b, o, n) => new Uint8Array(b, o, n),
  u16: (b, o, n) => new Uint16Array(b, o, n),
  u32: (b, o, n) => new Uint32Array(b, o, n),
  u64: (b, o, n) => new BigUint64Array(b, o, n),
  bool: (b, o, n) => new Uint8Array(b, o, n),
  i64: (b, o, n) => new BigInt64Array(b, o, n),
  index: (b, o, n) => new BigInt64Array(b, o, n),
} as const satisfies Readonly<Record<DType, Maker>>;

export const viewOf = (dtype: DType, buffer: ArrayBuffer, offset: number, length: number): ElementData => VIEWS[dtype](buffer, offset, length);

export const zeros = (dtype: DType, length: number): ElementData => viewOf(dtype, new ArrayBuffer(length * DTYPES[dtype].bytes), 0, length);

/** The dtype whose arrays are of this kind; bytes are `u8`. */
export function dtypeOfData(data: ElementData): DType {
  return OF_CLASS.get(data.constructor) ?? "u8";
}

const OF_CLASS: ReadonlyMap<unknown, DType> = new Map<unknown, DType>([
  [Float32Array, "f32"], [Float64Array, "f64"], [Int8Array, "i8"], [Int16Array, "i16"], [Int32Array, "i32"], [Uint8Array, "u8"], [Uint16Array, "u16"],
  [Uint32Array, "u32"], [BigInt64Array, "i64"], [BigUint64Array, "u64"],
]);

/** Whether arrays of both dtypes hold their elements alike: bytes for `u8` and `bool`, 64-bit integers for `i64` and `index`. */
export const sameStorage = (a: DType, b: DType): boolean => storageOf(a) === storageOf(b);

function storageOf(d: DType): DType {
  return d === "bool" ? "u8" : d === "index" ? "i64" : d;
}

export function isElementData(value: unknown): value is ElementData {
  return ArrayBuffer.isView(value) && (OF_CLASS.has(value.constructor) || value instanceof Uint8Array); // a Buffer of Node is bytes
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
