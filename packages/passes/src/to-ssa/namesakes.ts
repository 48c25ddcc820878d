// One name, two types: where a name is read, every way to that place must have bound it to a value of the type it has there. The
// frontend starts a new variable when a name takes a new type, so variables of one name are followed together.

import { compatible, definedBy, eachOperand, eachStmt, typeText, type Seq, type Stmt, type Var, type VarLike } from "@tilefoundry/ir";
import type { Reporter, Span } from "@tilefoundry/text";
import { eachVariable } from "../writes.ts";

/** The variables a name may stand for, name by name; undefined where control never comes. */
type Bindings = ReadonlyMap<string, ReadonlySet<Var>> | undefined;

interface Check {
  /** Variables that share their name with one of another type. */
  readonly followed: ReadonlySet<VarLike>;
  readonly places: ReadonlyMap<VarLike, Span | undefined>;
  readonly reporter: Reporter;
  readonly reported: Set<string>;
  /** What a block may leave names bound to: at its end, and where it jumps. */
  readonly effects: Map<Stmt, Effect>;
}

interface Effect {
  readonly end: Ends;
  readonly jump: Ends;
}

/** Undefined where it is never reached; per name the variables, and whether the one from before may still be there. */
type Ends = ReadonlyMap<string, { readonly vars: ReadonlySet<Var>; readonly keeps: boolean }> | undefined;

export function checkNamesakes(body: Seq, reporter: Reporter): void {
  const byName = new Map<string, Set<Var>>();
  const places = new Map<VarLike, Span | undefined>();
  eachStmt(body, (stmt) => {
    if (stmt.kind !== "Assign") return;
    const { target } = stmt;
    if (!places.has(target)) places.set(target, stmt.meta.span);
    byName.set(target.hint, (byName.get(target.hint) ?? new Set()).add(target));
  });
  const followed = new Set<VarLike>();
  for (const group of byName.values()) if (differ([...group])) for (const v of group) followed.add(v);
  if (followed.size === 0) return;
  const check: Check = { followed, places, reporter, reported: new Set(), effects: new Map() };
  visitBlock(body, new Map(), "TF4103", check);
}

const differ = ([first, ...rest]: readonly Var[]): boolean => first !== undefined && rest.some((v) => !compatible(v.type, first.type));

// — effects, bottom-up —

function effectOf(block: Seq, check: Check): Effect {
  const known = check.effects.get(block);
  if (known !== undefined) return known;
  let total: Effect = { end: new Map(), jump: undefined };
  for (const stmt of block.stmts) {
    const next = effectOfStmt(stmt, check);
    total = { end: followedBy(total.end, next.end), jump: either(total.jump, followedBy(total.end, next.jump)) };
  }
  check.effects.set(block, total);
  return total;
}

const NOTHING: Effect = { end: new Map(), jump: undefined };

function effectOfStmt(stmt: Stmt, check: Check): Effect {
  switch (stmt.kind) {
    case "If": {
      const [then, orElse] = [effectOf(stmt.then, check), stmt.else === undefined ? NOTHING : effectOf(stmt.else, check)];
      return { end: either(then.end, orElse.end), jump: either(then.jump, orElse.jump) };
    }
    case "For":
    case "While":
    case "Nest": return { end: around(stmt, check), jump: undefined };
    case "Break":
    case "Continue": return { end: undefined, jump: new Map() };
    case "Return": return { end: undefined, jump: undefined };
    case "Assign": return check.followed.has(stmt.target) ? { end: new Map([[stmt.target.hint, { vars: new Set([stmt.target]), keeps: false }]]), jump: undefined } : NOTHING;
    default: return NOTHING;
  }
}

/** What any number of iterations may leave. */
function around(loop: Extract<Stmt, { readonly body: Seq }>, check: Check): Ends {
  const { end, jump } = effectOf(loop.body, check);
  return either(new Map(), either(end, jump));
}

function followedBy(first: Ends, then: Ends): Ends {
  if (first === undefined || then === undefined) return undefined;
  const total = new Map(first);
  for (const [name, next] of then) {
    const before = first.get(name);
    total.set(name, next.keeps ? { vars: new Set([...(before?.vars ?? []), ...next.vars]), keeps: before?.keeps ?? true } : next);
  }
  return total;
}

function either(a: Ends, b: Ends): Ends {
  if (a === undefined || b === undefined) return a ?? b;
  const names = new Set([...a.keys(), ...b.keys()]);
  return new Map([...names].map((name) => {
    const [x, y] = [a.get(name), b.get(name)];
    return [name, { vars: new Set([...(x?.vars ?? []), ...(y?.vars ?? [])]), keeps: (x?.keeps ?? true) || (y?.keeps ?? true) }];
  }));
}

// — reads, top-down —

type Code = "TF4103" | "TF4104";

function visitBlock(block: Seq, before: Bindings, code: Code, check: Check): void {
  let now = before;
  for (const stmt of block.stmts) {
    if (now === undefined) return;
    visitStmt(stmt, now, code, check);
    now = after(now, effectOfStmt(stmt, check).end);
    for (const v of definedBy(stmt)) if (stmt.kind !== "Assign" && v.kind === "Var" && check.followed.has(v)) now = new Map(now).set(v.hint, new Set([v]));
  }
}

function after(before: Bindings, ends: Ends): Bindings {
  if (before === undefined || ends === undefined) return undefined;
  if (ends.size === 0) return before;
  const now = new Map(before);
  for (const [name, { vars, keeps }] of ends) now.set(name, keeps ? new Set([...(before.get(name) ?? []), ...vars]) : vars);
  return now;
}

function visitStmt(stmt: Stmt, now: Bindings, code: Code, check: Check): void {
  const loop = "body" in stmt;
  const head = loop ? after(now, around(stmt, check)) : now;
  eachOperand(stmt, (operand) => eachVariable(operand, (v) => read(v, stmt.kind === "While" && operand === stmt.cond ? head : now, stmt, code, check)));
  if (stmt.kind === "If") {
    visitBlock(stmt.then, now, code, check);
    if (stmt.else !== undefined) visitBlock(stmt.else, now, code, check);
  } else if (loop) visitBlock(stmt.body, head, "TF4104", check);
}

function read(v: VarLike, now: Bindings, stmt: Stmt, code: Code, { followed, places, reported, reporter }: Check): void {
  if (v.kind !== "Var" || !followed.has(v) || reported.has(v.hint)) return;
  const other = [...(now?.get(v.hint) ?? [])].find((candidate) => !compatible(candidate.type, v.type));
  if (other === undefined) return;
  reported.add(v.hint);
  const related = [v, other].flatMap((at) => {
    const span = places.get(at);
    return span === undefined ? [] : [{ message: `\`${at.hint}\` is ${typeText(at.type)} here`, span }];
  });
  reporter.report(code, stmt.meta.span, { name: v.hint, left: typeText(v.type), right: typeText(other.type) }, { related });
}
