// A load of what was just stored, in the same iteration and at the same index, becomes the stored value. One-element buffers turn
// into scalars this way.

import {
  assign, evaluate, isVarLike, mapBlocks, store, variable,
  type Expr, type Prim, type Seq, type Stmt, type Var, type VarLike,
} from "@tilefoundry/ir";
import { sameIndex } from "../index-math.ts";
import { accessOf, isPlain, storedValue, writesOf, type Access } from "./effects.ts";
import type { Mapping } from "./mapping.ts";
import { mapOperands, rewritePrims } from "./rewrite.ts";

interface Stored {
  readonly access: Access;
  /** The stored value; an expression gets a name the first time it is asked for. */
  value: Expr;
  readonly block: Written;
  /** Where in the block the store stands. */
  readonly at: number;
}

/** A block that is being written. */
interface Written {
  readonly stmts: Stmt[];
  /** Names of stored values, by the place of the store they go before. */
  named: Map<number, Stmt> | undefined;
}

/** Last stores by buffer. */
type Known = Map<VarLike, Stored>;

export function forwardStores(m: Mapping, block: Seq): Seq {
  return forwardBlock(m, block, new Map());
}

function forwardBlock(m: Mapping, block: Seq, known: Known): Seq {
  const written: Written = { stmts: [], named: undefined };
  const forwardLoad = (p: Prim): Expr => (p.op === "load" ? forwarded(p, known) : p);
  const forwardLoads = (e: Expr): Expr => rewritePrims(e, forwardLoad);
  let same = true;
  for (const stmt of block.stmts) {
    const writes = known.size === 0 ? NOTHING : writesOf(m, stmt);
    if (stmt.kind === "While") forget(known, writes);
    const own = known.size === 0 ? stmt : mapOperands(stmt, forwardLoads);
    const next = mapBlocks(own, (inner) => forwardBlock(m, inner, knownInside(stmt, known, writes)));
    forget(known, writes);
    if (next !== stmt) same = false;
    written.stmts.push(next);
    if (next.kind === "Eval") noteStore(next.expr, written, known);
  }
  if (written.named !== undefined) return { kind: "Seq", stmts: withNames(written.stmts, written.named), meta: block.meta };
  return same ? block : { kind: "Seq", stmts: written.stmts, meta: block.meta };
}

const NOTHING: readonly VarLike[] = [];

function forget(known: Known, buffers: readonly VarLike[]): void {
  for (const buffer of buffers) known.delete(buffer);
}

/** What a loop overwrites it may have overwritten in an earlier iteration. */
function knownInside({ kind }: Stmt, known: Known, writes: readonly VarLike[]): Known {
  const there: Known = new Map(known);
  if (kind !== "If") forget(there, writes);
  return there;
}

function forwarded(p: Prim, known: Known): Expr {
  const access = accessOf(p);
  const stored = access && known.get(access.buffer);
  return access !== undefined && stored !== undefined && isPlain(access) && sameIndices(stored.access, access) ? valueOf(stored) : p;
}

const sameIndices = ({ index }: Access, access: Access): boolean =>
  index.length === access.index.length && index.every((e, i) => sameIndex(e, access.index[i] ?? e));

function noteStore(e: Expr, block: Written, known: Known): void {
  const access = accessOf(e);
  const value = access && storedValue(access);
  if (access === undefined || value === undefined || !access.writes || !isPlain(access) || value.type.kind !== "Scalar") return;
  known.set(access.buffer, { access, value, block, at: block.stmts.length - 1 });
}

function valueOf(stored: Stored): Expr {
  const { access, block, at, value } = stored;
  if (isVarLike(value) || value.kind === "Const") return value;
  const target = variable(access.buffer.hint, value.type);
  nameValue(block, at, access, target, value);
  return (stored.value = target);
}

function nameValue(block: Written, at: number, { buffer, index }: Access, target: Var, value: Expr): void {
  const { meta } = block.stmts[at] as Stmt; // the store
  (block.named ??= new Map()).set(at, assign(target, value, meta));
  block.stmts[at] = evaluate(store(buffer, index, target), meta.span && { span: meta.span });
}

const withNames = (stmts: readonly Stmt[], named: ReadonlyMap<number, Stmt>): readonly Stmt[] =>
  stmts.flatMap((stmt, at) => {
    const name = named.get(at);
    return name === undefined ? [stmt] : [name, stmt];
  });
