// What statements touch: the buffers they read and write, the variables they use and define, in all their blocks.

import { blocksOf, definedBy, eachOperand, isVarLike, type Expr, type Prim, type Seq, type Stmt, type VarLike } from "@tilefoundry/ir";
import { emptySet, include, includeAll, type GrowingSet, type VarSet } from "./var-set.ts";

export interface Effects {
  readonly reads: VarSet;
  readonly writes: VarSet;
  /** What later siblings may use of it. */
  readonly defines: readonly VarLike[];
}

/** What was asked of statements with blocks so far: they never change. A table of the function at hand, since a global one grows cold. */
export interface EffectsTable {
  readonly effects: Map<Stmt, Effects>;
  readonly uses: Map<Stmt, VarSet>;
}

export const emptyTable = (): EffectsTable => ({ effects: new Map(), uses: new Map() });

export function effectsOf(table: EffectsTable, stmt: Stmt): Effects {
  const blocks = blocksOf(stmt);
  if (blocks.length === 0) return collected(table, stmt, blocks);
  let effects = table.effects.get(stmt);
  if (effects === undefined) table.effects.set(stmt, (effects = collected(table, stmt, blocks)));
  return effects;
}

function collected(table: EffectsTable, stmt: Stmt, blocks: readonly Seq[]): Effects {
  const reads = emptySet();
  const writes = emptySet();
  const visit = (e: Expr): void => {
    if (e.kind !== "Prim") return;
    noteMemory(e, reads, writes);
    for (const a of e.args) if (a.kind === "Prim") visit(a);
  };
  eachOperand(stmt, visit);
  for (const block of blocks) {
    for (const inner of block.stmts) {
      if (blocksOf(inner).length === 0) {
        eachOperand(inner, visit);
        continue;
      }
      const effects = effectsOf(table, inner);
      includeAll(reads, effects.reads);
      includeAll(writes, effects.writes);
    }
  }
  return { reads, writes, defines: definedBy(stmt) };
}

function noteMemory({ op, args }: Prim, reads: GrowingSet, writes: GrowingSet): void {
  if (op !== "load" && op !== "store") return;
  const [buffer] = args;
  if (buffer !== undefined && isVarLike(buffer)) include(op === "load" ? reads : writes, buffer);
}

/** Scalars and buffers that a statement mentions; some of those that it defines itself are among them. */
export function usesOf(table: EffectsTable, stmt: Stmt): VarSet {
  const known = table.uses.get(stmt);
  if (known !== undefined) return known;
  const uses = emptySet();
  const visit = (e: Expr): void => {
    if (isVarLike(e)) include(uses, e);
    else if (e.kind === "Prim") for (const a of e.args) visit(a);
  };
  eachOperand(stmt, visit);
  for (const block of blocksOf(stmt)) for (const inner of block.stmts) includeAll(uses, usesOf(table, inner));
  table.uses.set(stmt, uses);
  return uses;
}

const NOTHING: readonly VarLike[] = [];

/** The buffers that a statement writes. */
export function writesOf(table: EffectsTable, stmt: Stmt): readonly VarLike[] {
  switch (stmt.kind) {
    case "If":
    case "For":
    case "While":
    case "Nest": return effectsOf(table, stmt).writes.list;
    case "Eval": {
      const buffer = storedTo(stmt.expr);
      return buffer === undefined ? NOTHING : [buffer];
    }
    default: return NOTHING;
  }
}

/** The buffer of a store. */
export function storedTo(e: Expr): VarLike | undefined {
  const buffer = e.kind === "Prim" && e.op === "store" ? e.args[0] : undefined;
  return buffer !== undefined && isVarLike(buffer) ? buffer : undefined;
}

/** The expression and all below it, operands first; in lowered code all that is not a leaf is a primitive. */
export function eachSubexpr(e: Expr, visit: (e: Expr) => void): void {
  if (e.kind === "Prim") for (const a of e.args) eachSubexpr(a, visit);
  visit(e);
}

/** Whether an expression mentions a variable. */
export const mentions = (e: Expr, v: VarLike): boolean => e === v || (e.kind === "Prim" && e.args.some((a) => mentions(a, v)));

/** Every load and store of a statement, in all its blocks. */
export function eachAccess(stmt: Stmt, visit: (access: Access) => void): void {
  eachOperand(stmt, (operand) => eachSubexpr(operand, (e) => {
    const access = accessOf(e);
    if (access !== undefined) visit(access);
  }));
  for (const block of blocksOf(stmt)) for (const inner of block.stmts) eachAccess(inner, visit);
}

/** The buffer of every load of a statement, in all its blocks. */
export function eachLoad(stmt: Stmt, visit: (buffer: VarLike) => void): void {
  const visitExpr = (e: Expr): void => {
    if (e.kind !== "Prim") return;
    const [buffer] = e.args;
    if (e.op === "load" && buffer !== undefined && isVarLike(buffer)) visit(buffer);
    for (const a of e.args) visitExpr(a);
  };
  const visitStmt = (inner: Stmt): void => {
    eachOperand(inner, visitExpr);
    for (const block of blocksOf(inner)) block.stmts.forEach(visitStmt);
  };
  visitStmt(stmt);
}

export interface Access {
  readonly prim: Prim;
  readonly buffer: VarLike;
  readonly index: readonly Expr[];
  readonly writes: boolean;
}

export function accessOf(e: Expr): Access | undefined {
  if (e.kind !== "Prim" || (e.op !== "load" && e.op !== "store")) return undefined;
  const buffer = e.args[0];
  if (buffer === undefined || !isVarLike(buffer) || buffer.type.kind !== "Tensor") return undefined;
  return { prim: e, buffer, index: e.args.slice(1, 1 + buffer.type.shape.length), writes: e.op === "store" };
}

/** A plain element access: no vector, no mask. */
export const isPlain = ({ prim }: Access): boolean => prim.attrs.masked !== true && prim.attrs.lanes === undefined && prim.type.kind !== "Vec";

/** The stored value. */
export const storedValue = ({ prim, index }: Access): Expr | undefined => prim.args[1 + index.length];

/** What a block yields; nothing if it does not end in a yield. */
export function yieldedBy(block: Seq): readonly Expr[] {
  const last = block.stmts.at(-1);
  return last?.kind === "Yield" ? last.values : [];
}
