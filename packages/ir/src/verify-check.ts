// What the topics of the verifier share: the function under check, and how messages name its parts.

import type { Reporter } from "@tilefoundry/text";
import { blocksOf, eachChild, eachOperand } from "./children.ts";
import { graphOrder } from "./graph-order.ts";
import type { Expr, For, FunctionNode, Node, Seq, Stmt } from "./nodes.ts";
import { STAGES, type Stage } from "./stages.ts";
import { eachStmt } from "./walk.ts";

export interface Check {
  readonly f: FunctionNode;
  readonly stage: Stage;
  readonly reporter: Reporter;
}

/** Whether `stage` is `first` or a later one. */
export const isFrom = (stage: Stage, first: Stage): boolean => STAGES.indexOf(stage) >= STAGES.indexOf(first);

/** Node kinds in messages. */
export const KIND_TEXT = {
  Var: "a variable",
  IterArg: "a carry",
  Const: "a literal",
  Prim: "a primitive",
  Tuple: "a tuple",
  TupleGet: "an element of a tuple",
  Call: "a call",
  FunctionCall: "a call of a function",
  Assign: "an assignment",
  Eval: "an expression statement",
  If: "an `if`",
  For: "a loop",
  While: "a `while`",
  Nest: "a nest",
  Scope: "a `with` region",
  Return: "a `return`",
  Yield: "a yield",
  Break: "a `break`",
  Continue: "a `continue`",
  Seq: "a block",
} as const satisfies Readonly<Record<Node["kind"], string>>;

/** A node in a message, with its op if it has one. */
export function nodeText(node: Node): string {
  if (node.kind === "Call") return `a call of \`${node.callee.name}\``;
  if (node.kind === "FunctionCall") return `a call of \`${node.callee.symbol}\``;
  if (node.kind === "Prim") return `\`T.${node.op}\``;
  if (node.kind === "Var" || node.kind === "IterArg") return `\`${node.hint}\``;
  return node.kind === "For" ? loopText(node) : KIND_TEXT[node.kind];
}

export const loopText = (loop: For): string => `the ${loop.mode} loop over \`${loop.loopVar.hint}\``;

/** `1 carry`, `2 carries`. */
export const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

/** Calls `visit` with every expression of a function, operands first; a shared value of a graph once. */
export function eachExpr(f: FunctionNode, visit: (expr: Expr, stmt: Stmt | undefined) => void): void {
  if (f.body.kind === "Graph") return graphOrder(f.body.result).forEach((value) => visit(value, undefined));
  eachStmt(f.body, (stmt) => eachOperand(stmt, (operand) => eachSubexpr(operand, (e) => visit(e, stmt))));
}

function eachSubexpr(expr: Expr, visit: (expr: Expr) => void): void {
  if (expr.kind !== "Var" && expr.kind !== "IterArg") eachChild(expr, (child) => eachSubexpr(child as Expr, visit)); // children of expressions are expressions
  visit(expr);
}

/** Calls `visit` with every block of a function, and the statement that holds it. */
export function eachBlock(body: Seq, visit: (block: Seq, holder: Stmt | undefined) => void): void {
  visit(body, undefined);
  eachStmt(body, (stmt) => blocksOf(stmt).forEach((block) => visit(block, stmt)));
}
