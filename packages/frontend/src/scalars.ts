// Primitives on scalars and vectors by the dialect's rules: what a literal's dtype is, what is promoted, what is refused.

import {
  cast, DTYPES, isFloat, isInteger, isRegister, PRIMS, primType, sameDType, type DType, type Expr, type PrimAttrs, type PrimOp,
} from "@tilefoundry/ir";
import { showDType, showType, writeDType } from "@tilefoundry/ops";
import type { Span } from "@tilefoundry/text";
import { dialectOf, type ExprContext } from "./context.ts";
import { floatText } from "./known-ops.ts";
import { toExpr, typedLiteral } from "./literal.ts";
import { exprValue, poison, unknownExpr, type Value } from "./value.ts";

export interface PrimSite {
  readonly prim: PrimOp;
  /** As written: `+`, `pl.max`. */
  readonly text: string;
  readonly span: Span;
}

/** Operands of which all have one dtype; `select` has its condition first. */
export function scalarPrim(site: PrimSite, operands: readonly Value[], c: ExprContext): Value {
  const rest = site.prim === "select" ? operands.slice(1) : operands;
  const condition = site.prim === "select" && operands[0] !== undefined ? [toExpr(operands[0], c)] : [];
  const exprs = unify(site, rest, c);
  if (exprs === undefined) return poison(site.span);
  if (site.prim === "div" && exprs.every((e) => isRegister(e.type) && isInteger(e.type.dtype))) return integerDivision(site, exprs, c);
  return exprValue(primExpr(site, [...condition, ...exprs], {}, c), site.span);
}

/** A primitive with its operands as they are; complains if its rule does not take them. */
export function primExpr(site: PrimSite, args: readonly Expr[], attrs: PrimAttrs, c: ExprContext): Expr {
  if (args.some((a) => a.type.kind === "Unknown")) return unknownExpr(site.span);
  const type = primType(site.prim, args, attrs);
  if (typeof type !== "string") return { kind: "Prim", type, op: site.prim, args, attrs, meta: { span: site.span } };
  c.reporter.report("TF3207", site.span, { op: `\`${site.text}\``, reason: type, operands: PRIMS[site.prim].operands.join(", ") || "none" });
  return unknownExpr(site.span);
}

// — one dtype for all operands —

function unify(site: PrimSite, operands: readonly Value[], c: ExprContext): readonly Expr[] | undefined {
  const dtypes = operands.flatMap((v) => (v.kind === "expr" ? (dtypeOf(v.expr) ?? []) : []));
  const floats = new Set(dtypes.filter(isFloat));
  const [onlyFloat] = floats.size === 1 ? floats : [];
  const exprs = operands.map((v) => operandExpr(v, onlyFloat, c));
  if (exprs.some((e) => e.type.kind === "Unknown")) return undefined;
  return c.dialect === "pl" ? promoteAll(site, operands, exprs, c) : demandEqual(site, operands, exprs, c);
}

/** A float literal adopts the one float dtype beside it in TileFoundry; a number from a hole does so in both. */
function operandExpr(v: Value, onlyFloat: DType | undefined, c: ExprContext): Expr {
  if (v.kind !== "known" || onlyFloat === undefined) return toExpr(v, c);
  const adopts = v.known.kind === "int" ? v.known.loose === true : v.known.kind === "float" && c.dialect !== "pl";
  return adopts ? (typedLiteral(v.known, onlyFloat, v.span, c) ?? unknownExpr(v.span)) : toExpr(v, c);
}

const dtypeOf = (e: Expr): DType | undefined => (isRegister(e.type) ? e.type.dtype : undefined);

function demandEqual(site: PrimSite, operands: readonly Value[], exprs: readonly Expr[], c: ExprContext): readonly Expr[] | undefined {
  const first = exprs[0] && dtypeOf(exprs[0]);
  const odd = exprs.findIndex((e) => {
    const dtype = dtypeOf(e);
    return first !== undefined && dtype !== undefined && !sameDType(first, dtype);
  });
  return odd < 0 ? exprs : refuseMix(site, operands, exprs, odd, c);
}

/** More bits win, the left one on ties; integers and floats do not mix, and BOOL mixes with nothing. */
function promoteAll(site: PrimSite, operands: readonly Value[], exprs: readonly Expr[], c: ExprContext): readonly Expr[] | undefined {
  let common = exprs[0] && dtypeOf(exprs[0]);
  for (const [i, e] of exprs.entries()) {
    const dtype = dtypeOf(e);
    if (common === undefined || dtype === undefined) return exprs; // a rule complains
    if (category(common) !== category(dtype)) return refuseMix(site, operands, exprs, i, c);
    if (DTYPES[dtype].bits > DTYPES[common].bits) common = dtype;
  }
  if (common === undefined) return exprs;
  const wanted = common;
  return exprs.map((e) => {
    const dtype = dtypeOf(e);
    return dtype === undefined || sameDType(dtype, wanted) ? e : { ...cast(e, wanted), meta: e.meta };
  });
}

const category = (d: DType): string => (d === "bool" ? "bool" : isFloat(d) ? "float" : "integer");

function refuseMix(site: PrimSite, operands: readonly Value[], exprs: readonly Expr[], odd: number, c: ExprContext): undefined {
  const dialect = dialectOf(c);
  const [a, b] = [exprs[0], exprs[odd]];
  const [left, right] = [operands[0], operands[odd]];
  if (a === undefined || b === undefined || left === undefined || right === undefined) return undefined;
  const literal = [odd, 0].find((i) => operands[i]?.kind === "known");
  const target = dtypeOf(literal === odd ? a : b);
  const advice = (literal === undefined || target === undefined ? undefined : literalAdvice(operands[literal], target, c)) ?? castAdvice([a, b], [left, right], c);
  const fixes = [{ title: `write \`${advice.text}\``, edits: [{ span: advice.span, text: advice.text }] }];
  c.reporter.report("TF3201", site.span, { op: site.text, left: showType(a.type, dialect), right: showType(b.type, dialect), instead: advice.help }, { fixes });
  return undefined;
}

interface Advice {
  readonly help: string;
  readonly text: string;
  readonly span: Span;
}

/** The cast of the side that loses less: integers become floats, bools numbers, and the narrower side as wide as the other. */
function castAdvice([a, b]: readonly [Expr, Expr], [left, right]: readonly [Value, Value], c: ExprContext): Advice {
  const dialect = dialectOf(c);
  const [p, q] = [dtypeOf(a) ?? "f32", dtypeOf(b) ?? "f32"];
  const second = rank(p) >= rank(q);
  const { span } = second ? right : left;
  const text = `${dialect}.cast(${span.source.text.slice(span.start, span.end)}, ${writeDType(second ? p : q, dialect)})`;
  return { help: `cast one side, as in \`${text}\``, text, span };
}

const CATEGORIES = ["bool", "integer", "float"];
const rank = (d: DType): number => 100 * CATEGORIES.indexOf(category(d)) + DTYPES[d].bits;

/** What to write for a literal that meets a value of another dtype. */
function literalAdvice(v: Value | undefined, target: DType, c: ExprContext): Advice | undefined {
  if (v?.kind !== "known" || (v.known.kind !== "int" && v.known.kind !== "float")) return undefined;
  const { known } = v;
  if (isFloat(target) && known.kind === "int") return { help: `write the float \`${known.value}.0\``, text: `${known.value}.0`, span: v.span };
  if (known.kind !== "int" && !isFloat(target)) return undefined;
  const number = known.kind === "int" ? String(known.value) : floatText(known.value);
  const text = c.dialect === "pl" ? `pl.const(${number}, ${writeDType(target, "pl")})` : `T.const(${number}, ${writeDType(target, "tf")})`;
  return { help: `write the literal as ${showDType(target, dialectOf(c))}: \`${text}\``, text, span: v.span };
}

/**
 * `/` on integers: PyPTO divides in floats (f64 if 64 bits wide) and truncates back; TileFoundry refuses it.
 */
function integerDivision(site: PrimSite, exprs: readonly Expr[], c: ExprContext): Value {
  const [a, b] = exprs;
  const dtype = a && dtypeOf(a);
  if (a === undefined || b === undefined || dtype === undefined) return poison(site.span);
  if (c.dialect === "pl") {
    const wide: DType = DTYPES[dtype].bits === 64 ? "f64" : "f32";
    return exprValue({ ...cast(primExpr(site, [cast(a, wide), cast(b, wide)], {}, c), dtype), meta: { span: site.span } }, site.span);
  }
  c.reporter.report("TF3202", site.span, { dtype: showDType(dtype, dialectOf(c)) });
  return poison(site.span);
}
