// Values as index scalars: offsets, loop bounds and extents. Any integer becomes one, by keeping its value.

import { cast, isInteger, sameDType, type Expr } from "@tilefoundry/ir";
import { showType, writeDType } from "@tilefoundry/ops";
import { dialectOf, type ExprContext } from "./context.ts";
import { toExpr } from "./literal.ts";
import { unknownExpr, type Value } from "./value.ts";

export function toIndex(value: Value, c: ExprContext): Expr {
  const expr = toExpr(value, c);
  const { type } = expr;
  if (type.kind === "Unknown") return expr;
  if (type.kind === "Scalar" && sameDType(type.dtype, "index")) return expr;
  if (type.kind === "Scalar" && isInteger(type.dtype)) return { ...cast(expr, "index"), meta: { span: value.span } };
  const dialect = dialectOf(c);
  const text = value.span.source.text.slice(value.span.start, value.span.end);
  const instead = type.kind === "Scalar" && value.kind === "expr" ? `cast it: \`${dialect}.cast(${text}, ${writeDType("index", dialect)})\`` : "write an integer";
  c.reporter.report("TF3110", value.span, { what: "an index", found: showType(type, dialect), instead });
  return unknownExpr(value.span);
}
