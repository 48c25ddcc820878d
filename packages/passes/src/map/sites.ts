// What a function does with each buffer that it allocates: how often it stores to it in the text, where it loads from it, and which
// loops stand around those places, which tells how often an element would be computed again.

import { blocksOf, eachOperand, type Expr, type Seq, type Stmt, type VarLike } from "@tilefoundry/ir";
import { accessOf, mentions } from "./effects.ts";
import { allocated } from "./mapping.ts";

interface Loop {
  readonly variables: readonly VarLike[];
  readonly reduces: boolean;
}

export interface Site {
  readonly index: readonly Expr[];
  /** Loops around it, outermost first. */
  readonly loops: readonly Loop[];
}

export interface BufferUse {
  /** The block that allocates it. */
  readonly home: Seq;
  /** Where it is loaded from. */
  readonly sites: Site[];
  /** How often it is stored to in the text. */
  stores: number;
}

export type BufferUses = ReadonlyMap<VarLike, BufferUse>;

export function usesOf(body: Seq): BufferUses {
  const uses = new Map<VarLike, BufferUse>();
  visitBlock(body, [], uses);
  return uses;
}

function visitBlock(block: Seq, loops: readonly Loop[], uses: Map<VarLike, BufferUse>): void {
  const visit = (e: Expr): void => {
    if (e.kind !== "Prim") return;
    for (const a of e.args) visit(a);
    const access = accessOf(e);
    const use = access && uses.get(access.buffer);
    if (access === undefined || use === undefined) return;
    if (access.writes) use.stores++;
    else use.sites.push({ index: access.index, loops });
  };
  for (const stmt of block.stmts) {
    const buffer = allocated(stmt);
    if (buffer !== undefined) uses.set(buffer, { home: block, sites: [], stores: 0 });
    else eachOperand(stmt, visit);
    const inside = loopOf(stmt);
    for (const inner of blocksOf(stmt)) visitBlock(inner, inside === undefined ? loops : [...loops, inside], uses);
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

/** Whether some loop inside the `depth` loops around a block reads the same elements in each iteration. */
export function repeats({ index, loops }: Site, depth: number): boolean {
  for (let i = depth; i < loops.length; i++) if (!varies(index, (loops[i] as Loop).variables)) return true; // within the length
  return false;
}

/** And reads them in a reduction, as an operand of a contraction is read. */
export function contracts(site: Site, depth: number): boolean {
  return site.loops.some((loop, i) => i >= depth && loop.reduces) && repeats(site, depth);
}

const varies = (index: readonly Expr[], variables: readonly VarLike[]): boolean =>
  variables.some((v) => index.some((e) => mentions(e, v)));
