// What names mean in and after a loop: carried from one iteration to the next, gone with the loop, or left by it.

import { showType } from "@tilefoundry/ops";
import type { Span } from "@tilefoundry/text";
import { bound, join, openEnv, peek, POISONED, stands, type Arm, type Binding, type Bound, type Env, type Names } from "./env.ts";
import { definitions } from "./lookup.ts";
import type { LoopFrame, Place } from "./place.ts";

export interface LoopExit {
  readonly frame: LoopFrame;
  /** Whether the loop runs at least once. */
  readonly certain: boolean;
  /** Whether it ends by `break` alone. */
  readonly endless: boolean;
  readonly isParallel: boolean;
}

const NO_NAMES: Names = new Map();

/** Checks what meets at the head of the loop, and binds in `place.env` what each name means after it. */
export function leaveLoop({ frame, certain, endless, isParallel }: LoopExit, place: Place): void {
  const { env } = place;
  const ended = iterationEnd(frame, env);
  const end = silenced(ended, checkHead(ended, frame, isParallel, place));
  const last = isParallel ? loseValues(end, frame.span, env) : end;
  const arms: Arm[] = [];
  const add = (own: Names): void => void arms.push({ own, span: frame.span, what: "loop" });
  if (!certain && !endless) add(handlesBefore(last, env));
  if (last !== undefined && (!endless || frame.breaks.length === 0)) add(last);
  frame.breaks.forEach(add);
  join(env, arms);
}

/** What each name is bound to when an iteration ends; undefined if none ever does. */
function iterationEnd({ body, continues, span }: LoopFrame, env: Env): Names | undefined {
  if (continues.length === 0) return body.ended ? undefined : body.own; // nothing meets there
  const arms = [...(body.ended ? [] : [body.own]), ...continues].map((own): Arm => ({ own, span, what: "loop" }));
  const meeting = openEnv(env);
  join(meeting, arms);
  return meeting.own;
}

/** The names as they are, but for poison where one is at fault: nobody hears of it again. */
function silenced(end: Names | undefined, wrong: readonly string[]): Names | undefined {
  if (end === undefined || wrong.length === 0) return end;
  return new Map([...end].map(([name, b]) => [name, wrong.includes(name) ? POISONED : b]));
}

/**
 * A name that is read before the iteration binds it must keep its variable; in a parallel loop only handles may be carried. Gives the
 * names at fault.
 */
function checkHead(end: Names | undefined, { body, span }: LoopFrame, isParallel: boolean, place: Place): readonly string[] {
  const wrong: string[] = [];
  for (const [name, at] of body.carried ?? []) {
    const before = peek(place.env, name);
    const after = end?.get(name);
    if (before?.kind !== "bound" || after === undefined) continue;
    const other = after.kind === "clash" ? (after.left.value === before.value ? after.right : after.left) : after;
    if (other.kind !== "bound") continue;
    const isHandle = other.root !== undefined && other.root === before.root;
    const related = [{ message: "an iteration reads it here", span: at }, { message: "the parallel loop", span }];
    if (other.value !== before.value) refuseChange(name, before, other, at, place);
    else if (isParallel && !isHandle) place.reporter.report("TF4116", other.at, { name }, { related });
    else continue;
    wrong.push(name);
  }
  return wrong;
}

function refuseChange(name: string, before: Bound, after: Bound, at: Span, place: Place): void {
  const [left, right] = [before, after].map((b) => showType(b.value.type, place.dialect));
  if (left === undefined || right === undefined) return;
  place.reporter.report("TF4104", at, { name, left, right }, { related: definitions(left, right, before, after) });
}

/** After a parallel loop only handles have a value that one could read. */
function loseValues(end: Names | undefined, span: Span, env: Env): Names | undefined {
  const isLeft = (b: Bound): boolean => b.root !== undefined && stands(b.root, env);
  if (end === undefined) return undefined;
  const left = new Map<string, Binding>();
  for (const [name, b] of end) left.set(name, b.kind === "bound" && !isLeft(b) ? bound(b.value, b.at, b.root, b.known, b.inherits, span) : b);
  return left;
}

/** Handles that the body binds first start as their buffer, if that stood before the loop. */
function handlesBefore(end: Names | undefined, env: Env): Names {
  let found: Map<string, Binding> | undefined;
  for (const [name, b] of end ?? NO_NAMES) {
    if (b.kind === "bound" && b.root !== undefined && peek(env, name) === undefined && stands(b.root, env)) (found ??= new Map()).set(name, b);
  }
  return found ?? NO_NAMES;
}

/** A loop variable or carry after its loop. */
export function dismiss(name: string, span: Span, result: string | undefined, env: Env): void {
  env.own.set(name, { kind: "gone", at: span, result: result === name ? undefined : result });
}
