// What nobody observes goes: stores to buffers that are not loaded, their allocations, pure scalars that are not used, and nests and
// loops that are left without effect.

import { blocksOf, eachOperand, isVarLike, mapBlocks, type Expr, type For, type If, type Nest, type Seq, type Stmt, type VarLike, type While } from "@tilefoundry/ir";
import { eachLoad, storedTo } from "./effects.ts";

/** Drops stores to local buffers that nobody reads afterwards, unused scalars, and statements left empty; until nothing more goes. */
export function dropDead(body: Seq, local: ReadonlySet<VarLike>): Seq {
  for (let current = body; ; ) {
    const sweep: Sweep = { local, used: new Set(), loads: new Map(), stored: new Set(), effects: 0, inLoop: false, again: false };
    current = sweepBlock(current, sweep);
    if (!sweep.again) return current;
  }
}

interface Sweep {
  readonly local: ReadonlySet<VarLike>;
  /** Scalars that are used further down. */
  readonly used: Set<VarLike>;
  /** By buffer the loads further down; those in a loop count for all of it, since it may load again what it stored. */
  readonly loads: Map<VarLike, number>;
  /** Local buffers of which stores were kept. */
  readonly stored: Set<VarLike>;
  /** Number of stores that were kept. */
  effects: number;
  inLoop: boolean;
  /** Whether what was kept for the sake of something may go after all. */
  again: boolean;
}

/** Backwards, so that what only dead statements used is dead too. */
function sweepBlock(block: Seq, sweep: Sweep): Seq {
  const { stmts } = block;
  let kept: Stmt[] | undefined;
  for (let at = stmts.length - 1; at >= 0; at--) {
    const stmt = stmts[at] as Stmt; // within the length
    const next = sweepStmt(stmt, sweep);
    if (next === stmt && kept === undefined) continue;
    kept ??= stmts.slice(at + 1).reverse();
    if (next !== undefined) kept.push(next);
  }
  return kept === undefined ? block : { ...block, stmts: kept.reverse() };
}

function sweepStmt(stmt: Stmt, sweep: Sweep): Stmt | undefined {
  switch (stmt.kind) {
    case "Assign": return sweep.used.has(stmt.target) || isLoaded(sweep, stmt.target) || !isPure(stmt.value) ? keep(stmt, sweep) : drop(stmt, sweep);
    case "Eval": return sweepEffect(stmt, storedTo(stmt.expr), sweep);
    case "If": return sweepCompound(stmt, sweep);
    case "For":
    case "While":
    case "Nest": return sweepLoop(stmt, sweep);
    default: return keep(stmt, sweep);
  }
}

function sweepEffect(stmt: Stmt, buffer: VarLike | undefined, sweep: Sweep): Stmt | undefined {
  if (buffer === undefined) return keep(stmt, sweep);
  if (sweep.local.has(buffer)) {
    if (!isLoaded(sweep, buffer)) return drop(stmt, sweep);
    sweep.stored.add(buffer);
  }
  sweep.effects++;
  return keep(stmt, sweep);
}

function sweepLoop(loop: For | While | Nest, sweep: Sweep): Stmt | undefined {
  if (sweep.inLoop) return sweepCompound(loop, sweep);
  eachLoad(loop, (buffer) => addLoads(sweep, buffer, 1));
  sweep.inLoop = true;
  const swept = sweepCompound(loop, sweep);
  sweep.inLoop = false;
  return swept;
}

/** It goes if it writes nothing and nobody uses its results; a `while` stays, since it may not end. */
function sweepCompound(stmt: If | For | While | Nest, sweep: Sweep): Stmt | undefined {
  const { effects } = sweep;
  const swept = mapBlocks(stmt, (inner) => sweepBlock(inner, sweep));
  const isIdle = sweep.effects === effects && !swept.results.some((v) => sweep.used.has(v)) && !holdsWhile(swept);
  if (!isIdle) return keep(swept, sweep);
  if (!blocksOf(swept).every(isEmpty)) sweep.again = true; // what it holds was kept for its sake
  return drop(swept, sweep);
}

const isEmpty = ({ stmts }: Seq): boolean => stmts.length === 0;

function holdsWhile(stmt: Stmt): boolean {
  return stmt.kind === "While" || blocksOf(stmt).some((inner) => inner.stmts.some(holdsWhile));
}

function keep(stmt: Stmt, sweep: Sweep): Stmt {
  eachOperand(stmt, (e) => use(e, sweep));
  return stmt;
}

function use(e: Expr, sweep: Sweep): void {
  if (isVarLike(e)) sweep.used.add(e);
  if (e.kind !== "Prim") return;
  const [first] = e.args;
  const buffer = (e.op === "load" || e.op === "store") && first !== undefined && isVarLike(first) ? first : undefined;
  if (buffer !== undefined && e.op === "load" && !sweep.inLoop) addLoads(sweep, buffer, 1);
  for (let i = buffer === undefined ? 0 : 1; i < e.args.length; i++) use(e.args[i] as Expr, sweep); // within the length
}

/** What it loads in a loop is loaded once less. */
function drop(stmt: Stmt, sweep: Sweep): undefined {
  if (!sweep.inLoop) return;
  eachLoad(stmt, (buffer) => {
    addLoads(sweep, buffer, -1);
    if (sweep.stored.has(buffer) && !isLoaded(sweep, buffer)) sweep.again = true;
  });
}

const isLoaded = ({ loads }: Sweep, buffer: VarLike): boolean => (loads.get(buffer) ?? 0) > 0;

function addLoads({ loads }: Sweep, buffer: VarLike, by: number): void {
  loads.set(buffer, (loads.get(buffer) ?? 0) + by);
}

/** Loads and allocations are pure here: dropping one changes nothing. */
const isPure = (e: Expr): boolean => isVarLike(e) || e.kind === "Const" || (e.kind === "Prim" && e.op !== "store" && e.args.every(isPure));
