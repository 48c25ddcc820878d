// Sets of variables. Most statements touch a handful, and a short list is made and searched much faster than a `Set`.

import type { VarLike } from "@tilefoundry/ir";

export interface VarSet {
  readonly list: readonly VarLike[];
  /** The same, once the list is long. */
  readonly index: ReadonlySet<VarLike> | undefined;
}

/** A set under construction. */
export interface GrowingSet {
  readonly list: VarLike[];
  index: Set<VarLike> | undefined;
}

const SHORT = 12;

export const NO_VARS: VarSet = { list: [], index: undefined };

export const emptySet = (): GrowingSet => ({ list: [], index: undefined });

export const copyOfSet = ({ list, index }: VarSet): GrowingSet => ({ list: list.slice(), index: index && new Set(index) });

export const has = ({ list, index }: VarSet, v: VarLike): boolean => (index === undefined ? list.includes(v) : index.has(v));

export function include(set: GrowingSet, v: VarLike): void {
  const { list, index } = set;
  if (index === undefined ? list.includes(v) : index.has(v)) return;
  list.push(v);
  if (index !== undefined) index.add(v);
  else if (list.length > SHORT) set.index = new Set(list);
}

export function includeAll(set: GrowingSet, { list }: VarSet): void {
  for (const v of list) include(set, v);
}

export function intersects(a: VarSet, b: VarSet): boolean {
  const [few, many] = a.list.length < b.list.length ? [a, b] : [b, a];
  for (const v of few.list) if (has(many, v)) return true;
  return false;
}
