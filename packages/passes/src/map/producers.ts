// Nests that do nothing but give each element of one local buffer its value: what may be computed again where it is read.

import { isVarLike, toDim, type Assign, type Dim, type Expr, type Nest, type Stmt, type Var, type VarLike } from "@tilefoundry/ir";
import { costOf } from "./cost.ts";
import { accessOf, effectsOf, isPlain, storedValue, type Access, type EffectsTable } from "./effects.ts";
import type { VarSet } from "./var-set.ts";

export interface Producer {
  readonly buffer: VarLike;
  readonly axes: readonly Var[];
  readonly extents: readonly Dim[];
  /** How the store is indexed: an axis, or a literal along an extent of 1. */
  readonly index: readonly Expr[];
  /** Scalars that the value uses, in order. */
  readonly lets: readonly Assign[];
  readonly value: Expr;
  /** Buffers from which the value is computed. */
  readonly sources: VarSet;
  readonly cost: number;
  /** How many producers wait to be written into it, one into the other. */
  readonly chain: number;
  /** The value is a literal, or a variable from outside the nest. */
  readonly isFree: boolean;
}

/** The producer that a nest is, if each element is stored once and at its own index. */
export function producerOf(table: EffectsTable, nest: Nest): Producer | undefined {
  const axes: Var[] = [];
  const extents: Dim[] = [];
  let { stmts } = nest.body;
  for (let inner: Nest | undefined = nest; inner !== undefined; inner = soleNest(stmts)) {
    const [axis] = inner.axes;
    const extent = inner.extents[0] && toDim(inner.extents[0]);
    if (inner.reduce || inner.axes.length !== 1 || axis === undefined || extent === undefined) return undefined;
    axes.push(axis);
    extents.push(extent);
    stmts = inner.body.stmts;
  }
  const lets = stmts.slice(0, -1);
  const last = stmts.at(-1);
  const access = last?.kind === "Eval" ? accessOf(last.expr) : undefined;
  const value = access && storedValue(access);
  if (access === undefined || value === undefined || !lets.every(isAssign)) return undefined;
  if (!access.writes || !isPlain(access) || value.type.kind !== "Scalar" || !isOwnIndex(access, axes)) return undefined;
  const cost = lets.reduce((total, s) => total + costOf(s.value), costOf(value));
  const isFree = lets.length === 0 && (value.kind === "Const" || (isVarLike(value) && !axes.some((a) => a === value)));
  return { buffer: access.buffer, axes, extents, index: access.index, lets, value, sources: effectsOf(table, nest).reads, cost, chain: 0, isFree };
}

const isAssign = (stmt: Stmt): stmt is Assign => stmt.kind === "Assign";

function soleNest(stmts: readonly Stmt[]): Nest | undefined {
  const [only] = stmts;
  return stmts.length === 1 && only?.kind === "Nest" ? only : undefined;
}

/** Each axis indexes one dimension, and nothing else does but literals. */
function isOwnIndex({ index }: Access, axes: readonly Var[]): boolean {
  const used = index.filter((e) => e.kind !== "Const");
  return used.length === axes.length && axes.every((axis) => used.filter((e) => e === axis).length === 1);
}
