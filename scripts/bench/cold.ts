// Start-up: `tf check` of one sample from a cold process, beside `node -e 0`.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { BenchTable } from "./measure.ts";

const RUNS = 15;

export function benchCold(root: string): BenchTable {
  const sample = join(root, "samples", "softmax", "softmax.tf");
  const [ours, theirs] = [[] as number[], [] as number[]];
  // alternating, so that a slow moment of the machine hits both
  for (let i = 0; i < RUNS; i++) {
    theirs.push(spawnTime(["-e", "0"], root));
    ours.push(spawnTime([join(root, "scripts", "tf"), "check", sample], root));
  }
  const [check_ms, node_ms] = [Math.min(...ours), Math.min(...theirs)];
  return { cold_check: { ratio: check_ms / node_ms, what: "cold `tf check` of one sample / `node -e 0`", bar: { atMost: 3.5 }, check_ms, node_ms } };
}

function spawnTime(args: readonly string[], cwd: string): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd });
  if (status !== 0) throw new Error(`node ${args.join(" ")}: ${String(stderr)}`);
  return performance.now() - start;
}
