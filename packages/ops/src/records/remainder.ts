// The remainder of truncated division. Of floats the quotient is rounded, so it may come out one too large; then the remainder has the
// wrong sign, and gets one divisor back. Each step is exact while the quotient is a whole number that the dtype holds.

import { isFloat, numberConst, prim, type DType, type Expr } from "@tilefoundry/ir";
import type { Bind } from "../define.ts";
import { NUMBERS } from "../example.ts";
import { binary, pair, SCRATCH } from "./elementwise.ts";

function floatRemainder(dividend: Expr, divisor: Expr, bind: Bind, dtype: DType): Expr {
  const [a, b] = [bind("dividend", dividend), bind("divisor", divisor)];
  const constant = (value: number): Expr => numberConst(value, dtype);
  const ratio = bind("ratio", prim("div", [a, b]));
  const whole = prim("select", [prim("lt", [ratio, constant(0)]), prim("ceil", [ratio]), prim("floor", [ratio])]);
  const rest = bind("rest", prim("fma", [prim("neg", [whole]), b, a]));
  const size = bind("size", prim("abs", [b]));
  const negative = prim("lt", [a, constant(0)]);
  const wrong = prim("and", [prim("ne", [rest, constant(0)]), prim("ne", [prim("lt", [rest, constant(0)]), negative])]);
  const back = prim("add", [rest, prim("select", [negative, prim("neg", [size]), size])]);
  const remainder = bind("remainder", prim("select", [wrong, back, rest]));
  const signed = prim("select", [prim("eq", [remainder, constant(0)]), prim("mul", [a, constant(0)]), remainder]);
  const isWithin = prim("and", [prim("eq", [size, constant(Infinity)]), prim("lt", [prim("abs", [a]), constant(Infinity)])]);
  return prim("select", [isWithin, a, signed]);
}

/** From the flooring remainder: one divisor less where the signs differ and something is left. */
function wholeRemainder(dividend: Expr, divisor: Expr, bind: Bind, dtype: DType): Expr {
  const [a, b] = [bind("dividend", dividend), bind("divisor", divisor)];
  const zero = numberConst(0, dtype);
  const rest = bind("rest", prim("mod", [a, b]));
  const differ = prim("ne", [prim("lt", [a, zero]), prim("lt", [b, zero])]);
  return prim("select", [prim("and", [prim("ne", [rest, zero]), differ]), prim("sub", [rest, b]), rest]);
}

export const fmodOp = binary({
  name: "fmod",
  doc:
    "The remainder of truncated division, with the dividend's sign; of integers the dividend where the divisor is 0, of floats NaN there. " +
    "Of floats a - trunc(a / b) * b, rounded once: exact while the quotient is below 2^24 in f32, 2^53 in f64.",
  pl: ["fmod", "fmods", "rem", "rems"],
  tf: [],
  dtypes: NUMBERS,
  ignored: { tmp: SCRATCH },
  of: (a, b, bind, dtype) => (isFloat(dtype) ? floatRemainder : wholeRemainder)(a, b, bind, dtype),
  examples: [
    pair("has the dividend's sign", "i32", [7, -7, 7, -7, 6], [3, 3, -3, -3, 3], [1, -1, 1, -1, 0]),
    pair("of integers by zero", "i64", [5, -5, 0], [0, 0, 0], [5, -5, 0]),
    pair("the least integer by -1", "i32", [-2147483648], [-1], [0]),
    pair("of floats", "f32", [5.5, -5.5, 5.5, -4], [2, 2, -2, 2], [1.5, -1.5, 1.5, -0]),
    pair("a quotient that rounds up", "f64", [0.9, -0.9], [0.1, 0.1], [0.09999999999999998, -0.09999999999999998]),
    pair("of floats by zero and infinity", "f64", [1, 1, Infinity, -0], [0, Infinity, 2, 3], [NaN, 1, NaN, -0]),
  ],
});
