// Statements of the IR as surface trees: one function a kind. Loops have their headers in loops.ts.

import { make, type Block, type SExpr, type SStmt } from "@tilefoundry/grammar";
import type { If, NodeOf, ScopeSpec, Seq, Stmt, Var, Yield } from "@tilefoundry/ir";
import { forHeader, nestHeader, whileHeader } from "./loops.ts";
import type { Printing } from "./spelling.ts";
import { sameType, typeExpr } from "./types.ts";

/** Variables that the `Yield` at the end of a block gives its values to. */
type Results = readonly Var[];

const PRINTERS: { readonly [K in Stmt["kind"]]: (s: NodeOf<K>, p: Printing, results: Results) => SStmt } = {
  Assign: (s, p) => {
    const target = make.name(s.target.hint);
    const value = p.expr(s.value);
    return sameType(s.target.type, s.value.type)
      ? make.assignStmt(target, value, above(s))
      : make.annAssign(target, typeExpr(s.target.type, p), value, above(s));
  },
  Eval: (s, p) => make.exprStmt(p.expr(s.expr), above(s)),
  If: (s, p) => ifStatement(s, p, false),
  For: (s, p) => {
    const { target, iterable } = forHeader(s, p);
    return make.forStmt(target, iterable, blockOf(s.body, p, s.results), above(s));
  },
  While: (s, p) => {
    if (s.carries.length === 0) return make.whileStmt(p.expr(s.cond), blockOf(s.body, p, s.results), above(s));
    const { target, iterable } = whileHeader(s, p);
    const cond = make.exprStmt(make.call(make.dotted("pl.cond"), [p.expr(s.cond)]));
    const body = blockOf(s.body, p, s.results);
    return make.forStmt(target, iterable, { ...body, stmts: [cond, ...statements(s.body, p, s.results)] }, above(s));
  },
  Nest: (s, p) => {
    const { target, iterable } = nestHeader(s, p);
    return make.forStmt(target, iterable, blockOf(s.body, p, s.results), above(s));
  },
  Scope: (s, p) => make.withStmt(scopeExpr(s.scope), blockOf(s.body, p, s.results), above(s)),
  Return: (s, p) => make.returnStmt(valuesExpr(s.values.map(p.expr)), above(s)),
  Yield: yieldStatement,
  Break: (s) => make.breakStmt(above(s)),
  Continue: (s) => make.continueStmt(above(s)),
  // Blocks never stand directly in blocks; should one, its statements stand under a condition that holds.
  Seq: (s, p, results) => make.ifStmt(make.truth(true), blockOf(s, p, results), undefined),
};

/** `pl.at(level=pl.Level.CORE_GROUP, name_hint="k")`. */
function scopeExpr(scope: ScopeSpec): SExpr {
  const named = scope.name === undefined ? [] : [make.keyword("name_hint", make.text(scope.name))];
  if (scope.type === "cluster") return make.call(make.dotted("pl.cluster"), [], named);
  const role = scope.role === undefined ? [] : [make.keyword("role", make.dotted(`pl.Role.${scope.role}`))];
  return make.call(make.dotted("pl.at"), [], [make.keyword("level", make.dotted(`pl.Level.${scope.level}`)), ...role, ...named]);
}

export function blockOf(seq: Seq, p: Printing, results: Results = []): Block {
  return make.block(statements(seq, p, results), seq.meta.comments ?? []);
}

function statements(seq: Seq, p: Printing, results: Results): readonly SStmt[] {
  return seq.stmts.map((s) => (PRINTERS[s.kind] as (s: Stmt, p: Printing, results: Results) => SStmt)(s, p, results)); // the key fixes the kind
}

const above = (s: Stmt) => ({ comments: s.meta.comments ?? [] });

/** Nothing, one value, or several as `a, b`. */
export function valuesExpr(values: readonly SExpr[]): SExpr | undefined {
  return values.length > 1 ? make.tupleOf(values, false) : values[0];
}

/** `else` with nothing but an `if` in it is `elif`, unless that has comments or results to tell apart. */
function ifStatement(s: If, p: Printing, elif: boolean): SStmt {
  const then = blockOf(s.then, p, s.results);
  return make.ifStmt(p.expr(s.cond), then, s.else && elseBlock(s.else, p, s.results), above(s), elif);
}

function elseBlock(block: Seq, p: Printing, results: Results): Block {
  const [only] = block.stmts;
  const alone = block.stmts.length === 1 && isPlain(block);
  if (alone && only?.kind === "If" && isPlain(only) && only.results.length === 0) return make.block([ifStatement(only, p, true)]);
  return blockOf(block, p, results);
}

const isPlain = (s: Stmt): boolean => (s.meta.comments ?? []).length === 0;

/** The targets of a yield name the results of the loop or `if` that it ends. */
function yieldStatement(s: Yield, p: Printing, results: Results): SStmt {
  const call = make.call(make.dotted("pl.yield_"), s.values.map(p.expr));
  const target = valuesExpr(results.map((v) => make.name(v.hint)));
  return target === undefined ? make.exprStmt(call, above(s)) : make.assignStmt(target, call, above(s));
}
