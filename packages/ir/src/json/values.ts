// Codecs of what stands inside an entry: numbers, attributes, dims, metadata, descriptions of scopes. Each is total over its union.

import type { Span } from "@tilefoundry/text";
import { NO_META } from "../build.ts";
import { DTYPE_NAMES } from "../dtypes.ts";
import { LEVELS } from "../nodes.ts";
import type { AttrValue, Const, Dim, DimLeaf, DimTerm, DimsAttr, DTypeAttr, Meta, Op, PrimAttrs, ScopeSpec, VarLike } from "../nodes.ts";
import { CAST_MODES, REDUCE_KINDS } from "../prim-names.ts";
import { below, beside, FAULT, integer, line, list, maybe, name, natural, optional, ref, struct, text, unlessEmpty, variants, words, boolean, type Codec, type Fault } from "./codec.ts";

export const dtype = words("a dtype", DTYPE_NAMES);

// — numbers: what JSON cannot say stands in an object, `{"float":"nan"}`, `{"int":"5"}` —

const SPECIAL: Readonly<Record<string, number>> = { nan: NaN, inf: Infinity, "-inf": -Infinity, "-0": -0 };

/** A float to the last bit. */
function floatText(value: number): string {
  const special = Object.entries(SPECIAL).find(([, known]) => Object.is(known, value));
  return special === undefined ? String(value) : `{"float":"${special[0]}"}`;
}

const intText = (value: bigint): string => `{"int":"${value}"}`;

const INT = /^(?:0|-?[1-9][0-9]*)$/;
/** Digits of an integer literal; no dtype needs more. */
const INT_DIGITS = 40;

const floatOf: Codec<number>["read"] = (json, at, reader) => {
  if (json.kind === "number" && Number.isFinite(json.value)) return json.value;
  const special = json.kind === "object" && json.members.size === 1 ? json.members.get("float") : undefined;
  const value = special?.kind === "string" && Object.hasOwn(SPECIAL, special.value) ? SPECIAL[special.value] : undefined;
  return value ?? reader.expected(`a number, or {"float": ${Object.keys(SPECIAL).join(" | ")}}`, json, at);
};

const intOf: Codec<bigint>["read"] = (json, at, reader) => {
  const digits = json.kind === "object" && json.members.size === 1 ? json.members.get("int") : undefined;
  const sound = digits?.kind === "string" && digits.value.length <= INT_DIGITS && INT.test(digits.value);
  return sound ? BigInt(digits.value) : reader.expected('{"int": digits}', json, at);
};

const NO_REFS = (): void => undefined;

export const literal: Codec<Const["value"]> = {
  refs: NO_REFS,
  write: (value) => (typeof value === "bigint" ? intText(value) : typeof value === "number" ? floatText(value) : String(value)),
  read: (json, at, reader): Const["value"] | Fault => {
    if (json.kind === "literal") return boolean.read(json, at, reader);
    return (json.kind === "object" && json.members.has("int") ? intOf : floatOf)(json, at, reader);
  },
};

// — dims: a number, or `{"dim": id}` of a symbolic one —

const sumRef = ref("a symbolic dim", ["sum"]);
const dimRef = struct({ dim: sumRef });

export const dim: Codec<Dim> = {
  refs: (value, visit) => (typeof value === "number" ? undefined : visit(value)),
  write: (value, idOf) => (typeof value === "number" ? String(value) : dimRef.write({ dim: value }, idOf)),
  read: (json, at, reader) => {
    if (json.kind === "number") return integer.read(json, at, reader);
    const read = dimRef.read(json, at, reader);
    return read === FAULT ? FAULT : read.dim;
  },
};

export const variableRef: Codec<VarLike> = ref("a variable", ["Var", "IterArg"]);

export const term: Codec<DimTerm> = struct<DimTerm>({
  coefficient: integer,
  leaf: variants<DimLeaf, "kind">("kind", "a part of a dim", {
    var: { variable: variableRef },
    floordiv: { dividend: sumRef, divisor: natural },
    mod: { dividend: sumRef, divisor: natural },
    min: { a: dim, b: dim },
    max: { a: dim, b: dim },
  }),
});

// — attributes —

const dtypeAttr = struct<DTypeAttr>({ dtype });
const dimsAttr = struct<DimsAttr>({ dims: list(dim) });

const attribute: Codec<AttrValue> = {
  refs: (value, visit) => (isDims(value) ? dimsAttr.refs(value, visit) : undefined),
  write: (value, idOf) => {
    switch (typeof value) {
      case "number": return floatText(value);
      case "bigint": return intText(value);
      case "string": return JSON.stringify(value);
      case "boolean": return String(value);
      case "object": return objectText(value, idOf);
    }
  },
  read: (json, at, reader): AttrValue | Fault => {
    switch (json.kind) {
      case "literal": return json.value;
      case "string": return json.value;
      case "number": return floatOf(json, at, reader);
      case "array": {
        const items = json.items.map((item, i) => floatOf(item, below(at, `[${i}]`), reader));
        return items.some((item) => item === FAULT) ? FAULT : (items as readonly number[]); // none is a fault
      }
      case "object": {
        const codec = OBJECTS.find(([key]) => json.members.has(key))?.[1] ?? floatOf;
        return codec(json, at, reader);
      }
    }
  },
};

const OBJECTS: readonly (readonly [string, Codec<AttrValue>["read"]])[] = [["int", intOf], ["dtype", dtypeAttr.read], ["dims", dimsAttr.read]];

const isDims = (value: AttrValue): value is DimsAttr => typeof value === "object" && value !== null && "dims" in value;

function objectText(value: Extract<AttrValue, object | null>, idOf: Parameters<Codec<AttrValue>["write"]>[1]): string | undefined {
  if (value === null) return "null";
  if (isDims(value)) return dimsAttr.write(value, idOf);
  if ("dtype" in value) return dtypeAttr.write(value, idOf);
  return `[${value.map(floatText).join(",")}]`;
}

/** Attributes by name, in the order of the op's parameters. */
const attributes: Codec<Op["attrs"]> = {
  refs: (value, visit) => Object.values(value).forEach((each) => attribute.refs(each, visit)),
  write: (value, idOf) => `{${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${attribute.write(each, idOf)}`).join(",")}}`,
  read: (json, at, reader) => {
    if (json.kind !== "object") return reader.expected("an object", json, at);
    const entries = [...json.members].map(([key, each]) => [key, attribute.read(each, below(at, `.${key}`), reader)] as const);
    return entries.some(([, each]) => each === FAULT) ? FAULT : (Object.fromEntries(entries) as Op["attrs"]); // none is a fault
  },
};

export const op = struct<Omit<Op, "kind">>({ name: text, attrs: attributes });

export const primAttrs: Codec<PrimAttrs> = unlessEmpty(
  struct<PrimAttrs>({
    dtype: maybe(dtype),
    mode: maybe(words("a rounding mode", CAST_MODES)),
    lanes: maybe(natural),
    index: maybe(natural),
    kind: maybe(words("a kind of reduction", REDUCE_KINDS)),
    masked: maybe(boolean),
    type: maybe(ref("a tensor type", ["Tensor"])),
    offset: maybe(dim),
    level: maybe(words("a level", LEVELS)),
  }),
  {},
);

// — metadata and scopes —

export const meta: Codec<Meta> = unlessEmpty(struct<Meta>({ span: beside<Span>(), comments: maybe(list(line)), label: maybe(name) }), NO_META);

export const scope: Codec<ScopeSpec> = variants<ScopeSpec, "type">("type", "a scope", {
  at: { level: name, role: optional(name), name: optional(name) },
  cluster: { name: optional(name) },
});
