// `Dim`: the affine normal form Σ c·leaf + k of extents in types, attributes and proofs. Its leaves are index variables,
// floor division and modulo by a positive literal, minimum and maximum. Equal dims have equal form, so equality is structural.
// Statements and expressions never hold a `Dim`; `toDim` and `toExpr` (dim-bridge.ts) are the only ways across.

import type { Dim, DimLeaf, DimSum, DimTerm, VarLike } from "./nodes.ts";

export const isStatic = (d: Dim): d is number => typeof d === "number";

/** Whether data that may hold anything is a symbolic dim; an attribute may well be called `kind` and be `"sum"`. */
export const isDimSum = (data: object): data is DimSum => "kind" in data && data.kind === "sum" && "terms" in data;

export function dimVar(variable: VarLike): Dim {
  return { kind: "sum", terms: [{ coefficient: 1, leaf: { kind: "var", variable } }], constant: 0 };
}

export function addDims(a: Dim, b: Dim): Dim {
  if (isStatic(a)) return isStatic(b) ? a + b : moved(b, a);
  return isStatic(b) ? moved(a, b) : ofTerms(merged(a.terms, b.terms, 1), a.constant + b.constant);
}

/** `a - b`, in one go. */
export function subDims(a: Dim, b: Dim): Dim {
  if (isStatic(b)) return isStatic(a) ? a - b : moved(a, -b);
  return isStatic(a) ? moved(negated(b), a) : ofTerms(merged(a.terms, b.terms, -1), a.constant - b.constant);
}

const moved = (d: DimSum, by: number): DimSum => (by === 0 ? d : { kind: "sum", terms: d.terms, constant: d.constant + by });
const negated = (d: DimSum): DimSum => ({ kind: "sum", terms: scaled(d.terms, -1), constant: 0 - d.constant });

export function scaleDim(a: Dim, factor: number): Dim {
  if (isStatic(a)) return a * factor;
  if (factor === 0) return 0;
  return factor === 1 ? a : { kind: "sum", terms: scaled(a.terms, factor), constant: a.constant * factor + 0 };
}

const scaled = (terms: readonly DimTerm[], factor: number): readonly DimTerm[] => terms.map((t) => ({ coefficient: t.coefficient * factor, leaf: t.leaf }));

/** The sum without one of its terms. */
export function withoutTerm({ terms, constant }: DimSum, term: DimTerm): Dim {
  return terms.length === 1 ? constant : { kind: "sum", terms: terms.filter((t) => t !== term), constant };
}

/** Product, if it is affine: at least one side must be static. */
export function mulDims(a: Dim, b: Dim): Dim | undefined {
  if (isStatic(a)) return scaleDim(b, a);
  if (isStatic(b)) return scaleDim(a, b);
  return undefined;
}

/** `a // divisor` for a positive literal divisor; exact multiples leave the division. */
export function floorDivDim(a: Dim, divisor: number): Dim {
  if (isStatic(a)) return Math.floor(a / divisor);
  if (divisor === 1) return a;
  const { quotient, rest } = splitMultiple(a, divisor);
  if (isStatic(rest)) return addDims(quotient, Math.floor(rest / divisor));
  return addDims(quotient, sum([{ coefficient: 1, leaf: { kind: "floordiv", dividend: rest, divisor } }], 0));
}

/** `a % divisor` for a positive literal divisor, as `a - divisor * (a // divisor)` would be, but kept as one leaf. */
export function modDim(a: Dim, divisor: number): Dim {
  if (isStatic(a)) return a - divisor * Math.floor(a / divisor);
  if (divisor === 1) return 0;
  const { rest } = splitMultiple(a, divisor);
  if (isStatic(rest)) return rest - divisor * Math.floor(rest / divisor);
  return sum([{ coefficient: 1, leaf: { kind: "mod", dividend: rest, divisor } }], 0);
}

export function minDim(a: Dim, b: Dim): Dim {
  return extreme("min", a, b);
}

export function maxDim(a: Dim, b: Dim): Dim {
  return extreme("max", a, b);
}

export function dimsEqual(a: Dim, b: Dim): boolean {
  return a === b || compareDims(a, b) === 0;
}

export function shapesEqual(a: readonly Dim[], b: readonly Dim[]): boolean {
  if (a === b) return true;
  return a.length === b.length && a.every((d, i) => dimsEqual(d, b[i] ?? NaN));
}

/** What stands for a variable; undefined where it stays. */
export type Replacement = (variable: VarLike) => Dim | undefined;

/** Rebuilds a dim with variables replaced; the result is normal again, and the same object if nothing was replaced. */
export function substituteDim(d: Dim, replace: Replacement): Dim {
  if (isStatic(d)) return d;
  let total: Dim | undefined;
  for (let i = 0; i < d.terms.length; i++) {
    const term = d.terms[i] as DimTerm; // within the length
    const leaf = substituteLeaf(term.leaf, replace);
    if (leaf === undefined && total === undefined) continue;
    total ??= ofTerms(d.terms.slice(0, i), d.constant); // the first that changes
    total = addDims(total, leaf === undefined ? { kind: "sum", terms: [term], constant: 0 } : scaleDim(leaf, term.coefficient));
  }
  return total ?? d;
}

/** Undefined where nothing is replaced. */
function substituteLeaf(leaf: DimLeaf, replace: Replacement): Dim | undefined {
  switch (leaf.kind) {
    case "var": return replace(leaf.variable);
    case "floordiv":
    case "mod": {
      const dividend = substituteDim(leaf.dividend, replace);
      if (dividend === leaf.dividend) return undefined;
      return leaf.kind === "mod" ? modDim(dividend, leaf.divisor) : floorDivDim(dividend, leaf.divisor);
    }
    case "min":
    case "max": {
      const a = substituteDim(leaf.a, replace);
      const b = substituteDim(leaf.b, replace);
      return a === leaf.a && b === leaf.b ? undefined : extreme(leaf.kind, a, b);
    }
  }
}

/** Whether a variable in the dim passes a test. */
export function someVar(d: Dim, test: (variable: VarLike) => boolean): boolean {
  if (isStatic(d)) return false;
  for (const { leaf } of d.terms) {
    if (leaf.kind === "var") {
      if (test(leaf.variable)) return true;
    } else if (leaf.kind === "floordiv" || leaf.kind === "mod") {
      if (someVar(leaf.dividend, test)) return true;
    } else if (someVar(leaf.a, test) || someVar(leaf.b, test)) return true;
  }
  return false;
}

/** Calls `visit` with every variable in the dim, in order, repeats included. */
export function dimVars(d: Dim, visit: (variable: VarLike) => void): void {
  if (isStatic(d)) return;
  for (const { leaf } of d.terms) {
    if (leaf.kind === "var") visit(leaf.variable);
    else if (leaf.kind === "floordiv" || leaf.kind === "mod") dimVars(leaf.dividend, visit);
    else {
      dimVars(leaf.a, visit);
      dimVars(leaf.b, visit);
    }
  }
}

// — normal form —

const ofTerms = (terms: readonly DimTerm[], constant: number): Dim => (terms.length === 0 ? constant : { kind: "sum", terms, constant });

/** Terms in any order, repeats included. */
function sum(terms: readonly DimTerm[], constant: number): Dim {
  return ofTerms(terms.length <= 1 ? terms : terms.reduce<readonly DimTerm[]>((all, term) => merged(all, [term], 1), []), constant);
}

/** The terms of `a + factor * b`, each in order. */
function merged(a: readonly DimTerm[], b: readonly DimTerm[], factor: 1 | -1): readonly DimTerm[] {
  const terms: DimTerm[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const x = a[i];
    const y = b[j];
    const order = x === undefined ? 1 : y === undefined ? -1 : compareLeaves(x.leaf, y.leaf);
    if (order <= 0) i++;
    if (order >= 0) j++;
    if (x !== undefined && order < 0) terms.push(x);
    else if (y !== undefined && order > 0) terms.push(factor === 1 ? y : { coefficient: -y.coefficient, leaf: y.leaf });
    else if (x !== undefined && y !== undefined) {
      const coefficient = x.coefficient + factor * y.coefficient;
      if (coefficient !== 0) terms.push({ coefficient, leaf: x.leaf });
    }
  }
  return terms;
}

function splitMultiple(a: DimSum, divisor: number): { readonly quotient: Dim; readonly rest: Dim } {
  const whole = a.terms.filter((t) => t.coefficient % divisor === 0);
  const left = a.terms.filter((t) => t.coefficient % divisor !== 0);
  const k = Math.floor(a.constant / divisor);
  return {
    quotient: sum(whole.map((t) => ({ coefficient: t.coefficient / divisor, leaf: t.leaf })), k),
    rest: sum(left, a.constant - k * divisor),
  };
}

function extreme(kind: "min" | "max", a: Dim, b: Dim): Dim {
  if (isStatic(a) && isStatic(b)) return kind === "min" ? Math.min(a, b) : Math.max(a, b);
  const difference = subDims(a, b);
  if (isStatic(difference)) return kind === "min" === difference <= 0 ? a : b;
  const [first, second] = compareDims(a, b) <= 0 ? [a, b] : [b, a];
  return sum([{ coefficient: 1, leaf: { kind, a: first, b: second } }], 0);
}

// — a total order: by kind, then by content; variables by name, so that a text that is read back gives the same order, and
//   namesakes by the order in which they were first asked for —

const variableOrder = new WeakMap<VarLike, number>();
let nextOrder = 0;

function orderOf(variable: VarLike): number {
  let order = variableOrder.get(variable);
  if (order === undefined) variableOrder.set(variable, (order = nextOrder++));
  return order;
}

const LEAF_ORDER = { var: 0, floordiv: 1, mod: 2, min: 3, max: 4 } as const;

export function compareLeaves(a: DimLeaf, b: DimLeaf): number {
  if (a.kind === "var" && b.kind === "var") return compareVariables(a.variable, b.variable);
  if (a.kind !== b.kind) return LEAF_ORDER[a.kind] - LEAF_ORDER[b.kind];
  if ("divisor" in a && "divisor" in b) return compareDims(a.dividend, b.dividend) || a.divisor - b.divisor;
  if ("b" in a && "b" in b) return compareDims(a.a, b.a) || compareDims(a.b, b.b);
  return 0;
}

function compareVariables(a: VarLike, b: VarLike): number {
  if (a === b) return 0;
  if (a.hint !== b.hint) return a.hint < b.hint ? -1 : 1;
  return orderOf(a) - orderOf(b);
}

export function compareDims(a: Dim, b: Dim): number {
  if (isStatic(a) || isStatic(b)) return isStatic(a) ? (isStatic(b) ? a - b : -1) : 1;
  if (a.terms.length !== b.terms.length) return a.terms.length - b.terms.length;
  for (let i = 0; i < a.terms.length; i++) {
    const term = a.terms[i] as DimTerm; // within the length of both
    const other = b.terms[i] as DimTerm;
    const order = compareLeaves(term.leaf, other.leaf) || term.coefficient - other.coefficient;
    if (order !== 0) return order;
  }
  return a.constant - b.constant;
}
