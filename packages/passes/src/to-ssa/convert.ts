// Statements to SSA: every binding defines a new version; what meets at an `if` becomes its results, what goes around a loop its
// carries, in the order of flow.ts behind the authored ones. A statement that writes a buffer gives the newer handle a name.

import {
  assign, evaluate, ifThen, isRegister, isVarLike, mapChildren, sameList, seq, withParts, withStmts, yieldValues,
  type Expr, type For, type FunctionNode, type If, type IterArg, type Meta, type Names, type Nest, type Seq, type Stmt, type Var, type VarLike, type While,
} from "@tilefoundry/ir";
import type { Reporter } from "@tilefoundry/text";
import { spanOnly } from "../meta.ts";
import { writtenVariable, type Effects } from "../writes.ts";
import type { Flows } from "./flow.ts";
import type { Origins } from "./origins.ts";
import { checkParallel } from "./parallel.ts";
import { makeVersions, type Versions } from "./versions.ts";

export interface Conversion {
  readonly ops: Effects;
  readonly split: ReadonlySet<VarLike>;
  readonly flows: Flows;
  readonly versions: Versions;
  readonly origins: Origins;
  readonly reporter: Reporter;
  /** Indices and flags that lead the list of carries. */
  readonly lead: ReadonlySet<VarLike>;
}

export interface Converted {
  readonly body: Seq;
  readonly versions: Versions;
}

export function convert(fn: FunctionNode, body: Seq, names: Names, context: Omit<Conversion, "versions">): Converted {
  const versions = makeVersions(names, context.split);
  for (const { var: v } of [...fn.symbols, ...fn.params]) {
    versions.keep(v);
    if (context.split.has(v)) versions.set(v, v);
  }
  return { body: convertBlock(body, [], { ...context, versions }), versions };
}

/** `yielded` variables are handed on at the end of the block, behind what its author yields. */
function convertBlock(block: Seq, yielded: readonly VarLike[], c: Conversion): Seq {
  const joins = c.split.size === 0 ? NO_JOINS : c.flows.joins(block, new Set(yielded));
  const out: Stmt[] = [];
  for (const stmt of block.stmts) convertStmt(stmt, joins.get(stmt) ?? NONE, out, c);
  if (yielded.length > 0) addYield(out, yielded, c);
  return withStmts(block, out);
}

const NONE: readonly never[] = [];
const NO_JOINS: ReadonlyMap<Stmt, readonly VarLike[]> = new Map();

function addYield(out: Stmt[], yielded: readonly VarLike[], { versions }: Conversion): void {
  const last = out.at(-1)?.kind === "Yield" ? out.pop() : undefined;
  const values = yielded.map((v) => versions.value(v, out));
  out.push(yieldValues([...(last?.kind === "Yield" ? last.values : []), ...values], last?.meta));
}

function convertStmt(stmt: Stmt, joined: readonly VarLike[], out: Stmt[], c: Conversion): void {
  switch (stmt.kind) {
    case "Assign": return void out.push(convertAssign(stmt, out, c));
    case "Eval": return void out.push(convertEval(stmt, out, c));
    case "If": return convertIf(stmt, joined, out, c);
    case "For": return convertFor(stmt, joined, out, c);
    case "While": return convertWhile(stmt, joined, out, c);
    case "Nest": return convertNest(stmt, out, c);
    default: out.push(renamed(stmt, out, c));
  }
}

const renamed = <S extends Stmt>(stmt: S, out: Stmt[], { versions }: Conversion): S => mapChildren(stmt, (child) => versions.rename(child as Expr, out)); // no blocks here

function convertAssign(stmt: Extract<Stmt, { readonly kind: "Assign" }>, out: Stmt[], c: Conversion): Stmt {
  const value = c.versions.rename(stmt.value, out);
  const target = defined(stmt.target, c, stmt.meta, value.kind === "Const" || (isVarLike(value) && isRegister(value.type)));
  return target === stmt.target && value === stmt.value ? stmt : assign(target, value, stmt.meta);
}

function defined(v: Var, { versions, split }: Conversion, meta: Meta, passing = false): Var {
  return split.has(v) ? versions.define(v, spanOnly(meta), passing) : versions.keep(v);
}

function convertEval(stmt: Extract<Stmt, { readonly kind: "Eval" }>, out: Stmt[], c: Conversion): Stmt {
  const written = writtenVariable(stmt.expr, c.ops);
  const expr = c.versions.rename(stmt.expr, out);
  if (written !== undefined) return assign(c.versions.define(written, spanOnly(stmt.meta)), expr, stmt.meta);
  return expr === stmt.expr ? stmt : evaluate(expr, stmt.meta);
}

// — joins —

function convertIf(stmt: If, joined: readonly VarLike[], out: Stmt[], c: Conversion): void {
  const cond = c.versions.rename(stmt.cond, out);
  const rebound = [...c.flows.of(stmt).rebound.keys()];
  const before = rebound.map((v) => [v, c.versions.current(v)] as const);
  const then = convertBlock(stmt.then, joined, c);
  reset(before, c);
  const orElse = stmt.else === undefined && joined.length === 0 ? undefined : convertBlock(stmt.else ?? seq([]), joined, c);
  forget(stmt, c);
  const results = [...stmt.results.map((r) => defined(r, c, r.meta)), ...joined.map((v) => c.versions.define(v))];
  const same = cond === stmt.cond && then === stmt.then && orElse === stmt.else && sameList(results, stmt.results);
  out.push(same ? stmt : ifThen(cond, then, orElse, results, stmt.meta));
}

function reset(versionsBefore: readonly (readonly [VarLike, VarLike | undefined])[], { versions }: Conversion): void {
  for (const [v, version] of versionsBefore) versions.set(v, version);
}

// — loops —

function convertFor(stmt: For, joined: readonly VarLike[], out: Stmt[], c: Conversion): void {
  const { versions } = c;
  const carried = leadFirst(joined, c);
  const start = versions.rename(stmt.start, out);
  const stop = versions.rename(stmt.stop, out);
  const step = versions.rename(stmt.step, out);
  const starts = startValues(stmt, carried, out, c);
  checkParallel(stmt, joined, c.flows.of(stmt), (v) => originBefore(v, stmt, c) !== undefined, c.reporter);
  const loopVar = versions.keep(stmt.loopVar);
  const carries = enterLoop(stmt, carried, starts, c);
  const body = convertBlock(stmt.body, carried, c);
  const results = leaveLoop(stmt, carried, c);
  const sameRange = start === stmt.start && stop === stmt.stop && step === stmt.step && loopVar === stmt.loopVar;
  const same = sameRange && body === stmt.body && sameList(carries, stmt.carries) && sameList(results, stmt.results);
  out.push(same ? stmt : withParts(stmt, { start, stop, step, carries, loopVar, body, results }));
}

function convertWhile(stmt: While, joined: readonly VarLike[], out: Stmt[], c: Conversion): void {
  const carried = leadFirst(joined, c);
  const carries = enterLoop(stmt, carried, startValues(stmt, carried, out, c), c);
  const cond = c.versions.rename(stmt.cond, out);
  const body = convertBlock(stmt.body, carried, c);
  const results = leaveLoop(stmt, carried, c);
  const same = cond === stmt.cond && body === stmt.body && sameList(carries, stmt.carries) && sameList(results, stmt.results);
  out.push(same ? stmt : withParts(stmt, { carries, cond, body, results }));
}

function leadFirst(joined: readonly VarLike[], { lead }: Conversion): readonly VarLike[] {
  return joined.length < 2 ? joined : [...joined.filter((v) => lead.has(v)), ...joined.filter((v) => !lead.has(v))];
}

/** What the author's carries and the others begin with. */
function startValues(stmt: For | While, carried: readonly VarLike[], out: Stmt[], c: Conversion): readonly Expr[] {
  const starts = stmt.carries.map((carry) => c.versions.rename(carry.init, out));
  for (const v of carried) starts.push(startValue(v, stmt, out, c));
  return starts;
}

/** The carries of a loop, which stand for their variables in it. */
function enterLoop(stmt: For | While, carried: readonly VarLike[], starts: readonly Expr[], c: Conversion): readonly IterArg[] {
  forget(stmt, c);
  const carries = [...keptCarries(stmt.carries, starts, c)];
  for (const v of carried) carries.push(c.versions.carry(v, starts[carries.length] ?? v));
  return carries;
}

function leaveLoop(stmt: For | While, carried: readonly VarLike[], c: Conversion): readonly Var[] {
  forget(stmt, c);
  const results = stmt.results.map((r) => defined(r, c, r.meta));
  for (const v of carried) results.push(c.versions.define(v));
  return results;
}

/** No version of what a statement binds is sure to hold where it begins or ends. */
function forget(stmt: Stmt, { flows, versions }: Conversion): void {
  for (const v of flows.of(stmt).rebound.keys()) versions.set(v, undefined);
}

/** Before the loop: the value so far, or for a handle that the loop binds first the buffer that it belongs to. */
function startValue(v: VarLike, loop: Stmt, out: Stmt[], c: Conversion): Expr {
  const now = c.versions.current(v) ?? originBefore(v, loop, c);
  return now ?? c.versions.value(v, out);
}

function originBefore(v: VarLike, loop: Stmt, { origins, versions }: Conversion): VarLike | undefined {
  const origin = origins.before(v, loop, (at) => versions.current(at) !== undefined);
  return origin && versions.current(origin);
}

function keptCarries(carries: readonly IterArg[], inits: readonly Expr[], { versions }: Conversion): readonly IterArg[] {
  return carries.map((carry, i) => versions.keepCarry(carry, inits[i] ?? carry.init));
}

/** A nest hands nothing on but what its author carries: its iterations are independent, and it writes buffers, not handles. */
function convertNest(stmt: Nest, out: Stmt[], c: Conversion): void {
  const { versions } = c;
  const before = [...c.flows.of(stmt).rebound.keys()].map((v) => [v, versions.current(v)] as const);
  const extents = stmt.extents.map((e) => versions.rename(e, out));
  const inits = stmt.carries.map((carry) => versions.rename(carry.init, out));
  const axes = stmt.axes.map((axis) => versions.keep(axis));
  const carries = keptCarries(stmt.carries, inits, c);
  const body = convertBlock(stmt.body, [], c);
  reset(before, c);
  const results = stmt.results.map((r) => defined(r, c, r.meta));
  const sameRange = sameList(extents, stmt.extents) && sameList(axes, stmt.axes);
  const same = sameRange && body === stmt.body && sameList(carries, stmt.carries) && sameList(results, stmt.results);
  out.push(same ? stmt : withParts(stmt, { extents, carries, axes, body, results }));
}
