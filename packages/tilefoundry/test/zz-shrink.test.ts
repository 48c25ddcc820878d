// What is emitted for random placed functions computes, bit for bit, what the interpreter computes.

import { interpret } from "@tilefoundry/interp";
import { signatureOf, verify } from "@tilefoundry/ir";
import { builtinOps } from "@tilefoundry/ops";
import { callWith, findCompiler, loadCpu, loadWasm, NdArray, type ArgumentValues, type CallResult, type Runnable } from "@tilefoundry/runtime";
import { TARGETS, type TargetName } from "@tilefoundry/targets";
import { renderDiagnostics, type Outcome } from "@tilefoundry/text";
import { expect, test } from "vitest";
import { BUFFER_DTYPES, LENGTH, placedProgram, type Random } from "./placed-programs.ts";



function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

function inputs(seed: number): ArgumentValues {
  const random = randomFrom(seed);
  const element = (dtype: (typeof BUFFER_DTYPES)[number]): number | bigint | boolean => {
    const small = random(100) - (dtype === "u8" || dtype === "u32" ? 0 : 50);
    if (dtype === "bool") return random(2) === 0;
    return dtype === "i64" ? BigInt(small) : dtype === "f32" || dtype === "f64" ? small / 4 : small;
  };
  const arrays = BUFFER_DTYPES.map((d) => [`${d}s`, NdArray.from([LENGTH], d, () => element(d))] as const);
  return { ...Object.fromEntries(arrays), scale: 1.25, count: random(9) - 4, at: random(100) - 50 };
}

function taken({ value, diagnostics }: Outcome<CallResult | undefined>): CallResult {
  if (value === undefined) throw new Error(renderDiagnostics(diagnostics));
  return value;
}

function load(target: TargetName, seed: number): Runnable {
  const module = placedProgram(randomFrom(seed));
  const [fn] = module.functions;
  if (fn === undefined) throw new Error("no function");
  const artifact = TARGETS[target].emit(module, fn).value;
  const { value, diagnostics } = target === "wasm" ? loadWasm(artifact) : loadCpu(artifact);
  if (value === undefined) throw new Error(renderDiagnostics(diagnostics));
  return value;
}

function interpreted(seed: number): CallResult {
  const module = placedProgram(randomFrom(seed));
  const [fn] = module.functions;
  if (fn === undefined) throw new Error("no function");
  const wrong = verify(module, "placed");
  if (wrong.length > 0) throw new Error(renderDiagnostics(wrong));
  return taken(callWith(signatureOf(fn), inputs(seed), {}, (values) => interpret(module, fn, values, { ops: builtinOps }).faults));
}

function difference(expected: CallResult, actual: CallResult): string | undefined {
  for (const [name, array] of Object.entries(expected)) {
    const [a, b] = [array.data, actual[name]?.data ?? []];
    for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return `${name}[${i}] is ${String(b[i])}, not ${String(a[i])}`;
  }
  return undefined;
}


import { bodyOf, makeModule, seq, mapChildren, type ModuleNode, type Stmt, type Seq, type Expr, type Node } from "@tilefoundry/ir";
import { toSurface } from "@tilefoundry/frontend";
import { print } from "@tilefoundry/syntax";
declare const process: any;
function diffOf(module: ModuleNode, seed: number): string | undefined {
  const fn = module.functions[0]!;
  if (verify(module, "placed").length > 0) return undefined;
  try {
  const exp = taken(callWith(signatureOf(fn), inputs(seed), {}, (values) => interpret(module, fn, values, { ops: builtinOps }).faults));
  const artifact = TARGETS.wasm.emit(module, fn).value;
  const { value } = loadWasm(artifact);
  return difference(exp, taken(value!.call(inputs(seed))));
  } catch { return undefined; }
}
function* variants(node: Node): Generator<Node> {
  if (node.kind === "Seq") {
    for (let i = 0; i < node.stmts.length; i++) if (node.stmts[i]!.kind !== "Yield") yield { ...node, stmts: node.stmts.filter((_, k) => k !== i) } as Node;
    for (let i = 0; i < node.stmts.length; i++) for (const v of variants(node.stmts[i]!)) yield { ...node, stmts: node.stmts.map((s, k) => (k === i ? v : s)) } as Node;
    return;
  }
  if (node.kind === "If") {
    if (node.results.length === 0) yield node.then as any;
    for (const v of variants(node.then)) yield { ...node, then: v } as any;
    if (node.else) for (const v of variants(node.else)) yield { ...node, else: v } as any;
    for (const v of exprVariants(node.cond)) yield { ...node, cond: v } as any;
    return;
  }
  if (node.kind === "For") { for (const v of variants(node.body)) yield { ...node, body: v } as any; return; }
  if (node.kind === "While") { for (const v of variants(node.body)) yield { ...node, body: v } as any; for (const v of exprVariants(node.cond)) yield { ...node, cond: v } as any; return; }
  if (node.kind === "Assign") for (const v of exprVariants(node.value)) yield { ...node, value: v } as any;
  if (node.kind === "Eval") for (const v of exprVariants(node.expr)) yield { ...node, expr: v } as any;
  if (node.kind === "Yield") for (let i = 0; i < node.values.length; i++) for (const v of exprVariants(node.values[i]!)) yield { ...node, values: node.values.map((x, k) => (k === i ? v : x)) } as any;
}
function* exprVariants(e: Expr): Generator<Expr> {
  if (e.kind !== "Prim") return;
  for (const a of e.args) if (a.type === e.type) yield a;
  for (let i = 0; i < e.args.length; i++) for (const v of exprVariants(e.args[i]!)) yield { ...e, args: e.args.map((x, k) => (k === i ? v : x)) };
}
test("shrink", () => {
  const seed = Number(process.env["SEED"]);
  let module = placedProgram(randomFrom(seed));
  console.log(diffOf(module, seed));
  for (let again = true; again; ) {
    again = false;
    const fn = module.functions[0]!;
    for (const body of variants(fn.body as Seq)) {
      const next = makeModule("m", [{ ...fn, body: body as Seq }], fn.name);
      if (diffOf(next, seed) !== undefined) { module = next; again = true; break; }
    }
  }
  console.log(diffOf(module, seed));
  console.log(print(toSurface(module, builtinOps)));
  console.log(TARGETS.wasm.emit(module, module.functions[0]!).value.files[1]!.contents);
});
