// What scalar and vector expressions mean: every rule of the language's arithmetic, and fast code against the exact functions.

import { cast, constant, MATH_PRIMS, prim, reduceLanes, splat, vecType, boolConst, indexConst, numberConst, REDUCE_KINDS, type DType, type PrimOp } from "@tilefoundry/ir";
import { canonical, hasScalarFunction, scalarFunction, type Scalar, type ScalarPrim } from "@tilefoundry/ops/evaluate";
import { describe, expect, test } from "vitest";
import { FAST_PAIRS } from "../src/arithmetic.ts";
import { f32, i32, literal, valueOf } from "./running.ts";

const on = (op: PrimOp, dtype: DType, ...operands: readonly Scalar[]): Scalar => {
  const value = valueOf(prim(op, operands.map((x) => literal(x, dtype))));
  if (typeof value === "object") throw new Error("no scalar");
  return value;
};

const LEAST64 = -(2n ** 63n);

describe("integers", () => {
  test.each([
    [-7, 3, -3, 2],
    [7, 3, 2, 1],
    [7, -3, -3, -2],
    [-7, -3, 2, -1],
    [6, -3, -2, 0],
    [5, 0, 0, 5],
    [-5, 0, 0, -5],
    [0, 0, 0, 0],
  ])("%i // %i is %i and the remainder %i: division floors, by zero it is 0", (a, b, quotient, remainder) => {
    for (const dtype of ["i32", "i64", "index"] as const) {
      expect(on("floordiv", dtype, a, b)).toBe(quotient);
      expect(on("mod", dtype, a, b)).toBe(remainder);
    }
  });

  test("the least integer divided by -1 wraps", () => {
    expect(on("floordiv", "i32", -2147483648, -1)).toBe(-2147483648);
    expect(on("mod", "i32", -2147483648, -1)).toBe(0);
    expect(on("floordiv", "i64", LEAST64, -1)).toBe(LEAST64);
    expect(on("mod", "i64", LEAST64, -1)).toBe(0);
  });

  test.each([
    ["i32", 2147483647, 1, -2147483648],
    ["u32", 4294967295, 1, 0],
    ["u8", 255, 1, 0],
    ["i64", 2n ** 63n - 1n, 1, LEAST64],
    ["i64", 2n ** 53n - 1n, 1, 2n ** 53n],
    ["index", 2n ** 53n, -1, 2 ** 53 - 1],
  ] as const)("%s wraps: %s + %s is %s, in its canonical form", (dtype, a, b, sum) => {
    expect(on("add", dtype, a, b)).toBe(sum);
  });

  test("products of large integers are exact", () => {
    expect(on("mul", "i64", 3037000499, 3037000499)).toBe(3037000499n * 3037000499n);
    expect(on("mul", "i64", 2n ** 62n, 2)).toBe(LEAST64);
    expect(on("mul", "i64", 0, -5)).toBe(0);
    expect(on("mul", "i32", 65537, 65537)).toBe(131073);
  });

  test("shift amounts are taken modulo the width; >> is arithmetic on signed, logical on unsigned", () => {
    expect(on("shl", "i32", 1, 33)).toBe(2);
    expect(on("shr", "i32", -8, 1)).toBe(-4);
    expect(on("shr", "u32", 4294967288, 1)).toBe(2147483644);
    expect(on("shl", "i64", 1, 63)).toBe(LEAST64);
  });

  test("comparisons of numbers and of bigger integers are exact", () => {
    expect(on("lt", "i64", 2n ** 53n, 2n ** 53n + 1n)).toBe(true);
    expect(on("eq", "i64", 2n ** 60n, 2n ** 60n)).toBe(true);
    expect(on("ge", "i64", 5, 2n ** 60n)).toBe(false);
    expect(on("ne", "u32", 4294967295, 0)).toBe(true);
  });
});

describe("floats", () => {
  test("f32 rounds after every operation", () => {
    expect(on("add", "f32", 16777216, 1)).toBe(16777216);
    expect(on("mul", "f32", 0.1, 0.1)).toBe(Math.fround(Math.fround(0.1) * Math.fround(0.1)));
    expect(on("div", "f32", 1, 3)).toBe(Math.fround(1 / 3));
    expect(on("sqrt", "f32", 2)).toBe(Math.fround(Math.SQRT2));
  });

  test("max and min pass NaN on from either side, and order the zeros", () => {
    expect([on("max", "f32", NaN, 1), on("max", "f32", 1, NaN), on("min", "f64", NaN, 1), on("min", "f64", 1, NaN)]).toEqual([NaN, NaN, NaN, NaN]);
    expect([on("max", "f32", -0, 0), on("max", "f32", 0, -0), on("min", "f32", 0, -0)]).toEqual([0, 0, -0]);
  });

  test("nothing is simplified: x - x is NaN for infinity, 0 * NaN is NaN", () => {
    expect([on("sub", "f32", Infinity, Infinity), on("mul", "f64", 0, NaN), on("eq", "f32", NaN, NaN)]).toEqual([NaN, NaN, false]);
  });

  test("mad rounds twice, fma once", () => {
    const [a, c] = [1 + 2 ** -23, -(1 + 2 ** -22)];
    expect(on("mad", "f32", a, a, c)).toBe(0);
    expect(on("fma", "f32", a, a, c)).toBe(2 ** -46);
  });

  test("casts round by their mode, clamp, and give 0 for NaN", () => {
    const value = (x: number, mode?: Parameters<typeof cast>[2]): unknown => valueOf(cast(f32(x), "i32", mode));
    expect([value(-2.5), value(-2.5, "floor"), value(-2.5, "ceil"), value(-2.5, "rint"), value(-2.5, "round")]).toEqual([-2, -3, -2, -2, -3]);
    expect([value(1e20), value(-Infinity), value(NaN), valueOf(cast(f32(-3), "u8"))]).toEqual([2147483647, -2147483648, 0, 0]);
    expect(valueOf(cast(i32(-1), "u8"))).toBe(255);
    expect(valueOf(cast(indexConst(2n ** 40n + 3n), "i32"))).toBe(3);
    expect(valueOf(cast(literal(2n ** 62n + 1n, "i64"), "f64"))).toBe(2 ** 62);
    expect(valueOf(cast(f32(0.5), "bool"))).toBe(true);
  });

  test("bits are kept by bitcast", () => {
    expect(valueOf(prim("bitcast", [f32(1)], { dtype: "i32" }))).toBe(0x3f800000);
    expect(valueOf(prim("bitcast", [literal(-1n, "i64")], { dtype: "f64" }))).toBeNaN();
  });
});

describe("logic", () => {
  test("and, or, not, select", () => {
    const [yes, no] = [boolConst(true), boolConst(false)];
    expect([prim("and", [yes, no]), prim("or", [yes, no]), prim("not", [yes])].map(valueOf)).toEqual([false, true, false]);
    expect([prim("select", [yes, f32(1), f32(2)]), prim("select", [no, i32(1), i32(2)])].map(valueOf)).toEqual([1, 2]);
    expect(valueOf(prim("select", [yes, literal(2n ** 60n, "i64"), indexConst(0)]))).toBe(2n ** 60n);
  });
});

describe("vectors", () => {
  test("work lane by lane", () => {
    expect(valueOf(prim("add", [splat(f32(1), 4), numberConst(2, "f32", 4)]))).toEqual([3, 3, 3, 3]);
    expect(valueOf(prim("lt", [splat(i32(1), 2), numberConst(2, "i32", 2)]))).toEqual([true, true]);
    expect(valueOf(prim("lane", [numberConst(7, "i32", 4)], { index: 2 }))).toBe(7);
  });

  test.each(REDUCE_KINDS)("reduce by %s", (kind) => {
    const logical = kind === "and" || kind === "or";
    const vector = logical ? constant(true, vecType("bool", 8)) : numberConst(2, "f32", 8);
    expect(valueOf(reduceLanes(kind, vector))).toBe({ add: 16, mul: 256, max: 2, min: 2, and: true, or: true }[kind]);
  });
});

/** Values of a dtype at which something happens. */
const EDGES: Readonly<Record<DType, readonly Scalar[]>> = {
  f32: [0, -0, 1, -1, 0.1, 3.4e38, 1e-45, Infinity, -Infinity, NaN, 16777216, 7].map((x) => (typeof x === "number" ? Math.fround(x) : x)),
  f64: [0, -0, 1, -1, 0.1, 1.7e308, 5e-324, Infinity, -Infinity, NaN, 2 ** 53, 7],
  i32: [0, 1, -1, 7, -7, 3, 2147483647, -2147483648, 65537, -2147483647],
  u32: [0, 1, 7, 3, 4294967295, 2147483648, 65537],
  i8: [0, 1, -1, 7, -7, 3, 127, -128],
  i16: [0, 1, -1, 7, -7, 3, 32767, -32768, 257],
  u8: [0, 1, 7, 255, 128, 200],
  u16: [0, 1, 7, 65535, 32768, 257],
  u64: [0, 1, 7, 2 ** 53 - 1, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n, 3037000500],
  bool: [false, true],
  i64: [0, 1, -1, 7, -7, 2 ** 53 - 1, -(2 ** 53 - 1), 2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n, LEAST64, 3037000499, 2n ** 62n + 1n],
  index: [0, 1, -1, 7, -7, 2 ** 53 - 1, 2n ** 53n, 2n ** 63n - 1n, LEAST64],
};

describe("fast code", () => {
  test.each(FAST_PAIRS)("$op of $dtype gives what the exact function gives, at every pair of edges", ({ op, dtype }) => {
    const exact = scalarFunction(op as ScalarPrim, dtype);
    for (const a of EDGES[dtype]) for (const b of EDGES[dtype]) expect([a, b, on(op, dtype, a, b)]).toEqual([a, b, exact(a, b)]);
  });

  test("edges are in canonical form", () => {
    for (const x of EDGES.i64) expect(typeof x === "bigint" ? canonical(x) : x).toBe(x);
  });
});

test.each(MATH_PRIMS)("the math function %s is computed", (op) => {
  for (const dtype of ["f32", "f64"] as const) if (hasScalarFunction(op, dtype)) expect(on(op, dtype, 0.5)).toBe(scalarFunction(op, dtype)(0.5));
});
