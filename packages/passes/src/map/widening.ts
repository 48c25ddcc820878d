// Iterations side by side: what a body that is written for several rows and columns at once knows of its variables. A column is as many
// lanes wide as the vectors are; a row is one iteration of a second axis.

import { indexConst, isVarLike, type Expr, type Nest, type VarLike } from "@tilefoundry/ir";
import { plus } from "../index-math.ts";
import { yieldedBy } from "./effects.ts";
import type { Mapping } from "./mapping.ts";
import type { Scope } from "./scope.ts";

/** Copies of an axis: iteration `at + n * lanes` of the old axis is copy `n`. */
export interface Copies {
  readonly axis: VarLike;
  readonly at: Expr;
  readonly count: number;
}

/** With which copies a value changes: bits. */
export type Varies = number;
export const FIXED = 0;
export const BY_ROW = 1;
export const BY_COLUMN = 2;

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
  /** How the primitives of the body vary, once it was asked. */
  readonly varies: Map<Expr, Varies>;
  scope: Scope;
}

export function makeWidening(m: Mapping, scope: Scope, lanes: number, columns: Copies, rows?: Copies): Widening {
  return { m, lanes, columns, rows, instances: new Map(), varies: new Map(), scope };
}

// — copies —

export const rowCount = (w: Widening): number => w.rows?.count ?? 1;

/** Calls `visit` for each copy that a value has of its own. */
export function eachCopy(w: Widening, varies: Varies, visit: (r: number, c: number) => void): void {
  const rows = varies & BY_ROW ? rowCount(w) : 1;
  const columns = varies & BY_COLUMN ? w.columns.count : 1;
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) visit(r, c);
}

export function setInstances(w: Widening, v: VarLike, varies: Varies, make: (r: number, c: number) => Expr): void {
  const values: Expr[][] = [];
  eachCopy(w, varies, (r, c) => (values[r] ??= []).push(make(r, c)));
  w.instances.set(v, { varies, values });
}

/** What a variable is in a copy. */
export function instanceAt(w: Widening, v: VarLike, r: number, c: number): Expr {
  const { columns, rows, lanes } = w;
  if (v === columns.axis) return c === 0 ? columns.at : plus(columns.at, indexConst(c * lanes));
  if (rows !== undefined && v === rows.axis) return r === 0 ? rows.at : plus(rows.at, indexConst(r));
  const known = w.instances.get(v);
  if (known === undefined) return v;
  const { varies, values } = known;
  return values[varies & BY_ROW ? r : 0]?.[varies & BY_COLUMN ? c : 0] ?? v;
}

// — what varies —

export function variesOf(w: Widening, e: Expr): Varies {
  if (isVarLike(e)) {
    if (e === w.columns.axis) return BY_COLUMN;
    if (e === w.rows?.axis) return BY_ROW;
    return w.instances.get(e)?.varies ?? FIXED;
  }
  if (e.kind !== "Prim") return FIXED;
  let varies = w.varies.get(e);
  if (varies === undefined) w.varies.set(e, (varies = anyVaries(w, e.args)));
  return varies;
}

/** With which copies any of the values changes. */
export function anyVaries(w: Widening, values: readonly Expr[]): Varies {
  let varies = FIXED;
  for (const e of values) varies |= variesOf(w, e);
  return varies;
}

/** A carry varies with what it starts from and with what it takes on: followed until nothing more varies. */
export function carriedVariation(w: Widening, nest: Nest): readonly Varies[] {
  let current: readonly Varies[] = nest.carries.map((c) => variesOf(w, c.init));
  for (;;) {
    const trial: Widening = { ...w, instances: new Map(w.instances), varies: new Map() };
    for (const [i, c] of nest.carries.entries()) trial.instances.set(c, { varies: current[i] ?? FIXED, values: [] });
    const next = yieldVariation(trial, nest).map((v, i) => v | (current[i] ?? FIXED));
    if (next.every((v, i) => v === current[i])) return next;
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
  return yieldedBy(nest.body).map((v) => variesOf(trial, v));
}
