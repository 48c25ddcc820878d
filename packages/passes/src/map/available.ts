// Which producers may be computed at a place: those whose sources nobody has overwritten since. One layer a block; what a loop around
// overwrites is spoilt inside it, but for a parallel nest that reads its own elements.

import type { Nest, Stmt, VarLike } from "@tilefoundry/ir";
import { effectsOf, type EffectsTable } from "./effects.ts";
import type { Producer } from "./producers.ts";
import { has, intersects } from "./var-set.ts";

export interface Available {
  readonly producer: Producer;
  /** Number of loops around the block that holds it. */
  readonly depth: number;
  /** Parallel nests around the place that overwrite what it reads. */
  readonly overwriters: readonly Nest[];
}

/** What is available in a block; `holder` is the statement around it, `outer` what is available there. */
export interface Layer {
  readonly table: EffectsTable;
  readonly outer: Layer | undefined;
  readonly holder: Stmt | undefined;
  readonly own: Map<VarLike, { readonly available: Available; readonly since: number }>;
  /** When a buffer was written last. */
  readonly written: Map<VarLike, number>;
  now: number;
}

export const makeLayer = (table: EffectsTable, outer?: Layer, holder?: Stmt): Layer => ({ table, outer, holder, own: new Map(), written: new Map(), now: 0 });

export function availableIn(layer: Layer, buffer: VarLike): Available | undefined {
  const found = layer.own.get(buffer);
  if (found !== undefined) return isSpoilt(layer, found.available.producer, found.since) ? undefined : found.available;
  const { outer, holder } = layer;
  const available = outer && availableIn(outer, buffer);
  return available === undefined || isSpoilt(layer, available.producer, 0) ? undefined : inside(layer.table, available, holder);
}

/** Whether anything is available that a write might spoil. */
export const offersAny = ({ own, outer }: Layer): boolean => own.size > 0 || (outer !== undefined && offersAny(outer));

export function makeAvailable(layer: Layer, available: Available): void {
  layer.own.set(available.producer.buffer, { available, since: layer.now });
}

/** Notes that a statement that writes these was passed: that spoils what was computed from it. */
export function passWrites(layer: Layer, buffers: readonly VarLike[]): void {
  layer.now++;
  for (const buffer of buffers) layer.written.set(buffer, layer.now);
}

function isSpoilt({ written }: Layer, { buffer, sources }: Producer, since: number): boolean {
  if (written.size === 0) return false;
  return (written.get(buffer) ?? 0) > since || sources.list.some((source) => (written.get(source) ?? 0) > since);
}

function inside(table: EffectsTable, available: Available, holder: Stmt | undefined): Available | undefined {
  if (holder === undefined || holder.kind === "If") return available;
  const { writes } = effectsOf(table, holder);
  const { buffer, sources } = available.producer;
  if (!has(writes, buffer) && !intersects(writes, sources)) return available;
  const mayOverwrite = holder.kind === "Nest" && !holder.reduce && !has(writes, buffer);
  return mayOverwrite ? { ...available, overwriters: [...available.overwriters, holder] } : undefined;
}
