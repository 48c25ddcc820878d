// Walking and rewriting, derived from the field table. `mapChildren` gives back the same object when nothing changed, so a
// fixpoint is `===`. Variables are shared by identity: rewriting a binding is the job of `Renamer`-style passes, which hold a map.

import { FIELDS, type Role } from "./fields.ts";
import type { Expr, FunctionNode, Node, NodeOf, Seq, Stmt, VarLike } from "./nodes.ts";

type AnyNode = Readonly<Record<string, unknown>> & { readonly kind: Node["kind"] };

type FieldList = readonly (readonly [string, Role])[];

const ROWS = Object.fromEntries(
  Object.entries(FIELDS).map(([kind, row]) => [kind, Object.entries(row)]),
) as unknown as Readonly<Record<Node["kind"], FieldList>>; // Object.entries forgets the key types

/** Fields of a node kind in evaluation order. */
export function fieldsOf(kind: Node["kind"]): FieldList {
  return ROWS[kind];
}

/** The one place where a field is read by name. */
export function fieldValue(node: Node, field: string): unknown {
  return (node as unknown as AnyNode)[field]; // the name comes from the table, which is typed against the node
}

/** The fields of each kind that hold nodes: what walking looks at. */
const CHILD_ROWS = Object.fromEntries(
  Object.entries(ROWS).map(([kind, row]) => [kind, row.filter(([, role]) => role !== "type" && role !== "attr" && role !== "hint")]),
) as unknown as Readonly<Record<Node["kind"], FieldList>>; // as above

/** Calls `visit` with each child node (expressions, blocks, binders and definitions) in evaluation order. */
export function eachChild(node: Node, visit: (child: Node, role: Role) => void): void {
  for (const [field, role] of CHILD_ROWS[node.kind]) {
    const value = fieldValue(node, field);
    if (Array.isArray(value)) for (const child of value as readonly Node[]) visit(child, role);
    else if (value !== undefined) visit(value as Node, role);
  }
}

/** Calls `visit` on the node and everything below it, parents first. `init` of a carry counts as below its loop. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  eachChild(node, (child, role) => {
    if (child.kind === "Var") return visit(child);
    if (child.kind === "IterArg") {
      visit(child);
      if (role === "binds" || role === "bind") walk(child.init, visit);
      return;
    }
    walk(child, visit);
  });
}

/** Every expression directly evaluated by a statement (not those of its blocks), `init`s of carries included. */
export function eachOperand(stmt: Stmt, visit: (expr: Expr) => void): void {
  eachChild(stmt, (child, role) => {
    if (role === "use" || role === "uses" || role === "inner") visit(child as Expr); // the roles hold expressions
    else if (child.kind === "IterArg" && role === "binds") visit(child.init);
  });
}

/** The blocks of a statement. */
export function blocksOf(stmt: Stmt): readonly Seq[] {
  const blocks: Seq[] = [];
  eachChild(stmt, (child, role) => {
    if (role === "body" && child.kind === "Seq") blocks.push(child);
  });
  return blocks;
}

/** Variables that a statement defines for later siblings. */
export function definedBy(stmt: Stmt): readonly VarLike[] {
  const defs: VarLike[] = [];
  eachChild(stmt, (child, role) => {
    if ((role === "def" || role === "defs") && (child.kind === "Var" || child.kind === "IterArg")) defs.push(child);
  });
  return defs;
}

/** Variables that a statement binds inside itself: loop variable, axes, carries. */
export function boundBy(stmt: Stmt): readonly VarLike[] {
  const bound: VarLike[] = [];
  eachChild(stmt, (child, role) => {
    if ((role === "bind" || role === "binds") && (child.kind === "Var" || child.kind === "IterArg")) bound.push(child);
  });
  return bound;
}

/**
 * Rebuilds a node with `map` applied to its children in evaluation order; the same object comes back if no child changed.
 * A carry is mapped like any binder: `map` decides whether to rebuild it with a mapped `init`. Types are the caller's matter.
 */
export function mapChildren<N extends Node>(node: N, map: (child: Node, role: Role) => Node): N {
  let changed: Record<string, unknown> | undefined;
  for (const [field, role] of CHILD_ROWS[node.kind]) {
    const value = fieldValue(node, field);
    if (value === undefined) continue;
    const mapped = Array.isArray(value) ? mapList(value as readonly Node[], role, map) : map(value as Node, role);
    if (mapped !== value) (changed ??= { ...node })[field] = mapped;
  }
  return changed === undefined ? node : (changed as unknown as N); // same kind, same fields
}

/** No new list is made until a child changes. */
function mapList(list: readonly Node[], role: Role, map: (child: Node, role: Role) => Node): readonly Node[] {
  let mapped: Node[] | undefined;
  for (const [i, child] of list.entries()) {
    const next = map(child, role);
    if (next !== child) (mapped ??= list.slice())[i] = next;
  }
  return mapped ?? list;
}

/** Rules by kind: each sees the node after its children were rewritten. */
export type ExprRules = { readonly [K in Expr["kind"]]?: (node: NodeOf<K>) => Expr };

/** Rewrites an expression bottom-up. Variables are leaves (an `IterArg`'s `init` belongs to its loop). */
export function rewriteExpr(expr: Expr, rules: ExprRules): Expr {
  const rebuilt = expr.kind === "Var" || expr.kind === "IterArg" ? expr : mapChildren(expr, (child) => rewriteExpr(child as Expr, rules)); // children of expressions are expressions
  const rule = rules[rebuilt.kind] as ((node: Expr) => Expr) | undefined; // the key fixes the node type
  return rule === undefined ? rebuilt : rule(rebuilt);
}

/** Every statement of a function in source order, nested ones after the statement that holds them. */
export function eachStmt(body: Seq, visit: (stmt: Stmt) => void): void {
  for (const stmt of body.stmts) {
    visit(stmt);
    for (const block of blocksOf(stmt)) eachStmt(block, visit);
  }
}

/** The statement body of a function that has left graph form. */
export function bodyOf(f: FunctionNode): Seq | undefined {
  return f.body.kind === "Seq" ? f.body : undefined;
}
