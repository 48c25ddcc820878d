// Blocks and the dispatch of statements: one function a kind. Each gives the IR statements it becomes; comments go to the first
// of them, or wait for the next statement.

import type { Block, SStmt } from "@tilefoundry/grammar";
import {
  breakLoop, compatible, continueLoop, evaluate as evalStmt, returnValues, seq, tupleGet, type Call, type Expr, type Seq, type Stmt, type Type,
} from "@tilefoundry/ir";
import { showType } from "@tilefoundry/ops";
import { assignment, annotated } from "./assign.ts";
import { ifStatement } from "./branch.ts";
import { blockEnd, blockStart, commentsOf, docstringLines, docstringOf, joined, NO_LINES, withComments } from "./comments.ts";
import { boundSince, silence } from "./env.ts";
import { evaluate } from "./expr.ts";
import { toExpr } from "./literal.ts";
import { forStatement } from "./loops.ts";
import { namesBoundBy } from "./names-in.ts";
import { refuseInGraph, refuseStmt, standsInGraph } from "./refuse.ts";
import type { Place } from "./place.ts";
import { itemsOf } from "./value.ts";
import { whileStatement } from "./while.ts";
import { withStatement } from "./with.ts";
import type { YieldSlot } from "./yield-slot.ts";
import { isYield, yieldStatement } from "./yields.ts";

export function block(syntax: Block, place: Place, slot?: YieldSlot): Seq {
  const stmts: Stmt[] = [];
  let pending = blockStart(syntax);
  let warned = false;
  for (const s of syntax.stmts) {
    const comments = joined(pending, commentsOf(s));
    const doc = docstringOf(s);
    if (doc !== undefined) {
      pending = [...comments, ...docstringLines(doc)];
      continue;
    }
    if (place.env.ended && !warned) {
      place.reporter.report("TF4107", s.span, {});
      warned = true;
    }
    const made = place.env.ended ? NOTHING : statement(s, place, s === syntax.stmts.at(-1) ? slot : undefined);
    pending = made.length === 0 ? comments : NO_LINES;
    for (const each of made) stmts.push(each === made[0] ? withComments(each, comments) : each);
  }
  const tail = joined(pending, blockEnd(syntax));
  return seq(stmts, tail.length === 0 ? { span: syntax.span } : { span: syntax.span, comments: tail });
}

const NOTHING: readonly Stmt[] = [];

type Lower<K extends SStmt["kind"]> = (s: Extract<SStmt, { readonly kind: K }>, place: Place, slot: YieldSlot | undefined) => readonly Stmt[];

const RULES: { readonly [K in SStmt["kind"]]: Lower<K> } = {
  ExprStmt: expressionStatement,
  AssignStmt: assignment,
  AugAssign: refuse,
  AnnAssign: annotated,
  ReturnStmt: returnStatement,
  Pass: () => [],
  BreakStmt: (s, place) => jump("break", s, place),
  ContinueStmt: (s, place) => jump("continue", s, place),
  IfStmt: (s, place) => ifStatement(s, place, block),
  ForStmt: (s, place) => forStatement(s, place, block),
  WhileStmt: (s, place) => whileStatement(s, place, block),
  WithStmt: (s, place) => withStatement(s, place, block),
  FunctionDef: refuse,
  ClassDef: refuse,
  Import: refuse,
  ImportFrom: refuse,
  Delete: refuse,
  Assert: refuse,
  Raise: refuse,
  Try: refuse,
  Global: refuse,
  Match: refuse,
  TypeAlias: refuse,
  BadStmt: (s, place) => {
    for (const name of namesBoundBy(s)) silence(place.env, name);
    return [];
  },
};

function statement(s: SStmt, place: Place, slot: YieldSlot | undefined): readonly Stmt[] {
  if (place.fn.kind === "graph" && !standsInGraph(s)) {
    refuseInGraph(s, place.reporter);
    for (const name of namesBoundBy(s)) silence(place.env, name);
    return NOTHING;
  }
  const rule = RULES[s.kind] as Lower<SStmt["kind"]>; // the key fixes the kind
  return rule(s, place, slot);
}

function refuse(s: SStmt, place: Place): readonly Stmt[] {
  refuseStmt(s, place.reporter);
  for (const name of namesBoundBy(s)) silence(place.env, name);
  return [];
}

// — expression statements —

function expressionStatement(s: Extract<SStmt, { readonly kind: "ExprStmt" }>, place: Place, slot: YieldSlot | undefined): readonly Stmt[] {
  if (isYield(s.value, place)) return yieldStatement([], s.value, s.span, place, slot);
  const value = evaluate(s.value, place);
  if (value.kind === "poison") return [];
  const expr = value.kind === "expr" ? value.expr : undefined;
  if (expr === undefined || !hasEffect(expr, place)) place.reporter.report("TF3211", s.span, {});
  return expr === undefined ? [] : [evalStmt(expr, { span: s.span })];
}

function hasEffect(expr: Expr, place: Place): boolean {
  if (expr.kind === "Prim") return expr.op === "store" || expr.op === "barrier";
  return expr.kind === "FunctionCall" || (expr.kind === "Call" && writtenBy(expr, place) !== undefined);
}

const writtenBy = (call: Call, place: Place): string | undefined => place.module.ops.byName(call.callee.name)?.writes;

// — return, break, continue —

function returnStatement(s: Extract<SStmt, { readonly kind: "ReturnStmt" }>, place: Place): readonly Stmt[] {
  if (place.loop !== undefined) {
    place.reporter.report("TF4106", s.span, {}, { related: [{ message: "the loop", span: place.loop.span }] });
    return [];
  }
  const value = s.value === undefined ? undefined : evaluate(s.value, place);
  place.env.ended = true;
  const values = value === undefined || (value.kind === "known" && value.known.kind === "none") ? [] : (itemsOf(value) ?? [value]);
  const exprs = values.map((v) => toExpr(v, place)).flatMap((e) => (e.type.kind === "TupleType" ? e.type.fields.map((_, i) => tupleGet(e, i, { span: s.span })) : [e]));
  if (exprs.some((e) => e.type.kind === "Unknown") || !agreeOnReturn(exprs.map((e) => e.type), s, place)) return [];
  return [returnValues(exprs, { span: s.span })];
}

function agreeOnReturn(types: readonly Type[], s: SStmt, place: Place): boolean {
  const { fn, reporter, dialect } = place;
  const first = fn.returned;
  fn.returned ??= { types, span: s.span };
  if (first === undefined || (types.length === first.types.length && types.every((t, i) => compatible(t, first.types[i] ?? t)))) return true;
  const words = (list: readonly Type[]): string => (list.length === 0 ? "nothing" : list.map((t) => showType(t, dialect)).join(" and "));
  const [left, right] = [words(first.types), words(types)];
  reporter.report("TF4118", s.span, { name: fn.def.name, left, right }, { related: [{ message: `returns ${left}`, span: first.span }] });
  return false;
}

function jump(word: "break" | "continue", s: SStmt, place: Place): readonly Stmt[] {
  const { loop, env, reporter } = place;
  if (loop === undefined || loop.fixed !== undefined) {
    const instead = loop === undefined ? `\`${word}\` leaves a \`pl.range\` or \`while\` loop` : (loop.fixed ?? "");
    const related = loop === undefined ? [] : [{ message: `the ${loop.word} loop around it`, span: loop.span }];
    reporter.report("TF4105", s.span, { word, instead }, { related });
    env.ended = true;
    return [];
  }
  const outer = loop.body.parent;
  if (outer !== undefined) (word === "break" ? loop.breaks : loop.continues).push(boundSince(env, outer));
  env.ended = true;
  return [word === "break" ? breakLoop({ span: s.span }) : continueLoop({ span: s.span })];
}
