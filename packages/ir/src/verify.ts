// What must hold of a module at a stage. One file a topic: kinds, scopes, control, types, memory, calls. Each finding has its own code,
// names the place and says what to write: users meet them through their own passes and hand-written text of a stage.

import { Reporter, type Diagnostic } from "@tilefoundry/text";
import { lookup } from "./modules.ts";
import type { FunctionNode, ModuleNode } from "./nodes.ts";
import { STAGES, type Stage } from "./stages.ts";
import { isFrom, type Check } from "./verify-check.ts";
import { checkCalls } from "./verify-calls.ts";
import { checkControl } from "./verify-control.ts";
import { checkKinds } from "./verify-kinds.ts";
import { checkMemory } from "./verify-memory.ts";
import { checkScopes } from "./verify-scope.ts";
import { checkTypes } from "./verify-types.ts";

/** Empty if the module is right for the stage. */
export function verify(module: ModuleNode, stage: Stage): readonly Diagnostic[] {
  const reporter = new Reporter();
  verifyModule(module, stage, reporter);
  return reporter.diagnostics;
}

function verifyModule(module: ModuleNode, stage: Stage, reporter: Reporter): void {
  checkNames(module, reporter);
  for (const f of module.functions) {
    const check = { f, stage, reporter };
    checkFunction(check);
    checkCalls(module, check);
  }
  for (const child of module.children) verifyModule(child, stage, reporter);
}

/** What must hold of a function at a stage, but for the functions that it calls. */
export function verifyFunction(f: FunctionNode, stage: Stage): readonly Diagnostic[] {
  const reporter = new Reporter();
  checkFunction({ f, stage, reporter });
  return reporter.diagnostics;
}

/** The last stage at which the module verifies; `parsed` if there is none. */
export function stageOf(module: ModuleNode): Stage {
  return STAGES.findLast((stage) => verify(module, stage).length === 0) ?? "parsed";
}

function checkFunction(check: Check): void {
  checkKinds(check);
  checkScopes(check);
  checkControl(check);
  checkTypes(check);
  if (isFrom(check.stage, "ssa")) checkMemory(check);
}

/** Functions, children and methods are reached by the same name: no two may share one. */
function checkNames(module: ModuleNode, reporter: Reporter): void {
  const taken = new Set<string>();
  for (const { name, meta } of [...module.functions, ...module.children, ...module.methods.map((m) => ({ name: m.name, meta: module.meta }))]) {
    if (taken.has(name)) reporter.report("TF5032", meta.span, { name });
    taken.add(name);
  }
  for (const child of module.children) if (child.target !== undefined) reporter.report("TF5042", child.meta.span, { name: child.name });
  if (module.entry === undefined || lookup(module, module.entry) !== undefined) return;
  reporter.report("TF5033", module.meta.span, { name: module.entry, functions: module.functions.map((f) => f.name).join(", ") });
}
