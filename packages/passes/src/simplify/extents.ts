// Variables that occur in the extents of types and attributes. Their definitions stay: a type names variables, not their values.

import {
  dimVars, eachDefinition, eachDimIn, eachOperand, eachStmt, isStatic,
  type DimSum, type Expr, type FunctionNode, type Seq, type Type, type VarLike,
} from "@tilefoundry/ir";

const NONE: ReadonlySet<VarLike> = new Set();

export function extentVariables(fn: FunctionNode, body: Seq): ReadonlySet<VarLike> {
  let found: Set<VarLike> | undefined;
  const note = (v: VarLike): void => {
    if (!fn.symbols.some((s) => s.var === v)) (found ??= new Set()).add(v);
  };
  const ofDim = (d: DimSum): void => dimVars(d, note);
  const ofType = (t: Type): void => {
    if (t.kind === "Tensor" && !t.shape.every(isStatic)) eachDimIn(t, ofDim);
  };
  const ofExpr = (e: Expr): void => {
    switch (e.kind) {
      case "Call":
        ofType(e.type);
        eachDimIn(e.callee.attrs, ofDim);
        for (const arg of e.args) ofExpr(arg);
        return;
      case "Prim":
        ofType(e.type);
        if (e.attrs.offset !== undefined) eachDimIn(e.attrs.offset, ofDim);
        for (const arg of e.args) ofExpr(arg);
        return;
      case "Tuple":
        for (const element of e.elements) ofExpr(element);
        return;
      case "TupleGet": return ofExpr(e.tuple);
    }
  };
  const ofDefinition = (v: VarLike): void => ofType(v.type);
  eachStmt(body, (stmt) => {
    eachOperand(stmt, ofExpr);
    eachDefinition(stmt, ofDefinition);
  });
  return found ?? NONE;
}
