// Statements of a body written for several rows and columns at once. What does not vary by row, or by column, is computed once for all.

import {
  assign, evaluate, INDEX, isVarLike, iterArg, seq, store, variable, yieldValues,
  type Eval, type Expr, type IterArg, type Nest, type Stmt, type Type, type Var, type VarLike,
} from "@tilefoundry/ir";
import { accessOf, effectsOf, storedValue, yieldedBy } from "./effects.ts";
import type { Mapping } from "./mapping.ts";
import { forgetReads, openScope, push } from "./scope.ts";
import { loopOver, wholeAxis } from "./segments.ts";
import type { VarSet } from "./var-set.ts";
import { expand, indexAt, inLanes } from "./widen-values.ts";
import { anyVaries, BY_COLUMN, carriedVariation, eachCopy, FIXED, setInstances, variesOf, type Varies, type Widening } from "./widening.ts";

/** Writes the statements for all copies into the current scope; a yield is left to the caller. */
export function widenStmts(w: Widening, stmts: readonly Stmt[]): void {
  for (const stmt of stmts) {
    if (stmt.kind === "Assign") widenAssign(w, stmt.target, stmt.value);
    else if (stmt.kind === "Eval") widenStore(w, stmt);
    else if (stmt.kind === "Nest") widenReduction(w, stmt);
  }
}

function widenAssign(w: Widening, target: Var, value: Expr): void {
  setInstances(w, target, variesOf(w, value), (r, c) => {
    const made = expand(w, value, r, c);
    if (isVarLike(made) || made.kind === "Const") return made;
    const named = renamed(w.m, target, made.type);
    push(w.scope, assign(named, made));
    return named;
  });
}

/** The variable itself the first time, then new ones of its hint: the statement it stood in is gone. */
export function renamed(m: Mapping, v: VarLike, type: Type): Var {
  const first = !m.renamed.has(v);
  m.renamed.add(v);
  if (first && v.kind === "Var" && v.type === type) return v;
  return variable(v.hint, type, v.meta);
}

function widenStore(w: Widening, stmt: Eval): void {
  const access = accessOf(stmt.expr);
  const value = access && storedValue(access);
  if (access === undefined || value === undefined) return;
  eachCopy(w, anyVaries(w, access.index) | variesOf(w, value), (r, c) => {
    push(w.scope, evaluate(store(access.buffer, indexAt(w, access, r, c), inLanes(w, value, r, c)), stmt.meta));
  });
  forgetReads(w.scope, access.buffer);
}

/** Writes statements into a new scope; gives them back for the loop to hold. */
export function inLoop(w: Widening, writes: VarSet, bound: readonly VarLike[], write: () => void): readonly Stmt[] {
  const outer = w.scope;
  w.scope = openScope(outer, writes, bound);
  write();
  const { stmts } = w.scope;
  w.scope = outer;
  return stmts;
}

// — reductions inside the iterations —

/** One loop that carries the accumulators of all copies. */
function widenReduction(w: Widening, nest: Nest): void {
  const [axis] = nest.axes;
  const [extent] = nest.extents;
  if (axis === undefined || extent === undefined) return;
  const varies = carriedVariation(w, nest);
  const carries = nest.carries.map((carry, i) => accumulators(w, carry, varies[i] ?? FIXED));
  const loopVar = renamed(w.m, axis, INDEX);
  setInstances(w, axis, FIXED, () => loopVar);
  const stop = expand(w, extent, 0, 0);
  const { writes } = effectsOf(w.m, nest);
  const values: Expr[] = [];
  const body = inLoop(w, writes, [loopVar, ...carries.flat()], () => {
    widenStmts(w, nest.body.stmts);
    for (const [i, value] of yieldedBy(nest.body).entries()) {
      const own = varies[i] ?? FIXED;
      eachCopy(w, own, (r, c) => values.push(accumulated(w, value, own, r, c)));
    }
  });
  const results = nest.results.map((result, i) => totals(w, result, carries[i] ?? [], varies[i] ?? FIXED));
  push(w.scope, loopOver(wholeAxis(loopVar, stop), seq([...body, yieldValues(values)]), nest.meta, false, { carries: carries.flat(), results: results.flat() }));
  for (const buffer of writes.list) forgetReads(w.scope, buffer);
}

/** An accumulator that varies by column is a vector, even where what it starts from is not. */
const accumulated = (w: Widening, value: Expr, varies: Varies, r: number, c: number): Expr =>
  varies & BY_COLUMN ? inLanes(w, value, r, c) : expand(w, value, r, c);

function accumulators(w: Widening, carry: IterArg, varies: Varies): readonly IterArg[] {
  const made: IterArg[] = [];
  setInstances(w, carry, varies, (r, c) => {
    const init = accumulated(w, carry.init, varies, r, c);
    const own = iterArg(renamed(w.m, carry, init.type).hint, init.type, init, carry.meta);
    made.push(own);
    return own;
  });
  return made;
}

function totals(w: Widening, result: Var, carries: readonly IterArg[], varies: Varies): readonly Var[] {
  const made: Var[] = [];
  setInstances(w, result, varies, () => {
    const own = renamed(w.m, result, carries[made.length]?.type ?? result.type);
    made.push(own);
    return own;
  });
  return made;
}
