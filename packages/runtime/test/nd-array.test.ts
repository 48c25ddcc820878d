import { inspect } from "node:util";
import { DTYPE_NAMES } from "@tilefoundry/ir";
import { describe, expect, test } from "vitest";
import { array } from "./arrays.ts";
import { makeArray, NdArray } from "../src/index.ts";
import { sharedMemory } from "../src/memory.ts";

test.each(DTYPE_NAMES)("an array of %s has the shape, strides and typed array of its dtype", (dtype) => {
  const made = NdArray.zeros([2, 3], dtype);
  expect([made.shape, made.strides, made.dtype, made.size]).toEqual([[2, 3], [3, 1], dtype, 6]);
  expect(made.data).toHaveLength(6);
  expect([...made.data].every((x) => Number(x) === 0)).toBe(true);
});

test("memory that is used again is zeroed", () => {
  const first = NdArray.from([16], "f32", () => 7);
  first.free();
  expect([...NdArray.zeros([16], "f32").data]).toEqual(Array<number>(16).fill(0));
});

test("data is renewed when the memory has grown", () => {
  const kept = array([1, 2, 3]);
  const before = kept.data;
  const large = NdArray.zeros([sharedMemory().memory.buffer.byteLength], "u8");
  expect(before).toHaveLength(0);
  expect([...kept.data]).toEqual([1, 2, 3]);
  large.free();
});

test("a freed array is empty, gives its memory back once, and may be freed again", () => {
  const used = sharedMemory().used;
  const made = NdArray.zeros([1000], "f64");
  expect(sharedMemory().used).toBeGreaterThan(used);
  made.free();
  made.free();
  expect(sharedMemory().used).toBe(used);
  expect(made.data).toHaveLength(0);
});

test("an array wrapped around a typed array shares its elements; a copy does not", () => {
  const data = Float32Array.of(1, 2);
  const wrapped = NdArray.wrap(data, [2], "f32");
  const copied = wrapped.copy();
  data[0] = 9;
  expect([...wrapped.data]).toEqual([9, 2]);
  expect([...copied.data]).toEqual([1, 2]);
});

describe("array()", () => {
  test("takes nested lists, typed arrays and numbers", () => {
    expect(array([[1, 2, 3], [4, 5, 6]]).shape).toEqual([2, 3]);
    expect(array([[1, 2, 3], [4, 5, 6]]).toNested()).toEqual([[1, 2, 3], [4, 5, 6]]);
    expect(array(Int32Array.of(1, 2, 3, 4), { shape: [2, 2] }).toNested()).toEqual([[1, 2], [3, 4]]);
    expect(array(5).shape).toEqual([]);
    expect(array([true, false]).dtype).toBe("bool");
    expect(array([1n, 2]).dtype).toBe("i64");
    expect(array([[], []], { dtype: "i32" }).shape).toEqual([2, 0]);
    expect(array([[1, 0]], { dtype: "bool" }).toNested()).toEqual([[true, false]]);
  });

  test("are shown by dtype, shape and first elements", () => {
    expect(inspect(array([[0.1, 2, 3, 4], [5, 6, 7, NaN]]))).toBe("NdArray f32[2, 4] { 0.1, 2, 3, 4, 5, 6, … }");
    expect(inspect([array([1n])])).toBe("[ NdArray i64[1] { 1 } ]");
    expect(inspect(array([], { dtype: "bool" }))).toBe("NdArray bool[0] {  }");
  });

  const FAULTS = [
    ["TF3103", [1], { dtype: "float32" as never }, '"float32" is no dtype'],
    ["TF3103", [1], { dtype: "constructor" as never }, '"constructor" is no dtype'],
    ["TF6040", Float32Array.of(1), { dtype: "i32" }, "holds Float32Array, but i32 is needed"],
    ["TF6041", Float32Array.of(1, 2, 3), { shape: [2, 2] }, "has 3 elements, but shape (2, 2) takes 4"],
    ["TF6042", Float32Array.of(1, 2), { shape: [-2] }, "has an extent of -2"],
    ["TF6042", [1, 2], { shape: [-1, -2] }, "has an extent of -1"],
    ["TF6043", [[1, 2], [3]], {}, "is ragged"],
    ["TF6043", [[1, 2], 3], {}, "is ragged"],
    ["TF6044", [1, 2.5], { dtype: "i32" }, "element 1 of the array, 2.5, is no integer"],
    ["TF6044", [1, 256], { dtype: "u8" }, "element 1 of the array, 256, is outside u8"],
    ["TF6044", [1, true], {}, "element 1 of the array, true, is no number"],
  ] as const;

  test.each(FAULTS)("%s: of %j with %j %s", (code, data, options, message) => {
    const { value, diagnostics } = makeArray(data, options);
    expect(value).toBeUndefined();
    expect(diagnostics.map((d) => d.code)).toEqual([code]);
    expect(diagnostics[0]?.message).toContain(message);
    expect(() => array(data, options)).toThrow(code);
  });
});
