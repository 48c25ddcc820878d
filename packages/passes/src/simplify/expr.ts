// Simplification of expressions, bottom-up, by the rules of each primitive. Nothing changes the bits of a value: floats keep all
// their operations but those with a neutral operand. A rule makes the expression smaller or replaces an operation by a cheaper
// one, so that simplifying the outcome again changes nothing.

import { isVarLike, mapChildren, type Expr, type Prim } from "@tilefoundry/ir";
import { ruleOf } from "./rules.ts";
import type { Known } from "./known.ts";
import { folded } from "./literals.ts";
import { ofType } from "./of-type.ts";

/** The simplest known expression with the value of `e`, at the place that `known` describes. */
export function simplifyExpr(e: Expr, known: Known): Expr {
  if (isVarLike(e)) return known.valueOf(e) ?? e;
  if (e.kind === "Const") return e;
  return simplifyNode(mapChildren(e, (child) => simplifyExpr(child as Expr, known)), known); // children of expressions are expressions
}

/** A node whose parts are simplified already. */
function simplifyNode(e: Expr, known: Known): Expr {
  if (e.kind === "TupleGet" && e.tuple.kind === "Tuple") return e.tuple.elements[e.index] ?? e;
  if (e.kind !== "Prim") return e;
  const literal = known.fold ? folded(e) : undefined;
  if (literal !== undefined) return literal;
  const found = ruleOf(e.op)?.(e, known);
  const next = found && ofType(found, e.type);
  return next === undefined || next === e ? e : simplifyExpr(withPlace(next, e), known);
}

/** What replaces an expression stands where that stood. */
function withPlace(next: Expr, { meta }: Prim): Expr {
  return next.kind !== "Prim" || next.meta.span !== undefined || meta.span === undefined ? next : { ...next, meta };
}
