// Blocks under construction, one for each loop around the place of writing. A value that several iterations or register rows share is
// bound once, as far out as its variables and the memory it reads allow.

import { assign, definedBy, isVarLike, variable, type Expr, type Stmt, type Var, type VarLike } from "@tilefoundry/ir";
import { sameExpr } from "../index-math.ts";
import { emptySet, has, include, NO_VARS, type GrowingSet, type VarSet } from "./var-set.ts";

export interface Scope {
  readonly outer: Scope | undefined;
  readonly stmts: Stmt[];
  /** Variables that change from one iteration to the next: the loop's own and all that its body defines. */
  readonly defined: GrowingSet;
  /** Buffers that the loop writes. */
  readonly writes: VarSet;
  /** Values bound here, by the first variable in them. */
  readonly shared: Map<VarLike | undefined, Shared[]>;
}

interface Shared {
  readonly value: Expr;
  readonly name: Var;
  readonly reads: VarSet;
}

export function openScope(outer: Scope | undefined, writes: VarSet = NO_VARS, defined: readonly VarLike[] = []): Scope {
  const scope = { outer, stmts: [], defined: emptySet(), writes, shared: new Map() };
  for (const v of defined) include(scope.defined, v);
  return scope;
}

export function push(scope: Scope, stmt: Stmt): void {
  scope.stmts.push(stmt);
  if (stmt.kind === "Assign") include(scope.defined, stmt.target);
  else for (const v of definedBy(stmt)) include(scope.defined, v);
}

/** A name for a value at the outermost place where it means the same; one name for equal values. */
export function share(scope: Scope, value: Expr, hint: string): Expr {
  if (isVarLike(value) || value.kind === "Const") return value;
  const parts: Parts = { variables: emptySet(), reads: emptySet() };
  collectParts(value, parts);
  let at = scope;
  while (at.outer !== undefined && isInvariant(at, parts)) at = at.outer;
  const [first] = parts.variables.list;
  const alike = at.shared.get(first);
  const known = alike?.find((s) => sameExpr(s.value, value));
  if (known !== undefined) return known.name;
  const name = variable(hint, value.type);
  push(at, assign(name, value));
  const made = { value, name, reads: parts.reads };
  if (alike === undefined) at.shared.set(first, [made]);
  else alike.push(made);
  return name;
}

interface Parts {
  readonly variables: GrowingSet;
  readonly reads: GrowingSet;
}

function collectParts(e: Expr, into: Parts): void {
  if (isVarLike(e)) include(into.variables, e);
  if (e.kind !== "Prim") return;
  const [buffer] = e.args;
  if (e.op === "load" && buffer !== undefined && isVarLike(buffer)) include(into.reads, buffer);
  for (const a of e.args) collectParts(a, into);
}

const isInvariant = (scope: Scope, { variables, reads }: Parts): boolean =>
  !variables.list.some((v) => has(scope.defined, v)) && !reads.list.some((buffer) => has(scope.writes, buffer));

/** After a store, values read from the buffer before it are not shared any more. */
export function forgetReads({ shared }: Scope, buffer: VarLike): void {
  for (const [first, alike] of shared) {
    if (alike.some(({ reads }) => has(reads, buffer))) shared.set(first, alike.filter(({ reads }) => !has(reads, buffer)));
  }
}
