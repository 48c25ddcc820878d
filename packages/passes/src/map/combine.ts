// How the carries of a reduction combine, if in one of the ways that may be regrouped.

import { blocksOf, eachOperand, REDUCE_KINDS, type Expr, type IterArg, type Nest, type ReduceKind, type Seq } from "@tilefoundry/ir";
import { eachSubexpr, yieldedBy } from "./effects.ts";

/** The kind of each carry; undefined if one of them is no plain reduction. */
export function combinations(nest: Nest): readonly ReduceKind[] | undefined {
  const values = yieldedBy(nest.body);
  const kinds = nest.carries.map((carry, i) => {
    const value = values[i];
    return value !== undefined && mentionsIn(nest.body, carry) === 1 ? kindOf(carry, value) : undefined;
  });
  return kinds.every((k) => k !== undefined) ? kinds : undefined;
}

function kindOf(carry: IterArg, value: Expr): ReduceKind | undefined {
  if (value.kind !== "Prim") return undefined;
  const [a, b, c] = value.args;
  if (value.op === "mad") return c === carry ? "add" : undefined;
  if (a !== carry && b !== carry) return undefined;
  return REDUCE_KINDS.find((kind) => kind === value.op);
}

/** How often the body of a reduction mentions its carry: a prefix sum does so twice. */
function mentionsIn(block: Seq, carry: IterArg): number {
  let count = 0;
  for (const stmt of block.stmts) {
    eachOperand(stmt, (operand) => eachSubexpr(operand, (e) => {
      if (e === carry) count++;
    }));
    for (const inner of blocksOf(stmt)) count += mentionsIn(inner, carry);
  }
  return count;
}
