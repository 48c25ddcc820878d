// log and log2 in the other primitives.
//
// x = 2^k m with m in [sqrt(1/2), sqrt(2)), split by integer arithmetic on the bits; a subnormal x is scaled first. With f = m - 1 and
// s = f / (2 + f), log(1 + f) = 2 atanh(s) = f - s (f - 2 s^2 P(s^2)), P interpolated at Chebyshev nodes: the correction to f is at
// most a fifth of it, so that its rounding shows little. k ln 2 is added in two parts, the first of them exact.
// Largest error found: log 0.86 ULP, log2 1.8 ULP.

import type { Expr } from "@tilefoundry/ir";
import { bitcast, floatType, integer, literal, op, polynomial, type Bind, type FloatType } from "./steps.ts";

interface Constants {
  readonly integer: "i32" | "i64";
  readonly mantissaBits: bigint;
  /** Added to an integer in the bits of a float, it makes that float `magic` plus the integer. */
  readonly magicBits: bigint;
  readonly magic: number;
  /** The least normal number, and by what a subnormal one is made normal. */
  readonly leastNormal: number;
  readonly scaleBits: number;
  /** The bits of sqrt(1/2). */
  readonly rootBits: bigint;
  readonly ln2High: number;
  readonly ln2Low: number;
  /** Coefficients of P, lowest first. */
  readonly p: readonly number[];
}

const F32: Constants = {
  integer: "i32",
  mantissaBits: 23n,
  magicBits: 0x4b400000n,
  magic: 12582912,
  leastNormal: 2 ** -126,
  scaleBits: 24,
  rootBits: 0x3f3504f3n,
  ln2High: 0.693359375,
  ln2Low: Math.LN2 - 0.693359375,
  p: [0.3333333432674408, 0.2000006139278412, 0.14275410771369934, 0.11665233969688416],
};

const F64: Constants = {
  integer: "i64",
  mantissaBits: 52n,
  magicBits: 0x4338000000000000n,
  magic: 6755399441055744,
  leastNormal: 2 ** -1022,
  scaleBits: 53,
  rootBits: 0x3fe6a09e667f3bcdn,
  ln2High: 0.6931471803691238,
  ln2Low: 1.9082149292705877e-10,
  p: [
    0.3333333333333333, 0.2000000000000044, 0.14285714285401807, 0.11111111195856958, 0.09090897820066453, 0.07693119851407329,
    0.06634386569328443, 0.06543313073920051,
  ],
};

const constantsOf = ({ dtype }: FloatType): Constants => (dtype === "f64" ? F64 : F32);

/** The natural logarithm; -inf of 0, NaN of what is negative. */
export function expandLog(argument: Expr, bind: Bind): Expr {
  const type = floatType(argument);
  const c = constantsOf(type);
  const x = bind("x", argument);
  const { k, f, product } = split(x, c, bind);
  const low = op("sub", product, op("mul", k, literal(type, c.ln2Low)));
  return atEnds(x, op("add", op("mul", k, literal(type, c.ln2High)), op("sub", f, low)));
}

/** The logarithm to base 2; exact for powers of two. */
export function expandLog2(argument: Expr, bind: Bind): Expr {
  const type = floatType(argument);
  const x = bind("x", argument);
  const { k, f, product } = split(x, constantsOf(type), bind);
  return atEnds(x, op("add", k, op("mul", op("sub", f, product), literal(type, Math.LOG2E))));
}

interface Split {
  readonly k: Expr;
  readonly f: Expr;
  /** What f exceeds log(1 + f) by. */
  readonly product: Expr;
}

function split(x: Expr, c: Constants, bind: Bind): Split {
  const type = floatType(x);
  const whole = (value: bigint): Expr => integer(type, c.integer, value);
  const isSmall = op("lt", x, literal(type, c.leastNormal));
  const normal = bind("x", op("select", isSmall, op("mul", x, literal(type, 2 ** c.scaleBits)), x));
  const bits = bind("b", bitcast(normal, c.integer));
  const exponent = bind("e", op("shr", op("sub", bits, whole(c.rootBits)), whole(c.mantissaBits)));
  const m = bitcast(op("sub", bits, op("shl", exponent, whole(c.mantissaBits))), type.dtype);
  const f = bind("f", op("sub", m, literal(type, 1)));
  const counted = bind("n", op("sub", bitcast(op("add", exponent, whole(c.magicBits)), type.dtype), literal(type, c.magic)));
  const k = bind("k", op("select", isSmall, op("sub", counted, literal(type, c.scaleBits)), counted));
  const s = bind("s", op("div", f, op("add", f, literal(type, 2))));
  const z = bind("z", op("mul", s, s));
  const inner = op("mul", op("add", z, z), polynomial(c.p.map((p) => literal(type, p)), z));
  return { k, f, product: bind("c", op("mul", s, op("sub", f, inner))) };
}

/** What the split cannot say: 0, infinity, NaN and what is negative. */
function atEnds(x: Expr, value: Expr): Expr {
  const type = floatType(x);
  const zero = literal(type, 0);
  const positive = op("select", op("lt", x, literal(type, Infinity)), value, x); // infinity and NaN stay
  const rest = op("select", op("eq", x, zero), literal(type, -Infinity), op("select", op("lt", x, zero), literal(type, NaN), x));
  return op("select", op("gt", x, zero), positive, rest);
}
