// Verifier, kinds: every node may stand at the stage, and no value is of type Unknown.

import type { Expr, Node, VarLike } from "./nodes.ts";
import type { PrimOp } from "./prim-names.ts";
import { MATH_PRIMS } from "./prims.ts";
import { STAGE_KINDS } from "./stages.ts";
import { eachExpr, isFrom, nodeText, type Check } from "./verify-check.ts";
import { variablesOf } from "./fresh.ts";
import { eachStmt } from "./walk.ts";

export function checkKinds(check: Check): void {
  const { f, stage, reporter } = check;
  const admitted: ReadonlySet<Node["kind"]> = new Set(STAGE_KINDS[stage]);
  const admit = (node: Node): void => {
    if (!admitted.has(node.kind)) reporter.report("TF5001", node.meta.span, { what: nodeText(node), stage });
  };
  if (f.func === "graph" && stage !== "parsed") reporter.report("TF5001", f.meta.span, { what: `\`${f.name}\`, a function of values,`, stage });
  if (f.body.kind === "Seq") eachStmt(f.body, admit);
  eachExpr(f, (expr) => {
    admit(expr);
    checkExpr(expr, check);
  });
  for (const v of variablesOf(f)) checkKnown(v, check);
}

const math: ReadonlySet<PrimOp> = new Set<PrimOp>(MATH_PRIMS);

function checkExpr(expr: Expr, check: Check): void {
  const { stage, reporter } = check;
  if (expr.kind === "Prim" && math.has(expr.op) && isFrom(stage, "placed")) reporter.report("TF5035", expr.meta.span, { op: expr.op, stage });
  if (expr.kind !== "Var" && expr.kind !== "IterArg") checkKnown(expr, check);
}

function checkKnown(expr: Expr | VarLike, { reporter }: Check): void {
  if (expr.type.kind === "Unknown") reporter.report("TF5021", expr.meta.span, { what: nodeText(expr) });
}
