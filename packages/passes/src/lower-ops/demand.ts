// How much of each array anybody observes. A tile whose elements beyond an extent are never read need not have them: its run-time
// extent is cut to what is demanded. So an accumulator that starts as a full tile and ends in a store cut at the tensor's edge has
// that cut extent from the start, and no extent needs to be carried through the loop.

import { isStatic, minDim, toDim, type Dim, type Expr, type VarLike } from "@tilefoundry/ir";
import type { AxisDemand, Demands } from "./demands.ts";
import { dimIsVisible, type Lowering } from "./state.ts";
import { provedLessEqual } from "./proved.ts";
import { minOperands } from "./windows.ts";

function demandOf({ axes }: Demands, root: VarLike, axis: number): AxisDemand {
  let list = axes.get(root);
  if (list === undefined) axes.set(root, (list = []));
  return (list[axis] ??= { all: false, extents: [], links: [] });
}

const rankOf = (v: VarLike): number => (v.type.kind === "Tensor" ? v.type.shape.length : 0);

/** Notes that an element is read at an index. */
export function noteRead(l: Lowering, array: VarLike, index: readonly Expr[]): void {
  const root = l.handles.root(array);
  for (const [axis, at] of index.entries()) {
    const demand = demandOf(l.demands, root, axis);
    const origin = at.kind === "Var" ? l.demands.origins.get(at) : undefined;
    if (origin === undefined) demand.all = true;
    else if ("target" in origin) demand.links.push(origin);
    else noteExtent(l, demand, origin.extent);
  }
}

function noteExtent(l: Lowering, demand: AxisDemand, extent: Expr): void {
  const dim = toDim(extent);
  if (dim === undefined) demand.all = true;
  else demand.extents.push(l.facts.expand(dim));
}

/** Notes that any element may be read. */
export function noteAll(l: Lowering, array: VarLike): void {
  const root = l.handles.root(array);
  for (let axis = 0; axis < rankOf(root); axis++) demandOf(l.demands, root, axis).all = true;
}

/** Notes that a value becomes another: a carry, or the result of an `if`. */
export function noteSame(l: Lowering, array: VarLike, target: VarLike): void {
  const [from, to] = [l.handles.root(array), l.handles.root(target)];
  if (from === to) return;
  for (let axis = 0; axis < rankOf(from); axis++) demandOf(l.demands, from, axis).links.push({ target: to, axis });
}

/** The extent to which a value is read along an axis, in what is visible here; undefined where that may be all. */
export function demanded(l: Lowering, root: VarLike, axis: number): Dim | undefined {
  const extents = l.known && collect(l.known, root, axis, new Set());
  const bounds = extents?.map((d) => visiblePart(l, d));
  if (bounds === undefined || bounds.length === 0 || bounds.includes(undefined)) return undefined;
  const known = bounds.filter((d) => d !== undefined);
  return known.find((d) => known.every((other) => provedLessEqual(l, other, d)));
}

/** Every extent that reaches a value through links; undefined if all of it may be read. Ways that come back add nothing. */
function collect(demands: Demands, root: VarLike, axis: number, seen: Set<AxisDemand>): readonly Dim[] | undefined {
  const demand = demands.axes.get(root)?.[axis];
  if (demand === undefined || seen.has(demand)) return [];
  if (demand.all) return undefined;
  seen.add(demand);
  const all: Dim[] = [...demand.extents];
  for (const { target, axis: at } of demand.links) {
    const more = collect(demands, target, at, seen);
    if (more === undefined) return undefined;
    all.push(...more);
  }
  return all;
}

/** An upper bound of a minimum in visible variables: those of its operands that are visible. */
function visiblePart(l: Lowering, d: Dim): Dim | undefined {
  const visible = minOperands(d).filter((operand) => isStatic(operand) || dimIsVisible(l, operand));
  return visible.length === 0 ? undefined : visible.reduce(minDim);
}
