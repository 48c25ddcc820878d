// Expressions of the IR as surface trees: one function a kind.

import { make, type SExpr } from "@tilefoundry/grammar";
import type { Dialect, Expr, NodeOf } from "@tilefoundry/ir";
import type { Ops } from "@tilefoundry/ops";
import { callExpr } from "./calls.ts";
import { constantExpr } from "./constants.ts";
import { primExpr } from "./prims.ts";
import type { Printing } from "./spelling.ts";

const PRINTERS: { readonly [K in Expr["kind"]]: (e: NodeOf<K>, p: Printing) => SExpr } = {
  Var: (e) => make.name(e.hint),
  IterArg: (e) => make.name(e.hint),
  Const: (e) => constantExpr(e),
  Prim: (e, p) => primExpr(e, p),
  Tuple: (e, p) => make.tupleOf(e.elements.map(p.expr)),
  TupleGet: (e, p) => make.subscript(p.expr(e.tuple), [make.integer(e.index)]),
  Call: (e, p) => callExpr(e, p),
  FunctionCall: (e, p) => make.call(make.dotted(p.owner + e.callee.symbol), e.args.map(p.expr)),
};

/** Prints expressions of a dialect, values that an assignment names as that name. */
export function printing(ops: Ops, dialect: Dialect, owner: Printing["owner"] = "", named: ReadonlyMap<Expr, string> = new Map()): Printing {
  const p: Printing = {
    ops,
    dialect,
    owner,
    named,
    expr: (e) => {
      const name = named.get(e);
      return name === undefined ? spelledOut(e, p) : make.name(name);
    },
  };
  return p;
}

/** An expression by its operation, whatever it is called. */
export function spelledOut(e: Expr, p: Printing): SExpr {
  return (PRINTERS[e.kind] as (e: Expr, p: Printing) => SExpr)(e, p); // the key fixes the kind
}
