// Sums of integers: terms with coefficients, in the order in which they first occur. Wrap-around integers are a ring, so sums may
// be regrouped freely; a sum is written anew only if that makes it smaller, so that doing it again changes nothing.

import { constant, DTYPES, isSigned, prim, type Expr, type Prim, type ScalarType } from "@tilefoundry/ir";
import { hasIntegers } from "./literals.ts";
import { sameValue, sizeOf } from "./same.ts";

export interface Term {
  readonly atom: Expr;
  readonly coefficient: bigint;
}

export interface Linear {
  readonly terms: readonly Term[];
  readonly constant: bigint;
}

/** Sums of more terms are left as they are. */
const MOST_TERMS = 24;

/** The sum that an integer scalar is; undefined if it is too long. */
export function linearOf(e: Expr): Linear | undefined {
  const sum: Building = { terms: [], constant: 0n };
  return gather(e, 1n, sum) ? { terms: sum.terms.filter((t) => t.coefficient !== 0n), constant: sum.constant } : undefined;
}

interface Building {
  terms: Term[];
  constant: bigint;
}

function gather(e: Expr, factor: bigint, sum: Building): boolean {
  if (e.kind === "Const" && typeof e.value === "bigint") {
    sum.constant += factor * e.value;
    return true;
  }
  const [a, b] = e.kind === "Prim" ? e.args : [];
  if (e.kind === "Prim" && a !== undefined) {
    if (e.op === "neg") return gather(a, -factor, sum);
    if (b !== undefined && e.op === "add") return gather(a, factor, sum) && gather(b, factor, sum);
    if (b !== undefined && e.op === "sub") return gather(a, factor, sum) && gather(b, -factor, sum);
    if (e.op === "mul" && b?.kind === "Const" && typeof b.value === "bigint") return gather(a, factor * b.value, sum);
    if (e.op === "mul" && b !== undefined && a.kind === "Const" && typeof a.value === "bigint") return gather(b, factor * a.value, sum);
  }
  return addTerm(e, factor, sum);
}

function addTerm(atom: Expr, coefficient: bigint, sum: Building): boolean {
  const at = sum.terms.findIndex((t) => sameValue(t.atom, atom));
  const known = sum.terms[at];
  if (known !== undefined) sum.terms[at] = { atom: known.atom, coefficient: known.coefficient + coefficient };
  else sum.terms.push({ atom, coefficient });
  return sum.terms.length <= MOST_TERMS;
}

/** The shorter way to write a sum, if there is one. */
export function shorterSum(e: Prim): Expr | undefined {
  if (e.type.kind !== "Scalar" || !hasIntegers(e.type) || isShort(e)) return undefined;
  const linear = linearOf(e);
  if (linear === undefined) return undefined;
  const written = sumExpr(linear, e.type);
  return sizeOf(written) < sizeOf(e) && written.type === e.type ? written : undefined;
}

/** Whether at a glance nothing can be added up: two different operands, or a multiple, of what is no sum itself. */
function isShort({ op, args: [a, b] }: Prim): boolean {
  if (a === undefined || isLinear(a)) return false;
  if (b === undefined || op === "neg") return a.kind !== "Const";
  if (op === "mul") return a.kind !== "Const" && (b.kind !== "Const" || (typeof b.value === "bigint" && b.value > 1n && b.value < 128n));
  return !isLinear(b) && (a.kind !== "Const" || b.kind !== "Const") && !sameValue(a, b);
}

const isLinear = (e: Expr): boolean => e.kind === "Prim" && (e.op === "add" || e.op === "sub" || e.op === "mul" || e.op === "neg");

/** A sum as an expression: the first positive term, then the others in order, the constant last. */
export function sumExpr({ terms, constant: offset }: Linear, type: ScalarType): Expr {
  const signed = terms.map((t) => ({ atom: t.atom, coefficient: wrapped(t.coefficient, type) })).filter((t) => t.coefficient !== 0n);
  const first = signed.findIndex((t) => t.coefficient > 0n);
  const ordered = first <= 0 ? signed : [...signed.slice(first, first + 1), ...signed.slice(0, first), ...signed.slice(first + 1)];
  let result: Expr | undefined;
  for (const { atom, coefficient } of ordered) {
    const size = coefficient < 0n ? -coefficient : coefficient;
    const term = size === 1n ? atom : prim("mul", [atom, literal(size, type)]);
    if (result === undefined) result = coefficient < 0n ? prim("neg", [term]) : term;
    else result = prim(coefficient < 0n ? "sub" : "add", [result, term]);
  }
  const rest = wrapped(offset, type);
  if (result === undefined) return literal(rest, type);
  if (rest === 0n) return result;
  return prim(rest < 0n ? "sub" : "add", [result, literal(rest < 0n ? -rest : rest, type)]);
}

/** Modulo the dtype's width, between minus a half and a half of it. */
const wrapped = (value: bigint, { dtype }: ScalarType): bigint => BigInt.asIntN(DTYPES[dtype].bits, value);

function literal(value: bigint, type: ScalarType): Expr {
  const { bits } = DTYPES[type.dtype];
  return constant(isSigned(type.dtype) ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value), type);
}
