// Which locals an emitter writes inside their use: those used once, at the same loop depth, whose value may move there. A value
// that reads memory moves only past statements that write none.

import {
  blocksOf, eachChild, eachOperand, primRow, walk, type Assign, type Expr, type Node, type Seq, type Stmt, type Var, type VarLike,
} from "@tilefoundry/ir";

/** Values of the locals that stand inside their use. */
export type Folded = ReadonlyMap<VarLike, Expr>;

export function foldedValues(body: Seq): Folded {
  const folding: Folding = { uses: new Map(), effects: new Map(), folded: new Map(), reading: new Set() };
  summarize(body, folding);
  foldBlock(body, folding);
  return folding.folded;
}

interface Folding {
  readonly uses: Map<VarLike, number>;
  /** What statements and values do, with all that is in them. */
  readonly effects: Map<Node, Effects>;
  readonly folded: Map<VarLike, Expr>;
  /** Locals whose value reads memory, itself or through what is folded into it. */
  readonly reading: Set<VarLike>;
}

/** Definitions of one block that await their use, until something ends their way. */
type Waiting = Map<Var, Assign>;

/** A set of bits. */
type Effects = number;
const READS = 1;
const WRITES = 2;
const EFFECTS = { none: 0, read: READS, write: WRITES, alloc: WRITES } as const;

/** Counts the uses of variables and finds the effects of every statement and its values. */
function summarize(node: Node, folding: Folding): Effects {
  let effects: Effects = node.kind === "Prim" ? EFFECTS[primRow(node.op).effect] : 0;
  eachChild(node, (child, role) => {
    if (role === "use" || role === "uses" || role === "inner") effects |= summarizeUse(child, folding);
    else if (child.kind === "IterArg" && role === "binds") effects |= summarizeUse(child.init, folding);
    else if (child.kind !== "Var" && child.kind !== "IterArg") effects |= summarize(child, folding);
  });
  folding.effects.set(node, effects);
  return effects;
}

function summarizeUse(used: Node, folding: Folding): Effects {
  if (used.kind !== "Var" && used.kind !== "IterArg") return summarize(used, folding);
  folding.uses.set(used, (folding.uses.get(used) ?? 0) + 1);
  return 0;
}

function foldBlock(block: Seq, folding: Folding): void {
  const waiting: Waiting = new Map();
  for (const stmt of block.stmts) {
    takeUsed(stmt, waiting, folding, true);
    if (stmt.kind === "Assign" && isCandidate(stmt, folding)) {
      waiting.set(stmt.target, stmt);
      if (readsMemory(stmt.value, folding)) folding.reading.add(stmt.target);
    }
    const writes = does(WRITES, stmt, folding.effects);
    for (const inner of blocksOf(stmt)) {
      if (stmt.kind === "If") foldInto(inner, waiting, folding, !writes);
      foldBlock(inner, folding);
    }
    if (writes) for (const v of waiting.keys()) if (folding.reading.has(v)) waiting.delete(v);
    // a value does not move into a loop: it would be computed again and again
    if (waiting.size > 0 && (stmt.kind === "For" || stmt.kind === "While")) walk(stmt, (node) => node.kind === "Var" && waiting.delete(node));
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

function isCandidate({ target, value }: Assign, { uses, effects }: Folding): boolean {
  const register = target.type.kind === "Scalar" || target.type.kind === "Vec";
  return register && uses.get(target) === 1 && !does(WRITES, value, effects);
}

function readsMemory(value: Expr, { effects, reading }: Folding): boolean {
  let found = does(READS, value, effects);
  if (!found && reading.size > 0) walk(value, (node) => (found ||= node.kind === "Var" && reading.has(node)));
  return found;
}

const does = (effect: Effects, node: Node, effects: ReadonlyMap<Node, Effects>): boolean => ((effects.get(node) ?? 0) & effect) !== 0;
