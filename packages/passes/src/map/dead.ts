// What nobody observes goes: stores to buffers that are not loaded, their allocations, pure scalars that are not used, and nests and
// loops that are left without effect.

import { blocksOf, bodyOf, isVarLike, mapBlocks, type Expr, type FunctionNode, type Seq, type Stmt, type VarLike } from "@tilefoundry/ir";
import { accessOf, effectsOf } from "./effects.ts";
import { allocated } from "./mapping.ts";

/** Drops stores to local buffers that nobody reads afterwards, unused scalars, and statements left empty; until nothing more goes. */
export function dropDead(body: Seq, local: ReadonlySet<VarLike>): Seq {
  for (let current = body; ; ) {
    const next = sweepBlock(current, { local, uses: new Set(), loaded: new Set() });
    if (next === current) return current;
    current = next;
  }
}

/** What is used further down, and in later iterations of the loops around. */
interface Later {
  readonly local: ReadonlySet<VarLike>;
  readonly uses: Set<VarLike>;
  /** Buffers that are loaded from. */
  readonly loaded: Set<VarLike>;
}

/** Backwards, so that what only dead statements used is dead too. */
function sweepBlock(block: Seq, later: Later): Seq {
  const kept: Stmt[] = [];
  for (const stmt of [...block.stmts].reverse()) {
    const next = sweepStmt(stmt, later);
    if (next === undefined) continue;
    const { uses, reads } = effectsOf(next);
    for (const v of uses) later.uses.add(v);
    for (const buffer of reads) later.loaded.add(buffer);
    kept.push(next);
  }
  kept.reverse();
  const same = kept.length === block.stmts.length && kept.every((s, i) => s === block.stmts[i]);
  return same ? block : { ...block, stmts: kept };
}

function sweepStmt(stmt: Stmt, later: Later): Stmt | undefined {
  if (stmt.kind === "Assign") return later.uses.has(stmt.target) || !isPure(stmt.value) ? stmt : undefined;
  if (stmt.kind === "Eval") {
    const access = accessOf(stmt.expr);
    return access?.writes === true && later.local.has(access.buffer) && !later.loaded.has(access.buffer) ? undefined : stmt;
  }
  // what a loop reads anywhere, it may read in its next iteration
  if (stmt.kind !== "If") for (const buffer of effectsOf(stmt).reads) later.loaded.add(buffer);
  const swept = mapBlocks(stmt, (inner) => sweepBlock(inner, later));
  return isIdle(swept, later.uses) ? undefined : swept;
}

/** A loop, nest or `if` that writes nothing and whose results nobody uses; a `while` stays, since it may not end. */
function isIdle(stmt: Stmt, uses: ReadonlySet<VarLike>): boolean {
  if (stmt.kind !== "For" && stmt.kind !== "Nest" && stmt.kind !== "If") return false;
  const { writes, defines } = effectsOf(stmt);
  return writes.size === 0 && !defines.some((v) => uses.has(v)) && !holdsWhile(stmt);
}

function holdsWhile(stmt: Stmt): boolean {
  return stmt.kind === "While" || blocksOf(stmt).some((inner) => inner.stmts.some(holdsWhile));
}

/** Loads and allocations are pure here: dropping one changes nothing. */
const isPure = (e: Expr): boolean => isVarLike(e) || e.kind === "Const" || (e.kind === "Prim" && e.op !== "store" && e.args.every(isPure));

/** Variables that the body of a function binds to an allocation. */
export function allocatedIn(f: FunctionNode): Set<VarLike> {
  const local = new Set<VarLike>();
  const collect = (block: Seq): void => {
    for (const stmt of block.stmts) {
      const buffer = allocated(stmt);
      if (buffer !== undefined) local.add(buffer);
      for (const inner of blocksOf(stmt)) collect(inner);
    }
  };
  const body = bodyOf(f);
  if (body !== undefined) collect(body);
  return local;
}
