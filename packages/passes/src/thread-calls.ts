// What calls write is made explicit: a called function hands back a handle of each parameter that it writes, and where the author names none of
// them, the call binds its own argument again. From here on a call is like a writing op, but that it may write several arrays.

import {
  allFunctions, assign, bodyOf, calleeNames, callsOf, callTyping, eachStmt, functionCall, isMisfit, mapBlocks, mapChildren, mapFunctions, namesOf, resolve, returnValues,
  rewriteExpr, seq, tupleGet, variable, withStmts,
  type Expr, type FunctionCall, type FunctionNode, type ModuleNode, type Names, type Seq, type Stmt, type Var, type VarLike,
} from "@tilefoundry/ir";
import { handlesOf, returnedParams, type CallContext, type Ops } from "@tilefoundry/ops";
import { invariant } from "@tilefoundry/text";
import { spanOnly } from "./meta.ts";
import type { Pass } from "./pass.ts";

export const threadCalls = {
  name: "thread-calls",
  from: "parsed",
  to: "parsed",
  doc: "Lets called functions hand back handles of what they write, and calls bind them.",
  run: (module, { ops }) => ({ value: threaded(module, ops), diagnostics: [] }),
} as const satisfies Pass;

function threaded(module: ModuleNode, ops: Ops): ModuleNode {
  const called = calledIn(module);
  if (called.size === 0) return module;
  const handing = mapFunctions(module, (fn, owner) => (called.has(fn) ? handBack(fn, calls(owner, ops)) : fn));
  return mapFunctions(handing, (fn, owner) => bindHandles(fn, calls(owner, ops)));
}

export const calls = (owner: ModuleNode, ops: Ops): CallContext => ({ ops, calleeOf: (symbol) => resolve(owner, symbol)?.fn });

/** A lone function calls nothing, since kernels do not recurse. */
function calledIn(module: ModuleNode): ReadonlySet<FunctionNode> {
  const called = new Set<FunctionNode>();
  if (module.functions.length + module.children.length < 2) return called;
  for (const { module: owner, fn } of allFunctions(module)) {
    for (const { callee } of callsOf(fn)) {
      const found = resolve(owner, callee.symbol);
      if (found !== undefined) called.add(found.fn);
    }
  }
  return called;
}

/** Places of the arrays that a function writes. */
export function writtenParams(fn: FunctionNode): readonly number[] {
  return fn.params.flatMap(({ direction, var: v }, i) => (direction !== "in" && v.type.kind === "Tensor" ? [i] : []));
}

// — callees —

/** The function with a handle of each written parameter among its results. */
function handBack(fn: FunctionNode, context: CallContext): FunctionNode {
  const body = bodyOf(fn);
  const handed = new Set(returnedParams(fn, context));
  const missing = writtenParams(fn).filter((i) => !handed.has(i)).flatMap((i) => fn.params[i]?.var ?? []);
  if (body === undefined || missing.length === 0) return fn;
  const { start, handles } = keptHandles(fn, body, missing, context);
  const returns = [...fn.returns, ...missing.map((v) => v.type)];
  const extended = extendReturns(body, handles);
  const last = extended.stmts.at(-1)?.kind === "Return" ? [] : [returnValues(handles)];
  return { ...fn, returns, body: seq([...start, ...extended.stmts, ...last], body.meta) };
}

/** A parameter whose name is bound to something else is kept under another. */
function keptHandles(fn: FunctionNode, body: Seq, missing: readonly Var[], context: CallContext): { readonly start: readonly Stmt[]; readonly handles: readonly Var[] } {
  const known = handlesOf(body, fn.params.map((p) => p.var), context);
  const names = namesOf(fn, calleeNames);
  const start: Stmt[] = [];
  const handles = missing.map((v) => {
    if (known.paramsOf(v).size === 1 && !known.isOwn(v)) return v;
    const kept = variable(names.fresh(v.hint), v.type, v.meta);
    start.push(assign(kept, v));
    return kept;
  });
  return { start, handles };
}

function extendReturns(block: Seq, handles: readonly Var[]): Seq {
  return seq(block.stmts.map((s) => (s.kind === "Return" ? returnValues([...s.values, ...handles], s.meta) : mapBlocks(s, (inner) => extendReturns(inner, handles)))), block.meta);
}

// — call sites —

interface Site {
  readonly context: CallContext;
  readonly names: Names;
  /** Tuples that a call with more results has taken the place of. */
  readonly grown: Map<VarLike, Var>;
}

function bindHandles(fn: FunctionNode, context: CallContext): FunctionNode {
  const body = bodyOf(fn);
  if (body === undefined || callsOf(fn).length === 0) return fn;
  const site: Site = { context, names: namesOf(fn, calleeNames), grown: new Map() };
  const bound = bindBlock(body, site);
  return bound === body ? fn : { ...fn, body: site.grown.size === 0 ? bound : regrown(bound, site) };
}

function bindBlock(block: Seq, site: Site): Seq {
  const stmts = block.stmts.flatMap((s): readonly Stmt[] => {
    if (s.kind === "Assign" && s.value.kind === "FunctionCall") return bindCall(s, s.value, s.target, site);
    if (s.kind === "Eval" && s.expr.kind === "FunctionCall") return bindCall(s, s.expr, undefined, site);
    return [mapBlocks(s, (inner) => bindBlock(inner, site))];
  });
  return withStmts(block, stmts);
}

const resultCount = (call: FunctionCall): number => (call.type.kind === "Unit" ? 0 : call.type.kind === "TupleType" ? call.type.fields.length : 1);

function bindCall(stmt: Stmt, call: FunctionCall, target: Var | undefined, site: Site): readonly Stmt[] {
  const callee = site.context.calleeOf(call.callee.symbol);
  invariant(callee !== undefined, () => `${call.callee.symbol} is no function`);
  const authored = target === undefined ? 0 : resultCount(call);
  const returned = returnedParams(callee, site.context);
  const rebound = writtenParams(callee).map((p) => ({ param: p, at: returned.indexOf(p) })).filter(({ at }) => at >= authored);
  if (rebound.length === 0) return [stmt];
  const typing = callTyping(callee, call.args);
  invariant(!isMisfit(typing), () => `a call of ${callee.name} does not fit`);
  const grown = functionCall(call.callee.symbol, call.args, typing.type, call.meta);
  const meta = spanOnly(stmt.meta);
  const handle = (param: number): Var => handleTarget(call.args[param], callee, param, site);
  if (callee.returns.length === 1) return [assign(handle(rebound[0]?.param ?? 0), grown, stmt.meta)];
  const all = variable(site.names.fresh(target?.hint ?? callee.name), typing.type, meta);
  // several results are only taken apart: their elements are those of the larger tuple
  const own = target === undefined || authored > 1 ? [] : [assign(target, tupleGet(all, 0, meta), meta)];
  if (target !== undefined && authored > 1) site.grown.set(target, all);
  return [assign(all, grown, stmt.meta), ...own, ...rebound.map(({ param, at }) => assign(handle(param), tupleGet(all, at, meta), meta))];
}

/** The argument's own variable; what cannot be assigned, as a carry, stays an older handle. */
function handleTarget(arg: Expr | undefined, callee: FunctionNode, param: number, { names }: Site): Var {
  if (arg?.kind === "Var") return arg;
  const v = callee.params[param]?.var;
  invariant(v !== undefined && arg !== undefined, () => `${callee.name} has no parameter ${param}`);
  return variable(names.fresh(v.hint), arg.type);
}

/** Elements of a tuple are taken from the call's own. */
function regrown(block: Seq, site: Site): Seq {
  const rules = { TupleGet: (e: Extract<Expr, { readonly kind: "TupleGet" }>): Expr => {
    const all = e.tuple.kind === "Var" ? site.grown.get(e.tuple) : undefined;
    return all === undefined ? e : tupleGet(all, e.index, e.meta);
  } };
  const visit = (inner: Seq): Seq => mapChildren(inner, (s) => mapChildren(s, (child, role) => {
    if (child.kind === "Seq") return visit(child);
    return role === "use" || role === "uses" || role === "inner" ? rewriteExpr(child as Expr, rules) : child; // the roles hold expressions
  }));
  return visit(block);
}

/** The arrays a call writes, as arguments, for bodies in which calls are threaded. */
export function writtenArgs(call: FunctionCall, context: CallContext): readonly Expr[] {
  const callee = context.calleeOf(call.callee.symbol);
  return callee === undefined ? call.args : writtenParams(callee).flatMap((i) => call.args[i] ?? []);
}

/** Calls by the variable that holds all that they give. */
export function tupleCalls(body: Seq): ReadonlyMap<VarLike, FunctionCall> {
  const found = new Map<VarLike, FunctionCall>();
  eachStmt(body, (s) => s.kind === "Assign" && s.value.kind === "FunctionCall" && found.set(s.target, s.value));
  return found;
}
