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
  if (args.every(isPositional)) return { positional: args.map((a) => evaluate(a.value, c)), keywords: NO_KEYWORDS };
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

const NO_KEYWORDS: PassedArguments["keywords"] = [];

const isPositional = ({ name, star }: Arg): boolean => name === undefined && star === "";

export interface BoundCall {
  readonly spelled: string;
  readonly span: Span;
  readonly passed: PassedArguments;
}

/** What binding asks of the parameters, made once for each list of them. */
interface Listed {
  readonly names: readonly string[];
  readonly byPosition: readonly string[];
  /** The one that takes all further arguments. */
  readonly more: string | undefined;
  readonly required: readonly string[];
}

const listedParams = new WeakMap<Params, Listed>();

function listed(params: Params): Listed {
  let known = listedParams.get(params);
  if (known === undefined) {
    const names = Object.keys(params);
    known = {
      names,
      byPosition: names.filter((name) => params[name] !== "keyword"),
      more: names.find((name) => params[name] === "more"),
      required: names.filter((name) => params[name] === "required" || params[name] === "more"),
    };
    listedParams.set(params, known);
  }
  return known;
}

/** Values by parameter, in the order of the parameters; undefined after complaints, or (silently) if one is erroneous. */
export function bindArguments({ spelled, span, passed }: BoundCall, params: Params, { reporter }: Speaker): ReadonlyMap<string, Value> | undefined {
  const { names, byPosition, more, required } = listed(params);
  const { positional, keywords } = passed;
  const bound = new Map<string, Value>();
  const known = (): string => names.join(", ") || "none";
  let sound = true;
  for (let i = 0; i < positional.length; i++) {
    const name = byPosition[i] ?? (more === undefined ? undefined : `${more}.${i}`);
    const value = positional[i];
    if (name !== undefined && value !== undefined) bound.set(name, value);
  }
  if (more === undefined && positional.length > byPosition.length) {
    const expected = `${counted(byPosition.length, "argument")} by position`;
    reporter.report("TF2009", span, { callee: spelled, expected, found: positional.length, known: known() });
    sound = false;
  }
  for (const { name, value, nameSpan } of keywords) {
    const fits = Object.hasOwn(params, name);
    if (!fits) reporter.report("TF2008", nameSpan, { callee: spelled, name, known: known() }, suggestion(name, names, nameSpan));
    else if (bound.has(name)) reporter.report("TF2009", nameSpan, { callee: spelled, expected: `\`${name}\` once`, found: "twice", known: known() });
    else bound.set(name, value);
    sound &&= fits;
  }
  const missing = required.find((name) => !bound.has(name));
  if (sound && missing !== undefined) {
    reporter.report("TF2009", span, { callee: spelled, expected: `\`${missing}\``, found: "a call without it", known: known() });
    sound = false;
  }
  for (const value of bound.values()) if (value.kind === "poison") return undefined;
  if (!sound) return undefined;
  return keywords.length === 0 ? bound : inOrder(bound, names);
}

/** The parameters in their order, further arguments behind them. */
function inOrder(bound: ReadonlyMap<string, Value>, names: readonly string[]): ReadonlyMap<string, Value> {
  const ordered = new Map<string, Value>();
  for (const name of names) {
    const value = bound.get(name);
    if (value !== undefined) ordered.set(name, value);
  }
  for (const [name, value] of bound) ordered.set(name, value);
  return ordered;
}
