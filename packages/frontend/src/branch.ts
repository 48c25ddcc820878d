// `if`, `elif`, `else`. Names meet after it; with yields at the ends of its branches it has results.

import type { Block, IfStmt } from "@tilefoundry/grammar";
import { ifThen, seq, yieldValues, type Seq, type Stmt, type Type, type Var } from "@tilefoundry/ir";
import type { Span } from "@tilefoundry/text";
import { blockEnd, blockStart, commentsOf, withComments } from "./comments.ts";
import { needed } from "./complaints.ts";
import { condition } from "./condition.ts";
import { join, openEnv, silence, type Env } from "./env.ts";
import { bufferOf } from "./handles.ts";
import type { LowerBlock, Place } from "./place.ts";
import { keywordSpan } from "./refuse.ts";
import { within } from "./scope.ts";
import { yieldSlot, type Yielded } from "./yield-slot.ts";
import { bindResults, branchesAgree } from "./yields.ts";

interface Branch {
  readonly env: Env;
  readonly body: Seq | undefined;
  readonly yielded: Yielded | undefined;
  /** Its yield is wrong, which is reported. */
  readonly failed: boolean;
  readonly span: Span;
}

export function ifStatement(s: IfStmt, place: Place, lower: LowerBlock): readonly Stmt[] {
  return lowerIf(s, place, lower).stmts;
}

interface Lowered {
  readonly stmts: readonly Stmt[];
  readonly yielded: Yielded | undefined;
  readonly results: readonly Var[] | undefined;
}

function lowerIf(s: IfStmt, place: Place, lower: LowerBlock): Lowered {
  const cond = condition(s.cond, place);
  const header = keywordSpan(s);
  const then = branch(s.body, header, place, lower);
  const orElse = s.orelse === undefined ? undefined : elseBranch(s.orelse, place, lower);
  const live = [then, orElse ?? { env: openEnv(place.env), span: header }].filter((b) => !b.env.ended);
  if (live.length === 0) place.env.ended = true;
  join(place.env, live.map(({ env, span }) => ({ own: env.own, span, what: "branch" })));
  const yielded = then.yielded ?? orElse?.yielded;
  const results = yielded === undefined ? (then.failed || orElse?.failed ? undefined : []) : resultsOf(then, orElse, yielded, s, place);
  if (then.body === undefined || cond.type.kind === "Unknown" || results === undefined) return { stmts: [], yielded, results };
  return { stmts: [ifThen(cond, then.body, orElse?.body, results, { span: s.span })], yielded, results };
}

function branch(syntax: Block, span: Span, place: Place, lower: LowerBlock): Branch {
  const env = openEnv(place.env);
  const slot = yieldSlot();
  const body = lower(syntax, within(place, env), slot);
  return { env, body, yielded: slot.found, failed: slot.failed, span };
}

/** An `elif` whose branches yield is the value of the whole `else`: the yield that passes it on is implied. */
function elseBranch(syntax: Block, place: Place, lower: LowerBlock): Branch {
  const [only] = syntax.stmts;
  if (only?.kind !== "IfStmt" || !only.elif) return branch(syntax, syntax.span, place, lower);
  const env = openEnv(place.env);
  const { stmts, yielded, results } = lowerIf(only, within(place, env), lower);
  const [first, ...rest] = stmts;
  const commented = first === undefined ? [] : [withComments(first, [...blockStart(syntax), ...commentsOf(only)]), ...rest];
  const values = results ?? [];
  const passedOn: Stmt[] = values.length === 0 ? [] : [yieldValues(values, { span: only.span })];
  const tail = blockEnd(syntax);
  const body = seq([...commented, ...passedOn], { span: syntax.span, ...(tail.length === 0 ? {} : { comments: tail }) });
  return { env, body, yielded: yielded && { ...yielded, values: results }, failed: results === undefined, span: keywordSpan(only) };
}

function resultsOf(then: Branch, orElse: Branch | undefined, yielded: Yielded, s: IfStmt, place: Place): readonly Var[] | undefined {
  const { names } = yielded;
  const fail = (): undefined => {
    for (const { name } of names) silence(place.env, name);
    return undefined;
  };
  if (then.failed || orElse?.failed) return fail();
  for (const side of [then, orElse]) {
    if (side?.yielded !== undefined || side?.env.ended) continue;
    const where = side === then ? "the first branch" : side === undefined ? "an `if` without `else`" : "the `else` branch";
    const expected = needed(names.map((n) => n.name).join(", "), names.length);
    const related = [{ message: "the other branch yields here", span: yielded.span }];
    place.reporter.report("TF4109", side?.span ?? keywordSpan(s), { what: where, found: "nothing", expected }, { related });
    return fail();
  }
  if (then.yielded !== undefined && orElse?.yielded !== undefined && !branchesAgree(then.yielded, orElse.yielded, place)) return fail();
  const types = names.map((_, i): Type | undefined => then.yielded?.values?.[i]?.type ?? orElse?.yielded?.values?.[i]?.type);
  const roots = names.map((_, i) => commonRoot(then, orElse, i, place));
  return bindResults(names, types, place.env, place, roots);
}

function commonRoot(then: Branch, orElse: Branch | undefined, i: number, place: Place) {
  const roots = [then, orElse].flatMap((b) => {
    const value = b?.yielded?.values?.[i];
    return b === undefined || value === undefined ? [] : [bufferOf(value, b.env, place)];
  });
  return roots.every((r) => r === roots[0]) ? roots[0] : undefined;
}
