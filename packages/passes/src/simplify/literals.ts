// Literals: what an operation on literals gives, and tests for the few that rules look for.

import {
  constant, isFloat, isRegister, MATH_PRIMS, numberConst,
  type Const, type Expr, type Prim, type PrimOp, type ScalarType, type Type, type VecType,
} from "@tilefoundry/ir";
import { constOfScalar, hasScalarFunction, scalarFunction, scalarOfConst, type ScalarPrim } from "@tilefoundry/ops/evaluate";

/** Math functions are left to the pass that expands them, so that their bits do not depend on folding. */
const KEPT: ReadonlySet<PrimOp> = new Set<PrimOp>(["splat", "lane", "reduce", "alloc_tensor", "load", "store", "barrier", ...MATH_PRIMS]);

const isScalarPrim = (op: PrimOp): op is ScalarPrim => !KEPT.has(op);

/** The literal that a scalar operation on literals gives. */
export function folded(e: Prim): Const | undefined {
  const { op, type, attrs, args } = e;
  if (type.kind !== "Scalar" || !args.every(isLiteral) || !isScalarPrim(op)) return undefined;
  const source = args[op === "select" ? 1 : 0]?.type;
  if (source?.kind !== "Scalar" || !hasScalarFunction(op, source.dtype)) return undefined;
  const [a, b, c] = args.map(scalarOfConst);
  return a === undefined ? undefined : constOfScalar(scalarFunction(op, source.dtype, attrs)(a, b, c), type.dtype);
}

export const isLiteral = (e: Expr | undefined): e is Const => e?.kind === "Const";

/** Whether an integer or float is the literal `value`, a small number; -0.0 is not 0. */
export function isNumber(e: Expr | undefined, value: number): boolean {
  return e?.kind === "Const" && typeof e.value !== "boolean" && (typeof e.value === "bigint" ? Number(e.value) === value : Object.is(e.value, value));
}

export const isBool = (e: Expr | undefined, value: boolean): boolean => e?.kind === "Const" && e.value === value;

export const hasIntegers = (t: Type): t is ScalarType | VecType => isRegister(t) && !isFloat(t.dtype) && t.dtype !== "bool";

/** A number as a literal of a register type. */
export function literalOf(value: number | bigint, type: ScalarType | VecType): Const {
  return typeof value === "bigint" ? constant(value, type) : numberConst(value, type.dtype, type.kind === "Vec" ? type.lanes : 1);
}

export function boolOf(value: boolean, type: ScalarType | VecType): Const {
  return constant(value, type);
}
