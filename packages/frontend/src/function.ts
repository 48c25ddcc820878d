// One decorated function: signature, body, directions, results.

import type { FunctionDef } from "@tilefoundry/grammar";
import { compatible, graph, makeFunction, makeNames, verifyFunction, type Dialect, type FunctionNode, type Meta, type Names, type Param, type Type } from "@tilefoundry/ir";
import { showType } from "@tilefoundry/ops";
import { block } from "./block.ts";
import { commentsOf, docstringLines, docstringOf } from "./comments.ts";
import type { Given, ModuleContext } from "./context.ts";
import type { Declared } from "./declared.ts";
import { settleDirections } from "./directions.ts";
import { bound, openEnv, POISONED } from "./env.ts";
import { graphBody } from "./graph.ts";
import { holdsLoop, withResult } from "./graph-loops.ts";
import { adopt, makeLocals } from "./locals.ts";
import { assignments, isTorn, loopTargets } from "./names-in.ts";
import type { FunctionScope, Place } from "./place.ts";
import { refuseAsync } from "./refuse.ts";
import { makePlace } from "./scope.ts";
import { givenSignature, readSignature, type SignatureParts } from "./signature.ts";

/** The function in IR; undefined if a complaint left no body to speak of. */
export function functionNode(def: FunctionDef, declared: Declared, above: readonly string[], module: ModuleContext, given?: ReadonlyMap<string, Given>): FunctionNode | undefined {
  const { reporter } = module;
  const before = reporter.diagnostics.length;
  if (def.async) refuseAsync(def.nameSpan, reporter);
  const dialect = declared.kind === "graph" || declared.kind === "prim" ? "tf" : "pl";
  const signature = given === undefined ? readSignature(def, dialect, module) : givenSignature(def, given);
  const place = openBody(def, declared, signature, module, dialect);
  for (const [name, one] of given ?? []) if ("known" in one) place.env.own.set(name, { kind: "computed", known: one.known });
  const doc = docstringOf(def.body.stmts[0]);
  const comments = [...above, ...commentsOf(def), ...(doc === undefined ? [] : docstringLines(doc))];
  const stmts = doc === undefined ? def.body.stmts : def.body.stmts.slice(1);
  const meta = (extra: readonly string[]): Meta => {
    const all = [...comments, ...extra];
    return { span: def.span, ...(all.length === 0 ? {} : { comments: all }) };
  };
  const shared = { name: def.name, func: declared.kind, symbols: signature.symbols.all, target: declared.target, contract: declared.contract };
  const failed = (): boolean => reporter.diagnostics.some((d, i) => i >= before && d.severity === "error");
  const loops = declared.kind === "graph" && holdsLoop(stmts);
  if (declared.kind === "graph" && !loops) {
    const { result, comments: rest } = graphBody(stmts, place);
    if (result === undefined || failed()) return undefined;
    const returns = result.type.kind === "TupleType" ? result.type.fields : [result.type];
    checkReturns(signature.returns, returns, place);
    return makeFunction({ ...shared, params: directed(place), returns, body: graph(result) }, meta(rest));
  }
  const body = block({ ...def.body, stmts: loops ? withResult(stmts, signature.params.map((p) => p.var.hint)) : stmts }, place);
  const torn = isTorn(def.body);
  if (!torn && (place.fn.returned?.types.length ?? 0) > 0 && !place.env.ended) reporter.report("TF4117", def.nameSpan, { name: def.name });
  if (torn || failed()) {
    for (const fault of place.fn.outside) reporter.report("TF3008", fault.span, fault);
    return undefined;
  }
  const returns = place.fn.returned?.types ?? [];
  checkReturns(signature.returns, returns, place);
  const asked = [...place.fn.asked.values()].map((v): Param => ({ var: v, direction: "in" }));
  const made = makeFunction({ ...shared, params: [...settleDirections(body, place.fn, signature.params), ...asked], returns, body }, meta([]));
  reportOutside(made, place.fn);
  return made;
}

/**
 * Accesses that are provably outside: an author's mistake. In text that stands at `ssa` it is a warning: passes prove more than an
 * author's text does, and what they print is read again.
 */
function reportOutside(made: FunctionNode, { outside, reporter }: FunctionScope): void {
  if (outside.length === 0) return;
  const code = verifyFunction(made, "ssa").length === 0 ? "TF3009" : "TF3008";
  for (const fault of outside) reporter.report(code, fault.span, fault);
}

function openBody(def: FunctionDef, declared: Declared, signature: SignatureParts, module: ModuleContext, dialect: Dialect): Place {
  const { params, symbols, facts } = signature;
  const assigned = assignments(def.body);
  const locals = makeLocals();
  const fn: FunctionScope = {
    module, dialect, symbols, locals, assigned, def,
    reporter: module.reporter,
    kind: declared.kind,
    params,
    names: namesWhenNeeded(() => [...assigned.keys(), ...loopTargets(def.body), ...symbols.byName.keys(), ...params.map((p) => p.var.hint)]),
    calls: new Map(),
    meshes: new Map(),
    blocks: [],
    asked: new Map(),
    outside: [],
    returned: undefined,
  };
  const env = openEnv();
  for (const p of params) {
    adopt(locals, p.var);
    const root = p.var.type.kind === "Tensor" ? { param: p.var, env } : undefined;
    const isBroken = p.var.type.kind === "Unknown";
    env.own.set(p.var.hint, isBroken ? POISONED : bound(p.var, p.syntax.nameSpan, root));
  }
  return makePlace(fn, env, facts, undefined);
}

/** Few functions need a name that is not in their text. */
function namesWhenNeeded(taken: () => readonly string[]): Names {
  let names: Names | undefined;
  return { fresh: (hint) => (names ??= makeNames(taken())).fresh(hint) };
}

/** In a `@func` nothing is written. */
const directed = (place: Place): readonly Param[] => place.fn.params.map((p) => ({ var: p.var, direction: p.wrapper ?? "in" }));

/** The inferred types count; a differing annotation is a warning. */
function checkReturns(annotated: readonly Type[] | undefined, returns: readonly Type[], place: Place): void {
  if (annotated === undefined) return;
  if (annotated.length === returns.length && annotated.every((t, i) => compatible(t, returns[i] ?? t))) return;
  const words = (types: readonly Type[]): string => (types.length === 0 ? "nothing" : types.map((t) => showType(t, place.dialect)).join(" and "));
  const { def } = place.fn;
  place.reporter.report("TF3107", def.returns?.span ?? def.nameSpan, { name: def.name, found: words(returns), annotated: words(annotated) });
}
