// Attribute values: from what an author wrote to the validated value an `Op` holds, and from there to what a record's functions see.

import { DTYPES, STORAGES, compareDims, type AttrValue, type Dialect, type Dim, type DType, type Storage } from "@tilefoundry/ir";
import type { AttrKind, AttrSpec, ParamSpec } from "./define.ts";

/** A value known at compile time, as the frontend passes it for an attribute. */
export type Static = bigint | number | boolean | string | null | { readonly dtype: DType } | { readonly dim: Dim } | readonly Static[];

/** The default of a parameter after `pl.` or `tf.`; undefined if it has none. */
export function defaultOf(spec: AttrSpec, namespace: Dialect): AttrValue | undefined {
  return namespace === "tf" && spec.tfDefault !== undefined ? spec.tfDefault : spec.default;
}

/** Whether what is passed for an attribute is as good as nothing: `none`, where its words have numbers. */
export function isNone({ codes }: AttrSpec, given: Static | undefined): boolean {
  if (given === undefined) return true;
  const word = typeof given === "bigint" ? codes?.[Number(given)] : given;
  return codes !== undefined && typeof word === "string" && word.toLowerCase() === "none";
}

export const isAttr = (spec: ParamSpec): spec is AttrSpec => "attr" in spec;

/** The attribute value for an argument, or undefined where it does not fit; `attrExpects` then says what does. */
export function attrValue(spec: AttrSpec, given: Static): AttrValue | undefined {
  const kind = spec.attr;
  if (given === null) return spec.default === null ? null : undefined;
  return typeof kind === "string" ? READ[kind](given) : readWord(kind, (typeof given === "bigint" ? spec.codes?.[Number(given)] : undefined) ?? given);
}

/** What an attribute takes, with its article. */
export function attrExpects(spec: AttrSpec): string {
  const kind = spec.attr;
  return `${typeof kind === "string" ? EXPECTS[kind] : `one of ${kind.join(", ")}`}${spec.default === null ? " or None" : ""}`;
}

type SimpleKind = Extract<AttrKind, string>;

const EXPECTS = {
  int: "an integer",
  ints: "a list of integers",
  bool: "True or False",
  number: "a number",
  literal: "a number or a truth value",
  dtype: "a dtype",
  dims: "a shape: a list of extents",
  storage: "a memory space",
} as const satisfies Readonly<Record<SimpleKind, string>>;

const READ = {
  int: readInt,
  ints: (given) => readAll(Array.isArray(given) ? given : [given], readInt),
  bool: (given) => (typeof given === "boolean" ? given : undefined),
  number: (given) => (typeof given === "bigint" ? Number(given) : typeof given === "number" ? given : undefined),
  literal: (given) => (typeof given === "bigint" || typeof given === "number" || typeof given === "boolean" ? given : undefined),
  dtype: readDType,
  dims: (given) => {
    const dims = readAll<Dim>(Array.isArray(given) ? given : [given], readDim);
    return dims && { dims };
  },
  storage: (given) => STORAGES.find((s) => s === given),
} as const satisfies Readonly<Record<SimpleKind, (given: Static) => AttrValue | undefined>>;

function readInt(given: Static): number | undefined {
  const value = typeof given === "bigint" ? Number(given) : given;
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}

function readDim(given: Static): Dim | undefined {
  if (typeof given === "object" && given !== null && "dim" in given) return given.dim;
  return readInt(given);
}

function readDType(given: Static): AttrValue | undefined {
  if (typeof given === "string") return Object.hasOwn(DTYPES, given) ? { dtype: given as DType } : undefined; // a key of the table
  return typeof given === "object" && given !== null && "dtype" in given ? given : undefined;
}

/** Words are read in any case: `ReduceKind.MEAN` comes in as `"MEAN"`. */
const readWord = (words: readonly string[], given: Static): string | undefined =>
  typeof given === "string" ? words.find((w) => w === given.toLowerCase()) : undefined;

function readAll<T>(list: readonly Static[], read: (given: Static) => T | undefined): readonly T[] | undefined {
  const values: T[] = [];
  for (const given of list) {
    const value = read(given);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

/** What the functions of a record receive for an attribute. */
export function attrArg(value: AttrValue): DType | Storage | readonly Dim[] | Exclude<AttrValue, object> | readonly number[] {
  if (typeof value === "object" && value !== null) {
    if ("dtype" in value) return value.dtype;
    if ("dims" in value) return value.dims;
  }
  return value;
}

/** Whether two attribute values are the same, to leave out defaults in print. */
export function sameAttr(a: AttrValue, b: AttrValue): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return Object.is(a, b) || a === b;
  if ("dtype" in a) return "dtype" in b && a.dtype === b.dtype;
  const x = listOf(a);
  const y = listOf(b);
  return x !== undefined && y !== undefined && x.length === y.length && x.every((d, i) => compareDims(d, y[i] ?? NaN) === 0);
}

function listOf(value: object): readonly Dim[] | undefined {
  if (Array.isArray(value)) return value as readonly number[]; // an attribute that is an array holds integers
  return "dims" in value ? (value as { readonly dims: readonly Dim[] }).dims : undefined;
}
