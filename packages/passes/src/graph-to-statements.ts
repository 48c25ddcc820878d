// `@func` to statements: each shared or named value of the graph becomes an assignment, in an order in which operands come
// first; what is used once and has no name stays nested. A `@func` with loops has statements already. It is then a `@prim_func`.

import {
  assign, calleeNames, graphOrder, makeFunction, makeNames, mapChildren, returnValues, seq, variable,
  type Assign, type Expr, type FunctionNode, type Meta, type Seq,
} from "@tilefoundry/ir";
import { spanOnly } from "./meta.ts";
import { eachFunction, type Pass } from "./pass.ts";

export const graphToStatements = {
  name: "graph-to-statements",
  from: "parsed",
  to: "parsed",
  doc: "Turns the values of graph functions into statements.",
  run: eachFunction(toStatements),
} as const satisfies Pass;

function toStatements(fn: FunctionNode): FunctionNode {
  if (fn.func !== "graph") return fn;
  return makeFunction({ ...fn, func: "prim", body: fn.body.kind === "Graph" ? anchored(fn, fn.body.result) : fn.body }, fn.meta);
}

function anchored(fn: FunctionNode, result: Expr): Seq {
  const names = makeNames([...[...fn.symbols, ...fn.params].map((p) => p.var.hint), ...calleeNames(fn)]);
  const order = graphOrder(result);
  const shared = sharedValues(order);
  const stmts: Assign[] = [];
  const placed = new Map<Expr, Expr>();
  for (const value of order) {
    if (isLeaf(value)) continue;
    const rebuilt = mapChildren(value, (child) => placed.get(child as Expr) ?? child); // children of expressions are expressions
    if (rebuilt.kind === "Tuple" || (value.meta.label === undefined && !shared.has(value))) placed.set(value, unlabelled(rebuilt));
    else {
      const target = variable(names.fresh(value.meta.label ?? hintOf(rebuilt)), rebuilt.type, spanOnly(value.meta));
      stmts.push(assign(target, unlabelled(rebuilt), statementMeta(value.meta)));
      placed.set(value, target);
    }
  }
  const returned = placed.get(result) ?? result;
  const values = returned.kind === "Tuple" ? returned.elements : [returned];
  return seq([...stmts, returnValues(values, spanOnly(result.meta))]);
}

function sharedValues(order: readonly Expr[]): ReadonlySet<Expr> {
  const seen = new Set<Expr>();
  const shared = new Set<Expr>();
  for (const value of order) {
    mapChildren(value, (child) => {
      const operand = child as Expr; // children of expressions are expressions
      if (seen.has(operand)) shared.add(operand);
      seen.add(operand);
      return child;
    });
  }
  return shared;
}

const isLeaf = (e: Expr): boolean => e.kind === "Var" || e.kind === "IterArg" || e.kind === "Const";

/** A name for a value that its author did not name: that of its op. */
export function hintOf(value: Expr): string {
  switch (value.kind) {
    case "Call": return value.callee.name;
    case "FunctionCall": return value.callee.symbol.split(".").at(-1) ?? "value";
    case "Prim": return value.op;
    case "TupleGet": return `part_${value.index}`;
    default: return "value";
  }
}

/** Label and comments belong to the assignment from now on. */
function unlabelled(value: Expr): Expr {
  const { label, comments } = value.meta;
  return label === undefined && comments === undefined ? value : { ...value, meta: spanOnly(value.meta) };
}

function statementMeta({ span, comments }: Meta): Meta {
  return { ...(span === undefined ? {} : { span }), ...(comments === undefined ? {} : { comments }) };
}
