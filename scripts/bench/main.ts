// npm run bench: all measurements, as ratios taken in one run; writes scripts/bench/results.json. Exit 1 if a bar is missed.
// `npm run bench -- NAME…` runs those groups only: parse cold compile interp kernels threads.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { benchCold } from "./cold.ts";
import { benchCompile } from "./compile.ts";
import { benchInterp } from "./interp.ts";
import { benchKernels } from "./kernels.ts";
import { meetsBar, type BenchRow, type BenchTable } from "./measure.ts";
import { benchParse } from "./parse.ts";
import { benchThreads } from "./threads.ts";

const ROOT = process.cwd();

const GROUPS: Readonly<Record<string, () => BenchTable | Promise<BenchTable>>> = {
  parse: benchParse,
  cold: () => benchCold(ROOT),
  compile: () => benchCompile(ROOT),
  interp: benchInterp,
  kernels: benchKernels,
  threads: benchThreads,
};

function line(name: string, row: BenchRow): string {
  const bar = row.bar === undefined ? "reported" : "atLeast" in row.bar ? `≥ ${row.bar.atLeast}` : `≤ ${row.bar.atMost}`;
  return `${meetsBar(row) ? "  " : "✗ "}${name.padEnd(34)}${row.ratio.toPrecision(3).padStart(8)}  ${bar.padEnd(9)} ${row.what}`;
}

const wanted = process.argv.slice(2).filter((a) => a !== "--");
const unknown = wanted.filter((w) => !(w in GROUPS));
if (unknown.length > 0) {
  console.error(`no group ${unknown.join(", ")}; groups: ${Object.keys(GROUPS).join(", ")}`);
  process.exit(2);
}
const results: Record<string, BenchRow> = {};
for (const [name, run] of Object.entries(GROUPS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const [row, value] of Object.entries(await run())) {
    results[row] = value;
    console.log(line(row, value));
  }
}
if (wanted.length === 0) writeFileSync(join(ROOT, "scripts", "bench", "results.json"), `${JSON.stringify(results, null, 2)}\n`);
const missed = Object.values(results).filter((r) => !meetsBar(r)).length;
console.log(missed === 0 ? "all bars met" : `${missed} bars missed`);
process.exitCode = missed === 0 ? 0 : 1;
