// A block as it is rewritten. Comments of statements that vanish go to the next one that stays, or to the end of the block.

import { seq, withStmts, yieldValues, type Expr, type Meta, type Seq, type Stmt } from "@tilefoundry/ir";

export interface Output {
  readonly stmts: Stmt[];
  comments: readonly string[];
}

const NO_COMMENTS: readonly string[] = [];

export const openOutput = (): Output => ({ stmts: [], comments: NO_COMMENTS });

export function emit(out: Output, stmt: Stmt): void {
  if (out.comments.length === 0) return void out.stmts.push(stmt);
  out.stmts.push({ ...stmt, meta: { ...stmt.meta, comments: [...out.comments, ...(stmt.meta.comments ?? [])] } });
  out.comments = NO_COMMENTS;
}

/** Leaves a statement out. */
export function drop(out: Output, { comments = NO_COMMENTS }: Meta): void {
  if (comments.length > 0) out.comments = [...out.comments, ...comments];
}

/** The block with these statements; the same object if nothing changed. */
export function closeOutput({ stmts, comments }: Output, block: Seq): Seq {
  if (comments.length > 0) return seq(stmts, { ...block.meta, comments: [...comments, ...(block.meta.comments ?? [])] });
  return withStmts(block, stmts);
}

/** The block with other values yielded at its end, or none. */
export function withYield(block: Seq, values: readonly Expr[]): Seq {
  const last = block.stmts.at(-1);
  const before = last?.kind === "Yield" ? block.stmts.slice(0, -1) : block.stmts;
  if (values.length === 0) return seq(before, block.meta);
  return seq([...before, yieldValues(values, last?.kind === "Yield" ? last.meta : {})], block.meta);
}
