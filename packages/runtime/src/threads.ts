// How many threads a kernel may use: TILEFOUNDRY_THREADS, else as many as this process may keep busy.

import { builtin, readTextFile } from "./host.ts";

/** Read at every call, so that a program may change it between calls. */
export function threadCount(): number {
  const wanted = Number(globalThis.process?.env["TILEFOUNDRY_THREADS"]);
  return Number.isInteger(wanted) && wanted > 0 ? wanted : (machine ??= machineThreads());
}
let machine: number | undefined;

/** Processors that the process may run on, no more than its control group may use. */
function machineThreads(): number {
  const processors = builtin("node:os")?.availableParallelism() ?? 1;
  return Math.max(1, Math.min(processors, quotaOf(readTextFile("/sys/fs/cgroup/cpu.max") ?? "")));
}

/** Processors in the text of `cpu.max` (`max 100000`, `150000 100000`), rounded up. */
export function quotaOf(text: string): number {
  const [quota, period] = text.trim().split(/\s+/).map(Number);
  const processors = Math.ceil((quota ?? NaN) / (period ?? NaN));
  return processors > 0 ? processors : Infinity;
}

/** Waking a thread costs about a tenth of this. */
const WAKE_FROM_NS = 50_000;

/** A loop that takes less than this on one thread stays there. `TILEFOUNDRY_SHARE_ALL=1`, for tests, shares every loop. */
export const wakeFromNs = (): number => (globalThis.process?.env["TILEFOUNDRY_SHARE_ALL"] === "1" ? 0 : WAKE_FROM_NS);
