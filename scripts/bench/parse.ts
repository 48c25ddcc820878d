// Lexing and parsing 1 MB of kernels to the surface tree, beside CPython's `ast.parse` and Lezer's Python grammar (tree only).

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parser as lezer } from "@lezer/python";
import { parse } from "@tilefoundry/grammar";
import { makeSource } from "@tilefoundry/text";
import type { BenchTable } from "./measure.ts";

const SIZE = 1_000_000;
const ROUNDS = 5;
const RUNS = 4;

const PYTHON = `
import ast, sys, time
text = sys.stdin.read()
best = 1e9
for _ in range(${RUNS}):
    start = time.perf_counter()
    ast.parse(text)
    best = min(best, time.perf_counter() - start)
print(best * 1000)
`;

export async function benchParse(): Promise<BenchTable> {
  const text = kernels(process.cwd());
  const source = makeSource("kernels.tf", text);
  if (parse(source).diagnostics.length > 0) throw new Error("the samples do not parse");
  let [ours, theirs, tree] = [Infinity, Infinity, Infinity];
  // alternating, so that a slow moment of the machine hits all three
  for (let i = 0; i < ROUNDS; i++) {
    ours = Math.min(ours, least(() => parse(source)));
    tree = Math.min(tree, least(() => lezer.parse(text)));
    theirs = Math.min(theirs, pythonTime(text));
  }
  const rows: Record<string, BenchTable[string]> = {
    parse_vs_lezer: { ratio: tree / ours, what: "@lezer/python / our lexer and parser, 1 MB of kernels", bar: { atLeast: 1 }, ours_ms: ours, lezer_ms: tree },
  };
  if (theirs < Infinity) {
    rows["parse_vs_cpython"] = { ratio: theirs / ours, what: "CPython's ast.parse / our lexer and parser, 1 MB of kernels", bar: { atLeast: 3 }, ours_ms: ours, cpython_ms: theirs };
  }
  return rows;
}

/** The samples over and over, as many as make up the size. */
function kernels(root: string): string {
  const samples = join(root, "samples");
  const texts = readdirSync(samples)
    .map((name) => join(samples, name, `${name}.tf`))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, "utf8"));
  let text = "";
  for (let i = 0; text.length < SIZE; i++) text += `${texts[i % texts.length] ?? ""}\n`;
  return text;
}

function least(run: () => void): number {
  let best = Infinity;
  for (let i = 0; i < RUNS; i++) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/** Infinity where there is no python3. */
function pythonTime(text: string): number {
  const { status, stdout } = spawnSync("python3", ["-c", PYTHON], { input: text, encoding: "utf8" });
  return status === 0 ? Number(stdout) : Infinity;
}
