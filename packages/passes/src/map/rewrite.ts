// Rewriting of the expressions and blocks of lowered statements; carries whose start changes are made anew, and replaced where they
// occur. Written out by kind and not from the field table: mapping spends most of its time here.

import {
  iterArg, mapBlocks, substitute, withArgs,
  type Expr, type For, type Nest, type Prim, type Seq, type Stmt, type VarLike, type While,
} from "@tilefoundry/ir";
import { plus } from "../index-math.ts";

/** The statement with each expression it evaluates itself mapped, `init`s of carries included; not what its blocks evaluate. */
export function mapOperands(stmt: Stmt, map: (operand: Expr) => Expr): Stmt {
  switch (stmt.kind) {
    case "Assign": return changedField(stmt, "value", stmt.value, map(stmt.value));
    case "Eval": return changedField(stmt, "expr", stmt.expr, map(stmt.expr));
    case "Yield":
    case "Return": return changedField(stmt, "values", stmt.values, mapList(stmt.values, map));
    case "If": return changedField(stmt, "cond", stmt.cond, map(stmt.cond));
    case "Nest": return mapCarries(changedField(stmt, "extents", stmt.extents, mapList(stmt.extents, map)), map);
    case "While": return mapCarries(changedField(stmt, "cond", stmt.cond, map(stmt.cond)), map);
    case "For": {
      const [start, stop, step] = [map(stmt.start), map(stmt.stop), map(stmt.step)];
      const same = start === stmt.start && stop === stmt.stop && step === stmt.step;
      return mapCarries(same ? stmt : { ...stmt, start, stop, step }, map);
    }
    default: return stmt;
  }
}

function changedField<S extends Stmt, F extends keyof S>(stmt: S, field: F, before: S[F], after: S[F]): S {
  return before === after ? stmt : { ...stmt, [field]: after };
}

/** No new list is made until an element changes. */
function mapList<T>(list: readonly T[], map: (element: T) => T): readonly T[] {
  let mapped: T[] | undefined;
  for (const [i, element] of list.entries()) {
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
  if (remade.size === 0) return stmt;
  const cond = stmt.kind === "While" ? { cond: substitute(stmt.cond, remade) } : {};
  return { ...stmt, ...cond, carries, body: substitute(stmt.body, remade) };
}

/** Rewrites an expression of lowered code bottom-up: all that is not a leaf is a primitive. */
export function rewritePrims(e: Expr, rule: (p: Prim) => Expr): Expr {
  if (e.kind !== "Prim") return e;
  const args = mapList(e.args, (a) => rewritePrims(a, rule));
  return rule(withArgs(e, args));
}

/** The block with each statement replaced by some; the same object if all stayed. */
export function flatMapBlock(block: Seq, map: (stmt: Stmt) => readonly Stmt[]): Seq {
  const stmts: Stmt[] = [];
  let same = true;
  for (const stmt of block.stmts) {
    const made = map(stmt);
    if (made.length !== 1 || made[0] !== stmt) same = false;
    stmts.push(...made);
  }
  return same ? block : { ...block, stmts };
}

/** Replaces index variables by expressions and takes out the additions of zero that this leaves. */
export function replaceIndices(block: Seq, replacements: ReadonlyMap<VarLike, Expr>): Seq {
  return replacements.size === 0 ? block : cleanBlock(substitute(block, replacements));
}

function cleanBlock(block: Seq): Seq {
  return flatMapBlock(block, (stmt) => [mapBlocks(mapOperands(stmt, cleanIndex), cleanBlock)]);
}

/** Without additions of zero to index values. */
export function cleanIndex(e: Expr): Expr {
  return rewritePrims(e, (p) => {
    if (p.op !== "add" || p.type.kind !== "Scalar" || p.type.dtype !== "index") return p;
    const [a, b] = p.args;
    return a !== undefined && b !== undefined && (isLiteral(a) || isLiteral(b)) ? sameOr(p, plus(a, b)) : p;
  });
}

const isLiteral = (e: Expr): boolean => e.kind === "Const";

/** A sum that `plus` cannot shorten stays the same object. */
const sameOr = (before: Prim, after: Expr): Expr =>
  after.kind === "Prim" && after.op === before.op && after.args.every((a, i) => a === before.args[i]) ? before : after;
