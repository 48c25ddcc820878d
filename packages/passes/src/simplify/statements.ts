// Simplification of statements, in one walk from top to bottom: literals and copies of scalars reach their uses, conditions and
// trip counts that are known take the control away, and what is learnt of loop variables serves below.

import {
  assign, evaluate, ifThen, isRegister, isVarLike, iterArg, prim, seq, sub, variable, withParts,
  type Expr, type For, type If, type IterArg, type Meta, type Nest, type Seq, type Stmt, type Var, type While,
} from "@tilefoundry/ir";
import { spanOnly } from "../meta.ts";
import { assume } from "./assume.ts";
import { simplifyAll, simplifyExpr } from "./expr.ts";
import { enterAxis, enterLoop, equate, intervalOf, isExact, isLess, isLessEqual, replace, type Known } from "./known.ts";
import { isBool, isLiteral, isNumber } from "./literals.ts";
import { closeOutput, drop, emit, openOutput, withYield, type Output } from "./output.ts";
import { sameValue } from "./same.ts";

export function simplifyBlock(block: Seq, known: Known): Seq {
  const out = openOutput();
  for (const stmt of block.stmts) simplifyStmt(stmt, out, known);
  return closeOutput(out, block);
}

function simplifyStmt(stmt: Stmt, out: Output, known: Known): void {
  switch (stmt.kind) {
    case "Assign": return simplifyAssign(stmt, out, known);
    case "Eval": {
      const expr = simplifyExpr(stmt.expr, known);
      if (expr.kind === "Prim" && expr.op === "store" && expr.attrs.masked === true && isBool(expr.args.at(-1), false)) return drop(out, stmt.meta);
      return emit(out, expr === stmt.expr ? stmt : evaluate(expr, stmt.meta));
    }
    case "If": return simplifyIf(stmt, out, known);
    case "For": return simplifyFor(stmt, out, known);
    case "While": return simplifyWhile(stmt, out, known);
    case "Nest": return simplifyNest(stmt, out, known);
    case "Return":
    case "Yield": {
      const values = simplifyAll(stmt.values, known);
      return emit(out, values === stmt.values ? stmt : { kind: stmt.kind, values, meta: stmt.meta });
    }
    default: return emit(out, stmt);
  }
}

function simplifyAssign(stmt: Extract<Stmt, { readonly kind: "Assign" }>, out: Output, known: Known): void {
  const value = simplifyExpr(stmt.value, known);
  if (isRegister(value.type) && isAtom(value) && replace(stmt.target, value, known)) return drop(out, stmt.meta);
  equate(stmt.target, value, known);
  emit(out, value === stmt.value ? stmt : assign(stmt.target, value, stmt.meta));
}

const isAtom = (e: Expr): boolean => isLiteral(e) || isVarLike(e);

/** Lets a value stand for a variable: at once if it is a literal or a variable, else by an assignment. */
function settle(target: Var, value: Expr, out: Output, known: Known, meta: Meta): void {
  if (isAtom(value) && replace(target, value, known)) return;
  equate(target, value, known);
  emit(out, assign(target, value, meta));
}

/** Lets values stand for the results of a statement that is gone. */
function settleAll({ results, meta }: If | Loop, values: readonly Expr[], out: Output, known: Known): void {
  results.forEach((result, i) => {
    const value = values[i];
    if (value !== undefined) settle(result, value, out, known, spanOnly(meta));
  });
}

/** The statements of a block in place of the statement that held it, and what it yields. */
function splice(block: Seq, out: Output): readonly Expr[] {
  const last = block.stmts.at(-1);
  const yields = last?.kind === "Yield";
  for (const stmt of yields ? block.stmts.slice(0, -1) : block.stmts) emit(out, stmt);
  drop(out, block.meta);
  return yields ? last.values : [];
}

// — if —

function simplifyIf(stmt: If, out: Output, known: Known): void {
  const cond = simplifyExpr(stmt.cond, known);
  if (isLiteral(cond)) return takeBranch(cond.value === true ? stmt.then : (stmt.else ?? seq([])), stmt, out, known);
  const then = simplifyWhere(cond, true, stmt.then, known);
  const orElse = stmt.else && simplifyWhere(cond, false, stmt.else, known);
  const [kept, yes, no] = withoutAgreed(stmt.results, then, orElse, known);
  joinIntervals(kept, yes, no, known);
  if (yes.stmts.length === 0 && (no === undefined || no.stmts.length === 0)) return dropAll(stmt, yes, no, out);
  if (yes.stmts.length === 0 && no !== undefined && yes.meta.comments === undefined) {
    return ifNot(cond, no, stmt, out, known);
  }
  const other = no !== undefined && no.stmts.length === 0 && no.meta.comments === undefined ? undefined : no;
  const same = cond === stmt.cond && yes === stmt.then && other === stmt.else && kept.length === stmt.results.length;
  emit(out, same ? stmt : ifThen(cond, yes, other, kept, stmt.meta));
}

/** The block where the condition is false. Without folding a condition may be no literal and its opposite be one. */
function ifNot(cond: Expr, block: Seq, stmt: If, out: Output, known: Known): void {
  const opposite = simplifyExpr(prim("not", [cond]), known);
  if (!isLiteral(opposite)) return emit(out, ifThen(opposite, block, undefined, [], stmt.meta));
  drop(out, stmt.meta);
  if (opposite.value === true) splice(block, out);
}

/** A block that runs only where a condition is true, or false. */
function simplifyWhere(cond: Expr, truth: boolean, block: Seq, known: Known): Seq {
  const forget = assume(cond, truth, known);
  const simple = simplifyBlock(block, known);
  forget();
  return simple;
}

function takeBranch(block: Seq, stmt: If, out: Output, known: Known): void {
  drop(out, stmt.meta);
  settleAll(stmt, splice(simplifyBlock(block, known), out), out, known);
}

function dropAll(stmt: If, yes: Seq, no: Seq | undefined, out: Output): void {
  for (const { meta } of [stmt, yes, ...(no === undefined ? [] : [no])]) drop(out, meta);
}

/** Results for which both branches yield one value are that value. */
function withoutAgreed(results: readonly Var[], then: Seq, orElse: Seq | undefined, known: Known): readonly [readonly Var[], Seq, Seq | undefined] {
  const [yes, no] = [then.stmts.at(-1), orElse?.stmts.at(-1)];
  if (yes?.kind !== "Yield" || no?.kind !== "Yield" || orElse === undefined) return [results, then, orElse];
  const agreed = results.map((result, i) => {
    const [a, b] = [yes.values[i], no.values[i]];
    return a !== undefined && b !== undefined && isAtom(a) && sameValue(a, b) && replace(result, a, known);
  });
  if (!agreed.includes(true)) return [results, then, orElse];
  const keep = <T>(list: readonly T[]): readonly T[] => list.filter((_, i) => !agreed[i]);
  return [keep(results), withYield(then, keep(yes.values)), withYield(orElse, keep(no.values))];
}

function joinIntervals(results: readonly Var[], then: Seq, orElse: Seq | undefined, known: Known): void {
  const [yes, no] = [then.stmts.at(-1), orElse?.stmts.at(-1)];
  if (yes?.kind !== "Yield" || no?.kind !== "Yield") return;
  results.forEach((result, i) => {
    const [a, b] = [yes.values[i], no.values[i]];
    if (a === undefined || b === undefined || result.type.kind !== "Scalar") return;
    const x = intervalOf(a, known);
    const y = intervalOf(b, known);
    known.intervals.set(result, { lo: Math.min(x.lo, y.lo), hi: Math.max(x.hi, y.hi) });
  });
}

// — loops —

function simplifyFor(authored: For, out: Output, known: Known): void {
  const stmt = withoutIdleCarries(authored, out, known);
  const start = simplifyExpr(stmt.start, known);
  const stop = simplifyExpr(stmt.stop, known);
  const step = simplifyExpr(stmt.step, known);
  const trips = tripsOf(start, stop, step, known);
  if (trips === 0) return skipLoop(stmt, out, known);
  if (trips === 1) return runOnce(stmt, start, out, known);
  const carries = startAll(stmt.carries, known);
  enterLoop(stmt.loopVar, start, stop, step, known);
  const body = simplifyBody(stmt, carries, known);
  const same = start === stmt.start && stop === stmt.stop && step === stmt.step && carries === stmt.carries && body === stmt.body;
  emit(out, same ? stmt : withParts(stmt, { start, stop, step, carries, body }));
}

/** 0 or 1 where that is proved. */
function tripsOf(start: Expr, stop: Expr, step: Expr, known: Known): 0 | 1 | undefined {
  if (isNumber(step, 0)) return 0;
  const { lo, hi } = intervalOf(step, known);
  if (lo <= 0 && hi >= 0) return undefined;
  const first = lo > 0 ? start : stop;
  const end = lo > 0 ? stop : start;
  if (isLessEqual(end, first, known) === true) return 0;
  if (!isExact(start, known) || !isExact(stop, known) || isLess(first, end, known) !== true) return undefined;
  const distance = intervalOf(simplifyExpr(sub(end, first), known), known);
  return distance.hi <= (lo > 0 ? lo : -hi) ? 1 : undefined;
}

/** The body of a loop with these carries. */
function simplifyBody(loop: Loop, carries: readonly IterArg[], known: Known): Seq {
  const body = simplifyBlock(loop.body, known);
  if (body !== loop.body && carries.some((carry, i) => isIdle(carry, i, body))) known.again = true;
  return body;
}

type Loop = For | While | Nest;

/** Carries that every iteration hands on as they are become what they start with. */
function withoutIdleCarries<L extends Loop>(stmt: L, out: Output, known: Known): L {
  if (stmt.carries.length === 0) return stmt;
  const last = stmt.body.stmts.at(-1);
  const kept = stmt.carries.map((carry, i) => isIdle(carry, i, stmt.body));
  if (last?.kind !== "Yield" || !kept.includes(true) || (stmt.kind === "Nest" && !kept.includes(false))) return stmt; // a reduction combines something
  const moves = <T>(list: readonly T[]): readonly T[] => list.filter((_, i) => !kept[i]);
  stmt.carries.forEach((carry, i) => {
    const result = stmt.results[i];
    if (!kept[i] || result === undefined) return;
    enterCarry(carry, simplifyExpr(carry.init, known), out, known, spanOnly(stmt.meta));
    settle(result, simplifyExpr(carry, known), out, known, spanOnly(stmt.meta));
  });
  return withParts<Loop>(stmt, { carries: moves(stmt.carries), results: moves(stmt.results), body: withYield(stmt.body, moves(last.values)) }) as L; // of one kind
}

function isIdle(carry: IterArg, position: number, body: Seq): boolean {
  const last = body.stmts.at(-1);
  return last?.kind === "Yield" && last.values[position] === carry;
}

function startAll(carries: readonly IterArg[], known: Known): readonly IterArg[] {
  if (carries.length === 0) return carries;
  const started = carries.map((carry) => {
    const init = simplifyExpr(carry.init, known);
    if (init === carry.init) return carry;
    const next = iterArg(carry.hint, carry.type, init, carry.meta);
    known.values.set(carry, next);
    return next;
  });
  return started.every((carry, i) => carry === carries[i]) ? carries : started;
}

/** What a loop that never runs hands on. */
function skipLoop(stmt: Loop, out: Output, known: Known): void {
  drop(out, stmt.meta);
  settleAll(stmt, stmt.carries.map((carry) => simplifyExpr(carry.init, known)), out, known);
}

function runOnce(stmt: For, start: Expr, out: Output, known: Known): void {
  drop(out, stmt.meta);
  settle(stmt.loopVar, start, out, known, spanOnly(stmt.meta));
  const inits = stmt.carries.map((carry) => simplifyExpr(carry.init, known));
  stmt.carries.forEach((carry, i) => enterCarry(carry, inits[i] ?? carry.init, out, known, spanOnly(stmt.meta)));
  settleAll(stmt, splice(simplifyBlock(stmt.body, known), out), out, known);
}

/** A carry is no variable that can be assigned; one that starts with more than a variable becomes one. */
function enterCarry(carry: IterArg, init: Expr, out: Output, known: Known, meta: Meta): void {
  if (isAtom(init) && replace(carry, init, known)) return;
  const target = variable(carry.hint, carry.type, carry.meta);
  known.values.set(carry, target);
  equate(target, init, known);
  emit(out, assign(target, init, meta));
}

function simplifyWhile(authored: While, out: Output, known: Known): void {
  const stmt = withoutIdleCarries(authored, out, known);
  const carries = startAll(stmt.carries, known);
  const cond = simplifyExpr(stmt.cond, known);
  if (isBool(cond, false)) return skipLoop(withParts(stmt, { carries }), out, known);
  const forget = assume(cond, true, known);
  const body = simplifyBody(stmt, carries, known);
  forget();
  emit(out, cond === stmt.cond && carries === stmt.carries && body === stmt.body ? stmt : withParts(stmt, { cond, carries, body }));
}

function simplifyNest(authored: Nest, out: Output, known: Known): void {
  const stmt = withoutIdleCarries(authored, out, known);
  const extents = simplifyAll(stmt.extents, known);
  if (extents.some((e) => intervalOf(e, known).hi <= 0)) return skipLoop(stmt, out, known);
  const carries = startAll(stmt.carries, known);
  for (const [i, axis] of stmt.axes.entries()) enterAxis(axis, extents[i] as Expr, known); // one each
  const body = simplifyBody(stmt, carries, known);
  emit(out, extents === stmt.extents && carries === stmt.carries && body === stmt.body ? stmt : withParts(stmt, { extents, carries, body }));
}
