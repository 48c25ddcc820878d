// tf check: parse, resolve, infer types, verify; one summary over all files.

import { dataOf } from "tilefoundry";
import type { Diagnostic } from "@tilefoundry/text";
import { exitOf, type Exit } from "../exit.ts";
import { checkFile } from "../load.ts";
import { openReading, type Reading, type ReadingFlags } from "../reading.ts";
import { diagnosticJson, printDiagnostics, printJson, printSummary } from "../report.ts";

export interface CheckFlags extends ReadingFlags {
  readonly exec?: boolean;
  readonly json?: boolean;
}

export function checkFiles(files: readonly string[], flags: CheckFlags): Exit {
  const reading = openReading(flags);
  const checked = files.map((file) => ({ file, ...checkFile(file, flags.exec, reading) }));
  const said = once(reading, checked.map((c) => c.diagnostics));
  const results = checked.map((c, i) => ({ ...c, diagnostics: said[i] ?? [] }));
  const all = said.flat();
  if (flags.json) {
    printJson({
      files: results.map(({ file, programs, diagnostics }) => ({
        file,
        functions: programs.flatMap((program) => dataOf(program).module.functions.map(describe)),
        diagnostics: diagnostics.map(diagnosticJson),
      })),
    });
  } else if (files.length === 1) printDiagnostics(all);
  else printSummary(files.length, all);
  return exitOf(all);
}

/**
 * What is left to say of each file: what a shared import has is said with the first that imports it, a file that others import needs no kernel,
 * and a binding need not name something in each.
 */
function once({ library, bindings }: Reading, found: readonly (readonly Diagnostic[])[]): readonly (readonly Diagnostic[])[] {
  const seen = new Set<string>();
  const isMissing = (d: Diagnostic): boolean => d.code === "TF2120";
  const strange = bindings.filter(({ span }) => found.every((list) => list.some((d) => isMissing(d) && d.span === span)));
  return found.map((list) => list.filter((d) => {
    if (d.code === "TF1015" && d.span !== undefined && library.isImported(d.span.source)) return false;
    if (isMissing(d) && !strange.some(({ span }) => span === d.span)) return false;
    const key = `${d.code} ${d.span?.source.name} ${d.span?.start} ${d.message}`;
    return d.span === undefined || (!seen.has(key) && seen.add(key));
  }));
}

function describe(fn: ReturnType<typeof dataOf>["module"]["functions"][number]): object {
  return { name: fn.name, kind: fn.func, params: fn.params.map((p) => ({ name: p.var.hint, direction: p.direction })) };
}
