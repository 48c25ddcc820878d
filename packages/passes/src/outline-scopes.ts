// Regions become functions of their own and calls of them: what a region reads from outside is its parameters, what it hands on its results, with
// a handle of each array that it writes. A loop over blocks that only calls becomes an Spmd function. Innermost regions come first.

import {
  assign, bodyOf, callTyping, dialectOf, eachStmt, evaluate, functionCall, isMisfit, mapBlocks, namesOf, sameList, seq, tupleGet, variable, withStmts,
  type Expr, type For, type FunctionKind, type FunctionNode, type ModuleNode, type Names, type Scope, type Seq, type Stmt, type Var,
} from "@tilefoundry/ir";
import type { Ops } from "@tilefoundry/ops";
import { spanOnly } from "./meta.ts";
import { outlinedFunction } from "./outline/function.ts";
import type { Pass } from "./pass.ts";

export const outlineScopes = {
  name: "outline-scopes",
  from: "ssa",
  to: "outlined",
  doc: "Turns regions into functions and calls of them.",
  run: (module, { ops }) => ({ value: outlinedModule(module, ops), diagnostics: [] }),
} as const satisfies Pass;

function outlinedModule(module: ModuleNode, ops: Ops): ModuleNode {
  const children = module.children.map((child) => outlinedModule(child, ops));
  const taken = new Set([...module.functions.map((f) => f.name), ...module.children.map((c) => c.name), ...module.methods.map((m) => m.name)]);
  const functions = module.functions.flatMap((fn) => outlinedFunctions(fn, module, taken, ops));
  return sameList(functions, module.functions) && sameList(children, module.children) ? module : { ...module, functions, children };
}

interface Outlining {
  readonly parent: FunctionNode;
  readonly module: ModuleNode;
  readonly ops: Ops;
  readonly names: Names;
  readonly taken: Set<string>;
  readonly added: FunctionNode[];
}

function outlinedFunctions(fn: FunctionNode, module: ModuleNode, taken: Set<string>, ops: Ops): readonly FunctionNode[] {
  const body = bodyOf(fn);
  if (body === undefined || !hasRegion(fn, body)) return [fn];
  const reserved = [...taken]; // as of now: it grows
  const outlining: Outlining = { parent: fn, module, ops, names: namesOf(fn, () => reserved), taken, added: [] };
  const made = { ...fn, body: outlineBlock(body, outlining) };
  const leads = fn.func === "opaque" && outlining.added.some((f) => f.func === "incore");
  return [leads ? { ...made, func: "orchestration" } : made, ...outlining.added];
}

function hasRegion(fn: FunctionNode, body: Seq): boolean {
  let found = false;
  eachStmt(body, (stmt) => (found ||= stmt.kind === "Scope" || isBlockLoop(stmt, fn)));
  return found;
}

/** A loop over blocks in a function that is not made of one already. */
const isBlockLoop = (stmt: Stmt, fn: FunctionNode): stmt is For => stmt.kind === "For" && stmt.level === "block" && fn.func !== "spmd" && dialectOf(fn) === "pl" && onlyCalls(stmt.body);

function onlyCalls({ stmts }: Seq): boolean {
  const calls = stmts.filter((s) => (s.kind === "Assign" && s.value.kind === "FunctionCall") || (s.kind === "Eval" && s.expr.kind === "FunctionCall"));
  return calls.length > 0 && stmts.every((s) => calls.includes(s) || s.kind === "Yield" || (s.kind === "Assign" && s.value.kind === "TupleGet"));
}

function outlineBlock(block: Seq, outlining: Outlining): Seq {
  const stmts = block.stmts.flatMap((authored): readonly Stmt[] => {
    const stmt = mapBlocks(authored, (inner) => outlineBlock(inner, outlining));
    if (stmt.kind === "Scope") return outlineScope(stmt, outlining);
    return isBlockLoop(stmt, outlining.parent) ? outlineBlocks(stmt, outlining) : [stmt];
  });
  return withStmts(block, stmts);
}

function outlineScope(stmt: Scope, outlining: Outlining): readonly Stmt[] {
  const { scope, body } = stmt;
  const last = body.stmts.at(-1);
  const values = last?.kind === "Yield" ? last.values : [];
  const inner = last?.kind === "Yield" ? seq(body.stmts.slice(0, -1), body.meta) : body;
  const kind: FunctionKind = scope.type === "cluster" ? "group" : scope.level === "CORE_GROUP" ? "incore" : "opaque";
  const word = scope.type === "cluster" ? "cluster" : scope.level === "CORE_GROUP" ? "incore" : [scope.level, ...(scope.role === undefined ? [] : [scope.role])].join("_").toLowerCase();
  return outline({ stmt, kind, name: nameOf(scope.name, word, outlining), body: inner, values, results: stmt.results }, outlining) ?? spliced(stmt, inner, values);
}

function outlineBlocks(stmt: For, outlining: Outlining): readonly Stmt[] {
  const [first] = stmt.body.stmts;
  const called = first?.kind === "Assign" && first.value.kind === "FunctionCall" ? first.value : first?.kind === "Eval" && first.expr.kind === "FunctionCall" ? first.expr : undefined;
  const inner = outlining.added.find((f) => f.name === called?.callee.symbol);
  const name = nameOf(inner === undefined ? undefined : `${inner.name}_spmd`, "spmd", outlining);
  return outline({ stmt, kind: "spmd", name, body: seq([stmt]), values: stmt.results, results: stmt.results }, outlining) ?? [stmt];
}

function nameOf(hint: string | undefined, word: string, { parent, taken }: Outlining): string {
  let name = hint ?? `${parent.name}_${word}_0`;
  for (let n = 1; taken.has(name); n++) name = hint === undefined ? `${parent.name}_${word}_${n}` : `${hint}_${n}`;
  taken.add(name);
  return name;
}

interface Region {
  readonly stmt: Stmt;
  readonly kind: FunctionKind;
  readonly name: string;
  readonly body: Seq;
  /** What the region hands on, and the variables that take it. */
  readonly values: readonly Expr[];
  readonly results: readonly Var[];
}

/** The call in place of the region; undefined if it cannot be a function of its own. */
function outline(region: Region, outlining: Outlining): readonly Stmt[] | undefined {
  const { parent, module, ops, added, names } = outlining;
  const lookup = (symbol: string): FunctionNode | undefined => added.find((f) => f.name === symbol) ?? module.functions.find((f) => f.name === symbol);
  const made = outlinedFunction({ name: region.name, kind: region.kind, body: region.body, values: region.values, parent, context: { ops, calleeOf: lookup } });
  if (made === undefined) return undefined;
  const typing = callTyping(made.fn, made.args);
  if (isMisfit(typing)) return undefined;
  added.push(made.fn);
  const meta = spanOnly(region.stmt.meta);
  const call = functionCall(region.name, made.args, typing.type, meta);
  if (made.fn.returns.length === 0) return [evaluate(call, region.stmt.meta)];
  if (made.fn.returns.length === 1) return [assign(region.results[0] ?? variable(names.fresh(made.hints[0] ?? region.name), typing.type, meta), call, region.stmt.meta)];
  const all = variable(names.fresh(region.name), typing.type, meta);
  return [assign(all, call, region.stmt.meta), ...region.results.map((result, i) => assign(result, tupleGet(all, i, meta), meta))];
}

/** A region that stays where it is: its statements, and copies for what it hands on. */
function spliced({ results, meta }: Scope, body: Seq, values: readonly Expr[]): readonly Stmt[] {
  const handed = results.flatMap((result, i) => (values[i] === undefined ? [] : [assign(result, values[i], spanOnly(meta))]));
  return [...body.stmts, ...handed];
}

