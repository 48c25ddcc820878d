// The laws between stages and targets, as functions from a program to what breaks it; the suites loop over samples and random programs.

import { toIR, toSurface } from "@tilefoundry/frontend";
import { parse } from "@tilefoundry/grammar";
import { equal, makeModule, readJson, STAGES, verify, writeJson, type Device, type FunctionNode, type ModuleNode, type Stage } from "@tilefoundry/ir";
import { builtinOps, verifyCalls, type Ops } from "@tilefoundry/ops";
import { PASSES, runPasses } from "@tilefoundry/passes";
import { format, print } from "@tilefoundry/syntax";
import { TARGETS, type Artifact, type Target } from "@tilefoundry/targets";
import { loadCpu, loadWasm, type Runnable } from "@tilefoundry/runtime";
import type { Value } from "@tilefoundry/ops/evaluate";
import { hasErrors, makeSource, renderDiagnostics, type Outcome } from "@tilefoundry/text";
import { check } from "tilefoundry";
import { difference, entryOf, interpreted, ran } from "./fuzz-run.ts";

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

/** JSON gives the module back with its sharing, and for that one the same bytes; its calls are what their records say. */
export function keptInJson(module: ModuleNode): Breach {
  const wrong = verifyCalls(module, builtinOps);
  if (wrong.length > 0) return renderDiagnostics(wrong);
  const text = writeJson(module);
  const { value, diagnostics } = readJson(makeSource("module.json", text));
  if (value === undefined) return `${renderDiagnostics(diagnostics)}\n${text}`;
  const difference = equal(module, value, { printed: true });
  if (difference !== undefined) return `JSON changes the module at ${difference.path}: ${difference.message}\n${text}`;
  return writeJson(value) === text ? undefined : `JSON differs the second time\n${text}\n---\n${writeJson(value)}`;
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
  return emitted(artifactOf(module, target, fold).placed, target);
}

/** What a target makes of a placed function. */
function emitted(placed: ModuleNode, target: Target): ReadonlyMap<string, string | Uint8Array> {
  const { value, diagnostics } = target.emit(placed, entryOf(placed));
  if (hasErrors(diagnostics)) throw new Error(renderDiagnostics(diagnostics));
  return new Map(value.files.map((f) => [f.name, f.contents]));
}

/** build(parse(print(p, stage))) = build(p), byte for byte, at every stage and for every target. */
export function resumes(module: ModuleNode, fold: boolean): Breach {
  for (const target of Object.values<Target>(TARGETS)) {
    const passes = afterEachPass(module, deviceOf(target), fold);
    const placed = passes.at(-1)?.[1] ?? module;
    const whole = emitted(placed, target);
    for (const stage of STAGES) {
      const at = passes.findLast(([, , to]) => to === stage)?.[1] ?? module;
      const back = parseText(moduleText(at), module.name);
      if (back.breach !== undefined) return back.breach;
      const resumed = emitted(afterEachPass(back.module, deviceOf(target), fold).at(-1)?.[1] ?? module, target);
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

// — values —

/**
 * A program computes the same bits after every pass as before them, in whatever order its parallel iterations run; fresh buffers
 * hold what they hold. For programs of exactly rounded operations and sums of small whole numbers.
 */
export function keepsBits(module: ModuleNode, args: readonly Value[], device: Device, fold: boolean): Breach {
  const expected = interpreted(module, args);
  const reordered = difference(expected, interpreted(module, args, { seed: 1 }));
  if (reordered !== undefined) return `the order of parallel iterations shows: ${reordered}`;
  let before = module;
  for (const [pass, made, stage] of afterEachPass(module, device, fold)) {
    if (made === before) continue;
    before = made;
    const allocates = STAGES.indexOf(stage) >= STAGES.indexOf("lowered");
    const wrong = difference(expected, interpreted(made, args, { seed: 2, poison: allocates }));
    if (wrong !== undefined) return `${wrong} after ${pass} for ${device.name}${fold ? "" : " without folding"}\n${moduleText(made)}`;
  }
  return undefined;
}

/** What WebAssembly runs leaves the bits that the interpreter leaves at `placed`. */
export function wasmAgrees(module: ModuleNode, args: readonly Value[], fold = true): Breach {
  return agrees(module, args, TARGETS.wasm, fold, (artifact) => loadWasm(artifact));
}

export function cpuAgrees(module: ModuleNode, args: readonly Value[], fold = true): Breach {
  return agrees(module, args, TARGETS.cpu, fold, (artifact) => loadCpu(artifact));
}

function agrees(module: ModuleNode, args: readonly Value[], target: Target, fold: boolean, load: (artifact: Artifact) => Outcome<Runnable | undefined>): Breach {
  const { placed, artifact } = artifactOf(module, target, fold);
  const { value, diagnostics } = load(artifact);
  if (value === undefined) return renderDiagnostics(diagnostics);
  const wrong = difference(interpreted(placed, args, { poison: true }), ran(value, args));
  return wrong === undefined ? undefined : `${wrong} on ${target.name}${fold ? "" : " without folding"}\n${moduleText(placed)}`;
}

/** The module at `placed`, and what a target makes of its function. */
export function artifactOf(module: ModuleNode, target: Target, fold: boolean): { readonly placed: ModuleNode; readonly artifact: Artifact } {
  const { value: placed, diagnostics } = runPasses(module, "placed", { ops: builtinOps, device: deviceOf(target), fold });
  if (hasErrors(diagnostics)) throw new Error(renderDiagnostics(diagnostics));
  const emitted = target.emit(placed, entryOf(placed));
  if (hasErrors(emitted.diagnostics)) throw new Error(renderDiagnostics(emitted.diagnostics));
  return { placed, artifact: emitted.value };
}

// — texts —

/** Formatting a text twice gives what formatting it once gives, the same program with the same comments. */
export function formats(text: string): Breach {
  const once = format(makeSource("once.tf", text));
  if (hasErrors(once.diagnostics)) return renderDiagnostics(once.diagnostics);
  const twice = format(makeSource("twice.tf", once.value)).value;
  if (twice !== once.value) return `formats differently the second time:\n${once.value}\n---\n${twice}`;
  const [before, after] = [parseText(text, "m"), parseText(once.value, "m")];
  if (after.breach !== undefined) return after.breach;
  const changed = equal(before.module, after.module, { printed: true });
  if (changed !== undefined) return `formatting changes the program at ${changed.path}: ${changed.message}\n${once.value}`;
  const [lost] = commentsIn(text).filter((c) => !once.value.includes(c));
  return lost === undefined ? undefined : `formatting loses the comment ${lost}`;
}

const commentsIn = (text: string): readonly string[] => text.split("\n").flatMap((line) => /#.*$/.exec(line)?.[0] ?? []);

/** Longest that checking a text of a few kilobytes may take. */
const PATIENCE_MS = 5000;

/** Whatever stands in a text, checking it ends soon and gives diagnostics whose places lie in the text. */
export function toleratesText(text: string): Breach {
  const start = performance.now();
  const { diagnostics } = check(text, "damaged.tf");
  const took = performance.now() - start;
  if (took > PATIENCE_MS) return `checking took ${Math.round(took)} ms`;
  renderDiagnostics(diagnostics);
  for (const { code, span, related } of diagnostics) {
    for (const place of [span, ...related.map((r) => r.span)]) {
      if (place !== undefined && !(place.start >= 0 && place.start <= place.end && place.end <= text.length)) return `${code} points at ${place.start} to ${place.end} of ${text.length}`;
    }
  }
  return undefined;
}
