// Dotted names: which namespace a chain like `pl.tile.load` begins in, and the compile-time values among its members (dtypes,
// memory spaces, enumerations, `T.inf`).

import type { SExpr } from "@tilefoundry/grammar";
import type { Reporter } from "@tilefoundry/text";
import { notYet, suggestion } from "./complaints.ts";
import { DTYPE_SPELLINGS, dtypeCalled, isLaterDType, SPACE_WORDS } from "./dtype-names.ts";
import { MATH_CONSTANTS } from "./known-calls.ts";
import { KIND_WORDS } from "./kind-words.ts";
import { float, knownValue, poison, type Known, type Value } from "./value.ts";

export const NAMESPACES = ["pl", "tf", "T", "math"] as const;
export type Namespace = (typeof NAMESPACES)[number];

/** Namespaces that need no import. */
export const VISIBLE = NAMESPACES.filter((n) => n !== "math").map((n) => [n, n] as const);

/** A chain of names: `pl.tile.load` is `pl` and `["tile", "load"]`. */
export interface Dotted {
  readonly root: string;
  readonly path: readonly string[];
}

/** The chain an expression consists of, or undefined where it is something else. */
export function dotted(e: SExpr): Dotted | undefined {
  if (e.kind === "Name") return { root: e.name, path: [] };
  if (e.kind !== "Attribute") return undefined;
  if (e.value.kind === "Name") return { root: e.value.name, path: [e.name] };
  const owner = dotted(e.value);
  return owner && { root: owner.root, path: [...owner.path, e.name] };
}

export const spell = ({ root, path }: Dotted): string => path.reduce((text, name) => `${text}.${name}`, root);

/** Enumerations of the parents, by the name before their last dot. */
const ENUMS: Readonly<Record<string, { readonly words: readonly string[]; readonly later: readonly string[] }>> = {
  FunctionType: { words: ["Opaque", "Orchestration", "InCore", "Inline", "Group", "Spmd"], later: ["AIC", "AIV", "Graph"] },
  Mem: { words: SPACE_WORDS, later: ["LeftScale", "RightScale"] },
  MemorySpace: { words: SPACE_WORDS, later: ["LeftScale", "RightScale"] },
  Level: {
    words: ["AIV", "AIC", "CORE_GROUP", "CHIP_DIE", "CHIP", "HOST", "CLUSTER_0", "CLUSTER_1", "CLUSTER_2", "GLOBAL", "L2CACHE", "PROCESSOR", "UMA", "NODE", "POD", "CLOS1", "CLOS2"],
    later: [],
  },
  Role: { words: ["Orchestrator", "SubWorker"], later: [] },
  ReduceKind: { words: ["SUM", "MEAN", "MAX", "MIN", "ABS_MAX"], later: ["PROD", "ANY", "ALL"] },
  BinaryKind: { words: KIND_WORDS.binary, later: [] },
  UnaryKind: { words: KIND_WORDS.unary, later: [] },
};

/** Members of the parents' namespaces that no op has: what to say about them instead of "not an op". */
const LATER: ReadonlySet<string> = new Set([
  "split_aiv", "submit", "spmd_submit", "inline", "jit", "program", "func_attr", "static_print",
  "static_assert", "dump_tag", "MemRef", "TensorView", "TileView", "tile", "where", "launch",
]);

export const isLaterMember = (name: string): boolean => LATER.has(name);

/** `DType.f32`, `DataType.FP32`: namespaces of dtypes alone. */
const DTYPE_OWNERS: ReadonlySet<string> = new Set(["DType", "DataType"]);

export const ENUM_NAMES: readonly string[] = [...Object.keys(ENUMS), ...DTYPE_OWNERS];

export const isEnum = (name: string): boolean => Object.hasOwn(ENUMS, name) || DTYPE_OWNERS.has(name);

/**
 * The value of a member, with `path` relative to a namespace or beginning with an enumeration (`FunctionType.InCore`). Undefined
 * if the chain ends in neither: then it may name an op.
 */
export function memberValue(e: SExpr, namespace: Namespace | undefined, path: readonly string[], reporter: Reporter): Value | undefined {
  const [first = "", second] = path;
  if (path.length === 1 && namespace !== undefined) {
    const known = plainMember(namespace, first);
    if (known !== undefined) return knownValue(known, e.span);
    return isLaterDType(first) ? later(e, `the dtype ${first}`, reporter) : undefined;
  }
  if (path.length !== 2 || second === undefined) return undefined;
  if (DTYPE_OWNERS.has(first)) return dtypeMember(e, first, second, reporter);
  return Object.hasOwn(ENUMS, first) ? enumMember(e, first, second, reporter) : undefined;
}

function plainMember(namespace: Namespace, name: string): Known | undefined {
  if (namespace === "math") return Object.hasOwn(MATH_CONSTANTS, name) ? MATH_CONSTANTS[name] : undefined;
  if (namespace === "T" && name === "inf") return float(Infinity);
  if (namespace === "T" && name === "nan") return float(NaN);
  const dtype = dtypeCalled(name);
  return dtype === undefined ? undefined : { kind: "dtype", dtype };
}

function dtypeMember(e: SExpr, owner: string, name: string, reporter: Reporter): Value {
  const dtype = dtypeCalled(name);
  if (dtype !== undefined) return knownValue({ kind: "dtype", dtype }, e.span);
  if (isLaterDType(name)) return later(e, `the dtype ${name}`, reporter);
  reporter.report("TF2011", e.span, { owner, name }, nearMember(e, name, DTYPE_SPELLINGS));
  return poison(e.span);
}

function enumMember(e: SExpr, family: string, word: string, reporter: Reporter): Value {
  const row = ENUMS[family];
  if (row?.words.includes(word)) return knownValue({ kind: "word", family, word }, e.span);
  if (row?.later.includes(word)) return later(e, `${family}.${word}`, reporter);
  reporter.report("TF2011", e.span, { owner: family, name: word }, nearMember(e, word, row?.words ?? []));
  return poison(e.span);
}

const nearMember = (e: SExpr, name: string, candidates: Iterable<string>) =>
  suggestion(name, candidates, e.kind === "Attribute" ? e.nameSpan : e.span);

function later(e: SExpr, what: string, reporter: Reporter): Value {
  const known = what.startsWith("the dtype") ? "f32, f64, i32, i64, u8, u32, bool and index" : "other words of the enumeration";
  notYet(what, `this version has ${known}`, e.span, { reporter });
  return poison(e.span);
}
