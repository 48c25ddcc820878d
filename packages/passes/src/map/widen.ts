// Iterations side by side: the body of a nest is written for several vectors of one axis (lanes) and several rows of another at
// once. What varies by lane becomes a vector; what does not vary by row, or by column, is computed once and shared.

import {
  constant, evaluate, forLoop, indexConst, INDEX, isVarLike, iterArg, load, prim, seq, splat, store, variable, vecType, yieldValues, assign,
  type Const, type Expr, type IterArg, type Nest, type Prim, type Stmt, type Type, type Var, type VarLike,
} from "@tilefoundry/ir";
import { plus } from "../index-math.ts";
import { accessOf, effectsOf, storedValue, type Access } from "./effects.ts";
import type { Mapping } from "./mapping.ts";
import { cleanIndex } from "./rewrite.ts";
import { forgetReads, openScope, push, share, type Scope } from "./scope.ts";
import { baseOf } from "./tidy.ts";

/** Copies of an axis: iteration `at + n * lanes` of the old axis is copy `n`. */
export interface Copies {
  readonly axis: VarLike;
  readonly at: Expr;
  readonly count: number;
}

interface Varies {
  readonly row: boolean;
  readonly column: boolean;
}

/** What a variable of the body became, by row and column. */
interface Instances {
  readonly varies: Varies;
  readonly values: readonly (readonly Expr[])[];
}

export interface Widening {
  readonly m: Mapping;
  readonly lanes: number;
  readonly columns: Copies;
  readonly rows: Copies | undefined;
  readonly instances: Map<VarLike, Instances>;
  readonly varies: WeakMap<Expr, Varies>;
  scope: Scope;
}

export function makeWidening(m: Mapping, scope: Scope, lanes: number, columns: Copies, rows?: Copies): Widening {
  return { m, lanes, columns, rows, instances: new Map(), varies: new WeakMap(), scope };
}

const FIXED: Varies = { row: false, column: false };

// — statements —

/** Writes the statements for all copies into the current scope; a yield is left to the caller. */
export function widenStmts(w: Widening, stmts: readonly Stmt[]): void {
  for (const stmt of stmts) {
    if (stmt.kind === "Assign") widenAssign(w, stmt.target, stmt.value);
    else if (stmt.kind === "Eval") widenStore(w, stmt);
    else if (stmt.kind === "Nest") widenReduction(w, stmt);
  }
}

function widenAssign(w: Widening, target: Var, value: Expr): void {
  const varies = variesOf(w, value);
  setInstances(w, target, varies, (r, c) => {
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
  return variable(first ? v.hint : m.names.fresh(v.hint), type, v.meta);
}

function widenStore(w: Widening, stmt: Stmt & { readonly kind: "Eval" }): void {
  const access = accessOf(stmt.expr);
  const value = access && storedValue(access);
  if (access === undefined || value === undefined) return;
  const varies = either(stmt.expr, access.index.map((e) => variesOf(w, e)), variesOf(w, value));
  for (let r = 0; r < rowsOf(w, varies); r++) {
    for (let c = 0; c < columnsOf(w, varies); c++) push(w.scope, evaluate(store(access.buffer, indexAt(w, access, r, c), inLanes(w, value, r, c)), stmt.meta));
  }
  forgetReads(w.scope, access.buffer);
}

const either = (_e: Expr, all: readonly Varies[], last: Varies): Varies => ({
  row: last.row || all.some((v) => v.row),
  column: last.column || all.some((v) => v.column),
});

/** A reduction inside the iterations: one loop that carries the accumulators of all copies. */
function widenReduction(w: Widening, nest: Nest): void {
  const [axis] = nest.axes;
  const [extent] = nest.extents;
  if (axis === undefined || extent === undefined) return;
  const varies = carriedVariation(w, nest);
  const carries: IterArg[] = [];
  for (const [i, carry] of nest.carries.entries()) {
    setInstances(w, carry, varies[i] ?? FIXED, (r, c) => {
      const init = (varies[i] ?? FIXED).column ? inLanes(w, carry.init, r, c) : expand(w, carry.init, r, c);
      const made = iterArg(renamed(w.m, carry, init.type).hint, init.type, init, carry.meta);
      carries.push(made);
      return made;
    });
  }
  const loopVar = renamed(w.m, axis, INDEX);
  setInstances(w, axis, FIXED, () => loopVar);
  const stop = expand(w, extent, 0, 0);
  const values: Expr[] = [];
  const body = inLoop(w, effectsOf(nest).writes, [loopVar, ...carries], () => {
    widenStmts(w, nest.body.stmts);
    const last = nest.body.stmts.at(-1);
    if (last?.kind !== "Yield") return;
    for (const [i, value] of last.values.entries()) {
      const { column } = varies[i] ?? FIXED;
      eachCopy(w, varies[i] ?? FIXED, (r, c) => values.push(column ? inLanes(w, value, r, c) : expand(w, value, r, c)));
    }
  });
  const results: Var[] = [];
  for (const [i, result] of nest.results.entries()) {
    let next = 0;
    const own = carries.slice(...rangeOf(w, varies, i));
    setInstances(w, result, varies[i] ?? FIXED, () => {
      const made = renamed(w.m, result, own[next++]?.type ?? result.type);
      results.push(made);
      return made;
    });
  }
  push(w.scope, forLoop({ loopVar, stop, carries, body: seq([...body, yieldValues(values)]), results }, nest.meta));
  for (const buffer of effectsOf(nest).writes) forgetReads(w.scope, buffer);
}

/** Where the copies of a carry stand among those of all. */
function rangeOf(w: Widening, varies: readonly Varies[], i: number): [start: number, end: number] {
  const sizes = varies.map((v) => rowsOf(w, v) * columnsOf(w, v));
  const start = sizes.slice(0, i).reduce((a, b) => a + b, 0);
  return [start, start + (sizes[i] ?? 0)];
}

/** Writes statements into a new scope; gives them back for the loop to hold. */
export function inLoop(w: Widening, writes: ReadonlySet<VarLike>, bound: readonly VarLike[], write: () => void): readonly Stmt[] {
  const outer = w.scope;
  w.scope = openScope(outer, writes, bound);
  write();
  const { stmts } = w.scope;
  w.scope = outer;
  return stmts;
}

// — what varies —

/** A carry varies with what it starts from and with what it takes on: followed until nothing more varies. */
function carriedVariation(w: Widening, nest: Nest): readonly Varies[] {
  let current: readonly Varies[] = nest.carries.map((c) => variesOf(w, c.init));
  for (;;) {
    const trial: Widening = { ...w, instances: new Map(w.instances), varies: new WeakMap() };
    for (const [i, c] of nest.carries.entries()) trial.instances.set(c, { varies: current[i] ?? FIXED, values: [] });
    const next = yieldVariation(trial, nest).map((v, i) => either(nest.extents[0] ?? indexConst(0), [v], current[i] ?? FIXED));
    if (next.every((v, i) => v.row === current[i]?.row && v.column === current[i]?.column)) return next;
    current = next;
  }
}

function yieldVariation(trial: Widening, nest: Nest): readonly Varies[] {
  for (const stmt of nest.body.stmts) {
    if (stmt.kind === "Assign") trial.instances.set(stmt.target, { varies: variesOf(trial, stmt.value), values: [] });
    if (stmt.kind === "Nest") {
      const inner = carriedVariation(trial, stmt);
      for (const [i, r] of stmt.results.entries()) trial.instances.set(r, { varies: inner[i] ?? FIXED, values: [] });
    }
  }
  const last = nest.body.stmts.at(-1);
  return last?.kind === "Yield" ? last.values.map((v) => variesOf(trial, v)) : [];
}

function variesOf(w: Widening, e: Expr): Varies {
  if (isVarLike(e)) {
    if (e === w.columns.axis) return { row: false, column: true };
    if (e === w.rows?.axis) return { row: true, column: false };
    return w.instances.get(e)?.varies ?? FIXED;
  }
  if (e.kind !== "Prim") return FIXED;
  const known = w.varies.get(e);
  if (known !== undefined) return known;
  const made = e.args.map((a) => variesOf(w, a)).reduce<Varies>((all, v) => ({ row: all.row || v.row, column: all.column || v.column }), FIXED);
  w.varies.set(e, made);
  return made;
}

const rowsOf = (w: Widening, v: Varies): number => (v.row ? (w.rows?.count ?? 1) : 1);
const columnsOf = (w: Widening, v: Varies): number => (v.column ? w.columns.count : 1);

function eachCopy(w: Widening, varies: Varies, visit: (r: number, c: number) => void): void {
  for (let r = 0; r < rowsOf(w, varies); r++) for (let c = 0; c < columnsOf(w, varies); c++) visit(r, c);
}

export function setInstances(w: Widening, v: VarLike, varies: Varies, make: (r: number, c: number) => Expr): void {
  const values: Expr[][] = [];
  eachCopy(w, varies, (r, c) => (values[r] ??= []).push(make(r, c)));
  w.instances.set(v, { varies, values });
}

// — expressions —

/** The value for a copy: a vector if it varies by lane, else a scalar. */
function expand(w: Widening, e: Expr, r: number, c: number): Expr {
  return variesOf(w, e).column && w.lanes > 1 ? inLanes(w, e, r, c) : scalarAt(w, e, r, c);
}

function scalarAt(w: Widening, e: Expr, r: number, c: number): Expr {
  return cleanIndex(replaced(e, (v) => instanceAt(w, v, r, c)));
}

/** The expression with its variables replaced; buffers are not among those of the body. */
function replaced(e: Expr, at: (v: VarLike) => Expr): Expr {
  if (isVarLike(e)) return at(e);
  if (e.kind !== "Prim") return e;
  const args = e.args.map((a) => replaced(a, at));
  return args.every((a, i) => a === e.args[i]) ? e : { ...e, args };
}

function instanceAt(w: Widening, v: VarLike, r: number, c: number): Expr {
  const { columns, rows, lanes } = w;
  if (v === columns.axis) return plus(columns.at, indexConst(c * lanes));
  if (rows !== undefined && v === rows.axis) return plus(rows.at, indexConst(r));
  const known = w.instances.get(v);
  if (known === undefined) return v;
  const { varies, values } = known;
  return values[varies.row ? r : 0]?.[varies.column ? c : 0] ?? v;
}

/** The value as a vector; one that is the same in all lanes is spread. */
export function inLanes(w: Widening, e: Expr, r: number, c: number): Expr {
  if (w.lanes === 1) return scalarAt(w, e, r, c);
  const varies = variesOf(w, e);
  if (!varies.column) return spread(w, scalarAt(w, e, r, c), e);
  if (isVarLike(e)) return instanceAt(w, e, r, c);
  const made = vectorOf(w, e as Prim, r, c); // only primitives vary by column
  return !varies.row && (w.rows?.count ?? 1) > 1 ? share(w.m, w.scope, made, hintOf(e)) : made;
}

function vectorOf(w: Widening, e: Prim, r: number, c: number): Expr {
  const access = accessOf(e);
  if (access !== undefined) return load(access.buffer, indexAt(w, access, r, c), { lanes: w.lanes });
  return prim(e.op, e.args.map((a) => inLanes(w, a, r, c)), e.attrs);
}

const indexAt = (w: Widening, { index }: Access, r: number, c: number): readonly Expr[] => index.map((e) => scalarAt(w, e, r, c));

function spread(w: Widening, value: Expr, origin: Expr): Expr {
  if (value.kind === "Const") return spreadConst(value, w.lanes);
  return share(w.m, w.scope, splat(value, w.lanes), `${baseOf(hintOf(origin))}_v`);
}

export function spreadConst({ value, type }: Const, lanes: number): Const {
  return constant(value, vecType(type.kind === "Scalar" ? type.dtype : "index", lanes));
}

/** What a shared value is called: like the buffer or the variable it comes from. */
function hintOf(e: Expr): string {
  if (isVarLike(e)) return e.hint;
  return accessOf(e)?.buffer.hint ?? "shared";
}
