// exp in the other primitives, without fma, so that every target computes the same bits.
//
// Range reduction after Cody and Waite: x = n ln 2 + r with n the nearest integer, |r| <= ln 2 / 2, ln 2 split in two so that n * high is
// exact. n comes from adding and subtracting 1.5 * 2^(p-1), which leaves it in the low bits of the sum too. exp(r) = 1 + r + r^2 q(r)
// with q interpolated at Chebyshev nodes. 2^n is two factors, so that results in the subnormal range are rounded once.
// Largest error found: 0.96 ULP (f32), 1.0 ULP (f64).

import { constant, prim, withDType, type Const, type Expr, type PrimOp, type ScalarType, type VecType } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";

interface Constants {
  /** Integer type as wide as the float. */
  readonly integer: "i32" | "i64";
  readonly mantissaBits: bigint;
  readonly bias: bigint;
  /** Adding it rounds to an integer. */
  readonly magic: number;
  readonly magicBits: bigint;
  /** Below it the result is 0, above `most` it is infinite. */
  readonly least: number;
  readonly most: number;
  readonly ln2High: number;
  readonly ln2Low: number;
  /** Coefficients of q, lowest first. */
  readonly q: readonly number[];
}

const F32: Constants = {
  integer: "i32",
  mantissaBits: 23n,
  bias: 127n,
  magic: 12582912,
  magicBits: 0x4b400000n,
  least: -104.5,
  most: 89,
  ln2High: 0.693359375,
  ln2Low: Math.LN2 - 0.693359375,
  q: [0.5, 0.1666666716337204, 0.041666463017463684, 0.00833331048488617, 0.0013933751033619046, 0.00019891103147529066],
};

const F64: Constants = {
  integer: "i64",
  mantissaBits: 52n,
  bias: 1023n,
  magic: 6755399441055744,
  magicBits: 0x4338000000000000n,
  least: -746,
  most: 710,
  // the upper 32 bits of ln 2: times an integer of 11 bits it is exact
  ln2High: 0.6931471803691238,
  ln2Low: 1.9082149292705877e-10,
  // the Taylor coefficients 1/k!: the first one left out is below 2^-60 of the result
  q: Array.from({ length: 12 }, (_, i) => 1 / factorial(i + 2)),
};

function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1);
}

/** The literals of an expansion, of one register type. */
interface Literals {
  readonly least: Const;
  readonly most: Const;
  readonly log2e: Const;
  readonly magic: Const;
  readonly ln2High: Const;
  readonly ln2Low: Const;
  readonly q: readonly Const[];
  readonly one: Const;
  readonly magicBits: Const;
  readonly oneBit: Const;
  readonly bias: Const;
  readonly mantissaBits: Const;
}

/** Types are interned: the literals of each are made once. */
const LITERALS = new Map<ScalarType | VecType, Literals>();

function literalsOf(type: ScalarType | VecType): Literals {
  const known = LITERALS.get(type);
  if (known !== undefined) return known;
  const c = constantsOf(type);
  const float = (v: number): Const => constant(v, type);
  const integer = (v: bigint): Const => constant(v, withDType(type, c.integer));
  const made = {
    least: float(c.least), most: float(c.most), log2e: float(Math.LOG2E), magic: float(c.magic), ln2High: float(c.ln2High), ln2Low: float(c.ln2Low),
    q: c.q.map(float), one: float(1),
    magicBits: integer(c.magicBits), oneBit: integer(1n), bias: integer(c.bias), mantissaBits: integer(c.mantissaBits),
  };
  LITERALS.set(type, made);
  return made;
}

const constantsOf = ({ dtype }: ScalarType | VecType): Constants => (dtype === "f64" ? F64 : F32);

/** Gives an expression a name, so that it is computed once; or gives it back where no statement can stand. */
export type Bind = (hint: string, value: Expr) => Expr;

/** exp(x) for a float scalar or vector. NaN stays NaN: no comparison holds for it, and it survives every product. */
export function expandExp(argument: Expr, bind: Bind): Expr {
  const { type } = argument;
  invariant(type.kind === "Scalar" || type.kind === "Vec", () => `exp of ${type.kind}`);
  const c = literalsOf(type);
  const given = bind("x", argument);
  const below = bind("x", op("select", op("gt", given, c.most), c.most, given));
  const x = bind("x", op("select", op("lt", below, c.least), c.least, below));
  const rounded = bind("t", op("add", op("mul", x, c.log2e), c.magic));
  const n = bind("n", op("sub", rounded, c.magic));
  const r = bind("r", op("sub", op("sub", x, op("mul", n, c.ln2High)), op("mul", n, c.ln2Low)));
  const y = bind("y", op("add", op("add", op("mul", polynomial(c.q, r), op("mul", r, r)), r), c.one));
  return scaled(y, rounded, c, type, bind);
}

/** Horner's rule. */
function polynomial(coefficients: readonly Expr[], r: Expr): Expr {
  return coefficients.reduceRight((sum, coefficient) => op("add", op("mul", sum, r), coefficient));
}

/** y * 2^n in two steps; n is what the magic number left in the low bits of `rounded`. */
function scaled(y: Expr, rounded: Expr, c: Literals, type: ScalarType | VecType, bind: Bind): Expr {
  const { integer } = constantsOf(type);
  const n = bind("k", op("sub", prim("bitcast", [rounded], { dtype: integer }), c.magicBits));
  const half = bind("h", op("shr", n, c.oneBit));
  const power = (e: Expr): Expr => prim("bitcast", [op("shl", op("add", e, c.bias), c.mantissaBits)], { dtype: type.dtype });
  return op("mul", op("mul", y, power(half)), power(op("sub", n, half)));
}

const op = (name: PrimOp, ...args: readonly Expr[]): Expr => prim(name, args);
