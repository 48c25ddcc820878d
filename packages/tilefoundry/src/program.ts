// A Program as TypeScript sees it: callable if it has an entry, with no string-keyed members but the module's own names. Everything
// else is a function that takes it.

import { select, type FunctionNode, type ModuleNode } from "@tilefoundry/ir";
import { diagnostic, type Diagnostic, type Source } from "@tilefoundry/text";
import type { HoleRange, SModule } from "@tilefoundry/grammar";
import { TileFoundryError } from "./error.ts";
import type { CallArguments, CallResult } from "./kernel.ts";

/** Runs a function of a program on the program's own target: at once on interp, wasm and cpu. */
export type Runner = (args?: CallArguments) => CallResult;

/** A program whose member names TypeScript knows, as in tf<"softmax">`…`; callable where it has an entry. */
export type Program<Names extends string = never> = AnyProgram & { readonly [N in Names]: Runner };

/** A program of whatever members. */
export type AnyProgram = Runner & { readonly [DATA]: ProgramData };

export const DATA: unique symbol = Symbol("tilefoundry.program");

/** What stands behind a program. */
export interface ProgramData {
  readonly module: ModuleNode;
  readonly source: Source;
  readonly holes: readonly HoleRange[];
  readonly tree: SModule;
  /** Warnings and notes; a program with errors is never made. */
  readonly diagnostics: readonly Diagnostic[];
}

const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** Makes the object. `run` is asked for a member's runner when it is first called. */
export function makeProgram(data: ProgramData, run: (program: AnyProgram, fn: FunctionNode) => Runner): AnyProgram {
  const entry = data.module.functions.find((f) => f.name === data.module.entry);
  const call = (args?: CallArguments): CallResult => {
    if (entry === undefined) throw new TileFoundryError([noEntry(data)]);
    return run(program, entry)(args);
  };
  const program = bare(call) as AnyProgram; // members are added below
  const member = (name: string, attributes: PropertyDescriptor): void => {
    if (isMemberName(name)) Object.defineProperty(program, name, { enumerable: true, ...attributes });
  };
  for (const fn of data.module.functions) member(fn.name, { value: (args?: CallArguments) => run(program, fn)(args) });
  for (const child of data.module.children) member(child.name, { get: () => childProgram(program, child.name, run) });
  for (const method of data.module.methods) member(method.name, { value: () => refuseMethod(data, method.name) });
  Object.defineProperty(program, DATA, { value: data });
  Object.defineProperty(program, Symbol.toStringTag, { value: "Program" });
  const shown = (): string => `Program ${data.module.name} { ${memberNames(data.module).join(", ")} }`;
  for (const asked of [INSPECT, Symbol.toPrimitive]) Object.defineProperty(program, asked, { value: shown });
  return program;
}

/** Functions, child modules and methods, in the order in which a class is printed. */
const memberNames = (module: ModuleNode): readonly string[] => [...module.children, ...module.functions, ...module.methods].map((m) => m.name);

/** Host code of a class is kept as text; what it does is the host's matter. */
function refuseMethod({ module }: ProgramData, name: string): never {
  throw new TileFoundryError([diagnostic("TF6035", undefined, { name, module: module.name })]);
}

const children = new WeakMap<AnyProgram, Map<string, AnyProgram>>();

/** The program that a path names; the same object each time. */
export function childProgram(program: AnyProgram, path: string, run: (program: AnyProgram, fn: FunctionNode) => Runner): AnyProgram {
  const data = dataOf(program);
  const known = children.get(program) ?? new Map<string, AnyProgram>();
  children.set(program, known);
  const found = known.get(path);
  if (found !== undefined) return found;
  const module = select(data.module, path);
  if (module === undefined) throw new TileFoundryError([diagnostic("TF6036", undefined, { path, module: data.module.name, names: memberNames(data.module).join(", ") || "none" })]);
  const made = makeProgram({ ...data, module }, run);
  known.set(path, made);
  return made;
}

/** `then` would make the program a promise for `await`; names with `_` are private. */
export const isMemberName = (name: string): boolean => name !== "then" && !name.startsWith("_");

/** A function without a single inherited or own string-keyed member. */
function bare(call: Runner): Runner {
  Reflect.deleteProperty(call, "name");
  Reflect.deleteProperty(call, "length");
  return Object.setPrototypeOf(call, null) as Runner; // setPrototypeOf gives back what it got
}

function noEntry(data: ProgramData): Diagnostic {
  const names = data.module.functions.map((f) => f.name).join(", ");
  return diagnostic("TF6020", undefined, { module: data.module.name, names });
}

/** Data of a program; the functions of the front door take only what `tf` and `parseProgram` made. */
export function dataOf(program: AnyProgram): ProgramData {
  return program[DATA];
}
