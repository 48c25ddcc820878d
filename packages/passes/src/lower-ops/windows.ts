// Where windows and elements lie inside their arrays: proved where the facts allow it, else decided at run time.

import {
  addDims, both, isStatic, lessThan, maxDim, minDim, prim, proveLess, subDims, toDim, toExpr,
  type Dim, type Expr,
} from "@tilefoundry/ir";
import { provedByDivision } from "./products.ts";
import { provedLessEqual } from "./proved.ts";
import { bindScalar, ZERO, type Lowering } from "./state.ts";

/** Extent along one axis of a window of `size` at `offset` in an axis of `extent`. */
export function clipExtent(l: Lowering, extent: Dim, offset: Expr, size: Expr): Expr {
  const [start, span] = [bindUnlessDim(l, "offset", offset), bindUnlessDim(l, "size", size)];
  const [at, whole] = [toDim(start), toDim(span)];
  if (at === undefined || whole === undefined) return clippedAtRunTime(extent, start, span);
  const room = subDims(extent, at);
  const within = provedLessEqual(l, addDims(at, whole), extent);
  const clipped = within ? whole : provedLessEqual(l, at, extent) ? minDim(whole, room) : maxDim(0, minDim(whole, room));
  if (provedLessEqual(l, 0, at)) return toExpr(clipped);
  return prim("select", [lessThan(start, ZERO), ZERO, toExpr(clipped)]);
}

const bindUnlessDim = (l: Lowering, hint: string, e: Expr): Expr => (toDim(e) === undefined ? bindScalar(l, hint, e) : e);

/** For offsets about which nothing is proved, such as literals beyond the end of any array. */
function clippedAtRunTime(extent: Dim, offset: Expr, size: Expr): Expr {
  const room = prim("max", [ZERO, prim("min", [size, prim("sub", [toExpr(extent), offset])])]);
  return prim("select", [lessThan(offset, ZERO), ZERO, room]);
}

/** Condition under which an index is inside the extents; undefined where that is proved. */
export function insideCondition(l: Lowering, extents: readonly Dim[], index: readonly Expr[]): Expr | undefined {
  const conditions = extents.flatMap((extent, axis) => {
    const at = index[axis];
    return at === undefined ? [] : axisConditions(l, extent, at);
  });
  return conditions.reduce<Expr | undefined>((all, c) => (all === undefined ? c : both(all, c)), undefined);
}

function axisConditions(l: Lowering, extent: Dim, at: Expr): readonly Expr[] {
  if (provedByDivision(l, extent, at)) return [];
  const dim = toDim(at);
  const conditions: Expr[] = [];
  if (dim === undefined || !provedLessEqual(l, 0, dim)) conditions.push(prim("ge", [at, ZERO]));
  const below = dim !== undefined && proveLess(l.facts, l.facts.expand(dim), l.facts.expand(extent)) === true;
  if (!below) conditions.push(lessThan(at, toExpr(extent)));
  return conditions;
}

/** A minimum without the operands that are proved to be no smaller than another. */
export function tightened(l: Lowering, d: Dim): Dim {
  const operands = minOperands(d);
  if (operands.length < 2) return d;
  const kept = operands.filter((a, i) => !operands.some((b, j) => i !== j && provedLessEqual(l, b, a) && (j < i || !provedLessEqual(l, a, b))));
  return kept.length === operands.length ? d : kept.reduce(minDim);
}

export function minOperands(d: Dim): readonly Dim[] {
  const term = isStatic(d) || d.constant !== 0 || d.terms.length !== 1 ? undefined : d.terms[0];
  if (term === undefined || term.coefficient !== 1 || term.leaf.kind !== "min") return [d];
  return [...minOperands(term.leaf.a), ...minOperands(term.leaf.b)];
}
