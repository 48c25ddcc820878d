// What must hold of a module at a stage. One file a topic: kinds, scopes, control, types, memory. Each finding has its own code,
// names the place and says what to write: users meet them through their own passes and hand-written text of a stage.

import { Reporter, type Diagnostic } from "@tilefoundry/text";
import type { FunctionNode, ModuleNode } from "./nodes.ts";
import { STAGES, type Stage } from "./stages.ts";
import { isFrom, type Check } from "./verify-check.ts";
import { checkControl } from "./verify-control.ts";
import { checkKinds } from "./verify-kinds.ts";
import { checkMemory } from "./verify-memory.ts";
import { checkScopes } from "./verify-scope.ts";
import { checkTypes } from "./verify-types.ts";

/** Empty if the module is right for the stage. */
export function verify(module: ModuleNode, stage: Stage): readonly Diagnostic[] {
  const reporter = new Reporter();
  checkNames(module, reporter);
  for (const f of module.functions) verifyFunction({ f, stage, reporter });
  return reporter.diagnostics;
}

/** The last stage at which the module verifies; `parsed` if there is none. */
export function stageOf(module: ModuleNode): Stage {
  return STAGES.findLast((stage) => verify(module, stage).length === 0) ?? "parsed";
}

function verifyFunction(check: Check): void {
  checkKinds(check);
  checkScopes(check);
  checkControl(check);
  checkTypes(check);
  if (isFrom(check.stage, "ssa")) checkMemory(check);
}

function checkNames(module: ModuleNode, reporter: Reporter): void {
  const byName = new Map<string, FunctionNode>();
  for (const f of module.functions) {
    if (byName.has(f.name)) reporter.report("TF5032", f.meta.span, { name: f.name });
    byName.set(f.name, f);
  }
  const functions = [...byName.keys()].join(", ");
  if (module.entry !== undefined && !byName.has(module.entry)) reporter.report("TF5033", module.meta.span, { name: module.entry, functions });
}
