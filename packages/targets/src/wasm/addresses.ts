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

/** The address of an element; its indices are the operands after the buffer. */
export function addressOf(buffer: Expr, { shape }: TensorType, operands: readonly Expr[], size: number, c: Emit): Address {
  let place: Linear = constantLinear(0);
  let restIsNatural = true;
  for (let axis = 0; axis < shape.length; axis++) {
    if (axis > 0) place = timesExtent(place, shape[axis] as Dim, c); // within the length
    const index = operands[axis + 1] as Expr; // the typing rule asks for one a dim
    const part = linearOf(index, c);
    restIsNatural &&= c.ranges.of(index).lo >= part.constant;
    place = addLinear(place, part);
  }
  const bytes = scaleLinear(place, size);
  // the instruction's sum of address and offset does not wrap, so what varies must not be below the base
  const inside = restIsNatural && bytes.constant >= 0 && bytes.constant < 2 ** 31;
  const tree = sumOf(buffer, bytes, inside ? 0 : bytes.constant, c);
  return { tree, offset: inside ? bytes.constant : 0 };
}

const timesExtent = (place: Linear, extent: Dim, c: Emit): Linear =>
  isStatic(extent) ? scaleLinear(place, extent) : timesTree(place, lowBits(toExpr(extent), c));

/** Outer terms first; after those of each depth the sum so far is kept in a local before the loop that it does not change in. */
function sumOf(buffer: Expr, { terms }: Linear, constant: number, c: Emit): Tree {
  const depths = terms.map((term) => c.depthOf(term.tree));
  const deepest = Math.max(-1, ...depths);
  let sum = c.pointer(buffer);
  for (let depth = 0; depth <= deepest; depth++) {
    if (!depths.includes(depth)) continue;
    for (const [i, term] of terms.entries()) if (depths[i] === depth) sum = add32(sum, productTree(term));
    sum = c.hoisted(sum, depth, buffer);
  }
  return add32(sum, i32(constant));
}

function productTree({ tree, coefficient }: LinearTerm): Tree {
  const bits = Math.log2(coefficient);
  return Number.isInteger(bits) ? shl32(tree, bits) : mul32(tree, i32(coefficient));
}
