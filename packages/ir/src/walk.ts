// Walking and rewriting below a node. Variables are shared by identity: rewriting a binding is the job of `Renamer`-style
// passes, which hold a map.

import { eachChild, mapChildren } from "./children.ts";
import type { Role } from "./fields.ts";
import type { Expr, FunctionNode, Node, NodeOf, Seq, Stmt } from "./nodes.ts";

/** Calls `visit` on the node and everything below it, parents first. `init` of a carry counts as below its loop. */
export function walk(node: Node, visit: (node: Node) => void): void {
  const visitBelow = (child: Node, role: Role): void => {
    visit(child);
    if (child.kind !== "Var" && child.kind !== "IterArg") eachChild(child, visitBelow);
    else if (child.kind === "IterArg" && (role === "binds" || role === "bind")) visitBelow(child.init, "use");
  };
  visit(node);
  eachChild(node, visitBelow);
}

/** Rules by kind: each sees the node after its children were rewritten. */
export type ExprRules = { readonly [K in Expr["kind"]]?: (node: NodeOf<K>) => Expr };

/** Rewrites an expression bottom-up. Variables are leaves (an `IterArg`'s `init` belongs to its loop). */
export function rewriteExpr(expr: Expr, rules: ExprRules): Expr {
  const rewrite = (e: Expr): Expr => {
    const rebuilt = e.kind === "Var" || e.kind === "IterArg" ? e : mapChildren(e, rewritten);
    const rule = rules[rebuilt.kind] as ((node: Expr) => Expr) | undefined; // the key fixes the node type
    return rule === undefined ? rebuilt : rule(rebuilt);
  };
  const rewritten = (child: Node): Node => rewrite(child as Expr); // children of expressions are expressions
  return rewrite(expr);
}

/** Every statement of a function in source order, nested ones after the statement that holds them. */
export function eachStmt(body: Seq, visit: (stmt: Stmt) => void): void {
  for (const stmt of body.stmts) {
    visit(stmt);
    switch (stmt.kind) {
      case "If":
        eachStmt(stmt.then, visit);
        if (stmt.else !== undefined) eachStmt(stmt.else, visit);
        break;
      case "For":
      case "While":
      case "Nest":
      case "Scope":
        eachStmt(stmt.body, visit);
        break;
      default:
    }
  }
}

/** The statement body of a function that has left graph form. */
export function bodyOf(f: FunctionNode): Seq | undefined {
  return f.body.kind === "Seq" ? f.body : undefined;
}
