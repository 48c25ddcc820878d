// Proofs about loops over a product: in `for i in range(H * W)` both extents are at least 1, `i // W` lies below H and `i % W` below W.

import { dimsEqual, isVarLike, rangeOf, toDim, type Dim, type Expr, type For } from "@tilefoundry/ir";
import type { Lowering } from "./state.ts";
import { provedLessEqual } from "./proved.ts";

function resolved(l: Lowering, e: Expr): Expr {
  return (isVarLike(e) && l.definitions.values.get(e)) || e;
}

/** Whether an index is surely inside an axis because of how it was divided. */
export function provedByDivision(l: Lowering, extent: Dim, at: Expr): boolean {
  const e = resolved(l, at);
  if (e.kind !== "Prim" || (e.op !== "mod" && e.op !== "floordiv")) return false;
  const [x, divisor] = e.args;
  const by = divisor && toDim(divisor);
  if (x === undefined || by === undefined || !provedLessEqual(l, 1, by)) return false;
  return e.op === "mod" ? dimsEqual(by, extent) : isBelowProduct(l, x, by, extent);
}

/** Whether x runs from 0 to below `a * b`. */
function isBelowProduct(l: Lowering, x: Expr, a: Dim, b: Dim): boolean {
  const stop = isVarLike(x) ? l.definitions.stops.get(x) : undefined;
  const product = stop && factorsOf(l, stop);
  if (product === undefined) return false;
  const [left, right] = product;
  return (dimsEqual(left, a) && dimsEqual(right, b)) || (dimsEqual(left, b) && dimsEqual(right, a));
}

function factorsOf(l: Lowering, e: Expr): readonly [Dim, Dim] | undefined {
  const product = resolved(l, e);
  if (product.kind !== "Prim" || product.op !== "mul") return undefined;
  const [a, b] = product.args.map(toDim);
  if (a === undefined || b === undefined) return undefined;
  const [most, times] = [a, b].map((d) => rangeOf(l.facts, l.facts.expand(d)).hi ?? Infinity);
  return (most ?? Infinity) * (times ?? Infinity) < 2 ** 63 ? [a, b] : undefined; // beyond that it wraps
}

/** Lowers the body of a loop knowing that it runs: what its end is made of is not 0. */
export function inRunningLoop(l: Lowering, loop: For, start: Expr, stop: Expr, step: Expr, body: () => void): void {
  const [from, by] = [toDim(start), toDim(step)];
  const ascends = typeof by === "number" && by > 0 && from !== undefined && provedLessEqual(l, 0, from);
  if (!ascends) return body();
  l.definitions.stops.set(loop.loopVar, stop);
  const end = toDim(stop);
  const positive = end === undefined ? factorsOf(l, stop) : [end];
  const known = positive !== undefined && positive.every((d) => provedLessEqual(l, 0, d));
  l.facts.assumePositive(known ? positive : [], body);
}
