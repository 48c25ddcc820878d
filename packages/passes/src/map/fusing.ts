// A statement of a block whose nests are being fused. A nest that has taken in others is put together once, at the end; what it touches
// is added up meanwhile, so that a chain of nests takes no longer than it is long.

import { isVarLike, nest, reduceNest, seq, toDim, yieldValues, type Expr, type IterArg, type Meta, type Nest, type Stmt, type Var, type VarLike } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { sameIndex } from "../index-math.ts";
import { eachAccess, effectsOf, usesOf, yieldedBy, type Access, type Effects, type EffectsTable } from "./effects.ts";
import { copyOfSet, has, includeAll, intersects, type GrowingSet } from "./var-set.ts";

export interface Fusing {
  readonly table: EffectsTable;
  /** The statement itself, or the first of the nests. */
  readonly head: Stmt;
  effects: Effects;
  /** What was put together; undefined while the statement is alone. */
  taken: Taken | undefined;
  /** Lanes in which it would run, once they were asked for. */
  lanes: { readonly count: number | undefined } | undefined;
  /** The slices that an iteration touches, once they were asked for. */
  slices: Slices | undefined;
}

interface Taken extends Effects {
  readonly reads: GrowingSet;
  readonly writes: GrowingSet;
  readonly defines: VarLike[];
  readonly uses: GrowingSet;
  readonly stmts: Stmt[];
  values: readonly Expr[];
  readonly carries: IterArg[];
  readonly results: Var[];
  reduce: boolean;
  meta: Meta;
}

export const alone = (table: EffectsTable, head: Stmt): Fusing => ({ table, head, effects: effectsOf(table, head), taken: undefined, lanes: undefined, slices: undefined });

/** Whether both may change places: neither writes what the other touches, nor uses what the other defines. */
export function commute(a: Fusing, b: Fusing): boolean {
  const [x, y] = [a.effects, b.effects];
  if (intersects(x.writes, y.writes) || intersects(x.writes, y.reads) || intersects(x.reads, y.writes)) return false;
  return !usesAny(b, x.defines) && !usesAny(a, y.defines);
}

export function usesAny({ table, head, taken }: Fusing, variables: readonly VarLike[]): boolean {
  if (variables.length === 0) return false;
  const uses = taken?.uses ?? usesOf(table, head);
  return variables.some((v) => has(uses, v));
}

/** What joins a nest: statements, then all that both yield at the end of an iteration. */
export interface Joining {
  readonly second: Nest;
  readonly stmts: readonly Stmt[];
  readonly values: readonly Expr[];
}

export function take(into: Fusing, { second, stmts, values }: Joining): void {
  const taken = (into.taken ??= opened(into));
  const { reads, writes, defines } = effectsOf(into.table, second);
  includeAll(taken.reads, reads);
  includeAll(taken.writes, writes);
  includeAll(taken.uses, usesOf(into.table, second));
  taken.defines.push(...defines);
  taken.stmts.push(...stmts);
  taken.values = values;
  taken.carries.push(...second.carries);
  taken.results.push(...second.results);
  if (second.reduce) taken.meta = second.meta;
  taken.reduce ||= second.reduce;
  into.effects = taken;
}

function opened({ table, head, effects }: Fusing): Taken {
  invariant(head.kind === "Nest", () => `a nest fused into ${head.kind}`);
  return {
    reads: copyOfSet(effects.reads), writes: copyOfSet(effects.writes), uses: copyOfSet(usesOf(table, head)), defines: [...effects.defines],
    stmts: [...withoutYield(head.body.stmts)], values: yieldedBy(head.body), carries: [...head.carries], results: [...head.results],
    reduce: head.reduce, meta: head.meta,
  };
}

/** The values that an iteration yields so far. */
export const valuesOf = ({ head, taken }: Fusing): readonly Expr[] => taken?.values ?? (head.kind === "Nest" ? yieldedBy(head.body) : []);

export const withoutYield = (stmts: readonly Stmt[]): readonly Stmt[] => (stmts.at(-1)?.kind === "Yield" ? stmts.slice(0, -1) : stmts);

/** The whole as one statement. */
export function whole({ head, taken }: Fusing): Stmt {
  if (taken === undefined || head.kind !== "Nest") return head;
  const { stmts, values, carries, results, meta } = taken;
  const body = seq(values.length === 0 ? stmts : [...stmts, yieldValues(values)], head.body.meta);
  return taken.reduce ? reduceNest(head.axes, head.extents, carries, body, results, meta) : nest(head.axes, head.extents, body, meta);
}

// — slices: by buffer the indices of one access, and the dimensions along which every access has the axis in the same way —

export type Slices = Map<VarLike, Slice>;

export interface Slice {
  readonly index: readonly Expr[];
  dimensions: readonly number[];
}

export function slicesOf(fusing: Fusing, axis: VarLike): Slices {
  if (fusing.slices !== undefined) return fusing.slices;
  const slices: Slices = new Map();
  eachAccess(whole(fusing), (access) => note(slices, access, axis));
  return (fusing.slices = slices);
}

/** Adds an access to the slices. */
export function note(slices: Slices, { buffer, index }: Access, axis: VarLike): void {
  const known = slices.get(buffer);
  if (known !== undefined) known.dimensions = sharedDimensions(known, index);
  else slices.set(buffer, { index, dimensions: index.flatMap((e, d) => (isSliceIndex(e, axis) ? [d] : [])) });
}

/** Along which of a slice's dimensions another access has the same index. */
export const sharedDimensions = ({ index, dimensions }: Slice, other: readonly Expr[]): readonly number[] =>
  dimensions.filter((d) => sameAt(index[d], other[d]));

const sameAt = (a: Expr | undefined, b: Expr | undefined): boolean => a !== undefined && b !== undefined && sameIndex(a, b);

/** The axis plus something that does not depend on it: different iterations have different indices. */
function isSliceIndex(e: Expr, axis: VarLike): boolean {
  if (isVarLike(e)) return e === axis;
  const dim = toDim(e);
  if (dim === undefined || typeof dim === "number") return false;
  const own = dim.terms.filter(({ leaf }) => leaf.kind === "var" && leaf.variable === axis);
  const elsewhere = dim.terms.some(({ leaf }) => leaf.kind !== "var");
  return own.length === 1 && !elsewhere;
}
