// Blocks as passes rebuild them: the same object where nothing changed, and the variables that stand in statements.

import { seq } from "./build.ts";
import type { Node, Seq, Stmt, VarLike } from "./nodes.ts";
import { walk } from "./walk.ts";

/** The block with these statements; the same object if they are those it has. */
export const withStmts = (block: Seq, stmts: readonly Stmt[]): Seq => (sameList(stmts, block.stmts) ? block : seq(stmts, block.meta));

/** Whether two lists hold the same objects. */
export function sameList<T>(a: readonly T[], b: readonly T[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Every variable that occurs in the nodes, binders included, in order of appearance. */
export function variablesIn(nodes: readonly Node[]): ReadonlySet<VarLike> {
  const found = new Set<VarLike>();
  for (const node of nodes) walk(node, (n) => (n.kind === "Var" || n.kind === "IterArg") && found.add(n));
  return found;
}
