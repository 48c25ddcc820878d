// Checking without throwing: a text in, a program (if it is right) and all diagnostics out.

import { makeModule, verify, type Device, type ModuleNode } from "@tilefoundry/ir";
import { builtinOps } from "@tilefoundry/ops";
import { problemsOf } from "@tilefoundry/passes";
import { hasErrors, inTextOrder, type Diagnostic } from "@tilefoundry/text";
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
  const further = hasErrors(wrong) ? [] : problemsIn(module);
  const diagnostics = inTextOrder([...known, ...wrong, ...further]);
  return { program: hasErrors(diagnostics) ? undefined : program, diagnostics };
}

/** What the passes find, function by function, so that of a long text no more than one stands lowered. */
function problemsIn(module: ModuleNode): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const devices = new Map<string | undefined, Device | undefined>();
  for (const fn of module.functions) {
    if (!devices.has(fn.target)) {
      const { value, diagnostics } = resolveTarget(fn.target);
      found.push(...diagnostics);
      devices.set(fn.target, value?.device);
    }
    const device = devices.get(fn.target);
    if (device !== undefined) found.push(...problemsOf(makeModule(module.name, [fn]), { ops: builtinOps, device, fold: true }));
  }
  return found;
}
