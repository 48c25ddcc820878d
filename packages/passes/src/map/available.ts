// Which producers may be computed at a place: those whose sources nobody has overwritten since. One layer a block; what a loop around
// overwrites is spoilt inside it, but for a parallel nest that reads its own elements.

import type { Nest, Stmt, VarLike } from "@tilefoundry/ir";
import { effectsOf, writesOf } from "./effects.ts";
import type { Producer } from "./producers.ts";
import { has, intersects } from "./var-set.ts";

export interface Available {
  readonly producer: Producer;
  /** Number of loops around the block that holds it. */
  readonly depth: number;
  /** Parallel nests around the place that overwrite what it reads. */
  readonly overwriters: readonly Nest[];
}

export interface Layer {
  get(buffer: VarLike): Available | undefined;
  set(available: Available): void;
  /** Notes that a statement was passed: what it writes spoils what was computed from it. */
  pass(stmt: Stmt): void;
}

/** A layer for a block; `holder` is the statement around it, `outer` what is available there. */
export function makeLayer(outer?: Layer, holder?: Stmt): Layer {
  const own = new Map<VarLike, { readonly available: Available; readonly since: number }>();
  const written = new Map<VarLike, number>();
  let now = 0;
  const isSpoilt = (producer: Producer, since: number): boolean => {
    if ((written.get(producer.buffer) ?? 0) > since) return true;
    for (const source of producer.sources.list) if ((written.get(source) ?? 0) > since) return true;
    return false;
  };
  return {
    get: (buffer) => {
      const found = own.get(buffer);
      if (found !== undefined) return isSpoilt(found.available.producer, found.since) ? undefined : found.available;
      const available = outer?.get(buffer);
      return available === undefined || isSpoilt(available.producer, 0) ? undefined : inside(available, holder);
    },
    set: (available) => void own.set(available.producer.buffer, { available, since: now }),
    pass: (stmt) => {
      now++;
      for (const buffer of writesOf(stmt)) written.set(buffer, now);
    },
  };
}

function inside(available: Available, holder: Stmt | undefined): Available | undefined {
  if (holder === undefined || holder.kind === "If") return available;
  const { writes } = effectsOf(holder);
  const { buffer, sources } = available.producer;
  if (!has(writes, buffer) && !intersects(writes, sources)) return available;
  const mayOverwrite = holder.kind === "Nest" && !holder.reduce && !has(writes, buffer);
  return mayOverwrite ? { ...available, overwriters: [...available.overwriters, holder] } : undefined;
}
