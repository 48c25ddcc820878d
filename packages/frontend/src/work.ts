// How much static evaluation may do for one program: no text makes it run on for long.

import { sizeOf } from "./collections.ts";
import type { ModuleContext, Work } from "./context.ts";
import type { Known } from "./value.ts";

/** Some tenths of a second. */
const LIMIT = 1 << 22;
/** What one turn of a loop costs. */
export const TURN = 8;
/** Values of no more elements than this cost nothing: a text has only so many of them. */
const SMALL = 16;

export const TOO_LONG = "constants take too much work; a kernel computes in loops of its own";

export const freshWork = (): Work => ({ left: LIMIT, depth: 0 });

/** Takes what a value costs to make or to read; whether that much was left. */
export function pay({ work }: ModuleContext, k: Known): boolean {
  const cost = k.kind === "int" ? digitsOf(k.value) : sizeOf(k);
  if (cost > SMALL) work.left -= cost;
  return work.left > 0;
}

/** Of a large integer, what multiplying it costs. */
const digitsOf = (value: bigint): number => (BigInt.asIntN(64, value) === value ? 0 : value.toString(16).length);
