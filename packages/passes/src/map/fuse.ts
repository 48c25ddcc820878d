// Nests over equal extents that touch the same buffers become one, if each iteration of the second needs only its own iteration of
// the first: a row is then finished while it is in the cache, and what one nest stored the other finds in a register.

import {
  assign, blocksOf, isStatic, mapBlocks, nest, reduceNest, seq, substitute, toDim, variable, yieldValues,
  type Expr, type Nest, type Prim, type Seq, type Stmt, type VarLike,
} from "@tilefoundry/ir";
import { sameIndex } from "../index-math.ts";
import { accessOf, commutes, eachAccess, effectsOf, intersects, yieldedBy, type Access } from "./effects.ts";
import type { Mapping } from "./mapping.ts";
import { rewritePrims } from "./rewrite.ts";
import { isContraction, lanesOfNest, perfectDepth } from "./shape.ts";

/** How many statements a nest may be moved up over to meet another. */
const REACH = 16;

export function fuseNests(m: Mapping, block: Seq): Seq {
  const out: Stmt[] = [];
  let changed = false;
  for (const stmt of block.stmts) {
    const fused = stmt.kind === "Nest" && stmt.axes.length === 1 && fuseBack(m, out, stmt);
    if (fused) changed = true;
    else out.push(stmt);
  }
  const stmts = out.map((stmt) => mapBlocks(stmt, (inner) => fuseNests(m, inner)));
  return !changed && stmts.every((s, i) => s === block.stmts[i]) ? block : { ...block, stmts };
}

/** Fuses the nest with an earlier one of the block, over statements that may stand after or go before both. */
function fuseBack(m: Mapping, out: Stmt[], second: Nest): boolean {
  const lifted: Stmt[] = [];
  for (let at = out.length - 1; at >= Math.max(0, out.length - REACH); at--) {
    const first = out[at];
    if (first === undefined) return false;
    if (first.kind === "Nest" && canFuse(m, first, second) && lifted.every((s) => commutes(first, s))) {
      const between = out.slice(at + 1).filter((s) => !lifted.includes(s));
      out.splice(at, out.length - at, ...lifted, fuse(m, first, second), ...between);
      return true;
    }
    if ([second, ...lifted].every((s) => commutes(first, s))) continue;
    if (!isLiftable(first)) return false;
    lifted.unshift(first);
  }
  return false;
}

/** Allocations and scalars computed from scalars may stand earlier. */
const isLiftable = (stmt: Stmt): boolean => stmt.kind === "Assign" && effectsOf(stmt).reads.size === 0;

// — whether —

function canFuse(m: Mapping, first: Nest, second: Nest): boolean {
  const [a, b] = [first.axes[0], second.axes[0]];
  if (a === undefined || b === undefined || !sameExtent(m, first, second)) return false;
  const [x, y] = [effectsOf(first), effectsOf(second)];
  if (x.defines.some((v) => y.uses.has(v))) return false;
  const shares = intersects(x.writes, y.reads) || intersects(x.reads, y.reads) || intersects(x.writes, y.writes);
  return shares && suits(m, first, second) && slicesAgree(m, first, second, a, b);
}

function sameExtent(m: Mapping, first: Nest, second: Nest): boolean {
  const [e, f] = [first.extents[0], second.extents[0]];
  return e !== undefined && f !== undefined && sameIndex(e, f, m.keys);
}

/** Fusing must not cost vectors or a register block: innermost nests want the same lanes, a contraction only a pointwise epilogue. */
function suits(m: Mapping, first: Nest, second: Nest): boolean {
  if (m.sparing && sharesLarge(m, first, second)) return true;
  if (isContraction(second)) return false;
  if (isContraction(first)) return perfectDepth(first) === perfectDepth(second) && sameExtents(m, first, second) && isPointwise(second);
  const [x, y] = [lanesOfNest(m, first), lanesOfNest(m, second)];
  return x === undefined || y === undefined || x === y;
}

function sameExtents(m: Mapping, first: Nest, second: Nest): boolean {
  if (!sameExtent(m, first, second)) return false;
  const [x, y] = [first.body.stmts[0], second.body.stmts[0]];
  if (first.body.stmts.length !== 1 || second.body.stmts.length !== 1) return true;
  return x?.kind !== "Nest" || y?.kind !== "Nest" || x.reduce || y.reduce || sameExtents(m, x, y);
}

const isPointwise = (nest: Nest): boolean =>
  !nest.reduce && nest.body.stmts.every((s) => (s.kind === "Nest" ? isPointwise(s) : blocksOf(s).length === 0));

/** Whether the nests pass on a buffer of which more than one extent is symbolic. */
function sharesLarge(m: Mapping, first: Nest, second: Nest): boolean {
  const { reads } = effectsOf(second);
  return [...effectsOf(first).writes].some((buffer) => m.local.has(buffer) && reads.has(buffer) && isLarge(buffer));
}

/** A size that is no affine function of the extents: a caller cannot make room for two of these. */
export const isLarge = ({ type }: VarLike): boolean => type.kind === "Tensor" && type.shape.filter((d) => !isStatic(d)).length > 1;

/** Of a buffer that one of both writes, iteration i of either touches the same slice, and no other. */
function slicesAgree(m: Mapping, first: Nest, second: Nest, a: VarLike, b: VarLike): boolean {
  const [x, y] = [effectsOf(first), effectsOf(second)];
  const contested = new Set([...x.writes].filter((v) => y.reads.has(v) || y.writes.has(v)));
  for (const v of x.reads) if (y.writes.has(v)) contested.add(v);
  if (contested.size === 0) return true;
  const renamed = new Map<VarLike, Expr>([[b, a as Expr]]);
  const later = accessesTo(second, contested).map((s) => ({ ...s, index: s.index.map((e) => substitute(e, renamed)) }));
  const accesses = [...accessesTo(first, contested), ...later];
  return [...contested].every((buffer) => {
    const own = accesses.filter((s) => s.buffer === buffer);
    const [head] = own;
    return head !== undefined && head.index.some((e, d) => isSliceIndex(e, a) && own.every((s) => sameIndex(e, s.index[d] ?? s.prim, m.keys)));
  });
}

function accessesTo(stmt: Stmt, buffers: ReadonlySet<VarLike>): readonly Access[] {
  const found: Access[] = [];
  eachAccess(stmt, (access) => {
    if (buffers.has(access.buffer)) found.push(access);
  });
  return found;
}

/** The axis plus something that does not depend on it: different iterations have different indices. */
function isSliceIndex(e: Expr, axis: VarLike): boolean {
  const dim = toDim(e);
  if (dim === undefined || typeof dim === "number") return false;
  const own = dim.terms.filter(({ leaf }) => leaf.kind === "var" && leaf.variable === axis);
  const elsewhere = dim.terms.some(({ leaf }) => leaf.kind !== "var");
  return own.length === 1 && !elsewhere;
}

// — how —

function fuse(m: Mapping, first: Nest, second: Nest): Nest {
  const [a] = first.axes;
  const [b] = second.axes;
  const replacements = new Map<VarLike, Expr>(a !== undefined && b !== undefined ? [[b, a]] : []);
  const other = substitute(second.body, replacements);
  const { before, values: firstValues } = readEarly(m, yieldedBy(first.body), effectsOf(second).writes);
  const values = [...firstValues, ...yieldedBy(other)];
  const stmts = [...withoutYield(first.body.stmts), ...before, ...withoutYield(other.stmts), ...(values.length === 0 ? [] : [yieldValues(values)])];
  const body = seq(stmts, first.body.meta);
  if (!first.reduce && !second.reduce) return nest(first.axes, first.extents, body, first.meta);
  const carries = [...first.carries, ...second.carries];
  const results = [...first.results, ...second.results];
  return reduceNest(first.axes, first.extents, carries, body, results, (second.reduce ? second : first).meta);
}

/** What the first nest yields is computed at the end of both: what it reads and the second overwrites is read before. */
function readEarly(m: Mapping, values: readonly Expr[], written: ReadonlySet<VarLike>): { readonly before: readonly Stmt[]; readonly values: readonly Expr[] } {
  const before: Stmt[] = [];
  const read = (p: Prim): Expr => {
    const access = accessOf(p);
    if (access === undefined || !written.has(access.buffer)) return p;
    const early = variable(m.names.fresh(access.buffer.hint), p.type);
    before.push(assign(early, p));
    return early;
  };
  return { before, values: values.map((v) => rewritePrims(v, read)) };
}

const withoutYield = (stmts: readonly Stmt[]): readonly Stmt[] => (stmts.at(-1)?.kind === "Yield" ? stmts.slice(0, -1) : stmts);
