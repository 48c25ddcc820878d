// Where values meet: the results of an `if`, the carries of a loop. An array that meets others lives in one buffer, into which each
// way computes or copies; a run-time extent that differs becomes an index result of its own.

import {
  dimsEqual, dimVar, forLoop, ifThen, INDEX, iterArg, seq, toExpr, variable, whileLoop, yieldValues,
  type Dim, type Expr, type For, type If, type IterArg, type Seq, type Var, type VarLike, type While,
} from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { boundLoop } from "../known-facts.ts";
import { allocate, valueOf } from "./context.ts";
import { emitCopies } from "./copies.ts";
import { claimYields, diesAsInit, diesInBranch } from "./destinations.ts";
import { noteSame } from "./demand.ts";
import { named } from "./forms.ts";
import { arrayVar, yielded } from "./handles.ts";
import { inRunningLoop } from "./products.ts";
import { lowerScalar } from "./scalars.ts";
import { dimIsVisible, emit, extentHint, inBlock, takeMeta, type ArrayValue, type Block, type Destination, type Lowering } from "./state.ts";

const isArray = (v: VarLike): boolean => v.type.kind === "Tensor";

/** Whether a carry or result is the root of a buffer: where its sources were one buffer, there is nothing to do. */
const isOwn = (l: Lowering, v: VarLike): boolean => isArray(v) && l.handles.root(v) === v;

/** A choice between buffers made at run time cannot be written through: which one would change is not known here. */
function checkChoice(l: Lowering, own: VarLike): void {
  if (own.type.kind !== "Tensor" || own.type.domain !== "tensor" || !l.handles.written.has(own)) return;
  const chosen = l.handles.sources(own).find((source) => l.f.params.some((p) => p.var === source));
  if (chosen === undefined) return;
  l.reporter.report("TF5040", own.meta.span ?? l.meta.span, { name: own.hint, tensor: chosen.hint });
}

// — if —

export function lowerIf(l: Lowering, stmt: If, block: Seq): void {
  const { meta } = stmt;
  const cond = condition(l, stmt.cond);
  const wanted = stmt.results.map((result, i) => (isOwn(l, result) ? joinBuffer(l, stmt, block, result, i) : undefined));
  const sides = [stmt.then, stmt.else].map((branch) => (branch === undefined ? undefined : lowerBranch(l, branch, wanted)));
  const [then, orElse] = sides;
  invariant(then !== undefined, () => "an if without a branch");
  const joins = stmt.results.map((result, i) => joinResult(l, result, wanted[i], then.values[i], orElse?.values[i]));
  const results = joins.flatMap((j) => j.map((part) => part.result));
  for (const result of results) l.block.defined.add(result);
  const close = (side: Side | undefined, which: 0 | 1, source: Seq | undefined) => {
    if (side === undefined) return undefined;
    const values = joins.flatMap((j) => j.map((part) => part.values[which]));
    return seq(values.length === 0 ? side.block.stmts : [...side.block.stmts, yieldValues(values)], source?.meta);
  };
  const thenSeq = close(then, 0, stmt.then);
  const elseSeq = close(orElse, 1, stmt.else);
  const keepsElse = elseSeq !== undefined && (results.length > 0 || elseSeq.stmts.length > 0);
  if (thenSeq === undefined || (thenSeq.stmts.length === 0 && !keepsElse)) return;
  l.meta = meta;
  emit(l, ifThen(cond, thenSeq, keepsElse ? elseSeq : undefined, results, takeMeta(l)));
}

function condition(l: Lowering, cond: Expr): Expr {
  l.inCondition = true;
  const lowered = lowerScalar(l, cond);
  l.inCondition = false;
  return lowered;
}

function joinBuffer(l: Lowering, stmt: If, block: Seq, result: Var, position: number): Destination {
  checkChoice(l, result);
  for (const branch of [stmt.then, stmt.else]) {
    const from = arrayVar(branch && yielded(branch)[position]);
    if (from !== undefined) noteSame(l, from, result);
  }
  const claimed = l.destinations.get(result);
  if (claimed !== undefined) return claimed;
  const dying = diesInBranch(l, block, stmt, position);
  const value = dying && l.values.get(dying);
  return value === undefined ? { buffer: allocate(l, result), old: undefined } : { buffer: value.buffer, old: dying };
}

interface Side {
  readonly block: Block;
  /** What the branch yields: an array value, or a scalar. */
  readonly values: readonly (ArrayValue | Expr)[];
}

function lowerBranch(l: Lowering, branch: Seq, wanted: readonly (Destination | undefined)[]): Side {
  const values: (ArrayValue | Expr)[] = [];
  const block = inBlock(l, branch, () => {
    claimYields(l, branch, yielded(branch).map(arrayVar), wanted);
    l.lower(l, branch);
    for (const value of yielded(branch)) values.push(arrayVar(value) === undefined ? lowerScalar(l, value) : valueOf(l, value));
    emitCopies(l, wanted.flatMap((d, i) => {
      const from = values[i];
      return d !== undefined && from !== undefined && "buffer" in from ? [{ from, to: d.buffer }] : [];
    }));
  });
  return { block, values };
}

interface Join {
  readonly result: Var;
  readonly values: readonly [Expr, Expr];
}

type Yielded = ArrayValue | Expr | undefined;

/** What is left of a result: itself if it is a scalar, the extents that differ if it is an array with a buffer of its own. */
function joinResult(l: Lowering, result: Var, wanted: Destination | undefined, then: Yielded, orElse: Yielded): readonly Join[] {
  if (then === undefined || orElse === undefined) return [];
  if (!("buffer" in then) && !("buffer" in orElse)) return [{ result, values: [then, orElse] }];
  if (wanted === undefined || !("buffer" in then) || !("buffer" in orElse)) return [];
  const joins: Join[] = [];
  const extents = then.extents.map((a, axis) => {
    const b = orElse.extents[axis] ?? a;
    if (dimsEqual(a, b) && dimIsVisible(l, a)) return a;
    const extent = variable(l.names.fresh(`${result.hint}_${extentHint(axis, then.extents.length)}`), INDEX);
    joins.push({ result: extent, values: [toExpr(a), toExpr(b)] });
    return dimVar(extent);
  });
  l.values.set(result, { buffer: wanted.buffer, extents });
  return joins;
}

// — loops —

interface Carried {
  readonly source: IterArg;
  readonly result: Var;
  readonly next: Expr;
  /** Set for an array with a buffer of its own. */
  readonly buffer: Var | undefined;
  /** With which extents it enters. */
  readonly extents: readonly Dim[];
  /** Carries that are left: the scalar itself, or an array's changing extents by axis. */
  readonly left: readonly { readonly carry: IterArg; readonly result: Var; readonly axis: number }[];
}

export function lowerLoop(l: Lowering, loop: For | While, block: Seq): void {
  const { meta } = loop;
  const bounds = loop.kind === "For" ? [loop.start, loop.stop, loop.step].map((e) => lowerScalar(l, e)) : [];
  const carried = loop.carries.map((source, i) => carry(l, loop, block, source, i));
  emitCopies(l, carried.flatMap(({ source, buffer, extents }) => {
    return buffer === undefined ? [] : [{ from: { buffer: valueOf(l, source.init).buffer, extents }, to: buffer }];
  }));
  for (const c of carried) enterCarry(l, c);
  let cond: Expr | undefined;
  const inner = inBlock(l, loop.body, () => {
    for (const { left } of carried) for (const { carry: made } of left) l.block.defined.add(made);
    if (loop.kind === "While") cond = condition(l, loop.cond);
    if (loop.kind === "For") runLoop(l, loop, bounds, () => lowerBody(l, loop.body, carried));
    else lowerBody(l, loop.body, carried);
  });
  const left = carried.flatMap((c) => c.left);
  for (const { result } of left) l.block.defined.add(result);
  for (const c of carried) leaveCarry(l, c);
  l.meta = meta;
  const body = seq(inner.stmts, loop.body.meta);
  const carries = left.map((c) => c.carry);
  const results = left.map((c) => c.result);
  const at = takeMeta(l);
  if (loop.kind === "While") return emit(l, whileLoop(cond ?? loop.cond, body, carries, results, at));
  const [start = loop.start, stop = loop.stop, step = loop.step] = bounds;
  emit(l, forLoop({ ...loop, start, stop, step, carries, body, results }, at));
}

function runLoop(l: Lowering, loop: For, bounds: readonly Expr[], body: () => void): void {
  const [start = loop.start, stop = loop.stop, step = loop.step] = bounds;
  l.block.defined.add(loop.loopVar);
  boundLoop(l.facts, loop.loopVar, start, stop, step);
  inRunningLoop(l, loop, start, stop, step, body);
}

function carry(l: Lowering, loop: For | While, block: Seq, source: IterArg, position: number): Carried {
  const result = loop.results[position];
  const next = yielded(loop.body)[position];
  invariant(result !== undefined && next !== undefined, () => `the carry ${source.hint} has no result`);
  if (!isArray(source)) return { source, result, next, buffer: undefined, extents: [], left: [{ carry: remakeCarry(l, source), result, axis: 0 }] };
  if (!isOwn(l, source)) return { source, result, next, buffer: undefined, extents: [], left: [] };
  checkChoice(l, source);
  for (const from of [source.init, next].map(arrayVar)) if (from !== undefined) noteSame(l, from, source);
  const { extents: initial, buffer } = valueOf(l, source.init);
  const extents = named(l, source, initial.map(toExpr));
  const own = l.destinations.get(source)?.buffer ?? (diesAsInit(l, block, loop, position) ? buffer : allocate(l, variable(source.hint, source.type)));
  const left = [...(l.changing.get(source) ?? [])].map((axis) => {
    const hint = extentHint(axis, extents.length);
    const made = iterArg(l.names.fresh(`${source.hint}_${hint}`), INDEX, toExpr(extents[axis] ?? 1));
    return { carry: made, result: variable(l.names.fresh(`${result.hint}_${hint}`), INDEX), axis };
  });
  return { source, result, next, buffer: own, extents, left };
}

/** A scalar carry, made anew if what it starts from changed. */
export function remakeCarry(l: Lowering, source: IterArg): IterArg {
  const init = lowerScalar(l, source.init);
  if (init === source.init) return source;
  const made = iterArg(source.hint, source.type, init, source.meta);
  l.scalars.set(source, made);
  return made;
}

function enterCarry(l: Lowering, { source, buffer, extents, left }: Carried): void {
  if (buffer === undefined) return;
  l.values.set(source, { buffer, extents: replaced(extents, left.map((c) => [c.axis, dimVar(c.carry)])) });
}

function leaveCarry(l: Lowering, { source, buffer, left }: Carried): void {
  const value = l.values.get(source);
  if (buffer === undefined || value === undefined) return;
  l.values.set(source, { buffer, extents: replaced(value.extents, left.map((c) => [c.axis, dimVar(c.result)])) });
}

function replaced(extents: readonly Dim[], by: readonly (readonly [axis: number, d: Dim])[]): readonly Dim[] {
  const made = [...extents];
  for (const [axis, d] of by) made[axis] = d;
  return made;
}

function lowerBody(l: Lowering, body: Seq, carried: readonly Carried[]): void {
  const wanted = carried.map(({ source, buffer }) => (buffer === undefined ? undefined : { buffer, old: source }));
  claimYields(l, body, carried.map((c) => arrayVar(c.next)), wanted);
  l.lower(l, body);
  const values = carried.flatMap(({ next, left, buffer, source }) => {
    if (!isArray(source)) return [lowerScalar(l, next)];
    if (buffer === undefined) return [];
    const { extents } = valueOf(l, next);
    noteChanges(l, source, extents);
    return left.map(({ axis }) => toExpr(extents[axis] ?? 1));
  });
  emitCopies(l, carried.flatMap(({ next, buffer }) => (buffer === undefined ? [] : [{ from: valueOf(l, next), to: buffer }])));
  if (values.length > 0) emit(l, yieldValues(values));
}

/** An extent that comes back changed must be carried: the function is lowered once more with that known. */
function noteChanges(l: Lowering, source: IterArg, next: readonly Dim[]): void {
  const before = l.values.get(source)?.extents ?? [];
  for (const [axis, extent] of next.entries()) {
    if (dimsEqual(extent, before[axis] ?? 1) || l.changing.get(source)?.has(axis)) continue;
    l.changing.set(source, (l.changing.get(source) ?? new Set()).add(axis));
    l.again = true;
  }
}
