// What is known about index variables at a place in the text: inclusive bounds as dims, and the order of the proofs that use
// them. Three-valued: `true` is proved, `false` is disproved, `undefined` is neither.

import { addDims, isStatic, scaleDim, someVar, subDims, withoutTerm } from "./dims.ts";
import type { Dim, DimLeaf, DimSum, DimTerm, SymbolDef, VarLike } from "./nodes.ts";

export interface Bounds {
  readonly lo: Dim | undefined;
  /** Inclusive. */
  readonly hi: Dim | undefined;
}

/** Bounds of the variables in scope; a persistent chain, so that a block adds to it without copying. */
export interface Facts {
  boundsOf(variable: VarLike): Bounds | undefined;
}

export const NO_FACTS: Facts = { boundsOf: () => undefined };

/** Facts of a signature: every symbol lies in `[lo, hi)`. */
export function symbolFacts(symbols: readonly SymbolDef[]): Facts {
  const known = new Map<VarLike, Bounds>(symbols.map((s) => [s.var, { lo: s.lo, hi: s.hi - 1 }]));
  return { boundsOf: (v) => known.get(v) };
}

export function withBounds(outer: Facts, variable: VarLike, bounds: Bounds): Facts {
  return { boundsOf: (v) => (v === variable ? bounds : outer.boundsOf(v)) };
}

/** Bounds of the variable of a loop `for v in range(start, stop, step)` with a static step. */
export function loopBounds(start: Dim | undefined, stop: Dim | undefined, step: number): Bounds {
  if (step > 0) return { lo: start, hi: lastValue(start, stop, step) };
  return { lo: stop === undefined ? undefined : addDims(stop, 1), hi: start };
}

/** Last value of an ascending loop, exact where the extent is static: 992 for `range(0, 1000, 32)`. */
function lastValue(start: Dim | undefined, stop: Dim | undefined, step: number): Dim | undefined {
  if (stop === undefined) return undefined;
  if (start !== undefined && isStatic(start) && isStatic(stop) && stop > start) return start + step * Math.floor((stop - 1 - start) / step);
  return subDims(stop, 1);
}

export function proveLessEqual(facts: Facts, a: Dim, b: Dim): boolean | undefined {
  const difference = subDims(b, a);
  const least = bound(facts, difference, "lo");
  if (least !== undefined && least >= 0) return true;
  const most = bound(facts, difference, "hi");
  return most !== undefined && most < 0 ? false : undefined;
}

export const proveLess = (facts: Facts, a: Dim, b: Dim): boolean | undefined => proveLessEqual(facts, addDims(a, 1), b);

/** Whether `a <= b` is proved. Half of the work of `proveLessEqual`, for those who ask for no disproof. */
export function isLessEqual(facts: Facts, a: Dim, b: Dim): boolean {
  const least = bound(facts, subDims(b, a), "lo");
  return least !== undefined && least >= 0;
}

/** Whether `a < b` is proved. */
export const isLess = (facts: Facts, a: Dim, b: Dim): boolean => isLessEqual(facts, addDims(a, 1), b);

/** Whether a variable of the dim has no value that its bounds admit: code that reads it, as in a loop over nothing, never runs. */
export function neverRuns(facts: Facts, d: Dim, depth = PROOF_DEPTH): boolean {
  return depth > 0 && someVar(d, (v) => isEmpty(facts, facts.boundsOf(v), depth));
}

function isEmpty(facts: Facts, bounds: Bounds | undefined, depth: number): boolean {
  if (bounds?.lo === undefined || bounds.hi === undefined) return false;
  const { lo, hi } = bounds;
  return isLess(facts, hi, lo) || neverRuns(facts, lo, depth - 1) || neverRuns(facts, hi, depth - 1);
}

/** Numeric bounds of a dim; either side may be unknown. */
export function rangeOf(facts: Facts, d: Dim): { readonly lo: number | undefined; readonly hi: number | undefined } {
  return { lo: bound(facts, d, "lo"), hi: bound(facts, d, "hi") };
}

/** How many variables one proof replaces by their bounds before it gives up. */
const PROOF_DEPTH = 16;

/**
 * A number that `d` never goes below (`lo`) or above (`hi`): replaces one variable after another by its own bound, inner ones
 * before those that bound them, so that what a loop variable and its extent share cancels out (`r <= M - 1`, hence `r + 1 <= M`).
 */
function bound(facts: Facts, d: Dim, side: Side, depth = PROOF_DEPTH): number | undefined {
  if (isStatic(d)) return d;
  if (depth === 0) return undefined;
  for (const term of innerFirst(facts, d)) {
    const found = boundWithout(facts, d, term, side, depth);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Side = "lo" | "hi";

/** The bound of a sum with one term replaced by its own bound; a minimum from above and a maximum from below have two. */
function boundWithout(facts: Facts, d: DimSum, term: DimTerm, side: Side, depth: number): number | undefined {
  const { leaf, coefficient } = term;
  const wanted = coefficient > 0 === (side === "lo") ? "lo" : "hi";
  const rest = withoutTerm(d, term);
  if ((leaf.kind === "min" && wanted === "hi") || (leaf.kind === "max" && wanted === "lo")) {
    const a = bound(facts, addDims(rest, scaleDim(leaf.a, coefficient)), side, depth - 1);
    return tighter(a, bound(facts, addDims(rest, scaleDim(leaf.b, coefficient)), side, depth - 1), side);
  }
  const by = leafBound(facts, leaf, wanted);
  return by === undefined ? undefined : bound(facts, addDims(rest, scaleDim(by, coefficient)), side, depth - 1);
}

function tighter(x: number | undefined, y: number | undefined, side: Side): number | undefined {
  if (x === undefined || y === undefined) return x ?? y;
  return side === "lo" ? Math.max(x, y) : Math.min(x, y);
}

function innerFirst(facts: Facts, { terms }: DimSum): readonly DimTerm[] {
  if (terms.length === 1) return terms;
  const [first, second] = terms;
  if (terms.length === 2 && first !== undefined && second !== undefined) {
    return rankOfTerm(facts, first) >= rankOfTerm(facts, second) ? terms : [second, first];
  }
  const ranked = terms.map((term) => ({ term, rank: rankOfTerm(facts, term) }));
  return ranked.sort((a, b) => b.rank - a.rank).map(({ term }) => term);
}

/** A minimum or quotient goes before the variables in it, which may cancel against its operands. */
const rankOfTerm = (facts: Facts, { leaf }: DimTerm): number => (leaf.kind === "var" ? 0 : 1) + rankOfLeaf(facts, leaf, PROOF_DEPTH);

/** How many steps of bounds lie between a leaf and numbers: 0 for a symbol, 1 for a loop variable below it, and so on. */
function rankOfLeaf(facts: Facts, leaf: DimLeaf, depth: number): number {
  switch (leaf.kind) {
    case "var": return rankOfVariable(facts, leaf.variable, depth);
    case "floordiv":
    case "mod": return rankOf(facts, leaf.dividend, depth);
    case "min":
    case "max": return Math.max(rankOf(facts, leaf.a, depth), rankOf(facts, leaf.b, depth));
  }
}

function rankOf(facts: Facts, d: Dim, depth: number): number {
  let rank = 0;
  if (!isStatic(d)) for (const { leaf } of d.terms) rank = Math.max(rank, rankOfLeaf(facts, leaf, depth));
  return rank;
}

function rankOfVariable(facts: Facts, variable: VarLike, depth: number): number {
  const bounds = depth === 0 ? undefined : facts.boundsOf(variable);
  const steps = (by: Dim | undefined): number => (by === undefined || isStatic(by) ? 0 : 1 + rankOf(facts, by, depth - 1));
  return bounds === undefined ? 0 : Math.max(steps(bounds.lo), steps(bounds.hi));
}

/** One bound of a leaf; none of two of a minimum or maximum alone. */
function leafBound(facts: Facts, leaf: DimLeaf, side: Side): Dim | undefined {
  switch (leaf.kind) {
    case "var":
      return facts.boundsOf(leaf.variable)?.[side];
    case "mod":
      return side === "lo" ? 0 : leaf.divisor - 1;
    case "floordiv": {
      const inner = bound(facts, leaf.dividend, side);
      return inner === undefined ? undefined : Math.floor(inner / leaf.divisor);
    }
    case "min":
    case "max": {
      const x = bound(facts, leaf.a, side);
      const y = bound(facts, leaf.b, side);
      if (x === undefined || y === undefined) return undefined;
      return leaf.kind === "min" ? Math.min(x, y) : Math.max(x, y);
    }
  }
}
