// tf diff: structural comparison of two programs; the first difference as a path.

import { equal } from "@tilefoundry/ir";
import { dataOf } from "tilefoundry";
import { EXIT, exitOf, type Exit } from "../exit.ts";
import { loadProgram } from "../load.ts";
import { openReading, type ReadingFlags } from "../reading.ts";
import { diagnosticJson, printDiagnostics, printJson } from "../report.ts";

export function diffFiles(a: string, b: string, flags: ReadingFlags & { readonly entry?: string; readonly json?: boolean }): Exit {
  const reading = openReading(flags);
  const [left, right] = [loadProgram(a, flags.entry, reading), loadProgram(b, flags.entry, reading)];
  if (left.program === undefined || right.program === undefined) {
    const diagnostics = [...left.diagnostics, ...right.diagnostics];
    if (flags.json) printJson({ equal: false, diagnostics: diagnostics.map(diagnosticJson) });
    else printDiagnostics(diagnostics);
    return exitOf(diagnostics);
  }
  const difference = equal(dataOf(left.program).module, dataOf(right.program).module);
  if (flags.json) printJson({ equal: difference === undefined, ...difference });
  else if (difference === undefined) process.stdout.write("the programs are equal\n");
  else process.stdout.write(`they differ at ${difference.path}: ${difference.message}\n`);
  return difference === undefined ? EXIT.fine : EXIT.wrong;
}
