// Variables that occur in the extents of types and attributes. Their definitions stay: a type names variables, not their values.

import {
  definedBy, dimVars, eachDimIn, eachOperand, eachStmt, isStatic,
  type Expr, type FunctionNode, type Seq, type Type, type VarLike,
} from "@tilefoundry/ir";

export function extentVariables(fn: FunctionNode, body: Seq): ReadonlySet<VarLike> {
  const found = new Set<VarLike>();
  const symbols = new Set<VarLike>(fn.symbols.map((s) => s.var));
  const note = (data: unknown): void => eachDimIn(data, (d) => dimVars(d, (v) => symbols.has(v) || found.add(v)));
  const ofType = (t: Type): void => {
    if (t.kind === "Tensor" && !t.shape.every(isStatic)) note(t);
  };
  const ofExpr = (e: Expr): void => {
    switch (e.kind) {
      case "Call":
        ofType(e.type);
        for (const value of Object.values(e.callee.attrs)) if (typeof value === "object") note(value);
        return e.args.forEach(ofExpr);
      case "Prim":
        ofType(e.type);
        if (e.attrs.offset !== undefined) note(e.attrs.offset);
        return e.args.forEach(ofExpr);
      case "Tuple": return e.elements.forEach(ofExpr);
      case "TupleGet": return ofExpr(e.tuple);
    }
  };
  eachStmt(body, (stmt) => {
    eachOperand(stmt, ofExpr);
    for (const v of definedBy(stmt)) ofType(v.type);
  });
  return found;
}
