// The binary writer: a module of instruction trees → the bytes of a WebAssembly module, with the names section.

import { invariant } from "@tilefoundry/text";
import { Bytes } from "./bytes.ts";
import { lowWord } from "./integers.ts";
import { CONTROL, TYPE_BYTES, type ValueType } from "./opcodes.ts";
import type { LaneShape } from "./shapes.ts";
import type { Local, Tree, WasmFunction, WasmModule } from "./tree.ts";

const SECTION = { custom: 0, type: 1, import: 2, function: 3, export: 7, code: 10 } as const;
const NAMES = { functions: 1, locals: 2 } as const;
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00] as const;
const FUNCTION_TYPE = 0x60;
const KIND_FUNCTION = 0;
const KIND_MEMORY = 2;

/** One buffer for all modules, one after the other. */
const buffer = new Bytes();

export function encodeModule(module: WasmModule): Uint8Array {
  const { functions } = module;
  const out = buffer;
  out.clear();
  out.bytes(HEADER);
  section(out, SECTION.type, () => vector(out, functions, functionType));
  section(out, SECTION.import, () => memoryImport(out));
  section(out, SECTION.function, () => vector(out, functions, (_out, _f, index) => out.unsigned(index)));
  section(out, SECTION.export, () => exportFirst(out, module.exported));
  section(out, SECTION.code, () => vector(out, functions, (_out, f) => code(f, functions, out)));
  section(out, SECTION.custom, () => names(out, functions));
  return out.done();
}

function section(out: Bytes, id: number, fill: () => void): void {
  out.byte(id);
  const start = out.open();
  fill();
  out.close(start);
}

function vector<T>(out: Bytes, items: readonly T[], write: (out: Bytes, item: T, index: number) => void): void {
  out.unsigned(items.length);
  let index = 0;
  for (const item of items) write(out, item, index++);
}

function functionType(out: Bytes, f: WasmFunction): void {
  out.byte(FUNCTION_TYPE);
  vector(out, f.params, (_out, p) => out.byte(TYPE_BYTES[p.type]));
  out.unsigned(f.result === undefined ? 0 : 1);
  if (f.result !== undefined) out.byte(TYPE_BYTES[f.result]);
}

function memoryImport(out: Bytes): void {
  out.unsigned(1);
  out.text("env");
  out.text("memory");
  out.byte(KIND_MEMORY);
  out.bytes([0x00, 0x00]); // no maximum, no minimum
}

function exportFirst(out: Bytes, name: string): void {
  out.unsigned(1);
  out.text(name);
  out.byte(KIND_FUNCTION);
  out.unsigned(0);
}

function names(out: Bytes, functions: readonly WasmFunction[]): void {
  out.text("name");
  section(out, NAMES.functions, () => vector(out, functions, nameOf));
  section(out, NAMES.locals, () =>
    vector(out, functions, (_out, f, index) => {
      out.unsigned(index);
      vector(out, localsOf(f), nameOf);
    }),
  );
}

function nameOf(out: Bytes, { name }: { readonly name: string }, index: number): void {
  out.unsigned(index);
  out.text(name);
}

const localsOf = (f: WasmFunction): readonly Local[] => [...f.params, ...f.locals];

// — code —

/** Where the writer stands: what may be read and called, and the labels around the instruction, innermost last. */
interface Place {
  readonly out: Bytes;
  readonly locals: readonly Local[];
  readonly functions: readonly WasmFunction[];
  readonly labels: (string | undefined)[];
}

function code(f: WasmFunction, functions: readonly WasmFunction[], out: Bytes): void {
  const start = out.open();
  vector(out, runs(f.locals), (_out, { count, type }) => {
    out.unsigned(count);
    out.byte(TYPE_BYTES[type]);
  });
  const place: Place = { out, locals: localsOf(f), functions, labels: [] };
  for (const tree of f.body) write(tree, place);
  out.byte(CONTROL.end);
  out.close(start);
}

/** Locals of equal type in a row are declared together. */
function runs(locals: readonly Local[]): readonly { count: number; type: ValueType }[] {
  const found: { count: number; type: ValueType }[] = [];
  for (const { type } of locals) {
    const last = found.at(-1);
    if (last?.type === type) last.count++;
    else found.push({ count: 1, type });
  }
  return found;
}

function write(tree: Tree, place: Place): void {
  const { out } = place;
  switch (tree.kind) {
    case "op":
      for (const operand of tree.operands) write(operand, place);
      return instruction(tree, out);
    case "get":
      return local(CONTROL.local_get, tree.local, place);
    case "set":
      write(tree.value, place);
      return local(CONTROL.local_set, tree.local, place);
    case "tee":
      write(tree.value, place);
      return local(CONTROL.local_tee, tree.local, place);
    case "const":
      return constant(tree.type, tree.value, out);
    case "lanes":
      return vectorConstant(tree.shape, tree.lanes, out);
    case "select":
      for (const operand of tree.operands) write(operand, place);
      return out.byte(CONTROL.select);
    case "call":
      for (const operand of tree.operands) write(operand, place);
      return call(tree.callee, place);
    default:
      return control(tree, place);
  }
}

type Control = Extract<Tree, { readonly kind: "block" | "loop" | "sequence" | "if" | "branch" | "return" | "comment" }>;

function control(tree: Control, place: Place): void {
  const { out } = place;
  switch (tree.kind) {
    case "block":
    case "loop":
      out.byte(CONTROL[tree.kind]);
      out.byte(TYPE_BYTES.empty);
      return body(tree.label, tree.body, place, true);
    case "sequence":
      out.byte(CONTROL.block);
      out.byte(TYPE_BYTES[tree.type]);
      return body(undefined, tree.body, place, true);
    case "if":
      write(tree.cond, place);
      out.byte(CONTROL.if);
      out.byte(TYPE_BYTES[tree.type ?? "empty"]);
      body(undefined, tree.then, place, tree.else.length === 0);
      if (tree.else.length === 0) return;
      out.byte(CONTROL.else);
      return body(undefined, tree.else, place, true);
    case "branch":
      if (tree.cond !== undefined) write(tree.cond, place);
      out.byte(tree.cond === undefined ? CONTROL.br : CONTROL.br_if);
      return out.unsigned(depthOf(tree.label, place.labels));
    case "return":
      if (tree.value !== undefined) write(tree.value, place);
      return out.byte(CONTROL.return);
    case "comment":
      return;
  }
}

function body(label: string | undefined, trees: readonly Tree[], place: Place, ends: boolean): void {
  place.labels.push(label);
  for (const tree of trees) write(tree, place);
  place.labels.pop();
  if (ends) place.out.byte(CONTROL.end);
}

function depthOf(label: string, labels: readonly (string | undefined)[]): number {
  const at = labels.lastIndexOf(label);
  invariant(at >= 0, () => `a branch to $${label} outside of it`);
  return labels.length - 1 - at;
}

function instruction({ row, immediates }: Extract<Tree, { readonly kind: "op" }>, out: Bytes): void {
  out.bytes(row.code);
  // alignment and offset are numbers, a lane is a byte
  const numbers = row.immediate === "memory" || row.immediate === "memory-lane" ? 2 : 0;
  for (let i = 0; i < immediates.length; i++) {
    const value = immediates[i] as number; // within the length
    if (i < numbers) out.unsigned(value);
    else out.byte(value);
  }
}

function call(callee: WasmFunction, { out, functions }: Place): void {
  const index = functions.indexOf(callee);
  invariant(index >= 0, () => `a call of $${callee.name}, which the module lacks`);
  out.byte(CONTROL.call);
  out.unsigned(index);
}

function local(code: number, wanted: Local, { out, locals }: Place): void {
  invariant(locals[wanted.index] === wanted, () => `$${wanted.name} is not declared`);
  out.byte(code);
  out.unsigned(wanted.index);
}

function constant(type: Exclude<ValueType, "v128">, value: number | bigint, out: Bytes): void {
  switch (type) {
    case "i32":
      out.byte(CONTROL.i32_const);
      return out.signed32(Number(value));
    case "i64":
      out.byte(CONTROL.i64_const);
      return out.signed64(BigInt(value));
    case "f32":
      out.byte(CONTROL.f32_const);
      return out.float32(Number(value));
    case "f64":
      out.byte(CONTROL.f64_const);
      return out.float64(Number(value));
  }
}

const V128_CONST = [0xfd, 0x0c] as const;

function vectorConstant(shape: LaneShape, values: readonly (number | bigint)[], out: Bytes): void {
  out.bytes(V128_CONST);
  for (const value of values) lane(shape, value, out);
}

function lane(shape: LaneShape, value: number | bigint, out: Bytes): void {
  switch (shape) {
    case "f32x4": return out.float32(Number(value));
    case "f64x2": return out.float64(Number(value));
    case "i32x4": return out.integer32(lowWord(value));
    case "i64x2": return out.integer64(BigInt(value));
  }
}
