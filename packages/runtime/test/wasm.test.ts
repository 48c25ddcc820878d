import {
  add, allocTensor, assign, cast, constant, dimVar, DTYPE_NAMES, evaluate, forLoop, INDEX, indexConst, load, makeFunction, makeModule, mul, prim, scalarType, seq, store, tensorType,
  tileType, variable, type DType, type FunctionNode,
} from "@tilefoundry/ir";
import { TARGETS, type Artifact } from "@tilefoundry/targets";
import { describe, expect, test } from "vitest";
import { array } from "./arrays.ts";
import { loadWasm, NdArray, type Runnable } from "../src/index.ts";
import { sharedMemory } from "../src/memory.ts";

/** y = x + x over a symbolic extent. */
function doubled(): FunctionNode {
  const n = variable("N", INDEX);
  const type = tensorType([dimVar(n)], "f32");
  const [x, y, i, v] = [variable("x", type), variable("y", type), variable("i", INDEX), variable("v", scalarType("f32"))];
  const body = seq([
    forLoop({ loopVar: i, stop: n, body: seq([assign(v, load(x, [i])), evaluate(store(y, [i], add(v, v)))]) }),
  ]);
  return makeFunction({
    name: "doubled", func: "prim", body, symbols: [{ var: n, lo: 0, hi: 2 ** 31 }],
    params: [{ var: x, direction: "in" }, { var: y, direction: "out" }],
  });
}

/** Writes only the first element. */
function first(): FunctionNode {
  const y = variable("y", tensorType([3], "i32"));
  const body = seq([evaluate(store(y, [indexConst(0)], constant(7n, scalarType("i32"))))]);
  return makeFunction({ name: "first", func: "prim", body, params: [{ var: y, direction: "out" }] });
}

/** Through an arena buffer of N elements. */
function squared(): FunctionNode {
  const n = variable("N", INDEX);
  const N = dimVar(n);
  const type = tensorType([N], "f32");
  const [x, y, i, j] = [variable("x", type), variable("y", type), variable("i", INDEX), variable("j", INDEX)];
  const tile = tileType([N], "f32");
  const held = variable("held", tile);
  const body = seq([
    assign(held, prim("alloc_tensor", [], { ...allocTensor(tile).attrs, offset: 64 })),
    forLoop({ loopVar: i, stop: n, body: seq([evaluate(store(held, [i], mul(load(x, [i]), load(x, [i]))))]) }),
    forLoop({ loopVar: j, stop: n, body: seq([evaluate(store(y, [j], load(held, [j])))]) }),
  ]);
  return makeFunction({
    name: "squared", func: "prim", body, symbols: [{ var: n, lo: 0, hi: 2 ** 40 }],
    params: [{ var: x, direction: "in" }, { var: y, direction: "out" }],
  });
}

const artifactOf = (fn: FunctionNode): Artifact => TARGETS.wasm.emit(makeModule("m", [fn]), fn).value;

function runnable(fn: FunctionNode): Runnable {
  const { value } = loadWasm(artifactOf(fn));
  if (value === undefined) throw new Error("not loaded");
  return value;
}

test("an Out array is made in the shape that the other arguments give", () => {
  const { value, diagnostics } = runnable(doubled()).call({ x: array([1, 2, 3.5]) });
  expect(diagnostics).toEqual([]);
  expect(value?.["y"]?.toNested()).toEqual([2, 4, 7]);
});

test("an array of the library is written in place", () => {
  const y = NdArray.zeros([2], "f32");
  const { value } = runnable(doubled()).call({ x: [1, 2] }, { y });
  expect(value?.["y"]).toBe(y);
  expect(y.toNested()).toEqual([2, 4]);
});

test("typed arrays outside the memory are copied in and out", () => {
  const [x, y] = [Float32Array.of(1, 2), new Float32Array(2)];
  const { value } = runnable(doubled()).call({ x }, { y });
  expect([...y]).toEqual([2, 4]);
  expect(value?.["y"]).toBeInstanceOf(NdArray);
  expect(value?.["y"]?.data).toBe(y);
});

test("what a kernel does not write keeps the caller's elements", () => {
  const outside = Int32Array.of(1, 2, 3);
  runnable(first()).call({}, { y: outside });
  expect([...outside]).toEqual([7, 2, 3]);
  expect(runnable(first()).call({}).value?.["y"]?.toNested()).toEqual([7, 0, 0]);
});

test("empty arrays run", () => {
  expect(runnable(doubled()).call({ x: new Float32Array(0) }).value?.["y"]?.shape).toEqual([0]);
});

test("a call gives back the blocks it took, for its arena and its copies", () => {
  const run = runnable(squared());
  const x = Float32Array.from({ length: 1000 }, (_, i) => i);
  const y = new Float32Array(1000);
  const used = sharedMemory().used;
  for (let i = 0; i < 3; i++) run.call({ x }, { y });
  expect(sharedMemory().used).toBe(used);
  expect(y[31]).toBe(961);
});

test("an arena larger than the memory makes it grow, and data is found again", () => {
  const n = sharedMemory().memory.buffer.byteLength / 4;
  const x = NdArray.from([n], "f32", (i) => i % 7);
  const y = runnable(squared()).call({ x }).value?.["y"];
  expect([...(y?.data.subarray(0, 7) ?? [])]).toEqual([0, 1, 4, 9, 16, 25, 36]);
  x.free();
  y?.free();
});

const SCALARS: Readonly<Record<DType, readonly [number | bigint | boolean, unknown]>> = {
  f32: [0.1, Math.fround(0.1)], f64: [0.1, 0.1], i32: [-(2 ** 31), -(2 ** 31)], u32: [2 ** 32 - 1, 2 ** 32 - 1], u8: [255, 255],
  i8: [-128, -128], i16: [-32768, -32768], u16: [65535, 65535], u64: [2n ** 64n - 1n, 2n ** 64n - 1n],
  bool: [true, true], i64: [-(2n ** 63n), -(2n ** 63n)], index: [2 ** 40, 2n ** 40n],
};

test.each(DTYPE_NAMES)("a scalar of %s arrives as it was given", (dtype) => {
  const [s, y] = [variable("s", scalarType(dtype)), variable("y", tensorType([], dtype))];
  const fn = makeFunction({
    name: "copy", func: "prim", body: seq([evaluate(store(y, [], cast(s, dtype)))]), params: [{ var: s, direction: "in" }, { var: y, direction: "out" }],
  });
  const [given, expected] = SCALARS[dtype];
  expect(runnable(fn).call({ s: given }).value?.["y"]?.toNested()).toEqual(expected);
});

describe("what cannot be run is named", () => {
  const bad = (contents: string | Uint8Array): Artifact => ({ ...artifactOf(first()), files: [{ name: "first.wasm", contents }] });
  const code = (artifact: Artifact): readonly string[] => loadWasm(artifact).diagnostics.map((d) => d.code);

  test("an artifact without a module, a module that is none, and one without the entry", () => {
    expect(code(bad("text"))).toEqual(["TF6050"]);
    expect(code(bad(Uint8Array.of(1, 2, 3)))).toEqual(["TF6050"]);
    expect(code({ ...artifactOf(first()), entry: "other" })).toEqual(["TF6050"]);
  });

  test("arrays that do not fit, the largest first", () => {
    const artifact = artifactOf(first());
    const large: Artifact = { ...artifact, arena: [{ name: "huge", offset: 0, shape: [2 ** 31, 4], dtype: "f64" }] };
    const { value, diagnostics } = loadWasm(large).value?.call({}) ?? {};
    expect(value).toBeUndefined();
    expect(diagnostics?.map((d) => d.code)).toEqual(["TF6052"]);
    expect(diagnostics?.[0]?.message).toContain("`huge` (65536 MiB), `y` (1 MiB)");
  });

  test("a module that traps", () => {
    // (module (import "env" "memory" (memory 0)) (func (export "first") (param i32 i32) unreachable))
    const trap = Uint8Array.from([
      0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 2, 127, 127, 0, 2, 15, 1, 3, 101, 110, 118, 6, 109, 101, 109, 111, 114, 121, 2, 0, 0, 3, 2, 1, 0,
      7, 9, 1, 5, 102, 105, 114, 115, 116, 0, 0, 10, 5, 1, 3, 0, 0, 11,
    ]);
    expect(loadWasm(bad(trap)).value?.call({}).diagnostics.map((d) => d.code)).toEqual(["TF6051"]);
  });
});
