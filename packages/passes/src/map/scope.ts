// Blocks under construction, one for each loop around the place of writing. A value that several iterations or register rows share is
// bound once, as far out as its variables and the memory it reads allow.

import { assign, definedBy, isVarLike, variable, type Expr, type Stmt, type Var, type VarLike } from "@tilefoundry/ir";
import { accessOf, eachSubexpr } from "./effects.ts";
import type { Mapping } from "./mapping.ts";
import { has, NO_VARS, type VarSet } from "./var-set.ts";

export interface Scope {
  readonly outer: Scope | undefined;
  readonly stmts: Stmt[];
  /** Variables that change from one iteration to the next: the loop's own and all that its body defines. */
  readonly defined: Set<VarLike>;
  /** Buffers that the loop writes. */
  readonly writes: VarSet;
  /** Values bound here, by key, with the buffers they were read from. */
  readonly shared: Map<string, Shared>;
}

interface Shared {
  readonly value: Var;
  readonly reads: ReadonlySet<VarLike>;
}

export function openScope(outer: Scope | undefined, writes: VarSet = NO_VARS, defined: Iterable<VarLike> = []): Scope {
  return { outer, stmts: [], defined: new Set(defined), writes, shared: new Map() };
}

export function push(scope: Scope, stmt: Stmt): void {
  scope.stmts.push(stmt);
  for (const v of definedBy(stmt)) scope.defined.add(v);
}

/** A name for a value at the outermost place where it means the same; one name for equal values. */
export function share(m: Mapping, scope: Scope, value: Expr, hint: string): Expr {
  if (isVarLike(value) || value.kind === "Const") return value;
  const { variables, reads } = partsOf(value);
  let at = scope;
  while (at.outer !== undefined && isInvariant(at, variables, reads)) at = at.outer;
  const key = m.keys.of(value);
  const known = at.shared.get(key);
  if (known !== undefined) return known.value;
  const target = variable(m.names.fresh(hint), value.type);
  push(at, assign(target, value));
  at.shared.set(key, { value: target, reads });
  return target;
}

const isInvariant = (scope: Scope, variables: readonly VarLike[], reads: ReadonlySet<VarLike>): boolean =>
  !variables.some((v) => scope.defined.has(v)) && ![...reads].some((buffer) => has(scope.writes, buffer));

function partsOf(e: Expr): { readonly variables: readonly VarLike[]; readonly reads: ReadonlySet<VarLike> } {
  const variables: VarLike[] = [];
  const reads = new Set<VarLike>();
  eachSubexpr(e, (part) => {
    if (isVarLike(part)) variables.push(part);
    const access = accessOf(part);
    if (access !== undefined) reads.add(access.buffer);
  });
  return { variables, reads };
}

/** After a store, values read from the buffer before it are not shared any more. */
export function forgetReads(scope: Scope, buffer: VarLike): void {
  for (const [key, { reads }] of scope.shared) if (reads.has(buffer)) scope.shared.delete(key);
}
