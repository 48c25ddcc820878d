// What statements touch: the buffers they read and write, the variables they use and define, in all their blocks.

import { isVarLike, type Expr, type Prim, type Seq, type Stmt, type VarLike } from "@tilefoundry/ir";

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
  eachOperandOf(stmt, (operand) => eachSubexpr(operand, (e) => {
    if (e.kind === "Prim") noteMemory(e, reads, writes);
    else if (e.kind !== "Const" && isVarLike(e)) uses.add(e);
  }));
  for (const block of blocksIn(stmt)) {
    const inner = blockEffects(block);
    for (const v of inner.reads) reads.add(v);
    for (const v of inner.writes) writes.add(v);
    for (const v of inner.uses) uses.add(v);
  }
  if (stmt.kind === "For") uses.delete(stmt.loopVar);
  if (stmt.kind === "Nest") for (const v of stmt.axes) uses.delete(v);
  if (stmt.kind === "For" || stmt.kind === "While" || stmt.kind === "Nest") for (const v of stmt.carries) uses.delete(v);
  const made = { reads, writes, uses, defines: definitionsOf(stmt) };
  known.set(stmt, made);
  return made;
}

/** What a statement defines for its later siblings. */
export function definitionsOf(stmt: Stmt): readonly VarLike[] {
  if (stmt.kind === "Assign") return [stmt.target];
  return "results" in stmt ? stmt.results : [];
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

/** Each expression a statement evaluates itself, `init`s of carries included. */
export function eachOperandOf(stmt: Stmt, visit: (e: Expr) => void): void {
  switch (stmt.kind) {
    case "Assign": return visit(stmt.value);
    case "Eval": return visit(stmt.expr);
    case "Yield":
    case "Return": return stmt.values.forEach(visit);
    case "If": return visit(stmt.cond);
    case "For":
      visit(stmt.start);
      visit(stmt.stop);
      visit(stmt.step);
      return stmt.carries.forEach((c) => visit(c.init));
    case "Nest":
      stmt.extents.forEach(visit);
      return stmt.carries.forEach((c) => visit(c.init));
    case "While":
      visit(stmt.cond);
      return stmt.carries.forEach((c) => visit(c.init));
    default: return;
  }
}

/** The blocks of a statement. */
export function blocksIn(stmt: Stmt): readonly Seq[] {
  switch (stmt.kind) {
    case "For":
    case "While":
    case "Nest": return [stmt.body];
    case "If": return stmt.else === undefined ? [stmt.then] : [stmt.then, stmt.else];
    default: return [];
  }
}

/** Every load and store of a statement, in all its blocks. */
export function eachAccess(stmt: Stmt, visit: (access: Access) => void): void {
  eachOperandOf(stmt, (operand) => eachSubexpr(operand, (e) => {
    const access = accessOf(e);
    if (access !== undefined) visit(access);
  }));
  for (const block of blocksIn(stmt)) for (const inner of block.stmts) eachAccess(inner, visit);
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
