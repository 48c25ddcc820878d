// A buffer of which each iteration of a nest touches only its own slice needs room for one slice: it moves into the nest, and the
// axis goes. What a row needs between two loops is then as long as a row, whatever the number of rows.

import {
  allocTensor, assign, mapBlocks, prim, variable,
  type Expr, type Nest, type Seq, type Stmt, type TensorType, type Var, type VarLike,
} from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { ZERO } from "../lower-ops/state.ts";
import { accessOf, eachAccess, usesOf, type Access } from "./effects.ts";
import { allocated, type Mapping } from "./mapping.ts";
import { flatMapBlock, mapStmts, mapOperands, rewritePrims } from "./rewrite.ts";

export function shrinkBuffers(m: Mapping, block: Seq): Seq {
  const shrunk = new Map<Stmt, readonly Smaller[]>();
  const dropped = new Set<Stmt>();
  for (const [nest, allocations] of allocationsByUser(m, block)) {
    const smaller = smallerOf(nest, allocations);
    shrunk.set(nest, smaller);
    for (const { allocation, to } of smaller) {
      dropped.add(allocation);
      m.local.add(to);
    }
  }
  const next = flatMapBlock(block, (stmt) => (dropped.has(stmt) ? [] : [entered(stmt, shrunk.get(stmt) ?? [])]));
  return mapStmts(next, (stmt) => mapBlocks(stmt, (inner) => shrinkBuffers(m, inner)));
}

/** Local buffers of the block that one nest of one axis alone touches, by that nest. */
function allocationsByUser(m: Mapping, block: Seq): ReadonlyMap<Nest, readonly Allocation[]> {
  const allocations = new Map<VarLike, Allocation>();
  for (const stmt of block.stmts) {
    const buffer = allocated(stmt);
    if (buffer !== undefined && m.local.has(buffer)) allocations.set(buffer, { stmt, buffer });
  }
  if (allocations.size === 0) return new Map();
  const users = new Map<VarLike, Stmt | "several">();
  for (const stmt of block.stmts) {
    for (const v of usesOf(m, stmt).list) if (allocations.has(v)) users.set(v, users.has(v) ? "several" : stmt);
  }
  const byUser = new Map<Nest, Allocation[]>();
  for (const [buffer, allocation] of allocations) {
    const only = users.get(buffer);
    if (only === undefined || only === "several" || only.kind !== "Nest" || only.axes.length !== 1) continue;
    byUser.set(only, [...(byUser.get(only) ?? []), allocation]);
  }
  return byUser;
}

interface Allocation {
  readonly stmt: Stmt;
  readonly buffer: Var;
}

/** A buffer without one of its dimensions. */
interface Smaller {
  readonly allocation: Stmt;
  readonly from: Var;
  readonly to: Var;
  readonly dimension: number;
}

/** The buffers of which every access in the nest has the axis along one dimension. */
function smallerOf(nest: Nest, allocations: readonly Allocation[]): readonly Smaller[] {
  const [axis] = nest.axes;
  const accesses = new Map<VarLike, Access[]>(allocations.map(({ buffer }) => [buffer, []]));
  eachAccess({ ...nest, carries: [], results: [] }, (a) => void accesses.get(a.buffer)?.push(a));
  return allocations.flatMap(({ stmt, buffer }) => {
    const type = typeOf(buffer);
    const own = accesses.get(buffer) ?? [];
    const dimension = type.shape.findIndex((extent, d) => extent !== 1 && own.every(({ index }) => index[d] === axis));
    if (own.length === 0 || dimension < 0) return [];
    const to = variable(buffer.hint, { ...type, shape: type.shape.map((extent, d) => (d === dimension ? 1 : extent)) }, buffer.meta);
    return [{ allocation: stmt, from: buffer, to, dimension }];
  });
}

/** The nest with its smaller buffers inside. */
function entered(stmt: Stmt, smaller: readonly Smaller[]): Stmt {
  if (smaller.length === 0) return stmt;
  const byBuffer = new Map<VarLike, Smaller>(smaller.map((s) => [s.from, s]));
  const allocations = smaller.map(({ allocation, to }) => assign(to, allocTensor(typeOf(to)), allocation.meta));
  return mapBlocks(stmt, (body) => {
    const inside = redirected(body, byBuffer);
    return { ...inside, stmts: [...allocations, ...inside.stmts] };
  });
}

/** The block with every access on the smaller buffers. */
function redirected(block: Seq, smaller: ReadonlyMap<VarLike, Smaller>): Seq {
  const redirect = (e: Expr): Expr =>
    rewritePrims(e, (p) => {
      const access = accessOf(p);
      const found = access && smaller.get(access.buffer);
      if (found === undefined) return p;
      return prim(p.op, p.args.map((a, i) => (i === 0 ? found.to : i === found.dimension + 1 ? ZERO : a)), p.attrs, p.meta);
    });
  return mapStmts(block, (stmt) => mapBlocks(mapOperands(stmt, redirect), (inner) => redirected(inner, smaller)));
}

function typeOf({ type, hint }: Var): TensorType {
  invariant(type.kind === "Tensor", () => `the buffer ${hint} of type ${type.kind}`);
  return type;
}
