// The binary writer: a module of instruction trees → the bytes of a WebAssembly module, with the names section.

import { invariant } from "@tilefoundry/text";
import { Bytes } from "./bytes.ts";
import { CONTROL, opcodeRow, TYPE_BYTES, type ValueType } from "./opcodes.ts";
import type { LaneShape, Local, Tree, WasmFunction, WasmModule } from "./tree.ts";

const SECTION = { custom: 0, type: 1, import: 2, function: 3, export: 7, code: 10 } as const;
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00] as const;
const FUNCTION_TYPE = 0x60;
const KIND_FUNCTION = 0;
const KIND_MEMORY = 2;

export function encodeModule(module: WasmModule): Uint8Array {
  const out = new Bytes();
  out.bytes(HEADER);
  section(out, SECTION.type, (s) => vector(s, module.functions, functionType));
  section(out, SECTION.import, memoryImport);
  section(out, SECTION.function, (s) => vector(s, module.functions, (to, _f, index) => to.unsigned(index)));
  section(out, SECTION.export, (s) => vector(s, [module.exported], exportOf));
  section(out, SECTION.code, (s) => vector(s, module.functions, (to, f) => to.sized(code(f, module))));
  section(out, SECTION.custom, (s) => names(s, module));
  return out.done();
}

function section(out: Bytes, id: number, fill: (s: Bytes) => void): void {
  const inner = new Bytes();
  fill(inner);
  out.byte(id);
  out.sized(inner);
}

function vector<T>(out: Bytes, items: readonly T[], write: (out: Bytes, item: T, index: number) => void): void {
  out.unsigned(items.length);
  for (const [index, item] of items.entries()) write(out, item, index);
}

function functionType(out: Bytes, f: WasmFunction): void {
  out.byte(FUNCTION_TYPE);
  vector(out, f.params, (to, p) => to.byte(TYPE_BYTES[p.type]));
  vector(out, f.result === undefined ? [] : [f.result], (to, t) => to.byte(TYPE_BYTES[t]));
}

function memoryImport(out: Bytes): void {
  out.unsigned(1);
  out.text("env");
  out.text("memory");
  out.byte(KIND_MEMORY);
  out.bytes([0x00, 0x00]); // no maximum, no minimum
}

/** The first function. */
function exportOf(out: Bytes, name: string): void {
  out.text(name);
  out.byte(KIND_FUNCTION);
  out.unsigned(0);
}

function names(out: Bytes, module: WasmModule): void {
  out.text("name");
  subsection(out, 1, (s) => vector(s, module.functions, (to, f, index) => nameOf(to, index, f.name)));
  subsection(out, 2, (s) =>
    vector(s, module.functions, (to, f, index) => {
      to.unsigned(index);
      vector(to, [...f.params, ...f.locals], (inner, local, at) => nameOf(inner, at, local.name));
    }),
  );
}

function subsection(out: Bytes, id: number, fill: (s: Bytes) => void): void {
  section(out, id, fill);
}

function nameOf(out: Bytes, index: number, name: string): void {
  out.unsigned(index);
  out.text(name);
}

// — code —

/** Where the writer stands: numbers of locals and functions, and the labels around the instruction, innermost last. */
interface Place {
  readonly out: Bytes;
  readonly locals: ReadonlyMap<Local, number>;
  readonly functions: ReadonlyMap<WasmFunction, number>;
  readonly labels: (string | undefined)[];
}

function code(f: WasmFunction, module: WasmModule): Bytes {
  const out = new Bytes();
  vector(out, runs(f.locals), (to, { count, type }) => {
    to.unsigned(count);
    to.byte(TYPE_BYTES[type]);
  });
  const locals = new Map([...f.params, ...f.locals].map((local, index) => [local, index]));
  const functions = new Map(module.functions.map((callee, index) => [callee, index]));
  const place: Place = { out, locals, functions, labels: [] };
  for (const tree of f.body) write(tree, place);
  out.byte(CONTROL.end);
  return out;
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
    case "select":
    case "call":
      for (const operand of tree.operands) write(operand, place);
      return instruction(tree, place);
    case "const":
      return constant(tree.type, tree.value, out);
    case "lanes":
      return vectorConstant(tree.shape, tree.lanes, out);
    case "get":
      return local(CONTROL.local_get, tree.local, place);
    case "set":
    case "tee":
      write(tree.value, place);
      return local(tree.kind === "set" ? CONTROL.local_set : CONTROL.local_tee, tree.local, place);
    case "block":
    case "loop":
      out.bytes([CONTROL[tree.kind], TYPE_BYTES.empty]);
      return body(tree.label, tree.body, place, true);
    case "sequence":
      out.bytes([CONTROL.block, TYPE_BYTES[tree.type]]);
      return body(undefined, tree.body, place, true);
    case "if":
      write(tree.cond, place);
      out.bytes([CONTROL.if, tree.type === undefined ? TYPE_BYTES.empty : TYPE_BYTES[tree.type]]);
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

function instruction(tree: Extract<Tree, { readonly kind: "op" | "select" | "call" }>, { out, functions }: Place): void {
  if (tree.kind === "select") return out.byte(CONTROL.select);
  if (tree.kind === "call") {
    const index = functions.get(tree.callee);
    invariant(index !== undefined, () => `a call of $${tree.callee.name}, which the module lacks`);
    out.byte(CONTROL.call);
    return out.unsigned(index);
  }
  const { code, immediate } = opcodeRow(tree.op);
  out.bytes(code);
  const memory = immediate === "memory" || immediate === "memory-lane" ? 2 : 0;
  for (const value of tree.immediates.slice(0, memory)) out.unsigned(value);
  for (const value of tree.immediates.slice(memory)) out.byte(value); // lane numbers
}

function local(code: number, wanted: Local, { out, locals }: Place): void {
  const index = locals.get(wanted);
  invariant(index !== undefined, () => `$${wanted.name} is not declared`);
  out.byte(code);
  out.unsigned(index);
}

function constant(type: Exclude<ValueType, "v128">, value: number | bigint, out: Bytes): void {
  switch (type) {
    case "i32":
    case "i64":
      out.byte(type === "i32" ? CONTROL.i32_const : CONTROL.i64_const);
      return out.signed(BigInt(value));
    case "f32":
    case "f64":
      out.byte(type === "f32" ? CONTROL.f32_const : CONTROL.f64_const);
      return out.float(Number(value), type === "f32" ? 4 : 8);
  }
}

const V128_CONST = [0xfd, 0x0c] as const;

function vectorConstant(shape: LaneShape, values: readonly (number | bigint)[], out: Bytes): void {
  out.bytes(V128_CONST);
  const width = shape.endsWith("x2") ? 8 : 4;
  for (const value of values) {
    if (shape.startsWith("f")) out.float(Number(value), width);
    else out.integer(BigInt(value), width);
  }
}
