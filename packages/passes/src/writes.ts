// What calls and operands write, and the variables an expression reads: what passes before `lowered` ask.

import { isVarLike, type Call, type Expr, type FunctionCall, type Seq, type TupleGet, type VarLike } from "@tilefoundry/ir";
import { returnedParams, writtenInput, type CallContext, type Ops } from "@tilefoundry/ops";
import { tupleCalls, writtenArgs } from "./thread-calls.ts";

/** The ops, and what the calls of one body write: absent where nothing is called. */
export interface Effects extends Ops {
  readonly calls?: CallEffects;
}

export interface CallEffects {
  /** The argument whose buffer a call, or an element of what it gave, is a newer handle of. */
  handedBack(value: FunctionCall | TupleGet): Expr | undefined;
  /** Arguments whose buffers a call writes. */
  written(call: FunctionCall): readonly Expr[];
}

/** The effects of a body in which calls are threaded. */
export function effectsOfCalls(body: Seq, context: CallContext): Effects {
  const tuples = tupleCalls(body);
  if (tuples.size === 0) return context.ops;
  const handed = (call: FunctionCall, index: number): Expr | undefined => {
    const callee = context.calleeOf(call.callee.symbol);
    const param = callee && returnedParams(callee, context)[index];
    return param === undefined ? undefined : call.args[param];
  };
  const calls: CallEffects = {
    handedBack: (value) => {
      if (value.kind === "FunctionCall") return value.type.kind === "Tensor" ? handed(value, 0) : undefined;
      const call = isVarLike(value.tuple) ? tuples.get(value.tuple) : undefined;
      return call && handed(call, value.index);
    },
    written: (call) => writtenArgs(call, context),
  };
  return { ...context.ops, calls };
}

/** The argument whose buffer a call writes, if its op writes one. */
export function writtenOperand(call: Call, ops: Ops): Expr | undefined {
  const record = ops.byName(call.callee.name);
  return record && writtenInput(record, call);
}

/** The operand whose buffer an expression gives a newer handle of. */
export function rewrittenOperand(expr: Expr, effects: Effects): Expr | undefined {
  if (expr.kind === "Call") return writtenOperand(expr, effects);
  return expr.kind === "FunctionCall" || expr.kind === "TupleGet" ? effects.calls?.handedBack(expr) : undefined;
}

/** The variable whose buffer an expression writes when it is evaluated, if it is a writing call of a variable. */
export function writtenVariable(expr: Expr, effects: Effects): VarLike | undefined {
  const operand = rewrittenOperand(expr, effects);
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
    case "FunctionCall": return eachVariableIn(expr.args, visit);
    case "Tuple": return eachVariableIn(expr.elements, visit);
    case "TupleGet": return eachVariable(expr.tuple, visit);
  }
}

function eachVariableIn(exprs: readonly Expr[], visit: (v: VarLike) => void): void {
  for (const expr of exprs) eachVariable(expr, visit);
}

/** Whether `test` holds for some part of an expression, itself included. */
export function somePart(expr: Expr, test: (part: Expr) => boolean): boolean {
  if (test(expr)) return true;
  switch (expr.kind) {
    case "Prim":
    case "Call":
    case "FunctionCall": return somePartIn(expr.args, test);
    case "Tuple": return somePartIn(expr.elements, test);
    case "TupleGet": return somePart(expr.tuple, test);
    default: return false;
  }
}

function somePartIn(exprs: readonly Expr[], test: (part: Expr) => boolean): boolean {
  for (const expr of exprs) if (somePart(expr, test)) return true;
  return false;
}
