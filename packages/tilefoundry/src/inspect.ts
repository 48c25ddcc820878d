// What the front door tells about a program: its text at any stage, its source for a target, its diagnostics.

import { toSurface } from "@tilefoundry/frontend";
import { functionSelectors as selectorsOf, STAGES, weightsOf as weightsOfModule, type Device, type FunctionNode, type ModuleNode, type Stage, type TensorType } from "@tilefoundry/ir";
import { builtinOps } from "@tilefoundry/ops";
import { PASSES, type PassName } from "@tilefoundry/passes";
import { format as formatSource, print as printTree } from "@tilefoundry/syntax";
import { diagnostic, hasErrors, type Diagnostic } from "@tilefoundry/text";
import { emit, entryOf, lower, runnerOf } from "./compile.ts";
import { TileFoundryError } from "./error.ts";
import { childProgram, dataOf, type AnyProgram } from "./program.ts";
import { resolveTarget, type TargetSpec } from "./targets.ts";

export interface PrintOptions {
  /** A stage or the name of a pass; default `parsed`. */
  readonly stage?: Stage | PassName;
  /** The machine that mapping works for; default: the program's own target. */
  readonly target?: string;
}

/** Canonical text of a module at whatever stage it stands. */
export function moduleText(module: ModuleNode): string {
  return printTree(toSurface(module, builtinOps));
}

/** Canonical text of a program after a stage or a pass; it parses back to the same program. */
export function print(program: AnyProgram, options: PrintOptions = {}): string {
  return moduleText(atStage(program, options));
}

/** The module of a program after a stage or a pass. */
export function atStage(program: AnyProgram, options: PrintOptions): ModuleNode {
  const { module } = dataOf(program);
  const { stage = "parsed" } = options;
  const passes = PASSES.map((p) => p.name);
  if (![...STAGES, ...passes].includes(stage)) throw new TileFoundryError([diagnostic("TF5104", undefined, { stage, stages: STAGES.join(", "), passes: passes.join(", ") })]);
  return orThrow(lower(module, stage, deviceOf(module, options.target)));
}

function deviceOf(module: ModuleNode, target: string | undefined): Device {
  return specOf(target ?? module.target ?? module.functions.find((f) => f.target !== undefined)?.target).device;
}

function specOf(name: string | undefined): TargetSpec {
  const { value, diagnostics } = resolveTarget(name);
  if (value === undefined) throw new TileFoundryError(diagnostics);
  return value;
}

/** Kernel source of a function for a target: WAT for `wasm`, C for `cpu`. */
export function source(program: AnyProgram, target?: string, entry?: string): string {
  const { module } = dataOf(program);
  const fn = orThrow(entryOf(module, entry));
  if (fn === undefined) throw new TileFoundryError([]);
  const spec = specOf(target ?? fn.target ?? module.target);
  if (spec.target === undefined) return print(program, { stage: "placed" });
  const artifact = orThrow(emit(module, fn, spec.target, spec.device));
  const text = artifact?.files.find((f) => typeof f.contents === "string")?.contents;
  return typeof text === "string" ? text : "";
}

/** Warnings and notes of a program. */
export function diagnosticsOf(program: AnyProgram): readonly Diagnostic[] {
  return dataOf(program).diagnostics;
}

/** The source text in canonical form, comments kept. */
export function format(program: AnyProgram): string {
  const { source: text, holes } = dataOf(program);
  return orThrow(formatSource(text, holes));
}

/** The module behind a program. */
export const toModule = (program: AnyProgram): ModuleNode => dataOf(program).module;

/** The function of a name; throws unless exactly one has it. */
export function lookup(program: AnyProgram, name: string): FunctionNode {
  const fn = orThrow(entryOf(dataOf(program).module, name));
  if (fn === undefined) throw new TileFoundryError([]);
  return fn;
}

/** The value functions (`@func`) of a program's whole tree with the path that `select` takes, in source order, parents before children. */
export function functionSelectors(program: AnyProgram): readonly { readonly path: string; readonly fn: FunctionNode }[] {
  return selectorsOf(dataOf(program).module);
}

/**
 * The program that a dotted path names: a child module, or one entered at a function, with the target and the topologies that it inherits. The empty
 * path is the program itself. Throws a TileFoundryError if a segment names nothing.
 */
export function select(program: AnyProgram, path: string): AnyProgram {
  return path === "" ? program : childProgram(program, path, runnerOf);
}

/** The constants that the program's own functions want, by name: what `compile(p, { weights })` binds. */
export function weightsOf(program: AnyProgram): ReadonlyMap<string, TensorType> {
  return weightsOfModule(dataOf(program).module);
}

/** The target that the program runs on: its own, or that of its functions. */
export function targetOf(program: AnyProgram): string | undefined {
  const { module } = dataOf(program);
  return module.target ?? module.functions.find((f) => f.target !== undefined)?.target;
}

function orThrow<T>({ value, diagnostics }: { readonly value: T; readonly diagnostics: readonly Diagnostic[] }): T {
  if (hasErrors(diagnostics)) throw new TileFoundryError(diagnostics);
  return value;
}
