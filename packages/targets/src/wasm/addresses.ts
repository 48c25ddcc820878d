// Addresses of elements: base + Σ terms, the constant in the instruction's own offset. The terms that an inner loop does not change
// are summed before it, outer loops first.

import { isStatic, toExpr, type Dim, type Expr, type TensorType } from "@tilefoundry/ir";
import { lowBits } from "./arithmetic.ts";
import type { Emit } from "./context.ts";
import { add32, mul32, shl32 } from "./integers.ts";
import { addLinear, constantLinear, linearOf, scaleLinear, timesTree, type Linear, type LinearTerm } from "./linear.ts";
import { i32, type Tree } from "./tree.ts";

/** An address: a tree, and a constant that the instruction adds without wrapping. */
export interface Address {
  readonly tree: Tree;
  readonly offset: number;
}

export function addressOf(buffer: Expr, type: TensorType, indices: readonly Expr[], size: number, c: Emit): Address {
  let offset: Linear = constantLinear(0);
  let restIsNatural = true;
  for (const [axis, index] of indices.entries()) {
    const extent = type.shape[axis];
    if (axis > 0 && extent !== undefined) offset = timesExtent(offset, extent, c);
    const part = linearOf(index, c);
    restIsNatural &&= c.ranges.of(index).lo >= part.constant;
    offset = addLinear(offset, part);
  }
  const bytes = scaleLinear(offset, size);
  // the instruction's sum of address and offset does not wrap, so what varies must not be below the base
  const inside = restIsNatural && bytes.constant >= 0 && bytes.constant < 2 ** 31;
  const tree = sumOf(buffer, bytes, inside ? 0 : bytes.constant, c);
  return { tree, offset: inside ? bytes.constant : 0 };
}

const timesExtent = (offset: Linear, extent: Dim, c: Emit): Linear =>
  isStatic(extent) ? scaleLinear(offset, extent) : timesTree(offset, lowBits(toExpr(extent), c));

/** Outer terms first; after those of each depth the sum so far is kept in a local before the loop that it does not change in. */
function sumOf(buffer: Expr, { terms }: Linear, constant: number, c: Emit): Tree {
  const byDepth = new Map<number, Tree[]>();
  for (const term of terms.values()) {
    const depth = c.depthOf(term.tree);
    byDepth.set(depth, [...(byDepth.get(depth) ?? []), productTree(term)]);
  }
  let sum = c.pointer(buffer);
  for (const depth of [...byDepth.keys()].sort((a, b) => a - b)) {
    sum = [...(byDepth.get(depth) ?? [])].reduce(add32, sum);
    sum = c.hoisted(sum, depth, buffer);
  }
  return add32(sum, i32(constant));
}

function productTree({ tree, coefficient }: LinearTerm): Tree {
  const bits = Math.log2(coefficient);
  return Number.isInteger(bits) ? shl32(tree, bits) : mul32(tree, i32(coefficient));
}
