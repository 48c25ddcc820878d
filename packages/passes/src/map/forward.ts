// A load of what was just stored, in the same iteration and at the same index, becomes the stored value. One-element buffers turn
// into scalars this way.

import { assign, evaluate, isVarLike, mapBlocks, store, variable, type Expr, type Seq, type Stmt, type Var, type VarLike } from "@tilefoundry/ir";
import { sameIndex } from "../index-math.ts";
import { accessOf, effectsOf, isPlain, storedValue, type Access } from "./effects.ts";
import type { Mapping } from "./mapping.ts";
import { mapOperands, rewritePrims } from "./rewrite.ts";

interface Stored {
  readonly index: readonly Expr[];
  /** The stored value; an expression gets a name the first time it is asked for. */
  value(): Expr;
}

/** Last stores by buffer. */
type Known = Map<VarLike, Stored>;

export function forwardStores(m: Mapping, block: Seq): Seq {
  return forwardBlock(m, block, new Map());
}

function forwardBlock(m: Mapping, block: Seq, known: Known): Seq {
  const out: (readonly Stmt[])[] = [];
  for (const stmt of block.stmts) {
    const { writes } = effectsOf(stmt);
    const repeats = stmt.kind === "For" || stmt.kind === "While" || stmt.kind === "Nest";
    if (stmt.kind === "While") for (const buffer of writes) known.delete(buffer);
    const own = mapOperands(stmt, (e) => forwardLoads(m, e, known));
    const inside = (inner: Seq): Seq => {
      const there: Known = new Map(known);
      if (repeats) for (const buffer of writes) there.delete(buffer);
      return forwardBlock(m, inner, there);
    };
    const next = mapBlocks(own, inside);
    for (const buffer of writes) known.delete(buffer);
    out.push([next]);
    noteStore(m, next, out, known);
  }
  const stmts = out.flat();
  return stmts.length === block.stmts.length && stmts.every((s, i) => s === block.stmts[i]) ? block : { ...block, stmts };
}

function forwardLoads(m: Mapping, e: Expr, known: Known): Expr {
  if (known.size === 0) return e;
  return rewritePrims(e, (p) => {
    const access = accessOf(p);
    if (access === undefined || access.writes || !isPlain(access)) return p;
    const stored = known.get(access.buffer);
    return stored !== undefined && sameIndices(m, stored.index, access) ? stored.value() : p;
  });
}

const sameIndices = (m: Mapping, index: readonly Expr[], access: Access): boolean =>
  index.length === access.index.length && index.every((e, i) => sameIndex(e, access.index[i] ?? e, m.keys));

function noteStore(m: Mapping, stmt: Stmt, out: (readonly Stmt[])[], known: Known): void {
  const access = stmt.kind === "Eval" ? accessOf(stmt.expr) : undefined;
  const stored = access && storedValue(access);
  if (access === undefined || stored === undefined || !access.writes || !isPlain(access) || stored.type.kind !== "Scalar") return;
  const at = out.length - 1;
  let named: Expr | undefined = isVarLike(stored) || stored.kind === "Const" ? stored : undefined;
  known.set(access.buffer, {
    index: access.index,
    value: () => {
      if (named !== undefined) return named;
      const target = variable(m.names.fresh(access.buffer.hint), stored.type);
      out[at] = nameValue(stmt, access, target, stored);
      named = target;
      return target;
    },
  });
}

function nameValue(stmt: Stmt, { buffer, index }: Access, target: Var, value: Expr): readonly Stmt[] {
  const { span } = stmt.meta;
  return [assign(target, value, stmt.meta), evaluate(store(buffer, index, target), span && { span })];
}
