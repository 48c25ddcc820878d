// Rewriting of the expressions and blocks of statements; carries whose start changes are made anew, and replaced where they occur.

import { isVarLike, iterArg, mapChildren, rewriteExpr, substitute, type Expr, type IterArg, type Seq, type Stmt, type VarLike } from "@tilefoundry/ir";
import { plus } from "../index-math.ts";

/** The statement with each expression it evaluates itself mapped, `init`s of carries included; not what its blocks evaluate. */
export function mapOperands(stmt: Stmt, map: (operand: Expr) => Expr): Stmt {
  const remade = new Map<VarLike, Expr>();
  const mapped = mapChildren(stmt, (child, role) => {
    if (role === "use" || role === "uses" || role === "inner") return map(child as Expr); // the roles hold expressions
    if (role !== "binds" || child.kind !== "IterArg") return child;
    const made = withInit(child, map(child.init));
    if (made !== child) remade.set(child, made);
    return made;
  });
  return remade.size === 0 ? mapped : replaceInside(mapped, remade);
}

function withInit(carry: IterArg, init: Expr): IterArg {
  return init === carry.init ? carry : iterArg(carry.hint, carry.type, init, carry.meta);
}

/** Replaces carries where the statement that binds them uses them: in its blocks and in the condition of a `while`. */
function replaceInside(stmt: Stmt, remade: ReadonlyMap<VarLike, Expr>): Stmt {
  return mapChildren(stmt, (child, role) => {
    if (role === "body") return substitute(child as Seq, remade); // a body is a block
    return role === "inner" ? substitute(child as Expr, remade) : child; // an inner field is an expression
  });
}

export function mapBlocks(stmt: Stmt, map: (block: Seq) => Seq): Stmt {
  return mapChildren(stmt, (child, role) => (role === "body" ? map(child as Seq) : child)); // a body is a block
}

/** The block with each statement replaced by some; the same object if all stayed. */
export function flatMapBlock(block: Seq, map: (stmt: Stmt) => readonly Stmt[]): Seq {
  const stmts = block.stmts.flatMap((stmt) => map(stmt));
  const same = stmts.length === block.stmts.length && stmts.every((s, i) => s === block.stmts[i]);
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
  if (isVarLike(e)) return e;
  return rewriteExpr(e, {
    Prim: (p) => {
      const [a, b] = p.args;
      const isIndex = p.op === "add" && p.type.kind === "Scalar" && p.type.dtype === "index";
      return isIndex && a !== undefined && b !== undefined && (isLiteral(a) || isLiteral(b)) ? sameOr(p, plus(a, b)) : p;
    },
  });
}

const isLiteral = (e: Expr): boolean => e.kind === "Const";

/** A sum that `plus` cannot shorten stays the same object. */
const sameOr = (before: Expr, after: Expr): Expr => (after.kind === "Prim" && before.kind === "Prim" && after.op === before.op && after.args.every((a, i) => a === before.args[i]) ? before : after);
