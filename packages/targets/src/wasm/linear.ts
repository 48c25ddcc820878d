// Sums of products, as addresses are: Σ coefficient · tree + constant, modulo 2^32. Distributing is exact there, and it lets the parts
// of an address that a loop does not change be computed outside of it.

import { isFloat, type Expr } from "@tilefoundry/ir";
import { lowBits } from "./arithmetic.ts";
import type { Emit } from "./context.ts";
import { mul32 } from "./integers.ts";
import { keyOf, type Tree } from "./tree.ts";

export interface LinearTerm {
  readonly coefficient: number;
  readonly tree: Tree;
}

export interface Linear {
  /** By the key of their tree. */
  readonly terms: ReadonlyMap<string, LinearTerm>;
  readonly constant: number;
}

const NONE: ReadonlyMap<string, LinearTerm> = new Map<string, LinearTerm>();

export const constantLinear = (constant: number): Linear => ({ terms: NONE, constant });

export function addLinear(a: Linear, b: Linear): Linear {
  const terms = new Map(a.terms);
  for (const [key, term] of b.terms) {
    const known = terms.get(key);
    const coefficient = (known?.coefficient ?? 0) + term.coefficient;
    if (coefficient === 0) terms.delete(key);
    else terms.set(key, { coefficient, tree: term.tree });
  }
  return { terms, constant: a.constant + b.constant };
}

export function scaleLinear(a: Linear, factor: number): Linear {
  if (factor === 0) return constantLinear(0);
  const terms = new Map([...a.terms].map(([key, t]) => [key, { ...t, coefficient: t.coefficient * factor }]));
  return { terms, constant: a.constant * factor };
}

/** Times a value that is no constant. */
export function timesTree(a: Linear, factor: Tree): Linear {
  const products = [...a.terms.values()].map((t) => leaf(mul32(t.tree, factor), t.coefficient));
  return [...products, ...(a.constant === 0 ? [] : [leaf(factor, a.constant)])].reduce(addLinear, constantLinear(0));
}

const leaf = (tree: Tree, coefficient: number): Linear => ({ terms: new Map([[keyOf(tree), { coefficient, tree }]]), constant: 0 });

/** The low 32 bits of an index expression as a sum. */
export function linearOf(index: Expr, c: Emit): Linear {
  const e = c.unfolded(index);
  if (e.kind === "Const" && typeof e.value === "bigint") return constantLinear(Number(BigInt.asIntN(32, e.value)));
  if (e.kind !== "Prim" || e.type.kind !== "Scalar" || isFloat(e.type.dtype)) return leaf(lowBits(e, c), 1);
  const [a, b] = e.args;
  if (e.op === "neg" && a !== undefined) return scaleLinear(linearOf(a, c), -1);
  if (a === undefined || b === undefined) return leaf(lowBits(e, c), 1);
  switch (e.op) {
    case "add": return addLinear(linearOf(a, c), linearOf(b, c));
    case "sub": return addLinear(linearOf(a, c), scaleLinear(linearOf(b, c), -1));
    case "mul": return productOf(linearOf(a, c), linearOf(b, c)) ?? leaf(lowBits(e, c), 1);
    default: return leaf(lowBits(e, c), 1);
  }
}

/** A product with a constant factor whose coefficients stay small. */
function productOf(a: Linear, b: Linear): Linear | undefined {
  if (b.terms.size === 0 && Math.abs(b.constant) < 2 ** 20) return scaleLinear(a, b.constant);
  return a.terms.size === 0 && Math.abs(a.constant) < 2 ** 20 ? scaleLinear(b, a.constant) : undefined;
}
