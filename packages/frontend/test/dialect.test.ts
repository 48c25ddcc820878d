// Literals, operators and conversions in the dialect that the decorator decides. Left of the arrow an expression of the scalars
// `n` (i32), `a` (f32), the symbol `M` and the tensor `x`; right of it the canonical text of what it becomes.

import { describe, expect, it } from "vitest";
import { pl, tf } from "./read.ts";
import { body } from "./shown.ts";

const PYPTO = [
  ["5", "5"],
  ["0.5", "0.5"],
  ["n + 1", "T.cast(n, \"index\") + 1"],
  ["1 - n", "1 - T.cast(n, \"index\")"],
  ["n < M", "T.cast(n, \"index\") < M"],
  ["n + pl.const(1, pl.INT32)", "n + T.const(1, \"i32\")"],
  ["M / 2", "T.cast(T.cast(M, \"f64\") / T.cast(2, \"f64\"), \"index\")"],
  ["n / n", "T.cast(T.cast(n, \"f32\") / T.cast(n, \"f32\"), \"i32\")"],
  ["a / 3.0", "a / 3.0"],
  ["a * pl.const(2, pl.FP64)", "T.cast(a, \"f64\") * T.const(2.0, \"f64\")"],
  ["pl.max(n, M)", "T.max(T.cast(n, \"index\"), M)"],
  ["pl.cast(a, pl.INT32)", "T.cast(a, \"i32\", mode=\"round\")"],
  ["pl.cast(a, pl.INT32, mode=\"trunc\")", "T.cast(a, \"i32\")"],
  ["pl.cast(n, pl.FP32)", "T.cast(n, \"f32\")"],
  ["tf.cast(a, \"i32\")", "T.cast(a, \"i32\")"],
  ["n > n or not a < a", "n > n or not a < a"],
  ["n << n", "n << n"],
  ["-n + ~n", "-n + ~n"],
  ["x + 1", "pl.add(x, 1.0)"],
  ["2.5 * x", "pl.mul(2.5, x)"],
  ["-x", "pl.neg(x)"],
  ["x * a", "pl.mul(x, a)"],
  ["x[0, M - 1] + a", "pl.read(x, [0, M - 1]) + a"],
  ["x[n, 0]", "pl.read(x, [T.cast(n, \"index\"), 0])"],
  ["min(a, 1.0, a)", "T.min(T.min(a, 1.0), a)"],
  ["ceildiv(M, 4)", "(M + 3) // 4"],
  ["T.inf", "T.inf"],
  ["-T.inf", "-T.inf"],
] as const;

const TILEFOUNDRY = [
  ["M + 1", "M + 1"],
  ["a * 0.5", "a * 0.5"],
  ["T.cast(a, \"f64\") * 0.1", "T.cast(a, \"f64\") * T.const(0.1, \"f64\")"],
  ["n + T.const(1, \"i32\")", "n + T.const(1, \"i32\")"],
  ["n // n % n", "n // n % n"],
  ["T.max(a, 0.0)", "T.max(a, 0.0)"],
  ["T.select(a > 0.0, a, -1.0)", "T.select(a > 0.0, a, -1.0)"],
  ["x * 2.0 + 0.5", "tf.add(tf.mul(x, 2.0), 0.5)"],
  ["x[0, 0]", "pl.read(x, (0, 0))"],
  ["T.add(1, 2)", "T.add(1, 2)"],
  ["T.not_(True)", "T.not_(True)"],
  ["T.neg(1.0)", "T.neg(1.0)"],
  ["True and a > a", "True and a > a"],
] as const;

/** Computed at compile time, by Python's rules, in both dialects. */
const COMPUTED = [
  ["7 / 2", "3.5"],
  ["-7 // 2", "-4"],
  ["-7 % 3", "2"],
  ["7 % -3", "-2"],
  ["2 ** 10", "1024"],
  ["2 ** -1", "0.5"],
  ["1 << 40", "1099511627776"],
  ["(2 ** 70 + 1) // 2 ** 69", "2"],
  ["1.0 / SIZES[1]", "0.015625"],
  ["len(SIZES) + max(SIZES)", "66"],
  ["3 < 4", "True"],
  ["True + True", "2"],
  ["0.1 + 0.2 == 0.3", "False"],
  ["-0.0", "-0.0"],
  ["7.5 // 2", "3.0"],
  ["-7.5 % 2", "0.5"],
  ["round(2.5) + round(3.5)", "6"],
  ["ceildiv(7, 2) + int(3.9) + abs(-2)", "9"],
  ["1 if SIZES[0] else 2", "1"],
  ["10 ** 30 / 10 ** 29", "10.0"],
  ["not 0", "True"],
  ["5 and 6", "6"],
  ["\"a\" in (\"a\", \"b\")", "True"],
  ["sum([1, 2, 3]) * 1.5", "9.0"],
] as const;

const value = (text: string): string => body(text).replace(/^b = /, "");

describe("PyPTO's dialect", () => {
  for (const [expression, meaning] of PYPTO) it(`${expression} → ${meaning}`, () => expect(value(pl(`b = ${expression}`))).toBe(meaning));
});

describe("TileFoundry's dialect", () => {
  for (const [expression, meaning] of TILEFOUNDRY) it(`${expression} → ${meaning}`, () => expect(value(tf(`b = ${expression}`))).toBe(meaning));
});

describe("what is known at compile time", () => {
  for (const [expression, meaning] of COMPUTED) {
    it(`${expression} → ${meaning}`, () => {
      expect(value(`SIZES = (1, 64)\n${tf(`b = ${expression}`)}`)).toBe(meaning);
      expect(value(`SIZES = (1, 64)\n${pl(`b = ${expression}`)}`)).toBe(meaning);
    });
  }
});
