// Arguments of calls that are not catalog ops (primitives, loops, declarations): evaluated, and paired with parameters by
// position and keyword.

import type { Arg } from "@tilefoundry/grammar";
import type { Span } from "@tilefoundry/text";
import { counted, refuse, suggestion, type Speaker } from "./complaints.ts";
import type { Evaluate, ExprContext } from "./context.ts";
import type { Value } from "./value.ts";

/** `more` takes all further positional arguments, as `name`, `name.1`, …; `keyword` is never passed by position. */
export type Params = Readonly<Record<string, "required" | "optional" | "keyword" | "more">>;

export interface PassedArguments {
  readonly positional: readonly Value[];
  readonly keywords: readonly { readonly name: string; readonly value: Value; readonly nameSpan: Span }[];
}

/** Evaluates what stands between the parentheses; undefined after refusing `*` and `**`. */
export function passedArguments(args: readonly Arg[], c: ExprContext, evaluate: Evaluate): PassedArguments | undefined {
  const positional: Value[] = [];
  const keywords: PassedArguments["keywords"][number][] = [];
  let sound = true;
  for (const { name, star, value } of args) {
    if (star !== "") {
      refuse(`\`${star}\` before an argument`, "write the arguments out", value.span, c);
      sound = false;
    } else if (name === undefined) positional.push(evaluate(value, c));
    else keywords.push({ name: name.text, value: evaluate(value, c), nameSpan: name.span });
  }
  return sound ? { positional, keywords } : undefined;
}

export interface BoundCall {
  readonly spelled: string;
  readonly span: Span;
  readonly passed: PassedArguments;
}

/** Values by parameter, in the order of the parameters; undefined after complaints, or (silently) if one is erroneous. */
export function bindArguments({ spelled, span, passed }: BoundCall, params: Params, { reporter }: Speaker): ReadonlyMap<string, Value> | undefined {
  const bound = new Map<string, Value>();
  const byPosition = Object.entries(params).filter(([, how]) => how !== "keyword");
  const known = Object.keys(params).join(", ") || "none";
  const more = byPosition.find(([, how]) => how === "more")?.[0];
  let sound = true;
  for (const [i, value] of passed.positional.entries()) {
    const name = byPosition[i]?.[0] ?? (more === undefined ? undefined : `${more}.${i}`);
    if (name !== undefined) bound.set(name, value);
  }
  if (more === undefined && passed.positional.length > byPosition.length) {
    const expected = `${counted(byPosition.length, "argument")} by position`;
    reporter.report("TF2009", span, { callee: spelled, expected, found: passed.positional.length, known });
    sound = false;
  }
  for (const { name, value, nameSpan } of passed.keywords) {
    const fits = Object.hasOwn(params, name);
    if (!fits) reporter.report("TF2008", nameSpan, { callee: spelled, name, known }, suggestion(name, Object.keys(params), nameSpan));
    else if (bound.has(name)) reporter.report("TF2009", nameSpan, { callee: spelled, expected: `\`${name}\` once`, found: "twice", known });
    else bound.set(name, value);
    sound &&= fits;
  }
  const missing = Object.entries(params).find(([name, how]) => (how === "required" || how === "more") && !bound.has(name));
  if (sound && missing !== undefined) {
    reporter.report("TF2009", span, { callee: spelled, expected: `\`${missing[0]}\``, found: "a call without it", known });
    sound = false;
  }
  if (!sound || [...bound.values()].some((v) => v.kind === "poison")) return undefined;
  const order = [...Object.keys(params), ...[...bound.keys()].filter((name) => !Object.hasOwn(params, name))];
  return new Map(order.flatMap((name) => {
    const value = bound.get(name);
    return value === undefined ? [] : [[name, value] as const];
  }));
}
