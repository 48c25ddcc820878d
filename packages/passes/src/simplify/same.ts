// Whether two expressions surely have the same value wherever they stand side by side, and how large an expression is.

import { primRow, sameDType, type Expr, type PrimAttrs } from "@tilefoundry/ir";

/** Structurally equal, of variables, literals and primitives that touch no memory. */
export function sameValue(a: Expr, b: Expr): boolean {
  if (a === b) return a.kind === "Var" || a.kind === "IterArg" || isPure(a);
  if (a.kind !== b.kind) return false;
  if (a.kind === "Const" && b.kind === "Const") return Object.is(a.value, b.value) && sameRegister(a, b);
  if (a.kind !== "Prim" || b.kind !== "Prim" || a.op !== b.op || a.args.length !== b.args.length) return false;
  if (primRow(a.op).effect !== "none" || !sameAttrs(a.attrs, b.attrs)) return false;
  for (let i = 0; i < a.args.length; i++) if (!sameValue(a.args[i] as Expr, b.args[i] as Expr)) return false; // of one length
  return true;
}

function isPure(e: Expr): boolean {
  if (e.kind === "Const" || e.kind === "Var" || e.kind === "IterArg") return true;
  return e.kind === "Prim" && primRow(e.op).effect === "none" && e.args.every(isPure);
}

function sameRegister(a: Expr, b: Expr): boolean {
  if (a.type === b.type) return true;
  return a.type.kind === "Scalar" && b.type.kind === "Scalar" && sameDType(a.type.dtype, b.type.dtype);
}

/** Of primitives without effect, whose attributes are plain. */
function sameAttrs(a: PrimAttrs, b: PrimAttrs): boolean {
  return a.dtype === b.dtype && a.mode === b.mode && a.lanes === b.lanes && a.index === b.index && a.kind === b.kind;
}

/** Number of nodes, counted up to a limit. */
export function sizeOf(e: Expr, limit = 1000): number {
  if (limit <= 0) return 1;
  switch (e.kind) {
    case "Prim":
    case "FunctionCall":
    case "Call": return e.args.reduce((n, arg) => n + sizeOf(arg, limit - n), 1);
    case "Tuple": return e.elements.reduce((n, element) => n + sizeOf(element, limit - n), 1);
    case "TupleGet": return 1 + sizeOf(e.tuple, limit - 1);
    default: return 1;
  }
}
