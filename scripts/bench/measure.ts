// Timing that survives noisy machines: the least of several runs, and ratios of things measured side by side in one process.

/** One row of the results: a ratio, its bar if there is one, and what it compares. */
export interface BenchRow {
  /** Ours over the other's, or the other's over ours, as `what` says. */
  readonly ratio: number;
  readonly what: string;
  /** The ratio must be at least or at most so much; absent where the figure is only reported. */
  readonly bar?: { readonly atLeast: number } | { readonly atMost: number };
  readonly [detail: string]: unknown;
}

export type BenchTable = Readonly<Record<string, BenchRow>>;

/** How long a thing is run before it is measured: what is compiled just in time is then compiled. */
const WARM_MS = 1500;
/** The same for a whole compiler, whose many functions each run but a few times in a call. */
export const WARM_COMPILER_MS = 6000;

/** Least time of one warm call in milliseconds over `runs` rounds; short calls are repeated until a round takes 5 ms. */
export function leastTime(run: () => void, runs = 15, warm = WARM_MS): number {
  let last = timeOf(run, 1);
  for (let total = last; total < warm; total += last) last = timeOf(run, 1);
  let repeat = 1;
  while (timeOf(run, repeat) < 5 && repeat < 1e7) repeat *= 2;
  let least = Infinity;
  for (let i = 0; i < runs; i++) least = Math.min(least, timeOf(run, repeat) / repeat);
  return least;
}

function timeOf(run: () => void, repeat: number): number {
  const start = performance.now();
  for (let i = 0; i < repeat; i++) run();
  return performance.now() - start;
}

/** Whether a row meets its bar; a row without one always does. */
export function meetsBar({ ratio, bar }: BenchRow): boolean {
  if (bar === undefined) return true;
  return "atLeast" in bar ? ratio >= bar.atLeast : ratio <= bar.atMost;
}
