// Compile-time values become literals here: by value into a wanted dtype, or with the default dtype of their kind.

import { boolConst, constant, DTYPES, isFloat, isSigned, scalarType, type Const, type DType, type Expr } from "@tilefoundry/ir";
import { showDType } from "@tilefoundry/ops";
import type { Span } from "@tilefoundry/text";
import { noValue } from "./complaints.ts";
import { dialectOf, type ExprContext } from "./context.ts";
import { describe, floatText } from "./known-ops.ts";
import { asFloat } from "./python-number.ts";
import { unknownExpr, type Known, type Value } from "./value.ts";

/** A value as an IR expression. A compile-time number is a literal: `index`, `f32` or `bool`. */
export function toExpr(value: Value, c: ExprContext): Expr {
  switch (value.kind) {
    case "expr": return value.expr;
    case "known": return literal(value.known, value.span, c);
    case "poison": return unknownExpr(value.span);
    case "tuple": return notScalar(`a ${value.form}`, value.span, c);
  }
}

export function literal(known: Known, span: Span, c: ExprContext): Expr {
  switch (known.kind) {
    case "int": return typedLiteral(known, "index", span, c) ?? unknownExpr(span);
    case "float": return typedLiteral(known, "f32", span, c) ?? unknownExpr(span);
    case "bool": return { ...boolConst(known.value), meta: { span } };
    case "extent": {
      const value = c.lookupExtent(known.dim, span);
      return value.kind === "expr" ? value.expr : unknownExpr(span);
    }
    default: return notScalar(describe(known), span, c);
  }
}

function notScalar(what: string, span: Span, c: ExprContext): Expr {
  noValue(what, "write a number, a truth value or a name that holds one", span, c);
  return unknownExpr(span);
}

/**
 * A number as a literal of `dtype`, by value: integers keep their low bits, an integer becomes a float only if `fromInt` says so,
 * `bool` from a number is `!= 0`. Undefined after a complaint.
 */
export function typedLiteral(known: Known, dtype: DType, span: Span, c: ExprContext, fromInt = false): Const | undefined {
  const value = convert(known, dtype, fromInt);
  if (value === undefined) {
    const instead = known.kind === "int" && isFloat(dtype) ? `write \`${known.value}.0\`` : `write a value of ${showDType(dtype, dialectOf(c))}`;
    c.reporter.report("TF3109", span, { value: describe(known), dtype: showDType(dtype, dialectOf(c)), instead });
    return undefined;
  }
  const made = constant(value, scalarType(dtype), { span });
  warnIfChanged(known, made, span, c);
  return made;
}

function convert(known: Known, dtype: DType, fromInt: boolean): bigint | number | boolean | undefined {
  if (dtype === "bool") return known.kind === "bool" ? known.value : known.kind === "int" ? known.value !== 0n : undefined;
  if (isFloat(dtype)) {
    if (known.kind === "float") return known.value;
    return known.kind === "int" && (fromInt || known.loose) ? (asFloat(known) ?? (known.value < 0n ? -Infinity : Infinity)) : undefined;
  }
  if (known.kind !== "int") return undefined;
  return isSigned(dtype) ? BigInt.asIntN(DTYPES[dtype].bits, known.value) : BigInt.asUintN(DTYPES[dtype].bits, known.value);
}

function warnIfChanged(known: Known, made: Const, span: Span, c: ExprContext): void {
  const dtype = made.type.kind === "Scalar" ? showDType(made.type.dtype, dialectOf(c)) : "";
  const lostBits = known.kind === "int" && typeof made.value === "bigint" && made.value !== known.value;
  const overflow = known.kind === "float" && Number.isFinite(known.value) && typeof made.value === "number" && !Number.isFinite(made.value);
  if (!lostBits && !overflow) return;
  const result = typeof made.value === "number" ? floatText(made.value) : String(made.value);
  c.reporter.report("TF3108", span, { value: describe(known), dtype, result });
}
