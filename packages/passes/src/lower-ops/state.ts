// What `lower-ops` holds while it works on one function: the block being written, what each buffer and scalar became, what is
// known of index variables, and names for run-time extents.

import {
  assign, indexConst, isVarLike, NO_META, someVar, toDim, variable,
  type Dim, type Expr, type FunctionNode, type Meta, type Names, type Seq, type Stmt, type Var, type VarLike,
} from "@tilefoundry/ir";
import type { Ops } from "@tilefoundry/ops";
import type { Reporter } from "@tilefoundry/text";
import type { Keys } from "../index-math.ts";
import type { KnownFacts } from "../known-facts.ts";
import type { Demands } from "./demands.ts";
import type { Definitions } from "./definitions.ts";
import type { Handles } from "./handles.ts";
import type { Uses } from "./uses.ts";

/** Where the elements of a tensor or tile are, and how far they are valid. */
export interface ArrayValue {
  readonly buffer: Var;
  /** One a axis: a literal, or a variable that holds the run-time extent. */
  readonly extents: readonly Dim[];
}

/** A buffer that a value should be computed into, and whose content until then may not be read afterwards. */
export interface Destination {
  readonly buffer: Var;
  readonly old: VarLike | undefined;
}

/** An axis of a carry whose extent changes from one iteration to the next. */
export type ChangingExtents = Map<VarLike, Set<number>>;

export interface Lowering {
  readonly f: FunctionNode;
  readonly ops: Ops;
  readonly reporter: Reporter;
  readonly names: Names;
  /** Lowers the statements of a block: handed in, since what serves it must not import it. */
  readonly lower: (l: Lowering, block: Seq) => void;
  readonly handles: Handles;
  readonly uses: Uses;
  readonly values: Map<VarLike, ArrayValue>;
  /** Carries that had to be made anew. */
  readonly scalars: Map<VarLike, Expr>;
  readonly destinations: Map<VarLike, Destination>;
  readonly facts: KnownFacts;
  readonly keys: Keys;
  readonly definitions: Definitions;
  readonly changing: ChangingExtents;
  /** What is read of each array, as this walk finds it. */
  readonly demands: Demands;
  /** The same from the first walk, in a later one. */
  readonly known: Demands | undefined;
  /** Set when an extent turned out to change from iteration to iteration: the function is lowered once more. */
  again: boolean;
  block: Block;
  /** Span and comments of the statement being lowered; the first statement emitted takes the comments. */
  meta: Meta;
  /** In conditions nothing can be bound to a name. */
  inCondition: boolean;
}

export interface Block {
  readonly outer: Block | undefined;
  readonly source: Seq | undefined;
  readonly stmts: Stmt[];
  /** Variables defined in it so far, and names of run-time extents by key. */
  readonly defined: Set<VarLike>;
  readonly extents: Map<string, Var>;
}

export function openBlock(outer: Block | undefined, source: Seq | undefined): Block {
  return { outer, source, stmts: [], defined: new Set(), extents: new Map() };
}

/** Emits what `body` emits into a block of its own. */
export function inBlock(l: Lowering, source: Seq | undefined, body: () => void): Block {
  const outer = l.block;
  const inner = openBlock(outer, source);
  l.block = inner;
  body();
  l.block = outer;
  return inner;
}

export function emit(l: Lowering, stmt: Stmt): void {
  l.block.stmts.push(stmt);
}

/** Meta for the next emitted statement: comments stay with the first. */
export function takeMeta(l: Lowering): Meta {
  const { meta } = l;
  if (meta.comments !== undefined) l.meta = meta.span === undefined ? NO_META : { span: meta.span };
  return meta;
}

// — scalars —

/** Makes a scalar known: visible from here on, and equal to its value where that is affine. */
export function define(l: Lowering, target: Var, value: Expr): void {
  l.block.defined.add(target);
  l.definitions.values.set(target, value);
  const dim = toDim(value);
  if (dim !== undefined) l.facts.equate(target, dim);
}

export function bindScalar(l: Lowering, hint: string, value: Expr): Expr {
  if (isVarLike(value) || value.kind === "Const" || l.inCondition) return value;
  const target = variable(l.names.fresh(hint), value.type);
  emit(l, assign(target, value, takeMeta(l)));
  define(l, target, value);
  return target;
}

/** Whether a variable is visible where the current block ends. */
export function isVisible(l: Lowering, v: VarLike): boolean {
  for (let block: Block | undefined = l.block; block !== undefined; block = block.outer) if (block.defined.has(v)) return true;
  return false;
}

export const dimIsVisible = (l: Lowering, d: Dim): boolean => !someVar(d, (v) => !isVisible(l, v));

/** Hints of the extents of an array: `n`; `rows`, `cols`; `n0`, `n1`, … */
export function extentHint(axis: number, rank: number): string {
  if (rank === 1) return "n";
  return rank === 2 ? (axis === 0 ? "rows" : "cols") : `n${axis}`;
}

export const ZERO = indexConst(0);

