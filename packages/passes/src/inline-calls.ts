// Calls become the bodies of what they call: targets take one function with everything in it. A callee's variables are new in each place, its
// extents are those of the arguments, and its results stand where the call's were.

import {
  assign, bodyOf, callsOf, callTyping, copyFresh, isMisfit, isVarLike, mapBlocks, mapChildren, mapFunctions, namesOf, resolve, seq, substitute, toExpr, variable,
  type Assign, type Expr, type FunctionCall, type FunctionNode, type ModuleNode, type Names, type Node, type Seq, type Stmt, type Var, type VarLike,
} from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { spanOnly, withoutComments } from "./meta.ts";
import type { Pass } from "./pass.ts";

export const inlineCalls = {
  name: "inline-calls",
  from: "outlined",
  to: "outlined",
  ahead: true,
  doc: "Puts the bodies of called functions in the place of their calls.",
  run: (module) => ({ value: inlined(module), diagnostics: [] }),
} as const satisfies Pass;

function inlined(module: ModuleNode): ModuleNode {
  if (module.functions.length + module.children.length < 2) return module; // a lone function calls nothing
  const done = new Map<FunctionNode, FunctionNode>();
  return mapFunctions(module, (fn, owner) => withoutCalls(fn, owner, done));
}

function withoutCalls(fn: FunctionNode, owner: ModuleNode, done: Map<FunctionNode, FunctionNode>): FunctionNode {
  const known = done.get(fn);
  if (known !== undefined) return known;
  const body = bodyOf(fn);
  if (body === undefined || callsOf(fn).length === 0) return fn;
  const inlining: Inlining = { names: namesOf(fn), owner, done, values: new Map(), tuples: new Map() };
  const made = { ...fn, body: inlineBlock(body, inlining) };
  done.set(fn, made);
  return made;
}

interface Inlining {
  readonly names: Names;
  readonly owner: ModuleNode;
  readonly done: Map<FunctionNode, FunctionNode>;
  /** What stands for the result of a call. */
  readonly values: Map<VarLike, Expr>;
  /** And for each of several. */
  readonly tuples: Map<VarLike, readonly Expr[]>;
}

function inlineBlock(block: Seq, inlining: Inlining): Seq {
  return seq(block.stmts.flatMap((s) => inlineStmt(settled(s, inlining), inlining)), block.meta);
}

function inlineStmt(stmt: Stmt, inlining: Inlining): readonly Stmt[] {
  if (stmt.kind === "Assign" && stmt.value.kind === "FunctionCall") return inlineCall(stmt, stmt.value, stmt.target, inlining);
  if (stmt.kind === "Eval" && stmt.expr.kind === "FunctionCall") return inlineCall(stmt, stmt.expr, undefined, inlining);
  if (stmt.kind === "Assign" && isResultOf(stmt, inlining)) return [];
  return [mapBlocks(stmt, (inner) => inlineBlock(inner, inlining))];
}

/** An element of what a call gave is no variable of its own. */
function isResultOf({ target, value }: Assign, { values }: Inlining): boolean {
  if (target.type.kind !== "Tensor" || !isVarLike(value)) return false;
  values.set(target, value);
  return true;
}

/** The statement with the results of the calls above it in their place. */
function settled(stmt: Stmt, { values, tuples }: Inlining): Stmt {
  const named = values.size === 0 ? stmt : substitute(stmt, values);
  return tuples.size === 0 ? named : withElements(named, tuples);
}

function withElements<N extends Node>(node: N, tuples: Inlining["tuples"]): N {
  return mapChildren(node, (child) => {
    if (child.kind === "TupleGet" && isVarLike(child.tuple)) return tuples.get(child.tuple)?.[child.index] ?? child;
    return child.kind === "Var" || child.kind === "IterArg" ? child : withElements(child, tuples);
  });
}

function inlineCall(stmt: Stmt, call: FunctionCall, target: Var | undefined, inlining: Inlining): readonly Stmt[] {
  const found = resolve(inlining.owner, call.callee.symbol);
  invariant(found !== undefined, () => `${call.callee.symbol} is no function`);
  const callee = withoutCalls(found.fn, found.module, inlining.done);
  const body = bodyOf(callee);
  const typing = callTyping(callee, call.args);
  invariant(body !== undefined && !isMisfit(typing), () => `a call of ${callee.name} does not fit`);
  const replaced = new Map<VarLike, Expr>([...typing.dims].map(([symbol, dim]) => [symbol, toExpr(dim)]));
  const before: Stmt[] = [];
  for (const [i, { var: v }] of callee.params.entries()) replaced.set(v, argument(call.args[i], v.hint, before, inlining.names));
  const copy = copyFresh(body, inlining.names, replaced);
  const last = copy.stmts.at(-1);
  const stmts = last?.kind === "Return" ? copy.stmts.slice(0, -1) : copy.stmts;
  const after = target === undefined || last?.kind !== "Return" ? [] : handOver(last.values, target, inlining);
  return withFirstComments([...before, ...stmts, ...after], stmt);
}

/** Arrays stand for what the call gave; a scalar keeps the name that the caller gave it. */
function handOver(results: readonly Expr[], target: Var, { values, tuples, names }: Inlining): readonly Stmt[] {
  const stmts: Stmt[] = [];
  const given = results.map((value) => {
    if (value.type.kind === "Tensor" || isVarLike(value) || value.kind === "Const") return value;
    const v = results.length === 1 ? target : variable(names.fresh(target.hint), value.type, spanOnly(value.meta));
    stmts.push(assign(v, value, spanOnly(value.meta)));
    return v;
  });
  const [only] = given;
  if (target.type.kind === "TupleType") tuples.set(target, given);
  else if (only !== undefined && only !== target) values.set(target, only);
  return stmts;
}

/** Arrays, literals and variables stand for the parameter; what is computed is computed once. */
function argument(arg: Expr | undefined, hint: string, before: Stmt[], names: Names): Expr {
  invariant(arg !== undefined, () => `no argument for ${hint}`);
  if (isVarLike(arg) || arg.kind === "Const") return arg;
  const v = variable(names.fresh(hint), arg.type, spanOnly(arg.meta));
  before.push(assign(v, arg, spanOnly(arg.meta)));
  return v;
}

function withFirstComments(stmts: readonly Stmt[], { meta }: Stmt): readonly Stmt[] {
  const [first, ...rest] = stmts;
  if (first === undefined || meta.comments === undefined) return stmts;
  return [{ ...first, meta: { ...withoutComments(first.meta), comments: [...meta.comments, ...(first.meta.comments ?? [])] } }, ...rest];
}
