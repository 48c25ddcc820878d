// Expands math functions into the other primitives, so that all targets compute the same bits. The steps of an expansion are bound above the
// statement that holds it; in the condition of a loop, where no statement can stand, they are written out.

import {
  assign, iterArg, mapChildren, MATH_PRIMS, namesOf, rewriteExpr, seq, substitute, variable, type Expr, type FunctionNode, type MathPrim, type Names, type Node, type Prim, type Seq, type Stmt, type VarLike,
} from "@tilefoundry/ir";
import { expandExp, type Bind } from "./expand-math/exp.ts";
import { eachFunction, type Pass } from "./pass.ts";

/** How each math function expands. */
const EXPANSIONS: Readonly<Record<MathPrim, (x: Expr, bind: Bind) => Expr>> = { exp: expandExp };

const isMath = (p: Prim): boolean => (MATH_PRIMS as readonly string[]).includes(p.op);

export const expandMath = {
  name: "expand-math",
  from: "mapped",
  to: "mapped",
  doc: "Expands math functions into the other primitives.",
  run: eachFunction(expandFunction),
} as const satisfies Pass;

function expandFunction(fn: FunctionNode): FunctionNode {
  if (fn.body.kind !== "Seq") return fn;
  const body = expandBlock(fn.body, namesOf(fn));
  return body === fn.body ? fn : { ...fn, body };
}

function expandBlock(block: Seq, names: Names): Seq {
  const stmts = block.stmts.flatMap((stmt) => expandStmt(stmt, names));
  return stmts.length === block.stmts.length && stmts.every((s, i) => s === block.stmts[i]) ? block : seq(stmts, block.meta);
}

function expandStmt(stmt: Stmt, names: Names): readonly Stmt[] {
  const steps: Stmt[] = [];
  const bind: Bind = (hint, value) => {
    const step = variable(names.fresh(`exp_${hint}`), value.type);
    steps.push(assign(step, value));
    return step;
  };
  const rebuilt = mapChildren(stmt, (child, role): Node => {
    if (child.kind === "Seq") return expandBlock(child, names);
    if (role === "inner") return expandExpr(child as Expr, (_hint, value) => value); // the role holds expressions
    if (role === "use" || role === "uses") return expandExpr(child as Expr, bind);
    return child;
  });
  return [...steps, withStarts(rebuilt, bind)];
}

/** A carry starts outside of its loop: one whose start holds a math function is made anew, and takes the old one's place inside. */
function withStarts(stmt: Stmt, bind: Bind): Stmt {
  if (stmt.kind !== "For" && stmt.kind !== "While" && stmt.kind !== "Nest") return stmt;
  const renewed = new Map<VarLike, Expr>();
  const carries = stmt.carries.map((carry) => {
    const init = expandExpr(carry.init, bind);
    if (init === carry.init) return carry;
    const made = iterArg(carry.hint, carry.type, init, carry.meta);
    renewed.set(carry, made);
    return made;
  });
  if (renewed.size === 0) return stmt;
  const body = substitute(stmt.body, renewed);
  return stmt.kind === "While" ? { ...stmt, carries, cond: substitute(stmt.cond, renewed), body } : { ...stmt, carries, body };
}

function expandExpr(expr: Expr, bind: Bind): Expr {
  return rewriteExpr(expr, {
    Prim: (p) => {
      const [x] = p.args;
      return isMath(p) && x !== undefined ? EXPANSIONS[p.op as MathPrim](x, bind) : p; // isMath
    },
  });
}
