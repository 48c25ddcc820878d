// What is known of the index variables of a function while a pass walks it: bounds of loop variables and axes, and which variables
// equal a dim. Each variable has one definition, so facts only grow.

import {
  dimVars, loopBounds, soleVariable, subDims, substituteDim, toDim,
  type Bounds, type Dim, type Expr, type Facts, type FunctionNode, type VarLike,
} from "@tilefoundry/ir";

/** Bounds of the variables of a function; grows as the walk meets them (each variable has one definition). */
export interface KnownFacts extends Facts {
  bound(v: VarLike, bounds: Bounds): void;
  equate(v: VarLike, d: Dim): void;
  /** A dim with every variable that equals another dim replaced by it. */
  expand(d: Dim): Dim;
  /** Runs `body` with those of the dims that are single variables known to be at least 1. */
  assumePositive(dims: readonly Dim[], body: () => void): void;
}

/** How many terms an equation may have before it is kept as a bare variable: chains of definitions would grow without end. */
const EQUATION_TERMS = 12;

export function knownFacts(f: FunctionNode): KnownFacts {
  const bounds = new Map<VarLike, Bounds>();
  for (const s of f.symbols) bounds.set(s.var, { lo: s.lo, hi: s.hi - 1 });
  const equations = new Map<VarLike, Dim>();
  const equal = (v: VarLike): Dim | undefined => equations.get(v);
  const expand = (d: Dim): Dim => (equations.size === 0 ? d : substituteDim(d, equal));
  return {
    boundsOf: (v) => bounds.get(v),
    bound: (v, b) => void bounds.set(v, b),
    assumePositive: (dims, body) => {
      const variables = dims.flatMap((d) => soleVariable(d) ?? []);
      const before = variables.map((v) => [v, bounds.get(v)] as const);
      for (const v of variables) bounds.set(v, { lo: 1, hi: bounds.get(v)?.hi });
      body();
      for (const [v, b] of before) {
        if (b === undefined) bounds.delete(v);
        else bounds.set(v, b);
      }
    },
    equate: (v, d) => {
      const expanded = expand(d);
      if (termsOf(expanded) > EQUATION_TERMS) return;
      equations.set(v, expanded);
      bounds.set(v, { lo: expanded, hi: expanded });
    },
    expand,
  };
}

function termsOf(d: Dim): number {
  let count = 0;
  dimVars(d, () => count++);
  return count;
}

/** Facts of the variable of a counted loop. */
export function boundLoop(facts: KnownFacts, loopVar: VarLike, start: Expr, stop: Expr, step: Expr): void {
  const by = toDim(step);
  if (typeof by !== "number" || by === 0) return;
  const from = toDim(start);
  const to = toDim(stop);
  facts.bound(loopVar, loopBounds(from && facts.expand(from), to && facts.expand(to), by));
}

/** Facts of the axis of a nest. */
export function boundAxis(facts: KnownFacts, axis: VarLike, extent: Expr): void {
  const dim = toDim(extent);
  facts.bound(axis, { lo: 0, hi: dim === undefined ? undefined : subDims(facts.expand(dim), 1) });
}
