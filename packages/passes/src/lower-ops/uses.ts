// Which buffers the statements of a block touch, and where each is last touched: what decides whether a new value may take the
// place of an old one.

import { blocksOf, definedBy, eachChild, eachOperand, type Expr, type Seq, type Stmt, type VarLike } from "@tilefoundry/ir";
import type { Handles } from "./handles.ts";

export interface Uses {
  /** Roots that a statement touches, in any block of it; the `init`s of its carries included. */
  touchedBy(stmt: Stmt): ReadonlySet<VarLike>;
  touchedIn(block: Seq): ReadonlySet<VarLike>;
  /** Position of the last statement of the block that touches the root, -1 if none does. */
  last(block: Seq, root: VarLike): number;
  /** Position of the statement that makes the root's first value, if it is in this very block. */
  definition(block: Seq, root: VarLike): number | undefined;
  /** Position of a statement in its block. */
  position(block: Seq, stmt: Stmt): number;
}

interface BlockUses {
  readonly positions: ReadonlyMap<Stmt, number>;
  readonly touched: ReadonlySet<VarLike>;
  readonly last: ReadonlyMap<VarLike, number>;
  readonly definitions: ReadonlyMap<VarLike, number>;
}

export function makeUses(handles: Handles): Uses {
  const statements = new WeakMap<Stmt, ReadonlySet<VarLike>>();
  const blocks = new WeakMap<Seq, BlockUses>();

  const touchedBy = (stmt: Stmt): ReadonlySet<VarLike> => {
    const known = statements.get(stmt);
    if (known !== undefined) return known;
    const touched = new Set<VarLike>();
    eachOperand(stmt, (operand) => eachArray(operand, (v) => touched.add(handles.root(v))));
    for (const block of blocksOf(stmt)) for (const v of usesOf(block).touched) touched.add(v);
    statements.set(stmt, touched);
    return touched;
  };

  const usesOf = (block: Seq): BlockUses => {
    const known = blocks.get(block);
    if (known !== undefined) return known;
    const last = new Map<VarLike, number>();
    const definitions = new Map<VarLike, number>();
    for (const [i, stmt] of block.stmts.entries()) {
      for (const v of touchedBy(stmt)) last.set(v, i);
      for (const v of definedBy(stmt)) {
        if (v.type.kind === "Tensor" && !isPart(stmt)) defineAt(handles.root(v), v, stmt, i, definitions);
        for (const part of handles.parts(v)) if (part !== undefined) definitions.set(part, i);
      }
    }
    const positions = new Map(block.stmts.map((stmt, i) => [stmt, i]));
    const made = { positions, touched: new Set(last.keys()), last, definitions };
    blocks.set(block, made);
    return made;
  };

  return {
    touchedBy,
    touchedIn: (block) => usesOf(block).touched,
    last: (block, root) => usesOf(block).last.get(root) ?? -1,
    definition: (block, root) => usesOf(block).definitions.get(root),
    position: (block, stmt) => usesOf(block).positions.get(stmt) ?? -1,
  };
}

/** Parts of a tuple are made where the tuple is. */
const isPart = (stmt: Stmt): boolean => stmt.kind === "Assign" && stmt.value.kind === "TupleGet";

/** A statement makes a root if it defines it, or if its result is the root of one of its own carries. */
function defineAt(root: VarLike, v: VarLike, stmt: Stmt, at: number, definitions: Map<VarLike, number>): void {
  const ownCarry = (stmt.kind === "For" || stmt.kind === "While") && root.kind === "IterArg" && stmt.carries.includes(root);
  if (root === v || ownCarry) definitions.set(root, at);
}

function eachArray(e: Expr, visit: (v: VarLike) => void): void {
  if (e.kind === "Var" || e.kind === "IterArg") {
    if (e.type.kind === "Tensor") visit(e);
    return;
  }
  eachChild(e, (child) => eachArray(child as Expr, visit)); // children of expressions are expressions
}
