// `npm run fuzz -- --minutes 5 --seed 1000`: random programs against every law until the time is up. Stops at the first program that
// breaks one, and prints the smallest form of it that was found, its seed and the law.

import { parseArgs } from "node:util";
import { findCompiler } from "@tilefoundry/runtime";
import { firstFailure, LAWS, subjectOf, type Failure } from "../packages/tilefoundry/test/fuzz-laws.ts";
import { shrink } from "../packages/tilefoundry/test/fuzz-shrink.ts";
import { generate } from "../packages/tilefoundry/test/generate.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "1" }, seed: { type: "string", default: String(Date.now() % 1_000_000_000) }, size: { type: "string", default: "12" } },
  args: process.argv.slice(2).filter((a) => a !== "--"),
});
const [minutes, start, size] = [Number(values.minutes), Number(values.seed), Number(values.size)];
if (!(minutes > 0) || !Number.isSafeInteger(start) || !(size > 0)) {
  process.stderr.write("usage: npm run fuzz -- [--minutes N] [--seed N] [--size N]\n");
  process.exit(2);
}

const laws = LAWS.filter((l) => l.needs === undefined || findCompiler() !== undefined);
const end = Date.now() + minutes * 60_000;
let [programs, refused] = [0, 0];

const failed = run();
process.stdout.write(`${programs} programs, ${refused} of them refused, from seed ${start}: ${failed ? "a law is broken" : "every law holds"}\n`);
process.exit(failed ? 1 : 0);

function run(): boolean {
  for (let seed = start; Date.now() < end; seed++) {
    programs++;
    const text = generate(seed, { size });
    const subject = subjectOf(text, seed);
    if (subject === "refused") refused++;
    const failure = subject === "refused" ? undefined : "law" in subject ? subject : firstFailure(subject, laws);
    if (failure !== undefined) {
      report(text, seed, failure);
      return true;
    }
    progress(seed);
  }
  return false;
}

function progress(seed: number): void {
  if (!process.stdout.isTTY) return;
  const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
  process.stdout.write(`\r${programs} programs, seed ${seed}, ${left} s left `);
}

function report(text: string, seed: number, failure: Failure): void {
  if (process.stdout.isTTY) process.stdout.write("\r\x1b[K");
  process.stdout.write(`seed ${seed} breaks the law that a program ${failure.law}:\n\n${failure.message}\n\nmaking it smaller …\n\n`);
  process.stdout.write(`${shrink(text, seed, laws, failure)}\nrun it again with: npm run fuzz -- --seed ${seed} --size ${size}\n`);
}
