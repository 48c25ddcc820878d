// What is emitted for random placed functions computes, bit for bit, what the interpreter computes.

import { interpret } from "@tilefoundry/interp";
import { DTYPES, signatureOf, verify } from "@tilefoundry/ir";
import { builtinOps } from "@tilefoundry/ops";
import { callWith, findCompiler, loadCpu, loadWasm, NdArray, type ArgumentValues, type CallResult, type Runnable } from "@tilefoundry/runtime";
import { TARGETS, type TargetName } from "@tilefoundry/targets";
import { renderDiagnostics, type Outcome } from "@tilefoundry/text";
import { expect, test } from "vitest";
import { BUFFER_DTYPES, LENGTH, placedProgram, type Random } from "./placed-programs.ts";

const PROGRAMS = 120;

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
    const small = random(100) - (DTYPES[dtype].kind === "uint" ? 0 : 50);
    if (dtype === "bool") return random(2) === 0;
    return DTYPES[dtype].bits === 64 && dtype !== "f64" ? BigInt(small) : dtype === "f32" || dtype === "f64" ? small / 4 : small;
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

const seeds = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1);

test("WebAssembly computes what the interpreter computes", () => {
  const breaches = seeds(PROGRAMS).flatMap((seed) => {
    const found = difference(interpreted(seed), taken(load("wasm", seed).call(inputs(seed))));
    return found === undefined ? [] : [`program ${seed}: ${found}`];
  });
  expect(breaches).toEqual([]);
});

test.skipIf(findCompiler() === undefined)("C computes what the interpreter computes [needs a C compiler]", () => {
  const breaches = seeds(6).flatMap((seed) => {
    const found = difference(interpreted(seed), taken(load("cpu", seed).call(inputs(seed))));
    return found === undefined ? [] : [`program ${seed}: ${found}`];
  });
  expect(breaches).toEqual([]);
});
