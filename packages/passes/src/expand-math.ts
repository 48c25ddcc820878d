// Expands math functions into the other primitives, so that all targets compute the same bits. The steps of an expansion are bound
// above the statement that holds it. Above the condition of a `while`, which is evaluated again and again, nothing can stand: such a
// loop carries whether it goes on, and computes that before it begins and at the end of its body.

import {
  assign, BOOL, isVarLike, iterArg, mapChildren, MATH_PRIMS, namesOf, rewriteExpr, seq, substitute, variable, whileLoop, yieldValues,
  type Expr, type FunctionNode, type IterArg, type MathPrim, type Names, type Node, type Prim, type Seq, type Stmt, type VarLike, type While,
} from "@tilefoundry/ir";
import { expandExp, type Bind } from "./expand-math/exp.ts";
import { mapOperands } from "./map/rewrite.ts";
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

function expandFunction(f: FunctionNode): FunctionNode {
  if (f.body.kind !== "Seq") return f;
  const body = expandBlock(f.body, namesOf(f));
  return body === f.body ? f : { ...f, body };
}

function expandBlock(block: Seq, names: Names): Seq {
  const stmts = block.stmts.flatMap((stmt) => (stmt.kind === "While" && holdsMath(stmt.cond) ? expandWhile(stmt, names) : expandStmt(stmt, names)));
  return stmts.length === block.stmts.length && stmts.every((s, i) => s === block.stmts[i]) ? block : seq(stmts, block.meta);
}

function expandStmt(stmt: Stmt, names: Names): readonly Stmt[] {
  const steps: Stmt[] = [];
  const rebuilt = mapOperands(stmt, (operand) => expandExpr(operand, bindInto(steps, names)));
  return [...steps, mapChildren(rebuilt, (child, role): Node => (role === "body" ? expandBlock(child as Seq, names) : child))]; // a body is a block
}

const bindInto = (steps: Stmt[], names: Names): Bind => (hint, value) => named(`exp_${hint}`, value, steps, names);

function named(hint: string, value: Expr, steps: Stmt[], names: Names): Expr {
  if (isVarLike(value) || value.kind === "Const") return value;
  const step = variable(names.fresh(hint), value.type);
  steps.push(assign(step, value));
  return step;
}

function expandExpr(expr: Expr, bind: Bind): Expr {
  if (!holdsMath(expr)) return expr;
  return rewriteExpr(expr, {
    Prim: (p) => {
      const [x] = p.args;
      return isMath(p) && x !== undefined ? EXPANSIONS[p.op as MathPrim](x, bind) : p; // isMath
    },
  });
}

function holdsMath(expr: Expr): boolean {
  return expr.kind === "Prim" && (isMath(expr) || expr.args.some(holdsMath));
}

// — while —

/** The loop with one more carry, `going`: its condition at the start, then with what each iteration yields. */
function expandWhile(loop: While, names: Names): readonly Stmt[] {
  const before: Stmt[] = [];
  const { carries } = loop;
  const starts = carries.map((c) => named(c.hint, expandExpr(c.init, bindInto(before, names)), before, names));
  const remade = carries.map((c, i): IterArg => (starts[i] === c.init ? c : iterArg(c.hint, c.type, starts[i] ?? c.init, c.meta)));
  const going = iterArg(names.fresh("going"), BOOL, conditionAt(loop, starts, before, names));
  const body = substitute(loop.body, new Map(carries.map((c, i) => [c, remade[i] ?? c])));
  const inside = [...expandBlock(body, names).stmts];
  const last = inside.at(-1);
  const given = last?.kind === "Yield" ? last.values : [];
  if (last?.kind === "Yield") inside.pop();
  const values = given.map((v, i) => named(carries[i]?.hint ?? "value", v, inside, names));
  const again = conditionAt(loop, values, inside, names);
  inside.push(yieldValues([...values, again], last?.meta));
  const results = [...loop.results, variable(names.fresh("going"), BOOL)];
  return [...before, whileLoop(going, seq(inside, loop.body.meta), [...remade, going], results, loop.meta)];
}

/** The condition for values of the carries, its steps bound in a block. */
function conditionAt({ carries, cond }: While, values: readonly Expr[], steps: Stmt[], names: Names): Expr {
  const replacements = new Map<VarLike, Expr>(carries.map((c, i) => [c, values[i] ?? c]));
  return expandExpr(substitute(cond, replacements), bindInto(steps, names));
}
