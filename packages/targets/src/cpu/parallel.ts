// A loop over cores becomes a function of a range of its iterations, called through `parallel_for`. What it reads of its
// surroundings comes in a context: the arguments alone, or a struct with them and the captured locals.

import { boundBy, definedBy, eachOperand, eachStmt, isStatic, loopBounds, toDim, walk, type Expr, type For, type Seq, type VarLike } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { Writer } from "../writer.ts";
import { unpackArguments } from "./arguments.ts";
import { CTYPES } from "./ctype.ts";
import { expression, operand, typeName } from "./expr.ts";
import type { KernelFile } from "./kernel-file.ts";
import { LEVEL, namesIn, type Scope } from "./scope.ts";

/** Writes the statements of a block: handed in by the statements, which this file serves. */
type EmitBlock = (block: Seq, scope: Scope, file: KernelFile) => void;

export function emitParallel(loop: For, scope: Scope, file: KernelFile, emitBlock: EmitBlock): void {
  const name = scope.names.fresh(`${file.name}_${loop.loopVar.hint}`);
  const free = freeVariables(loop, scope);
  const captured = [...free].filter((v) => !file.shared.has(v));
  const body = bodyFunction(loop, name, free, captured, scope, file, emitBlock);
  file.functions.push(body.text);
  startLoop(loop, name, captured, body.usesArena, scope);
}

/** Variables read in the loop and defined outside of it, through inlined values; the bounds are read by the caller. */
function freeVariables(loop: For, scope: Scope): ReadonlySet<VarLike> {
  const bound = new Set<VarLike>([loop.loopVar]);
  const free = new Set<VarLike>();
  const read = (e: Expr): void =>
    walk(e, (node) => {
      if (node.kind !== "Var" && node.kind !== "IterArg") {
        if (node.kind === "Prim") readShapes(node, read, scope);
        return;
      }
      const value = scope.inlined.get(node);
      if (value !== undefined) read(value);
      else if (!bound.has(node)) free.add(node);
    });
  eachStmt(loop.body, (stmt) => {
    for (const v of [...definedBy(stmt), ...boundBy(stmt)]) bound.add(v);
  });
  eachStmt(loop.body, (stmt) => eachOperand(stmt, read));
  read(loop.start);
  read(loop.step);
  return free;
}

/** Offsets read the symbolic extents of the buffers; placed allocations read their offset. */
function readShapes(node: Extract<Expr, { kind: "Prim" }>, read: (e: Expr) => void, scope: Scope): void {
  const [buffer] = node.args;
  const dims = [...(buffer?.type.kind === "Tensor" ? buffer.type.shape : []), ...(node.attrs.offset === undefined ? [] : [node.attrs.offset])];
  for (const d of dims) if (!isStatic(d)) read(scope.extentExpr(d));
}

interface LoopFunction {
  readonly text: string;
  readonly usesArena: boolean;
}

function bodyFunction(loop: For, name: string, free: ReadonlySet<VarLike>, captured: readonly VarLike[], scope: Scope, file: KernelFile, emitBlock: EmitBlock): LoopFunction {
  const args = `${file.name}_args`;
  const outer = scope.writer;
  const writer = new Writer();
  if (captured.length > 0) {
    writer.block("typedef struct {", () => {
      writer.line(`const ${args} *args;`);
      for (const v of captured) writer.line(`${capturedType(v, scope)}${scope.names.of(v)};`);
    }, `} ${name}_context;`);
    writer.line("");
  }
  scope.writer = writer;
  file.insideParallel = true;
  const outerUsesArena = file.usesArena;
  file.usesArena = false;
  writer.block(`static void ${name}(const void *context, int64_t begin, int64_t end, void *arena_start) {`, () => {
    writeBody(loop, name, free, captured, scope, file, emitBlock);
  });
  file.insideParallel = false;
  const { usesArena } = file;
  file.usesArena = outerUsesArena;
  scope.writer = outer;
  return { text: writer.text(), usesArena };
}

function writeBody(loop: For, name: string, free: ReadonlySet<VarLike>, captured: readonly VarLike[], scope: Scope, file: KernelFile, emitBlock: EmitBlock): void {
  const { writer } = scope;
  const body = new Writer();
  scope.writer = body;
  writeLoop(loop, scope, file, emitBlock);
  scope.writer = writer;
  const text = body.text().trimEnd();
  if (captured.length === 0) writer.line(`const ${file.name}_args *const args = context;`);
  else {
    writer.line(`const ${name}_context *const c = context;`);
    writer.line(`const ${file.name}_args *const args = c->args;`);
    for (const v of captured) writer.line(`${capturedType(v, scope)}const ${scope.names.of(v)} = c->${scope.names.of(v)};`);
  }
  // of the extents of a buffer, the first is in no offset
  const names = namesIn(text);
  const used = unpackArguments(file.fn, (v) => free.has(v) && names.has(scope.names.of(v)), scope);
  if (!used) writer.line("(void)args;");
  writer.line(file.usesArena ? "char *const arena = arena_start;" : "(void)arena_start;");
  writer.lines(text);
}

/** Iterations begin … end - 1, counted from 0. */
function writeLoop(loop: For, scope: Scope, file: KernelFile, emitBlock: EmitBlock): void {
  const by = loop.step.kind === "Const" ? Number(loop.step.value) : undefined;
  if (by !== undefined && by !== 0) scope.learn(loop.loopVar, loopBounds(toDim(loop.start), toDim(loop.stop), by));
  const variable = scope.names.of(loop.loopVar);
  const fromZero = loop.start.kind === "Const" && loop.start.value === 0n;
  if (by === 1 && fromZero) {
    scope.writer.block(`for (int64_t ${variable} = begin; ${variable} < end; ${variable}++) {`, () => emitBlock(loop.body, scope, file));
    return;
  }
  const count = scope.names.fresh("n");
  scope.writer.block(`for (int64_t ${count} = begin; ${count} < end; ${count}++) {`, () => {
    const start = fromZero ? "" : `${operand(loop.start, LEVEL.add, scope)} + `;
    scope.statement(() => `const int64_t ${variable} = ${start}${count} * ${operand(loop.step, LEVEL.unary, scope)};`);
    emitBlock(loop.body, scope, file);
  });
}

/** The call in the function around the loop. */
function startLoop(loop: For, name: string, captured: readonly VarLike[], usesArena: boolean, scope: Scope): void {
  const trips = tripCount(loop, scope);
  let context = "args";
  if (captured.length > 0) {
    context = `&${name}_captured`;
    const values = captured.map((v) => scope.names.of(v));
    scope.writer.line(`const ${name}_context ${name}_captured = {${["args", ...values].join(", ")}};`);
  }
  const guard = /^[1-9]\d*$/.test(trips) ? "" : `if (${trips} > 0) `;
  scope.writer.line(`${guard}parallel_for(${name}, ${context}, ${trips}, ${usesArena ? "(size_t)args->arena_bytes" : "0"});`);
}

function tripCount(loop: For, scope: Scope): string {
  const by = loop.step.kind === "Const" ? Number(loop.step.value) : 0;
  if (by === 1 && loop.start.kind === "Const" && loop.start.value === 0n) {
    const text = expression(loop.stop, scope).text;
    if (/^\w+$/.test(text)) return text;
  }
  const [start, stop, step] = [loop.start, loop.stop, loop.step].map((e) => expression(e, scope).text);
  const hint = `${loop.loopVar.hint}_trips`;
  const declared = scope.declare("int64_t", hint, `(int64_t)${scope.prelude.trips()}(${start}, ${stop}, ${step})`);
  for (const line of scope.takePending()) scope.writer.line(line);
  return declared;
}

function capturedType(v: VarLike, scope: Scope): string {
  if (v.type.kind === "Tensor") return `${CTYPES[v.type.dtype].stored} *`;
  invariant(v.type.kind === "Scalar" || v.type.kind === "Vec", () => `capture of ${v.type.kind}`);
  return `${typeName(v, scope)} `;
}
