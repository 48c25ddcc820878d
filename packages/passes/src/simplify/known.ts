// What simplification knows at a place: values that stand for variables, intervals and bounds of integers, and which index
// expressions cannot wrap. Every variable has one definition, so knowledge only grows as the walk goes on.

import {
  ANY_INTEGER, dtypeInterval, isInteger, isVarLike, isWithin, literalInterval, primInterval, proveLess, proveLessEqual, sameDType, toDim,
  type Dim, type Expr, type FunctionNode, type Interval, type Prim, type PrimOp, type VarLike,
} from "@tilefoundry/ir";
import { boundAxis, boundLoop, knownFacts, type KnownFacts } from "../known-facts.ts";
import { ofType } from "./of-type.ts";

export interface Known {
  /** Whether operations on literals are computed. */
  readonly fold: boolean;
  /** Variables that occur in types: their definitions stay. */
  readonly pinned: ReadonlySet<VarLike>;
  /** What stands for a variable: a literal, another variable, or the new variable in the place of one that is gone. */
  readonly values: Map<VarLike, Expr>;
  readonly intervals: Map<VarLike, Interval>;
  readonly facts: KnownFacts;
  /** Intervals of operands: one function for all nodes. */
  readonly ofOperand: (e: Expr) => Interval;
  /** Set by a change that lets a statement above it be simplified more. */
  again: boolean;
}

export function makeKnown(fn: FunctionNode, fold: boolean, pinned: ReadonlySet<VarLike>): Known {
  const intervals = new Map<VarLike, Interval>();
  for (const { var: symbol, lo, hi } of fn.symbols) intervals.set(symbol, { lo, hi: hi - 1 });
  const known: Known = { fold, pinned, values: new Map(), intervals, facts: knownFacts(fn), ofOperand: (e) => intervalOf(e, known), again: false };
  return known;
}

/** What a variable is, as far as that is a literal or another variable. */
export function valueOf(v: VarLike, { values }: Known): Expr {
  let value: Expr = v;
  for (let next = values.get(v); next !== undefined; next = isVarLike(next) ? values.get(next) : undefined) value = next;
  return value;
}

/** Lets `by` stand for a variable from now on; not for one that occurs in a type, which must stay. */
export function replace(v: VarLike, by: Expr, { pinned, values }: Known): boolean {
  const value = ofType(by, v.type);
  if (value === undefined || pinned.has(v)) return false;
  values.set(v, value);
  return true;
}

/** Notes that a variable is the value of an expression. */
export function equate(v: VarLike, value: Expr, known: Known): void {
  if (value.type.kind !== "Scalar" || !isInteger(value.type.dtype)) return;
  known.intervals.set(v, intervalOf(value, known));
  const dim = isExact(value, known) ? toDim(value) : undefined;
  if (dim !== undefined) known.facts.equate(v, dim);
}

// — intervals —

export function intervalOf(e: Expr, known: Known): Interval {
  if (e.type.kind !== "Scalar" || !isInteger(e.type.dtype)) return ANY_INTEGER;
  const whole = dtypeInterval(e.type.dtype);
  switch (e.kind) {
    case "Const": return typeof e.value === "bigint" ? literalInterval(e.value) : whole;
    case "Var":
    case "IterArg": return known.intervals.get(e) ?? whole;
    case "Prim": return ofPrim(e, whole, known);
    default: return whole;
  }
}

function ofPrim(e: Prim, whole: Interval, known: Known): Interval {
  const found = primInterval(e, known.ofOperand, whole);
  return found !== undefined && isWithin(found, WRAPPING.has(e.op) ? limits(whole) : whole) ? found : whole;
}

/** Operations whose result may lie outside the dtype; of 64 bits, results that are not proved small may wrap. */
const WRAPPING: ReadonlySet<PrimOp> = new Set<PrimOp>(["add", "sub", "mul", "neg", "abs", "mad", "shl"]);

const limits = ({ lo, hi }: Interval): Interval => ({ lo: Math.max(lo, Number.MIN_SAFE_INTEGER), hi: Math.min(hi, Number.MAX_SAFE_INTEGER) });

/** Whether no operation in an integer expression can wrap. */
export function isExact(e: Expr, known: Known): boolean {
  if (e.kind !== "Prim") return e.kind === "Const" || e.kind === "Var" || e.kind === "IterArg";
  if (e.type.kind !== "Scalar" || !isInteger(e.type.dtype)) return false;
  for (const arg of e.args) if (!isExact(arg, known)) return false;
  if (!WRAPPING.has(e.op)) return true;
  const found = primInterval(e, known.ofOperand, ANY_INTEGER);
  return found !== undefined && isWithin(found, limits(dtypeInterval(e.type.dtype)));
}

// — loops —

/** Notes where the variable of a loop lies. */
export function enterLoop(v: VarLike, start: Expr, stop: Expr, step: Expr, known: Known): void {
  const from = intervalOf(start, known);
  const to = intervalOf(stop, known);
  const by = intervalOf(step, known);
  if (by.lo > 0) known.intervals.set(v, { lo: from.lo, hi: Math.max(from.lo, to.hi - 1) });
  else if (by.hi < 0) known.intervals.set(v, { lo: Math.min(from.hi, to.lo + 1), hi: from.hi });
  if (isExact(start, known) && isExact(stop, known)) boundLoop(known.facts, v, start, stop, step);
}

export function enterAxis(v: VarLike, extent: Expr, known: Known): void {
  if (isExact(extent, known)) boundAxis(known.facts, v, extent);
  known.intervals.set(v, { lo: 0, hi: Math.max(0, intervalOf(extent, known).hi - 1) });
}

// — comparisons: `true` if they always hold, `false` if they never do —

export function isLess(a: Expr, b: Expr, known: Known): boolean | undefined {
  const x = intervalOf(a, known);
  const y = intervalOf(b, known);
  if (x.hi < y.lo) return true;
  if (x.lo >= y.hi && Number.isFinite(x.lo)) return false;
  return byDims(a, b, known, proveLess);
}

export function isLessEqual(a: Expr, b: Expr, known: Known): boolean | undefined {
  const x = intervalOf(a, known);
  const y = intervalOf(b, known);
  if (x.hi <= y.lo) return true;
  if (x.lo > y.hi && Number.isFinite(x.lo)) return false;
  return byDims(a, b, known, proveLessEqual);
}

function byDims(a: Expr, b: Expr, known: Known, prove: typeof proveLess): boolean | undefined {
  if (a.kind === "Const" && b.kind === "Const") return undefined;
  const left = dimOf(a, known);
  const right = left === undefined ? undefined : dimOf(b, known);
  return left === undefined || right === undefined ? undefined : prove(known.facts, left, right);
}

/** The dim of an index expression that does not wrap. */
function dimOf(e: Expr, known: Known): Dim | undefined {
  if (e.type.kind !== "Scalar" || !sameDType(e.type.dtype, "index")) return undefined;
  const dim = toDim(e);
  return dim !== undefined && isExact(e, known) ? dim : undefined;
}
