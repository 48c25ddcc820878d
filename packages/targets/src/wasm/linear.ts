// Sums of products, as addresses are: Σ coefficient · tree + constant, modulo 2^32. Distributing is exact there, and it lets the parts
// of an address that a loop does not change be computed outside of it.

import { isFloat, type Expr } from "@tilefoundry/ir";
import { lowBits } from "./arithmetic.ts";
import type { Emit } from "./context.ts";
import { lowWord, mul32 } from "./integers.ts";
import { sameTree, type Tree } from "./tree.ts";

export interface LinearTerm {
  readonly coefficient: number;
  readonly tree: Tree;
}

export interface Linear {
  /** Of different trees. */
  readonly terms: readonly LinearTerm[];
  readonly constant: number;
}

const NONE: readonly LinearTerm[] = [];

export const constantLinear = (constant: number): Linear => ({ terms: NONE, constant });

export function addLinear(a: Linear, b: Linear): Linear {
  const constant = a.constant + b.constant;
  if (b.terms.length === 0) return { terms: a.terms, constant };
  if (a.terms.length === 0) return { terms: b.terms, constant };
  const terms = a.terms.slice();
  for (const term of b.terms) addTerm(terms, term);
  return { terms, constant };
}

function addTerm(terms: LinearTerm[], { coefficient, tree }: LinearTerm): void {
  const at = terms.findIndex((known) => sameTree(known.tree, tree));
  const known = terms[at];
  if (known === undefined) terms.push({ coefficient, tree });
  else if (known.coefficient + coefficient === 0) terms.splice(at, 1);
  else terms[at] = { coefficient: known.coefficient + coefficient, tree };
}

export function scaleLinear({ terms, constant }: Linear, factor: number): Linear {
  if (factor === 0) return constantLinear(0);
  return { terms: terms.map(({ coefficient, tree }) => ({ coefficient: coefficient * factor, tree })), constant: constant * factor };
}

/** Times a value that is no constant. */
export function timesTree({ terms, constant }: Linear, factor: Tree): Linear {
  const products: LinearTerm[] = [];
  for (const { coefficient, tree } of terms) addTerm(products, { coefficient, tree: mul32(tree, factor) });
  if (constant !== 0) addTerm(products, { coefficient: constant, tree: factor });
  return { terms: products, constant: 0 };
}

const leaf = (tree: Tree): Linear => ({ terms: [{ coefficient: 1, tree }], constant: 0 });

/** The low 32 bits of an index expression as a sum. */
export function linearOf(index: Expr, c: Emit): Linear {
  const e = c.unfolded(index);
  if (e.kind === "Const" && typeof e.value === "bigint") return constantLinear(lowWord(e.value));
  if (e.kind !== "Prim" || e.type.kind !== "Scalar" || isFloat(e.type.dtype)) return leaf(lowBits(e, c));
  const a = e.args[0];
  const b = e.args[1];
  if (e.op === "neg" && a !== undefined) return scaleLinear(linearOf(a, c), -1);
  if (a === undefined || b === undefined) return leaf(lowBits(e, c));
  switch (e.op) {
    case "add": return addLinear(linearOf(a, c), linearOf(b, c));
    case "sub": return addLinear(linearOf(a, c), scaleLinear(linearOf(b, c), -1));
    case "mul": return productOf(linearOf(a, c), linearOf(b, c)) ?? leaf(lowBits(e, c));
    default: return leaf(lowBits(e, c));
  }
}

/** A product with a constant factor whose coefficients stay small. */
function productOf(a: Linear, b: Linear): Linear | undefined {
  if (b.terms.length === 0 && Math.abs(b.constant) < 2 ** 20) return scaleLinear(a, b.constant);
  return a.terms.length === 0 && Math.abs(a.constant) < 2 ** 20 ? scaleLinear(b, a.constant) : undefined;
}
