// How control leaves a block: at its end, or by `break`, `continue` or `return`. Those of an inner loop are its own.

import type { Seq, Stmt } from "@tilefoundry/ir";

export interface Exits {
  /** The end of the block can be reached. */
  readonly falls: boolean;
  readonly breaks: boolean;
  readonly continues: boolean;
  readonly returns: boolean;
}

const FALLS: Exits = { falls: true, breaks: false, continues: false, returns: false };

/** Exits of blocks and statements, each computed once. */
export interface ExitTable {
  ofBlock(block: Seq): Exits;
  ofStmt(stmt: Stmt): Exits;
}

export function exitTable(): ExitTable {
  const known = new Map<Stmt, Exits>();
  const ofBlock = (block: Seq): Exits => remembered(known, block, () => exitsOfList(block.stmts, ofStmt));
  const ofStmt = (stmt: Stmt): Exits => {
    switch (stmt.kind) {
      case "Break": return { ...FALLS, falls: false, breaks: true };
      case "Continue": return { ...FALLS, falls: false, continues: true };
      case "Return": return { ...FALLS, falls: false, returns: true };
      case "Seq": return ofBlock(stmt);
      case "If": return remembered(known, stmt, () => either(ofBlock(stmt.then), stmt.else === undefined ? FALLS : ofBlock(stmt.else)));
      case "For":
      case "While":
      case "Nest": return ofBlock(stmt.body).returns ? { ...FALLS, returns: true } : FALLS;
      default: return FALLS;
    }
  };
  return { ofBlock, ofStmt };
}

function remembered(known: Map<Stmt, Exits>, stmt: Stmt, compute: () => Exits): Exits {
  const found = known.get(stmt);
  if (found !== undefined) return found;
  const exits = compute();
  known.set(stmt, exits);
  return exits;
}

function exitsOfList(stmts: readonly Stmt[], ofStmt: (stmt: Stmt) => Exits): Exits {
  let total = FALLS;
  for (const stmt of stmts) {
    const exits = ofStmt(stmt);
    total = { ...either(total, exits), falls: exits.falls };
    if (!exits.falls) break;
  }
  return total;
}

/** What either of two may do. */
export function either(a: Exits, b: Exits): Exits {
  return {
    falls: a.falls || b.falls,
    breaks: a.breaks || b.breaks,
    continues: a.continues || b.continues,
    returns: a.returns || b.returns,
  };
}

/** Whether something other than the end of the block can come next. */
export const escapes = (e: Exits): boolean => e.breaks || e.continues || e.returns;
