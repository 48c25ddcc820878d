// What computing an element costs, in simple operations; index arithmetic and moving are free.

import { isVarLike, type Expr, type PrimOp } from "@tilefoundry/ir";

/** What is not listed costs 1. */
const COSTS: { readonly [Op in PrimOp]?: number } = { div: 4, sqrt: 4, floordiv: 4, mod: 4, fma: 2, mad: 2, exp: 20, exp2: 20, log: 24, log2: 24, sin: 80, cos: 80, tanh: 30, erf: 40, splat: 0 };

export function costOf(e: Expr): number {
  if (isVarLike(e) || e.kind !== "Prim") return 0;
  if (e.op === "load") return 0;
  return e.args.reduce((total, a) => total + costOf(a), COSTS[e.op] ?? 1);
}
