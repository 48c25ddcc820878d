// Which positions meet at a barrier: those of the loops over its level and the levels inside of it.

import { blocksOf, eachOperand } from "./children.ts";
import { LEVELS, type Level, type Node, type Stmt } from "./nodes.ts";
import { eachStmt } from "./walk.ts";

const rank = (level: Level): number => LEVELS.indexOf(level);

/** Whether the statement is or holds a barrier that iterations of a loop over this level take part in. */
export function meetsAt(stmt: Stmt, level: Level): boolean {
  let found = false;
  const look = (s: Stmt): void => eachOperand(s, (e) => (found ||= isBarrierAt(e, level)));
  look(stmt);
  for (const block of blocksOf(stmt)) eachStmt(block, look);
  return found;
}

const isBarrierAt = (e: Node, level: Level): boolean => isBarrier(e) && e.attrs.level !== undefined && rank(e.attrs.level) <= rank(level);

export const isBarrier = (e: Node): e is Extract<Node, { readonly kind: "Prim" }> => e.kind === "Prim" && e.op === "barrier";
