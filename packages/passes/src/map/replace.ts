// Variables of lowered code replaced wherever they occur, binders made anew where their names, types or starts change. What
// `substitute` does for any code; written out for lowered code, in which all that is no leaf is a primitive.

import {
  assign, evaluate, ifThen, isStatic, isVarLike, iterArg, nest, prim, reduceNest, substituteType, variable, whileLoop, withArgs,
  type Expr, type For, type If, type IterArg, type Nest, type Prim, type Seq, type Stmt, type Type, type Var, type VarLike, type While,
} from "@tilefoundry/ir";

export interface Replacing {
  /** What stands for a variable: given at first, and a new variable for each binder that had to change. */
  readonly values: Map<VarLike, Expr>;
  /** The name of the new variable that a binder becomes; undefined for one that stays, as without this all do. */
  readonly rename?: (v: VarLike) => string | undefined;
  /** Sees each primitive after its operands. */
  readonly rule?: (p: Prim) => Expr;
}

/** Replaces free variables. */
export function replaceVariables(node: Expr, values: ReadonlyMap<VarLike, Expr>): Expr;
export function replaceVariables(node: Seq, values: ReadonlyMap<VarLike, Expr>): Seq;
export function replaceVariables(node: Expr | Seq, values: ReadonlyMap<VarLike, Expr>): Expr | Seq {
  const r: Replacing = { values: new Map(values) };
  return node.kind === "Seq" ? replaceBlock(node, r) : replaceExpr(node, r);
}

// — expressions —

export function replaceExpr(e: Expr, r: Replacing): Expr {
  if (e.kind !== "Prim") return isVarLike(e) ? (r.values.get(e) ?? e) : e;
  const next = e.op === "alloc_tensor" ? replaceAllocation(e, r) : withArgs(e, replaceExprs(e.args, r));
  return r.rule === undefined || next.kind !== "Prim" ? next : r.rule(next);
}

function replaceExprs(list: readonly Expr[], r: Replacing): readonly Expr[] {
  let made: Expr[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const e = list[i] as Expr; // within the length
    const next = replaceExpr(e, r);
    if (next !== e) (made ??= list.slice())[i] = next;
  }
  return made ?? list;
}

function replaceAllocation(e: Prim, r: Replacing): Prim {
  const { type } = e.attrs;
  const next = type && replaceType(type, r);
  return next === undefined || next === type ? e : prim(e.op, e.args, { ...e.attrs, type: next }, e.meta);
}

/** Extents may name variables. */
const replaceType = <T extends Type>(type: T, r: Replacing): T =>
  type.kind === "Tensor" && !type.shape.every(isStatic) ? substituteType(type, r.values) : type;

// — statements —

export function replaceBlock(block: Seq, r: Replacing): Seq {
  let made: Stmt[] | undefined;
  const { stmts } = block;
  for (let i = 0; i < stmts.length; i++) {
    const stmt = stmts[i] as Stmt; // within the length
    const next = replaceStmt(stmt, r);
    if (next !== stmt) (made ??= stmts.slice())[i] = next;
  }
  return made === undefined ? block : { kind: "Seq", stmts: made, meta: block.meta };
}

export function replaceStmt(stmt: Stmt, r: Replacing): Stmt {
  switch (stmt.kind) {
    case "Assign": {
      const value = replaceExpr(stmt.value, r);
      const target = replaceVar(stmt.target, r);
      return value === stmt.value && target === stmt.target ? stmt : assign(target, value, stmt.meta);
    }
    case "Eval": {
      const expr = replaceExpr(stmt.expr, r);
      return expr === stmt.expr ? stmt : evaluate(expr, stmt.meta);
    }
    case "Yield":
    case "Return": {
      const values = replaceExprs(stmt.values, r);
      return values === stmt.values ? stmt : { kind: stmt.kind, values, meta: stmt.meta };
    }
    case "If": return replaceIf(stmt, r);
    case "For": return replaceFor(stmt, r);
    case "While": return replaceWhile(stmt, r);
    case "Nest": return replaceNest(stmt, r);
    default: return stmt;
  }
}

function replaceIf(stmt: If, r: Replacing): If {
  const cond = replaceExpr(stmt.cond, r);
  const then = replaceBlock(stmt.then, r);
  const orElse = stmt.else && replaceBlock(stmt.else, r);
  const results = replaceBinders(stmt.results, r, replaceVar);
  const same = cond === stmt.cond && then === stmt.then && orElse === stmt.else && results === stmt.results;
  return same ? stmt : ifThen(cond, then, orElse, results, stmt.meta);
}

function replaceFor(stmt: For, r: Replacing): For {
  const start = replaceExpr(stmt.start, r);
  const stop = replaceExpr(stmt.stop, r);
  const step = replaceExpr(stmt.step, r);
  const carries = replaceBinders(stmt.carries, r, replaceCarry);
  const loopVar = replaceVar(stmt.loopVar, r);
  const body = replaceBlock(stmt.body, r);
  const results = replaceBinders(stmt.results, r, replaceVar);
  const sameRange = start === stmt.start && stop === stmt.stop && step === stmt.step && loopVar === stmt.loopVar;
  const same = sameRange && carries === stmt.carries && body === stmt.body && results === stmt.results;
  if (same) return stmt;
  const { mode, level, stages, meta } = stmt;
  return { kind: "For", mode, level, stages, start, stop, step, carries, loopVar, body, results, meta };
}

function replaceWhile(stmt: While, r: Replacing): While {
  const carries = replaceBinders(stmt.carries, r, replaceCarry);
  const cond = replaceExpr(stmt.cond, r);
  const body = replaceBlock(stmt.body, r);
  const results = replaceBinders(stmt.results, r, replaceVar);
  const same = carries === stmt.carries && cond === stmt.cond && body === stmt.body && results === stmt.results;
  return same ? stmt : whileLoop(cond, body, carries, results, stmt.meta);
}

function replaceNest(stmt: Nest, r: Replacing): Nest {
  const extents = replaceExprs(stmt.extents, r);
  const carries = replaceBinders(stmt.carries, r, replaceCarry);
  const axes = replaceBinders(stmt.axes, r, replaceVar);
  const body = replaceBlock(stmt.body, r);
  const results = replaceBinders(stmt.results, r, replaceVar);
  const sameRange = extents === stmt.extents && axes === stmt.axes;
  const same = sameRange && carries === stmt.carries && body === stmt.body && results === stmt.results;
  if (same) return stmt;
  return stmt.reduce ? reduceNest(axes, extents, carries, body, results, stmt.meta) : nest(axes, extents, body, stmt.meta);
}

// — binders —

function replaceBinders<V extends VarLike>(list: readonly V[], r: Replacing, replace: (v: V, r: Replacing) => V): readonly V[] {
  let made: V[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const v = list[i] as V; // within the length
    const next = replace(v, r);
    if (next !== v) (made ??= list.slice())[i] = next;
  }
  return made ?? list;
}

function replaceVar(v: Var, r: Replacing): Var {
  const type = replaceType(v.type, r);
  const hint = r.rename?.(v);
  if (type === v.type && hint === undefined) return v;
  const made = variable(hint ?? v.hint, type, v.meta, v.isConst);
  r.values.set(v, made);
  return made;
}

function replaceCarry(v: IterArg, r: Replacing): IterArg {
  const init = replaceExpr(v.init, r);
  const type = replaceType(v.type, r);
  const hint = r.rename?.(v);
  if (init === v.init && type === v.type && hint === undefined) return v;
  const made = iterArg(hint ?? v.hint, type, init, v.meta);
  r.values.set(v, made);
  return made;
}
