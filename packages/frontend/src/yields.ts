// `y = pl.yield_(v)`: ends a branch or a loop body, and names the results of the `if` or loop around it.

import type { CallExpr, SExpr } from "@tilefoundry/grammar";
import { compatible, yieldValues, type Stmt, type Type, type Var } from "@tilefoundry/ir";
import { showType } from "@tilefoundry/ops";
import type { Span } from "@tilefoundry/text";
import { passedArguments } from "./arguments.ts";
import { counted, needed } from "./complaints.ts";
import { mayRebind } from "./rebind.ts";
import { bound, silence, type Buffer, type Env } from "./env.ts";
import { evaluate } from "./expr.ts";
import { toExpr } from "./literal.ts";
import { localFor } from "./locals.ts";
import type { Place } from "./place.ts";
import type { ResultName, Yielded, YieldSlot } from "./yield-slot.ts";

/** Whether an expression is a call of `pl.yield_`. */
export function isYield(e: SExpr, place: Place): e is CallExpr {
  return e.kind === "Call" && isMember(e.callee, "yield_", place);
}

/** Whether an expression names a member of one of the namespaces. */
export function isMember(e: SExpr, name: string, place: Place): boolean {
  return e.kind === "Attribute" && e.name === name && e.value.kind === "Name" && place.module.namespaces.has(e.value.name);
}

export function yieldStatement(
  names: readonly ResultName[], e: CallExpr, span: Span, place: Place, slot: YieldSlot | undefined,
): readonly Stmt[] {
  const passed = passedArguments(e.args, place, evaluate);
  const complain = (problem: string): readonly Stmt[] => {
    place.reporter.report("TF4108", span, { problem });
    for (const { name } of names) silence(place.env, name);
    if (slot !== undefined) slot.failed = true;
    return [];
  };
  if (slot === undefined) return complain("stands where nothing takes its values");
  if (names.length === 0) return complain("has no names on its left for the results");
  if (passed === undefined) slot.failed = true;
  if (passed === undefined) return [];
  const [keyword] = passed.keywords;
  if (keyword !== undefined) return complain(`takes no argument \`${keyword.name}\``);
  if (passed.positional.length !== names.length) {
    const [found, expected] = [counted(passed.positional.length, "value"), needed(names.length, names.length)];
    place.reporter.report("TF4109", span, { what: "this", found, expected });
    slot.found = { names, values: undefined, span };
    return [];
  }
  const values = passed.positional.map((v) => toExpr(v, place));
  const sound = values.every((v) => v.type.kind !== "Unknown");
  slot.found = { names, values: sound ? values : undefined, span };
  return sound ? [yieldValues(values, { span })] : [];
}

/** Variables for results of these types, visible from here on; a root says which buffer a result is a handle of. */
export function bindResults(
  names: readonly ResultName[], types: readonly (Type | undefined)[], env: Env, place: Place, roots: readonly (Buffer | undefined)[],
): readonly Var[] | undefined {
  const vars = names.map(({ name, span }, i) => {
    const type = types[i];
    if (type === undefined || type.kind === "Unknown") {
      silence(env, name);
      return undefined;
    }
    if (!mayRebind(name, type, roots[i], span, place)) return undefined;
    const v = localFor(place.fn.locals, name, type, span);
    env.own.set(name, bound(v, span, roots[i]));
    return v;
  });
  return vars.every((v): v is Var => v !== undefined) ? vars : undefined;
}

/** Whether two branches yield the same names with values of the same types; complains if not. */
export function branchesAgree(then: Yielded, orElse: Yielded, place: Place): boolean {
  const expected = then.names.map((n) => n.name).join(", ");
  const found = orElse.names.map((n) => n.name).join(", ");
  if (expected !== found) {
    const params = { what: "this branch", found, expected: needed(expected, then.names.length) };
    place.reporter.report("TF4109", orElse.span, params, { related: [{ message: `yields ${expected}`, span: then.span }] });
    return false;
  }
  let agree = true;
  for (const [i, { name }] of then.names.entries()) {
    const [a, b] = [then.values?.[i]?.type, orElse.values?.[i]?.type];
    if (a === undefined || b === undefined || compatible(a, b)) continue;
    const [left, right] = [showType(a, place.dialect), showType(b, place.dialect)];
    place.reporter.report("TF4110", orElse.span, { name, left, right }, { related: [{ message: `here it is ${left}`, span: then.span }] });
    agree = false;
  }
  return agree;
}
