// One lowering for each form an op record may have: a value given by its elements becomes a nest that stores them, a reduction or
// contraction a nest with a reduction inside, anything else the statements of its record.

import {
  cast, evaluate, indexConst, minDim, nest, prim, sameDType, seq, store, scalarType, toDim, toExpr, variable,
  type Call, type Dim, type DType, type Expr, type TensorType, type Var, type VarLike,
} from "@tilefoundry/ir";
import { argsOf, elementsOf, type Args, type ContractForm, type ElementForm, type OpRecord, type Params, type ReduceForm } from "@tilefoundry/ops";
import { invariant } from "@tilefoundry/text";
import { times } from "../index-math.ts";
import { KIND_HINTS } from "../reductions.ts";
import { allocate, combining, commonExtents, emitReduction, freshAxes, lowerContext, nestBlock, valueOf, type OnRead } from "./context.ts";
import { demanded } from "./demand.ts";
import { nameExtent } from "./extents.ts";
import { emit, extentHint, takeMeta, ZERO, type Destination, type Lowering } from "./state.ts";

interface ArrayCall {
  readonly record: OpRecord;
  /** Scalar operands are lowered already. */
  readonly call: Call;
  readonly target: Var;
  readonly type: TensorType;
}

/** Lowers a call whose value is a new tensor or tile, into the target's destination if it has one that may be overwritten. */
export function lowerArrayCall(l: Lowering, record: OpRecord, call: Call, target: Var): void {
  const { type } = target;
  invariant(type.kind === "Tensor", () => `${target.hint} of type ${type.kind}`);
  const array: ArrayCall = { record, call, target, type };
  switch (record.lowering.form) {
    case "element": return lowerElement(l, array, record.lowering);
    case "reduce": return lowerReduce(l, array, record.lowering);
    case "contract": return lowerContract(l, array, record.lowering);
    case "statements": return lowerStatements(l, array);
    case "parts": return invariant(false, () => `${record.name} makes a tuple, and no array`);
  }
}

// — the buffer of the value —

/** Watches what a value reads: a destination may be overwritten in place if its old elements are read at the own index only. */
interface Watch {
  readonly onRead: OnRead;
  mayOverwrite(): boolean;
}

function watch(l: Lowering, destination: Destination | undefined, own: readonly Expr[]): Watch {
  let conflict = false;
  return {
    onRead: (array, index) => {
      if (destination === undefined || valueOf(l, array).buffer !== destination.buffer) return;
      if (!(index.length === own.length && index.every((e, axis) => e === own[axis] || isUnit(array, axis)))) conflict = true;
    },
    mayOverwrite: () => destination !== undefined && !conflict,
  };
}

/** Along an extent of 1 the index is 0 whatever the own index says; the result has that extent too, or it would be broadcast. */
const isUnit = (array: VarLike, axis: number): boolean => array.type.kind === "Tensor" && array.type.shape[axis] === 1;

function chooseBuffer(l: Lowering, { target }: ArrayCall, watched: Watch): Var {
  const destination = l.destinations.get(target);
  return destination !== undefined && watched.mayOverwrite() ? destination.buffer : allocate(l, target);
}

function setValue(l: Lowering, { target }: ArrayCall, buffer: Var, extents: readonly Dim[]): void {
  l.values.set(target, { buffer, extents });
}

// — element —

function lowerElement(l: Lowering, array: ArrayCall, form: ElementForm<Params>): void {
  const { record, call, type, target } = array;
  const args = argsOf(record, call);
  const given = form.extents?.(args, lowerContext(l)) ?? commonExtents(l, call.args, type.shape);
  const extents = named(l, target, given);
  emitElements(l, array, extents, (index, onRead) => {
    const context = lowerContext(l, onRead);
    return form.element(elementsOf(record, call, context.reader), index, type, context.bind);
  });
  invariant(l.values.has(target), () => `${target.hint} was not lowered`);
}

/** A nest that stores an element at each index of the extents. */
function emitElements(l: Lowering, array: ArrayCall, extents: readonly Dim[], element: (index: readonly Expr[], onRead: OnRead) => Expr): void {
  const axes = freshAxes(l, extents.length);
  for (const [axis, v] of axes.entries()) l.demands.origins.set(v, { target: array.target, axis });
  const meta = takeMeta(l);
  const sizes = extents.map(toExpr);
  const watched = watch(l, l.destinations.get(array.target), axes);
  let value: Expr = ZERO;
  const inner = nestBlock(l, axes, sizes, () => {
    value = element(axes, watched.onRead);
  });
  l.meta = meta;
  const buffer = chooseBuffer(l, array, watched);
  setValue(l, array, buffer, extents);
  const stored = evaluate(store(buffer, axes, value));
  if (axes.length > 0) return emit(l, nest(axes, sizes, seq([...inner.stmts, stored]), takeMeta(l)));
  for (const stmt of [...inner.stmts, stored]) emit(l, stmt);
}

/** The extents of a value as literals and variables, cut to what is read of it. */
export function named(l: Lowering, target: VarLike, extents: readonly Expr[]): readonly Dim[] {
  return extents.map((e, axis) => {
    const read = demanded(l, target, axis);
    const whole = read === undefined ? undefined : toDim(e);
    return nameExtent(l, extentHint(axis, extents.length), read === undefined || whole === undefined ? e : toExpr(minDim(whole, read)));
  });
}

// — reduce —

function lowerReduce(l: Lowering, array: ArrayCall, form: ReduceForm<Params>): void {
  const { record, call, type, target } = array;
  const args = argsOf(record, call);
  const over = args[form.over];
  invariant(isExpr(over), () => `${record.name} reduces no array`);
  const full = valueOf(l, over).extents;
  const reduced = form.axes(args);
  const kept = full.flatMap((extent, axis) => (reduced.includes(axis) ? (form.keep(args) ? [1] : []) : [extent]));
  const summed = reduced.map((axis) => toExpr(full[axis] ?? 1));
  const kind = typeof form.combine === "function" ? form.combine(args) : form.combine;
  emitElements(l, array, named(l, target, kept.map(toExpr)), (index, onRead) => {
    const context = lowerContext(l, onRead);
    const elements = elementsOf(record, call, context.reader);
    const combined = emitReduction(l, summed, kept.length, keepsValue(form, args, type) ? target.hint : KIND_HINTS[kind], (inner) => {
      const at = fullIndex(full.length, reduced, form.keep(args), index, inner);
      return combining(kind, form.element?.(elements, at, context.bind) ?? context.reader(over)(at));
    });
    const count = summed.reduce<Expr>(times, indexConst(1));
    return form.finish?.(args, combined, count) ?? inDType(combined, type.dtype);
  });
}

/** Whether the combined value is the result as it is; it is then called like the result. */
function keepsValue(form: ReduceForm<Params>, args: Args<Params>, { dtype }: TensorType): boolean {
  const probe = variable("combined", scalarType(dtype));
  return form.finish === undefined || form.finish(args, probe, indexConst(1)) === probe;
}

/** The index of the operand from that of the result and those along the reduced axes. */
function fullIndex(rank: number, reduced: readonly number[], keep: boolean, outer: readonly Expr[], inner: readonly Expr[]): readonly Expr[] {
  let next = 0;
  return Array.from({ length: rank }, (_, axis) => {
    const at = reduced.indexOf(axis);
    const own = outer[keep ? axis : next] ?? ZERO;
    if (at >= 0) return inner[at] ?? ZERO;
    next++;
    return own;
  });
}

const inDType = (value: Expr, dtype: DType): Expr =>
  value.type.kind === "Scalar" && !sameDType(value.type.dtype, dtype) ? cast(value, dtype) : value;

const isExpr = (value: unknown): value is Expr => typeof value === "object" && value !== null && "kind" in value && "type" in value;

// — contract —

function lowerContract(l: Lowering, array: ArrayCall, form: ContractForm<Params>): void {
  const { record, call, type, target } = array;
  const context = lowerContext(l);
  const given = argsOf(record, call);
  const args = form.prepare?.(given, context) ?? given;
  const extents = named(l, target, form.extents(args, context));
  const summed = form.summed(args, context);
  emitElements(l, array, extents, (index, onRead) => {
    const { init, factors } = form.terms(args, lowerContext(l, onRead), type);
    const start = init(index);
    const total = emitReduction(l, summed, extents.length, target.hint, (inner) => {
      const [a, b] = factors(index, inner);
      return { start, next: (accumulator) => prim("mad", [a, b, accumulator]) };
    });
    return inDType(total, type.dtype);
  });
}

// — statements —

function lowerStatements(l: Lowering, array: ArrayCall): void {
  const { record, call, target, type } = array;
  const { lowering } = record;
  invariant(lowering.form === "statements", () => record.name);
  const [args, context] = [argsOf(record, call), lowerContext(l)];
  const extents = lowering.extents === undefined ? type.shape : named(l, target, lowering.extents(args, context));
  const made = lowering.lower(args, context, type);
  invariant(made?.kind === "Var", () => `${record.name} makes no buffer`);
  l.values.set(target, { buffer: made, extents });
}
