// Programs as JSON, at any stage. What is read is trusted no more than a text: it must have the shape of a module, verify, call known
// ops as their records say, and be what its own canonical text says.

import { equal, readJson, stageOf, verify, writeJson, type ModuleNode } from "@tilefoundry/ir";
import { builtinOps, verifyCalls } from "@tilefoundry/ops";
import { diagnostic, hasErrors, makeSource, type Diagnostic } from "@tilefoundry/text";
import { check, type CheckResult } from "./check.ts";
import { TileFoundryError } from "./error.ts";
import { atStage, moduleText, type PrintOptions } from "./inspect.ts";
import { dataOf, type AnyProgram } from "./program.ts";

/** JSON of a module at whatever stage it stands: the same bytes for the same program. */
export const moduleJson: (module: ModuleNode) => string = writeJson;

/** JSON of a program after a stage or a pass. */
export function toJson(program: AnyProgram, options: PrintOptions = {}): string {
  return writeJson(atStage(program, options));
}

/** The program of a text that `toJson` or `tf print --json` wrote, or what is wrong with it; never throws. */
export function checkJson(text: string, name = "program.json"): CheckResult {
  const { value: module, diagnostics } = readJson(makeSource(name, text));
  if (module === undefined) return { program: undefined, diagnostics };
  const wrong = [...verify(module, stageOf(module)), ...verifyCalls(module, builtinOps)];
  if (hasErrors(wrong)) return { program: undefined, diagnostics: wrong };
  const checked = check(moduleText(module), `the text of ${name}`, { module: module.name });
  return checked.program === undefined ? checked : asWritten(module, checked.program, checked.diagnostics);
}

function asWritten(module: ModuleNode, program: AnyProgram, diagnostics: readonly Diagnostic[]): CheckResult {
  const difference = equal(module, dataOf(program).module, { printed: true });
  if (difference === undefined) return { program, diagnostics };
  return { program: undefined, diagnostics: [...diagnostics, diagnostic("TF5058", module.functions[0]?.meta.span, { ...difference })] };
}

/** The same; throws a TileFoundryError that carries every diagnostic if there is an error. */
export function fromJson(text: string, name = "program.json"): AnyProgram {
  const { program, diagnostics } = checkJson(text, name);
  if (program === undefined) throw new TileFoundryError(diagnostics);
  return program;
}
