// One table: the fields of every node in evaluation order, with their role. Walking, rewriting, equality and hashing derive
// from it. A role is limited by the field's type, so a wrong role, or a new node without a row, does not compile.

import type { Expr, Node, NodeOf, Seq, Type, VarLike } from "./nodes.ts";

/**
 * use: evaluated outside, before the node binds anything · inner: evaluated inside, where `bind` fields are visible ·
 * bind: a variable visible in `inner` and `body` · body: a block · def: a variable visible afterwards · stmts: the statements
 * of a block · type · attr: compared data · hint: not compared. The plural forms are lists.
 */
export type Role = "use" | "uses" | "inner" | "bind" | "binds" | "body" | "def" | "defs" | "stmts" | "type" | "attr" | "hint";

type Defined<F> = Exclude<F, undefined>;

type RoleFor<F> =
  Defined<F> extends readonly (infer E)[]
    ? E extends VarLike ? "binds" | "defs" | "uses" : E extends Expr ? "uses" : E extends Node ? "stmts" : "attr"
    : Defined<F> extends Type ? "type"
    : Defined<F> extends Seq ? "body"
    : Defined<F> extends VarLike ? "bind" | "def" | "use"
    : Defined<F> extends Expr ? "use" | "inner"
    : "attr" | "hint";

type FieldTable = {
  readonly [K in Node["kind"]]: { readonly [F in Exclude<keyof NodeOf<K>, "kind" | "meta">]: RoleFor<NodeOf<K>[F]> };
};

export const FIELDS = {
  Var: { type: "type", hint: "hint", isConst: "attr" },
  IterArg: { init: "use", type: "type", hint: "hint" },
  Const: { type: "type", value: "attr" },
  Prim: { args: "uses", type: "type", op: "attr", attrs: "attr" },
  Tuple: { elements: "uses", type: "type" },
  TupleGet: { tuple: "use", type: "type", index: "attr" },
  Call: { args: "uses", type: "type", callee: "attr" },
  FunctionCall: { args: "uses", type: "type", callee: "attr" },
  Assign: { value: "use", target: "def" },
  Eval: { expr: "use" },
  If: { cond: "use", then: "body", else: "body", results: "defs" },
  For: {
    start: "use", stop: "use", step: "use", carries: "binds", loopVar: "bind", body: "body", results: "defs",
    mode: "attr", level: "attr", stages: "attr",
  },
  While: { carries: "binds", cond: "inner", body: "body", results: "defs" },
  Nest: { extents: "uses", carries: "binds", axes: "binds", body: "body", results: "defs", reduce: "attr" },
  Scope: { body: "body", results: "defs", scope: "attr" },
  Return: { values: "uses" },
  Yield: { values: "uses" },
  Break: {},
  Continue: {},
  Seq: { stmts: "stmts" },
} as const satisfies FieldTable;

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
