// Where each local buffer is loaded from, and which loops stand around: how often an element would be computed again.

import { blocksOf, eachOperand, type Expr, type Seq, type Stmt, type VarLike } from "@tilefoundry/ir";
import { accessOf, eachSubexpr } from "./effects.ts";
import { mentions } from "./producers.ts";

interface Loop {
  readonly variables: readonly VarLike[];
  readonly reduces: boolean;
}

export interface Site {
  readonly index: readonly Expr[];
  /** Loops around it, outermost first. */
  readonly loops: readonly Loop[];
}

export type Sites = ReadonlyMap<VarLike, readonly Site[]>;

export function findSites(body: Seq): Sites {
  const sites = new Map<VarLike, Site[]>();
  visitBlock(body, [], sites);
  return sites;
}

function visitBlock(block: Seq, loops: readonly Loop[], sites: Map<VarLike, Site[]>): void {
  for (const stmt of block.stmts) {
    eachOperand(stmt, (operand) => eachSubexpr(operand, (e) => {
      const access = accessOf(e);
      if (access === undefined || access.writes) return;
      const list = sites.get(access.buffer) ?? [];
      sites.set(access.buffer, list);
      list.push({ index: access.index, loops });
    }));
    const inside = loopOf(stmt);
    for (const inner of blocksOf(stmt)) visitBlock(inner, inside === undefined ? loops : [...loops, inside], sites);
  }
}

function loopOf(stmt: Stmt): Loop | undefined {
  switch (stmt.kind) {
    case "For": return { variables: [stmt.loopVar], reduces: false };
    case "While": return { variables: [], reduces: false };
    case "Nest": return { variables: stmt.axes, reduces: stmt.reduce };
    default: return undefined;
  }
}

/** How a site reads elements, seen from a block that `depth` loops enclose. */
export interface Reuse {
  /** Some loop reads the same elements in each iteration. */
  readonly repeats: boolean;
  /** And it is read in a reduction, as an operand of a contraction is. */
  readonly contracts: boolean;
}

export function reuseOf({ index, loops }: Site, depth: number): Reuse {
  const inner = loops.slice(depth);
  const repeats = inner.some(({ variables }) => !variables.some((v) => index.some((e) => mentions(e, v))));
  return { repeats, contracts: repeats && inner.some((loop) => loop.reduces) };
}
