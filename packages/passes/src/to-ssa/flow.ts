// What each block does to the variables that may split: which it reads from before, which it binds on every way, and which on
// some way. From these, which variables meet at a join or go around a loop. Blocks have no jumps any more.

import { boundBy, definedBy, eachOperand, type For, type Nest, type Seq, type Stmt, type VarLike, type While } from "@tilefoundry/ir";
import { eachVariable, writtenVariable, type Effects } from "../writes.ts";
import type { Jumps } from "./structure.ts";

/** `written`: the buffer that the variable had before is written through it, so that its handle is threaded, read or not. */
export type Rebinding = "bound" | "written";

export interface Flow {
  /** Read before anything here binds them. */
  readonly exposed: ReadonlySet<VarLike>;
  /** Bound on every way through. */
  readonly bound: ReadonlySet<VarLike>;
  /** Bound on some way, by first binding in the text. */
  readonly rebound: ReadonlyMap<VarLike, Rebinding>;
  /** Of a loop: what an iteration may read from the one before. */
  readonly around: ReadonlySet<VarLike>;
}

export interface Flows {
  /** Of an `if` or a loop. */
  of(stmt: Stmt): Flow;
  /** For each `if` and loop of a block, the variables that it binds and that are needed after it (or around it), in order. */
  joins(block: Seq, liveOut: ReadonlySet<VarLike>): ReadonlyMap<Stmt, readonly VarLike[]>;
}

interface Builder {
  readonly exposed: Set<VarLike>;
  readonly bound: Set<VarLike>;
  readonly rebound: Map<VarLike, Rebinding>;
  /** Bound to something that is no write through what was there. */
  readonly replaced: Set<VarLike>;
  /** Bound on every way that does not jump away. */
  readonly settled: Set<VarLike>;
  /** Every way jumps away. */
  left: boolean;
}

interface Analysis {
  readonly split: ReadonlySet<VarLike>;
  readonly ops: Effects;
  /** Loop variables of loops that surely run. */
  readonly running: ReadonlySet<VarLike>;
  readonly jumps: Jumps;
  readonly known: Map<Stmt, Flow & Builder>;
}

const NONE: ReadonlySet<VarLike> = new Set();

export function analyseFlow(body: Seq, context: Omit<Analysis, "known">): Flows {
  const analysis: Analysis = { ...context, known: new Map() };
  ofBlock(body, analysis);
  return {
    of: (stmt) => analysis.known.get(stmt) ?? { ...empty(), around: NONE },
    joins: (block, liveOut) => joinsOf(block, liveOut, analysis),
  };
}

const empty = (): Builder => ({ exposed: new Set(), bound: new Set(), rebound: new Map(), replaced: new Set(), settled: new Set(), left: false });

function ofBlock(block: Seq, analysis: Analysis): Builder {
  const total = empty();
  for (const stmt of block.stmts) {
    if (total.left) break;
    then(total, ofStmt(stmt, analysis), analysis.jumps.guards.has(stmt));
  }
  return total;
}

/** Adds what comes next. A guarded statement runs only after ways that did not jump away. */
function then(total: Builder, next: Builder, guarded: boolean): void {
  const known = guarded ? total.settled : total.bound;
  for (const v of next.exposed) if (!known.has(v)) total.exposed.add(v);
  for (const [v, how] of next.rebound) note(total, v, how === "written" && !total.replaced.has(v) ? "written" : "bound");
  for (const v of next.bound) total.bound.add(v);
  for (const v of next.replaced) total.replaced.add(v);
  for (const v of next.settled) total.settled.add(v);
  total.left ||= next.left;
}

function note({ rebound }: Builder, v: VarLike, how: Rebinding): void {
  if (how === "written" || !rebound.has(v)) rebound.set(v, how);
}

function ofStmt(stmt: Stmt, analysis: Analysis): Builder {
  switch (stmt.kind) {
    case "If": return remember(stmt, { ...ofIf(stmt, analysis), around: NONE }, analysis);
    case "For":
    case "While":
    case "Nest": return remember(stmt, ofLoop(stmt, analysis), analysis);
    default: return { ...ofSimple(stmt, analysis), left: analysis.jumps.leaves.has(stmt) };
  }
}

function remember(stmt: Stmt, flow: Flow & Builder, { known }: Analysis): Builder {
  known.set(stmt, flow);
  return flow;
}

function ofSimple(stmt: Stmt, { split, ops }: Analysis): Builder {
  const flow = empty();
  eachOperand(stmt, (operand) => eachVariable(operand, (v) => split.has(v) && flow.exposed.add(v)));
  const written = stmt.kind === "Assign" ? writtenVariable(stmt.value, ops) : stmt.kind === "Eval" ? writtenVariable(stmt.expr, ops) : undefined;
  if (stmt.kind === "Eval" && written !== undefined && split.has(written)) bind(flow, written, true);
  for (const v of definedBy(stmt)) if (split.has(v)) bind(flow, v, v === written);
  return flow;
}

function bind(flow: Builder, v: VarLike, through: boolean): void {
  flow.bound.add(v);
  flow.settled.add(v);
  flow.rebound.set(v, through ? "written" : "bound");
  if (!through) flow.replaced.add(v);
}

/** What every iteration of a loop that surely runs binds. */
function bindAll(flow: Builder, body: Builder, own: ReadonlySet<VarLike>): void {
  for (const v of body.bound) {
    if (own.has(v)) continue;
    flow.bound.add(v);
    flow.settled.add(v);
  }
  for (const v of body.replaced) if (!own.has(v)) flow.replaced.add(v);
}

function ofIf(stmt: Extract<Stmt, { readonly kind: "If" }>, analysis: Analysis): Builder {
  const flow = ofOperands(stmt, analysis);
  const yes = ofBlock(stmt.then, analysis);
  const no = stmt.else === undefined ? empty() : ofBlock(stmt.else, analysis);
  for (const branch of [yes, no]) {
    for (const v of branch.exposed) flow.exposed.add(v);
    for (const [v, how] of branch.rebound) note(flow, v, how);
  }
  for (const v of yes.bound) if (no.bound.has(v)) flow.bound.add(v);
  for (const v of yes.replaced) if (no.replaced.has(v)) flow.replaced.add(v);
  settle(flow, yes, analysis.jumps.guards.has(stmt) ? { ...no, left: true } : no);
  for (const v of stmt.results) if (analysis.split.has(v)) bind(flow, v, false);
  return flow;
}

/** What either branch settles, if only one goes on that branch alone. */
function settle(flow: Builder, yes: Builder, no: Builder): void {
  flow.left = yes.left && no.left;
  for (const v of yes.left ? no.settled : yes.settled) if (yes.left || no.left || no.settled.has(v)) flow.settled.add(v);
}

function ofOperands(stmt: Stmt, { split }: Analysis): Builder {
  const flow = empty();
  eachOperand(stmt, (operand) => eachVariable(operand, (v) => split.has(v) && flow.exposed.add(v)));
  return flow;
}

function ofLoop(stmt: For | While | Nest, analysis: Analysis): Flow & Builder {
  const flow = ofOperands(stmt, analysis);
  const body = ofBlock(stmt.body, analysis);
  const own = new Set<VarLike>(boundBy(stmt));
  const around = new Set(body.exposed);
  if (stmt.kind === "While") eachVariable(stmt.cond, (v) => analysis.split.has(v) && around.add(v));
  for (const v of body.exposed) if (!own.has(v)) flow.exposed.add(v);
  for (const [v, how] of body.rebound) if (!own.has(v)) note(flow, v, how);
  if (stmt.kind === "For" && analysis.running.has(stmt.loopVar)) bindAll(flow, body, own);
  for (const v of stmt.results) if (analysis.split.has(v)) bind(flow, v, false);
  return { ...flow, around };
}

function joinsOf(block: Seq, liveOut: ReadonlySet<VarLike>, analysis: Analysis): ReadonlyMap<Stmt, readonly VarLike[]> {
  const joins = new Map<Stmt, readonly VarLike[]>();
  const live = new Set(liveOut);
  let past: ReadonlySet<VarLike> | undefined;
  for (const stmt of block.stmts.toReversed()) {
    const nested = analysis.known.get(stmt);
    const flow = nested ?? ofSimple(stmt, analysis);
    if (nested !== undefined) joins.set(stmt, meeting(stmt, nested, live));
    for (const v of flow.bound) live.delete(v);
    // only the guard reads it: ways that jump away need no value
    if (past !== undefined) for (const v of flow.settled) if (!past.has(v)) live.delete(v);
    past = analysis.jumps.guards.has(stmt) ? new Set(live) : undefined;
    for (const v of flow.exposed) live.add(v);
  }
  return joins;
}

function meeting(stmt: Stmt, { rebound, around }: Flow, live: ReadonlySet<VarLike>): readonly VarLike[] {
  const own = new Set<VarLike>(definedBy(stmt));
  return [...rebound].filter(([v, how]) => !own.has(v) && (how === "written" || live.has(v) || around.has(v))).map(([v]) => v);
}
