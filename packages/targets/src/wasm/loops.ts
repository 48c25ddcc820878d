// Counted loops over a half-open range, with a step of either sign. The variable never leaves the range by overflow: where the step
// could take it past the end of its type, the loop asks how far the end is before it steps.

import { invariant } from "@tilefoundry/text";
import { isStatic, toDim, type For } from "@tilefoundry/ir";
import { isWithin, type Interval } from "../ranges.ts";
import { fitsInt32 } from "./arithmetic.ts";
import type { Frame } from "./frame.ts";
import { asWidth, number, wide, type IntType } from "./integers.ts";
import { block, branch, choose, get, i64, loop, op, set, type Local, type Tree } from "./tree.ts";

/** The loop, its carries being started; `body` gives what an iteration does. */
export function forLoop(stmt: For, frame: Frame, body: () => readonly Tree[]): readonly Tree[] {
  const step = toDim(stmt.step);
  return step !== undefined && isStatic(step) ? byConstant(stmt, step, frame, body) : byVariable(stmt, frame, body);
}

/** What the shapes of a loop share. */
interface Counter {
  readonly t: IntType;
  readonly variable: Local;
  readonly done: string;
  readonly next: string;
}

function counterOf(stmt: For, t: IntType, frame: Frame): Counter {
  const { hint } = stmt.loopVar;
  const [variable] = frame.declareInLoop(stmt.loopVar, t);
  invariant(variable !== undefined, () => "a loop without a variable");
  return { t, variable, done: frame.labels.claim(`${hint}_done`), next: frame.labels.claim(`${hint}_next`) };
}

function byConstant(stmt: For, step: number, frame: Frame, body: () => readonly Tree[]): readonly Tree[] {
  const [start, stop] = [frame.ranges.of(stmt.start), frame.ranges.of(stmt.stop)];
  const t = [start, stop, frame.ranges.of(stmt.loopVar)].every(fitsInt32) && Math.abs(step) < 2 ** 31 ? "i32" : "i64";
  const first = asWidth(frame.scalar(stmt.start), t);
  const end = heldEnd(asWidth(frame.scalar(stmt.stop), t), stmt, t, frame);
  if (step === 0) return [];
  const counter = counterOf(stmt, t, frame);
  const runs = step > 0 ? start.hi < stop.lo : start.lo > stop.hi;
  frame.enterLoop(stmt.loopVar.hint);
  const inner = [...body(), ...advance(counter, step, end.read, start, stop)];
  const hoisted = frame.leaveLoop();
  const leave = branch(counter.done, op(`${t}.${step > 0 ? "ge" : "le"}_s`, [get(counter.variable), end.read]));
  const repeated = loop(counter.next, inner);
  const needsBlock = !runs || inner.some((tree) => tree.kind === "branch" && tree.label === counter.done);
  const whole = needsBlock ? block(counter.done, runs ? [repeated] : [leave, repeated]) : repeated;
  return [...end.before, ...hoisted, set(counter.variable, first), whole];
}

/** The end is computed once: in a local unless it is a constant or a variable. */
function heldEnd(stop: Tree, stmt: For, t: IntType, frame: Frame): { readonly before: readonly Tree[]; readonly read: Tree } {
  if (stop.kind === "const" || stop.kind === "get") return { before: [], read: stop };
  const end = frame.local(`${stmt.loopVar.hint}_end`, t);
  return { before: [set(end, stop)], read: get(end) };
}

/** The step and the way back. */
function advance({ t, variable, done, next }: Counter, step: number, end: Tree, start: Interval, stop: Interval): readonly Tree[] {
  const stepped = set(variable, op(`${t}.add`, [get(variable), number(t, step)]));
  const compare = comparisonAfter(t, step, start, stop);
  if (compare !== undefined) return [stepped, branch(next, op(`${t}.${compare}`, [get(variable), end]))];
  const distance = step > 0 ? op(`${t}.sub`, [end, get(variable)]) : op(`${t}.sub`, [get(variable), end]);
  return [branch(done, op(`${t}.le_u`, [distance, number(t, Math.abs(step))])), stepped, branch(next)];
}

const LIMITS = {
  i32: { signed: { lo: -(2 ** 31), hi: 2 ** 31 - 1 }, unsigned: { lo: 0, hi: 2 ** 32 - 1 } },
  i64: { signed: { lo: Number.MIN_SAFE_INTEGER, hi: Number.MAX_SAFE_INTEGER }, unsigned: { lo: 0, hi: Number.MAX_SAFE_INTEGER } },
} as const;

/** How the stepped variable compares with the end, if no step leaves the type: it passes the end by less than one step. */
function comparisonAfter(t: IntType, step: number, start: Interval, stop: Interval) {
  const after = step > 0 ? { lo: start.lo, hi: stop.hi + step - 1 } : { lo: stop.lo + step + 1, hi: start.hi };
  const { signed, unsigned } = LIMITS[t];
  // a step of 1 stops at the end, which the type holds
  if (Math.abs(step) === 1 || isWithin(after, signed)) return step > 0 ? "lt_s" : "gt_s";
  if (step > 0 && isWithin(after, unsigned)) return "lt_u"; // inside the loop the end is above the start, hence not negative
  return undefined;
}

/** A step known at run time only: the trips are counted first. A step of 0 makes none. */
function byVariable(stmt: For, frame: Frame, body: () => readonly Tree[]): readonly Tree[] {
  const { hint } = stmt.loopVar;
  const [start, stop, step] = [stmt.start, stmt.stop, stmt.step].map((e) => wide(frame.scalar(e)));
  invariant(start !== undefined && stop !== undefined && step !== undefined, () => "a loop without a range");
  const locals = { end: frame.local(`${hint}_end`, "i64"), step: frame.local(`${hint}_step`, "i64"), left: frame.local(`${hint}_left`, "i64") };
  const { variable, done, next } = counterOf(stmt, "i64", frame);
  frame.enterLoop(stmt.loopVar.hint);
  const inner = [
    ...body(),
    set(variable, op("i64.add", [get(variable), get(locals.step)])),
    set(locals.left, op("i64.sub", [get(locals.left), i64(1n)])),
    branch(next, op("i64.ne", [get(locals.left), i64(0n)])),
  ];
  const hoisted = frame.leaveLoop();
  return [
    ...hoisted,
    set(variable, start),
    set(locals.end, stop),
    set(locals.step, step),
    set(locals.left, trips(get(variable), get(locals.end), get(locals.step))),
    block(done, [branch(done, op("i64.eqz", [get(locals.left)])), loop(next, inner)]),
  ];
}

function trips(start: Tree, stop: Tree, step: Tree): Tree {
  const count = (from: Tree, to: Tree, by: Tree): Tree =>
    choose(op("i64.lt_s", [from, to]), op("i64.add", [op("i64.div_u", [op("i64.sub", [op("i64.sub", [to, from]), i64(1n)]), by]), i64(1n)]), i64(0n));
  const down = count(stop, start, op("i64.sub", [i64(0n), step]));
  return choose(op("i64.gt_s", [step, i64(0n)]), count(start, stop, step), choose(op("i64.lt_s", [step, i64(0n)]), down, i64(0n)));
}
