// tf check: parse, resolve, infer types, verify; one summary over all files.

import { dataOf } from "tilefoundry";
import type { Diagnostic } from "@tilefoundry/text";
import { exitOf, type Exit } from "../exit.ts";
import { checkFile } from "../load.ts";
import { diagnosticJson, printDiagnostics, printJson } from "../report.ts";

export function checkFiles(files: readonly string[], options: { readonly exec?: boolean; readonly json?: boolean }): Exit {
  const results = files.map((file) => ({ file, ...checkFile(file, options.exec) }));
  const all: Diagnostic[] = results.flatMap((r) => r.diagnostics);
  if (options.json) {
    printJson({
      files: results.map(({ file, programs, diagnostics }) => ({
        file,
        functions: programs.flatMap((program) => dataOf(program).module.functions.map(describe)),
        diagnostics: diagnostics.map(diagnosticJson),
      })),
    });
  } else printDiagnostics(all);
  return exitOf(all);
}

function describe(fn: ReturnType<typeof dataOf>["module"]["functions"][number]): object {
  return { name: fn.name, kind: fn.func, params: fn.params.map((p) => ({ name: p.var.hint, direction: p.direction })) };
}
