// What the expansions of math functions share: primitives by name, literals of the argument's type, Horner's rule.

import { constant, prim, withDType, type Const, type DType, type Expr, type PrimOp, type ScalarType, type VecType } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";

/** A scalar or a vector of floats. */
export type FloatType = ScalarType | VecType;

/** Gives an expression a name, so that it is computed once; or gives it back where no statement can stand. */
export type Bind = (hint: string, value: Expr) => Expr;

/** Turns a math function of an argument into other primitives. */
export type Expansion = (argument: Expr, bind: Bind) => Expr;

export const op = (name: PrimOp, ...args: readonly Expr[]): Expr => prim(name, args);

export function floatType({ type }: Expr): FloatType {
  invariant(type.kind === "Scalar" || type.kind === "Vec", () => `a math function of ${type.kind}`);
  return type;
}

export const literal = (type: FloatType, value: number): Const => constant(value, type);
export const integer = (type: FloatType, dtype: "i32" | "i64", value: bigint): Const => constant(value, withDType(type, dtype));
export const bitcast = (value: Expr, dtype: DType): Expr => prim("bitcast", [value], { dtype });
export const cast = (value: Expr, dtype: DType): Expr => prim("cast", [value], { dtype });

/** Horner's rule; coefficients lowest first. */
export function polynomial(coefficients: readonly Expr[], x: Expr): Expr {
  return coefficients.reduceRight((sum, coefficient) => op("add", op("mul", sum, x), coefficient));
}

/** The argument where it is 0 or NaN, else the value with the argument's sign: for odd functions computed from the magnitude. */
export function odd(argument: Expr, value: Expr): Expr {
  const zero = literal(floatType(argument), 0);
  return op("select", op("lt", argument, zero), op("neg", value), op("select", op("gt", argument, zero), value, argument));
}
