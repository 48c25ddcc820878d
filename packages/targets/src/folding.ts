// Which locals an emitter writes inside their use: those used once, at the same loop depth, whose value may move there. A value
// that reads memory moves only past statements that write none.

import {
  blocksOf, eachOperand, eachStmt, primRow, walk, type Assign, type Expr, type Node, type Seq, type Stmt, type Var, type VarLike,
} from "@tilefoundry/ir";

/** Values of the locals that stand inside their use. */
export type Folded = ReadonlyMap<VarLike, Expr>;

export function foldedValues(body: Seq): Folded {
  const folding: Folding = { uses: new Map(), folded: new Map(), reading: new Set() };
  eachStmt(body, (stmt) => eachOperand(stmt, (e) => countUses(e, folding.uses)));
  foldBlock(body, folding);
  return folding.folded;
}

interface Folding {
  readonly uses: Map<VarLike, number>;
  readonly folded: Map<VarLike, Expr>;
  /** Locals whose value reads memory, itself or through what is folded into it. */
  readonly reading: Set<VarLike>;
}

/** Definitions of one block that await their use, until something ends their way. */
type Waiting = Map<Var, Assign>;

function countUses(e: Expr, uses: Map<VarLike, number>): void {
  walk(e, (node) => {
    if (node.kind === "Var" || node.kind === "IterArg") uses.set(node, (uses.get(node) ?? 0) + 1);
  });
}

function foldBlock(block: Seq, folding: Folding): void {
  const waiting: Waiting = new Map();
  for (const stmt of block.stmts) {
    takeUsed(stmt, waiting, folding, true);
    if (stmt.kind === "Assign" && isCandidate(stmt, folding)) {
      waiting.set(stmt.target, stmt);
      if (readsMemory(stmt.value, folding)) folding.reading.add(stmt.target);
    }
    const writes = hasEffect(stmt, "write");
    for (const inner of blocksOf(stmt)) {
      if (stmt.kind === "If") foldInto(inner, waiting, folding, !writes);
      foldBlock(inner, folding);
    }
    if (writes) for (const v of waiting.keys()) if (folding.reading.has(v)) waiting.delete(v);
    // a value does not move into a loop: it would be computed again and again
    if (stmt.kind === "For" || stmt.kind === "While") walk(stmt, (node) => node.kind === "Var" && waiting.delete(node));
  }
}

/** Waiting values that the statement itself evaluates are folded into it. */
function takeUsed(stmt: Stmt, waiting: Waiting, folding: Folding, withReads: boolean): void {
  if (waiting.size === 0) return;
  if (stmt.kind === "While") {
    // the condition runs in every iteration, the starts of the carries once
    for (const carry of stmt.carries) take(carry.init, waiting, folding, withReads);
  } else eachOperand(stmt, (e) => take(e, waiting, folding, withReads));
}

function take(e: Expr, waiting: Waiting, { folded, reading }: Folding, withReads: boolean): void {
  walk(e, (node) => {
    const found = node.kind === "Var" ? waiting.get(node) : undefined;
    if (found === undefined || (!withReads && reading.has(found.target))) return;
    folded.set(found.target, found.value);
    waiting.delete(found.target);
  });
}

/** A value may move into the branch that uses it, one that reads memory if no branch writes. */
function foldInto(block: Seq, waiting: Waiting, folding: Folding, withReads: boolean): void {
  if (waiting.size === 0) return;
  for (const stmt of block.stmts) {
    takeUsed(stmt, waiting, folding, withReads);
    if (stmt.kind === "If") for (const inner of blocksOf(stmt)) foldInto(inner, waiting, folding, withReads);
  }
}

function isCandidate({ target, value }: Assign, { uses }: Folding): boolean {
  const register = target.type.kind === "Scalar" || target.type.kind === "Vec";
  return register && uses.get(target) === 1 && !hasEffect(value, "write") && !hasEffect(value, "alloc");
}

function readsMemory(value: Expr, { reading }: Folding): boolean {
  let found = hasEffect(value, "read");
  walk(value, (node) => {
    if (node.kind === "Var" && reading.has(node)) found = true;
  });
  return found;
}

function hasEffect(node: Node, effect: "read" | "write" | "alloc"): boolean {
  let found = false;
  walk(node, (n) => {
    if (n.kind === "Prim" && primRow(n.op).effect === effect) found = true;
  });
  return found;
}
