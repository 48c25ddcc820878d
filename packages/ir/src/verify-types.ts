// Verifier, types: primitives by their typing rules, literals within their dtype, assignments, conditions and bounds.

import { primType, tuple, tupleGet } from "./build.ts";
import { compatible } from "./compatible.ts";
import { DTYPES, isSigned, sameDType, type DType } from "./dtypes.ts";
import type { Const, Expr, Meta, NodeOf, Prim, Stmt, TupleExpr, TupleGet } from "./nodes.ts";
import { isRegister, isScalar } from "./types.ts";
import { count, eachExpr, nodeText, type Check } from "./verify-check.ts";
import { typeText } from "./type-text.ts";
import { eachStmt } from "./walk.ts";

export function checkTypes(check: Check): void {
  const { f, reporter } = check;
  for (const { var: v } of f.symbols) {
    if (!isIndex(v)) reporter.report("TF5020", v.meta.span, { which: "type", what: `the extent \`${v.hint}\``, actual: typeText(v.type) });
  }
  eachExpr(f, (expr) => {
    if (expr.kind === "Prim") checkPrim(expr, check);
    else if (expr.kind === "Const") checkConst(expr, check);
    else if (expr.kind === "Tuple" || expr.kind === "TupleGet") checkTuple(expr, check);
  });
  if (f.body.kind === "Seq") eachStmt(f.body, (stmt) => checkStmt(stmt, check));
}

// — expressions —

function checkPrim(expr: Prim, { reporter }: Check): void {
  if (expr.args.some((a) => a.type.kind === "Unknown")) return;
  const type = primType(expr.op, expr.args, expr.attrs);
  if (typeof type === "string") reporter.report("TF5015", expr.meta.span, { op: expr.op, reason: type });
  else if (!compatible(type, expr.type)) reporter.report("TF5016", expr.meta.span, { op: expr.op, expected: typeText(type), actual: typeText(expr.type) });
}

/** A tuple is typed by its elements, and an element by its tuple. */
function checkTuple(expr: TupleExpr | TupleGet, { reporter }: Check): void {
  const { type } = expr.kind === "Tuple" ? tuple(expr.elements) : tupleGet(expr.tuple, expr.index);
  const known = expr.kind === "Tuple" || expr.tuple.type.kind === "Unknown" || type.kind !== "Unknown";
  if (known && compatible(type, expr.type)) return;
  const expected = known ? typeText(type) : `no element ${expr.kind === "TupleGet" ? expr.index : ""} of ${typeText(expr.kind === "TupleGet" ? expr.tuple.type : type)}`;
  reporter.report("TF5059", expr.meta.span, { what: nodeText(expr), actual: typeText(expr.type), expected });
}

function checkConst({ type, value, meta }: Const, { reporter }: Check): void {
  if (!isRegister(type) || !holds(type.dtype, value)) reporter.report("TF5017", meta.span, { value: String(value), type: typeText(type) });
}

function holds(dtype: DType, value: Const["value"]): boolean {
  if (dtype === "bool") return typeof value === "boolean";
  if (DTYPES[dtype].kind === "float") return typeof value === "number" && (dtype !== "f32" || Object.is(Math.fround(value), value));
  if (typeof value !== "bigint") return false;
  const { bits } = DTYPES[dtype];
  return value === (isSigned(dtype) ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value));
}

// — statements —

type Rules = { readonly [K in Stmt["kind"]]: (stmt: NodeOf<K>, check: Check) => void };

const nothing = (): void => undefined;

const RULES: Rules = {
  Assign: ({ target, value, meta }, { reporter }) => {
    if (compatible(value.type, target.type)) return;
    reporter.report("TF5018", meta.span, { name: target.hint, expected: typeText(target.type), actual: typeText(value.type) });
  },
  If: (stmt, check) => condition(stmt.cond, stmt, check),
  While: (stmt, check) => condition(stmt.cond, stmt, check),
  For: (loop, { reporter }) => {
    const parts = { start: loop.start, stop: loop.stop, step: loop.step, variable: loop.loopVar };
    for (const [which, expr] of Object.entries(parts)) {
      if (!isIndex(expr)) reporter.report("TF5020", spanOf(expr, loop.meta), { which, what: nodeText(loop), actual: typeText(expr.type) });
    }
  },
  Nest: (nest, { reporter }) => {
    const parts = [...nest.extents.map((e, i) => [`extent ${i}`, e] as const), ...nest.axes.map((a) => [`axis \`${a.hint}\``, a] as const)];
    for (const [which, expr] of parts) {
      if (!isIndex(expr)) reporter.report("TF5020", spanOf(expr, nest.meta), { which, what: `a nest of ${count(nest.axes.length, "axis", "axes")}`, actual: typeText(expr.type) });
    }
  },
  Scope: nothing,
  Eval: nothing,
  Return: nothing,
  Yield: nothing,
  Break: nothing,
  Continue: nothing,
  Seq: nothing,
};

function checkStmt(stmt: Stmt, check: Check): void {
  const rule = RULES[stmt.kind] as (stmt: Stmt, check: Check) => void; // the key fixes the statement's type
  rule(stmt, check);
}

function condition(cond: Expr, stmt: Stmt, { reporter }: Check): void {
  if (cond.type.kind === "Unknown" || (isScalar(cond.type) && cond.type.dtype === "bool")) return;
  reporter.report("TF5019", spanOf(cond, stmt.meta), { what: nodeText(stmt), actual: typeText(cond.type) });
}

const isIndex = ({ type }: Expr): boolean => type.kind === "Unknown" || (isScalar(type) && sameDType(type.dtype, "index"));

const spanOf = (expr: Expr, stmt: Meta): Meta["span"] => (expr.kind === "Var" || expr.kind === "IterArg" ? stmt.span : (expr.meta.span ?? stmt.span));
