// The nearest spelling of an unknown name, for messages and fixes.

import type { DiagnosticExtras, Span } from "@tilefoundry/text";
import { meant } from "./complaints.ts";

/** The candidate with the least edit distance, if it is close enough to be a slip; the first of equals. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const limit = name.length <= 3 ? 1 : name.length <= 7 ? 2 : 3;
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= least) continue;
    const distance = candidate.toLowerCase() === name.toLowerCase() ? 0 : editDistance(name, candidate);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return least < Math.max(name.length, 2) ? best : undefined;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(change, at(last, j) + 1, at(row, j - 1) + 1);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      row.push(cost);
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

const at = (row: readonly number[], j: number): number => row[j] ?? Infinity;

/** Help and fix that replace what is written at `span` by the nearest candidate; nothing where none is near. */
export function suggestion(name: string, candidates: Iterable<string>, span: Span): DiagnosticExtras {
  return meant(nearest(name, candidates), span);
}
