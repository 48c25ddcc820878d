// Verifier, scopes: definition before use and dominance, binders visible in their loop only, one definition a variable and unique
// hints from `ssa` on, and the extents of types declared. Compares variables by identity, never by name.

import type { Related } from "@tilefoundry/text";
import { boundBy, eachChild } from "./children.ts";
import { dimVars } from "./dims.ts";
import { isVarLike, type Meta, type Node, type Seq, type Stmt, type VarLike } from "./nodes.ts";
import { eachDimIn, eachDimOf } from "./dims-in.ts";
import { graphOrder } from "./graph-order.ts";
import { isFrom, nodeText, type Check } from "./verify-check.ts";
import { eachStmt } from "./walk.ts";

interface Scopes extends Check {
  readonly ssa: boolean;
  readonly visible: Set<VarLike>;
  /** All that became visible in blocks not yet left, in order. */
  readonly trail: VarLike[];
  /** Variables that were defined anywhere so far. */
  readonly defined: Set<VarLike>;
  readonly hints: Map<string, VarLike>;
  /** The loop that binds a variable, of the whole function. */
  readonly binders: ReadonlyMap<VarLike, Stmt>;
}

export function checkScopes(check: Check): void {
  const { f, stage } = check;
  const scopes: Scopes = { ...check, ssa: isFrom(stage, "ssa"), visible: new Set(), trail: [], defined: new Set(), hints: new Map(), binders: bindersOf(f.body) };
  for (const s of f.symbols) define(s.var, scopes);
  for (const p of f.params) define(p.var, scopes);
  checkDims(f.returns, f.meta, scopes);
  if (f.body.kind === "Seq") return visitBlock(f.body, scopes);
  for (const value of graphOrder(f.body.result)) {
    if (isVarLike(value)) use(value, f.meta, scopes);
    else checkOwnDims(value, value.meta, scopes);
  }
}

function bindersOf(body: Seq | { readonly kind: "Graph" }): ReadonlyMap<VarLike, Stmt> {
  const binders = new Map<VarLike, Stmt>();
  if (body.kind === "Seq") eachStmt(body, (stmt) => boundBy(stmt).forEach((v) => binders.set(v, stmt)));
  return binders;
}

/** At `parsed` a local belongs to the function, from its first assignment in the text on; later to its block. */
function visitBlock(block: Seq, scopes: Scopes): void {
  const outside = scopes.trail.length;
  for (const stmt of block.stmts) visitStmt(stmt, scopes);
  if (scopes.ssa) for (const v of scopes.trail.splice(outside)) scopes.visible.delete(v);
}

/** Follows the field table: uses, then binders, then what sees them, then definitions for later siblings. */
function visitStmt(stmt: Stmt, scopes: Scopes): void {
  const bound: VarLike[] = [];
  let entered = 0;
  const enter = (): void => {
    for (; entered < bound.length; entered++) define(bound[entered] as VarLike, scopes); // within bounds
  };
  const exit = (): void => {
    enter();
    for (const v of bound) scopes.visible.delete(v);
  };
  eachChild(stmt, (child, role) => {
    const v = child.kind === "Var" || child.kind === "IterArg" ? child : undefined;
    if (v !== undefined && (role === "bind" || role === "binds")) {
      if (v.kind === "IterArg") visitExpr(v.init, stmt.meta, scopes);
      bound.push(v);
    } else if (v !== undefined && (role === "def" || role === "defs")) {
      exit();
      define(v, scopes);
    } else {
      enter();
      if (child.kind === "Seq") visitBlock(child, scopes);
      else visitExpr(child, stmt.meta, scopes);
    }
  });
  exit();
}

/** `at` is the innermost place with a span: variables are shared, their own span is where they are defined. */
function visitExpr(expr: Node, at: Meta, scopes: Scopes): void {
  if (expr.kind === "Var" || expr.kind === "IterArg") return use(expr, at, scopes);
  const here = expr.meta.span === undefined ? at : expr.meta;
  checkOwnDims(expr, here, scopes);
  eachChild(expr, (child) => visitExpr(child, here, scopes));
}

function define(v: VarLike, scopes: Scopes): void {
  const { f, reporter, ssa } = scopes;
  checkDims(v.type, v.meta, scopes);
  if (ssa && scopes.defined.has(v)) reporter.report("TF5004", v.meta.span, { name: v.hint });
  const namesake = scopes.hints.get(v.hint);
  if (ssa && namesake !== undefined && namesake !== v) {
    reporter.report("TF5005", v.meta.span, { name: v.hint, function: f.name }, { related: definitionOf(namesake) });
  }
  scopes.hints.set(v.hint, v);
  scopes.defined.add(v);
  scopes.visible.add(v);
  scopes.trail.push(v);
}

function use(v: VarLike, at: Meta, { visible, binders, defined, reporter }: Scopes): void {
  if (visible.has(v)) return;
  const binder = binders.get(v);
  const related = definitionOf(v);
  if (binder !== undefined) reporter.report("TF5003", at.span, { name: v.hint, what: nodeText(binder) }, { related });
  else if (defined.has(v)) reporter.report("TF5003", at.span, { name: v.hint, what: "the block" }, { related });
  else reporter.report("TF5002", at.span, { name: v.hint }, { related });
}

function definitionOf(v: VarLike): readonly Related[] {
  return v.meta.span === undefined ? [] : [{ message: `\`${v.hint}\` is defined here`, span: v.meta.span }];
}

// — extents in types —

function checkOwnDims(node: Node, at: Meta, scopes: Scopes): void {
  eachDimOf(node, (d) => dimVars(d, (v) => checkExtent(v, at, scopes)));
}

function checkDims(data: unknown, at: Meta, scopes: Scopes): void {
  eachDimIn(data, (d) => dimVars(d, (v) => checkExtent(v, at, scopes)));
}

function checkExtent(v: VarLike, at: Meta, { visible, f, reporter }: Scopes): void {
  if (!visible.has(v)) reporter.report("TF5022", at.span, { name: v.hint, function: f.name });
}
