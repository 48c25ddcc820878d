// Loops, conditionals and carries.

import {
  add, assign, constant, evaluate, forLoop, ifThen, INDEX, indexConst, iterArg, lessThan, load, minimum, mul, numberConst, prim, scalarType, seq, store, sub, tensorType, variable,
  vecType, whileLoop, yieldValues, type Expr, type FunctionNode, type Param, type Var,
} from "@tilefoundry/ir";
import { expect, test } from "vitest";
import { emitted, kernel, machine, wasmBytes, watText } from "./kernels.ts";

const ROOM = 32;
const I32 = scalarType("i32");
const array = (name: string, dtype: "index" | "i32" | "f32", size = ROOM): Var => variable(name, tensorType([size], dtype));
const reads = (v: Var): Param => ({ var: v, direction: "in" });
const writes = (v: Var): Param => ({ var: v, direction: "out" });

/** Writes the values that a loop's variable takes to `seen`, and their number to `count`. */
function counted(start: Expr, stop: Expr, step: Expr, params: readonly Param[], symbols: readonly Var[] = []): FunctionNode {
  const [seen, count] = [array("seen", "index"), array("count", "index", 1)];
  const i = variable("i", INDEX);
  const n = iterArg("n", INDEX, indexConst(0));
  const total = variable("total", INDEX);
  // far more iterations than room: the last ones are not recorded
  const at = minimum(n, indexConst(ROOM - 1));
  const body = seq([evaluate(store(seen, [at], i)), yieldValues([add(n, indexConst(1))])]);
  return kernel("counted", [...params, writes(seen), writes(count)], [
    forLoop({ loopVar: i, start, stop, step, carries: [n], body, results: [total] }),
    evaluate(store(count, [indexConst(0)], total)),
  ], symbols);
}

function visited(fn: FunctionNode, args: readonly (number | bigint)[], symbols: readonly number[] = []): readonly unknown[] {
  const m = machine();
  const [seen, count] = [m.place("index", Array<number>(ROOM).fill(0)), m.place("index", [0])];
  m.run(wasmBytes(emitted(fn)), "counted", [...args, seen, count, ...symbols, 0]);
  const [n = 0] = m.read(count, "index", 1);
  return m.read(seen, "index", Number(n));
}

function expected(start: bigint, stop: bigint, step: bigint): readonly unknown[] {
  const values: unknown[] = [];
  for (let i = start; step > 0n ? i < stop : step < 0n && i > stop; i += step) values.push(Number.isSafeInteger(Number(i)) ? Number(i) : i);
  return values;
}

const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);
const RANGES: readonly (readonly [bigint, bigint, bigint])[] = [
  [0n, 5n, 1n], [0n, 0n, 1n], [3n, 1n, 1n], [0n, 10n, 3n], [-7n, 8n, 5n], [5n, 0n, -1n], [5n, -6n, -4n], [0n, 3n, -1n], [1n, 1n, -1n],
  [2n ** 31n - 3n, 2n ** 31n - 1n, 1n], [2n ** 31n - 10n, 2n ** 31n - 1n, 4n], [-(2n ** 31n) + 9n, -(2n ** 31n), -4n], [2n ** 31n - 2n, 2n ** 31n + 2n, 1n],
  [MAX - 7n, MAX, 3n], [MIN + 7n, MIN, -3n], [MAX - 1n, MAX, MAX], [MIN, MAX, MAX], [MAX, MIN, MIN], [0n, 5n, 0n],
];
const show = (r: readonly bigint[]): string => `range(${r.join(", ")})`;

test.each(RANGES.map((r) => [show(r), r] as const))("%s with constant bounds visits what it says", (_title, [start, stop, step]) => {
  expect(visited(counted(indexConst(start), indexConst(stop), indexConst(step), []), [])).toEqual(expected(start, stop, step));
});

test.each(RANGES.map((r) => [show(r), r] as const))("%s with bounds known at run time visits what it says", (_title, [start, stop, step]) => {
  const [a, b, c] = [variable("a", INDEX), variable("b", INDEX), variable("c", INDEX)];
  const byConstant = counted(a, b, indexConst(step), [a, b].map(reads));
  expect(visited(byConstant, [start, stop])).toEqual(expected(start, stop, step));
  const byVariable = counted(a, b, c, [a, b, c].map(reads));
  expect(visited(byVariable, [start, stop, step])).toEqual(expected(start, stop, step));
});

test.each([[0, 1], [5, 1], [5, 4], [2 ** 31 - 1, 2 ** 29], [2 ** 31 - 1, 2 ** 30 - 1], [2 ** 31 - 1, 2 ** 31 - 1]] as const)("a range over an extent of %i in steps of %i visits what it says", (extent, step) => {
  const n = variable("N", INDEX);
  const rising = counted(indexConst(0), n, indexConst(step), [], [n]);
  expect(visited(rising, [], [extent])).toEqual(expected(0n, BigInt(extent), BigInt(step)));
  const falling = counted(sub(n, indexConst(1)), indexConst(-1), indexConst(-step), [], [n]);
  expect(visited(falling, [], [extent])).toEqual(expected(BigInt(extent) - 1n, -1n, BigInt(-step)));
});

test("carries change at once: a swap swaps", () => {
  const out = array("out", "i32", 2);
  const [a, b] = [iterArg("a", I32, numberConst(1, "i32")), iterArg("b", I32, numberConst(2, "i32"))];
  const [x, y] = [variable("x", I32), variable("y", I32)];
  const fn = kernel("swap", [writes(out)], [
    forLoop({ loopVar: variable("i", INDEX), stop: indexConst(3), carries: [a, b], body: seq([yieldValues([b, a])]), results: [x, y] }),
    evaluate(store(out, [indexConst(0)], x)),
    evaluate(store(out, [indexConst(1)], y)),
  ]);
  const m = machine();
  const place = m.place("i32", [0, 0]);
  m.run(wasmBytes(emitted(fn)), "swap", [place, 0]);
  expect(m.read(place, "i32", 2)).toEqual([2, 1]);
});

test("a while with carries stops when its condition fails, also before the first iteration", () => {
  const [limit, out] = [variable("limit", I32), array("out", "i32", 2)];
  const [n, steps] = [iterArg("n", I32, limit), iterArg("steps", I32, numberConst(0, "i32"))];
  const [end, total] = [variable("end", I32), variable("total", I32)];
  const one = numberConst(1, "i32");
  const odd = variable("odd", scalarType("bool"));
  const next = variable("next", I32);
  // the steps of Collatz
  const body = seq([
    assign(odd, prim("eq", [prim("mod", [n, numberConst(2, "i32")]), one])),
    ifThen(odd, seq([yieldValues([add(mul(n, numberConst(3, "i32")), one)])]), seq([yieldValues([prim("floordiv", [n, numberConst(2, "i32")])])]), [next]),
    yieldValues([next, add(steps, one)]),
  ]);
  const fn = kernel("collatz", [reads(limit), writes(out)], [
    whileLoop(lessThan(one, n), body, [n, steps], [end, total]),
    evaluate(store(out, [indexConst(0)], end)),
    evaluate(store(out, [indexConst(1)], total)),
  ]);
  const bytes = wasmBytes(emitted(fn));
  for (const [from, steps_] of [[27, 111], [1, 0], [6, 8]] as const) {
    const m = machine();
    const place = m.place("i32", [0, 0]);
    m.run(bytes, "collatz", [from, place, 0]);
    expect(m.read(place, "i32", 2)).toEqual([1, steps_]);
  }
});

test("vectors are carried through loops and chosen by ifs", () => {
  const [x, out] = [array("x", "f32"), array("out", "f32", 4)];
  const v = vecType("f32", 4);
  const acc = iterArg("acc", v, constant(0, v));
  const [i, total, part] = [variable("i", INDEX), variable("total", v), variable("part", v)];
  const body = seq([
    ifThen(lessThan(i, indexConst(8)), seq([yieldValues([load(x, [i], { lanes: 4 })])]), seq([yieldValues([constant(100, v)])]), [part]),
    yieldValues([add(acc, part)]),
  ]);
  const fn = kernel("sums", [reads(x), writes(out)], [
    forLoop({ loopVar: i, stop: indexConst(12), step: indexConst(4), carries: [acc], body, results: [total] }),
    evaluate(store(out, [indexConst(0)], total)),
  ]);
  const m = machine();
  const places = [m.place("f32", Array.from({ length: ROOM }, (_, k) => k)), m.place("f32", [0, 0, 0, 0])];
  m.run(wasmBytes(emitted(fn)), "sums", [...places, 0]);
  expect(m.read(places[1] ?? 0, "f32", 4)).toEqual([104, 106, 108, 110]);
});

test("a value read before a write is not moved behind it", () => {
  const x = array("x", "i32", 2);
  const [old, zero] = [variable("old", I32), indexConst(0)];
  const fn = kernel("exchange", [{ var: x, direction: "inout" }], [
    assign(old, load(x, [zero])),
    evaluate(store(x, [zero], load(x, [indexConst(1)]))),
    evaluate(store(x, [indexConst(1)], old)),
  ]);
  const m = machine();
  const place = m.place("i32", [1, 2]);
  m.run(wasmBytes(emitted(fn)), "exchange", [place, 0]);
  expect(m.read(place, "i32", 2)).toEqual([2, 1]);
});

test("parameters, symbols and locals keep the author's names; what the emitter adds gives way", () => {
  const n = variable("N", INDEX);
  const [x, arena, i, row] = [variable("local.get", tensorType([n === n ? 8 : 0], "f32")), variable("arena", tensorType([8], "f32")), variable("i", INDEX), variable("row", scalarType("f32"))];
  const fn = kernel("named", [reads(x), writes(arena)], [
    forLoop({ loopVar: i, stop: indexConst(8), body: seq([
      assign(row, load(x, [i])),
      evaluate(store(arena, [i], mul(row, row))),
    ]) }),
  ], [n]);
  const text = watText(emitted(fn));
  for (const name of ["$local.get", "$arena ", "$arena_ ", "$row", "$i", "$N"]) expect(text).toContain(name);
});

test("the same function gives the same text and bytes", () => {
  const make = (): FunctionNode => counted(indexConst(0), indexConst(3), indexConst(1), []);
  expect(watText(emitted(make()))).toBe(watText(emitted(make())));
  expect(wasmBytes(emitted(make()))).toEqual(wasmBytes(emitted(make())));
});
