// What kind of nest a nest is: how deep it is perfect, whether it contracts, whether it would run in vectors.

import { blocksOf, type Nest, type Stmt, type VarLike } from "@tilefoundry/ir";
import { eachAccess, mentions } from "./effects.ts";
import { lanesFor } from "./lanes.ts";
import type { Mapping } from "./mapping.ts";

/** The parallel nests that each hold nothing but the next, outermost first. */
export function perfectChain(nest: Nest): readonly Nest[] {
  if (nest.reduce) return [];
  const [only, ...others] = nest.body.stmts;
  return only?.kind === "Nest" && others.length === 0 ? [nest, ...perfectChain(only)] : [nest];
}

export const perfectDepth = (nest: Nest): number => perfectChain(nest).length;

/**
 * A reduction under two parallel axes or more that reads some elements again for each iteration of one of them: what is worth a
 * register block.
 */
export function isContraction(nest: Nest): boolean {
  const chain = perfectChain(nest);
  if (chain.length < 2) return false;
  const axes = chain.map((n) => n.axes[0]).filter((a) => a !== undefined);
  const reductions = (chain.at(-1)?.body.stmts ?? []).filter((s) => s.kind === "Nest" && s.reduce);
  return reductions.some((r) => r.kind === "Nest" && rereads(r, axes));
}

function rereads(reduction: Nest, axes: readonly VarLike[]): boolean {
  let found = false;
  const [own] = reduction.axes;
  eachAccess({ ...reduction, carries: [], results: [] }, ({ index, writes }) => {
    if (writes || own === undefined || !index.some((e) => mentions(e, own))) return;
    if (axes.some((axis) => !index.some((e) => mentions(e, axis)))) found = true;
  });
  return found;
}

/** Lanes in which an innermost nest would run, 1 for scalar; undefined for a nest that holds other loops. */
export function lanesOfNest(m: Mapping, nest: Nest): number | undefined {
  const [axis] = nest.axes;
  if (axis === undefined || nest.body.stmts.some(holdsBlocks)) return undefined;
  return lanesFor(m.device.vectorBits, axis, nest.body.stmts, nest.carries);
}

const holdsBlocks = (stmt: Stmt): boolean => blocksOf(stmt).length > 0;
