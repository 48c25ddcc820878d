import { constant, scalarType, vecType, type Const } from "@tilefoundry/ir";
import { printExpr } from "@tilefoundry/syntax";
import { expect, test } from "vitest";
import { constantExpr, floatDigits } from "../../src/to-surface/constants.ts";

const text = (c: Const): string => printExpr(constantExpr(c));
const f32 = scalarType("f32");
const f64 = scalarType("f64");

test.each([
  ["5", constant(5n, scalarType("index"))],
  ["-5", constant(-5n, scalarType("index"))],
  ["-9223372036854775808", constant(-(2n ** 63n), scalarType("index"))],
  ["0.1", constant(0.1, f32)],
  ["16777216.0", constant(16777216, f32)],
  ["1e-6", constant(1e-6, f32)],
  ["3.4028235e38", constant(3.4028234663852886e38, f32)],
  ["1e-45", constant(1.401298464324817e-45, f32)],
  ["-0.0", constant(-0, f32)],
  ["T.inf", constant(Infinity, f32)],
  ["-T.inf", constant(-Infinity, f32)],
  ["T.nan", constant(NaN, f32)],
  ["True", constant(true, scalarType("bool"))],
  ['T.const(5, "i32")', constant(5n, scalarType("i32"))],
  ['T.const(-5, "i64")', constant(-5n, scalarType("i64"))],
  ['T.const(0.1, "f64")', constant(0.1, f64)],
  ['T.const(0.10000000149011612, "f64")', constant(Math.fround(0.1), f64)],
  ['T.const(-T.inf, "f64")', constant(-Infinity, f64)],
  ['T.const(1.0, "f32", lanes=4)', constant(1, vecType("f32", 4))],
  ['T.const(False, "bool", lanes=8)', constant(false, vecType("bool", 8))],
])("%s", (expected, c) => expect(text(c)).toBe(expected));

test("the digits of a float read back to it, and no fewer would", () => {
  const bits = new Uint32Array(1);
  const floats = new Float32Array(bits.buffer);
  for (let n = 0; n < 20_000; n++) {
    bits[0] = Math.imul(n + 1, 0x9e3779b1);
    const value = floats[0] ?? 0;
    if (!Number.isFinite(value)) continue;
    const digits = floatDigits(value, Math.fround);
    expect(Math.fround(Number(digits))).toBe(value);
    expect(digits).toMatch(/[.e]/);
    const significant = digits.replace(/e.*|[-.]/g, "").replace(/^0+|0+$/g, "").length;
    if (significant > 1) expect(Math.fround(Number(value.toPrecision(significant - 1)))).not.toBe(value);
  }
});
