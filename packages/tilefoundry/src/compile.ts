// From a program to something that runs: passes for the target's device, emission, loading. Everything here is cached by identity.

import { interpret } from "@tilefoundry/interp";
import {
  cloneFunction, indexConst, linked, makeModule, signatureOf, stageOf,
  type Device, type Expr, type FunctionNode, type ModuleNode, type Stage, type VarLike,
} from "@tilefoundry/ir";
import { builtinOps } from "@tilefoundry/ops";
import { runPasses, type OnPass, type PassName } from "@tilefoundry/passes";
import { callWith, loadCpu, loadWasm, type ArgumentValue, type Runnable } from "@tilefoundry/runtime";
import type { Artifact, Target } from "@tilefoundry/targets";
import { diagnostic, hasErrors, type Diagnostic, type Outcome } from "@tilefoundry/text";
import { TileFoundryError } from "./error.ts";
import type { CallArguments, CallOptions, CallResult, Kernel } from "./kernel.ts";
import { dataOf, type AnyProgram, type Runner } from "./program.ts";
import { resolveTarget, type TargetSpec } from "./targets.ts";

export interface CompileOptions {
  /** `"wasm"`, `"cpu"`, `"cpu:generic"`, `"interp"`; default: the function's own target, else `wasm`. */
  readonly target?: string;
  /** Function to compile; default: the program's entry. */
  readonly entry?: string;
  /** Values of symbolic extents: the kernel is compiled for these alone. */
  readonly dims?: Readonly<Record<string, number>>;
  /** Values of constants (`ConstTensor`), bound once: calls of the kernel need not pass them. */
  readonly weights?: Readonly<Record<string, ArgumentValue>>;
}

export interface LowerOptions {
  readonly fold?: boolean;
  readonly onPass?: OnPass;
}

/** A module after the passes up to a stage, for a device. */
export function lower(module: ModuleNode, upTo: Stage | PassName, device: Device, options: LowerOptions = {}): Outcome<ModuleNode> {
  return runPasses(module, upTo, { ops: builtinOps, device, fold: options.fold ?? true }, options.onPass);
}

/** Source and all else that a target makes of one function and what it calls. */
export function emit(module: ModuleNode, fn: FunctionNode, target: Target, device: Device, options: LowerOptions = {}): Outcome<Artifact | undefined> {
  const placed = lowerAlone(module, fn, "placed", device, options);
  const ready = placed.value.functions[0];
  if (hasErrors(placed.diagnostics) || ready === undefined) return { value: undefined, diagnostics: placed.diagnostics };
  const emitted = target.emit(placed.value, ready);
  const diagnostics = [...placed.diagnostics, ...emitted.diagnostics];
  return { value: hasErrors(diagnostics) ? undefined : emitted.value, diagnostics };
}

/** One function after the passes up to a stage from `lowered` on, its calls inlined. */
function lowerAlone(module: ModuleNode, fn: FunctionNode, upTo: Stage, device: Device, options: LowerOptions = {}): Outcome<ModuleNode> {
  const whole = linked(module, fn);
  if (whole.functions.length === 1) return lower(whole, upTo, device, options);
  const inlined = lower(whole, "inline-calls", device, options);
  if (hasErrors(inlined.diagnostics)) return inlined;
  const { value, diagnostics } = lower(makeModule(whole.name, inlined.value.functions.slice(0, 1), fn.name), upTo, device, options);
  return { value, diagnostics: [...inlined.diagnostics, ...diagnostics] };
}

/** The function that options name: `entry`, else the program's entry. */
export function entryOf(module: ModuleNode, name?: string): Outcome<FunctionNode | undefined> {
  const wanted = name ?? module.entry;
  if (wanted === undefined) {
    const names = module.functions.map((f) => f.name).join(", ");
    return { value: undefined, diagnostics: [diagnostic("TF6020", undefined, { module: module.name, names })] };
  }
  const fn = module.functions.find((f) => f.name === wanted);
  return fn === undefined ? { value: undefined, diagnostics: [unknownFunction(module, wanted)] } : { value: fn, diagnostics: [] };
}

/** A function for given values of some of its symbolic extents. */
export function withDims(fn: FunctionNode, dims: Readonly<Record<string, number>>): Outcome<FunctionNode | undefined> {
  const diagnostics: Diagnostic[] = [];
  const values = new Map<VarLike, Expr>();
  for (const [name, value] of Object.entries(dims)) {
    const symbol = fn.symbols.find((s) => s.var.hint === name);
    if (symbol === undefined) diagnostics.push(diagnostic("TF6028", undefined, { function: fn.name, name, names: fn.symbols.map((s) => s.var.hint).join(", ") || "none" }));
    else if (!Number.isSafeInteger(value) || value < symbol.lo || value >= symbol.hi) diagnostics.push(diagnostic("TF6029", symbol.var.meta.span, { symbol: name, value, lo: symbol.lo, hi: symbol.hi }));
    else values.set(symbol.var, indexConst(value));
  }
  if (diagnostics.length > 0) return { value: undefined, diagnostics };
  return { value: values.size === 0 ? fn : cloneFunction(fn, values), diagnostics };
}

function unknownFunction(module: ModuleNode, name: string): Diagnostic {
  return diagnostic("TF6021", undefined, { name, module: module.name, names: module.functions.map((f) => f.name).join(", ") });
}

const kernels = new WeakMap<FunctionNode, Map<string, Kernel>>();

/** A kernel of a function for a target, or what is wrong with it. */
export function kernelOf(module: ModuleNode, fn: FunctionNode, spec: TargetSpec): Outcome<Kernel | undefined> {
  const known = kernels.get(fn) ?? new Map<string, Kernel>();
  kernels.set(fn, known);
  const found = known.get(spec.name);
  if (found !== undefined) return { value: found, diagnostics: [] };
  const made = spec.target === undefined ? interpretedKernel(module, fn, spec.device) : compiledKernel(module, fn, spec.target, spec.device, spec.name);
  if (made.value !== undefined) known.set(spec.name, made.value);
  return made;
}

function compiledKernel(module: ModuleNode, fn: FunctionNode, target: Target, device: Device, name: string): Outcome<Kernel | undefined> {
  const { value: artifact, diagnostics } = emit(module, fn, target, device);
  if (artifact === undefined) return { value: undefined, diagnostics };
  const loaded = artifact.target === "wasm" ? loadWasm(artifact) : loadCpu(artifact);
  if (loaded.value === undefined) return { value: undefined, diagnostics: [...diagnostics, ...loaded.diagnostics] };
  return { value: makeKernel(fn, name, artifact, loaded.value), diagnostics: [...diagnostics, ...loaded.diagnostics] };
}

/** The interpreter runs the function as lowered only so far that results are parameters (`out`, …). */
function interpretedKernel(module: ModuleNode, fn: FunctionNode, device: Device): Outcome<Kernel | undefined> {
  const alone = linked(module, fn);
  const returnsArrays = fn.returns.length > 0 && stageOf(alone) !== "placed";
  const { value: lowered, diagnostics } = returnsArrays ? lowerAlone(module, fn, "lowered", device) : { value: alone, diagnostics: [] };
  const ready = lowered.functions[0];
  if (ready === undefined || hasErrors(diagnostics)) return { value: undefined, diagnostics };
  const runnable: Runnable = {
    signature: signatureOf(ready),
    call: (args, out = {}) => callWith(signatureOf(ready), args, out, (values) => interpret(lowered, ready, values, { ops: builtinOps }).faults),
  };
  return { value: makeKernel(fn, "interp", undefined, runnable), diagnostics };
}

function makeKernel(fn: FunctionNode, target: string, artifact: Artifact | undefined, runnable: Runnable): Kernel {
  const call = (args: CallArguments = {}, options: CallOptions = {}): CallResult => {
    const { value, diagnostics } = runnable.call(args, options.out ?? {});
    if (value === undefined || hasErrors(diagnostics)) throw new TileFoundryError(diagnostics);
    return value;
  };
  return { name: fn.name, target, fn, artifact, call, run: (args, options) => Promise.resolve().then(() => call(args, options)) };
}

/**
 * Compiles a function of a program. Throws a TileFoundryError if the program cannot be compiled for the target or the machine lacks
 * what the target needs.
 */
export function compile(program: AnyProgram, options: CompileOptions = {}): Promise<Kernel> {
  return Promise.resolve().then(() => compileNow(program, options));
}

export function compileNow(program: AnyProgram, options: CompileOptions = {}): Kernel {
  const { module } = dataOf(program);
  const entry = entryOf(module, options.entry);
  if (entry.value === undefined) throw new TileFoundryError(entry.diagnostics);
  const spec = resolveTarget(options.target ?? entry.value.target ?? module.target);
  if (spec.value === undefined) throw new TileFoundryError(spec.diagnostics);
  const fn = withDims(entry.value, options.dims ?? {});
  if (fn.value === undefined) throw new TileFoundryError(fn.diagnostics);
  const { value, diagnostics } = kernelOf(module, fn.value, spec.value);
  if (value === undefined) throw new TileFoundryError(diagnostics);
  return options.weights === undefined ? value : withWeights(value, options.weights);
}

/** The kernel with some of its constants given. */
function withWeights(kernel: Kernel, weights: Readonly<Record<string, ArgumentValue>>): Kernel {
  const constants = kernel.fn.params.filter((p) => p.var.isConst).map((p) => p.var.hint);
  const strange = Object.keys(weights).filter((name) => !constants.includes(name));
  if (strange.length > 0) {
    const found = strange.map((name) => diagnostic("TF6037", kernel.fn.meta.span, { name, function: kernel.name, constants: constants.join(", ") || "none" }));
    throw new TileFoundryError(found);
  }
  const call = (args: CallArguments = {}, options?: CallOptions): CallResult => kernel.call({ ...weights, ...args }, options);
  return { ...kernel, call, run: (args, options) => Promise.resolve().then(() => call(args, options)) };
}

/** What a member of a program does when it is called. */
export function runnerOf(program: AnyProgram, fn: FunctionNode): Runner {
  return (args) => compileNow(program, { entry: fn.name }).call(args);
}

