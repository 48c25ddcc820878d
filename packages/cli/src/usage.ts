// A wrong invocation: one line that says what is wrong, on standard error.

import { EXIT, type Exit } from "./exit.ts";

export function usage(message: string): Exit {
  process.stderr.write(`tf: ${message}\n`);
  return EXIT.usage;
}

/** ` (did you mean …?)` for a name that is close to a known one, else nothing. */
export function nearest(name: string, known: readonly string[]): string {
  const scored = known.map((k) => ({ k, d: distance(name, k) })).sort((a, b) => a.d - b.d);
  const [best] = scored;
  return best !== undefined && best.d <= Math.max(1, Math.floor(name.length / 3)) ? ` (did you mean ${best.k}?)` : "";
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
