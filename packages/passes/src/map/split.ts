// Nests of one axis each, without axes of extent 1: the form in which mapping fuses and orders them.

import {
  assign, INDEX, isVarLike, iterArg, mapBlocks, nest, reduceNest, seq, toDim, toExpr, variable, yieldValues,
  type Expr, type IterArg, type Meta, type Nest, type Seq, type Stmt, type Var, type VarLike,
} from "@tilefoundry/ir";
import { isIndexConst } from "../index-math.ts";
import { ZERO } from "../lower-ops/state.ts";
import { yieldedBy } from "./effects.ts";
import { replaceBlock, replaceVariables } from "./replace.ts";
import { cleanSum, flatMapBlock } from "./rewrite.ts";

export function splitBlock(block: Seq): Seq {
  return flatMapBlock(block, (stmt) => (stmt.kind === "Nest" ? splitNest(stmt) : [mapBlocks(stmt, (inner) => splitBlock(inner))]));
}

interface Level {
  readonly axis: Var;
  readonly extent: Expr;
}

function splitNest(stmt: Nest): readonly Stmt[] {
  const bound: Stmt[] = [];
  const kept: Level[] = [];
  const dropped = new Map<VarLike, Expr>();
  for (const [i, axis] of stmt.axes.entries()) {
    const extent = atomic(stmt.extents[i] ?? ZERO, bound);
    if (isIndexConst(extent, 1)) dropped.set(axis, ZERO);
    else kept.push({ axis, extent });
  }
  const body = splitBlock(dropped.size === 0 ? stmt.body : replaceBlock(stmt.body, { values: dropped, rule: cleanSum }));
  if (kept.length === 1 && dropped.size === 0 && bound.length === 0 && body === stmt.body && kept[0]?.extent === stmt.extents[0]) return [stmt];
  const levels = stmt.reduce ? reduction(kept, stmt, body) : parallel(kept, body, stmt.meta);
  return bound.length === 0 ? levels : [...bound, ...levels];
}

/** An extent is used more than once: it becomes a literal or a variable. */
function atomic(extent: Expr, bound: Stmt[]): Expr {
  if (isVarLike(extent) || extent.kind === "Const") return extent;
  const dim = toDim(extent);
  const spelled = dim === undefined ? extent : toExpr(dim);
  if (isVarLike(spelled) || spelled.kind === "Const") return spelled;
  const target = variable("n", INDEX);
  bound.push(assign(target, spelled));
  return target;
}

function parallel(levels: readonly Level[], body: Seq, meta: Meta): readonly Stmt[] {
  return levels.reduceRight<readonly Stmt[]>((stmts, { axis, extent }) => [nest([axis], [extent], seq(stmts), meta)], body.stmts);
}

function reduction(levels: readonly Level[], { carries, results, meta }: Nest, body: Seq): readonly Stmt[] {
  return levels.length === 0 ? onceOnly(carries, results, body) : [reduceLevels(levels, carries, results, body, meta)];
}

/** Each inner axis starts from what the axis outside it has so far. */
function reduceLevels(levels: readonly Level[], carries: readonly IterArg[], results: readonly Var[], body: Seq, meta: Meta): Nest {
  const [first, ...rest] = levels;
  const axes = first === undefined ? [] : [first.axis];
  const extents = first === undefined ? [] : [first.extent];
  if (rest.length === 0) return reduceNest(axes, extents, carries, body, results, meta);
  const outer = carries.map((c) => iterArg(c.hint, c.type, c.init));
  const inner = carries.map((c, i) => iterArg(c.hint, c.type, outer[i] ?? c.init));
  const innerBody = replaceVariables(body, new Map(carries.map((c, i) => [c, inner[i] ?? c])));
  const innerResults = results.map((r) => variable(r.hint, r.type));
  const innerNest = reduceLevels(rest, inner, innerResults, innerBody, meta);
  return reduceNest(axes, extents, outer, seq([innerNest, yieldValues(innerResults)]), results, meta);
}

/** A reduction of one step: its body with the carries replaced by what they start from. */
function onceOnly(carries: readonly IterArg[], results: readonly Var[], body: Seq): readonly Stmt[] {
  const starts: Stmt[] = [];
  const replacements = new Map<VarLike, Expr>();
  for (const c of carries) {
    const start = c.init.kind === "Const" || isVarLike(c.init) ? c.init : variable(c.hint, c.type);
    if (start !== c.init && start.kind === "Var") starts.push(assign(start, c.init));
    replacements.set(c, start);
  }
  const once = replaceVariables(body, replacements);
  const values = yieldedBy(once);
  return [...starts, ...once.stmts.slice(0, -1), ...results.map((r, i) => assign(r, values[i] ?? ZERO))];
}
