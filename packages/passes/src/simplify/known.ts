// What simplification knows at a place: values that stand for variables, intervals and bounds of integers, and which index
// expressions cannot wrap. Every variable has one definition, so knowledge only grows as the walk goes on.

import {
  ANY_INTEGER, dtypeInterval, isInteger, isWithin, literalInterval, primInterval, proveLess, proveLessEqual, sameDType, toDim,
  type Dim, type Expr, type FunctionNode, type Interval, type Prim, type PrimOp, type VarLike,
} from "@tilefoundry/ir";
import { assume } from "./assume.ts";
import { boundAxis, boundLoop, knownFacts, type KnownFacts } from "../known-facts.ts";
import { ofType } from "./of-type.ts";

export interface Known {
  /** Whether operations on literals are computed. */
  readonly fold: boolean;
  /** The literal or variable that stands for a variable. */
  valueOf(v: VarLike): Expr | undefined;
  /** Lets `by` stand for a variable from now on; not for one that occurs in a type, which must stay. */
  replace(v: VarLike, by: Expr): boolean;
  /** Puts a new variable in the place of one that is gone. */
  rename(v: VarLike, by: VarLike): void;
  intervalOf(e: Expr): Interval;
  /** Notes that a variable is the value of an integer expression. */
  equate(v: VarLike, value: Expr): void;
  /** Notes where a variable lies. */
  within(v: VarLike, interval: Interval): void;
  /** Takes a condition as true, or false, until the answer is called. */
  assume(cond: Expr, truth: boolean): () => void;
  loop(v: VarLike, start: Expr, stop: Expr, step: Expr): void;
  axis(v: VarLike, extent: Expr): void;
  /** Whether no operation in an integer expression can wrap. */
  exact(e: Expr): boolean;
  /** `true` if a < b (a <= b) always holds, `false` if it never does. */
  less(a: Expr, b: Expr): boolean | undefined;
  lessEqual(a: Expr, b: Expr): boolean | undefined;
}

interface Table {
  readonly renames: Map<VarLike, VarLike>;
  readonly values: Map<VarLike, Expr>;
  readonly intervals: Map<VarLike, Interval>;
  readonly facts: KnownFacts;
}

/** Definitions of `pinned` variables stay. */
export function makeKnown(fn: FunctionNode, fold: boolean, pinned: ReadonlySet<VarLike>): Known {
  const table: Table = { renames: new Map(), values: new Map(), intervals: new Map(), facts: knownFacts(fn) };
  for (const { var: symbol, lo, hi } of fn.symbols) table.intervals.set(symbol, { lo, hi: hi - 1 });
  const known: Known = {
    fold,
    valueOf: (v) => table.values.get(v) ?? table.renames.get(v),
    replace: (v, by) => {
      const value = ofType(by, v.type);
      return !pinned.has(v) && value !== undefined && table.values.set(v, value) !== undefined;
    },
    rename: (v, by) => void table.renames.set(v, by),
    intervalOf: (e) => intervalOf(e, table),
    equate: (v, value) => equate(v, value, known, table),
    within: (v, interval) => void table.intervals.set(v, interval),
    assume: (cond, truth) => assume(cond, truth, {
      value: (v, to) => swap(table.values, v, to),
      interval: (v, to) => swap(table.intervals, v, to),
      intervalOf: known.intervalOf,
    }),
    loop: (v, start, stop, step) => enterLoop(v, [start, stop, step], known, table),
    axis: (v, extent) => {
      if (known.exact(extent)) boundAxis(table.facts, v, extent);
      table.intervals.set(v, { lo: 0, hi: Math.max(0, intervalOf(extent, table).hi - 1) });
    },
    exact: (e) => isExact(e, table),
    less: (a, b) => compare(a, b, known, table, "less"),
    lessEqual: (a, b) => compare(a, b, known, table, "lessEqual"),
  };
  return known;
}

/** Puts in, or takes out, an entry; gives the one from before. */
function swap<V>(map: Map<VarLike, V>, key: VarLike, to: V | undefined): V | undefined {
  const before = map.get(key);
  if (to === undefined) map.delete(key);
  else map.set(key, to);
  return before;
}

// — intervals —

function intervalOf(e: Expr, table: Table): Interval {
  if (e.type.kind !== "Scalar" || !isInteger(e.type.dtype)) return ANY_INTEGER;
  const whole = dtypeInterval(e.type.dtype);
  switch (e.kind) {
    case "Const": return typeof e.value === "bigint" ? literalInterval(e.value) : whole;
    case "Var":
    case "IterArg": return table.intervals.get(e) ?? whole;
    case "Prim": return ofPrim(e, e.args.map((arg) => intervalOf(arg, table)), whole);
    default: return whole;
  }
}

function ofPrim(e: Prim, args: readonly Interval[], whole: Interval): Interval {
  const found = primInterval(e, args, whole);
  return found !== undefined && isWithin(found, WRAPPING.has(e.op) ? limits(whole) : whole) ? found : whole;
}

/** Operations whose result may lie outside the dtype; of 64 bits, results that are not proved small may wrap. */
const WRAPPING: ReadonlySet<PrimOp> = new Set<PrimOp>(["add", "sub", "mul", "neg", "abs", "mad", "shl"]);

const limits = ({ lo, hi }: Interval): Interval => ({ lo: Math.max(lo, Number.MIN_SAFE_INTEGER), hi: Math.min(hi, Number.MAX_SAFE_INTEGER) });

function isExact(e: Expr, table: Table): boolean {
  if (e.kind !== "Prim") return e.kind === "Const" || e.kind === "Var" || e.kind === "IterArg";
  if (e.type.kind !== "Scalar" || !isInteger(e.type.dtype) || !e.args.every((arg) => isExact(arg, table))) return false;
  if (!WRAPPING.has(e.op)) return true;
  const found = primInterval(e, e.args.map((arg) => intervalOf(arg, table)), ANY_INTEGER);
  return found !== undefined && isWithin(found, limits(dtypeInterval(e.type.dtype)));
}

// — facts —

function equate(v: VarLike, value: Expr, known: Known, { facts, intervals }: Table): void {
  intervals.set(v, known.intervalOf(value));
  const dim = known.exact(value) ? toDim(value) : undefined;
  if (dim !== undefined) facts.equate(v, dim);
}

function enterLoop(v: VarLike, bounds: readonly [Expr, Expr, Expr], known: Known, { facts, intervals }: Table): void {
  const [start, stop, step] = bounds;
  const [from, to, by] = bounds.map(known.intervalOf);
  if (from === undefined || to === undefined || by === undefined) return;
  if (by.lo > 0) intervals.set(v, { lo: from.lo, hi: Math.max(from.lo, to.hi - 1) });
  else if (by.hi < 0) intervals.set(v, { lo: Math.min(from.hi, to.lo + 1), hi: from.hi });
  if (known.exact(start) && known.exact(stop)) boundLoop(facts, v, start, stop, step);
}

function compare(a: Expr, b: Expr, known: Known, { facts }: Table, how: "less" | "lessEqual"): boolean | undefined {
  const [x, y] = [known.intervalOf(a), known.intervalOf(b)];
  const never = how === "less" ? x.lo >= y.hi : x.lo > y.hi;
  if (how === "less" ? x.hi < y.lo : x.hi <= y.lo) return true;
  if (never && Number.isFinite(x.lo)) return false;
  if (a.kind === "Const" && b.kind === "Const") return undefined;
  const [left, right] = [dimOf(a, known), dimOf(b, known)];
  if (left === undefined || right === undefined) return undefined;
  return how === "less" ? proveLess(facts, left, right) : proveLessEqual(facts, left, right);
}

/** The dim of an index expression that does not wrap. */
function dimOf(e: Expr, known: Known): Dim | undefined {
  if (e.type.kind !== "Scalar" || !sameDType(e.type.dtype, "index")) return undefined;
  const dim = toDim(e);
  return dim !== undefined && known.exact(e) ? dim : undefined;
}
