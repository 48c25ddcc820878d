// tanh, and erf of f32, in the other primitives, by way of exp - 1, whose relative error is small near 0 too.
//
// tanh |x| = -t / (t + 2) with t = exp(-2 |x|) - 1. erf |x| = 1 - exp(-|x| P(|x|)), where P(x) = -log(erfc x) / x is smooth; it is
// interpolated at Chebyshev nodes over [0, 4], above which erf is 1 in f32.
// Largest error found: tanh 2.5 ULP, erf 2.7 ULP.

import type { Expr } from "@tilefoundry/ir";
import { expM1 } from "./exp.ts";
import { floatType, literal, odd, op, polynomial, type Bind } from "./steps.ts";

export function expandTanh(argument: Expr, bind: Bind): Expr {
  const type = floatType(argument);
  const x = bind("x", argument);
  const t = bind("t", expM1(op("mul", op("abs", x), literal(type, -2)), bind));
  return odd(x, bind("y", op("neg", op("div", t, op("add", t, literal(type, 2))))));
}

/** Coefficients of P, lowest first. */
const P = [
  1.1283791065216064, 0.6366201639175415, 0.10276684910058975, -0.019095588475465775, -0.000308316313660112, 0.001877262955531478,
  -0.000805893971119076, 0.00019992321904283017, -0.000030329019864439033, 0.000002218443341917009, 7.137982294125322e-8,
  -2.6750644366302367e-8, 1.513260516894377e-9,
];

export function expandErf(argument: Expr, bind: Bind): Expr {
  const type = floatType(argument);
  const x = bind("x", argument);
  const magnitude = op("abs", x);
  const at = bind("a", op("select", op("gt", magnitude, literal(type, 4)), literal(type, 4), magnitude));
  const exponent = op("neg", op("mul", at, polynomial(P.map((p) => literal(type, p)), at)));
  return odd(x, bind("y", op("neg", expM1(exponent, bind))));
}
