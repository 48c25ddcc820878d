// Counted loops over a half-open range, with a step of either sign. The variable never leaves the range by overflow: where the step
// could take it past the end of its type, the loop asks how far the end is before it steps.

import { invariant } from "@tilefoundry/text";
import { isStatic, toDim, type For } from "@tilefoundry/ir";
import { isWithin, type Interval } from "../ranges.ts";
import { fitsInt32 } from "./arithmetic.ts";
import { held, type Held } from "./context.ts";
import type { Frame } from "./frame.ts";
import { asWidth, number, wide, type IntType } from "./integers.ts";
import type { Opcode } from "./opcodes.ts";
import { block, branch, choose, get, i64, loop, op, set, type Local, type Tree } from "./tree.ts";

/** Appends the loop, its carries being started; `body` appends what an iteration does. */
export function forLoop(stmt: For, frame: Frame, body: Body, out: Tree[]): void {
  const step = toDim(stmt.step);
  if (step !== undefined && isStatic(step)) byConstant(stmt, step, frame, body, out);
  else byVariable(stmt, frame, body, out);
}

type Body = (inner: Tree[]) => void;

/** What the shapes of a loop share. */
interface Counter {
  readonly t: IntType;
  readonly variable: Local;
  readonly done: string;
  readonly next: string;
}

function counterOf(stmt: For, t: IntType, frame: Frame): Counter {
  const { hint } = stmt.loopVar;
  const variable = frame.declareInLoop(stmt.loopVar, t)[0];
  invariant(variable !== undefined, () => "a loop without a variable");
  return { t, variable, done: frame.labels.claim(`${hint}_done`), next: frame.labels.claim(`${hint}_next`) };
}

/** Instructions of a counter by its width. */
const COUNTING = {
  i32: { add: "i32.add", sub: "i32.sub", ge_s: "i32.ge_s", le_s: "i32.le_s", lt_s: "i32.lt_s", gt_s: "i32.gt_s", lt_u: "i32.lt_u", le_u: "i32.le_u" },
  i64: { add: "i64.add", sub: "i64.sub", ge_s: "i64.ge_s", le_s: "i64.le_s", lt_s: "i64.lt_s", gt_s: "i64.gt_s", lt_u: "i64.lt_u", le_u: "i64.le_u" },
} as const satisfies Readonly<Record<IntType, Readonly<Record<string, Opcode>>>>;

function byConstant(stmt: For, step: number, frame: Frame, body: Body, out: Tree[]): void {
  const { ranges } = frame;
  const start = ranges.of(stmt.start);
  const stop = ranges.of(stmt.stop);
  const narrow = fitsInt32(start) && fitsInt32(stop) && fitsInt32(ranges.of(stmt.loopVar)) && Math.abs(step) < 2 ** 31;
  const t = narrow ? "i32" : "i64";
  const first = asWidth(frame.scalar(stmt.start), t);
  const end = heldEnd(asWidth(frame.scalar(stmt.stop), t), stmt, t, frame);
  if (step === 0) return;
  out.push(...end.before);
  const counter = counterOf(stmt, t, frame);
  const { variable, done, next } = counter;
  frame.enterLoop(stmt.loopVar.hint);
  const inner: Tree[] = [];
  body(inner);
  const leaves = advance(counter, step, end.read, start, stop, inner);
  out.push(...frame.leaveLoop());
  out.push(set(variable, first));
  const runs = step > 0 ? start.hi < stop.lo : start.lo > stop.hi;
  if (!runs) {
    const leave = branch(done, op(COUNTING[t][step > 0 ? "ge_s" : "le_s"], [get(variable), end.read]));
    out.push(block(done, [leave, loop(next, inner)]));
  } else out.push(leaves ? block(done, [loop(next, inner)]) : loop(next, inner));
}

/** The end is computed once: in a local unless it is a constant or a variable. */
function heldEnd(stop: Tree, stmt: For, t: IntType, frame: Frame): Held {
  if (stop.kind === "const" || stop.kind === "get") return held(stop);
  const end = frame.local(`${stmt.loopVar.hint}_end`, t);
  return { before: [set(end, stop)], read: get(end) };
}

/** Appends the step and the way back; says whether the loop is left before its step. */
function advance({ t, variable, done, next }: Counter, step: number, end: Tree, start: Interval, stop: Interval, inner: Tree[]): boolean {
  const names = COUNTING[t];
  const stepped = set(variable, op(names.add, [get(variable), number(t, step)]));
  const compare = comparisonAfter(t, step, start, stop);
  if (compare !== undefined) {
    inner.push(stepped, branch(next, op(names[compare], [get(variable), end])));
    return false;
  }
  const distance = step > 0 ? op(names.sub, [end, get(variable)]) : op(names.sub, [get(variable), end]);
  inner.push(branch(done, op(names.le_u, [distance, number(t, Math.abs(step))])), stepped, branch(next));
  return true;
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
function byVariable(stmt: For, frame: Frame, body: Body, out: Tree[]): void {
  const { hint } = stmt.loopVar;
  const start = wide(frame.scalar(stmt.start));
  const stop = wide(frame.scalar(stmt.stop));
  const step = wide(frame.scalar(stmt.step));
  const locals = { end: frame.local(`${hint}_end`, "i64"), step: frame.local(`${hint}_step`, "i64"), left: frame.local(`${hint}_left`, "i64") };
  const { variable, done, next } = counterOf(stmt, "i64", frame);
  frame.enterLoop(stmt.loopVar.hint);
  const inner: Tree[] = [];
  body(inner);
  inner.push(
    set(variable, op("i64.add", [get(variable), get(locals.step)])),
    set(locals.left, op("i64.sub", [get(locals.left), i64(1n)])),
    branch(next, op("i64.ne", [get(locals.left), i64(0n)])),
  );
  out.push(
    ...frame.leaveLoop(),
    set(variable, start),
    set(locals.end, stop),
    set(locals.step, step),
    set(locals.left, trips(get(variable), get(locals.end), get(locals.step))),
    block(done, [branch(done, op("i64.eqz", [get(locals.left)])), loop(next, inner)]),
  );
}

function trips(start: Tree, stop: Tree, step: Tree): Tree {
  const count = (from: Tree, to: Tree, by: Tree): Tree =>
    choose(op("i64.lt_s", [from, to]), op("i64.add", [op("i64.div_u", [op("i64.sub", [op("i64.sub", [to, from]), i64(1n)]), by]), i64(1n)]), i64(0n));
  const down = count(stop, start, op("i64.sub", [i64(0n), step]));
  return choose(op("i64.gt_s", [step, i64(0n)]), count(start, stop, step), choose(op("i64.lt_s", [step, i64(0n)]), down, i64(0n)));
}
