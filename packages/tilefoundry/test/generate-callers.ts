// A program around a generated one: a function with the same parameters that calls it once, from a region of its own or not, and gives what it gives.

import {
  assign, callTyping, cloneFunction, dialectOf, evaluate, functionCall, isMisfit, makeFunction, makeModule, returnValues, scopeRegion, seq, tupleGet, variable,
  type FunctionNode, type ModuleNode, type Stmt,
} from "@tilefoundry/ir";

export interface CallerOptions {
  /** The call stands in a region, which becomes a function too. */
  readonly inRegion: boolean;
}

export function callerOf(module: ModuleNode, { inRegion }: CallerOptions): ModuleNode {
  const [callee] = module.functions;
  if (callee === undefined) throw new Error("a module without functions");
  const { params, symbols } = cloneFunction(callee);
  const args = params.map((p) => p.var);
  const typing = callTyping(callee, args);
  if (isMisfit(typing)) throw new Error(`the caller of ${callee.name} does not fit: ${typing.kind}`);
  const call = functionCall(callee.name, args, typing.type);
  const given = variable("given", typing.type);
  const bound: Stmt = typing.type.kind === "Unit" ? evaluate(call) : assign(given, call);
  const results = callee.returns.length > 1 ? callee.returns.map((_, i) => tupleGet(given, i)) : callee.returns.map(() => given);
  const called: Stmt = inRegion ? scopeRegion({ type: "at", level: "CORE_GROUP", role: undefined, name: "region" }, seq([bound])) : bound;
  const body = seq([called, ...(results.length === 0 ? [] : [returnValues(results)])]);
  const caller: FunctionNode = makeFunction({ name: "caller", func: dialectOf(callee) === "pl" ? "opaque" : "prim", params, symbols, returns: callee.returns.map((t, i) => results[i]?.type ?? t), body });
  return makeModule("called", [callee, caller], "caller");
}
