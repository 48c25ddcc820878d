// Which buffer a name is a handle of. Writing ops give newer handles of what they write, another name for a handle is a handle of
// the same buffer, a function hands back handles of its arguments, and every other array is a buffer of its own.

import { isVarLike, type Expr, type FunctionCall, type FunctionNode } from "@tilefoundry/ir";
import { returnedParams, writtenInput, type CallContext } from "@tilefoundry/ops";
import type { ModuleContext } from "./context.ts";
import { calleeOf } from "./definitions.ts";
import { peek, type Buffer, type Env } from "./env.ts";
import type { Place } from "./place.ts";

/** The buffer an expression is a handle of; undefined for what is no array. */
export function bufferOf(expr: Expr, env: Env, place: Place): Buffer | undefined {
  if (expr.type.kind !== "Tensor") return undefined;
  if (isVarLike(expr)) {
    const binding = peek(env, expr.hint);
    if (binding?.kind === "bound" && binding.value === expr && binding.root !== undefined) return binding.root;
  }
  const source = sourceOf(expr, place);
  return source === undefined ? { param: undefined, env } : bufferOf(source, env, place);
}

/** The operand whose buffer a call hands on. */
function sourceOf(expr: Expr, { module, fn }: Place): Expr | undefined {
  if (expr.kind === "Call") {
    const record = module.ops.byName(expr.callee.name);
    return record && writtenInput(record, expr);
  }
  if (expr.kind === "FunctionCall") return handedBack(expr, 0, module);
  if (expr.kind !== "TupleGet") return undefined;
  const call = expr.tuple.kind === "FunctionCall" ? expr.tuple : expr.tuple.kind === "Var" ? fn.calls.get(expr.tuple) : undefined;
  return call && handedBack(call, expr.index, module);
}

function handedBack(call: FunctionCall, index: number, module: ModuleContext): Expr | undefined {
  const callee = calleeNode(module, call.callee.symbol);
  const param = callee && returnedParams(callee, callContext(module))[index];
  return param === undefined ? undefined : call.args[param];
}

/** The function that a call's symbol names. */
export function calleeNode(module: ModuleContext, symbol: string): FunctionNode | undefined {
  const callee = calleeOf(module.owner, symbol.split("."), module.reading);
  return callee?.kind === "function" ? callee.fn : undefined;
}

export const callContext = (module: ModuleContext): CallContext => ({ ops: module.ops, calleeOf: (symbol) => calleeNode(module, symbol) });
