// A small vocabulary to write `outlined` kernels in tests: statements are emitted where they are called, catalog ops by name.

import {
  assign, dimVar, evaluate, forLoop, ifThen, INDEX, indexConst, iterArg, makeFunction, makeModule, makeNames, NO_FACTS, returnValues, seq, variable,
  whileLoop, yieldValues,
  type Dim, type Direction, type Expr, type FunctionKind, type IterArg, type LoopMode, type ModuleNode, type Param, type Stmt, type SymbolDef,
  type Type, type Var,
} from "@tilefoundry/ir";
import { builtinOps, makeCall, parametersOf } from "@tilefoundry/ops";
import { hasErrors, Reporter } from "@tilefoundry/text";

export type Static = NonNullable<Parameters<typeof makeCall>[1]["attributes"][number]>;

export interface LoopOptions {
  readonly start?: Expr;
  readonly step?: number;
  readonly mode?: LoopMode;
  readonly hint?: string;
}

export interface Kernel {
  symbol(name: string): Dim;
  param(name: string, type: Type, direction?: Direction): Var;
  /** The value of a symbol as an expression. */
  let(hint: string, value: Expr): Var;
  op(hint: string, name: string, inputs: Readonly<Record<string, Expr | readonly Expr[]>>, attributes?: Readonly<Record<string, Static>>): Var;
  /** A loop over `[start, stop)`; carries in, yields out, results back. */
  loop(stop: Expr, options: LoopOptions, inits: readonly Expr[], body: (i: Var, carries: readonly IterArg[]) => readonly Expr[]): readonly Var[];
  whileTrue(inits: readonly Expr[], cond: (carries: readonly IterArg[]) => Expr, body: (carries: readonly IterArg[]) => readonly Expr[]): readonly Var[];
  choose(cond: Expr, then: () => readonly Expr[], orElse: () => readonly Expr[]): readonly Var[];
  emit(effect: Expr): void;
  done(returned?: readonly Expr[]): ModuleNode;
}

export function makeKernel(name: string, func: FunctionKind = "incore"): Kernel {
  const names = makeNames([]);
  const params: Param[] = [];
  const symbols: SymbolDef[] = [];
  let block: Stmt[] = [];
  const fresh = (hint: string, type: Type): Var => variable(names.fresh(hint), type);
  const inBlock = (body: () => readonly Expr[]): { readonly stmts: readonly Stmt[]; readonly values: readonly Expr[] } => {
    const outer = block;
    block = [];
    const values = body();
    const stmts = values.length === 0 ? block : [...block, yieldValues(values)];
    block = outer;
    return { stmts, values };
  };
  const kernel: Kernel = {
    symbol: (hint) => {
      const v = fresh(hint, INDEX);
      symbols.push({ var: v, lo: 0, hi: 2 ** 31 });
      return dimVar(v);
    },
    param: (hint, type, direction = "in") => {
      const v = fresh(hint, type);
      params.push({ var: v, direction });
      return v;
    },
    let: (hint, value) => {
      const v = fresh(hint, value.type);
      block.push(assign(v, value));
      return v;
    },
    op: (hint, opName, inputs, attributes = {}) => {
      const value = callOf(opName, inputs, attributes);
      const v = fresh(hint, value.type);
      block.push(assign(v, value));
      return v;
    },
    loop: (stop, options, inits, body) => {
      const loopVar = fresh(options.hint ?? "i", INDEX);
      const carries = inits.map((init) => iterArg(names.fresh(hintOf(init)), init.type, init));
      const inner = inBlock(() => body(loopVar, carries));
      const results = inner.values.map((v) => fresh(hintOf(v), v.type));
      const step = indexConst(options.step ?? 1);
      block.push(forLoop({ loopVar, stop, step, start: options.start ?? indexConst(0), mode: options.mode ?? "sequential", carries, body: seq(inner.stmts), results }));
      return results;
    },
    whileTrue: (inits, cond, body) => {
      const carries = inits.map((init) => iterArg(names.fresh(hintOf(init)), init.type, init));
      const inner = inBlock(() => body(carries));
      const results = inner.values.map((v) => fresh(hintOf(v), v.type));
      block.push(whileLoop(cond(carries), seq(inner.stmts), carries, results));
      return results;
    },
    choose: (cond, then, orElse) => {
      const [a, b] = [inBlock(then), inBlock(orElse)];
      const results = a.values.map((v) => fresh(hintOf(v), v.type));
      block.push(ifThen(cond, seq(a.stmts), seq(b.stmts), results));
      return results;
    },
    emit: (effect) => void block.push(evaluate(effect)),
    done: (returned = []) => {
      const stmts = returned.length === 0 ? block : [...block, returnValues(returned)];
      const f = makeFunction({ name, func, params, symbols, returns: returned.map((v) => v.type), body: seq(stmts) });
      return makeModule(name, [f], name);
    },
  };
  return kernel;
}

const hintOf = (e: Expr): string => (e.kind === "Var" || e.kind === "IterArg" ? e.hint : "v");

export function callOf(name: string, inputs: Readonly<Record<string, Expr | readonly Expr[]>>, attributes: Readonly<Record<string, Static>> = {}): Expr {
  const record = builtinOps.byName(name);
  if (record === undefined) throw new Error(`no op ${name}`);
  const reporter = new Reporter();
  const dialect = record.pl.length > 0 ? "pl" : "tf";
  const names = parametersOf(record).all.map((p) => p.name);
  const call = makeCall(record, { inputs: names.map((n) => inputs[n]), attributes: names.map((n) => attributes[n]) }, {
    reporter, span: undefined, spelled: name, dialect, namespace: dialect, facts: NO_FACTS, spanOf: () => undefined,
  });
  if (call === undefined || hasErrors(reporter.diagnostics)) throw new Error(reporter.diagnostics.map((d) => d.message).join("\n") || `${name} does not bind`);
  return call;
}
