// The services of `lower-ops` to the op records: buffers behind operands, readers of their elements, nests around statements.

import {
  assign, evaluate, INDEX, isVarLike, iterArg, load, minDim, mulDims, nest, prim, reduceNest, seq, toExpr, variable, yieldValues,
  type Dim, type Expr, type IterArg, type ReduceKind, type Var, type VarLike,
} from "@tilefoundry/ir";
import type { LowerContext, Reader } from "@tilefoundry/ops";
import { invariant } from "@tilefoundry/text";
import { boundAxis } from "../known-facts.ts";
import { identity, KIND_HINTS } from "../reductions.ts";
import { noteAll, noteRead } from "./demand.ts";
import { tightExtent } from "./extents.ts";
import { bindScalar, emit, inBlock, takeMeta, ZERO, type ArrayValue, type Block, type Lowering } from "./state.ts";
import { clipExtent, insideCondition } from "./windows.ts";

/** Told of every element read: the operand, where it is read, and whether along broadcast axes. */
export type OnRead = (array: VarLike, index: readonly Expr[]) => void;

export function lowerContext(l: Lowering, onRead?: OnRead): LowerContext {
  return {
    facts: l.facts,
    buffer: (array) => {
      if (isVarLike(array)) noteAll(l, array);
      return valueOf(l, array).buffer;
    },
    extents: (array) => valueOf(l, array).extents.map(toExpr),
    common: (operands, shape) => commonExtents(l, operands, shape),
    reader: (operand) => readerOf(l, operand, onRead),
    window: (array, offsets, sizes) => {
      const { extents } = valueOf(l, array);
      return sizes.map((size, axis) => clipExtent(l, extents[axis] ?? 1, offsets[axis] ?? ZERO, size));
    },
    inside: (array, index) => insideCondition(l, valueOf(l, array).extents, index),
    bind: (hint, value) => bindScalar(l, hint, value),
    alloc: (hint, type) => {
      const buffer = allocate(l, variable(l.names.fresh(hint), type));
      l.values.set(buffer, { buffer, extents: type.shape });
      return buffer;
    },
    nest: (extents, body) => emitNest(l, extents, body),
    reduce: (kind, extents, element) => emitReduction(l, extents, 0, KIND_HINTS[kind], (index) => combining(kind, element(index))),
    emit: (effect) => emit(l, evaluate(effect, takeMeta(l))),
  };
}

export function valueOf(l: Lowering, array: Expr): ArrayValue {
  const value = isVarLike(array) ? l.values.get(l.handles.root(array)) : undefined;
  invariant(value !== undefined, () => `the array ${isVarLike(array) ? array.hint : array.kind} has no buffer`);
  return value;
}

/** Per axis the least of the operands; one that is broadcast along the axis counts only where it is empty. */
export function commonExtents(l: Lowering, operands: readonly Expr[], shape: readonly Dim[]): readonly Expr[] {
  return shape.map((extent, axis) => {
    let smallest: Dim | undefined;
    for (const operand of operands) {
      if (operand.type.kind !== "Tensor") continue;
      const at = axis - shape.length + operand.type.shape.length;
      const own = valueOf(l, operand).extents[at];
      if (own === undefined) continue;
      const left = operand.type.shape[at] === 1 && extent !== 1 ? repeated(own, extent) : own;
      smallest = smallest === undefined ? left : minDim(smallest, left);
    }
    return toExpr(smallest ?? extent);
  });
}

/** The extent that a broadcast axis of run-time extent 0 or 1 leaves. */
const repeated = (own: Dim, extent: Dim): Dim => (own === 1 ? extent : (mulDims(own, extent) ?? extent));

const NO_MASK = {};

function readerOf(l: Lowering, operand: Expr, onRead: OnRead | undefined): Reader {
  const { type } = operand;
  if (type.kind !== "Tensor" || !isVarLike(operand)) return () => operand;
  const { buffer, extents } = valueOf(l, operand);
  return (index, beyond) => {
    const own = type.shape.map((extent, axis) => (extent === 1 && beyond === undefined ? ZERO : (index[axis + index.length - type.shape.length] ?? ZERO)));
    noteRead(l, operand, own);
    onRead?.(operand, own);
    const mask = beyond === "zero" ? insideCondition(l, extents, own) : undefined;
    return load(buffer, own, mask === undefined ? NO_MASK : { mask });
  };
}

export function allocate(l: Lowering, target: Var): Var {
  invariant(target.type.kind === "Tensor", () => `an allocation of type ${target.type.kind}`);
  emit(l, assign(target, prim("alloc_tensor", [], { type: target.type }), takeMeta(l)));
  return target;
}

// — nests —

const AXIS_HINTS = ["i", "j", "k", "l"] as const;

export function freshAxes(l: Lowering, count: number, after = 0): readonly Var[] {
  return Array.from({ length: count }, (_, n) => variable(l.names.fresh(AXIS_HINTS[n + after] ?? `i${n + after}`), INDEX));
}

/** A parallel nest; over no axes, just the body. */
export function emitNest(l: Lowering, extents: readonly Expr[], body: (index: readonly Expr[]) => void): void {
  if (extents.length === 0) return body([]);
  const axes = freshAxes(l, extents.length);
  const sizes = extents.map((e) => tightExtent(l, e));
  for (const [i, axis] of axes.entries()) l.demands.origins.set(axis, { extent: sizes[i] ?? ZERO });
  const meta = takeMeta(l);
  const inner = nestBlock(l, axes, sizes, () => body(axes));
  emit(l, nest(axes, sizes, seq(inner.stmts), meta));
}

export function nestBlock(l: Lowering, axes: readonly Var[], extents: readonly Expr[], body: () => void): Block {
  return inBlock(l, undefined, () => {
    for (const [i, axis] of axes.entries()) {
      l.block.defined.add(axis);
      boundAxis(l.facts, axis, extents[i] ?? ZERO);
    }
    body();
  });
}

/** One step of a reduction: what it starts from, outside, and how an element joins the accumulator. */
export interface ReductionStep {
  readonly start: Expr;
  readonly next: (accumulator: Expr) => Expr;
}

/** A reduction nest inside `outer` axes; gives the combined value. */
export function emitReduction(
  l: Lowering, extents: readonly Expr[], outer: number, hint: string, step: (index: readonly Expr[]) => ReductionStep,
): Expr {
  if (extents.length === 0) {
    const { start, next } = step([]);
    return next(start);
  }
  const axes = freshAxes(l, extents.length, outer);
  const sizes = extents.map((e) => tightExtent(l, e));
  const carries: IterArg[] = [];
  const meta = takeMeta(l);
  const inner = nestBlock(l, axes, sizes, () => {
    const { start, next } = step(axes);
    const carry = iterArg(l.names.fresh("acc"), start.type, start);
    carries.push(carry);
    emit(l, yieldValues([next(carry)]));
  });
  const results = carries.map((carry) => variable(l.names.fresh(hint), carry.type));
  emit(l, reduceNest(axes, sizes, carries, seq(inner.stmts), results, meta));
  for (const result of results) l.block.defined.add(result);
  return results[0] ?? ZERO; // one step gives one carry
}

/** A step that combines elements from the identity of the kind on. */
export function combining(kind: ReduceKind, element: Expr): ReductionStep {
  const { type } = element;
  invariant(type.kind === "Scalar", () => `a reduction over elements of type ${type.kind}`);
  return { start: identity(kind, type.dtype), next: (accumulator) => prim(kind, [accumulator, element]) };
}
