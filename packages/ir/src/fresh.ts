// Unique hints within a function: `y`, `y_1`, `y_2`, … Counters live per function, so output never depends on what was compiled before.

import { eachBinding, eachDefinition } from "./children.ts";
import { bodyOf, eachStmt } from "./walk.ts";
import type { FunctionNode, VarLike } from "./nodes.ts";

export interface Names {
  /** The hint itself if it is free, else its base with the first free number; the answer is taken from now on. */
  fresh(hint: string): string;
}

export function makeNames(taken: Iterable<string>): Names {
  const used = new Set(taken);
  const counters = new Map<string, number>();
  return {
    fresh(hint) {
      const name = used.has(hint) ? numbered(hint, used, counters) : hint;
      used.add(name);
      return name;
    },
  };
}

function numbered(hint: string, used: ReadonlySet<string>, counters: Map<string, number>): string {
  const base = withoutNumber(hint);
  let count = counters.get(base) ?? 1;
  let name = `${base}_${count++}`;
  while (used.has(name)) name = `${base}_${count++}`;
  counters.set(base, count);
  return name;
}

/** The hint without `_` and digits at its end. */
function withoutNumber(hint: string): string {
  let end = hint.length;
  while (end > 0 && isDigit(hint.charCodeAt(end - 1))) end--;
  return end < hint.length && end > 0 && hint[end - 1] === "_" ? hint.slice(0, end - 1) : hint;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Names of a function in which every variable that it already has is taken, and what else is reserved: found out when a name is asked for. */
export function namesOf(f: FunctionNode, reserved: (f: FunctionNode) => readonly string[] = nothing): Names {
  let names: Names | undefined; // many ask for names and then need none
  return { fresh: (hint) => (names ??= makeNames(takenIn(f, reserved(f)))).fresh(hint) };
}

const nothing = (): readonly string[] => [];

function takenIn(f: FunctionNode, reserved: readonly string[]): ReadonlySet<string> {
  const taken = new Set(reserved);
  eachVariableOf(f, (v) => taken.add(v.hint));
  return taken;
}

/** Symbols, parameters and every variable that the body defines or binds, each once, in order of appearance. */
export function variablesOf(f: FunctionNode): ReadonlySet<VarLike> {
  const all = new Set<VarLike>();
  eachVariableOf(f, (v) => all.add(v));
  return all;
}

/** The same, as often as they are defined or bound. */
function eachVariableOf(f: FunctionNode, visit: (v: VarLike) => void): void {
  for (const s of f.symbols) visit(s.var);
  for (const p of f.params) visit(p.var);
  const body = bodyOf(f);
  if (body === undefined) return;
  eachStmt(body, (stmt) => {
    eachBinding(stmt, visit);
    eachDefinition(stmt, visit);
  });
}
