// The nearest spelling of an unknown name, for messages and fixes.

/** One slip in three letters at most, and never more than three. */
const slips = (name: string): number => Math.min(3, Math.floor(Math.max(name.length, 3) / 3));

/** Letters of names so short that to replace one makes another name, not a slip: `q` is not a misspelt `x`. */
const SHORT = 2;

/** The candidate with the least edit distance, if it is close enough to be a slip; the first of equals. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = slips(name) + 1;
  for (const candidate of candidates) {
    const longer = candidate.length - name.length;
    if (candidate === name || Math.abs(longer) >= least) continue;
    const distance = candidate.toLowerCase() === name.toLowerCase() ? 0 : longer === 0 && name.length <= SHORT ? Infinity : editDistance(name, candidate);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
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
