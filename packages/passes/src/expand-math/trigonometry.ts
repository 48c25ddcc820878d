// sin and cos of f32 in the other primitives, by way of f64, which rounds almost every result correctly.
//
// Reduction after Payne and Hanek, in floats: 2/pi is a sum of chunks of 29 bits, so that the product of each with x is exact in f64.
// Of each product the multiples of 4 are dropped, exactly; what is left is split at 2^-40, so that the upper parts add up exactly and
// the lower ones nearly. All bits of 2/pi that matter for any f32 are there: the reduction is right however large x is. Of the sum,
// the nearest integer is the quadrant and the rest, times pi/2, an angle of at most pi/4.
// Largest error found: 0.500 ULP.

import type { Expr } from "@tilefoundry/ir";
import { cast, floatType, literal, op, polynomial, type Bind } from "./steps.ts";

/** 2/pi, 29 bits at a time. */
const CHUNKS = [341782637, 423170132, 352195499, 488592205, 461485765, 90590992, 478285810].map((bits, i) => bits * 2 ** (-29 * (i + 1)));

/** Adding and subtracting it rounds to a multiple of 2^-40. */
const MAGIC = 1.5 * 2 ** 12;

/** sin(y) = y + y^3 S(y^2), cos(y) = 1 + y^2 C(y^2), interpolated at Chebyshev nodes; lowest first. */
const SIN = [-0.16666666666663885, 0.008333333331079223, -0.00019841266916985966, 0.000002755599092956532, -2.4805636241834762e-8];
const COS = [-0.4999999999996389, 0.04166666663739607, -0.00138888850913992, 0.000024799862190014840, -2.7237140418016e-7];

export const expandSin = (argument: Expr, bind: Bind): Expr => circular(argument, 0, bind);
export const expandCos = (argument: Expr, bind: Bind): Expr => circular(argument, 1, bind);

/** The sine of the argument and some quarter turns. */
function circular(argument: Expr, turns: 0 | 1, bind: Bind): Expr {
  const given = bind("x", argument);
  const x = bind("x", cast(given, "f64"));
  const type = floatType(x);
  const c = (value: number): Expr => literal(type, value);
  const { quadrant, y } = reduced(x, bind);
  const z = bind("z", op("mul", y, y));
  const sine = op("add", y, op("mul", op("mul", y, z), polynomial(SIN.map(c), z)));
  const cosine = op("add", c(1), op("mul", z, polynomial(COS.map(c), z)));
  // the quadrant modulo 4 is 0 to 3, or what stands for it below 0
  const q = bind("q", op("add", quadrant, c(turns)));
  const half = bind("h", op("floor", op("mul", q, c(0.5))));
  const isOdd = op("ne", q, op("add", half, half));
  const isBelow = op("ne", half, op("mul", c(2), op("floor", op("mul", half, c(0.5)))));
  const value = bind("v", op("select", isOdd, cosine, sine));
  const result = cast(op("select", isBelow, op("neg", value), value), "f32");
  // an angle below the least normal f64 does not come, but -0 must stay
  return turns === 0 ? op("select", op("eq", given, literal(floatType(given), 0)), given, result) : result;
}

/** x = (quadrant + 4 j) pi/2 + y for some integer j. */
function reduced(x: Expr, bind: Bind): { readonly quadrant: Expr; readonly y: Expr } {
  const type = floatType(x);
  const c = (value: number): Expr => literal(type, value);
  let [upper, lower]: [Expr, Expr] = [c(0), c(0)];
  for (const chunk of CHUNKS) {
    const product = bind("p", op("mul", x, c(chunk)));
    const turns = op("rint", op("mul", product, c(0.25)));
    const rest = bind("r", op("sub", product, op("mul", turns, c(4))));
    const coarse = bind("u", op("sub", op("add", rest, c(MAGIC)), c(MAGIC)));
    upper = bind("s", op("add", upper, coarse));
    lower = bind("l", op("add", lower, op("sub", rest, coarse)));
  }
  const quadrant = bind("n", op("rint", upper));
  return { quadrant, y: bind("y", op("mul", op("add", op("sub", upper, quadrant), lower), c(Math.PI / 2))) };
}
