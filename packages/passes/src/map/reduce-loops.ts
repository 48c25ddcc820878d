// A reduction over a contiguous axis: vector accumulators that start from the identity, several where one alone would wait for itself,
// then their lanes combined, then the elements that fill no vector.

import {
  assign, iterArg, prim, reduceLanes, seq, variable, yieldValues,
  type Const, type DType, type Expr, type IterArg, type Nest, type ReduceKind, type Type, type Var,
} from "@tilefoundry/ir";
import { identity } from "../reductions.ts";
import { combinations } from "./combine.ts";
import { costOf } from "./cost.ts";
import { effectsOf, yieldedBy } from "./effects.ts";
import { lanesFor } from "./lanes.ts";
import type { Mapping } from "./mapping.ts";
import { push, type Scope } from "./scope.ts";
import { loopOver, segmentsOf, type Segment } from "./segments.ts";
import { baseOf } from "./tidy.ts";
import { inLoop, renamed, widenStmts } from "./widen.ts";
import { inLanes, spreadConst } from "./widen-values.ts";
import { BY_COLUMN, FIXED, makeWidening, setInstances } from "./widening.ts";

/** Lanes in which a reduction runs, 1 if it must stay scalar. */
export function lanesOfReduction(m: Mapping, nest: Nest): number {
  const [axis] = nest.axes;
  if (axis === undefined || combinations(nest) === undefined) return 1;
  return lanesFor(m.device.vectorBits, axis, nest.body.stmts, nest.carries);
}

/** Number of accumulators of a carry, and the simple operations a step may cost for more than one to pay. */
const ACCUMULATORS = 4;
const CHEAP_STEP = 3;

interface Reduction {
  readonly m: Mapping;
  readonly scope: Scope;
  readonly nest: Nest;
  readonly axis: Var;
  readonly kinds: readonly ReduceKind[];
}

/** For each carry what has been combined so far: vectors to go on with, or none yet. */
type Vectors = readonly (readonly Expr[])[];

export function vectorReduction(m: Mapping, scope: Scope, nest: Nest, lanes: number): void {
  const [axis] = nest.axes;
  const [extent] = nest.extents;
  if (axis === undefined || extent === undefined) return;
  const r: Reduction = { m, scope, nest, axis, kinds: combinations(nest) ?? [] };
  const steps = isCheap(m, nest) ? [lanes * ACCUMULATORS, lanes, 1] : [lanes, 1];
  let vectors: Vectors = [];
  for (const segment of segmentsOf(m, scope, axis, extent, steps)) {
    if (segment.step === 1) return tail(r, segment, collapsed(r, vectors));
    vectors = vectorLoop(r, segment, lanes, vectors);
  }
  for (const [i, value] of collapsed(r, vectors).entries()) {
    const result = nest.results[i];
    if (result !== undefined) push(scope, assign(result, value, nest.meta));
  }
}

function isCheap(m: Mapping, nest: Nest): boolean {
  if (effectsOf(m, nest).writes.list.length > 0) return false;
  const values = [...nest.body.stmts.flatMap((s) => (s.kind === "Assign" ? [s.value] : [])), ...yieldedBy(nest.body)];
  const cost = values.reduce((sum, e) => sum + costOf(e), 0);
  return cost <= CHEAP_STEP * nest.carries.length;
}

function vectorLoop({ m, scope, nest, axis, kinds }: Reduction, segment: Segment, lanes: number, before: Vectors): Vectors {
  const count = segment.step / lanes;
  const w = makeWidening(m, scope, lanes, { axis, at: segment.loopVar, count });
  const carries: IterArg[] = [];
  const starts = merged(kinds, before, count);
  for (const [i, carry] of nest.carries.entries()) {
    setInstances(w, carry, BY_COLUMN, (_, c) => {
      const init = starts[i]?.[c] ?? spreadConst(identity(kinds[i] ?? "add", dtypeOf(carry.type)), lanes);
      const made = iterArg(renamed(m, carry, init.type).hint, init.type, init, carry.meta);
      carries.push(made);
      return made;
    });
  }
  const values: Expr[] = [];
  const stmts = inLoop(w, effectsOf(m, nest).writes, [segment.loopVar, ...carries], () => {
    widenStmts(w, nest.body.stmts);
    for (const value of yieldedBy(nest.body)) for (let c = 0; c < count; c++) values.push(inLanes(w, value, 0, c));
  });
  const results = carries.map((carry, i) => {
    const whole = nest.results[Math.floor(i / count)] ?? carry;
    return variable(`${baseOf(whole.hint)}_part`, carry.type);
  });
  push(scope, loopOver(segment, seq([...stmts, yieldValues(values)]), nest.meta, false, { carries, results }));
  return nest.carries.map((_, i) => results.slice(i * count, (i + 1) * count));
}

/** As many vectors as wanted: neighbours are combined until no more are left. */
function merged(kinds: readonly ReduceKind[], vectors: Vectors, count: number): Vectors {
  return vectors.map((list, i) => {
    let left: readonly Expr[] = list;
    while (left.length > count) left = halved(left, kinds[i] ?? "add");
    return left;
  });
}

/** Neighbours combined; the last one stays alone if their number is odd. */
function halved(list: readonly Expr[], kind: ReduceKind): readonly Expr[] {
  const made: Expr[] = [];
  for (let n = 0; n < list.length; n += 2) {
    const [v, neighbour] = list.slice(n, n + 2);
    if (v !== undefined) made.push(neighbour === undefined ? v : prim(kind, [v, neighbour]));
  }
  return made;
}

/** One scalar for each carry: its start and all lanes of its vectors combined. */
function collapsed({ nest, kinds }: Reduction, vectors: Vectors): readonly Expr[] {
  const single = merged(kinds, vectors, 1);
  return nest.carries.map((carry, i) => {
    const kind = kinds[i] ?? "add";
    const vector = single[i]?.[0];
    if (vector === undefined) return carry.init;
    const combined = reduceLanes(kind, vector);
    return isIdentity(carry.init, identity(kind, dtypeOf(carry.type))) ? combined : prim(kind, [carry.init, combined]);
  });
}

const isIdentity = (e: Expr, neutral: Const): boolean => e.kind === "Const" && Object.is(e.value, neutral.value);

const dtypeOf = (type: Type): DType => (type.kind === "Scalar" ? type.dtype : "index");

/** The elements that fill no vector, one after the other. */
function tail({ m, scope, nest, axis }: Reduction, segment: Segment, starts: readonly Expr[]): void {
  const w = makeWidening(m, scope, 1, { axis, at: segment.loopVar, count: 1 });
  const carries = nest.carries.map((carry, i) => iterArg(renamed(m, carry, carry.type).hint, carry.type, starts[i] ?? carry.init, carry.meta));
  for (const [i, carry] of nest.carries.entries()) setInstances(w, carry, FIXED, () => carries[i] ?? carry.init);
  const body = inLoop(w, effectsOf(m, nest).writes, [segment.loopVar, ...carries], () => {
    widenStmts(w, nest.body.stmts);
    push(w.scope, yieldValues(yieldedBy(nest.body).map((value) => inLanes(w, value, 0, 0))));
  });
  push(scope, loopOver(segment, seq(body), nest.meta, false, { carries, results: nest.results }));
}
