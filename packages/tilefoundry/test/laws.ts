// The laws between stages and targets, as functions from a program to what breaks it; the suites loop over samples and random programs.

import { toIR, toSurface } from "@tilefoundry/frontend";
import { parse } from "@tilefoundry/grammar";
import { equal, makeModule, STAGES, verify, type Device, type FunctionNode, type ModuleNode, type Stage } from "@tilefoundry/ir";
import { builtinOps, type Ops } from "@tilefoundry/ops";
import { PASSES, runPasses } from "@tilefoundry/passes";
import { print } from "@tilefoundry/syntax";
import { TARGETS, type Target } from "@tilefoundry/targets";
import { hasErrors, makeSource, renderDiagnostics } from "@tilefoundry/text";

/** What breaks a law, or nothing. */
export type Breach = string | undefined;

export function deviceOf(target: Target): Device {
  const device = target.devices[target.defaultDevice];
  if (device === undefined) throw new Error(`${target.name} has no default device`);
  return device;
}

export const moduleText = (module: ModuleNode, ops: Ops = builtinOps): string => print(toSurface(module, ops));

/** A text as a module; a breach if it has errors. */
export function parseText(text: string, name: string, ops: Ops = builtinOps): { readonly module: ModuleNode; readonly breach: Breach } {
  const tree = parse(makeSource(`${name}.tf`, text));
  const bound = toIR(tree.value, { name, ops });
  const diagnostics = [...tree.diagnostics, ...bound.diagnostics];
  return { module: bound.value, breach: hasErrors(diagnostics) ? renderDiagnostics(diagnostics.filter((d) => d.severity === "error")) : undefined };
}

/** Every module that the passes make on the way to `placed`, by pass, the parsed one first. */
export function afterEachPass(module: ModuleNode, device: Device, fold: boolean): readonly (readonly [string, ModuleNode, Stage])[] {
  const made: (readonly [string, ModuleNode, Stage])[] = [["parsed", module, "parsed"]];
  const { diagnostics } = runPasses(module, "placed", { ops: builtinOps, device, fold }, (pass, m) => made.push([pass.name, m, pass.to]));
  if (hasErrors(diagnostics)) throw new Error(renderDiagnostics(diagnostics));
  return made;
}

/** The program verifies at its stage, prints, parses back to the same IR, and prints to the same text again. */
export function roundTrip(module: ModuleNode, stage: Stage): Breach {
  const wrong = verify(module, stage);
  if (wrong.length > 0) return `does not verify: ${renderDiagnostics(wrong)}`;
  const text = moduleText(module);
  const back = parseText(text, module.name);
  if (back.breach !== undefined) return `${back.breach}\n${text}`;
  const difference = equal(module, back.module, { printed: true });
  if (difference !== undefined) return `differs at ${difference.path}: ${difference.message}\n${text}`;
  const again = moduleText(back.module);
  return again === text ? undefined : `prints differently the second time:\n${text}\n---\n${again}`;
}

/** A pass gives back its own output, and that of every later pass, unchanged. */
export function passesAreIdempotent(module: ModuleNode, device: Device, fold: boolean): Breach {
  for (const [name, made] of afterEachPass(module, device, fold)) {
    const upTo = PASSES.findIndex((p) => p.name === name);
    for (const pass of PASSES.slice(0, upTo + 1)) {
      const again = pass.run(made, { ops: builtinOps, device, fold }).value;
      const difference = again === made ? undefined : equal(made, again, { printed: true });
      if (difference !== undefined) return `${pass.name} changes the output of ${name} at ${difference.path}: ${difference.message}`;
    }
  }
  return undefined;
}

/** What a target makes of a function, as bytes. */
export function build(module: ModuleNode, target: Target, fold: boolean): ReadonlyMap<string, string | Uint8Array> {
  const placed = runPasses(module, "placed", { ops: builtinOps, device: deviceOf(target), fold });
  const [fn] = placed.value.functions;
  if (hasErrors(placed.diagnostics) || fn === undefined) throw new Error(renderDiagnostics(placed.diagnostics));
  const { value, diagnostics } = target.emit(placed.value, fn);
  if (hasErrors(diagnostics)) throw new Error(renderDiagnostics(diagnostics));
  return new Map(value.files.map((f) => [f.name, f.contents]));
}

/** build(parse(print(p, stage))) = build(p), byte for byte, at every stage and for every target. */
export function resumes(module: ModuleNode, fold: boolean): Breach {
  for (const target of Object.values<Target>(TARGETS)) {
    const whole = build(module, target, fold);
    for (const stage of STAGES) {
      const at = runPasses(module, stage, { ops: builtinOps, device: deviceOf(target), fold }).value;
      const back = parseText(moduleText(at), module.name);
      if (back.breach !== undefined) return back.breach;
      const resumed = build(back.module, target, fold);
      for (const [name, contents] of whole) {
        if (!sameBytes(contents, resumed.get(name))) return `${target.name}: ${name} differs when resumed from ${stage}\n${String(contents)}\n---\n${String(resumed.get(name))}`;
      }
    }
  }
  return undefined;
}

function sameBytes(a: string | Uint8Array, b: string | Uint8Array | undefined): boolean {
  if (typeof a === "string" || typeof b === "string" || b === undefined) return a === b;
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** One function of a module as a module of its own. */
export function alone(module: ModuleNode, fn: FunctionNode): ModuleNode {
  return makeModule(module.name, [fn], fn.name);
}
