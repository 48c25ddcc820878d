// Nests over equal extents that touch the same buffers become one, if each iteration of the second needs only its own iteration of
// the first: a row is then finished while it is in the cache, and what one nest stored the other finds in a register.

import {
  assign, blocksOf, isStatic, mapBlocks, variable,
  type Expr, type Nest, type Prim, type Seq, type Stmt, type VarLike,
} from "@tilefoundry/ir";
import { sameIndex } from "../index-math.ts";
import { accessOf, eachAccess, effectsOf, yieldedBy, type Access } from "./effects.ts";
import { alone, commute, note, sharedDimensions, slicesOf, take, usesAny, valuesOf, whole, withoutYield, type Fusing, type Slice } from "./fusing.ts";
import type { Mapping } from "./mapping.ts";
import { replaceVariables } from "./replace.ts";
import { mapStmts, rewritePrims } from "./rewrite.ts";
import { isContraction, lanesOfNest, perfectDepth } from "./shape.ts";
import { has, intersects, type VarSet } from "./var-set.ts";

/** How many statements a nest may be moved up over to meet another. */
const REACH = 16;

export function fuseNests(m: Mapping, block: Seq): Seq {
  const fused = block.stmts.filter(isFusible).length < 2 ? block : fuseWithin(m, block);
  return mapStmts(fused, (stmt) => mapBlocks(stmt, (inner) => fuseNests(m, inner)));
}

const isFusible = (stmt: Stmt): stmt is Nest => stmt.kind === "Nest" && stmt.axes.length === 1;

/** Fuses nests that stand in the block itself. */
function fuseWithin(m: Mapping, block: Seq): Seq {
  const out: Fusing[] = [];
  for (const stmt of block.stmts) {
    const own = alone(m, stmt);
    if (!isFusible(stmt) || !fuseBack(m, out, stmt, own)) out.push(own);
  }
  const stmts = out.map(whole);
  return stmts.length === block.stmts.length ? block : { kind: "Seq", stmts, meta: block.meta };
}

/** Fuses the nest with an earlier one of the block, over statements that may stand after or go before both. */
function fuseBack(m: Mapping, out: Fusing[], second: Nest, own: Fusing): boolean {
  const lifted: Fusing[] = [];
  for (let at = out.length - 1; at >= Math.max(0, out.length - REACH); at--) {
    const first = out[at];
    if (first === undefined) return false;
    const crosses = lifted.every((s) => commute(first, s));
    if (crosses && canFuse(m, first, second, own)) {
      const between = out.slice(at + 1).filter((s) => !lifted.includes(s));
      out.splice(at, out.length - at, ...lifted, first, ...between);
      fuse(m, first, second);
      return true;
    }
    if (crosses && commute(first, own)) continue;
    if (!isLiftable(first)) return false;
    lifted.unshift(first);
  }
  return false;
}

/** Allocations and scalars computed from scalars may stand earlier. */
const isLiftable = ({ head, effects }: Fusing): boolean => head.kind === "Assign" && effects.reads.list.length === 0;

// — whether —

function canFuse(m: Mapping, first: Fusing, second: Nest, own: Fusing): boolean {
  const { head } = first;
  if (head.kind !== "Nest") return false;
  const [a, b] = [head.axes[0], second.axes[0]];
  if (a === undefined || b === undefined || !sameExtent(head, second)) return false;
  const [x, y] = [first.effects, own.effects];
  if (usesAny(own, x.defines)) return false;
  const shares = intersects(x.writes, y.reads) || intersects(x.reads, y.reads) || intersects(x.writes, y.writes);
  return shares && suits(m, first, second) && slicesAgree(m, first, second, a, b);
}

function sameExtent(first: Nest, second: Nest): boolean {
  const [e, f] = [first.extents[0], second.extents[0]];
  return e !== undefined && f !== undefined && sameIndex(e, f);
}

/** Fusing must not cost vectors or a register block: innermost nests want the same lanes, a contraction only a pointwise epilogue. */
function suits(m: Mapping, first: Fusing, second: Nest): boolean {
  const { head } = first;
  if (m.sparing && sharesLarge(m, first, second)) return true;
  if (isContraction(second)) return false;
  if (head.kind === "Nest" && first.taken === undefined && isContraction(head)) {
    return perfectDepth(head) === perfectDepth(second) && sameExtents(head, second) && isPointwise(second);
  }
  const [x, y] = [lanesOfFusing(m, first), lanesOfNest(m, second)];
  return x === undefined || y === undefined || x === y;
}

/** Lanes of all that was put together. */
function lanesOfFusing(m: Mapping, fusing: Fusing): number | undefined {
  if (fusing.lanes === undefined) {
    const nest = whole(fusing);
    fusing.lanes = { count: nest.kind === "Nest" ? lanesOfNest(m, nest) : undefined };
  }
  return fusing.lanes.count;
}

function sameExtents(first: Nest, second: Nest): boolean {
  if (!sameExtent(first, second)) return false;
  const [x, y] = [first.body.stmts[0], second.body.stmts[0]];
  if (first.body.stmts.length !== 1 || second.body.stmts.length !== 1) return true;
  return x?.kind !== "Nest" || y?.kind !== "Nest" || x.reduce || y.reduce || sameExtents(x, y);
}

const isPointwise = (nest: Nest): boolean =>
  !nest.reduce && nest.body.stmts.every((s) => (s.kind === "Nest" ? isPointwise(s) : blocksOf(s).length === 0));

/** Whether the nests pass on a buffer of which more than one extent is symbolic. */
function sharesLarge(m: Mapping, { effects }: Fusing, second: Nest): boolean {
  return effectsOf(m, second).reads.list.some((buffer) => m.local.has(buffer) && has(effects.writes, buffer) && isLarge(buffer));
}

/** A size that is no affine function of the extents: a caller cannot make room for two of these. */
export const isLarge = ({ type }: VarLike): boolean => type.kind === "Tensor" && type.shape.filter((d) => !isStatic(d)).length > 1;

/** Of a buffer that one of both writes, iteration i of either touches the same slice, and no other. */
function slicesAgree(m: Mapping, first: Fusing, second: Nest, a: VarLike, b: VarLike): boolean {
  const [x, y] = [first.effects, effectsOf(m, second)];
  const contested = new Set(y.reads.list.filter((v) => has(x.writes, v)));
  for (const v of y.writes.list) if (has(x.writes, v) || has(x.reads, v)) contested.add(v);
  if (contested.size === 0) return true;
  const slices = slicesOf(first, a);
  const agreeing = new Map<VarLike, Slice>();
  eachAccessAlong(second, b, a, (access) => {
    if (!contested.has(access.buffer)) return;
    const slice = agreeing.get(access.buffer) ?? slices.get(access.buffer);
    if (slice !== undefined) agreeing.set(access.buffer, { ...slice, dimensions: sharedDimensions(slice, access.index) });
  });
  return [...contested].every((buffer) => (agreeing.get(buffer)?.dimensions.length ?? 0) > 0);
}

/** Every access of the second nest as it will be, along the axis of the first. */
function eachAccessAlong(second: Nest, own: VarLike, axis: VarLike, visit: (access: Access) => void): void {
  const renamed = new Map<VarLike, Expr>([[own, axis]]);
  eachAccess(second, (access) => visit({ ...access, index: access.index.map((e) => replaceVariables(e, renamed)) }));
}

// — how —

function fuse(m: Mapping, first: Fusing, second: Nest): void {
  const [a] = first.head.kind === "Nest" ? first.head.axes : [];
  const [b] = second.axes;
  if (a === undefined || b === undefined) return;
  const [x, y] = [lanesOfFusing(m, first), lanesOfNest(m, second)];
  const { slices } = first;
  if (slices !== undefined) eachAccessAlong(second, b, a, (access) => note(slices, access, a));
  const other = replaceVariables(second.body, new Map<VarLike, Expr>([[b, a]]));
  const { before, values } = readEarly(valuesOf(first), effectsOf(m, second).writes);
  take(first, { second, stmts: [...before, ...withoutYield(other.stmts)], values: [...values, ...yieldedBy(other)] });
  // nests in the same lanes run in these together; whether others do is asked when it matters
  if (x === y || x === undefined || y === undefined) first.lanes = { count: x === y ? x : undefined };
  else first.lanes = undefined;
}

/** What the first nest yields is computed at the end of both: what it reads and the second overwrites is read before. */
function readEarly(values: readonly Expr[], written: VarSet): { readonly before: readonly Stmt[]; readonly values: readonly Expr[] } {
  const before: Stmt[] = [];
  const read = (p: Prim): Expr => {
    const access = accessOf(p);
    if (access === undefined || !has(written, access.buffer)) return p;
    const early = variable(access.buffer.hint, p.type);
    before.push(assign(early, p));
    return early;
  };
  return { before, values: values.map((v) => rewritePrims(v, read)) };
}
