// Dims hold doubles and are compared as trees: both must stay within bounds.

import { isStatic, type Dim, type DimLeaf } from "@tilefoundry/ir";

/** Leaves of the largest dim. */
const LEAVES = 256;

/** Whether every number in the dim is a safe integer and it has few enough leaves. */
export function isExactDim(d: Dim): boolean {
  return leavesOf(d) <= LEAVES;
}

/** Number of leaves; infinite if a number in it is not exact. */
function leavesOf(d: Dim): number {
  if (isStatic(d)) return Number.isSafeInteger(d) ? 0 : Infinity;
  if (!Number.isSafeInteger(d.constant)) return Infinity;
  let count = 0;
  for (const { coefficient, leaf } of d.terms) {
    count += Number.isSafeInteger(coefficient) ? insideLeaf(leaf) : Infinity;
    if (count > LEAVES) return Infinity;
  }
  return count;
}

function insideLeaf(leaf: DimLeaf): number {
  switch (leaf.kind) {
    case "var": return 1;
    case "floordiv":
    case "mod": return 1 + leavesOf(leaf.dividend);
    case "min":
    case "max": return 1 + leavesOf(leaf.a) + leavesOf(leaf.b);
  }
}
