// `tf.binary(a, b, kind="add")` and `tf.unary(x, kind="neg")`: other spellings of the ops that their kinds name.

import type { OpRecord } from "@tilefoundry/ops";
import type { Span } from "@tilefoundry/text";
import type { PassedArguments } from "./arguments.ts";
import { inWords } from "./complaints.ts";
import type { ExprContext } from "./context.ts";
import { knownOf } from "./value.ts";

/** Kinds by the number of operands, with the ops that have other names. */
const KINDS = {
  binary: [
    "add", "sub", "mul", "div", "floor_div", "mod", "min", "max",
    "cmp_eq", "cmp_ne", "cmp_lt", "cmp_le", "cmp_gt", "cmp_ge", "logical_and", "logical_or",
  ],
  unary: ["neg", "abs", "sqrt", "rsqrt", "exp", "exp2", "log", "log2", "square", "ceil", "floor", "round", "relu", "logical_not"],
} as const;

const SAME: Readonly<Record<string, string>> = {
  minimum: "min", maximum: "max", eq: "cmp_eq", ne: "cmp_ne", lt: "cmp_lt", le: "cmp_le", gt: "cmp_gt", ge: "cmp_ge",
  and: "logical_and", or: "logical_or", not: "logical_not",
};

/** What `BinaryKind` and `UnaryKind` hold. */
export const KIND_WORDS = {
  binary: [...KINDS.binary.map(upper), "EQ", "NE", "LT", "LE", "GT", "GE", "AND", "OR"],
  unary: [...KINDS.unary.map(upper), "NOT"],
} as const;

function upper(word: string): string {
  return word.toUpperCase();
}

export const isOfKinds = (name: string): name is keyof typeof KINDS => Object.hasOwn(KINDS, name);

export interface OfKind {
  readonly record: OpRecord;
  readonly passed: PassedArguments;
}

/** The op of a kind and what is passed to it; undefined after a complaint. */
export function opOfKind(name: keyof typeof KINDS, spelled: string, span: Span, passed: PassedArguments, c: ExprContext): OfKind | undefined {
  const given = passed.keywords.find((keyword) => keyword.name === "kind");
  if (given === undefined) {
    c.reporter.report("TF3004", span, { op: spelled, name: "kind", doc: "which op is applied to each element" });
    return undefined;
  }
  const known = knownOf(given.value);
  const word = known?.kind === "string" ? known.value : known?.kind === "word" ? known.word : "";
  const kind = SAME[word.toLowerCase()] ?? word.toLowerCase();
  const record = (KINDS[name] as readonly string[]).includes(kind) ? c.module.ops.find("tf", kind) : undefined;
  if (record !== undefined) return { record, passed: { ...passed, keywords: passed.keywords.filter((keyword) => keyword !== given) } };
  if (given.value.kind !== "poison") {
    const params = { op: spelled, name: "kind", expected: `one of ${KINDS[name].join(", ")}`, found: inWords(given.value), doc: "which op is applied to each element" };
    c.reporter.report("TF3005", given.value.span, params);
  }
  return undefined;
}
