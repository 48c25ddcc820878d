// Verifier, memory, from `ssa` on: array operands are variables, writes give handles; from `lowered` on buffers are parameters or allocations, no array
// is carried, copied or returned, `T.store` and `T.alloc_tensor` are statements of their own; at `placed` buffers have offsets.

import { boundBy, definedBy } from "./children.ts";
import type { Expr, Prim, Stmt, Var, VarLike } from "./nodes.ts";
import { primRow } from "./prims.ts";
import { eachExpr, isFrom, loopText, nodeText, type Check } from "./verify-check.ts";
import { eachStmt } from "./walk.ts";

export function checkMemory(check: Check): void {
  const { f, stage } = check;
  if (f.body.kind === "Graph") return;
  eachExpr(f, (expr) => checkFlat(expr, check));
  eachStmt(f.body, (stmt) => checkThreaded(stmt, check));
  if (!isFrom(stage, "lowered")) return;
  const buffers = new Set<VarLike>(f.params.map((p) => p.var));
  eachStmt(f.body, (stmt) => {
    if (stmt.kind === "Assign" && isAlloc(stmt.value)) buffers.add(stmt.target);
  });
  eachExpr(f, (expr, stmt) => checkUse(expr, stmt, buffers, check));
  eachStmt(f.body, (stmt) => checkStmt(stmt, check));
}

const isAlloc = (e: Expr): e is Prim => e.kind === "Prim" && e.op === "alloc_tensor";

/** Calls and memory primitives take arrays by variable. */
function checkFlat(expr: Expr, { reporter }: Check): void {
  if (expr.kind !== "Call" && expr.kind !== "Prim" && expr.kind !== "FunctionCall") return;
  const bad = expr.args.find((a) => a.type.kind === "Tensor" && a.kind !== "Var" && a.kind !== "IterArg");
  if (bad !== undefined) reporter.report("TF5031", bad.meta.span ?? expr.meta.span, { op: expr.kind === "Call" ? expr.callee.name : expr.kind === "Prim" ? `T.${expr.op}` : expr.callee.symbol });
}

/** A write is bound to the newer handle that it gives. */
function checkThreaded(stmt: Stmt, { reporter }: Check): void {
  if (stmt.kind !== "Eval") return;
  const { expr } = stmt;
  if (expr.kind === "Call" && expr.type.kind === "Tensor") reporter.report("TF5036", stmt.meta.span, { op: expr.callee.name });
  if (expr.kind === "FunctionCall" && expr.type.kind !== "Unit") reporter.report("TF5036", stmt.meta.span, { op: expr.callee.symbol });
}

function checkUse(expr: Expr, stmt: Stmt | undefined, buffers: ReadonlySet<VarLike>, { reporter }: Check): void {
  if (expr.kind !== "Prim") return;
  const { effect } = primRow(expr.op);
  const span = expr.meta.span ?? stmt?.meta.span;
  if (effect === "alloc" && !(stmt?.kind === "Assign" && stmt.value === expr)) reporter.report("TF5028", span, {});
  if (effect === "write" && !(stmt?.kind === "Eval" && stmt.expr === expr)) reporter.report("TF5029", span, {});
  for (const arg of expr.args) {
    if ((arg.kind === "Var" || arg.kind === "IterArg") && arg.type.kind === "Tensor" && !buffers.has(arg)) reporter.report("TF5027", span, { name: arg.hint });
  }
}

function checkStmt(stmt: Stmt, check: Check): void {
  const { stage, reporter } = check;
  if (stmt.kind === "Assign" && isAlloc(stmt.value)) {
    if (isFrom(stage, "placed") && stmt.value.attrs.offset === undefined) reporter.report("TF5030", stmt.meta.span, { name: stmt.target.hint });
    return;
  }
  for (const v of [...boundBy(stmt), ...definedBy(stmt)]) {
    if (v.type.kind === "Tensor") reporter.report("TF5026", v.meta.span ?? stmt.meta.span, { name: v.hint, what: arrayText(v, stmt) });
  }
  if (stmt.kind !== "Return") return;
  for (const value of stmt.values) {
    if (value.type.kind === "Tensor") reporter.report("TF5026", stmt.meta.span, { name: value.kind === "Var" ? value.hint : nodeText(value), what: "is returned" });
  }
}

function arrayText(v: Var | VarLike, stmt: Stmt): string {
  if (v.kind === "IterArg") return stmt.kind === "For" ? `${loopText(stmt)} carries it` : `${nodeText(stmt)} carries it`;
  return stmt.kind === "Assign" ? "is assigned a value" : `is a result of ${nodeText(stmt)}`;
}
