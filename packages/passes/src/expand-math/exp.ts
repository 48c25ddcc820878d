// exp, exp2 and exp - 1 in the other primitives, without fma, so that every target computes the same bits.
//
// Range reduction after Cody and Waite: x = n ln 2 + r with n the nearest integer, |r| <= ln 2 / 2, ln 2 split in two so that n * high is
// exact. n comes from adding and subtracting 1.5 * 2^(p-1), which leaves it in the low bits of the sum too. exp(r) = 1 + r + r^2 q(r)
// with q interpolated at Chebyshev nodes. 2^n is two factors, so that results in the subnormal range are rounded once.
// For 2^x the reduction x = n + r is exact, and 2^r = 1 + r q2(r).
// Largest error found: exp 0.96 ULP (f32), 1.0 ULP (f64); exp2 1.1 ULP.

import { constant, withDType, type Const, type Expr, type ScalarType, type VecType } from "@tilefoundry/ir";
import { bitcast, floatType, op, polynomial, type Bind, type FloatType } from "./steps.ts";

interface Constants {
  /** Integer type as wide as the float. */
  readonly integer: "i32" | "i64";
  readonly mantissaBits: bigint;
  readonly bias: bigint;
  /** Adding it rounds to an integer. */
  readonly magic: number;
  readonly magicBits: bigint;
  /** Below it exp is 0, above `most` it is infinite. */
  readonly least: number;
  readonly most: number;
  /** The same of exp2. */
  readonly least2: number;
  readonly most2: number;
  /** Below it exp - 1 is -1. */
  readonly leastM1: number;
  readonly ln2High: number;
  readonly ln2Low: number;
  /** Coefficients of q, lowest first. */
  readonly q: readonly number[];
  readonly q2: readonly number[];
}

const F32: Constants = {
  integer: "i32",
  mantissaBits: 23n,
  bias: 127n,
  magic: 12582912,
  magicBits: 0x4b400000n,
  least: -104.5,
  most: 89,
  least2: -151,
  most2: 129,
  leastM1: -20,
  ln2High: 0.693359375,
  ln2Low: Math.LN2 - 0.693359375,
  q: [0.5, 0.1666666716337204, 0.041666463017463684, 0.00833331048488617, 0.0013933751033619046, 0.00019891103147529066],
  q2: [0.6931471824645996, 0.24022650718688965, 0.05550410971045494, 0.009618056938052177, 0.0013333501992747188, 0.00015461444854736328, 0.00001529732435301412],
};

const F64: Constants = {
  integer: "i64",
  mantissaBits: 52n,
  bias: 1023n,
  magic: 6755399441055744,
  magicBits: 0x4338000000000000n,
  least: -746,
  most: 710,
  least2: -1076,
  most2: 1025,
  leastM1: -40,
  // the upper 32 bits of ln 2: times an integer of 11 bits it is exact
  ln2High: 0.6931471803691238,
  ln2Low: 1.9082149292705877e-10,
  // the Taylor coefficients 1/k!: the first one left out is below 2^-60 of the result
  q: Array.from({ length: 12 }, (_, i) => 1 / factorial(i + 2)),
  q2: [
    0.6931471805599453, 0.24022650695910072, 0.05550410866482158, 0.009618129107628484, 0.0013333558146428445, 0.00015403530393362755, 0.000015252733804051129,
    0.0000013215486815999978, 1.0178086021185474e-7, 7.054894386348348e-9, 4.4455303091051067e-10, 2.5733568308756892e-11, 1.3716962392737587e-12,
  ],
};

function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1);
}

/** The literals of the expansions, of one register type. */
interface Literals {
  readonly least: Const;
  readonly most: Const;
  readonly least2: Const;
  readonly most2: Const;
  readonly leastM1: Const;
  readonly log2e: Const;
  readonly magic: Const;
  readonly ln2High: Const;
  readonly ln2Low: Const;
  readonly q: readonly Const[];
  readonly q2: readonly Const[];
  readonly one: Const;
  readonly magicBits: Const;
  readonly oneBit: Const;
  readonly bias: Const;
  readonly mantissaBits: Const;
}

/** Types are interned: the literals of each are made once. */
const LITERALS = new Map<ScalarType | VecType, Literals>();

function literalsOf(type: FloatType): Literals {
  const known = LITERALS.get(type);
  if (known !== undefined) return known;
  const c = constantsOf(type);
  const float = (v: number): Const => constant(v, type);
  const integer = (v: bigint): Const => constant(v, withDType(type, c.integer));
  const made = {
    least: float(c.least), most: float(c.most), least2: float(c.least2), most2: float(c.most2), leastM1: float(c.leastM1),
    log2e: float(Math.LOG2E), magic: float(c.magic), ln2High: float(c.ln2High), ln2Low: float(c.ln2Low),
    q: c.q.map(float), q2: c.q2.map(float), one: float(1),
    magicBits: integer(c.magicBits), oneBit: integer(1n), bias: integer(c.bias), mantissaBits: integer(c.mantissaBits),
  };
  LITERALS.set(type, made);
  return made;
}

const constantsOf = ({ dtype }: FloatType): Constants => (dtype === "f64" ? F64 : F32);

/** exp(x) for a float scalar or vector. NaN stays NaN: no comparison holds for it, and it survives every product. */
export function expandExp(argument: Expr, bind: Bind): Expr {
  const type = floatType(argument);
  const c = literalsOf(type);
  const x = clamped(argument, c.least, c.most, bind);
  const { rounded, r } = reduced(x, c, bind);
  const y = bind("y", op("add", op("add", op("mul", polynomial(c.q, r), op("mul", r, r)), r), c.one));
  return scaled(y, rounded, c, type, bind);
}

/** 2^x; exact where x is an integer. */
export function expandExp2(argument: Expr, bind: Bind): Expr {
  const type = floatType(argument);
  const c = literalsOf(type);
  const x = clamped(argument, c.least2, c.most2, bind);
  const rounded = bind("t", op("add", x, c.magic));
  const r = bind("r", op("sub", x, op("sub", rounded, c.magic)));
  const y = bind("y", op("add", op("mul", polynomial(c.q2, r), r), c.one));
  return scaled(y, rounded, c, type, bind);
}

/** exp(x) - 1 for x <= 0, with the relative error of few ULP near 0 too: 2^n (exp(r) - 1) + (2^n - 1). */
export function expM1(argument: Expr, bind: Bind): Expr {
  const type = floatType(argument);
  const c = literalsOf(type);
  const given = bind("x", argument);
  const x = bind("x", op("select", op("lt", given, c.leastM1), c.leastM1, given));
  const { rounded, r } = reduced(x, c, bind);
  const y = bind("y", op("add", op("mul", polynomial(c.q, r), op("mul", r, r)), r));
  const power = bind("p", powerOfTwo(exponentOf(rounded, c, type), c, type));
  return op("add", op("mul", y, power), op("sub", power, c.one));
}

function clamped(argument: Expr, least: Expr, most: Expr, bind: Bind): Expr {
  const given = bind("x", argument);
  const below = bind("x", op("select", op("gt", given, most), most, given));
  return bind("x", op("select", op("lt", below, least), least, below));
}

/** x = n ln 2 + r; n is what the magic number leaves in the low bits of `rounded`. */
function reduced(x: Expr, c: Literals, bind: Bind): { readonly rounded: Expr; readonly r: Expr } {
  const rounded = bind("t", op("add", op("mul", x, c.log2e), c.magic));
  const n = bind("n", op("sub", rounded, c.magic));
  return { rounded, r: bind("r", op("sub", op("sub", x, op("mul", n, c.ln2High)), op("mul", n, c.ln2Low))) };
}

/** y * 2^n in two steps. */
function scaled(y: Expr, rounded: Expr, c: Literals, type: FloatType, bind: Bind): Expr {
  const n = bind("k", exponentOf(rounded, c, type));
  const half = bind("h", op("shr", n, c.oneBit));
  return op("mul", op("mul", y, powerOfTwo(half, c, type)), powerOfTwo(op("sub", n, half), c, type));
}

const exponentOf = (rounded: Expr, c: Literals, type: FloatType): Expr => op("sub", bitcast(rounded, constantsOf(type).integer), c.magicBits);

/** 2^n for an n in the range of normal exponents. */
const powerOfTwo = (n: Expr, c: Literals, type: FloatType): Expr => bitcast(op("shl", op("add", n, c.bias), c.mantissaBits), type.dtype);
