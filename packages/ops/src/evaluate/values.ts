// Values of the language at run time. Scalars: floats are numbers (f32 always rounded), integers of up to 32 bits are numbers, bool
// is boolean; 64-bit integers are a number while it is a safe integer, else a bigint, so that each value has one form.

import { numberConst, constant, scalarType, type Const, type DType } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";

export type Scalar = number | bigint | boolean;

/** Lanes of a vector. */
export type Vector = readonly Scalar[];

export type ElementData =
  | Float32Array | Float64Array | Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array | BigInt64Array | BigUint64Array;

export const isWideData = (data: ElementData): data is BigInt64Array | BigUint64Array => data instanceof BigInt64Array || data instanceof BigUint64Array;

/** A tensor or tile: contiguous, row-major. `valid` bounds the part that counts; a buffer's elements are written in place. */
export interface ArrayValue {
  readonly kind: "array";
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: ElementData;
  readonly valid: readonly number[];
}

export type Value = Scalar | Vector | ArrayValue;

/** What a call gives: a value, or the arrays of a tuple. */
export type Result = Value | readonly ArrayValue[];

export const isArrayValue = (v: Result): v is ArrayValue => typeof v === "object" && "kind" in v;

/** The one form of a 64-bit integer that is known to be in range. */
export function canonical(value: bigint): number | bigint {
  const near = Number(value);
  return Number.isSafeInteger(near) ? near : value;
}

const DATA = {
  f32: (n) => new Float32Array(n),
  f64: (n) => new Float64Array(n),
  i8: (n) => new Int8Array(n),
  i16: (n) => new Int16Array(n),
  i32: (n) => new Int32Array(n),
  u8: (n) => new Uint8Array(n),
  u16: (n) => new Uint16Array(n),
  u32: (n) => new Uint32Array(n),
  u64: (n) => new BigUint64Array(n),
  bool: (n) => new Uint8Array(n),
  i64: (n) => new BigInt64Array(n),
  index: (n) => new BigInt64Array(n),
} as const satisfies Readonly<Record<DType, (n: number) => ElementData>>;

/** Storage for `n` elements, zeros. */
export const allocate = (dtype: DType, n: number): ElementData => DATA[dtype](n);

export const sizeOf = (shape: readonly number[]): number => shape.reduce((n, d) => n * d, 1);

/** An array of zeros. */
export function zeros(dtype: DType, shape: readonly number[], valid: readonly number[] = shape): ArrayValue {
  return { kind: "array", dtype, shape, data: allocate(dtype, sizeOf(shape)), valid };
}

/** An array with these elements in row-major order. */
export function arrayOf(dtype: DType, shape: readonly number[], elements: readonly Scalar[], valid: readonly number[] = shape): ArrayValue {
  const array = zeros(dtype, shape, valid);
  const put = putter(array);
  for (const [i, element] of elements.entries()) put(i, element);
  return array;
}

/** Reads the element at a flat position. */
export function getter({ dtype, data }: ArrayValue): (at: number) => Scalar {
  if (isWideData(data)) return (at) => canonical(data[at] ?? 0n);
  if (dtype === "bool") return (at) => data[at] !== 0;
  return (at) => data[at] ?? 0;
}

/** Writes the element at a flat position; the value is one of the array's dtype. */
export function putter({ data }: ArrayValue): (at: number, value: Scalar) => void {
  if (isWideData(data)) return (at, value) => void (data[at] = BigInt(value));
  return (at, value) => void (data[at] = Number(value));
}

/** The elements in row-major order. */
export function elementsOf(array: ArrayValue): readonly Scalar[] {
  const get = getter(array);
  return Array.from({ length: array.data.length }, (_, i) => get(i));
}

// — literals —

/** The value of a literal; of a vector literal, that of each lane. */
export function scalarOfConst(literal: Const): Scalar {
  const { value } = literal;
  return typeof value === "bigint" ? canonical(value) : value;
}

/** The literal of a value. */
export function constOfScalar(value: Scalar, dtype: DType): Const {
  if (typeof value === "boolean" || typeof value === "bigint") return constant(value, scalarType(dtype));
  invariant(dtype !== "bool", () => "a number as a truth value");
  return numberConst(value, dtype);
}
