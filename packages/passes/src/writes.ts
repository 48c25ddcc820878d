// Which argument an op writes, and the variables an expression reads: what passes before `lowered` ask of calls and operands.

import { isVarLike, type Call, type Expr, type VarLike } from "@tilefoundry/ir";
import { writtenInput, type Ops } from "@tilefoundry/ops";

/** The argument whose buffer a call writes, if its op writes one. */
export function writtenOperand(call: Call, ops: Ops): Expr | undefined {
  const record = ops.byName(call.callee.name);
  return record && writtenInput(record, call);
}

/** The variable whose buffer an expression writes when it is evaluated, if it is a writing call of a variable. */
export function writtenVariable(expr: Expr, ops: Ops): VarLike | undefined {
  const operand = expr.kind === "Call" ? writtenOperand(expr, ops) : undefined;
  return operand !== undefined && isVarLike(operand) ? operand : undefined;
}

/** Calls `visit` with every variable an expression reads, in evaluation order, repeats included. */
export function eachVariable(expr: Expr, visit: (v: VarLike) => void): void {
  switch (expr.kind) {
    case "Var":
    case "IterArg": return visit(expr);
    case "Const": return;
    case "Prim":
    case "Call":
    case "FunctionCall": return expr.args.forEach((arg) => eachVariable(arg, visit));
    case "Tuple": return expr.elements.forEach((element) => eachVariable(element, visit));
    case "TupleGet": return eachVariable(expr.tuple, visit);
  }
}

/** Whether `test` holds for some part of an expression, itself included. */
export function somePart(expr: Expr, test: (part: Expr) => boolean): boolean {
  if (test(expr)) return true;
  switch (expr.kind) {
    case "Prim":
    case "Call":
    case "FunctionCall": return expr.args.some((arg) => somePart(arg, test));
    case "Tuple": return expr.elements.some((element) => somePart(element, test));
    case "TupleGet": return somePart(expr.tuple, test);
    default: return false;
  }
}
