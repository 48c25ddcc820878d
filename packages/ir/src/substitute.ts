// Rewriting of variables by identity, everywhere they occur: in expressions, binders, `init`s of carries, and in the dims of
// types and attributes. With names given it is an alpha-renaming copy: every variable bound or defined inside becomes a new one.

import { invariant } from "@tilefoundry/text";
import { definedBy, mapChildren } from "./children.ts";
import { iterArg, variable } from "./build.ts";
import { toDim } from "./dim-bridge.ts";
import { substituteDim } from "./dims.ts";
import { type Dim, type Expr, type FunctionNode, isVarLike, type IterArg, type ModuleNode, type Node, type Seq, type Stmt, type Type, type Var, type VarLike } from "./nodes.ts";
import { mapDimsIn, mapDimsOf } from "./dims-in.ts";
import type { Role } from "./fields.ts";
import type { Names } from "./fresh.ts";
import { graphOrder } from "./graph-order.ts";
import { bodyOf, eachStmt } from "./walk.ts";

export type Substitution = ReadonlyMap<VarLike, Expr>;

interface Rewriting {
  /** What stands for a variable: given at first, and a new variable for each binder that had to change. */
  readonly values: Map<VarLike, Expr>;
  /** New binders for all, named by this; without it a binder stays unless its type or `init` changes. */
  readonly rename: ((hint: string) => string) | undefined;
  /** New names of called functions. */
  readonly symbol: ((symbol: string) => string) | undefined;
  /** Rewriting of a child by its role, and of a dim: made once, for all nodes. */
  readonly child: (child: Node, role: Role) => Node;
  readonly dim: (d: Dim) => Dim;
}

function rewriting(replacements: Substitution, rename?: Rewriting["rename"], symbol?: Rewriting["symbol"]): Rewriting {
  const values = new Map(replacements);
  const state: Rewriting = { values, rename, symbol, child: (child, role) => rewrite(child, role, state), dim: (d) => replaced(d, values) };
  return state;
}

/** Replaces free variables. A variable that occurs in a type must be replaced by an expression that is a dim. */
export function substitute(node: Expr, replacements: Substitution): Expr;
export function substitute(node: Seq, replacements: Substitution): Seq;
export function substitute(node: Stmt, replacements: Substitution): Stmt;
export function substitute(node: Node, replacements: Substitution): Node {
  return rewrite(node, "use", rewriting(replacements));
}

/** A type with extents in the place of index variables. */
export function substituteDims<T extends Type>(type: T, extents: ReadonlyMap<VarLike, Dim>): T {
  return extents.size === 0 ? type : mapDimsIn(type, (d) => substituteDim(d, (v) => extents.get(v)));
}

export function substituteType<T extends Type>(type: T, replacements: Substitution): T {
  return mapDimsIn(type, (d) => replaced(d, replacements));
}

/** A copy whose own variables are all new, named afresh; for code from `ssa` on, where each variable has one definition. */
export function copyFresh(node: Seq, names: Names, replacements?: Substitution): Seq;
export function copyFresh(node: Stmt, names: Names, replacements?: Substitution): Stmt;
export function copyFresh(node: Node, names: Names, replacements: Substitution = new Map()): Node {
  return rewrite(node, "use", rewriting(replacements, (hint) => names.fresh(hint)));
}

/** The same function with new variables of the same hints. A symbol that is replaced is none any more. */
export function cloneFunction(f: FunctionNode, replacements: Substitution = new Map()): FunctionNode {
  const state = rewriting(replacements, (hint) => hint);
  const symbols = f.symbols.filter((s) => !replacements.has(s.var)).map((s) => ({ ...s, var: newVar(s.var, state) }));
  const params = f.params.map((p) => ({ ...p, var: newVar(p.var, state) }));
  const body = bodyOf(f);
  // at `parsed` a loop may read a local above its first assignment in the text: all locals are known before the body is copied
  if (body !== undefined) eachStmt(body, (stmt) => definedBy(stmt).forEach((v) => binder(v, state)));
  return {
    ...f,
    symbols,
    params,
    returns: f.returns.map((t) => substituteType(t, state.values)),
    body: rewriteBody(f.body, state),
  };
}

/** The function with other symbols in its calls; a carry that starts with a call is a new one. */
export function renameCalls(f: FunctionNode, rename: (symbol: string) => string): FunctionNode {
  return { ...f, body: rewriteBody(f.body, rewriting(new Map(), undefined, rename)) };
}

function rewriteBody(body: FunctionNode["body"], state: Rewriting): FunctionNode["body"] {
  return body.kind === "Seq" ? (rewrite(body, "use", state) as Seq) : { kind: "Graph", result: rewriteGraph(body.result, state) }; // a block stays a block
}

/** An independent copy: functions and children of its own, under the same or another name. */
export function cloneModule(module: ModuleNode, name = module.name): ModuleNode {
  const functions = module.functions.map((f) => cloneFunction(f));
  return { ...module, name, functions, children: module.children.map((child) => cloneModule(child)) };
}

function rewrite(node: Node, role: Role, state: Rewriting): Node {
  if (node.kind === "Var" || node.kind === "IterArg") return isBinding(role) ? binder(node, state) : (state.values.get(node) ?? node);
  return node.kind === "Const" ? node : withSymbol(mapDimsOf(mapChildren(node, state.child), state.dim), state);
}

function withSymbol<N extends Node>(node: N, { symbol }: Rewriting): N {
  if (symbol === undefined || node.kind !== "FunctionCall") return node;
  const renamed = symbol(node.callee.symbol);
  return renamed === node.callee.symbol ? node : { ...node, callee: { kind: "FuncRef", symbol: renamed } };
}

/** Keeps sharing, and does not recurse: graphs are deep. */
function rewriteGraph(result: Expr, state: Rewriting): Expr {
  const done = new Map<Expr, Expr>();
  for (const value of graphOrder(result)) {
    if (isVarLike(value)) done.set(value, state.values.get(value) ?? value);
    else done.set(value, withSymbol(mapDimsOf(mapChildren(value, (child) => done.get(child as Expr) ?? child), state.dim), state)); // children of expressions are expressions
  }
  return done.get(result) ?? result;
}

const isBinding = (role: Role): boolean => role === "bind" || role === "binds" || role === "def" || role === "defs";

function binder(v: VarLike, state: Rewriting): VarLike {
  const known = state.values.get(v);
  if (known !== undefined) {
    invariant(isVarLike(known), () => `${v.hint} is both replaced by an expression and assigned`);
    return known;
  }
  return v.kind === "Var" ? newVar(v, state) : newIterArg(v, state);
}

function newVar(v: Var, state: Rewriting): Var {
  const type = mapDimsIn(v.type, state.dim);
  if (state.rename === undefined && type === v.type) return v;
  const made = variable(state.rename?.(v.hint) ?? v.hint, type, v.meta, v.isConst);
  state.values.set(v, made);
  return made;
}

function newIterArg(v: IterArg, state: Rewriting): IterArg {
  const init = rewrite(v.init, "use", state) as Expr; // an expression stays an expression
  const type = mapDimsIn(v.type, state.dim);
  if (state.rename === undefined && type === v.type && init === v.init) return v;
  const made = iterArg(state.rename?.(v.hint) ?? v.hint, type, init, v.meta);
  state.values.set(v, made);
  return made;
}

/** The same dim if it names nothing that is replaced: then its type, and the variable of that type, stay what they are. */
function replaced(d: Dim, values: Substitution): Dim {
  return substituteDim(d, (v) => {
    const value = values.get(v);
    if (value === undefined) return undefined;
    const dim = toDim(value);
    invariant(dim !== undefined, () => `${v.hint}, which occurs in a type, is replaced by an expression that is no dim`);
    return dim;
  });
}
