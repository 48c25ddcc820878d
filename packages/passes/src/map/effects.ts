// What statements touch: the buffers they read and write, the variables they use and define, in all their blocks.

import { blocksOf, boundBy, definedBy, eachOperand, isVarLike, type Expr, type Prim, type Seq, type Stmt, type VarLike } from "@tilefoundry/ir";

export interface Effects {
  readonly reads: ReadonlySet<VarLike>;
  readonly writes: ReadonlySet<VarLike>;
  /** Scalars and buffers it mentions, but does not define itself. */
  readonly uses: ReadonlySet<VarLike>;
  /** What later siblings may use of it. */
  readonly defines: readonly VarLike[];
}

const known = new WeakMap<Stmt, Effects>();

/** Computed once for each statement object: statements never change. */
export function effectsOf(stmt: Stmt): Effects {
  const cached = known.get(stmt);
  if (cached !== undefined) return cached;
  const reads = new Set<VarLike>();
  const writes = new Set<VarLike>();
  const uses = new Set<VarLike>();
  eachOperand(stmt, (operand) => eachSubexpr(operand, (e) => {
    if (e.kind === "Prim") noteMemory(e, reads, writes);
    else if (e.kind !== "Const" && isVarLike(e)) uses.add(e);
  }));
  for (const block of blocksOf(stmt)) {
    const inner = blockEffects(block);
    for (const v of inner.reads) reads.add(v);
    for (const v of inner.writes) writes.add(v);
    for (const v of inner.uses) uses.add(v);
  }
  for (const v of boundBy(stmt)) uses.delete(v);
  const made = { reads, writes, uses, defines: definedBy(stmt) };
  known.set(stmt, made);
  return made;
}

export type BlockEffects = Omit<Effects, "defines">;

export function blockEffects(block: Seq): BlockEffects {
  const reads = new Set<VarLike>();
  const writes = new Set<VarLike>();
  const uses = new Set<VarLike>();
  const own = new Set<VarLike>();
  for (const stmt of block.stmts) {
    const inner = effectsOf(stmt);
    for (const v of inner.reads) reads.add(v);
    for (const v of inner.writes) writes.add(v);
    for (const v of inner.uses) if (!own.has(v)) uses.add(v);
    for (const v of inner.defines) own.add(v);
  }
  return { reads, writes, uses };
}

function noteMemory(e: Prim, reads: Set<VarLike>, writes: Set<VarLike>): void {
  const [buffer] = e.args;
  if (buffer === undefined || !isVarLike(buffer)) return;
  if (e.op === "load") reads.add(buffer);
  else if (e.op === "store") writes.add(buffer);
}

/** The expression and all below it, operands first; in lowered code all that is not a leaf is a primitive. */
export function eachSubexpr(e: Expr, visit: (e: Expr) => void): void {
  if (e.kind === "Prim") for (const a of e.args) eachSubexpr(a, visit);
  visit(e);
}

/** Every load and store of a statement, in all its blocks. */
export function eachAccess(stmt: Stmt, visit: (access: Access) => void): void {
  eachOperand(stmt, (operand) => eachSubexpr(operand, (e) => {
    const access = accessOf(e);
    if (access !== undefined) visit(access);
  }));
  for (const block of blocksOf(stmt)) for (const inner of block.stmts) eachAccess(inner, visit);
}

export interface Access {
  readonly prim: Prim;
  readonly buffer: VarLike;
  readonly index: readonly Expr[];
  readonly writes: boolean;
}

export function accessOf(e: Expr): Access | undefined {
  if (e.kind !== "Prim" || (e.op !== "load" && e.op !== "store")) return undefined;
  const [buffer, ...rest] = e.args;
  if (buffer === undefined || !isVarLike(buffer) || buffer.type.kind !== "Tensor") return undefined;
  return { prim: e, buffer, index: rest.slice(0, buffer.type.shape.length), writes: e.op === "store" };
}

/** A plain element access: no vector, no mask. */
export const isPlain = ({ prim }: Access): boolean => prim.attrs.masked !== true && prim.attrs.lanes === undefined && prim.type.kind !== "Vec";

/** The stored value. */
export const storedValue = ({ prim, index }: Access): Expr | undefined => prim.args[1 + index.length];

export const intersects = (a: ReadonlySet<VarLike>, b: ReadonlySet<VarLike>): boolean => {
  for (const v of a) if (b.has(v)) return true;
  return false;
};

/** Whether two statements may change places: neither writes what the other touches, nor uses what the other defines. */
export function commutes(a: Stmt, b: Stmt): boolean {
  const [x, y] = [effectsOf(a), effectsOf(b)];
  if (intersects(x.writes, y.writes) || intersects(x.writes, y.reads) || intersects(x.reads, y.writes)) return false;
  return !x.defines.some((v) => y.uses.has(v)) && !y.defines.some((v) => x.uses.has(v));
}
