// The buffers of a function's arena, and the arena's size once the extents are known.

import { bodyOf, DTYPES, eachStmt, evalDim, type DimValues, type FunctionNode } from "@tilefoundry/ir";
import type { ArenaBuffer } from "./target.ts";

/** Alignment of the arena and of every buffer in it, in bytes: one cache line. */
export const ARENA_ALIGNMENT = 64;

/** Every placed allocation of the function, in order of the text. */
export function arenaOf(fn: FunctionNode): readonly ArenaBuffer[] {
  const buffers: ArenaBuffer[] = [];
  const body = bodyOf(fn);
  if (body === undefined) return buffers;
  eachStmt(body, (stmt) => {
    if (stmt.kind !== "Assign" || stmt.value.kind !== "Prim" || stmt.value.op !== "alloc_tensor") return;
    const { type, offset } = stmt.value.attrs;
    if (type === undefined || offset === undefined) return;
    buffers.push({ name: stmt.target.hint, offset, shape: type.shape, dtype: type.dtype });
  });
  return buffers;
}

/** Bytes that a call needs for its arena. */
export function arenaBytes(arena: readonly ArenaBuffer[], extents: DimValues): number {
  return arena.reduce((most, b) => Math.max(most, evalDim(b.offset, extents) + bufferBytes(b, extents)), 0);
}

function bufferBytes({ shape, dtype }: ArenaBuffer, extents: DimValues): number {
  return shape.reduce<number>((size, extent) => size * evalDim(extent, extents), DTYPES[dtype].bytes);
}
