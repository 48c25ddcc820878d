// npm run demo: every sample compiled and run on each target that this machine has. Prints the kernel, the WebAssembly and C sources,
// the result and how it compares with the plain TypeScript reference. `npm run demo -- NAME…` shows those samples only.

import { Chalk } from "chalk";
import { summarize, summaryLine } from "@tilefoundry/cli/summary";
import { compileNow, moduleText, source, TileFoundryError, toModule, type CallArguments } from "tilefoundry";
import { compareSample, freshArguments } from "../samples/compare.ts";
import { SAMPLES } from "../samples/index.ts";
import type { Sample } from "../samples/sample.ts";

const TARGETS = ["interp", "wasm", "cpu"] as const;
const colour = new Chalk(process.stdout.isTTY && process.env["NO_COLOR"] === undefined ? {} : { level: 0 });
/** Lines of a source that are shown before it is cut. */
const SHOWN = 60;

let failures = 0;

function show(title: string, text: string): void {
  const lines = text.trimEnd().split("\n");
  console.log(colour.cyan(`— ${title} —`));
  for (const line of lines.slice(0, SHOWN)) console.log(`  ${line}`);
  if (lines.length > SHOWN) console.log(colour.dim(`  … ${lines.length - SHOWN} more lines (scripts/tf build samples/… shows all)`));
}

function runOn(target: string, sample: Sample, args: CallArguments): void {
  try {
    const outputs = compileNow(sample.program, { target }).call(freshArguments(args));
    for (const c of compareSample(sample, args, outputs)) {
      const array = outputs[c.name];
      if (!c.ok) failures++;
      if (array !== undefined) console.log(`  ${target.padEnd(7)}${summaryLine(c.name, summarize(array))}`);
      console.log(`  ${" ".repeat(7)}${c.ok ? colour.green(`agrees: ${c.message}`) : colour.red(`DIFFERS: ${c.message}`)}`);
    }
  } catch (error) {
    if (!(error instanceof TileFoundryError)) throw error;
    const lacking = error.diagnostics.some((d) => d.code === "TF6030" || d.code === "TF6031");
    if (!lacking) failures++;
    console.log(`  ${target.padEnd(7)}${lacking ? "not here: " : "FAILED: "}${error.message.split("\n")[0] ?? ""}`);
  }
}

function main(names: readonly string[]): number {
  const unknown = names.filter((n) => !SAMPLES.some((s) => s.name === n));
  if (unknown.length > 0) {
    console.error(`there is no sample ${unknown.join(", ")}; samples: ${SAMPLES.map((s) => s.name).join(", ")}`);
    return 2;
  }
  const chosen = SAMPLES.filter((s) => names.length === 0 || names.includes(s.name));
  for (const sample of chosen) {
    console.log(colour.bold(`\n═══ ${sample.name} ═══`));
    show("kernel", moduleText(toModule(sample.program)));
    show("WebAssembly", source(sample.program, "wasm"));
    show("C", source(sample.program, "cpu"));
    const [title, make] = Object.entries(sample.cases)[0] ?? ["", () => ({})];
    console.log(colour.cyan(`— result: ${title} —`));
    for (const target of TARGETS) runOn(target, sample, make());
  }
  console.log(`\n${chosen.length} samples, ${failures === 0 ? "all agree with their references" : `${failures} results differ`}`);
  return failures === 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
