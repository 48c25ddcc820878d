// Places in a function: what names and extents mean there.

import {
  dimVar, INDEX, isVarLike, prim, substituteDim, toExpr, variable,
  type Dim, type DimSum, type Expr, type Facts, type SymbolDef, type VarLike,
} from "@tilefoundry/ir";
import type { CallExpr } from "@tilefoundry/grammar";
import { invariant, type Span } from "@tilefoundry/text";
import type { BlockPart, ModuleContext } from "./context.ts";
import { peek, type Env } from "./env.ts";
import { lookupName } from "./lookup.ts";
import type { FunctionScope, LoopFrame, Place, Symbols } from "./place.ts";
import { exprValue, poison, type Value } from "./value.ts";

/** A new symbol, or the known one of that name. */
export function symbolNamed(symbols: Symbols, name: string, range: { readonly lo: number; readonly hi: number }, span: Span): SymbolDef {
  const known = symbols.byName.get(name);
  if (known !== undefined) return known;
  const made: SymbolDef = { var: variable(name, INDEX, { span }), lo: range.lo, hi: range.hi };
  symbols.all.push(made);
  symbols.byName.set(name, made);
  return made;
}

export function makePlace(fn: FunctionScope, env: Env, facts: Facts, loop: LoopFrame | undefined): Place {
  const place: Place = {
    fn, env, facts, loop,
    module: fn.module,
    reporter: fn.reporter,
    dialect: fn.dialect,
    lookup: (name, span) => lookupName(name, span, place),
    lookupExtent: (dim, span) => functionExtent(dim, span, place),
    outside: (fault) => fn.outside.push(fault),
    block: (which) => blockPart(which, fn),
    sync: (e) => meeting(e, place),
    isPure: fn.kind === "graph",
    binds: (name) => peek(env, name) !== undefined || fn.symbols.byName.has(name),
    isSymbol: (expr) => onlySymbols(expr, fn.symbols),
  };
  return place;
}

/** Outside of a loop over blocks the function takes it as a parameter, which its caller fills in. */
function blockPart(which: BlockPart, { blocks, asked, names }: FunctionScope): Expr {
  const around = blocks.at(-1);
  if (around !== undefined) return which === "block_idx" ? around.index : around.count;
  const known = asked.get(which);
  if (known !== undefined) return known;
  const made = variable(names.fresh(which), INDEX);
  asked.set(which, made);
  return made;
}

/** All positions of the mesh around the place meet; without an argument those of the innermost one. */
function meeting(e: CallExpr, { fn, env, reporter }: Place): Value {
  const [arg, second] = e.args;
  const names = [...fn.meshes.keys()];
  const name = arg === undefined ? names.at(-1) : arg.value.kind === "Name" && arg.name === undefined && arg.star === "" ? arg.value.name : undefined;
  const mesh = name === undefined || second !== undefined ? undefined : fn.meshes.get(name);
  if (name !== undefined && mesh === undefined && peek(env, name)?.kind === "poisoned") return poison(e.span);
  const [outermost] = mesh?.axes ?? [];
  if (outermost !== undefined && mesh?.partOf === undefined) return exprValue(prim("barrier", [], { level: outermost.level }, { span: e.span }), e.span);
  const problem = mesh?.partOf === undefined ? "takes a mesh around this place" : "takes a whole mesh: positions outside of the slice would be waited for in vain";
  reporter.report("TF4131", arg?.value.span ?? e.span, { problem, meshes: names.join(", ") }, names.length > 0 ? {} : { help: "open one with `with Mesh(…) as m:`" });
  return poison(e.span);
}

/** The same place with more in view. */
export const within = (place: Place, env: Env, facts: Facts = place.facts, loop: LoopFrame | undefined = place.loop): Place =>
  makePlace(place.fn, env, facts, loop);

/** A dim of the module in terms of the function's symbols. */
function functionExtent(dim: DimSum, span: Span, { fn }: Place): Value {
  let missing: string | undefined;
  const own = substituteDim(dim, (v): Dim => {
    const extent = extentOf(v, fn.module);
    const symbol = fn.symbols.byName.get(extent.name);
    if (symbol === undefined) missing ??= extent.name;
    return symbol === undefined ? 1 : dimVar(symbol.var);
  });
  if (missing === undefined) return exprValue(toExpr(own), span);
  fn.reporter.report("TF2001", span, { name: missing }, { help: `no parameter of \`${fn.def.name}\` has the extent \`${missing}\` in its shape` });
  return poison(span);
}

export function extentOf(v: VarLike, module: ModuleContext) {
  const extent = v.kind === "Var" ? module.extents.get(v) : undefined;
  invariant(extent !== undefined, () => `the extent ${v.hint} is not declared`);
  return extent;
}

function onlySymbols(expr: Expr, symbols: Symbols): boolean {
  if (expr.kind === "Const") return true;
  if (isVarLike(expr)) return symbols.byName.get(expr.hint)?.var === expr;
  return expr.kind === "Prim" && expr.args.every((a) => onlySymbols(a, symbols));
}
