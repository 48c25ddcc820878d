// IR → surface tree: every node of every stage in its one spelling ("Canonical text" in ARCHITECTURE.md). `print` of the
// syntax package makes text of it, and reading that text gives the same IR.

import { make, type Arg, type SExpr, type SModule, type SStmt } from "@tilefoundry/grammar";
import { dialectOf, type FunctionNode, type ModuleNode, type SymbolDef } from "@tilefoundry/ir";
import type { Ops } from "@tilefoundry/ops";
import { graphBlock } from "./graph.ts";
import { printing } from "./expressions.ts";
import { DECORATORS } from "./spelling.ts";
import { blockOf } from "./statements.ts";
import { paramExpr, returnsExpr } from "./types.ts";

export function toSurface(module: ModuleNode, ops: Ops): SModule {
  const declared = new Map<string, Bounds>();
  const stmts = module.functions.flatMap((f) => [...declareSymbols(f, declared), functionDef(f, module, ops)]);
  return make.moduleOf(stmts, module.meta.comments ?? []);
}

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
  const p = printing(ops, dialectOf(f));
  const parts = {
    decorators: [decoratorExpr(f, module)],
    name: f.name,
    params: f.params.map((param) => make.param(param.var.hint, paramExpr(param, p))),
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
    // The only function is the entry without saying so.
    ...(module.functions.length > 1 && module.entry === f.name ? [make.keyword("entry", make.truth(true))] : []),
    ...(f.contract ? [make.keyword("contract", make.truth(true))] : []),
  ];
  const name = make.dotted(decorator.name);
  return keywords.length === 0 ? name : make.call(name, [], keywords);
}
