// The values of a graph body in order. Graphs share values and may be thousands deep, so nothing here recurses.

import { fieldsOf, fieldValue } from "./fields.ts";
import type { Expr } from "./nodes.ts";

/** Every value that `result` needs, each once, operands before users, in evaluation order; `result` is the last. */
export function graphOrder(result: Expr): readonly Expr[] {
  const order: Expr[] = [];
  const seen = new Set<Expr>([result]);
  const open: { readonly value: Expr; readonly operands: Iterator<Expr> }[] = [{ value: result, operands: operandsOf(result).values() }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = top.operands.next();
    if (next.done === true) {
      order.push(top.value);
      open.pop();
    } else if (!seen.has(next.value)) {
      seen.add(next.value);
      open.push({ value: next.value, operands: operandsOf(next.value).values() });
    }
  }
  return order;
}

/** Operands of an expression; variables have none (a carry's `init` belongs to its loop). */
export function operandsOf(expr: Expr): readonly Expr[] {
  if (expr.kind === "Var" || expr.kind === "IterArg") return [];
  return fieldsOf(expr.kind).flatMap(([field, role]) => {
    if (role === "use") return [fieldValue(expr, field) as Expr]; // the role holds one expression
    return role === "uses" ? (fieldValue(expr, field) as readonly Expr[]) : []; // or a list of them
  });
}
