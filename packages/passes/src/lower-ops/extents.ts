// Names for run-time extents: `n = T.min(1024, N - i)`, one variable for equal extents of a scope.

import { assign, dimVar, INDEX, isVarLike, toDim, toExpr, variable, type Dim, type Expr } from "@tilefoundry/ir";
import { define, emit, takeMeta, type Block, type Lowering } from "./state.ts";
import { tightened } from "./windows.ts";

/** The extent as a literal or a variable; where it is an expression, it gets a name. */
export function nameExtent(l: Lowering, hint: string, value: Expr): Dim {
  const tight = tightExtent(l, value);
  const dim = toDim(tight);
  if (typeof dim === "number") return dim;
  if (isVarLike(tight)) return dimVar(tight);
  const key = l.keys.of(tight);
  for (let block: Block | undefined = l.block; block !== undefined; block = block.outer) {
    const known = block.extents.get(key);
    if (known !== undefined) return dimVar(known);
  }
  const target = variable(l.names.fresh(hint), INDEX);
  emit(l, assign(target, tight, takeMeta(l)));
  define(l, target, tight);
  l.block.extents.set(key, target);
  return dimVar(target);
}

/** The extent in its one spelling, without what is proved idle. */
export function tightExtent(l: Lowering, value: Expr): Expr {
  const dim = toDim(value);
  return dim === undefined ? value : toExpr(tightened(l, dim));
}
