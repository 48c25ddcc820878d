// Compile-time lists and tuples are made here, so that no text makes one too long, too deep, or (by sharing) too large to walk.

import { fail, type Failure } from "./python-number.ts";
import type { Known, KnownSequence } from "./value.ts";

/** Elements of the largest list, those of lists in it included, and of the longest string. */
export const SIZE_LIMIT = 65_536;
const DEPTH_LIMIT = 32;

interface Measure {
  readonly size: number;
  readonly depth: number;
}

/** Of lists that hold lists; most hold none. */
const measures = new WeakMap<KnownSequence, Measure>();

export function sequence(form: KnownSequence["form"], items: readonly Known[]): KnownSequence | Failure {
  let size = 1 + items.length;
  let depth = 0;
  for (const item of items) {
    if (item.kind !== "sequence") continue;
    const inner = measures.get(item);
    size += inner === undefined ? item.items.length : inner.size - 1;
    depth = Math.max(depth, inner?.depth ?? 1);
  }
  if (size > SIZE_LIMIT) return fail(`the result has more than ${SIZE_LIMIT} elements`);
  if (depth >= DEPTH_LIMIT) return fail(`lists are nested more than ${DEPTH_LIMIT} deep`);
  const made: KnownSequence = { kind: "sequence", form, items };
  if (depth > 0) measures.set(made, { size, depth: depth + 1 });
  return made;
}
