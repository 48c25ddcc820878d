// Conditions are BOOL scalars; a number is refused with the comparison that was meant.

import type { SExpr } from "@tilefoundry/grammar";
import type { Expr } from "@tilefoundry/ir";
import { showType } from "@tilefoundry/ops";
import { dialectOf, type ExprContext } from "./context.ts";
import { evaluate } from "./expr.ts";
import { toExpr } from "./literal.ts";
import { unknownExpr } from "./value.ts";

/** The condition, or an erroneous expression after a complaint. */
export function condition(e: SExpr, c: ExprContext): Expr {
  const expr = toExpr(evaluate(e, c), c);
  const { type } = expr;
  if (type.kind === "Unknown" || (type.kind === "Scalar" && type.dtype === "bool")) return expr;
  const written = e.span.source.text.slice(e.span.start, e.span.end);
  const found = showType(type, dialectOf(c));
  const isNumber = type.kind === "Scalar";
  const fixes = isNumber ? [{ title: "compare with 0", edits: [{ span: { ...e.span, start: e.span.end }, text: " != 0" }] }] : [];
  const help = isNumber ? {} : { help: "compare elements of it, read with `pl.read`" };
  c.reporter.report("TF3204", e.span, { found, text: written.length > 30 ? "…" : written }, { fixes, ...help });
  return unknownExpr(e.span);
}
