// Handles across a whole body: which parameters' buffers a variable may be a handle of, through assignments, writes, joins, carries and
// calls; and from that, which of its parameters a function hands back.

import {
  blocksOf, bodyOf, boundBy, definedBy, eachStmt, isVarLike,
  type Expr, type FunctionCall, type FunctionNode, type Seq, type Stmt, type Var, type VarLike,
} from "@tilefoundry/ir";
import { writtenInput } from "./bind.ts";
import type { Ops } from "./ops.ts";

/** The function that a symbol names where a body stands. */
export type CalleeOf = (symbol: string) => FunctionNode | undefined;

export interface Handles {
  /** Parameters whose buffers the variable may be a handle of: the union over all its assignments. */
  paramsOf(v: VarLike): ReadonlySet<Var>;
  /** Whether it may be a handle of a buffer that is no parameter's. */
  isOwn(v: VarLike): boolean;
  /** Variables whose buffer a value is a handle of; none for a buffer of its own. */
  sourcesOf(value: Expr): readonly VarLike[];
}

export interface CallContext {
  readonly ops: Ops;
  readonly calleeOf: CalleeOf;
}

const NO_PARAMS: ReadonlySet<Var> = new Set();

export function handlesOf(body: Seq, params: readonly Var[], context: CallContext): Handles {
  const calls = new Map<VarLike, FunctionCall[]>();
  const sourcesOf = (value: Expr): readonly VarLike[] => sourcesIn(value, calls, context);
  const targets = new Map<VarLike, VarLike[]>();
  const own = new Set<VarLike>();
  eachStmt(body, (s) => {
    if (s.kind === "Assign" && s.value.kind === "FunctionCall") calls.set(s.target, [...(calls.get(s.target) ?? []), s.value]);
  });
  const flow = (target: VarLike, value: Expr): void => {
    if (target.type.kind !== "Tensor") return;
    const sources = sourcesOf(value);
    if (sources.length === 0) own.add(target);
    for (const source of sources) targets.set(source, [...(targets.get(source) ?? []), target]);
  };
  eachStmt(body, (s) => eachFlow(s, flow));
  const buffers = new Map<VarLike, Set<Var>>();
  spread(params.filter((p) => p.type.kind === "Tensor").map((p) => [p, p]), targets, buffers);
  let owned: Map<VarLike, Set<string>> | undefined;
  const ownedHere = (): Map<VarLike, Set<string>> => {
    const marks = new Map<VarLike, Set<string>>();
    spread([...own].map((v) => [v, OWN]), targets, marks);
    return marks;
  };
  return { paramsOf: (v) => buffers.get(v) ?? NO_PARAMS, isOwn: (v) => (owned ??= ownedHere()).has(v), sourcesOf };
}

/** Stands for all buffers that are no parameter's. */
const OWN = "own";

function spread<M>(open: (readonly [VarLike, M])[], targets: ReadonlyMap<VarLike, readonly VarLike[]>, marks: Map<VarLike, Set<M>>): void {
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [variable, mark] = next;
    const known = marks.get(variable) ?? new Set();
    if (known.has(mark)) continue;
    marks.set(variable, known.add(mark));
    for (const target of targets.get(variable) ?? []) open.push([target, mark]);
  }
}

function sourcesIn(value: Expr, calls: ReadonlyMap<VarLike, readonly FunctionCall[]>, context: CallContext): readonly VarLike[] {
  if (isVarLike(value)) return [value];
  if (value.kind === "Call") {
    const record = context.ops.byName(value.callee.name);
    const written = record && writtenInput(record, value);
    return written === undefined ? [] : sourcesIn(written, calls, context);
  }
  if (value.kind === "FunctionCall") return handedBack(value, 0, calls, context);
  if (value.kind !== "TupleGet") return [];
  const { tuple, index } = value;
  if (tuple.kind === "FunctionCall") return handedBack(tuple, index, calls, context);
  return isVarLike(tuple) ? (calls.get(tuple) ?? []).flatMap((call) => handedBack(call, index, calls, context)) : [];
}

function handedBack(call: FunctionCall, index: number, calls: ReadonlyMap<VarLike, readonly FunctionCall[]>, context: CallContext): readonly VarLike[] {
  const callee = context.calleeOf(call.callee.symbol);
  const param = callee && returnedParams(callee, context)[index];
  const arg = param === undefined ? undefined : call.args[param];
  return arg === undefined ? [] : sourcesIn(arg, calls, context);
}

function eachFlow(s: Stmt, flow: (target: VarLike, value: Expr) => void): void {
  if (s.kind === "Assign") flow(s.target, s.value);
  const carries = boundBy(s).filter((v) => v.kind === "IterArg");
  for (const carry of carries) flow(carry, carry.init);
  const results = s.kind === "Assign" ? [] : definedBy(s);
  for (const block of blocksOf(s)) {
    const last = block.stmts.at(-1);
    if (last?.kind !== "Yield") continue;
    for (const [i, value] of last.values.entries()) for (const target of [results[i], carries[i]]) if (target !== undefined) flow(target, value);
  }
  // a loop that never runs hands on what its carries start with
  if (s.kind !== "If") for (const [i, carry] of carries.entries()) if (results[i] !== undefined) flow(results[i], carry.init);
}

const known = new WeakMap<FunctionNode, readonly (number | undefined)[]>();

/** For each result of a function, the place of the one parameter whose buffer it always is a handle of; undefined for any other. */
export function returnedParams(fn: FunctionNode, context: CallContext): readonly (number | undefined)[] {
  const found = known.get(fn) ?? computeReturned(fn, context);
  known.set(fn, found);
  return found;
}

function computeReturned(fn: FunctionNode, context: CallContext): readonly (number | undefined)[] {
  const params = fn.params.map((p) => p.var);
  const body = bodyOf(fn);
  if (body === undefined) {
    const { result } = fn.body as Extract<FunctionNode["body"], { readonly kind: "Graph" }>; // a body is a block or a graph
    const parts = result.kind === "Tuple" ? result.elements : [result];
    return fn.returns.map((_, i) => {
      const part = parts[i];
      const at = params.findIndex((p) => p === part);
      return at < 0 ? undefined : at;
    });
  }
  const handles = handlesOf(body, params, context);
  const returned: (readonly Expr[])[] = [];
  eachStmt(body, (s) => s.kind === "Return" && returned.push(s.values));
  return fn.returns.map((_, i) => {
    const places = new Set(returned.map((values) => placeOf(values[i], params, handles)));
    const [only] = places;
    return places.size === 1 ? only : undefined;
  });
}

function placeOf(value: Expr | undefined, params: readonly Var[], handles: Handles): number | undefined {
  if (value?.type.kind !== "Tensor") return undefined;
  const sources = handles.sourcesOf(value);
  const [only, second] = new Set(sources.flatMap((v) => [...handles.paramsOf(v)]));
  if (only === undefined || second !== undefined || sources.length === 0 || sources.some((v) => handles.isOwn(v))) return undefined;
  return params.indexOf(only);
}
