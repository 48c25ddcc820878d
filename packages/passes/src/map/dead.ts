// What nobody observes goes: stores to buffers that are not loaded, their allocations, pure scalars that are not used, and nests and
// loops that are left without effect.

import {
  bodyOf, eachChild, isVarLike, mapChildren,
  type Expr, type FunctionNode, type Seq, type Stmt, type VarLike,
} from "@tilefoundry/ir";
import { accessOf, effectsOf } from "./effects.ts";
import { countAccesses, allocated } from "./mapping.ts";

/** The buffers a function allocates and never loads from. */
function unreadBuffers(body: Seq, local: ReadonlySet<VarLike>): ReadonlySet<VarLike> {
  const { loads } = countAccesses(body.stmts);
  return new Set([...local].filter((buffer) => !loads.has(buffer)));
}

/** Drops stores to local buffers that are never read, until none is left, then unused scalars and empty statements. */
export function dropDead(body: Seq, local: ReadonlySet<VarLike>): Seq {
  for (let current = body; ; ) {
    const next = sweepBlock(current, unreadBuffers(current, local), new Set());
    if (next === current) return current;
    current = next;
  }
}

/** Backwards, so that what only dead statements used is dead too. `uses` collects the variables used further down or inside. */
function sweepBlock(block: Seq, unread: ReadonlySet<VarLike>, uses: Set<VarLike>): Seq {
  const kept: Stmt[] = [];
  for (const stmt of [...block.stmts].reverse()) {
    const next = sweepStmt(stmt, unread, uses);
    if (next === undefined) continue;
    for (const v of effectsOf(next).uses) uses.add(v);
    kept.push(next);
  }
  kept.reverse();
  const same = kept.length === block.stmts.length && kept.every((s, i) => s === block.stmts[i]);
  return same ? block : { ...block, stmts: kept };
}

function sweepStmt(stmt: Stmt, unread: ReadonlySet<VarLike>, uses: Set<VarLike>): Stmt | undefined {
  if (stmt.kind === "Assign") return uses.has(stmt.target) || !isPure(stmt.value) ? stmt : undefined;
  if (stmt.kind === "Eval") {
    const access = accessOf(stmt.expr);
    return access?.writes === true && unread.has(access.buffer) ? undefined : stmt;
  }
  const swept = mapChildren(stmt, (child, role) => (role === "body" ? sweepBlock(child as Seq, unread, uses) : child)); // a body is a block
  return isIdle(swept, uses) ? undefined : swept;
}

/** A loop, nest or `if` that writes nothing and whose results nobody uses; a `while` stays, since it may not end. */
function isIdle(stmt: Stmt, uses: ReadonlySet<VarLike>): boolean {
  if (stmt.kind !== "For" && stmt.kind !== "Nest" && stmt.kind !== "If") return false;
  const { writes, defines } = effectsOf(stmt);
  return writes.size === 0 && !defines.some((v) => uses.has(v)) && !holdsWhile(stmt);
}

function holdsWhile(stmt: Stmt): boolean {
  let found = stmt.kind === "While";
  eachChild(stmt, (child, role) => {
    if (!found && role === "body") found = (child as Seq).stmts.some(holdsWhile); // a body is a block
  });
  return found;
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
      else eachChild(stmt, (child, role) => {
        if (role === "body") collect(child as Seq); // a body is a block
      });
    }
  };
  const body = bodyOf(f);
  if (body !== undefined) collect(body);
  return local;
}
