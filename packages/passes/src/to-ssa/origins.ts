// Handles by their origin: which variable an array variable is another handle of, and whether that one is older than a loop.

import { blocksOf, eachStmt, isVarLike, type Expr, type Seq, type Stmt, type VarLike } from "@tilefoundry/ir";
import type { Ops } from "@tilefoundry/ops";
import { writtenVariable } from "../writes.ts";

export interface Origins {
  /** The handle behind `v` that exists before the loop, by `exists` for variables that are bound in several places. */
  before(v: VarLike, loop: Stmt, exists: (candidate: VarLike) => boolean): VarLike | undefined;
}

export function findOrigins(body: Seq, split: ReadonlySet<VarLike>, ops: Ops): Origins {
  const origin = new Map<VarLike, VarLike>();
  const order = new Map<VarLike | Stmt, number>();
  eachStmt(body, (stmt) => {
    if (blocksOf(stmt).length > 0) order.set(stmt, order.size);
    if (stmt.kind !== "Assign" || stmt.target.type.kind !== "Tensor") return;
    order.set(stmt.target, order.get(stmt.target) ?? order.size);
    const from = handleIn(stmt.value, ops);
    if (from !== undefined && from !== stmt.target && !origin.has(stmt.target)) origin.set(stmt.target, from);
  });
  const older = (v: VarLike, loop: Stmt): boolean => (order.get(v) ?? -1) < (order.get(loop) ?? 0);
  return {
    before: (v, loop, exists) => {
      const passed = new Set<VarLike>([v]);
      for (let at = origin.get(v); at !== undefined && !passed.has(at); at = origin.get(at)) {
        if (split.has(at) ? exists(at) : older(at, loop)) return at;
        passed.add(at);
      }
      return undefined;
    },
  };
}

/** The variable whose buffer a value is another handle of. */
function handleIn(value: Expr, ops: Ops): VarLike | undefined {
  return isVarLike(value) ? value : writtenVariable(value, ops);
}
