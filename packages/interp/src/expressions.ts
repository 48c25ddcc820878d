// Compiling expressions: one rule a kind, total. Each gives the place of its value, computing it into `into` where it can.

import type { Expr, NodeOf } from "@tilefoundry/ir";
import { scalarOfConst } from "@tilefoundry/ops/evaluate";
import { invariant } from "@tilefoundry/text";
import { compileExpr, placeOf, type Builder } from "./builder.ts";
import { compileFunctionCall } from "./calls.ts";
import { compileCall } from "./catalog.ts";
import type { Place } from "./layout.ts";
import { PRIM_RULES } from "./primitives.ts";

type Rules = { readonly [K in Expr["kind"]]: (expr: NodeOf<K>, b: Builder, into: Place | undefined) => Place };

const EXPR_RULES: Rules = {
  Var: placeOf,
  IterArg: placeOf,
  Const: (literal, b) => {
    const { type } = literal;
    invariant(type.kind === "Scalar" || type.kind === "Vec", () => `a literal of type ${type.kind}`);
    return b.layout.literal(scalarOfConst(literal), type);
  },
  Prim: (expr, b, into) => PRIM_RULES[expr.op](expr, b, into),
  Tuple: ({ elements }, b) => elements.map((e) => compileExpr(e, b)),
  TupleGet: ({ tuple, index }, b) => {
    const fields = compileExpr(tuple, b);
    const field = typeof fields === "number" ? undefined : fields[index];
    invariant(field !== undefined, () => `field ${index} of what is no such tuple`);
    return field;
  },
  Call: compileCall,
  FunctionCall: compileFunctionCall,
};

export function exprRule(expr: Expr, b: Builder, into: Place | undefined): Place {
  const rule = EXPR_RULES[expr.kind] as (expr: Expr, b: Builder, into: Place | undefined) => Place; // the key fixes the node's type
  return rule(expr, b, into);
}
