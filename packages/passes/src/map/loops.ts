// Nests become loops: vectors along the contiguous axis with a scalar tail, contractions in register blocks of rows and vectors,
// reductions with vector accumulators; what fits none of these, plain loops.

import { mapBlocks, seq, withStmts, type Nest, type Seq, type Stmt } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { effectsOf, writesOf } from "./effects.ts";
import { lanesFor } from "./lanes.ts";
import type { Mapping } from "./mapping.ts";
import { vectorReduction, lanesOfReduction } from "./reduce-loops.ts";
import { forgetReads, openScope, push, type Scope } from "./scope.ts";
import { loopOver, segmentsOf, wholeAxis } from "./segments.ts";
import { isContraction, perfectChain } from "./shape.ts";
import { inLoop, widenStmts } from "./widen.ts";
import { makeWidening, type Copies } from "./widening.ts";

/** Where a block stands: iterations of the outermost parallel loop go to cores. */
export interface Around {
  readonly parallel: boolean;
  readonly inLoop: boolean;
}

export function mapBlock(m: Mapping, block: Seq, around: Around, scope: Scope = openScope(undefined)): Seq {
  for (const stmt of block.stmts) {
    mapStmt(m, scope, stmt, around);
    if (scope.shared.size > 0) for (const buffer of writesOf(m, stmt)) forgetReads(scope, buffer);
  }
  return withStmts(block, scope.stmts);
}

function mapStmt(m: Mapping, scope: Scope, stmt: Stmt, around: Around): void {
  if (stmt.kind === "Nest") return stmt.reduce ? mapReduction(m, scope, stmt) : mapParallel(m, scope, stmt, around);
  const isLoop = stmt.kind === "For" || stmt.kind === "While";
  const inside: Around = { parallel: around.parallel || (stmt.kind === "For" && stmt.mode === "parallel"), inLoop: around.inLoop || isLoop };
  const mapped = mapBlocks(stmt, (inner) => mapBlock(m, inner, inside));
  const core = mapped.kind === "For" && mapped.mode === "parallel" && (mapped.level === undefined || mapped.level === "block") && !around.parallel;
  push(scope, core ? { ...mapped, level: "core" } : mapped);
}

// — parallel nests —

function mapParallel(m: Mapping, scope: Scope, nest: Nest, around: Around): void {
  const [rows, columns, ...others] = perfectChain(nest);
  const isBlock = rows !== undefined && columns !== undefined && others.length === 0 && isContraction(nest);
  const lanes = lanesAlong(m, nest);
  if (isBlock && lanesAlong(m, columns) > 1) blockNest(m, scope, rows, columns, around);
  else if (lanes > 1) vectorNest(m, scope, nest, lanes, 1);
  else scalarNest(m, scope, nest, around);
}

function lanesAlong(m: Mapping, nest: Nest): number {
  const [axis] = nest.axes;
  return axis === undefined ? 1 : lanesFor(m.device.vectorBits, axis, nest.body.stmts);
}

/** Iterations one after the other; those of an outermost nest that holds loops go to cores, and share nothing with what is outside. */
function scalarNest(m: Mapping, scope: Scope, nest: Nest, around: Around): void {
  const [loopVar] = nest.axes;
  const [stop] = nest.extents;
  invariant(loopVar !== undefined && stop !== undefined, () => "a nest without an axis");
  m.renamed.add(loopVar);
  const core = isOutermost(around) && nest.body.stmts.some((s) => s.kind === "Nest");
  const inner = core ? openScope(undefined) : openScope(scope, effectsOf(m, nest).writes, [loopVar]);
  const body = mapBlock(m, nest.body, { parallel: true, inLoop: true }, inner);
  push(scope, loopOver(wholeAxis(loopVar, stop), body, nest.meta, core));
}

const isOutermost = (around: Around): boolean => !around.parallel && !around.inLoop;

/** Vectors along the axis, `count` at a time, then single iterations. */
function vectorNest(m: Mapping, scope: Scope, nest: Nest, lanes: number, count: number, rows?: Copies): void {
  const [axis] = nest.axes;
  const [extent] = nest.extents;
  invariant(axis !== undefined && extent !== undefined, () => "a nest without an axis");
  for (const segment of segmentsOf(m, scope, axis, extent, [lanes * count, 1])) {
    const isTail = segment.step === 1;
    const w = makeWidening(m, scope, isTail ? 1 : lanes, { axis, at: segment.loopVar, count: isTail ? 1 : count }, rows);
    const body = inLoop(w, effectsOf(m, nest).writes, [segment.loopVar], () => widenStmts(w, nest.body.stmts));
    push(scope, loopOver(segment, seq(body), nest.meta));
  }
}

/** Rows of a contraction side by side, so that each vector of the right operand is loaded once for all of them. */
function blockNest(m: Mapping, scope: Scope, rowNest: Nest, columnNest: Nest, around: Around): void {
  const { rows, vectors } = m.device.matmulBlock;
  const [axis] = rowNest.axes;
  const [extent] = rowNest.extents;
  invariant(axis !== undefined && extent !== undefined, () => "a nest without an axis");
  const lanes = lanesAlong(m, columnNest);
  for (const segment of segmentsOf(m, scope, axis, extent, [rows, 1])) {
    const core = isOutermost(around);
    const inner = core ? openScope(undefined) : openScope(scope, effectsOf(m, rowNest).writes, [segment.loopVar]);
    vectorNest(m, inner, columnNest, lanes, vectors, { axis, at: segment.loopVar, count: segment.step });
    push(scope, loopOver(segment, seq(inner.stmts), rowNest.meta, core));
  }
}

// — reductions —

function mapReduction(m: Mapping, scope: Scope, nest: Nest): void {
  const lanes = lanesOfReduction(m, nest);
  if (lanes === 1) push(scope, plainReduction(m, nest));
  else vectorReduction(m, scope, nest, lanes);
}

function plainReduction(m: Mapping, nest: Nest): Stmt {
  const [loopVar] = nest.axes;
  const [stop] = nest.extents;
  invariant(loopVar !== undefined && stop !== undefined, () => "a nest without an axis");
  m.renamed.add(loopVar);
  const body = mapBlock(m, nest.body, { parallel: true, inLoop: true });
  return loopOver(wholeAxis(loopVar, stop), body, nest.meta, false, nest);
}
