// What names mean at a place in a function body, by flow: a chain of scopes that a branch or loop body adds to, and their joins.
// Only names that a block binds cost anything where it meets others, so a function of any length stays linear.

import type { Expr, Var } from "@tilefoundry/ir";
import type { Span } from "@tilefoundry/text";
import type { Known } from "./value.ts";

/** What handles are handles of; compared by identity. */
export interface Buffer {
  readonly param: Var | undefined;
  /** The scope in which it came into being. */
  readonly env: Env;
}

export type Binding = Bound | Computed | Maybe | Clash | Gone | Poisoned;

export interface Bound {
  readonly kind: "bound";
  /** A variable; in graph form any value. */
  readonly value: Expr;
  readonly at: Span;
  /** The buffer it is a handle of, if it is an array. */
  readonly root: Buffer | undefined;
  /** Compile-time value of a name that is assigned once. */
  readonly known: Known | undefined;
  /** Whether the value may come from before the block: then reading it reads through. */
  readonly inherits: boolean;
  /** Bound by every iteration of a parallel loop: no value is left after it. */
  readonly lost: Span | undefined;
}

export function bound(value: Expr, at: Span, root: Buffer | undefined, known?: Known, inherits = false, lost?: Span): Bound {
  return { kind: "bound", value, at, root, known, inherits, lost };
}

/** In graph form: a name for a compile-time value. */
interface Computed {
  readonly kind: "computed";
  readonly known: Known;
}

/** Bound on some ways only. */
interface Maybe {
  readonly kind: "maybe";
  readonly bound: Bound;
  /** What does not bind it: the branch, or the loop that may not run. */
  readonly lacking: Span;
  readonly what: "branch" | "loop";
}

/** Of two types on two ways. */
interface Clash {
  readonly kind: "clash";
  readonly left: Bound;
  readonly right: Bound;
}

/** A loop variable or carry after its loop. */
interface Gone {
  readonly kind: "gone";
  readonly at: Span;
  /** The name that holds a carry's last value. */
  readonly result: string | undefined;
}

interface Poisoned {
  readonly kind: "poisoned";
}

export const POISONED: Poisoned = { kind: "poisoned" };

export interface Env {
  readonly parent: Env | undefined;
  readonly own: Map<string, Binding>;
  /** In the scope of a loop body: names whose value from before the iteration was read in it, and where first. */
  readonly carried: Map<string, Span> | undefined;
  /** Control does not reach this place: a `return`, `break` or `continue` came before. */
  ended: boolean;
}

export const openEnv = (parent?: Env, isLoop = false): Env => ({ parent, own: new Map(), carried: isLoop ? new Map() : undefined, ended: false });

/** The binding of a name, without counting as a read. */
export function peek(env: Env, name: string): Binding | undefined {
  for (let at: Env | undefined = env; at !== undefined; at = at.parent) {
    const found = at.own.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The binding that a read meets; loops that it reads through remember the name. */
export function read(env: Env, name: string, span: Span): Binding | undefined {
  let met: Binding | undefined;
  for (let at: Env | undefined = env; at !== undefined; at = at.parent) {
    const own = at.own.get(name);
    met ??= own;
    if (own !== undefined && !inherits(own)) break;
    if (at.carried !== undefined && !at.carried.has(name)) at.carried.set(name, span);
  }
  return met;
}

const inherits = (b: Binding): boolean => (b.kind === "bound" ? b.inherits : b.kind === "maybe" && b.bound.inherits);

export type Names = ReadonlyMap<string, Binding>;

/** What the ways that meet at a place have bound since they parted. */
export interface Arm {
  readonly own: Names;
  /** Named when a name lacks a value on this way. */
  readonly span: Span;
  readonly what: "branch" | "loop";
}

/** Binds in `env` what each name means where the arms meet. */
export function join(env: Env, arms: readonly Arm[]): void {
  for (let i = 0; i < arms.length; i++) {
    for (const name of arms[i]?.own.keys() ?? []) {
      if (boundBefore(arms, i, name)) continue;
      const joined = meeting(name, arms, env);
      if (joined !== undefined) env.own.set(name, joined);
    }
  }
}

/** Whether an arm before that one binds the name: then it is joined already. */
function boundBefore(arms: readonly Arm[], end: number, name: string): boolean {
  for (let i = 0; i < end; i++) if (arms[i]?.own.has(name)) return true;
  return false;
}

/** What a name means where all arms have met; an arm that does not bind it leaves it as it was before. */
function meeting(name: string, arms: readonly Arm[], env: Env): Binding | undefined {
  const outer = peek(env, name);
  let met: Side | undefined;
  for (const arm of arms) {
    const next: Side = { binding: arm.own.get(name) ?? inherited(outer), arm };
    met = met === undefined ? next : meet(met, next);
  }
  return met?.binding;
}

const inherited = (outer: Binding | undefined): Binding | undefined => 
  outer?.kind === "bound" && !outer.inherits ? bound(outer.value, outer.at, outer.root, outer.known, true, outer.lost) : outer;

interface Side {
  readonly binding: Binding | undefined;
  readonly arm: Arm;
}

function meet(left: Side, right: Side): Side {
  const a = left.binding;
  const b = right.binding;
  if (isAbsent(a) && isAbsent(b)) return a === undefined ? right : left;
  if (isAbsent(a)) return { binding: lacking(b, left.arm), arm: right.arm };
  if (isAbsent(b)) return { binding: lacking(a, right.arm), arm: left.arm };
  if (a.kind !== "bound") return left;
  if (b.kind !== "bound") return right;
  return { binding: a.value === b.value ? merged(a, b) : { kind: "clash", left: a, right: b }, arm: left.arm };
}

const isAbsent = (b: Binding | undefined): b is Gone | undefined => b === undefined || b.kind === "gone";

function lacking(b: Binding | undefined, arm: Arm): Binding | undefined {
  return b?.kind === "bound" ? { kind: "maybe", bound: b, lacking: arm.span, what: arm.what } : b;
}

function merged(a: Bound, b: Bound): Bound {
  const root = a.root === b.root ? a.root : undefined;
  const known = a.known === b.known ? a.known : undefined;
  return bound(a.value, a.at, root, known, a.inherits || b.inherits, a.lost ?? b.lost);
}

/** All that was bound since `outer`, innermost last wins: what a jump takes with it. */
export function boundSince(env: Env, outer: Env): Names {
  const levels: Env[] = [];
  for (let at: Env | undefined = env; at !== undefined && at !== outer; at = at.parent) levels.unshift(at);
  return new Map(levels.flatMap((level) => [...level.own]));
}

/** Silences a name in the whole function: its error is reported. */
export function silence(env: Env, name: string): void {
  let top = env;
  while (top.parent !== undefined) top = top.parent;
  top.own.set(name, POISONED);
  env.own.set(name, POISONED);
}

/** Whether a buffer stood before the scope that is entered from `env`. */
export function stands(buffer: Buffer, env: Env): boolean {
  for (let at: Env | undefined = env; at !== undefined; at = at.parent) if (at === buffer.env) return true;
  return false;
}
