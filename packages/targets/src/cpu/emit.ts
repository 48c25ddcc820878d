// Placed IR → C11: a kernel file, its header, and a launcher with a serial pool. Kernel source names no thread library: a loop over
// cores is a function that the caller's `parallel_for` runs.

import { invariant, type Outcome } from "@tilefoundry/text";
import {
  bodyOf, eachOperand, eachStmt, isStatic, signatureOf, symbolFacts, toExpr, walk, type DType, type Expr, type FunctionNode, type ModuleNode, type VarLike,
} from "@tilefoundry/ir";
import { arenaOf } from "../arena.ts";
import type { Artifact, EntrySlot, SlotType } from "../target.ts";
import { Writer } from "../writer.ts";
import { argumentStruct, unpackArguments } from "./arguments.ts";
import { cName } from "./names.ts";
import { KernelFile } from "./kernel-file.ts";
import { Prelude } from "./prelude.ts";
import { PRIM_TEXT } from "./prims.ts";
import { namesIn, Scope } from "./scope.ts";
import { emitBlock, lineComment } from "./stmt.ts";

export function emitC(_module: ModuleNode, fn: FunctionNode): Outcome<Artifact> {
  const prelude = new Prelude();
  const scope = new Scope(fn, prelude, (p, at) => PRIM_TEXT[p.op](p, at), symbolFacts(fn.symbols));
  // the arguments get their names first, so that they keep them
  for (const v of [...fn.params.map((p) => p.var), ...fn.symbols.map((s) => s.var)]) scope.names.of(v);
  const name = cName(fn.name);
  const struct = argumentStruct(fn, name, scope);
  const file = new KernelFile(fn, name);
  const entry = entryFunction(file, scope);
  const artifact: Artifact = {
    target: "cpu",
    signature: signatureOf(fn),
    entry: `tf_launch_${name}`,
    slots: slotsOf(fn),
    files: [
      { name: `${name}.c`, contents: kernelText(name, prelude, file.functions, entry) },
      { name: `${name}.h`, contents: headerText(name, struct) },
      { name: `${name}_launch.c`, contents: launcherText(name) },
    ],
    arena: arenaOf(fn),
  };
  return { value: artifact, diagnostics: [] };
}

function slotsOf(fn: FunctionNode): readonly EntrySlot[] {
  const params = fn.params.map(({ var: v }, index): EntrySlot => {
    if (v.type.kind === "Tensor") return { kind: "array", index, type: "pointer" };
    invariant(v.type.kind === "Scalar", () => `a parameter of ${v.type.kind}`);
    return { kind: "scalar", index, type: SCALAR_SLOTS[v.type.dtype] };
  });
  const symbols = fn.symbols.map((_, index): EntrySlot => ({ kind: "symbol", index, type: "i64" }));
  return [...params, ...symbols, { kind: "arena", index: 0, type: "pointer" }];
}

const SCALAR_SLOTS = {
  f32: "f32", f64: "f64", i8: "i32", i16: "i32", i32: "i32", u8: "i32", u16: "i32", u32: "i32", bool: "i32", i64: "i64", u64: "i64", index: "i64",
} as const satisfies Readonly<Record<DType, SlotType>>;

function entryFunction(file: KernelFile, scope: Scope): string {
  const { fn } = file;
  const body = bodyOf(fn);
  invariant(body !== undefined, () => "a function in graph form at stage placed");
  const inner = new Writer();
  scope.writer = inner;
  emitBlock(body, scope, file);
  const statements = inner.text().trimEnd();
  const writer = new Writer();
  scope.writer = writer;
  for (const comment of fn.meta.comments ?? []) writer.line(lineComment(comment));
  writer.block(`int ${file.name}(const ${file.name}_args *args, tf_parallel_for *parallel_for) {`, () => {
    // a name that the text of the body does not hold would be an unused local
    const used = namesIn(statements);
    unpackArguments(fn, (v) => used.has(scope.names.of(v)) && readsArgument(body, v), scope);
    if (file.usesArena && used.has("arena")) writer.line("char *const arena = args->arena;");
    if (!/\bargs\b/.test(writer.text() + statements)) writer.line("(void)args;");
    if (!used.has("parallel_for")) writer.line("(void)parallel_for;");
    if (statements !== "") writer.lines(statements);
    writer.line("return 0;");
  });
  return writer.text();
}

/** Whether the function's own text may read the argument, in a value, a bound or an extent. */
function readsArgument(body: Parameters<typeof eachStmt>[0], v: VarLike): boolean {
  let found = false;
  const look = (e: Expr): void =>
    walk(e, (node) => {
      if (node === v) found = true;
      if (node.kind !== "Prim") return;
      const [buffer] = node.args;
      for (const d of [...(buffer?.type.kind === "Tensor" ? buffer.type.shape : []), node.attrs.offset ?? 0]) {
        if (!isStatic(d)) look(toExpr(d));
      }
    });
  eachStmt(body, (stmt) => eachOperand(stmt, look));
  return found;
}

// — files —

function kernelText(name: string, prelude: Prelude, functions: readonly string[], entry: string): string {
  const parts = [
    [
      `#include "${name}.h"`,
      "",
      "#include <float.h>",
      "#include <math.h>",
      "#include <stdbool.h>",
      "#include <stdint.h>",
      "#include <string.h>",
      "",
      "/* A product and a sum are two roundings. */",
      "#if defined(__clang__)",
      "#pragma STDC FP_CONTRACT OFF",
      "#elif defined(__GNUC__)",
      '#pragma GCC optimize("fp-contract=off")',
      "#endif",
    ].join("\n"),
    ...(prelude.parts.length === 0 ? [] : [prelude.parts.join("\n")]),
    ...functions.map((f) => f.trimEnd()),
    entry.trimEnd(),
  ];
  return parts.join("\n\n") + "\n";
}

const POOL_TYPES = [
  "#ifndef TF_PARALLEL_FOR",
  "#define TF_PARALLEL_FOR",
  "/* Runs iterations begin ... end - 1; `arena` is the running thread's own. */",
  "typedef void tf_body(const void *context, int64_t begin, int64_t end, void *arena);",
  "/* Runs all n iterations, in any order, on any number of threads, each with an arena of so many bytes. */",
  "typedef void tf_parallel_for(tf_body *body, const void *context, int64_t n, size_t arena_bytes);",
  "#endif",
];

function headerText(name: string, struct: string): string {
  const guard = `TF_${name.toUpperCase()}_H`;
  return [
    `#ifndef ${guard}`,
    `#define ${guard}`,
    "",
    "#include <stdbool.h>",
    "#include <stddef.h>",
    "#include <stdint.h>",
    "",
    ...POOL_TYPES,
    "",
    struct.trimEnd(),
    "",
    `int ${name}(const ${name}_args *args, tf_parallel_for *parallel_for);`,
    "",
    "#endif",
    "",
  ].join("\n");
}

/** The launcher takes the caller's pool; given none, it has a serial one. */
function launcherText(name: string): string {
  return [
    `#include "${name}.h"`,
    "",
    "#include <stdlib.h>",
    "",
    `int tf_launch_${name}(const ${name}_args *args, tf_parallel_for *parallel_for);`,
    "",
    "static _Thread_local int tf_out_of_memory;",
    "",
    "/* The serial pool: every iteration on the calling thread. */",
    "static void tf_serial_for(tf_body *body, const void *context, int64_t n, size_t arena_bytes) {",
    "    void *arena = arena_bytes == 0 ? NULL : aligned_alloc(64, (arena_bytes + 63) / 64 * 64);",
    "    if (arena_bytes == 0 || arena != NULL) body(context, 0, n, arena);",
    "    else tf_out_of_memory = 1;",
    "    free(arena);",
    "}",
    "",
    "/* Runs the kernel on a pool, or on the calling thread where that is NULL. */",
    `int tf_launch_${name}(const ${name}_args *args, tf_parallel_for *parallel_for) {`,
    "    tf_out_of_memory = 0;",
    `    const int status = ${name}(args, parallel_for != NULL ? parallel_for : tf_serial_for);`,
    "    return tf_out_of_memory ? 1 : status;",
    "}",
    "",
  ].join("\n");
}
