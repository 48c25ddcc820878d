// Every primitive on every dtype it admits, as scalars and as vectors, bit for bit what evaluation says.

import {
  assign, DTYPE_NAMES, evaluate, forLoop, INDEX, indexConst, load, prim, REDUCE_KINDS, reduceLanes, seq, splat, store, tensorType, variable, vecType,
  type DType, type FunctionNode, type Param, type Stmt, type Var,
} from "@tilefoundry/ir";
import { reduceLanes as evaluateReduction, scalarFunction, type Scalar } from "@tilefoundry/ops/evaluate";
import { describe, expect, test } from "vitest";
import { SCALARS } from "../src/wasm/scalars.ts";
import type { Row, Uniform } from "../src/wasm/uniform.ts";
import { emitted, kernel, machine, wasmBytes } from "./kernels.ts";
import { casesOf, generator, operandValues, type Case } from "./prim-cases.ts";

const LANES = [1, 2, 4, 8, 16] as const;
/** All pairs of edges and random operands for scalars and whole vectors; the other lengths differ in where lanes lie. */
const roundsOf = (lanes: number): number => (lanes === 1 || lanes === 4 ? 1024 : 256);

const buffer = (name: string, dtype: DType, size: number): Var => variable(name, tensorType([size], dtype));
const reads = (v: Var): Param => ({ var: v, direction: "in" });
const writes = (v: Var): Param => ({ var: v, direction: "out" });

/** out[i] = op(x[i], …) for all rounds. */
function applied({ op, attrs, operands, result }: Case, lanes: number): FunctionNode {
  const rounds = roundsOf(lanes);
  const inputs = operands.map((d, k) => buffer(`x${k}`, d, rounds));
  const out = buffer("out", result, rounds);
  const i = variable("i", INDEX);
  const value = prim(op, inputs.map((b) => load(b, [i], { lanes })), attrs);
  const body = [forLoop({ loopVar: i, stop: indexConst(rounds), step: indexConst(lanes), body: seq([evaluate(store(out, [i], value))]) })];
  return kernel("applied", [...inputs.map(reads), writes(out)], body);
}

function difference(c: Case, lanes: number): string | undefined {
  const artifact = emitted(applied(c, lanes));
  const rounds = roundsOf(lanes);
  const m = machine(2);
  const values = c.operands.map((d, k) => operandValues(d, 3, rounds, 17).map((v) => v[k] ?? 0));
  const addresses = values.map((column, k) => m.place(c.operands[k] ?? "f32", column));
  const out = m.place(c.result, Array<number>(rounds).fill(0));
  m.run(wasmBytes(artifact), "applied", [...addresses, out, 0]);
  const actual = m.read(out, c.result, rounds);
  const f = scalarFunction(c.op, c.operands.at(-1) ?? "f32", c.attrs);
  for (let i = 0; i < rounds; i++) {
    const [a = 0, b, d] = values.map((column) => column[i] ?? 0);
    const expected = f(a, b, d);
    if (!Object.is(actual[i], expected)) {
      return `${c.op} ${JSON.stringify(c.attrs)} of ${String(a)}, ${String(b)}, ${String(d)} is ${String(actual[i])}, not ${String(expected)}`;
    }
  }
  return undefined;
}

describe.each(LANES)("with %i lanes", (lanes) => {
  test.each(DTYPE_NAMES)("primitives of %s are what evaluation says", (dtype) => {
    expect(casesOf(dtype, lanes).flatMap((c) => difference(c, lanes) ?? [])).toEqual([]);
  });
});

describe.each(LANES.slice(1))("vectors of %i lanes", (lanes) => {
  test.each(DTYPE_NAMES)("reductions, lanes and splats of %s are what evaluation says", (dtype) => {
    const kinds = REDUCE_KINDS.filter((k) => (k === "and" || k === "or") === (dtype === "bool"));
    const x = buffer("x", dtype, lanes);
    const v = variable("v", vecType(dtype, lanes));
    const outs = [...kinds.map((k) => buffer(`out_${k}`, dtype, 1)), buffer("last", dtype, 1), buffer("spread", dtype, lanes)];
    const [last, spread] = outs.slice(-2) as [Var, Var];
    const zero = indexConst(0);
    const stores: Stmt[] = kinds.map((k, at) => evaluate(store(outs[at] as Var, [zero], reduceLanes(k, v))));
    const fn = kernel("folded", [reads(x), ...outs.map(writes)], [
      assign(v, load(x, [zero], { lanes })),
      ...stores,
      evaluate(store(last, [zero], prim("lane", [v], { index: lanes - 1 }))),
      evaluate(store(spread, [zero], splat(prim("lane", [v], { index: 1 }), lanes))),
    ]);
    const artifact = emitted(fn);
    const rounds = operandValues(dtype, 1, 40 * lanes, 5).map(([value = 0]) => value);
    for (let at = 0; at < rounds.length; at += lanes) {
      const values = rounds.slice(at, at + lanes);
      const m = machine(1);
      const input = m.place(dtype, values);
      const places = outs.map((_, k) => m.place(dtype, Array<number>(k === outs.length - 1 ? lanes : 1).fill(0)));
      m.run(wasmBytes(artifact), "folded", [input, ...places, 0]);
      const found = kinds.map((_, k) => m.read(places[k] ?? 0, dtype, 1)[0]);
      expect(found).toEqual(kinds.map((k) => evaluateReduction(k, dtype)(values)));
      expect(m.read(places.at(-2) ?? 0, dtype, 1)).toEqual([values[lanes - 1]]);
      expect(m.read(places.at(-1) ?? 0, dtype, lanes)).toEqual(Array<Scalar | undefined>(lanes).fill(values[1]));
    }
  });

  test.each(DTYPE_NAMES)("masked loads and stores of %s touch nothing else", (dtype) => {
    const [x, mask, out] = [buffer("x", dtype, lanes), buffer("mask", "bool", lanes), buffer("out", dtype, lanes)];
    const m0 = variable("m", vecType("bool", lanes));
    const copied = buffer("copied", dtype, lanes);
    const zero = indexConst(0);
    const fn = kernel("masked", [reads(x), reads(mask), writes(out), writes(copied)], [
      assign(m0, load(mask, [zero], { lanes })),
      evaluate(store(copied, [zero], load(x, [zero], { lanes, mask: m0 }))),
      evaluate(store(out, [zero], load(x, [zero], { lanes }), m0)),
    ]);
    const bytes = wasmBytes(emitted(fn));
    const random = generator(3);
    for (let round = 0; round < 12; round++) {
      const bits = Array.from({ length: lanes }, () => round === 0 || (round > 1 && random() < 0.5));
      const values = operandValues(dtype, 1, 300 + lanes, round).slice(300).map(([v = 0]) => v);
      const before = operandValues(dtype, 1, 300 + lanes, round + 100).slice(300).map(([v = 0]) => v);
      const m = machine(1);
      const places = [m.place(dtype, values), m.place("bool", bits), m.place(dtype, before), m.place(dtype, before)];
      m.run(bytes, "masked", [...places, 0]);
      expect(m.read(places[2] ?? 0, dtype, lanes)).toEqual(before.map((b, i) => (bits[i] ? values[i] : b)));
      expect(m.read(places[3] ?? 0, dtype, lanes)).toEqual(values.map((v, i) => (bits[i] ? v : dtype === "bool" ? false : 0)));
    }
  });
});

test("a lane that is masked off is not accessed: it may lie outside the memory", () => {
  const lanes = 4;
  const x = buffer("x", "f32", 8);
  const flags = buffer("flags", "bool", lanes);
  const fn = kernel("edge", [reads(x), reads(flags)], [
    evaluate(store(x, [indexConst(0)], load(x, [indexConst(4)], { lanes, mask: load(flags, [indexConst(0)], { lanes }) }), load(flags, [indexConst(0)], { lanes }))),
  ]);
  const m = machine(1);
  const flagged = m.place("bool", [true, true, false, false]);
  // the third element from the fourth on lies past the end
  expect(() => m.run(wasmBytes(emitted(fn)), "edge", [65536 - 24, flagged, 0])).not.toThrow();
});

describe("a wrong row of a table is noticed", () => {
  const BROKEN = [
    ["max as min", "f32", "max", "f32.min"], ["mul as sub", "i32", "mul", "i32.sub"], ["or as and", "bool", "or", "i32.and"],
    ["an arithmetic shift of unsigned", "u32", "shr", "i32.shr_s"], ["rint as floor", "f64", "rint", "f64.floor"],
  ] as const;

  test.each(BROKEN)("%s", (_title, dtype, op, wrong) => {
    const table = SCALARS[dtype] as { -readonly [K in Uniform]: Row }; // broken on purpose, and mended below
    const [right, found] = [table[op], casesOf(dtype, 1).find((c) => c.op === op)];
    table[op] = wrong;
    expect(found && difference(found, 1)).toBeDefined();
    table[op] = right;
    expect(found && difference(found, 1)).toBeUndefined();
  });
});
