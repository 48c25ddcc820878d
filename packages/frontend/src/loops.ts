// `for` in all its forms: counted loops, nests, and `pl.while_`. A name that the body assigns although the loop binds it gets a
// variable of its own, which begins as the loop's.

import type { ForStmt, SStmt } from "@tilefoundry/grammar";
import {
  assign, forLoop, indexConst, INDEX, isLess, iterArg, loopBounds, nest, reduceNest, scopeRegion, seq, toDim, variable, whileLoop, withBounds,
  compatible, type Dim, type Expr, type Facts, type IterArg, type LoopMode, type Seq, type Stmt, type Var,
} from "@tilefoundry/ir";
import { showType } from "@tilefoundry/ops";
import { counted, needed, place as placeOf } from "./complaints.ts";
import { condition } from "./condition.ts";
import { bound, openEnv, silence, type Buffer } from "./env.ts";
import { bufferOf } from "./handles.ts";
import { toIndex } from "./index-value.ts";
import { toExpr } from "./literal.ts";
import { localFor } from "./locals.ts";
import { dismiss, leaveLoop } from "./loop-flow.ts";
import { hintOf, levelOf, loopHeader, loopNames, stagesOf, type LoopHeader, type LoopNames } from "./loop-header.ts";
import { assignedIn, targetNames } from "./names-in.ts";
import type { LoopFrame, LowerBlock, Place } from "./place.ts";
import { refuseAsync, refuseOrElse } from "./refuse.ts";
import { within } from "./scope.ts";
import { itemsOf, knownOf, unknownExpr } from "./value.ts";
import { yieldSlot, type ResultName, type Yielded } from "./yield-slot.ts";
import { bindResults, isMember } from "./yields.ts";

export function forStatement(s: ForStmt, place: Place, lower: LowerBlock): readonly Stmt[] {
  if (s.async) refuseAsync(s.span, place.reporter);
  if (s.orelse !== undefined) refuseOrElse("for", s.orelse.span, place.reporter);
  const header = loopHeader(s.iterable, place);
  if (header === undefined) return broken(s, place, lower);
  if (header.form === "while") return carriedWhile(s, header, place, lower);
  if (header.form === "spmd") return blockLoop(s, header, place, lower);
  if (header.form === "nest") return nestLoop(s, header, place, lower);
  return countedLoop(s, header, header.form === "tile" ? "sequential" : header.form, place, lower);
}

/** The body of a loop whose header is wrong is read for its own errors; its names stay silent. */
function broken(s: ForStmt, place: Place, lower: LowerBlock): readonly Stmt[] {
  const body = openEnv(place.env, true);
  for (const { name } of targetNames(s.target)) body.own.set(name, { kind: "poisoned" });
  const frame: LoopFrame = { word: "for", span: s.iterable.span, fixed: undefined, body, breaks: [], continues: [] };
  lower(s.body, within(place, body, place.facts, frame), yieldSlot());
  for (const name of [...targetNames(s.target).map((t) => t.name), ...assignedIn(s.body)]) silence(place.env, name);
  return [];
}

// — counted loops —

/** Whether a loop runs at least once, by what is known of its bounds. */
function runs(start: Dim | undefined, stop: Dim | undefined, step: Dim | undefined, facts: Facts): boolean {
  if (start === undefined || stop === undefined || typeof step !== "number") return false;
  return step > 0 ? isLess(facts, start, stop) : isLess(facts, stop, start);
}

interface Range {
  readonly start: Expr;
  readonly stop: Expr;
  readonly step: Expr;
}

function countedLoop(s: ForStmt, header: LoopHeader, mode: LoopMode, place: Place, lower: LowerBlock): readonly Stmt[] {
  const range = rangeOf(header, mode, place);
  const stages = stagesOf(header, place);
  const level = levelOf(header, place);
  const names = loopNames(s, header, 1, place);
  if (names === undefined || range === undefined) return broken(s, place, lower);
  const loop = openLoop(s, header, names, mode, place);
  const [loopVar] = loop.variables;
  if (loopVar === undefined) return [];
  const start = toDim(range.start);
  const stop = toDim(range.stop);
  const step = toDim(range.step);
  const facts = typeof step === "number" && step !== 0 ? withBounds(place.facts, loopVar, loopBounds(start, stop, step)) : place.facts;
  const certain = runs(start, stop, step, place.facts);
  const done = closeLoop(s, loop, { facts, certain, isParallel: mode === "parallel" }, place, lower);
  if (done === undefined) return [];
  return [forLoop({ loopVar, ...range, mode, level, stages, carries: loop.carries, body: done.body, results: done.results }, { span: s.span })];
}

function rangeOf({ bound, span }: LoopHeader, mode: LoopMode, place: Place): Range | undefined {
  const given = (name: string): Expr | undefined => {
    const value = bound.get(name);
    return value && toIndex(value, place);
  };
  const first = given("start");
  const second = given("stop") ?? given("extent");
  const third = given("step");
  const start = second === undefined ? undefined : first;
  const range = { start: start ?? indexConst(0), stop: second ?? first ?? unknownExpr(span), step: third ?? indexConst(1) };
  const parts = [range.start, range.stop, range.step];
  if (parts.some((e) => e.type.kind === "Unknown")) return undefined;
  if (range.step.kind === "Const" && range.step.value === 0n) {
    place.reporter.report("TF4113", bound.get("step")?.span, {});
    return undefined;
  }
  const open = mode === "unroll" ? parts.find((e) => e.kind !== "Const") : undefined;
  if (open === undefined) return range;
  place.reporter.report("TF2004", open.kind === "Var" ? span : (open.meta.span ?? span), { what: "a bound of an unrolled loop" });
  return undefined;
}

// — blocks —

/** `for i in pl.spmd(n):` a parallel loop over blocks; what each does is a region of its own, unless it is one already or only calls. */
function blockLoop(s: ForStmt, header: LoopHeader, place: Place, lower: LowerBlock): readonly Stmt[] {
  const count = header.bound.get("core_num");
  const stop = count && toIndex(count, place);
  const name = hintOf(header.bound, place);
  if (stop === undefined || stop.type.kind === "Unknown") return broken(s, place, lower);
  if (stop.kind === "Const" && typeof stop.value === "bigint" && stop.value < 1n) {
    place.reporter.report("TF4130", count?.span, {});
    return broken(s, place, lower);
  }
  const names = loopNames(s, header, 1, place);
  if (names === undefined) return broken(s, place, lower);
  const loop = openLoop(s, header, names, "parallel", place);
  const [loopVar] = loop.variables;
  if (loopVar === undefined) return [];
  place.fn.blocks.push({ index: loopVar, count: stop });
  const facts = withBounds(place.facts, loopVar, loopBounds(0, toDim(stop), 1));
  const certain = runs(0, toDim(stop), 1, place.facts);
  const done = closeLoop(s, loop, { facts, certain, isParallel: true }, place, lower);
  place.fn.blocks.pop();
  if (done === undefined) return [];
  const body = isRegion(done.body) ? done.body : seq([scopeRegion({ type: "at", level: "CORE_GROUP", role: undefined, name }, done.body)]);
  return [forLoop({ loopVar, stop, mode: "parallel", level: "block", body }, { span: s.span })];
}

/** One region, or nothing but calls of functions. */
function isRegion({ stmts }: Seq): boolean {
  const [only, second] = stmts;
  if (second === undefined && only?.kind === "Scope") return true;
  return stmts.every((stmt) => (stmt.kind === "Eval" && stmt.expr.kind === "FunctionCall") || (stmt.kind === "Assign" && (stmt.value.kind === "FunctionCall" || stmt.value.kind === "TupleGet")));
}

// — nests —

function nestLoop(s: ForStmt, header: LoopHeader, place: Place, lower: LowerBlock): readonly Stmt[] {
  const value = header.bound.get("extents");
  const items = value && (itemsOf(value) ?? [value]);
  const extents = (items ?? []).map((item) => toIndex(item, place));
  const flag = header.bound.get("reduce");
  const known = flag && knownOf(flag);
  const reduce = known?.kind === "bool" && known.value;
  const names = loopNames(s, header, extents.length, place);
  if (names === undefined || extents.some((e) => e.type.kind === "Unknown")) return broken(s, place, lower);
  if (reduce !== names.carries.length > 0) {
    const instead = reduce ? "give it `init_values`" : "a nest with `init_values` is a reduction: add `reduce=True`";
    place.reporter.report("TF4112", header.span, { loop: "T.nest", name: reduce ? "reduce" : "init_values", instead });
    return broken(s, place, lower);
  }
  const loop = openLoop(s, header, names, "nest", place);
  const facts = loop.variables.reduce<Facts>((known, axis, i) => {
    const extent = extents[i] && toDim(extents[i]);
    return withBounds(known, axis, loopBounds(0, extent, 1));
  }, place.facts);
  const certain = extents.every((e) => {
    const extent = toDim(e);
    return extent !== undefined && isLess(place.facts, 0, extent);
  });
  const done = closeLoop(s, loop, { facts, certain, isParallel: !reduce }, place, lower);
  if (done === undefined) return [];
  const meta = { span: s.span };
  return [reduce ? reduceNest(loop.variables, extents, loop.carries, done.body, done.results, meta) : nest(loop.variables, extents, done.body, meta)];
}

// — pl.while_ —

function carriedWhile(s: ForStmt, header: LoopHeader, place: Place, lower: LowerBlock): readonly Stmt[] {
  const names = loopNames(s, header, 0, place);
  if (names === undefined) return broken(s, place, lower);
  if (names.init.length === 0) {
    const params = { callee: header.spelled, expected: "`init_values`", found: "a call without it", known: "init_values" };
    place.reporter.report("TF2009", header.span, params);
    return broken(s, place, lower);
  }
  const loop = openLoop(s, header, names, "while", place);
  const [first, ...rest] = s.body.stmts;
  const test = first?.kind === "ExprStmt" ? conditionCall(first, place) : undefined;
  if (test === undefined || first === undefined) {
    place.reporter.report("TF4119", first?.span ?? s.body.span, {});
    return broken(s, place, lower);
  }
  const cond = condition(test, within(place, loop.frame.body, place.facts, loop.frame));
  const comments = [...first.leading, ...(first.trailing ? [first.trailing] : [])];
  const body = { ...s.body, stmts: rest.map((r, i) => (i === 0 ? { ...r, leading: [...comments, ...r.leading] } : r)) };
  const done = closeLoop({ ...s, body }, loop, { facts: place.facts, certain: false, isParallel: false }, place, lower);
  return done === undefined || cond.type.kind === "Unknown" ? [] : [whileLoop(cond, done.body, loop.carries, done.results, { span: s.span })];
}

function conditionCall(first: Extract<SStmt, { readonly kind: "ExprStmt" }>, place: Place) {
  const call = first.value;
  const [arg] = call.kind === "Call" && isMember(call.callee, "cond", place) && call.args.length === 1 ? call.args : [];
  return arg !== undefined && arg.name === undefined && arg.star === "" ? arg.value : undefined;
}

// — what all forms share —

interface OpenLoop {
  readonly names: LoopNames;
  readonly variables: readonly Var[];
  readonly carries: readonly IterArg[];
  /** What the carries begin as handles of. */
  readonly buffers: readonly (Buffer | undefined)[];
  readonly frame: LoopFrame;
  /** Statements with which the body begins: names that it assigns start as what the loop binds. */
  readonly copies: readonly Stmt[];
}

/** Why `break` and `continue` may not leave a loop. */
const FIXED: Readonly<Record<string, string | undefined>> = {
  sequential: undefined,
  while: undefined,
  parallel: "iterations of a parallel loop are independent: use `pl.range`",
  unroll: "an unrolled loop runs all its iterations: use `pl.range`",
  pipeline: "a pipelined loop runs all its iterations: use `pl.range`",
  vector: "a vector loop runs all its iterations: use `T.range`",
  nest: "a nest runs all its iterations: use `T.range`",
};

function openLoop(s: ForStmt, header: LoopHeader, names: LoopNames, form: string, place: Place): OpenLoop {
  const body = openEnv(place.env, true);
  const copies: Stmt[] = [];
  const bind = <V extends Var | IterArg>({ name, span }: ResultName, make: (hint: string) => V, root: Buffer | undefined): V => {
    const isAssigned = place.fn.assigned.has(name) && assignedIn(s.body).has(name);
    const own = make(isAssigned || name.includes(".") ? place.fn.names.fresh(name.replaceAll(".", "_")) : name);
    const value = isAssigned ? localFor(place.fn.locals, name, own.type, span) : own;
    if (isAssigned && value.kind === "Var") copies.push(assign(value, own, { span }));
    body.own.set(name, bound(value, span, root));
    return own;
  };
  const variables = names.variables.map((n) => bind(n, (hint) => variable(hint, INDEX, { span: n.span }), undefined));
  const buffers: (Buffer | undefined)[] = [];
  const carries = names.carries.map((n, i) => {
    const value = names.init[i];
    const init = value === undefined ? unknownExpr(n.span) : toExpr(value, place);
    buffers[i] = bufferOf(init, place.env, place);
    return bind(n, (hint) => iterArg(hint, init.type, init, { span: n.span }), buffers[i]);
  });
  const fixed = carries.length > 0 ? "a loop with `init_values` ends each iteration in its yield: carry a flag instead" : FIXED[form];
  const frame: LoopFrame = { word: header.spelled, span: header.span, fixed, body, breaks: [], continues: [] };
  return { names, variables, carries, buffers, frame, copies };
}

interface ClosedLoop {
  readonly body: Seq;
  readonly results: readonly Var[];
}

/** What is known of a loop before its body is read. */
interface Outlook {
  /** In the body. */
  readonly facts: Facts;
  /** It runs at least once. */
  readonly certain: boolean;
  readonly isParallel: boolean;
}

function closeLoop(s: ForStmt, loop: OpenLoop, outlook: Outlook, place: Place, lower: LowerBlock): ClosedLoop | undefined {
  const { facts, certain, isParallel } = outlook;
  const slot = loop.carries.length > 0 ? yieldSlot() : undefined;
  const read = lower(s.body, within(place, loop.frame.body, facts, loop.frame), slot);
  const body = loop.copies.length === 0 ? read : seq([...loop.copies, ...read.stmts], read.meta);
  const yielded = slot?.found;
  const roots = yielded?.values?.map((v) => bufferOf(v, loop.frame.body, place)) ?? [];
  leaveLoop({ frame: loop.frame, certain, endless: false, isParallel }, place);
  const { env } = place;
  for (const { name } of loop.names.variables) dismiss(name, loop.frame.span, undefined, env);
  for (const [i, { name }] of loop.names.carries.entries()) dismiss(name, loop.frame.span, yielded?.names[i]?.name, env);
  const results = loop.carries.length === 0 ? [] : slot?.failed ? undefined : resultsOf(loop, yielded, roots, isParallel, place);
  return results && { body, results };
}

type Roots = readonly (Buffer | undefined)[];

/** One result for each carry, of its type. */
function resultsOf(loop: OpenLoop, yielded: Yielded | undefined, roots: Roots, isParallel: boolean, place: Place): readonly Var[] | undefined {
  const { carries, frame } = loop;
  const { env } = place;
  if (yielded === undefined || yielded.names.length !== carries.length) {
    const found = yielded === undefined ? "nothing" : counted(yielded.names.length, "value");
    const expected = needed(carries.length, carries.length);
    place.reporter.report("TF4109", yielded?.span ?? frame.span, { what: `the \`${frame.word}\` loop`, found, expected });
    for (const { name } of yielded?.names ?? []) silence(env, name);
    return undefined;
  }
  let sound = true;
  for (const [i, carry] of carries.entries()) {
    const value = yielded.values?.[i];
    const name = yielded.names[i]?.name ?? carry.hint;
    if (carry.type.kind === "Unknown" || value === undefined) sound = false;
    else if (!compatible(value.type, carry.type)) {
      const [left, right] = [showType(carry.type, place.dialect), showType(value.type, place.dialect)];
      place.reporter.report("TF4111", yielded.span, { name, left, right }, { related: placeOf("the carry", carry.meta.span) });
      sound = false;
    } else if (isParallel && (roots[i] === undefined || roots[i] !== loop.buffers[i])) {
      place.reporter.report("TF4116", carry.meta.span, { name: carry.hint });
      sound = false;
    }
  }
  const vars = bindResults(yielded.names, carries.map((c) => (sound ? c.type : undefined)), env, place, roots);
  return sound ? vars : undefined;
}
