// What names mean in a tree of modules: functions by name or by path, the calls between them, constants bound from outside. Nodes know no
// owner: what is inherited is found along the path from the root.

import { sameList } from "./blocks.ts";
import { makeModule } from "./build.ts";
import { eachChild } from "./children.ts";
import { compatible } from "./compatible.ts";
import { makeNames } from "./fresh.ts";
import { graphOrder } from "./graph-order.ts";
import type { Dim, Expr, FunctionCall, FunctionNode, ModuleNode, Node, TensorType, Topology, Type, VarLike } from "./nodes.ts";
import { soleVariable } from "./signature.ts";
import { renameCalls, substituteDims } from "./substitute.ts";
import { tupleType, UNIT } from "./types.ts";

/** The function of a name in the module itself. */
export function lookup(module: ModuleNode, name: string): FunctionNode | undefined {
  return module.functions.find((f) => f.name === name);
}

export function childNamed(module: ModuleNode, name: string): ModuleNode | undefined {
  return module.children.find((child) => child.name === name);
}

/** A function and the module it belongs to. */
export interface Resolved {
  readonly module: ModuleNode;
  readonly fn: FunctionNode;
}

/** What a symbol means in a module: a function's name, or a path through children that ends in one; a child alone means its entry. */
export function resolve(module: ModuleNode, symbol: string): Resolved | undefined {
  const dot = symbol.indexOf(".");
  if (dot >= 0) {
    const child = childNamed(module, symbol.slice(0, dot));
    return child && resolve(child, symbol.slice(dot + 1));
  }
  const fn = lookup(module, symbol);
  if (fn !== undefined) return { module, fn };
  const child = childNamed(module, symbol);
  return child?.entry === undefined ? undefined : resolve(child, child.entry);
}

/**
 * The module that a dotted path names, relative to `module`; the last segment may be a function of it, which gives the module entered at that
 * function. What the path inherits (target, topologies) stands in the answer. The empty path is the module itself; undefined if a segment names nothing.
 */
export function select(module: ModuleNode, path: string): ModuleNode | undefined {
  if (path === "") return module;
  const [first = "", ...rest] = path.split(".");
  const child = childNamed(module, first);
  if (child !== undefined) return select(inheriting(child, module), rest.join("."));
  return rest.length === 0 && lookup(module, first) !== undefined ? { ...module, entry: first } : undefined;
}

function inheriting(child: ModuleNode, owner: ModuleNode): ModuleNode {
  return { ...child, target: owner.target, topologies: child.topologies ?? owner.topologies };
}

/** Every value function (`@func`) of the tree with the path that `select` takes, parents before children, in source order. */
export function functionSelectors(module: ModuleNode): readonly { readonly path: string; readonly fn: FunctionNode }[] {
  const own = module.functions.filter((f) => f.func === "graph").map((fn) => ({ path: fn.name, fn }));
  const below = module.children.flatMap((child) => functionSelectors(child).map(({ path, fn }) => ({ path: `${child.name}.${path}`, fn })));
  return [...own, ...below];
}

/** The level of a name in a hierarchy. */
export function topologyNamed(topologies: readonly Topology[], name: string): Topology | undefined {
  return topologies.find((t) => t.name === name);
}

/** Constants that the module's own functions want bound from outside, by name, in order of functions and parameters. */
export function weightsOf(module: ModuleNode): ReadonlyMap<string, TensorType> {
  const weights = new Map<string, TensorType>();
  for (const { var: v } of module.functions.flatMap((f) => f.params)) {
    if (v.isConst && v.type.kind === "Tensor" && !weights.has(v.hint)) weights.set(v.hint, v.type);
  }
  return weights;
}

/** The module with every function of the tree mapped; the same object if none changed. */
export function mapFunctions(module: ModuleNode, map: (fn: FunctionNode, owner: ModuleNode) => FunctionNode): ModuleNode {
  const functions = module.functions.map((fn) => map(fn, module));
  const children = module.children.map((child) => mapFunctions(child, map));
  return sameList(functions, module.functions) && sameList(children, module.children) ? module : { ...module, functions, children };
}

/** Every function of the tree with its owner, parents before children. */
export function allFunctions(module: ModuleNode): readonly Resolved[] {
  return [...module.functions.map((fn) => ({ module, fn })), ...module.children.flatMap(allFunctions)];
}

/**
 * The function of a name with all that it calls, as a module without children: functions of children are named by their path, `layer0_attend`.
 * The function itself is the entry.
 */
export function linked(module: ModuleNode, fn: FunctionNode): ModuleNode {
  const found = reachable(module, fn);
  if (found.length === 1) return makeModule(module.name, [fn], fn.name);
  const names = makeNames([]);
  const named = new Map<FunctionNode, string>();
  for (const { fn: f, path } of found) named.set(f, names.fresh(path.join("_")));
  const functions = found.map(({ fn: f, module: owner }) => ({ ...renameCalls(f, (symbol) => named.get(resolve(owner, symbol)?.fn ?? f) ?? symbol), name: named.get(f) ?? f.name }));
  return makeModule(module.name, functions, fn.name);
}

interface Reached extends Resolved {
  readonly path: readonly string[];
}

/** The function and what it calls, each once, callers first. */
function reachable(module: ModuleNode, fn: FunctionNode): readonly Reached[] {
  const seen = new Map<FunctionNode, Reached>([[fn, { module, fn, path: [fn.name] }]]);
  for (const { module: owner, fn: f, path } of seen.values()) {
    for (const { callee } of callsOf(f)) {
      const next = resolve(owner, callee.symbol);
      if (next !== undefined && !seen.has(next.fn)) seen.set(next.fn, { ...next, path: [...path.slice(0, -1), ...callee.symbol.split(".").slice(0, -1), next.fn.name] });
    }
  }
  return [...seen.values()];
}

// — calls —

/** Calls of functions in a body, in evaluation order. */
export function callsOf(fn: FunctionNode): readonly FunctionCall[] {
  const calls: FunctionCall[] = [];
  if (fn.body.kind === "Graph") {
    for (const value of graphOrder(fn.body.result)) if (value.kind === "FunctionCall") calls.push(value);
  } else collect(fn.body, calls);
  return calls;
}

function collect(node: Node, calls: FunctionCall[]): void {
  eachChild(node, (child, role) => {
    if (child.kind === "Var" || (child.kind === "IterArg" && role !== "binds")) return;
    collect(child, calls);
  });
  if (node.kind === "FunctionCall") calls.push(node);
}

/** First words of the callees of a body: a variable of such a name would hide what is called. */
export function calleeNames(fn: FunctionNode): readonly string[] {
  return callsOf(fn).map(({ callee }) => callee.symbol.split(".")[0] ?? callee.symbol);
}

/** A cycle of calls that a function is part of, as a list of symbols that begins and ends with it; undefined if there is none. */
export function recursionOf(root: Resolved): readonly string[] | undefined {
  const seen = new Set<FunctionNode>();
  const search = ({ module, fn }: Resolved, path: readonly string[]): readonly string[] | undefined => {
    for (const { callee } of callsOf(fn)) {
      const next = resolve(module, callee.symbol);
      if (next === undefined) continue;
      if (next.fn === root.fn) return [...path, callee.symbol];
      if (seen.has(next.fn)) continue;
      seen.add(next.fn);
      const found = search(next, [...path, callee.symbol]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(root, [root.fn.name]);
}

/** Why arguments do not fit a callee's parameters. */
export type Misfit =
  | { readonly kind: "count"; readonly expected: number; readonly actual: number }
  | { readonly kind: "argument"; readonly index: number; readonly expected: Type; readonly actual: Type }
  /** No parameter's axis says what a symbolic extent of the callee is. */
  | { readonly kind: "extent"; readonly symbol: string };

export type CallTyping = { readonly type: Type; readonly dims: ReadonlyMap<VarLike, Dim> } | Misfit;

export const isMisfit = (typing: CallTyping): typing is Misfit => "kind" in typing;

/**
 * The type of a call with arguments of these types, and the extents that they give the callee's symbols: each is the extent of the first
 * parameter axis that is exactly the symbol.
 */
export function callTyping(callee: FunctionNode, args: readonly Expr[]): CallTyping {
  if (args.length !== callee.params.length) return { kind: "count", expected: callee.params.length, actual: args.length };
  const dims = extentsOf(callee, args);
  for (const [index, { var: v }] of callee.params.entries()) {
    const actual = args[index]?.type ?? v.type;
    const expected = substituteDims(v.type, dims);
    if (!compatible(actual, expected)) return { kind: "argument", index, expected, actual };
  }
  const unbound = callee.symbols.find((s) => !dims.has(s.var));
  if (unbound !== undefined) return { kind: "extent", symbol: unbound.var.hint };
  const returns = callee.returns.map((t) => substituteDims(t, dims));
  const [only, second] = returns;
  return { type: only === undefined ? UNIT : second === undefined ? only : tupleType(returns), dims };
}

function extentsOf(callee: FunctionNode, args: readonly Expr[]): ReadonlyMap<VarLike, Dim> {
  const dims = new Map<VarLike, Dim>();
  const symbols = new Set<VarLike>(callee.symbols.map((s) => s.var));
  for (const [i, { var: v }] of callee.params.entries()) {
    const actual = args[i]?.type;
    if (v.type.kind !== "Tensor" || actual?.kind !== "Tensor") continue;
    for (const [axis, d] of v.type.shape.entries()) {
      const symbol = soleVariable(d);
      const extent = actual.shape[axis];
      if (symbol !== undefined && extent !== undefined && symbols.has(symbol) && !dims.has(symbol)) dims.set(symbol, extent);
    }
  }
  return dims;
}

