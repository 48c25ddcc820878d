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

const measures = new WeakMap<KnownSequence, Measure>();
const LEAF: Measure = { size: 1, depth: 0 };

const measureOf = (k: Known): Measure => (k.kind === "sequence" ? (measures.get(k) ?? LEAF) : LEAF);

export function sequence(form: KnownSequence["form"], items: readonly Known[]): KnownSequence | Failure {
  let [size, depth] = [1, 0];
  for (const item of items) {
    const inner = measureOf(item);
    size += inner.size;
    depth = Math.max(depth, inner.depth);
  }
  if (size > SIZE_LIMIT) return fail(`the result has more than ${SIZE_LIMIT} elements`);
  if (depth >= DEPTH_LIMIT) return fail(`lists are nested more than ${DEPTH_LIMIT} deep`);
  const made: KnownSequence = { kind: "sequence", form, items };
  measures.set(made, { size, depth: depth + 1 });
  return made;
}
