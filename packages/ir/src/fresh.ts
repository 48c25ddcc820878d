// Unique hints within a function: `y`, `y_1`, `y_2`, … Counters live per function, so output never depends on what was compiled before.

import { boundBy, definedBy } from "./children.ts";
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
      if (!used.has(hint)) return claim(used, hint);
      const base = hint.replace(/_\d+$/, "");
      let count = counters.get(base) ?? 1;
      while (used.has(`${base}_${count}`)) count++;
      counters.set(base, count + 1);
      return claim(used, `${base}_${count}`);
    },
  };
}

function claim(used: Set<string>, name: string): string {
  used.add(name);
  return name;
}

/** Names of a function in which every variable that it already has is taken, and what else is reserved. */
export function namesOf(f: FunctionNode, reserved: readonly string[] = []): Names {
  return makeNames([...[...variablesOf(f)].map((v) => v.hint), ...reserved]);
}

/** Symbols, parameters and every variable that the body defines or binds, each once, in order of appearance. */
export function variablesOf(f: FunctionNode): ReadonlySet<VarLike> {
  const all = new Set<VarLike>([...f.symbols.map((s) => s.var), ...f.params.map((p) => p.var)]);
  const body = bodyOf(f);
  if (body !== undefined) {
    eachStmt(body, (stmt) => {
      for (const v of boundBy(stmt)) all.add(v);
      for (const v of definedBy(stmt)) all.add(v);
    });
  }
  return all;
}
