// Placed IR → a WebAssembly module: the kernel under its own name, beside it the helpers it calls. Parameters are addresses of
// arrays, scalars, values of symbols, and the address of the arena.

import { invariant, Reporter, type Outcome } from "@tilefoundry/text";
import { bodyOf, eachStmt, signatureOf, toExpr, type FunctionNode, type ModuleNode, type Seq, type Var } from "@tilefoundry/ir";
import { arenaOf } from "../arena.ts";
import type { Artifact, ArtifactFile, EntrySlot, SlotType } from "../target.ts";
import { fitsInt32, lowBits } from "./arithmetic.ts";
import { encodeModule } from "./encode.ts";
import { Frame } from "./frame.ts";
import { add32, low } from "./integers.ts";
import type { ValueType } from "./opcodes.ts";
import { kindOfType, VALUE_TYPES } from "./registers.ts";
import { emitBlock } from "./statements.ts";
import { get, set, type Local, type Tree, type WasmModule } from "./tree.ts";
import { moduleText } from "./wat.ts";

export function emitWasm(_module: ModuleNode, fn: FunctionNode): Outcome<Artifact> {
  const body = bodyOf(fn);
  invariant(body !== undefined, () => "a function in graph form at stage placed");
  const reporter = new Reporter();
  if (fn.returns.length > 0) reporter.report("TF5111", fn.meta.span, { target: "wasm", function: fn.name });
  const { module, slots, diagnostics } = moduleOf(fn, body);
  reporter.diagnostics.push(...diagnostics);
  const base = { target: "wasm", signature: signatureOf(fn), entry: fn.name, slots, arena: arenaOf(fn) } as const;
  if (reporter.hasErrors) return { value: { ...base, files: [] }, diagnostics: reporter.diagnostics };
  const files = [
    { name: `${fn.name}.wasm`, contents: encodeModule(module) },
    new TextFile(`${fn.name}.wat`, module),
  ];
  return { value: { ...base, files }, diagnostics: reporter.diagnostics };
}

/** Running a kernel needs no text, so it is written when it is asked for. */
class TextFile implements ArtifactFile {
  readonly name: string;
  readonly #module: WasmModule;
  #text: string | undefined;

  constructor(name: string, module: WasmModule) {
    this.name = name;
    this.#module = module;
  }

  get contents(): string {
    return (this.#text ??= moduleText(this.#module));
  }
}

interface Parameter {
  readonly slot: EntrySlot;
  readonly local: Local;
}

function moduleOf(fn: FunctionNode, body: Seq) {
  const frame = new Frame(fn, body);
  const parameters = parametersOf(fn, frame);
  const arena = frame.parameterOf("arena", "i32");
  const params = [...parameters.map((p) => p.local), arena];
  const trees: Tree[] = [];
  placeBuffers(body, arena, frame, trees);
  emitBlock(body, frame, [], trees);
  const kernel = { name: frame.name, params, result: undefined, locals: frame.declared, body: trees, comments: fn.meta.comments ?? [] };
  const module: WasmModule = { exported: fn.name, functions: [kernel, ...frame.helpers.values()] };
  const slots: readonly EntrySlot[] = [...parameters.map((p) => p.slot), { kind: "arena", index: 0, type: "pointer" }];
  return { module, slots, diagnostics: frame.reporter.diagnostics };
}

function parametersOf(fn: FunctionNode, frame: Frame): readonly Parameter[] {
  const params = fn.params.map(({ var: v }, index): Parameter => {
    if (v.type.kind === "Tensor") return { slot: { kind: "array", index, type: "pointer" }, local: frame.parameter(v, "i32") };
    const type = VALUE_TYPES[kindOfType(v.type)];
    return { slot: { kind: "scalar", index, type }, local: frame.parameter(v, type) };
  });
  const symbols = fn.symbols.map(({ var: v }, index): Parameter => {
    const type: SlotType & ValueType = fitsInt32(frame.ranges.of(v)) ? "i32" : "i64";
    return { slot: { kind: "symbol", index, type }, local: frame.parameter(v, type) };
  });
  return [...params, ...symbols];
}

/** Addresses of the buffers in the arena. */
function placeBuffers(body: Seq, arena: Local, frame: Frame, trees: Tree[]): void {
  eachStmt(body, (stmt) => {
    if (stmt.kind !== "Assign" || stmt.value.kind !== "Prim" || stmt.value.op !== "alloc_tensor") return;
    const { offset } = stmt.value.attrs;
    invariant(offset !== undefined, () => `${stmt.target.hint} has no place`);
    trees.push(set(pointerOf(stmt.target, frame), add32(get(arena), low(lowBits(toExpr(offset), frame)))));
  });
}

function pointerOf(buffer: Var, frame: Frame): Local {
  const local = frame.locals(buffer)[0];
  invariant(local !== undefined, () => `no local for ${buffer.hint}`);
  return local;
}
