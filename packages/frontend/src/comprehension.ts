// Comprehensions over what is known at compile time: `[2 * i for i in range(4) if i != 1]`, and the generators in `tuple(…)` and `max(…)`.

import type { CompClause, Comprehension, SExpr } from "@tilefoundry/grammar";
import type { Span } from "@tilefoundry/text";
import { dict, sequence, SIZE_LIMIT } from "./collections.ts";
import { reportFailure } from "./complaints.ts";
import type { Evaluate, ExprContext } from "./context.ts";
import { elementsOf, failed, truth } from "./known-ops.ts";
import { beyond } from "./python-number.ts";
import { refuseExpr } from "./refuse.ts";
import { knownOf, knownValue, poison, type Known, type Value } from "./value.ts";
import { TOO_LONG, TURN } from "./work.ts";

export function comprehension(e: Comprehension, c: ExprContext, evaluate: Evaluate): Value {
  if (e.form === "set" || e.clauses.some((clause) => clause.async)) return refuseExpr(e, c.reporter);
  const made: Made = { keys: [], values: [], refused: undefined };
  loop(e, 0, c, evaluate, made);
  if (made.refused !== undefined) return made.refused;
  const known = made.values.map(knownOf);
  if (!known.every((k): k is Known => k !== undefined)) return e.form === "dict" ? refuseExpr(e, c.reporter) : { kind: "tuple", form: "list", items: made.values, span: e.span };
  const result = e.form === "dict" ? dict(known.map((value, i) => [made.keys[i] ?? value, value] as const)) : sequence("list", known);
  return failed(result) ? reportFailure(result, e.span, c) : knownValue(result, e.span);
}

interface Made {
  readonly keys: Known[];
  readonly values: Value[];
  /** Set by a complaint, which ends all loops. */
  refused: Value | undefined;
}

function loop(e: Comprehension, depth: number, c: ExprContext, evaluate: Evaluate, made: Made): void {
  const clause = e.clauses[depth];
  if (clause === undefined) return element(e, c, evaluate, made);
  const over = evaluate(clause.iterable, c);
  const known = knownOf(over);
  const items = known && elementsOf(known);
  if (items === undefined) {
    made.refused = over.kind === "poison" ? over : refuseExpr(e, c.reporter);
    return;
  }
  for (const item of items) {
    if (made.refused !== undefined) return;
    const { work } = c.module;
    work.left -= TURN;
    if (work.left <= 0 || made.values.length >= SIZE_LIMIT) {
      made.refused = reportFailure(beyond(work.left <= 0 ? TOO_LONG : `the result has more than ${SIZE_LIMIT} elements`), e.span, c);
      return;
    }
    const names = new Map<string, Known>();
    if (!bind(clause.target, item, names)) {
      made.refused = reportFailure(beyond("the target does not take apart what is looped over"), clause.target.span, c);
      return;
    }
    const inside = within(c, names);
    const holds = allHold(clause, inside, evaluate);
    if (holds === "unknown") made.refused = refuseExpr(e, c.reporter);
    else if (typeof holds === "object") made.refused = holds;
    else if (holds) loop(e, depth + 1, inside, evaluate, made);
  }
}

function element(e: Comprehension, c: ExprContext, evaluate: Evaluate, made: Made): void {
  const value = evaluate(e.element, c);
  const key = e.key === undefined ? undefined : evaluate(e.key, c);
  const keyKnown = key && knownOf(key);
  if (value.kind === "poison") made.refused = value;
  else if (key !== undefined && keyKnown === undefined) made.refused = key.kind === "poison" ? key : refuseExpr(e, c.reporter);
  else {
    made.values.push(value);
    if (keyKnown !== undefined) made.keys.push(keyKnown);
  }
}

/** Whether all conditions of a clause hold; poison after a complaint. */
function allHold({ conditions }: CompClause, c: ExprContext, evaluate: Evaluate): boolean | "unknown" | Value {
  for (const condition of conditions) {
    const value = evaluate(condition, c);
    if (value.kind === "poison") return poison(value.span);
    const known = knownOf(value);
    const holds = known && truth(known);
    if (holds !== true) return holds ?? "unknown";
  }
  return true;
}

/** Binds the names of a target to the parts of a value; whether it has as many. */
export function bind(target: SExpr, value: Known, names: Map<string, Known>): boolean {
  switch (target.kind) {
    case "Name":
      names.set(target.name, value);
      return true;
    case "Paren": return bind(target.value, value, names);
    case "TupleDisplay":
    case "ListDisplay": {
      const items = elementsOf(value);
      return items?.length === target.items.length && target.items.every((part, i) => bind(part, items[i] ?? value, names));
    }
    default: return false;
  }
}

function within(c: ExprContext, names: ReadonlyMap<string, Known>): ExprContext {
  const valueOf = (name: string, span: Span): Value | undefined => {
    const known = names.get(name);
    return known && (known.kind === "extent" ? c.lookupExtent(known.dim, span) : knownValue(known, span));
  };
  return { ...c, lookup: (name, span) => valueOf(name, span) ?? c.lookup(name, span), binds: (name) => names.has(name) || c.binds(name) };
}
