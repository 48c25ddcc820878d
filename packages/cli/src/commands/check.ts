// tf check: parse, resolve, infer types, verify; one summary over all files.

import { dataOf } from "tilefoundry";
import { hasErrors, type Diagnostic } from "@tilefoundry/text";
import { EXIT, type Exit } from "../exit.ts";
import { loadProgram } from "../load.ts";
import { diagnosticJson, printDiagnostics, printJson } from "../report.ts";

export function checkFiles(files: readonly string[], options: { readonly json?: boolean }): Exit {
  const results = files.map((file) => ({ file, ...loadProgram(file) }));
  const all: Diagnostic[] = results.flatMap((r) => r.diagnostics);
  if (options.json) {
    printJson({
      files: results.map(({ file, program, diagnostics }) => ({
        file,
        functions: program === undefined ? [] : dataOf(program).module.functions.map(describe),
        diagnostics: diagnostics.map(diagnosticJson),
      })),
    });
  } else printDiagnostics(all);
  return hasErrors(all) ? EXIT.wrong : EXIT.fine;
}

function describe(fn: ReturnType<typeof dataOf>["module"]["functions"][number]): object {
  return { name: fn.name, kind: fn.func, params: fn.params.map((p) => ({ name: p.var.hint, direction: p.direction })) };
}
