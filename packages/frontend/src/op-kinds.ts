// `tf.binary(a, b, kind="add")` and `tf.unary(x, kind="neg")`: other spellings of the ops that their kinds name.

import type { OpRecord } from "@tilefoundry/ops";
import type { Span } from "@tilefoundry/text";
import type { PassedArguments } from "./arguments.ts";
import { inWords } from "./complaints.ts";
import type { ExprContext } from "./context.ts";
import { KINDS, SAME } from "./kind-words.ts";
import { knownOf } from "./value.ts";

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
