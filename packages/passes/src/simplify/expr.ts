// Simplification of expressions, bottom-up, by the rules of each primitive. Nothing changes the bits of a value: floats keep all
// their operations but those with a neutral operand. A rule makes the expression smaller or replaces an operation by a cheaper
// one, so that simplifying the outcome again changes nothing.

import { mapChildren, withArgs, withCallArgs, type Expr, type Prim } from "@tilefoundry/ir";
import { RULES } from "./rules.ts";
import { valueOf, type Known } from "./known.ts";
import { folded } from "./literals.ts";
import { ofType } from "./of-type.ts";

/** The simplest known expression with the value of `e`, at the place that `known` describes. */
export function simplifyExpr(e: Expr, known: Known): Expr {
  switch (e.kind) {
    case "Var":
    case "IterArg": return valueOf(e, known);
    case "Const": return e;
    case "Prim": return simplifyPrim(withArgs(e, simplifyAll(e.args, known)), known);
    case "Call":
    case "FunctionCall": return withCallArgs(e, simplifyAll(e.args, known));
    case "Tuple":
    case "TupleGet": {
      const simple = mapChildren(e, (child) => simplifyExpr(child as Expr, known)); // children of expressions are expressions
      return simple.kind === "TupleGet" && simple.tuple.kind === "Tuple" ? (simple.tuple.elements[simple.index] ?? simple) : simple;
    }
  }
}

/** The same list if nothing in it changed. */
export function simplifyAll(exprs: readonly Expr[], known: Known): readonly Expr[] {
  let simple: Expr[] | undefined;
  for (let i = 0; i < exprs.length; i++) {
    const e = exprs[i] as Expr; // within the length
    const next = simplifyExpr(e, known);
    if (next !== e) simple ??= exprs.slice();
    if (simple !== undefined) simple[i] = next;
  }
  return simple ?? exprs;
}

/** A primitive whose operands are simplified already. */
export function simplifyPrim(e: Prim, known: Known): Expr {
  const literal = known.fold ? folded(e) : undefined;
  if (literal !== undefined) return literal;
  const found = RULES[e.op]?.(e, known);
  const next = found && ofType(found, e.type);
  return next === undefined || next === e ? e : simplifyExpr(withPlace(next, e), known);
}

/** What replaces an expression stands where that stood. */
function withPlace(next: Expr, { meta }: Prim): Expr {
  return next.kind !== "Prim" || next.meta.span !== undefined || meta.span === undefined ? next : { ...next, meta };
}
