// Rewriting of the expressions and blocks of lowered statements; carries whose start changes are made anew, and replaced where they
// occur. Written out by kind and not from the field table: mapping spends most of its time here.

import { assign, evaluate, iterArg, withArgs, type Expr, type For, type IterArg, type Nest, type Prim, type Seq, type Stmt, type VarLike, type While } from "@tilefoundry/ir";
import { plus } from "../index-math.ts";
import { replaceVariables } from "./replace.ts";

/** The statement with each expression it evaluates itself mapped, `init`s of carries included; not what its blocks evaluate. */
export function mapOperands(stmt: Stmt, map: (operand: Expr) => Expr): Stmt {
  switch (stmt.kind) {
    case "Assign": {
      const value = map(stmt.value);
      return value === stmt.value ? stmt : assign(stmt.target, value, stmt.meta);
    }
    case "Eval": {
      const expr = map(stmt.expr);
      return expr === stmt.expr ? stmt : evaluate(expr, stmt.meta);
    }
    case "Yield":
    case "Return": {
      const values = mapList(stmt.values, map);
      return values === stmt.values ? stmt : { kind: stmt.kind, values, meta: stmt.meta };
    }
    case "If": {
      const cond = map(stmt.cond);
      return cond === stmt.cond ? stmt : { ...stmt, cond };
    }
    case "Nest": {
      const extents = mapList(stmt.extents, map);
      return mapCarries(extents === stmt.extents ? stmt : { ...stmt, extents }, map);
    }
    case "While": {
      const cond = map(stmt.cond);
      return mapCarries(cond === stmt.cond ? stmt : { ...stmt, cond }, map);
    }
    case "For": {
      const start = map(stmt.start);
      const stop = map(stmt.stop);
      const step = map(stmt.step);
      const same = start === stmt.start && stop === stmt.stop && step === stmt.step;
      return mapCarries(same ? stmt : { ...stmt, start, stop, step }, map);
    }
    default: return stmt;
  }
}

/** The same list if no element changed. */
export function mapList<T>(list: readonly T[], map: (element: T) => T): readonly T[] {
  let mapped: T[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const element = list[i] as T; // within the length
    const next = map(element);
    if (next !== element) (mapped ??= list.slice())[i] = next;
  }
  return mapped ?? list;
}

function mapCarries<S extends For | While | Nest>(stmt: S, map: (init: Expr) => Expr): S {
  if (stmt.carries.length === 0) return stmt;
  const remade = new Map<VarLike, Expr>();
  const carries = mapList(stmt.carries, (carry) => {
    const init = map(carry.init);
    if (init === carry.init) return carry;
    const made = iterArg(carry.hint, carry.type, init, carry.meta);
    remade.set(carry, made);
    return made;
  });
  return remade.size === 0 ? stmt : withCarries(stmt, carries, remade);
}

function withCarries<S extends For | While | Nest>(stmt: S, carries: readonly IterArg[], remade: ReadonlyMap<VarLike, Expr>): S {
  const cond = stmt.kind === "While" ? { cond: replaceVariables(stmt.cond, remade) } : {};
  return { ...stmt, ...cond, carries, body: replaceVariables(stmt.body, remade) };
}

/** Rewrites an expression of lowered code bottom-up: all that is not a leaf is a primitive. */
export function rewritePrims(e: Expr, rule: (p: Prim) => Expr): Expr {
  if (e.kind !== "Prim") return e;
  const { args } = e;
  let made: Expr[] | undefined;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as Expr; // within the length
    const next = arg.kind === "Prim" ? rewritePrims(arg, rule) : arg;
    if (next !== arg) (made ??= args.slice())[i] = next;
  }
  return rule(made === undefined ? e : withArgs(e, made));
}

/** The block with each statement replaced by some; the same object if all stayed. */
export function flatMapBlock(block: Seq, map: (stmt: Stmt) => readonly Stmt[]): Seq {
  const stmts: Stmt[] = [];
  let same = true;
  for (const stmt of block.stmts) {
    const made = map(stmt);
    if (made.length !== 1 || made[0] !== stmt) same = false;
    for (const s of made) stmts.push(s);
  }
  return same ? block : { kind: "Seq", stmts, meta: block.meta };
}

/** The block with each statement mapped; the same object if all stayed. */
export function mapStmts(block: Seq, map: (stmt: Stmt) => Stmt): Seq {
  const stmts = mapList(block.stmts, map);
  return stmts === block.stmts ? block : { kind: "Seq", stmts, meta: block.meta };
}

/** Without an addition of zero to an index value. */
export function cleanSum(p: Prim): Expr {
  if (p.op !== "add" || p.type.kind !== "Scalar" || p.type.dtype !== "index") return p;
  const [a, b] = p.args;
  return a !== undefined && b !== undefined && (a.kind === "Const" || b.kind === "Const") ? sameOr(p, plus(a, b)) : p;
}

/** A sum that `plus` cannot shorten stays the same object. */
const sameOr = (before: Prim, after: Expr): Expr =>
  after.kind === "Prim" && after.op === before.op && after.args.every((a, i) => a === before.args[i]) ? before : after;
