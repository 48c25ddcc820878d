// Expressions of a body written for a copy: what varies by lane becomes a vector, what does not is computed once and spread.

import { constant, isVarLike, load, prim, splat, vecType, withArgs, type Const, type Expr, type Prim } from "@tilefoundry/ir";
import { accessOf, type Access } from "./effects.ts";
import { cleanSum } from "./rewrite.ts";
import { share } from "./scope.ts";
import { baseOf } from "./tidy.ts";
import { BY_COLUMN, BY_ROW, instanceAt, rowCount, variesOf, type Varies, type Widening } from "./widening.ts";

/** The value for a copy: a vector if it varies by lane, else a scalar. */
export function expand(w: Widening, e: Expr, r: number, c: number): Expr {
  if (w.lanes === 1) return scalarAt(w, e, r, c);
  const varies = variesOf(w, e);
  return varies & BY_COLUMN ? vectorAt(w, e, varies, r, c) : scalarAt(w, e, r, c);
}

/** The value as a vector; one that is the same in all lanes is spread. */
export function inLanes(w: Widening, e: Expr, r: number, c: number): Expr {
  if (w.lanes === 1) return scalarAt(w, e, r, c);
  const varies = variesOf(w, e);
  return varies & BY_COLUMN ? vectorAt(w, e, varies, r, c) : spread(w, scalarAt(w, e, r, c), e);
}

export const indexAt = (w: Widening, { index }: Access, r: number, c: number): readonly Expr[] => index.map((e) => scalarAt(w, e, r, c));

function scalarAt(w: Widening, e: Expr, r: number, c: number): Expr {
  if (isVarLike(e)) return instanceAt(w, e, r, c);
  return e.kind === "Prim" ? cleanSum(withArgs(e, e.args.map((a) => scalarAt(w, a, r, c)))) : e;
}

/** A value that varies by column. */
function vectorAt(w: Widening, e: Expr, varies: Varies, r: number, c: number): Expr {
  if (isVarLike(e)) return instanceAt(w, e, r, c);
  const made = vectorOf(w, e as Prim, r, c); // only primitives vary by column
  return !(varies & BY_ROW) && rowCount(w) > 1 ? share(w.scope, made, hintOf(e)) : made;
}

function vectorOf(w: Widening, e: Prim, r: number, c: number): Expr {
  const access = accessOf(e);
  if (access !== undefined) return load(access.buffer, indexAt(w, access, r, c), { lanes: w.lanes });
  return prim(e.op, e.args.map((a) => inLanes(w, a, r, c)), e.attrs);
}

function spread(w: Widening, value: Expr, origin: Expr): Expr {
  if (value.kind === "Const") return spreadConst(value, w.lanes);
  return share(w.scope, splat(value, w.lanes), `${baseOf(hintOf(origin))}_v`);
}

export function spreadConst({ value, type }: Const, lanes: number): Const {
  return constant(value, vecType(type.kind === "Scalar" ? type.dtype : "index", lanes));
}

/** What a shared value is called: like the buffer or the variable it comes from. */
function hintOf(e: Expr): string {
  if (isVarLike(e)) return e.hint;
  return accessOf(e)?.buffer.hint ?? "shared";
}
