// A buffer of which each iteration of a nest touches only its own slice needs room for one slice: it moves into the nest, and the
// axis goes. What a row needs between two loops is then as long as a row, whatever the number of rows.

import {
  allocTensor, assign, mapBlocks, prim, variable,
  type Expr, type Nest, type Seq, type Stmt, type TensorType, type Var, type VarLike,
} from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { ZERO } from "../lower-ops/state.ts";
import { accessOf, eachAccess, effectsOf, type Access } from "./effects.ts";
import { allocated, type Mapping } from "./mapping.ts";
import { flatMapBlock, mapOperands, rewritePrims } from "./rewrite.ts";

export function shrinkBuffers(m: Mapping, block: Seq): Seq {
  const moved = new Map<Stmt, Stmt[]>();
  const dropped = new Set<Stmt>();
  const replaced = new Map<Stmt, Nest>();
  for (const stmt of block.stmts) {
    const buffer = allocated(stmt);
    const nest = buffer && m.local.has(buffer) ? soleUser(block, buffer) : undefined;
    if (buffer === undefined || nest === undefined) continue;
    const current = replaced.get(nest) ?? nest;
    const made = shrunk(current, buffer);
    if (made === undefined) continue;
    dropped.add(stmt);
    moved.set(nest, [...(moved.get(nest) ?? []), assign(made.buffer, allocTensor(typeOf(made.buffer)), stmt.meta)]);
    replaced.set(nest, made.nest);
    m.local.add(made.buffer);
  }
  const next = flatMapBlock(block, (stmt) => (dropped.has(stmt) ? [] : [entered(replaced.get(stmt) ?? stmt, moved.get(stmt) ?? [])]));
  return flatMapBlock(next, (stmt) => [mapBlocks(stmt, (inner) => shrinkBuffers(m, inner))]);
}

function entered(stmt: Stmt, allocations: readonly Stmt[]): Stmt {
  return allocations.length === 0 ? stmt : mapBlocks(stmt, (body) => ({ ...body, stmts: [...allocations, ...body.stmts] }));
}

/** The only statement of the block that touches the buffer, if it is a nest of one axis. */
function soleUser(block: Seq, buffer: VarLike): Nest | undefined {
  const users = block.stmts.filter((s) => allocated(s) !== buffer && effectsOf(s).uses.has(buffer));
  const [only] = users;
  return users.length === 1 && only?.kind === "Nest" && only.axes.length === 1 ? only : undefined;
}

function shrunk(nest: Nest, buffer: Var): { readonly nest: Nest; readonly buffer: Var } | undefined {
  const [axis] = nest.axes;
  const type = typeOf(buffer);
  const accesses: Access[] = [];
  eachAccess({ ...nest, carries: [], results: [] }, (a) => {
    if (a.buffer === buffer) accesses.push(a);
  });
  const dimension = type.shape.findIndex((extent, d) => extent !== 1 && accesses.every(({ index }) => index[d] === axis));
  if (axis === undefined || accesses.length === 0 || dimension < 0) return undefined;
  const made = variable(buffer.hint, { ...type, shape: type.shape.map((extent, d) => (d === dimension ? 1 : extent)) }, buffer.meta);
  return { nest: mapBlocks(nest, (body) => redirected(body, buffer, made, dimension)), buffer: made };
}

/** The block with every access of the buffer on the smaller one. */
function redirected(block: Seq, from: Var, to: Var, dimension: number): Seq {
  const redirect = (e: Expr): Expr =>
    rewritePrims(e, (p) => {
      if (accessOf(p)?.buffer !== from) return p;
      return prim(p.op, p.args.map((a, i) => (i === 0 ? to : i === dimension + 1 ? ZERO : a)), p.attrs, p.meta);
    });
  return flatMapBlock(block, (stmt) => [mapBlocks(mapOperands(stmt, redirect), (inner) => redirected(inner, from, to, dimension))]);
}

function typeOf({ type, hint }: Var): TensorType {
  invariant(type.kind === "Tensor", () => `the buffer ${hint} of type ${type.kind}`);
  return type;
}
