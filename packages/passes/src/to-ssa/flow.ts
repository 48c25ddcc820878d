// What each block does to the variables that may split: which it reads from before, which it binds on every way, and which on
// some way. From these, which variables meet at a join or go around a loop. Blocks have no jumps any more.

import { boundBy, definedBy, eachOperand, type Expr, type For, type Nest, type Seq, type Stmt, type VarLike, type While } from "@tilefoundry/ir";
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

/** For `if`s and loops of a block, the variables that they bind and that are needed after them (or around them), in order. */
export type Joins = ReadonlyMap<Stmt, readonly VarLike[]>;

export interface Flows {
  /** Of an `if` or a loop. */
  of(stmt: Stmt): Flow;
  joins(block: Seq, liveOut: ReadonlySet<VarLike>): Joins;
}

interface Builder extends Flow {
  readonly exposed: Set<VarLike>;
  readonly bound: Set<VarLike>;
  readonly rebound: Map<VarLike, Rebinding>;
  /** Bound to something that is no write through what was there. */
  readonly replaced: Set<VarLike>;
  /** Bound on every way that does not jump away. */
  readonly settled: Set<VarLike>;
  around: ReadonlySet<VarLike>;
  /** Every way jumps away. */
  left: boolean;
}

interface Analysis {
  readonly split: ReadonlySet<VarLike>;
  readonly ops: Effects;
  /** Loop variables of loops that surely run. */
  readonly running: ReadonlySet<VarLike>;
  readonly jumps: Jumps;
  /** Statements that read or bind a variable that may split; what is nested behind a jump is left out. */
  readonly known: Map<Stmt, Builder>;
  /** Notes what an operand reads: one function for all statements. */
  readonly read: (operand: Expr) => void;
  /** Of the statement at hand, if it reads anything. */
  reading: Builder | undefined;
}

const NONE: ReadonlySet<VarLike> = new Set();

const empty = (): Builder => ({ exposed: new Set(), bound: new Set(), rebound: new Map(), replaced: new Set(), settled: new Set(), around: NONE, left: false });

/** Of a statement that neither reads nor binds such variables. */
const NOTHING: Flow = empty();

export function analyseFlow(body: Seq, context: Pick<Analysis, "split" | "ops" | "running" | "jumps">): Flows {
  const note = (v: VarLike): void => {
    if (context.split.has(v)) (analysis.reading ??= empty()).exposed.add(v);
  };
  const analysis: Analysis = { ...context, known: new Map(), read: (operand) => eachVariable(operand, note), reading: undefined };
  ofBlock(body, analysis);
  return {
    of: (stmt) => analysis.known.get(stmt) ?? NOTHING,
    joins: (block, liveOut) => joinsOf(block, liveOut, analysis),
  };
}

function ofBlock(block: Seq, analysis: Analysis): Builder {
  const total = empty();
  for (const stmt of block.stmts) {
    if (total.left && isNested(stmt)) continue;
    const next = ofStmt(stmt, analysis);
    if (next === undefined) continue;
    analysis.known.set(stmt, next);
    if (!total.left) then(total, next, analysis.jumps.guards.has(stmt));
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

function ofStmt(stmt: Stmt, analysis: Analysis): Builder | undefined {
  switch (stmt.kind) {
    case "If": return ofIf(stmt, analysis);
    case "For":
    case "While":
    case "Nest": return ofLoop(stmt, analysis);
    default: return ofSimple(stmt, analysis);
  }
}

/** What a statement itself reads; undefined if that is nothing. */
function reading(stmt: Stmt, analysis: Analysis): Builder | undefined {
  analysis.reading = undefined;
  eachOperand(stmt, analysis.read);
  return analysis.reading;
}

function ofSimple(stmt: Stmt, analysis: Analysis): Builder | undefined {
  const { split, ops, jumps } = analysis;
  let flow = reading(stmt, analysis);
  const written = stmt.kind === "Assign" ? writtenVariable(stmt.value, ops) : stmt.kind === "Eval" ? writtenVariable(stmt.expr, ops) : undefined;
  if (stmt.kind === "Eval" && written !== undefined && split.has(written)) bind((flow ??= empty()), written, true);
  for (const v of definedBy(stmt)) if (split.has(v)) bind((flow ??= empty()), v, v === written);
  if (jumps.leaves.has(stmt)) (flow ??= empty()).left = true;
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
  const flow = reading(stmt, analysis) ?? empty();
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

function ofLoop(stmt: For | While | Nest, analysis: Analysis): Builder {
  const flow = reading(stmt, analysis) ?? empty();
  const body = ofBlock(stmt.body, analysis);
  const own = new Set<VarLike>(boundBy(stmt));
  const around = new Set(body.exposed);
  if (stmt.kind === "While") eachVariable(stmt.cond, (v) => analysis.split.has(v) && around.add(v));
  for (const v of body.exposed) if (!own.has(v)) flow.exposed.add(v);
  for (const [v, how] of body.rebound) if (!own.has(v)) note(flow, v, how);
  if (stmt.kind === "For" && analysis.running.has(stmt.loopVar)) bindAll(flow, body, own);
  for (const v of stmt.results) if (analysis.split.has(v)) bind(flow, v, false);
  flow.around = around;
  return flow;
}

const NO_JOINS: Joins = new Map();

function joinsOf(block: Seq, liveOut: ReadonlySet<VarLike>, analysis: Analysis): Joins {
  let joins: Map<Stmt, readonly VarLike[]> | undefined;
  const live = new Set(liveOut);
  let past: ReadonlySet<VarLike> | undefined;
  for (let i = block.stmts.length - 1; i >= 0; i--) {
    const stmt = block.stmts[i] as Stmt; // within bounds
    const known = analysis.known.get(stmt);
    if (known !== undefined && isNested(stmt)) (joins ??= new Map()).set(stmt, meeting(stmt, known, live));
    const flow = known ?? (isNested(stmt) ? ofSimple(stmt, analysis) : undefined);
    if (flow === undefined) {
      past = undefined;
      continue;
    }
    for (const v of flow.bound) live.delete(v);
    // only the guard reads it: ways that jump away need no value
    if (past !== undefined) for (const v of flow.settled) if (!past.has(v)) live.delete(v);
    past = analysis.jumps.guards.has(stmt) ? new Set(live) : undefined;
    for (const v of flow.exposed) live.add(v);
  }
  return joins ?? NO_JOINS;
}

const isNested = (stmt: Stmt): boolean => stmt.kind === "If" || stmt.kind === "For" || stmt.kind === "While" || stmt.kind === "Nest";

function meeting(stmt: Stmt, { rebound, around }: Flow, live: ReadonlySet<VarLike>): readonly VarLike[] {
  const own = definedBy(stmt);
  const joined: VarLike[] = [];
  for (const [v, how] of rebound) if (!own.includes(v) && (how === "written" || live.has(v) || around.has(v))) joined.push(v);
  return joined;
}
