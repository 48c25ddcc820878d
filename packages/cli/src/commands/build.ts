// tf build: the kernel source, and what launches it. Needs no compiler.

import { dataOf, emit, entryOf, resolveTarget, withDims } from "tilefoundry";
import { hasErrors, type Diagnostic } from "@tilefoundry/text";
import { join } from "node:path";
import { EXIT, exitOf, type Exit } from "../exit.ts";
import { writeAll } from "../files.ts";
import { loadProgram } from "../load.ts";
import { dimsOf } from "../pairs.ts";
import { openReading, type ReadingFlags } from "../reading.ts";
import { diagnosticJson, printDiagnostics, printJson } from "../report.ts";
import { usage } from "../usage.ts";

export interface BuildFlags extends ReadingFlags {
  readonly target?: string;
  readonly entry?: string;
  readonly output?: string;
  readonly dim: readonly string[];
  readonly json?: boolean;
}

export function buildFile(file: string, flags: BuildFlags): Exit {
  const dims = dimsOf(flags.dim);
  if (dims === undefined) return usage("--dim takes NAME=NUMBER, a whole number from 0 on");
  const { program, entry: named, diagnostics: known } = loadProgram(file, flags.entry, openReading(flags));
  if (program === undefined) return fail(known, flags);
  const { module } = dataOf(program);
  const entry = entryOf(module, named);
  if (entry.value === undefined) return fail(entry.diagnostics, flags);
  const spec = resolveTarget(flags.target ?? entry.value.target);
  if (spec.value === undefined) return fail(spec.diagnostics, flags);
  if (spec.value.target === undefined) return usage("the interpreter has no source to build; tf print shows the program at any stage");
  const fn = withDims(entry.value, Object.fromEntries(dims));
  if (fn.value === undefined) return fail(fn.diagnostics, flags);
  const built = emit(module, fn.value, spec.value.target, spec.value.device);
  const diagnostics = [...known, ...built.diagnostics];
  if (built.value === undefined || hasErrors(diagnostics)) return fail(diagnostics, flags);
  const { files } = built.value;
  const written = flags.output === undefined ? [] : files.map((f) => ({ path: join(flags.output ?? ".", f.name), contents: f.contents }));
  const failures = writeAll(written);
  if (failures.length > 0) return fail(failures, flags);
  if (flags.json) printJson({ target: spec.value.name, files: files.map((f) => ({ name: f.name, ...(typeof f.contents === "string" ? { text: f.contents } : { bytes: f.contents.length }) })), diagnostics: diagnostics.map(diagnosticJson) });
  else {
    printDiagnostics(diagnostics);
    if (written.length > 0) for (const f of written) process.stdout.write(`${f.path}\n`);
    else process.stdout.write(mainText(files));
  }
  return EXIT.fine;
}

/** Without a folder the kernel itself is printed: the first file that is text. */
function mainText(files: readonly { readonly contents: string | Uint8Array }[]): string {
  const text = files.find((f) => typeof f.contents === "string")?.contents;
  return typeof text === "string" ? text : "";
}

function fail(diagnostics: readonly Diagnostic[], flags: BuildFlags): Exit {
  if (flags.json) printJson({ diagnostics: diagnostics.map(diagnosticJson) });
  else printDiagnostics(diagnostics);
  return exitOf(diagnostics);
}
