import { describe, expect, it } from "vitest";
import { CAST_MODES, DTYPES, type CastMode, type DType } from "@tilefoundry/ir";
import { canonical, combineFunction, hasScalarFunction, identityOf, LIMITS, reduceLanes, scalarFunction, type Scalar, type ScalarPrim } from "@tilefoundry/ops/evaluate";
import { exactOf, FORMATS, plus, rounded, times } from "./exact.ts";

let state = 2024;
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

// — integers, against bigints —

const INTEGERS = ["i32", "u32", "u8", "i64", "index"] as const satisfies readonly DType[];
type Integer = (typeof INTEGERS)[number];

const wrap = (x: bigint, dtype: Integer): bigint => {
  const { kind, bits } = DTYPES[dtype];
  return kind === "uint" ? BigInt.asUintN(bits, x) : BigInt.asIntN(bits, x);
};

function edges(dtype: Integer): readonly bigint[] {
  const { bits } = DTYPES[dtype];
  const powers = [0, 1, 2, 7, 8, 31, 32, 52, 53, 63].filter((p) => p <= bits).map((p) => 2n ** BigInt(p));
  return [...new Set([0n, 3n, 5n, ...powers.flatMap((p) => [p - 1n, p, p + 1n])].flatMap((x) => [wrap(x, dtype), wrap(-x, dtype)]))];
}

const integerValues = (dtype: Integer): readonly bigint[] => {
  const { bits } = DTYPES[dtype];
  const randoms = Array.from({ length: 40 }, () => wrap(BigInt(Math.floor(random() * 2 ** 32)) * BigInt(Math.floor(random() * 2 ** Math.min(32, bits))) - 2n ** 62n, dtype));
  return [...edges(dtype), ...randoms];
};

const floorDiv = (a: bigint, b: bigint): bigint => (b === 0n ? 0n : a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n));
const floorMod = (a: bigint, b: bigint): bigint => (b === 0n ? a : a - b * floorDiv(a, b));
const amount = (b: bigint, dtype: Integer): bigint => BigInt.asUintN(32, b) % BigInt(DTYPES[dtype].bits);

type Law = (a: bigint, b: bigint, dtype: Integer) => bigint | boolean;
const LAWS: Readonly<Partial<Record<ScalarPrim, Law>>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  floordiv: floorDiv,
  mod: floorMod,
  bitand: (a, b) => a & b,
  bitor: (a, b) => a | b,
  bitxor: (a, b) => a ^ b,
  shl: (a, b, d) => a << amount(b, d),
  shr: (a, b, d) => a >> amount(b, d),
  max: (a, b) => (a > b ? a : b),
  min: (a, b) => (a < b ? a : b),
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  neg: (a) => -a,
  abs: (a) => (a < 0n ? -a : a),
  invert: (a) => ~a,
};

const expected = (x: bigint | boolean, dtype: Integer): Scalar => (typeof x === "boolean" ? x : canonical(wrap(x, dtype)));

describe.each(INTEGERS)("%s", (dtype) => {
  const values = integerValues(dtype);

  it.each(Object.entries(LAWS))("%s wraps and has one form for each value", (op, law) => {
    const compute = scalarFunction(op as ScalarPrim, dtype); // a key of the laws
    for (const a of values) {
      for (const b of values) {
        const actual = compute(canonical(a), canonical(b));
        if (!Object.is(actual, expected(law(a, b, dtype), dtype))) expect.fail(`${op}(${a}, ${b}) gave ${String(actual)}, not ${String(expected(law(a, b, dtype), dtype))}`);
      }
    }
  });

  it("mad wraps", () => {
    const mad = scalarFunction("mad", dtype);
    for (const a of values.slice(0, 30)) for (const b of values.slice(0, 30)) expect(mad(canonical(a), canonical(b), 7)).toBe(expected(a * b + 7n, dtype));
  });

  it.each(INTEGERS)("casts to %s by keeping the low bits", (to) => {
    const cast = scalarFunction("cast", dtype, { dtype: to });
    for (const a of values) expect(cast(canonical(a))).toBe(expected(a, to));
  });

  it.each(["f32", "f64"] as const)("casts to %s with one rounding", (to) => {
    const cast = scalarFunction("cast", dtype, { dtype: to });
    for (const a of values) expect(cast(canonical(a))).toBe(rounded({ significand: a, exponent: 0 }, FORMATS[to]));
  });
});

// — floats, against exact arithmetic —

const SPECIAL = [0, -0, 1, -1, Infinity, -Infinity, NaN];

function randomFloat(dtype: "f32" | "f64"): number {
  const range = dtype === "f32" ? 60 : 500;
  const x = (random() - 0.5) * 2 ** (random() * range - range / 2);
  return dtype === "f32" ? Math.fround(x) : x;
}

/** Operands whose product nearly meets the third one, where a second rounding would show. */
function nearTie(dtype: "f32" | "f64"): readonly [number, number, number] {
  const hold = dtype === "f32" ? Math.fround : (x: number): number => x;
  const [a, b] = [hold(1 + random()), hold(1 + random())];
  const c = hold(-a * b * (1 + (random() < 0.5 ? 0 : 2 ** -(FORMATS[dtype].digits + Math.floor(random() * 4)))));
  return random() < 0.5 ? [a, b, c] : [a, hold(b * 2 ** -(FORMATS[dtype].digits - 1)), hold(-c)];
}

describe.each(["f32", "f64"] as const)("%s", (dtype) => {
  const format = FORMATS[dtype];

  it("rounds sums, differences and products once", () => {
    for (let i = 0; i < 2000; i++) {
      const [a, b] = [randomFloat(dtype), randomFloat(dtype)];
      expect(scalarFunction("add", dtype)(a, b)).toBe(rounded(plus(exactOf(a), exactOf(b)), format));
      expect(scalarFunction("sub", dtype)(a, b)).toBe(rounded(plus(exactOf(a), exactOf(-b)), format));
      expect(scalarFunction("mul", dtype)(a, b) as number + 0).toBe(rounded(times(exactOf(a), exactOf(b)), format) + 0);
    }
  });

  it("rounds a fused multiply-add once", () => {
    const fma = scalarFunction("fma", dtype);
    for (let i = 0; i < 4000; i++) {
      const [a, b, c] = i % 2 === 0 ? nearTie(dtype) : [randomFloat(dtype), randomFloat(dtype), randomFloat(dtype)];
      const actual = fma(a, b, c);
      const exact = rounded(plus(times(exactOf(a), exactOf(b)), exactOf(c)), format);
      if (actual !== exact) expect.fail(`fma(${a}, ${b}, ${c}) gave ${String(actual)}, not ${exact}`);
    }
  });

  it("fuses at the edges: zeros, infinities, NaN, underflow, overflow", () => {
    const fma = scalarFunction("fma", dtype);
    const tiny = dtype === "f32" ? 2 ** -149 : Number.MIN_VALUE;
    const large = format.most;
    expect(fma(0, 1, -0)).toBe(0);
    expect(fma(-0, 1, -0)).toBe(-0);
    expect(fma(Infinity, 0, 1)).toBeNaN();
    expect(fma(Infinity, 1, -Infinity)).toBeNaN();
    expect(fma(1, 1, -1)).toBe(0);
    expect(fma(tiny, 0.25, tiny)).toBe(tiny);
    expect(fma(tiny, 0.75, tiny)).toBe(tiny * 2);
    expect(fma(-tiny, 0.25, 0)).toBe(-0);
    expect(fma(large, 2, -large)).toBe(large);
    expect(fma(large, 2, 0)).toBe(Infinity);
  });

  it("mad rounds twice", () => {
    const [mad, mul, add] = [scalarFunction("mad", dtype), scalarFunction("mul", dtype), scalarFunction("add", dtype)];
    for (let i = 0; i < 500; i++) {
      const [a, b, c] = nearTie(dtype);
      expect(mad(a, b, c)).toBe(add(mul(a, b), c));
    }
  });

  it("max and min take NaN from either side and order the zeros", () => {
    const [max, min] = [scalarFunction("max", dtype), scalarFunction("min", dtype)];
    for (const x of SPECIAL) {
      expect(max(x, NaN)).toBeNaN();
      expect(min(NaN, x)).toBeNaN();
    }
    expect([max(-0, 0), max(0, -0), min(-0, 0), min(0, -0)]).toEqual([0, 0, -0, -0]);
  });

  it("no order holds of NaN, and it differs from itself", () => {
    for (const op of ["lt", "le", "gt", "ge", "eq"] as const) expect(scalarFunction(op, dtype)(NaN, NaN)).toBe(false);
    expect(scalarFunction("ne", dtype)(NaN, NaN)).toBe(true);
    expect(scalarFunction("eq", dtype)(0, -0)).toBe(true);
  });

  it("neg and abs touch only the sign", () => {
    expect(scalarFunction("neg", dtype)(0)).toBe(-0);
    expect(scalarFunction("abs", dtype)(-0)).toBe(0);
  });

  it("rint takes ties to even and keeps zeros, infinities and NaN", () => {
    const rint = scalarFunction("rint", dtype);
    const cases = [[0.5, 0], [1.5, 2], [2.5, 2], [-0.5, -0], [-1.5, -2], [0.49999997, 0], [8388607.5, 8388608], [-0, -0], [Infinity, Infinity], [NaN, NaN]] as const;
    for (const [x, y] of cases) expect(rint(x)).toBe(y);
  });
});

// — conversions from floats —

const ROUNDED: Readonly<Record<CastMode, readonly number[]>> = {
  //        2.5 -2.5 3.5 0.5 -0.5 0.49999999999999994 2.75 -2.25
  trunc: [2, -2, 3, 0, 0, 0, 2, -2],
  floor: [2, -3, 3, 0, -1, 0, 2, -3],
  ceil: [3, -2, 4, 1, 0, 1, 3, -2],
  rint: [2, -2, 4, 0, 0, 0, 3, -2],
  round: [3, -3, 4, 1, -1, 0, 3, -2],
};

describe("a cast from a float", () => {
  it.each(CAST_MODES)("rounds by mode %s", (mode) => {
    const values = [2.5, -2.5, 3.5, 0.5, -0.5, 0.49999999999999994, 2.75, -2.25];
    for (const dtype of ["i32", "i64"] as const) {
      expect(values.map((x) => scalarFunction("cast", "f64", { dtype, mode })(x))).toEqual(ROUNDED[mode]);
    }
  });

  it.each(INTEGERS)("to %s clamps, and turns NaN into 0", (dtype) => {
    const cast = scalarFunction("cast", "f64", { dtype });
    const [least, most] = LIMITS[dtype];
    for (const x of [Infinity, 1e30, 2 ** 63]) expect(cast(x)).toBe(most);
    for (const x of [-Infinity, -1e30]) expect(cast(x)).toBe(least);
    expect(cast(NaN)).toBe(0);
    expect(cast(-0)).toBe(0);
    expect(cast(-0.5)).toBe(0);
  });

  it("to a 64-bit integer keeps every digit", () => {
    expect(scalarFunction("cast", "f64", { dtype: "i64" })(2 ** 62)).toBe(2n ** 62n);
    expect(scalarFunction("cast", "f64", { dtype: "index" })(-(2 ** 63))).toBe(-(2n ** 63n));
    expect(scalarFunction("cast", "f64", { dtype: "i64" })(2 ** 53)).toBe(2n ** 53n);
  });

  it("to bool is a test for 0, and from bool gives 0 and 1", () => {
    const toBool = scalarFunction("cast", "f32", { dtype: "bool" });
    expect([0, -0, 1e-40, NaN].map((x) => toBool(x))).toEqual([false, false, true, true]);
    for (const dtype of ["f32", "i32", "i64", "u8"] as const) expect([true, false].map((x) => scalarFunction("cast", "bool", { dtype })(x))).toEqual([1, 0]);
  });

  it("from f64 to f32 rounds to nearest", () => {
    const cast = scalarFunction("cast", "f64", { dtype: "f32" });
    expect([0.1, 1e300, -1e-300, NaN].map((x) => cast(x))).toEqual([Math.fround(0.1), Infinity, -0, NaN]);
  });
});

describe("a bitcast", () => {
  it("there and back is the identity", () => {
    const PAIRS = [["f32", "i32"], ["f32", "u32"], ["f64", "i64"], ["i32", "u32"], ["i64", "index"]] as const;
    for (const [a, b] of PAIRS) {
      const [to, back] = [scalarFunction("bitcast", a, { dtype: b }), scalarFunction("bitcast", b, { dtype: a })];
      for (const x of [0, 1, 2, 3, 1000]) expect(back(to(x))).toBe(x);
    }
  });

  it("gives the bits of the format", () => {
    expect(scalarFunction("bitcast", "f32", { dtype: "i32" })(1)).toBe(0x3f800000);
    expect(scalarFunction("bitcast", "f32", { dtype: "u32" })(-0)).toBe(0x80000000);
    expect(scalarFunction("bitcast", "f64", { dtype: "i64" })(-2)).toBe(-4611686018427387904n);
    expect(scalarFunction("bitcast", "i32", { dtype: "f32" })(0x7f800000)).toBe(Infinity);
  });
});

describe("reductions", () => {
  const KINDS = ["add", "mul", "max", "min"] as const;
  it.each(KINDS)("%s starts from its identity", (kind) => {
    for (const dtype of ["f32", "f64", "i32", "u32", "u8", "i64"] as const) {
      const combine = combineFunction(kind, dtype);
      for (const x of [0, 1, 100]) expect(combine(identityOf(kind, dtype), x)).toBe(x);
    }
  });

  it("lanes combine pairwise, halves first", () => {
    const sum = reduceLanes("add", "f32");
    const big = 2 ** 24;
    expect(sum([big, 1, -big, 1])).toBe(2); // (big - big) + (1 + 1)
    expect(sum([big, -big, 1, 1])).toBe(1); // (big + 1) + (-big + 1): the first sum rounds, the second does not
  });

  it("bool lanes combine with and and or", () => {
    expect([reduceLanes("and", "bool")([true, false]), reduceLanes("or", "bool")([true, false])]).toEqual([false, true]);
  });
});

it("has a function for each primitive that a dtype admits", () => {
  expect(hasScalarFunction("div", "i32")).toBe(false);
  expect(hasScalarFunction("floordiv", "f32")).toBe(false);
  expect(hasScalarFunction("add", "bool")).toBe(false);
  expect(hasScalarFunction("cast", "bool")).toBe(true);
});
