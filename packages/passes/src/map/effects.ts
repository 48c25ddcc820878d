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

const NONE: ReadonlySet<VarLike> = new Set();

/** Computed once for each statement object: statements never change. */
export function effectsOf(stmt: Stmt): Effects {
  const cached = known.get(stmt);
  if (cached !== undefined) return cached;
  const reads = new Set<VarLike>();
  const writes = new Set<VarLike>();
  const uses = new Set<VarLike>();
  eachOperand(stmt, (operand) => collect(operand, reads, writes, uses));
  for (const block of blocksOf(stmt)) {
    for (const inner of block.stmts) addAll(effectsOf(inner), reads, writes, uses);
    // a variable has one definition, so what is defined inside is not what is used outside
    for (const inner of block.stmts) for (const v of effectsOf(inner).defines) uses.delete(v);
  }
  for (const v of boundBy(stmt)) uses.delete(v);
  const made = { reads: orNone(reads), writes: orNone(writes), uses: orNone(uses), defines: definedBy(stmt) };
  known.set(stmt, made);
  return made;
}

const orNone = (set: ReadonlySet<VarLike>): ReadonlySet<VarLike> => (set.size === 0 ? NONE : set);

function addAll(inner: Effects, reads: Set<VarLike>, writes: Set<VarLike>, uses: Set<VarLike>): void {
  for (const v of inner.reads) reads.add(v);
  for (const v of inner.writes) writes.add(v);
  for (const v of inner.uses) uses.add(v);
}

function collect(e: Expr, reads: Set<VarLike>, writes: Set<VarLike>, uses: Set<VarLike>): void {
  if (isVarLike(e)) uses.add(e);
  if (e.kind !== "Prim") return;
  noteMemory(e, reads, writes);
  for (const a of e.args) collect(a, reads, writes, uses);
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

/** What a block yields; nothing if it does not end in a yield. */
export function yieldedBy(block: Seq): readonly Expr[] {
  const last = block.stmts.at(-1);
  return last?.kind === "Yield" ? last.values : [];
}

export function intersects(a: ReadonlySet<VarLike>, b: ReadonlySet<VarLike>): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  for (const v of few) if (many.has(v)) return true;
  return false;
}

/** Whether what has these effects may change places: neither writes what the other touches, nor uses what the other defines. */
export function commute(x: Effects, y: Effects): boolean {
  if (intersects(x.writes, y.writes) || intersects(x.writes, y.reads) || intersects(x.reads, y.writes)) return false;
  return !x.defines.some((v) => y.uses.has(v)) && !y.defines.some((v) => x.uses.has(v));
}
