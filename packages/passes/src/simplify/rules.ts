// The rules, by primitive. Each is given a node whose operands are simplified, and gives what replaces it, or nothing.

import { constant, DTYPES, isFloat, isRegister, prim, type Expr, type Prim, type PrimOp } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { intervalOf, isExact, isLess, isLessEqual, type Known } from "./known.ts";
import { linearOf, shorterSum, sumExpr, type Linear } from "./linear.ts";
import { boolOf, hasIntegers, isBool, isLiteral, isNumber, literalOf } from "./literals.ts";
import { sameValue } from "./same.ts";

export type Rule = (e: Prim, known: Known) => Expr | undefined;

const first = (...rules: readonly Rule[]): Rule => (e, known) => {
  for (const rule of rules) {
    const next = rule(e, known);
    if (next !== undefined) return next;
  }
  return undefined;
};

const integer = (rule: Rule): Rule => (e, known) => (hasIntegers(e.type) ? rule(e, known) : undefined);

/** The operands of a binary primitive. */
function pair({ op, args }: Prim): readonly [Expr, Expr] {
  const [a, b] = args;
  invariant(a !== undefined && b !== undefined, () => `${op} with ${args.length} operands`);
  return [a, b];
}

// — arithmetic —

const sums: Rule = (e, { fold }) => (fold ? shorterSum(e) : undefined);

/** A neutral operand on the right, or on either side of what commutes. */
const neutral = (value: number, sides: "both" | "right"): Rule => (e) => {
  const [a, b] = e.args;
  if (isNumber(b, value)) return a;
  return sides === "both" && isNumber(a, value) ? b : undefined;
};

/** `x * 0`; of floats it may be NaN or -0.0 and stays. */
const absorbed: Rule = integer((e) => {
  const [a, b] = pair(e);
  return isNumber(a, 0) ? a : isNumber(b, 0) ? b : undefined;
});

const twice = (op: PrimOp): Rule => ({ args: [x] }) => (x?.kind === "Prim" && x.op === op ? x.args[0] : undefined);

// — division of integers —

const quotient: Rule = integer((e, known) => {
  const [a, b] = pair(e);
  if (isNumber(b, 0)) return b;
  if (isNumber(b, 1)) return a;
  const by = divisor(b);
  if (by === undefined || e.type.kind !== "Scalar") return undefined;
  const value = sameQuotient(a, by, known);
  if (value !== undefined) return literalOf(BigInt(value), e.type);
  const split = known.fold ? multiples(a, by, known) : undefined;
  const rest = split && sameQuotient(split.rest, by, known);
  return split && rest !== undefined ? sumExpr({ terms: split.quotient.terms, constant: split.quotient.constant + BigInt(rest) }, e.type) : undefined;
});

const remainder: Rule = integer((e, known) => {
  const [a, b] = pair(e);
  if (isNumber(b, 0)) return a;
  if (isNumber(b, 1) && isRegister(e.type)) return literalOf(0n, e.type);
  const by = divisor(b);
  if (by === undefined) return inRange(a, b, known) ? a : undefined;
  if (sameQuotient(a, by, known) === 0) return a;
  const split = known.fold ? multiples(a, by, known) : undefined;
  return split && prim("mod", [split.rest, b]);
});

/** `a % b` is `a` for 0 <= a < b. */
const inRange = (a: Expr, b: Expr, known: Known): boolean => intervalOf(a, known).lo >= 0 && isLess(a, b, known) === true;

function divisor(b: Expr): number | undefined {
  if (b.kind !== "Const" || typeof b.value !== "bigint") return undefined;
  const value = Number(b.value);
  return value > 0 && Number.isSafeInteger(value) ? value : undefined;
}

/** Amounts are taken modulo the width; a literal outside of it, which only simplification makes, is no text. */
const amountInWidth: Rule = (e) => {
  const [a, b] = pair(e);
  if (!isRegister(e.type) || !isRegister(b.type) || b.kind !== "Const" || typeof b.value !== "bigint") return undefined;
  const amount = BigInt.asUintN(Math.log2(DTYPES[e.type.dtype].bits), b.value);
  return amount === b.value ? undefined : prim(e.op, [a, constant(amount, b.type)]);
};

/** The one quotient that all values of `a` have. */
function sameQuotient(a: Expr, by: number, known: Known): number | undefined {
  const { lo, hi } = intervalOf(a, known);
  if (!Number.isFinite(lo) || !Number.isFinite(hi)) return undefined;
  const low = Math.floor(lo / by);
  return low === Math.floor(hi / by) ? low : undefined;
}

/** A sum that does not wrap, as multiples of the divisor and a smaller rest; undefined if there are no multiples. */
function multiples(a: Expr, by: number, known: Known): { readonly quotient: Linear; readonly rest: Expr } | undefined {
  if (a.type.kind !== "Scalar" || !isExact(a, known)) return undefined;
  const linear = linearOf(a);
  if (linear === undefined) return undefined;
  const d = BigInt(by);
  const whole = linear.terms.filter((t) => t.coefficient % d === 0n);
  if (whole.length === 0) return undefined;
  const k = floorDiv(linear.constant, d);
  const rest = sumExpr({ terms: linear.terms.filter((t) => t.coefficient % d !== 0n), constant: linear.constant - k * d }, a.type);
  if (!isExact(rest, known)) return undefined;
  return { quotient: { terms: whole.map((t) => ({ ...t, coefficient: t.coefficient / d })), constant: k }, rest };
}

const floorDiv = (a: bigint, b: bigint): bigint => (a - (((a % b) + b) % b)) / b;

// — least and greatest —

const extreme = (op: "min" | "max"): Rule => integer((e, known) => {
  const [a, b] = pair(e);
  if (sameValue(a, b)) return a;
  if (isLessEqual(a, b, known) === true) return op === "min" ? a : b;
  if (isLessEqual(b, a, known) === true) return op === "min" ? b : a;
  return undefined;
});

const magnitude: Rule = integer(({ args: [x], type }, known) => {
  if (x === undefined || type.kind !== "Scalar") return undefined;
  return intervalOf(x, known).lo >= 0 ? x : undefined;
});

// — comparisons —

const comparison = (op: "lt" | "le" | "gt" | "ge" | "eq" | "ne"): Rule => (e, known) => {
  const [a, b] = pair(e);
  if (!isRegister(e.type) || !isRegister(a.type) || isFloat(a.type.dtype)) return undefined;
  if (a.type.dtype === "bool") return op === "eq" || op === "ne" ? boolEquality(op, a, b) : undefined;
  if (sameValue(a, b)) return boolOf(op === "le" || op === "ge" || op === "eq", e.type);
  if (a.type.kind !== "Scalar") return undefined;
  const value = decided(op, a, b, known);
  return value === undefined ? undefined : boolOf(value, e.type);
};

function decided(op: "lt" | "le" | "gt" | "ge" | "eq" | "ne", a: Expr, b: Expr, known: Known): boolean | undefined {
  switch (op) {
    case "lt": return isLess(a, b, known);
    case "le": return isLessEqual(a, b, known);
    case "gt": return isLess(b, a, known);
    case "ge": return isLessEqual(b, a, known);
    default: return isLess(a, b, known) === true || isLess(b, a, known) === true ? op === "ne" : undefined;
  }
}

function boolEquality(op: "eq" | "ne", a: Expr, b: Expr): Expr | undefined {
  if (!isRegister(a.type)) return undefined;
  if (sameValue(a, b)) return boolOf(op === "eq", a.type);
  const [literal, other] = isLiteral(a) ? [a, b] : [b, a];
  if (!isLiteral(literal)) return undefined;
  return literal.value === (op === "eq") ? other : prim("not", [other]);
}

// — logic —

const conjunction = (neutralValue: boolean): Rule => (e) => {
  const [a, b] = pair(e);
  if (isBool(a, neutralValue)) return b;
  if (isBool(b, neutralValue)) return a;
  if (isBool(a, !neutralValue)) return a;
  if (isBool(b, !neutralValue)) return b;
  return sameValue(a, b) ? a : undefined;
};

const INVERSE = { lt: "ge", le: "gt", gt: "le", ge: "lt", eq: "ne", ne: "eq" } as const;

/** Of floats only equality turns around: NaN is neither less nor not less. */
const negation: Rule = ({ args: [x] }) => {
  if (x?.kind !== "Prim") return undefined;
  if (x.op === "not") return x.args[0];
  if (!(x.op in INVERSE)) return undefined;
  const op = x.op as keyof typeof INVERSE; // just tested
  const operand = x.args[0]?.type;
  if (operand === undefined || !isRegister(operand)) return undefined;
  return !isFloat(operand.dtype) || op === "eq" || op === "ne" ? prim(INVERSE[op], x.args) : undefined;
};

const bits = (neutralValue: 0 | -1): Rule => (e) => {
  const [a, b] = pair(e);
  if (!isRegister(e.type)) return undefined;
  if (sameValue(a, b)) return a;
  for (const [x, y] of [[a, b], [b, a]] as const) {
    if (isAll(x, neutralValue)) return y;
    if (isAll(x, neutralValue === 0 ? -1 : 0)) return x;
  }
  return undefined;
};

/** No bits, or all of them. */
function isAll(e: Expr, value: 0 | -1): boolean {
  if (e.kind !== "Const" || !isRegister(e.type)) return false;
  if (typeof e.value === "boolean") return e.value === (value === -1);
  if (typeof e.value !== "bigint") return false;
  return value === 0 ? e.value === 0n : e.value === -1n || (DTYPES[e.type.dtype].kind === "uint" && e.value === 2n ** BigInt(DTYPES[e.type.dtype].bits) - 1n);
}

const exclusiveOr: Rule = (e) => {
  const [a, b] = pair(e);
  if (isAll(a, 0)) return b;
  if (isAll(b, 0)) return a;
  if (!sameValue(a, b) || !isRegister(e.type)) return undefined;
  return e.type.dtype === "bool" ? boolOf(false, e.type) : literalOf(0n, e.type);
};

// — choice, conversion, memory —

const choice: Rule = ({ args: [cond, a, b], type }) => {
  if (cond === undefined || a === undefined || b === undefined || !isRegister(type)) return undefined;
  if (isLiteral(cond)) return cond.value === true ? a : b;
  if (sameValue(a, b)) return a;
  if (type.dtype !== "bool" || !isLiteral(a) || !isLiteral(b)) return undefined;
  return a.value === true ? cond : prim("not", [cond]); // the two differ
};

const conversion: Rule = ({ args: [x], attrs, type }, known) => {
  if (x === undefined || !isRegister(x.type) || attrs.dtype === undefined) return undefined;
  if (x.type.dtype === attrs.dtype) return x;
  if (x.kind !== "Prim" || x.op !== "cast" || type.kind !== "Scalar") return undefined;
  const [inner] = x.args;
  // a value that the narrower type holds comes back the same
  if (inner === undefined || inner.type !== type || !hasIntegers(inner.type) || !hasIntegers(x.type)) return undefined;
  const { lo, hi } = intervalOf(inner, known);
  const middle = intervalOf(x, known);
  return middle.lo === lo && middle.hi === hi && Number.isFinite(lo) && Number.isFinite(hi) ? inner : undefined;
};

const reinterpretation: Rule = ({ args: [x], attrs }) => (x !== undefined && isRegister(x.type) && x.type.dtype === attrs.dtype ? x : undefined);

const masked: Rule = (e) => {
  if (e.attrs.masked !== true) return undefined;
  const mask = e.args.at(-1);
  if (!isLiteral(mask)) return undefined;
  const { masked: _, ...attrs } = e.attrs;
  if (mask.value === true) return prim(e.op, e.args.slice(0, -1), attrs, e.meta);
  if (e.op !== "load" || !isRegister(e.type)) return undefined;
  return e.type.dtype === "bool" ? boolOf(false, e.type) : literalOf(0, e.type);
};

/** Of floats, adding 0.0 changes -0.0, taking it away changes nothing. */
export const RULES: { readonly [P in PrimOp]?: Rule } = {
  add: integer(first(neutral(0, "both"), sums)),
  sub: first(neutral(0, "right"), sums),
  mul: first(neutral(1, "both"), absorbed, sums),
  div: neutral(1, "right"),
  neg: first(twice("neg"), sums),
  floordiv: quotient,
  mod: remainder,
  shl: first(neutral(0, "right"), amountInWidth),
  shr: first(neutral(0, "right"), amountInWidth),
  bitand: bits(-1),
  bitor: bits(0),
  bitxor: exclusiveOr,
  invert: twice("invert"),
  min: extreme("min"),
  max: extreme("max"),
  abs: magnitude,
  lt: comparison("lt"),
  le: comparison("le"),
  gt: comparison("gt"),
  ge: comparison("ge"),
  eq: comparison("eq"),
  ne: comparison("ne"),
  and: conjunction(true),
  or: conjunction(false),
  not: negation,
  select: choice,
  cast: conversion,
  bitcast: reinterpretation,
  load: masked,
  store: masked,
};
