// tf run: compile, run, summarize or save the outputs.

import { signatureOf } from "@tilefoundry/ir";
import { toNpy, type NdArray } from "@tilefoundry/runtime";
import { hasErrors, type Diagnostic } from "@tilefoundry/text";
import { dataOf, entryOf, kernelOf, resolveTarget, TileFoundryError } from "tilefoundry";
import { EXIT, exitOf, type Exit } from "../exit.ts";
import { writeAll } from "../files.ts";
import { loadProgram } from "../load.ts";
import { dimsOf, pairs } from "../pairs.ts";
import { openReading, type ReadingFlags } from "../reading.ts";
import { diagnosticJson, printDiagnostics, printJson } from "../report.ts";
import { summarize, summaryLine } from "../summary.ts";
import { usage } from "../usage.ts";
import { makeArguments } from "../values.ts";

export interface RunFlags extends ReadingFlags {
  readonly target?: string;
  readonly entry?: string;
  readonly arg: readonly string[];
  readonly out: readonly string[];
  readonly dim: readonly string[];
  readonly seed: string;
  readonly json?: boolean;
}

export function runFile(file: string, flags: RunFlags): Exit {
  const args = pairs(flags.arg);
  const outs = pairs(flags.out);
  const dims = dimsOf(flags.dim);
  if (args === undefined) return usage("--arg takes NAME=VALUE");
  if (outs === undefined || [...outs.values()].some((f) => !f.endsWith(".npy"))) return usage("--out takes NAME=FILE.npy");
  if (dims === undefined) return usage("--dim takes NAME=NUMBER, a whole number from 0 on");
  if (!/^\d+$/.test(flags.seed)) return usage("--seed takes a number");
  const { program, entry: named, diagnostics: known } = loadProgram(file, flags.entry, openReading(flags));
  if (program === undefined) return fail(known, flags);
  const { module } = dataOf(program);
  const entry = entryOf(module, named);
  if (entry.value === undefined) return fail(entry.diagnostics, flags);
  const spec = resolveTarget(flags.target ?? entry.value.target);
  if (spec.value === undefined) return fail(spec.diagnostics, flags);
  const kernel = kernelOf(module, entry.value, spec.value);
  if (kernel.value === undefined) return fail([...known, ...kernel.diagnostics], flags);
  const given = { args, dims, seed: Number(flags.seed) };
  const made = makeArguments(kernel.value.artifact?.signature ?? signatureOf(entry.value), given);
  if (hasErrors(made.diagnostics)) return fail(made.diagnostics, flags);
  return report(() => kernel.value?.call(made.value) ?? {}, outs, [...known, ...kernel.diagnostics], spec.value.name, flags);
}

function report(
  run: () => Readonly<Record<string, NdArray>>,
  outs: ReadonlyMap<string, string>,
  diagnostics: readonly Diagnostic[],
  target: string,
  flags: RunFlags,
): Exit {
  let results: Readonly<Record<string, NdArray>>;
  try {
    results = run();
  } catch (error) {
    if (error instanceof TileFoundryError) return fail(error.diagnostics, flags);
    throw error;
  }
  const missing = [...outs.keys()].find((name) => !(name in results));
  if (missing !== undefined) return usage(`--out ${missing}: the outputs are ${Object.keys(results).join(", ")}`);
  const failures = writeAll([...outs].flatMap(([name, path]) => {
    const array = results[name];
    return array === undefined ? [] : [{ path, contents: toNpy(array) }];
  }));
  if (failures.length > 0) return fail(failures, flags);
  const summaries = Object.entries(results).map(([name, array]) => ({ name, ...summarize(array) }));
  if (flags.json) printJson({ target, outputs: summaries, diagnostics: diagnostics.map(diagnosticJson) });
  else {
    printDiagnostics(diagnostics);
    for (const s of summaries) process.stdout.write(`${summaryLine(s.name, s)}\n`);
  }
  return EXIT.fine;
}

function fail(diagnostics: readonly Diagnostic[], flags: RunFlags): Exit {
  if (flags.json) printJson({ diagnostics: diagnostics.map(diagnosticJson) });
  else printDiagnostics(diagnostics);
  return exitOf(diagnostics);
}
