// Scalar expressions: carries that were made anew are replaced, element reads and other calls become primitives, handles become
// their buffers.

import { asTensor, INDEX, isVarLike, mapChildren, type Call, type Expr, type VarLike } from "@tilefoundry/ir";
import { argsOf, elementsOf } from "@tilefoundry/ops";
import { invariant } from "@tilefoundry/text";
import { lowerContext, valueOf } from "./context.ts";
import { noteAll } from "./demand.ts";
import type { Lowering } from "./state.ts";

export function lowerScalar(l: Lowering, e: Expr): Expr {
  if (isVarLike(e)) return e.type.kind === "Tensor" ? bufferOf(l, e) : (l.scalars.get(e) ?? e);
  if (e.kind === "Call") return lowerScalarCall(l, lowerOperands(l, e));
  return mapChildren(e, (child) => lowerScalar(l, child as Expr)); // children of expressions are expressions
}

/** The buffer of an array that a primitive names; which elements it reads is not followed. */
function bufferOf(l: Lowering, array: VarLike): Expr {
  noteAll(l, array);
  return valueOf(l, array).buffer;
}

/** The call with its scalar operands lowered; arrays stay, since the records ask for them by their variables. */
export function lowerOperands(l: Lowering, call: Call): Call {
  const operand = (e: Expr): Expr => {
    if (isVarLike(e)) return e.type.kind === "Tensor" ? e : (l.scalars.get(e) ?? e);
    if (e.kind === "Tuple") return mapChildren(e, (child) => operand(child as Expr)); // as above
    return lowerScalar(l, e);
  };
  return mapChildren(call, (child) => operand(child as Expr)); // as above
}

function lowerScalarCall(l: Lowering, call: Call): Expr {
  const record = l.ops.byName(call.callee.name);
  invariant(record !== undefined, () => `the op ${call.callee.name} is not known`);
  const { lowering } = record;
  if (lowering.form === "statements") {
    const value = lowering.lower(argsOf(record, call), lowerContext(l), call.type);
    invariant(value !== undefined, () => `${record.name} gives no value`);
    return value;
  }
  invariant(lowering.form === "element" && record.scalar !== undefined, () => `${record.name} gives no scalar`);
  const context = lowerContext(l);
  const type = asTensor(call.type.kind === "Scalar" ? call.type : INDEX);
  return lowering.element(elementsOf(record, call, context.reader), [], type, context.bind);
}
