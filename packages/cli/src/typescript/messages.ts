// What a running module tells the command, one line of JSON a message: the values in the holes of each template that it came to, and how it ended.

import { dataOf, dtype, DimVar, type AnyProgram, type DType } from "tilefoundry";

export type Message =
  /** A program that stands in a hole, once. */
  | { readonly kind: "program"; readonly id: number; readonly json: string }
  | { readonly kind: "template"; readonly file: string; readonly at: number; readonly values: readonly Value[]; readonly wrong: boolean }
  | { readonly kind: "end" }
  /** For a promise that nothing is left to fulfil. */
  | { readonly kind: "waits" }
  /** An exception that nothing caught; `ours` if it only says what is wrong with a template. */
  | { readonly kind: "threw"; readonly message: string; readonly ours: boolean; readonly place: Place | undefined }
  | { readonly kind: "exit"; readonly status: number };

/** As a stack trace counts: UTF-16 code units from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The value of a hole. What is none of the kernel language is told by its type alone. */
export type Value =
  | boolean | string | null | readonly Value[]
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "bigint"; readonly text: string }
  | { readonly kind: "dtype"; readonly dtype: DType }
  | { readonly kind: "dimvar"; readonly name: string; readonly lo: number; readonly hi: number }
  | { readonly kind: "program"; readonly id: number }
  /** A program with errors, which are reported where it stands. */
  | { readonly kind: "unknown" }
  | { readonly kind: "function" | "object" | "symbol" | "undefined" };

/** Programs by number, for the side that writes. */
export interface Programs {
  idOf(program: AnyProgram): number;
  isWrong(value: unknown): boolean;
}

export function encode(value: unknown, programs: Programs): Value {
  switch (typeof value) {
    case "boolean":
    case "string": return value;
    case "number": return { kind: "number", text: Object.is(value, -0) ? "-0" : String(value) };
    case "bigint": return { kind: "bigint", text: String(value) };
    case "function":
      if (programs.isWrong(value)) return { kind: "unknown" };
      return isProgram(value) ? { kind: "program", id: programs.idOf(value) } : { kind: "function" };
    case "object": return value === null ? null : encodeObject(value, programs);
    case "symbol": return { kind: "symbol" };
    case "undefined": return { kind: "undefined" };
  }
}

const isProgram = (value: object): value is AnyProgram => dataOf(value as AnyProgram) !== undefined; // that is what is asked

function encodeObject(value: object, programs: Programs): Value {
  if (Array.isArray(value)) return value.map((item) => encode(item, programs));
  if (!("kind" in value)) return { kind: "object" };
  if (value.kind === "dtype" && "dtype" in value && typeof value.dtype === "string") return { kind: "dtype", dtype: value.dtype as DType }; // whatever it is
  if (value.kind !== "dimvar" || !("name" in value && "lo" in value && "hi" in value)) return { kind: "object" };
  const { name, lo, hi } = value;
  return typeof name === "string" && typeof lo === "number" && typeof hi === "number" ? { kind: "dimvar", name, lo, hi } : { kind: "object" };
}

/** `unknown` stands for programs with errors, at any depth. */
export function decode(value: Value, programs: ReadonlyMap<number, AnyProgram>, unknown: object): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) {
    const items = value.map((item) => decode(item, programs, unknown));
    return items.includes(unknown) ? unknown : items;
  }
  switch (value.kind) {
    case "number": return Number(value.text);
    case "bigint": return BigInt(value.text);
    case "dtype": return dtype(value.dtype);
    case "dimvar": return DimVar(value.name, value.lo, value.hi);
    case "program": return programs.get(value.id) ?? unknown;
    case "unknown": return unknown;
    case "function": return () => undefined;
    case "object": return {};
    case "symbol": return Symbol();
    case "undefined": return undefined;
  }
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
