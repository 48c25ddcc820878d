// IR → surface tree: every node of every stage in its one spelling ("Canonical text" in ARCHITECTURE.md). `print` of the
// syntax package makes text of it, and reading that text gives the same IR.

import { make, parse, type Arg, type SExpr, type SModule, type SStmt } from "@tilefoundry/grammar";
import { dialectOf, type FunctionNode, type ModuleNode, type SymbolDef, type Topology } from "@tilefoundry/ir";
import type { Ops } from "@tilefoundry/ops";
import { makeSource } from "@tilefoundry/text";
import { graphBlock } from "./graph.ts";
import { printing } from "./expressions.ts";
import { DECORATORS } from "./spelling.ts";
import { blockOf } from "./statements.ts";
import { paramExpr, returnsExpr } from "./types.ts";

export function toSurface(module: ModuleNode, ops: Ops): SModule {
  if (module.form === "text") return make.moduleOf(members(module, ops, new Map()), module.meta.comments ?? []);
  return make.moduleOf([classDef(module, ops, new Map())], []);
}

function members(module: ModuleNode, ops: Ops, declared: Map<string, Bounds>): readonly SStmt[] {
  const children = module.children.map((child) => classDef(child, ops, new Map(declared)));
  const functions = module.functions.flatMap((f) => [...declareSymbols(f, declared), functionDef(f, module, ops)]);
  return module.form === "text" ? [...functions, ...children] : [...children, ...functions];
}

// — classes —

function classDef(module: ModuleNode, ops: Ops, declared: Map<string, Bounds>): SStmt {
  const methods = module.methods.flatMap(({ text }) => parse(makeSource(module.name, text)).value.body.stmts);
  const body = make.block([...members(module, ops, declared), ...methods], []);
  return make.classDef(module.name, [classDecorator(module)], body, { comments: module.meta.comments ?? [] });
}

function classDecorator({ form, entry, target, topologies }: ModuleNode): SExpr {
  const keywords: readonly Arg[] = [
    ...(form === "module" && entry !== undefined ? [make.keyword("entry", make.text(entry))] : []),
    ...(target === undefined ? [] : [make.keyword("target", make.text(target))]),
    ...(topologies === undefined ? [] : [make.keyword("topologies", make.tupleOf(topologies.map(topologyExpr)))]),
  ];
  const name = make.dotted(form === "program" ? "pl.program" : "module");
  return keywords.length === 0 ? name : make.call(name, [], keywords);
}

const topologyExpr = ({ name, size }: Topology): SExpr => make.call(make.name("Topology"), [make.text(name), make.integer(size)]);

// — symbols —

type Bounds = Pick<SymbolDef, "lo" | "hi">;

/** Bounds of a symbol that nothing declares: what a bare name in a shape has. */
const UNDECLARED: Bounds = { lo: 0, hi: 2 ** 31 };

/** `M = DimVar("M", lo, hi)` above a function for each symbol whose name does not yet stand for these bounds. */
function declareSymbols(f: FunctionNode, declared: Map<string, Bounds>): readonly SStmt[] {
  return f.symbols.flatMap(({ var: { hint }, lo, hi }) => {
    const known = declared.get(hint) ?? UNDECLARED;
    if (known.lo === lo && known.hi === hi) return [];
    declared.set(hint, { lo, hi });
    return [make.assignStmt(make.name(hint), make.call(make.name("DimVar"), [make.text(hint), make.integer(lo), make.integer(hi)]))];
  });
}

// — functions —

function functionDef(f: FunctionNode, module: ModuleNode, ops: Ops): SStmt {
  const isMethod = module.form === "program";
  const p = printing(ops, dialectOf(f), isMethod ? "self." : "");
  const parts = {
    decorators: [decoratorExpr(f, module)],
    name: f.name,
    params: [...(isMethod ? [make.param("self", undefined)] : []), ...f.params.map((param) => make.param(param.var.hint, paramExpr(param, p)))],
    returns: returnsExpr(f.returns, p),
    body: f.body.kind === "Graph" ? graphBlock(f.body, f, p) : blockOf(f.body, p),
  };
  return make.functionDef(parts, { comments: f.meta.comments ?? [] });
}

function decoratorExpr(f: FunctionNode, module: ModuleNode): SExpr {
  const decorator: { readonly name: string; readonly type?: string } = DECORATORS[f.func];
  const keywords: readonly Arg[] = [
    ...(decorator.type === undefined ? [] : [make.keyword("type", make.dotted(`pl.FunctionType.${decorator.type}`))]),
    ...(f.target === undefined ? [] : [make.keyword("target", make.text(f.target))]),
    ...(module.entry === f.name && !isEntryAnyway(f, module) ? [make.keyword("entry", make.truth(true))] : []),
    ...(f.contract ? [make.keyword("contract", make.truth(true))] : []),
  ];
  const name = make.dotted(decorator.name);
  return keywords.length === 0 ? name : make.call(name, [], keywords);
}

/** The only function is the entry without saying so; of a program the only Orchestration function; of a class the one it names. */
function isEntryAnyway(f: FunctionNode, { form, functions: all }: ModuleNode): boolean {
  if (form === "module") return true;
  const functions = all.filter((g) => g.func !== "inline");
  const leading = form === "program" ? functions.filter((g) => g.func === "orchestration") : [];
  return leading.length > 0 ? leading.length === 1 && leading[0] === f : functions.length === 1;
}
