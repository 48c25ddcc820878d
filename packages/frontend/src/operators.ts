// Operators. What is known at compile time is computed; scalars follow the dialect of the function (PyPTO promotes, TileFoundry
// wants equal dtypes); on tensors and tiles an operator is the elementwise op.

import type { BinaryOp, CompareOp } from "@tilefoundry/grammar";
import { DTYPES, isInteger, isRegister, type PrimOp } from "@tilefoundry/ir";
import { showType } from "@tilefoundry/ops";
import type { Span } from "@tilefoundry/text";
import { fix, refuse, reportFailure } from "./complaints.ts";
import { dialectOf, type ExprContext } from "./context.ts";
import { failed, knownBinary, knownCompare, knownUnary, truth } from "./known-ops.ts";
import { toExpr } from "./literal.ts";
import { callOp } from "./op-call.ts";
import { beyond, type Failure } from "./python-number.ts";
import { scalarPrim } from "./scalars.ts";
import { knownValue, poison, type Known, type Value } from "./value.ts";
import { pay, TOO_LONG } from "./work.ts";

const BINARY: Readonly<Record<Exclude<BinaryOp, "@" | "**">, PrimOp>> = {
  "+": "add", "-": "sub", "*": "mul", "/": "div", "//": "floordiv", "%": "mod", "<<": "shl", ">>": "shr", "&": "bitand", "|": "bitor", "^": "bitxor",
};

const COMPARE: Readonly<Partial<Record<CompareOp, PrimOp>>> = { "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge" };

const UNARY = { "-": "neg", "~": "invert", not: "not" } as const satisfies Readonly<Record<string, PrimOp>>;

/** Where an operator stands. */
export interface OperatorSite {
  /** Of the whole expression. */
  readonly span: Span;
  readonly opSpan: Span;
}

export function binary(op: BinaryOp, left: Value, right: Value, site: OperatorSite, c: ExprContext): Value {
  if (left.kind === "poison" || right.kind === "poison") return poison(site.span);
  if (left.kind === "known" && right.kind === "known") return computed(knownBinary(op, left.known, right.known), site.span, c);
  if (op === "**") return refusePower(site, c);
  if (op === "@") return matrixProduct(left, right, site, c);
  return operate(op, BINARY[op], [left, right], site, c);
}

export function compare(op: CompareOp, left: Value, right: Value, site: OperatorSite, c: ExprContext): Value {
  if (left.kind === "poison" || right.kind === "poison") return poison(site.span);
  if (left.kind === "known" && right.kind === "known" && left.known.kind !== "extent" && right.known.kind !== "extent") {
    return computed(knownCompare(op, left.known, right.known), site.span, c);
  }
  const prim = COMPARE[op];
  if (prim !== undefined) return operate(op, prim, [left, right], site, c);
  const instead = op.startsWith("is") ? "compare values with `==` or `!=`" : "write one comparison for each element, joined by `or`";
  refuse(`\`${op}\``, instead, site.span, c);
  return poison(site.span);
}

export function unary(op: "-" | "+" | "~" | "not", operand: Value, site: OperatorSite, c: ExprContext): Value {
  if (operand.kind === "poison") return operand;
  if (operand.kind === "known" && !(operand.known.kind === "extent" && op === "not")) return computed(knownUnary(op, operand.known), site.span, c);
  if (op !== "+") return operate(op, UNARY[op], [operand], site, c);
  refuse("a leading `+`", "remove it", site.opSpan, c, fix("remove it", site.opSpan, ""));
  return poison(site.span);
}

/** `and` and `or`: Python's choice between compile-time values, else the primitive on BOOL scalars. */
export function boolean(op: "and" | "or", left: Value, right: Value, site: OperatorSite, c: ExprContext): Value {
  if (left.kind === "poison" || right.kind === "poison") return poison(site.span);
  const decided = left.kind === "known" && right.kind === "known" ? truth(left.known) : undefined;
  if (decided !== undefined) return decided === (op === "and") ? { ...right, span: site.span } : { ...left, span: site.span };
  return operate(op, op, [left, right], site, c);
}

function computed(result: Known | Failure, span: Span, c: ExprContext): Value {
  if (failed(result)) return reportFailure(result, span, c);
  return pay(c.module, result) ? knownValue(result, span) : reportFailure(beyond(TOO_LONG), span, c);
}

/** Elementwise if an operand is an array, else the primitive on scalars. */
function operate(text: string, prim: PrimOp, operands: readonly Value[], site: OperatorSite, c: ExprContext): Value {
  if (operands.some((v) => v.kind === "expr" && v.expr.type.kind === "Tensor")) return elementwise(text, prim, operands, site, c);
  const odd = operands.find((v) => !isScalarValue(v));
  if (odd !== undefined) return refuseOperand(text, odd, site, c);
  if (!checkLiterals(prim, operands, site, c)) return poison(site.span);
  return scalarPrim({ prim, text, span: site.span }, operands, c);
}

const isScalarValue = (v: Value): boolean =>
  v.kind === "known" ? ["int", "float", "bool", "extent"].includes(v.known.kind) : v.kind === "expr" && isRegister(v.expr.type);

function refuseOperand(text: string, odd: Value, site: OperatorSite, c: ExprContext): Value {
  const type = toExpr(odd, c).type; // complains about a list or a string
  if (type.kind !== "Unknown") {
    c.reporter.report("TF3203", site.span, { op: text, found: showType(type, dialectOf(c)), instead: "it takes numbers, tensors and tiles" });
  }
  return poison(site.span);
}

function elementwise(text: string, prim: PrimOp, operands: readonly Value[], site: OperatorSite, c: ExprContext): Value {
  const record = c.module.ops.elementwise(prim);
  if (record !== undefined) return callOp(record, operator(text, operands, site, c), c);
  const array = operands.find((v) => v.kind === "expr" && v.expr.type.kind === "Tensor");
  const found = array?.kind === "expr" ? showType(array.expr.type, dialectOf(c)) : "an array";
  c.reporter.report("TF3203", site.span, { op: text, found, instead: "no op of this version applies it to each element" });
  return poison(site.span);
}

function matrixProduct(left: Value, right: Value, site: OperatorSite, c: ExprContext): Value {
  const record = c.module.ops.byName("matmul");
  if (record !== undefined) return callOp(record, operator("@", [left, right], site, c), c);
  c.reporter.report("TF3203", site.span, { op: "@", found: "these operands", instead: "no op of this version multiplies matrices" });
  return poison(site.span);
}

function operator(text: string, operands: readonly Value[], site: OperatorSite, c: ExprContext) {
  return { spelled: text, namespace: dialectOf(c), span: site.span, passed: { positional: operands, keywords: [] } };
}

function refusePower(site: OperatorSite, c: ExprContext): Value {
  refuse("`**` of values that are known only when the kernel runs", "multiply: `x * x`", site.opSpan, c);
  return poison(site.span);
}

/** A literal divisor of 0, and literal shift amounts outside of the operand's width, are errors. */
function checkLiterals(prim: PrimOp, [left, right]: readonly Value[], site: OperatorSite, c: ExprContext): boolean {
  if (right?.kind !== "known" || right.known.kind !== "int") return true;
  const amount = right.known.value;
  if ((prim === "floordiv" || prim === "mod") && amount === 0n) {
    c.reporter.report("TF3205", site.span, {});
    return false;
  }
  if ((prim !== "shl" && prim !== "shr") || left?.kind !== "expr" || !isRegister(left.expr.type) || !isInteger(left.expr.type.dtype)) return true;
  const { bits } = DTYPES[c.dialect === "pl" ? "index" : left.expr.type.dtype];
  if (amount >= 0n && amount < BigInt(bits)) return true;
  c.reporter.report("TF3206", right.span, { amount: String(amount), dtype: left.expr.type.dtype, bits, last: bits - 1 });
  return false;
}
