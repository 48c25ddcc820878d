// Typed arrays, nested arrays and numbers as an NdArray.

import { DTYPES, shapeText, type DType } from "@tilefoundry/ir";
import { diagnostic, type Diagnostic, type Outcome } from "@tilefoundry/text";
import { dtypeOfData, isElementData, sameStorage, toElement, type Element, type ElementData } from "./elements.ts";
import { copyElements, NdArray, sizeOf } from "./nd-array.ts";

/** Nested lists, all of one length on each level. */
export type Nested = Element | readonly Nested[];

export interface ArrayOptions {
  readonly shape?: readonly number[];
  /** Default: that of the typed array; for nested arrays `bool`, `f32` or, for bigints, `i64`. */
  readonly dtype?: DType;
}

/** An array with a copy of the elements. */
export function makeArray(data: ElementData | Nested, options: ArrayOptions = {}, name = "the array"): Outcome<NdArray | undefined> {
  const { dtype } = options;
  if (dtype !== undefined && !Object.hasOwn(DTYPES, dtype)) return failed(diagnostic("TF3103", undefined, { what: `"${String(dtype)}"`, known: Object.keys(DTYPES).join(", ") }));
  return isElementData(data) ? fromTyped(data, options, name) : fromNested(data, options, name);
}

function fromTyped(data: ElementData, { shape = [data.length], dtype = dtypeOfData(data) }: ArrayOptions, name: string): Outcome<NdArray | undefined> {
  const fault = typedFault(data, shape, dtype, name);
  if (fault !== undefined) return failed(fault);
  const made = NdArray.zeros(shape, dtype);
  copyElements(data, made.data);
  return { value: made, diagnostics: [] };
}

/** A new array, of zeros where nothing gives the elements. `name` is whose extents may be below 0 or too large. */
export function newArray(shape: readonly number[], dtype: DType, name: string, element?: (at: number) => Element): Outcome<NdArray | undefined> {
  const fault = extentFault(shape, name);
  if (fault !== undefined) return failed(fault);
  try {
    return { value: element === undefined ? NdArray.zeros(shape, dtype) : NdArray.from(shape, dtype, element), diagnostics: [] };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return failed(diagnostic("TF6070", undefined, { name, shape: shapeText(shape), dtype }));
  }
}

function extentFault(shape: readonly number[], name: string): Diagnostic | undefined {
  const bad = shape.find((d) => !Number.isSafeInteger(d) || d < 0);
  return bad === undefined ? undefined : diagnostic("TF6042", undefined, { name, extent: String(bad) });
}

/** Why a typed array cannot be the elements of such an array. */
export function typedFault(data: ElementData, shape: readonly number[], dtype: DType, name: string): Diagnostic | undefined {
  const fault = extentFault(shape, name);
  if (fault !== undefined) return fault;
  if (!sameStorage(dtypeOfData(data), dtype)) return diagnostic("TF6040", undefined, { name, actual: data.constructor.name, expected: dtype });
  if (data.length === sizeOf(shape)) return undefined;
  return diagnostic("TF6041", undefined, { name, length: data.length, shape: shapeText(shape), size: sizeOf(shape) });
}

function fromNested(data: Nested, options: ArrayOptions, name: string): Outcome<NdArray | undefined> {
  const shape = shapeOfNested(data);
  const flat: Element[] = [];
  if (!flatten(data, shape, 0, flat)) return failed(diagnostic("TF6043", undefined, { name }));
  const dtype = options.dtype ?? guessDType(flat[0]);
  const wanted = options.shape ?? shape;
  const fault = extentFault(wanted, name);
  if (fault !== undefined) return failed(fault);
  if (sizeOf(wanted) !== flat.length) {
    return failed(diagnostic("TF6041", undefined, { name, length: flat.length, shape: shapeText(wanted), size: sizeOf(wanted) }));
  }
  const elements: (number | bigint)[] = [];
  for (const [at, value] of flat.entries()) {
    const element = toElement(value, dtype);
    if (typeof element === "object") return failed(diagnostic("TF6044", undefined, { name, at, value: String(value), fault: element.fault, dtype }));
    elements.push(element);
  }
  return { value: NdArray.from(wanted, dtype, (i) => elements[i] ?? 0), diagnostics: [] };
}

function shapeOfNested(data: Nested): readonly number[] {
  const shape: number[] = [];
  for (let level: Nested | undefined = data; Array.isArray(level); level = (level as readonly Nested[])[0]) shape.push(level.length); // isArray does not narrow readonly arrays
  return shape;
}

/** False if some list has another length than its neighbours, or is none where they are. */
function flatten(data: Nested, shape: readonly number[], axis: number, into: Element[]): boolean {
  const extent = shape[axis];
  if (!isList(data)) {
    into.push(data);
    return extent === undefined;
  }
  return extent === data.length && data.every((inner) => flatten(inner, shape, axis + 1, into));
}

/** What is no list counts as an element, whatever it is: `toElement` refuses what is none. */
const isList = (data: Nested): data is readonly Nested[] => Array.isArray(data);

function guessDType(first: Element | undefined): DType {
  return typeof first === "boolean" ? "bool" : typeof first === "bigint" ? "i64" : "f32";
}

const failed = (fault: Diagnostic): Outcome<undefined> => ({ value: undefined, diagnostics: [fault] });
