// Expands math functions into the other primitives, so that all targets compute the same bits. The steps of an expansion are bound
// above the statement that holds it. Above the condition of a `while`, which is evaluated again and again, nothing can stand: such a
// loop carries whether it goes on, and computes that before it begins and at the end of its body.

import {
  assign, bodyOf, BOOL, isVarLike, iterArg, mapBlocks, MATH_PRIMS, namesOf, seq, someOperand, substitute, variable, whileLoop, withArgs, withStmts, yieldValues,
  type Expr, type FunctionNode, type IterArg, type MathPrim, type Names, type PrimOp, type Seq, type Stmt, type VarLike, type While,
} from "@tilefoundry/ir";
import { expandExp, expandExp2 } from "./expand-math/exp.ts";
import { expandErf, expandTanh } from "./expand-math/hyperbolic.ts";
import { expandLog, expandLog2 } from "./expand-math/log.ts";
import type { Expansion } from "./expand-math/steps.ts";
import { expandCos, expandSin } from "./expand-math/trigonometry.ts";
import { mapList, mapOperands } from "./map/rewrite.ts";
import { eachFunction, type Pass, type PassContext } from "./pass.ts";
import { simplifyFunction } from "./simplify.ts";

/** How each math function expands. */
export const EXPANSIONS: Readonly<Record<MathPrim, Expansion>> = {
  exp: expandExp,
  exp2: expandExp2,
  log: expandLog,
  log2: expandLog2,
  sin: expandSin,
  cos: expandCos,
  tanh: expandTanh,
  erf: expandErf,
};

const MATH: ReadonlySet<PrimOp> = new Set<PrimOp>(MATH_PRIMS);

const isMath = (op: PrimOp): op is MathPrim => MATH.has(op);

export const expandMath = {
  name: "expand-math",
  from: "mapped",
  to: "mapped",
  doc: "Expands math functions into the other primitives.",
  run: eachFunction(expandFunction),
} as const satisfies Pass;

interface Expanding {
  readonly names: Names;
  readonly block: (block: Seq) => Seq;
  /** Whether something became simpler than an expansion is by itself: a literal was expanded, or a loop rewritten. */
  simpler: boolean;
}

function expandFunction(f: FunctionNode, context: PassContext): FunctionNode {
  const body = bodyOf(f);
  if (body === undefined) return f;
  const x: Expanding = { names: namesOf(f), block: (block) => expandBlock(block, x), simpler: false };
  const expanded = expandBlock(body, x);
  if (expanded === body) return f;
  const made = { ...f, body: expanded };
  return x.simpler ? simplifyFunction(made, context) : made;
}

function expandBlock(block: Seq, x: Expanding): Seq {
  const stmts: Stmt[] = [];
  for (const stmt of block.stmts) {
    if (stmt.kind === "While" && holdsMath(stmt.cond)) stmts.push(...expandWhile(stmt, x));
    else stmts.push(mapBlocks(someOperand(stmt, holdsMath) ? mapOperands(stmt, (operand) => expandExpr(operand, stmts, x)) : stmt, x.block));
  }
  return withStmts(block, stmts);
}

/** The steps of expansions are bound in `steps`. */
function expandExpr(expr: Expr, steps: Stmt[], x: Expanding): Expr {
  if (expr.kind !== "Prim" || !holdsMath(expr)) return expr;
  const args = mapList(expr.args, (arg) => expandExpr(arg, steps, x));
  const [argument] = args;
  if (!isMath(expr.op) || argument === undefined) return withArgs(expr, args);
  if (argument.kind === "Const") x.simpler = true;
  return EXPANSIONS[expr.op](argument, (hint, value) => named(`${expr.op}_${hint}`, value, steps, x));
}

function named(hint: string, value: Expr, steps: Stmt[], x: Expanding): Expr {
  if (isVarLike(value) || value.kind === "Const") return value;
  const step = variable(x.names.fresh(hint), value.type);
  steps.push(assign(step, value));
  return step;
}

function holdsMath(expr: Expr): boolean {
  if (expr.kind !== "Prim") return false;
  if (isMath(expr.op)) return true;
  for (const arg of expr.args) if (holdsMath(arg)) return true;
  return false;
}

// — while —

/** The loop with one more carry, `going`: its condition at the start, then with what each iteration yields. */
function expandWhile(loop: While, x: Expanding): readonly Stmt[] {
  x.simpler = true;
  const before: Stmt[] = [];
  const { carries } = loop;
  const starts = carries.map((c) => named(c.hint, expandExpr(c.init, before, x), before, x));
  const remade = carries.map((c, i): IterArg => (starts[i] === c.init ? c : iterArg(c.hint, c.type, starts[i] ?? c.init, c.meta)));
  const going = iterArg(x.names.fresh("going"), BOOL, conditionAt(loop, starts, before, x));
  const body = substitute(loop.body, new Map(carries.map((c, i) => [c, remade[i] ?? c])));
  const inside = [...expandBlock(body, x).stmts];
  const last = inside.at(-1);
  const given = last?.kind === "Yield" ? last.values : [];
  if (last?.kind === "Yield") inside.pop();
  const values = given.map((v, i) => named(carries[i]?.hint ?? "value", v, inside, x));
  const again = conditionAt(loop, values, inside, x);
  inside.push(yieldValues([...values, again], last?.meta));
  const results = [...loop.results, variable(x.names.fresh("going"), BOOL)];
  return [...before, whileLoop(going, seq(inside, loop.body.meta), [...remade, going], results, loop.meta)];
}

/** The condition for values of the carries, its steps bound in a block. */
function conditionAt({ carries, cond }: While, values: readonly Expr[], steps: Stmt[], x: Expanding): Expr {
  const replacements = new Map<VarLike, Expr>(carries.map((c, i) => [c, values[i] ?? c]));
  return expandExpr(substitute(cond, replacements), steps, x);
}
