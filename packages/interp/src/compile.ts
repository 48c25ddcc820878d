// Compiles one function: registers for its variables, code for its body.

import { graphOrder, isVarLike, type FunctionNode, type ModuleNode } from "@tilefoundry/ir";
import type { Ops } from "@tilefoundry/ops";
import { compileBlock, compileExpr, inBlock, placeOf, type Builder } from "./builder.ts";
import { exprRule } from "./expressions.ts";
import type { FaultLog } from "./faults.ts";
import { makeLayout, type Layout, type Place } from "./layout.ts";
import type { Step } from "./sequence.ts";
import { blockRule, moveAll } from "./statements.ts";

export interface CompiledFunction {
  readonly layout: Layout;
  readonly params: readonly Place[];
  readonly symbols: readonly Place[];
  readonly returns: readonly Place[];
  readonly body: Step;
}

export function compileFunction(module: ModuleNode, f: FunctionNode, ops: Ops, faults: FaultLog | undefined): CompiledFunction {
  const layout = makeLayout();
  const returns = f.returns.map((t) => layout.place(t));
  const b: Builder = { f, module, rules: { expr: exprRule, block: blockRule, body: compileBody }, ops, layout, faults, returns, places: new Map(), yields: [], steps: [], span: f.meta.span };
  const symbols = f.symbols.map((s) => placeOf(s.var, b));
  const params = f.params.map((p) => placeOf(p.var, b));
  return { layout, params, symbols, returns, body: inBlock(b, (inner) => compileBody(f, inner)) };
}

function compileBody({ body }: FunctionNode, b: Builder): void {
  if (body.kind === "Seq") return compileBlock(body, b);
  for (const value of graphOrder(body.result)) {
    if (!isVarLike(value)) b.places.set(value, compileExpr(value, b));
  }
  moveAll(body.result.kind === "Tuple" ? body.result.elements : [body.result], b.returns, b);
}
