// Graph form: a DAG of values as a block. Values with a label and values used more than once are assignments, operands before
// users; the rest is written where it is used.

import { make, type Block, type SStmt } from "@tilefoundry/grammar";
import { graphOrder, makeNames, operandsOf, type Expr, type FunctionNode, type GraphBody } from "@tilefoundry/ir";
import { printing, spelledOut } from "./expressions.ts";
import type { Printing } from "./spelling.ts";
import { valuesExpr } from "./statements.ts";

/** Name of a shared value without a label. */
const UNNAMED = "value";

/** How deep values are nested before one of them gets a name: well below what the parser takes. */
const DEEPEST = 24;

export function graphBlock(body: GraphBody, f: FunctionNode, outer: Printing): Block {
  const order = graphOrder(body.result);
  const named = nameValues(order, body.result, f);
  const p = printing(outer.ops, outer.dialect, outer.owner, named);
  const stmts: SStmt[] = [];
  for (const value of order) {
    const name = named.get(value);
    if (name !== undefined) stmts.push(make.assignStmt(make.name(name), spelledOut(value, p), { comments: value.meta.comments ?? [] }));
  }
  return make.block([...stmts, returnStatement(body.result, p)]);
}

function returnStatement(result: Expr, p: Printing): SStmt {
  if (p.named.has(result)) return make.returnStmt(p.expr(result));
  const values = result.kind === "Tuple" ? result.elements.map(p.expr) : [p.expr(result)];
  return make.returnStmt(valuesExpr(values), { comments: result.meta.comments ?? [] });
}

/** Names of the values that need one, distinct and different from parameters and symbols. */
function nameValues(order: readonly Expr[], result: Expr, f: FunctionNode): ReadonlyMap<Expr, string> {
  const names = makeNames([...f.params.map((param) => param.var.hint), ...f.symbols.map((s) => s.var.hint)]);
  const uses = useCounts(order);
  const named = new Map<Expr, string>();
  const depths = new Map<Expr, number>();
  for (const value of order) {
    const depth = 1 + Math.max(0, ...operandsOf(value).map((operand) => depths.get(operand) ?? 0));
    const shared = (uses.get(value) ?? 0) > 1 || (depth > DEEPEST && value !== result);
    const needed = isComputed(value) && (value.meta.label !== undefined || shared);
    if (needed) named.set(value, names.fresh(value.meta.label ?? UNNAMED));
    depths.set(value, needed ? 0 : depth);
  }
  return named;
}

/** Variables and literals have a spelling of their own, and a tuple of operands has no meaning apart from its user. */
const isComputed = (e: Expr): boolean => e.kind === "Call" || e.kind === "FunctionCall" || e.kind === "Prim" || e.kind === "TupleGet";

function useCounts(order: readonly Expr[]): ReadonlyMap<Expr, number> {
  const uses = new Map<Expr, number>();
  for (const value of order) for (const operand of operandsOf(value)) uses.set(operand, (uses.get(operand) ?? 0) + 1);
  return uses;
}
