// How the iterations of an axis are divided: full steps first, then smaller ones, then single iterations.

import {
  forLoop, INDEX, indexConst, isStatic, isVarLike, modDim, rangeOf, subDims, toDim, toExpr, variable,
  type Dim, type Expr, type For, type IterArg, type Meta, type Seq, type Var,
} from "@tilefoundry/ir";
import { ZERO } from "../lower-ops/state.ts";
import type { Mapping } from "./mapping.ts";
import { share, type Scope } from "./scope.ts";
import { baseOf } from "./tidy.ts";

export interface Segment {
  readonly start: Expr;
  readonly stop: Expr;
  readonly step: number;
  readonly loopVar: Var;
}

/** All of an axis, one iteration after the other. */
export const wholeAxis = (loopVar: Var, stop: Expr): Segment => ({ start: ZERO, stop, step: 1, loopVar });

/** What a loop carries from one iteration to the next. */
export interface Carried {
  readonly carries: readonly IterArg[];
  readonly results: readonly Var[];
}

const NOTHING: Carried = { carries: [], results: [] };

/** The loop over a segment; the iterations of a core loop go to cores. */
export function loopOver({ loopVar, start, stop, step }: Segment, body: Seq, meta: Meta, isCore = false, { carries, results }: Carried = NOTHING): For {
  const mode = isCore ? "parallel" : "sequential";
  return forLoop({ loopVar, start, stop, step: indexConst(step), mode, level: isCore ? "core" : undefined, stages: undefined, carries, body, results }, meta);
}

/** One segment a step, largest first; those that are surely empty are left out. Bounds are bound in the scope. */
export function segmentsOf(m: Mapping, scope: Scope, axis: Var, extent: Expr, steps: readonly number[]): readonly Segment[] {
  const segments: Segment[] = [];
  let start: Expr = ZERO;
  for (const step of steps) {
    const stop = fullSteps(m, scope, axis, extent, step);
    if (stop === undefined || sameLiteral(start, stop)) continue;
    segments.push({ start, stop, step, loopVar: loopVarOf(m, axis, segments.length, step === 1) });
    start = stop;
  }
  return segments;
}

const sameLiteral = (a: Expr, b: Expr): boolean => a === b || (a.kind === "Const" && b.kind === "Const" && a.value === b.value);

function loopVarOf(m: Mapping, axis: Var, position: number, last: boolean): Var {
  if (position === 0 && !m.renamed.has(axis)) {
    m.renamed.add(axis);
    return axis;
  }
  return variable(position === 0 ? axis.hint : `${baseOf(axis.hint)}_${last ? "tail" : "next"}`, INDEX);
}

/** The largest multiple of the step within the extent; undefined if that is surely 0. */
function fullSteps(m: Mapping, scope: Scope, axis: Var, extent: Expr, step: number): Expr | undefined {
  const dim = toDim(extent);
  if (step === 1) return dim === 0 ? undefined : extent;
  if (dim === undefined) return undefined;
  if (isStatic(dim)) return dim < step ? undefined : dim % step === 0 ? extent : indexConst(dim - (dim % step));
  const expanded = m.facts.expand(dim);
  const most = rangeOf(m.facts, expanded).hi;
  if (most !== undefined && most < step) return undefined;
  return modDim(expanded, step) === 0 ? extent : named(scope, axis, subDims(dim, modDim(dim, step)));
}

/** A bound that several loops share gets a name as far out as it is known. */
function named(scope: Scope, axis: Var, dim: Dim): Expr {
  const extent = toExpr(dim);
  const [first] = extent.kind === "Prim" ? extent.args : [];
  return share(scope, extent, `${baseOf(first !== undefined && isVarLike(first) ? first.hint : axis.hint)}_main`);
}
