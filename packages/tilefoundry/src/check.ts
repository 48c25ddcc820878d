// Checking without throwing: a text in, a program (if it is right) and all diagnostics out.

import { verify } from "@tilefoundry/ir";
import { hasErrors, inTextOrder, type Diagnostic } from "@tilefoundry/text";
import { lower } from "./compile.ts";
import { dataOf, type AnyProgram } from "./program.ts";
import { parseProgram } from "./tag.ts";
import { resolveTarget } from "./targets.ts";

export interface CheckResult {
  /** Undefined if there is an error. */
  readonly program: AnyProgram | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses, resolves, infers types and verifies a text; never throws. Errors that only the passes can see (carries, joins, stale
 * handles, placement) are found too.
 */
export function check(text: string, name = "template"): CheckResult {
  const parsed = parseProgram(text, name);
  return parsed.value === undefined ? { program: undefined, diagnostics: parsed.diagnostics } : checkProgram(parsed.value, parsed.diagnostics);
}

function checkProgram(program: AnyProgram, known: readonly Diagnostic[]): CheckResult {
  const { module } = dataOf(program);
  const wrong = verify(module, "parsed");
  const target = resolveTarget(module.functions.find((f) => f.target !== undefined)?.target);
  const further = hasErrors(wrong) || target.value === undefined ? target.diagnostics : lower(module, "placed", target.value.device).diagnostics;
  const diagnostics = inTextOrder([...known, ...wrong, ...further]);
  return { program: hasErrors(diagnostics) ? undefined : program, diagnostics };
}
