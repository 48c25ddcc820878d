// Evaluates a call by the lowering form of its record: what gives ops of users a value, and what the built-in ones are held against.
// The record's functions build expressions; here every leaf of them is a literal, so each is computed as soon as it stands.

import {
  indexConst, NO_FACTS, numberConst, sameDType, tuple, variable,
  type Call, type Const, type Dim, type Expr, type ReduceKind, type TensorType, type Type, type Var,
} from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { argsOf, elementsOf, inputsOf } from "../bind.ts";
import type { Args, ContractForm, ElementForm, LowerContext, OpRecord, Params, Part, Reader, ReduceForm } from "../define.ts";
import { castFunction } from "./casts.ts";
import { evalExpr, type Buffers } from "./expressions.ts";
import { stridesOf, walk } from "./iterate.ts";
import { combineFunction, identityOf, scalarFunction } from "./scalars.ts";
import { constOfScalar, getter, putter, zeros, type ArrayValue, type Result, type Scalar, type Value } from "./values.ts";

interface Running {
  readonly record: OpRecord;
  /** The call with a variable for each array and a literal for each scalar. */
  readonly call: Call;
  readonly args: Args<Params>;
  readonly arrays: Map<Expr, ArrayValue>;
  readonly buffers: Buffers;
  readonly lower: LowerContext;
  readonly dimOf: (d: Dim) => number;
}

/** The value of a call whose inputs have these values, in the order of its arguments; `indices` are lists of numbers. */
export function evaluateByForm(record: OpRecord, call: Call, inputs: readonly (Value | readonly number[])[], dimOf: (d: Dim) => number): Result {
  const running = start(record, call, inputs, dimOf);
  const { lowering } = record;
  switch (lowering.form) {
    case "element": return byElement(running, lowering);
    case "reduce": return byReduction(running, lowering);
    case "contract": return byContraction(running, lowering);
    case "statements": {
      const made = lowering.lower(running.args, running.lower, call.type);
      if (made === undefined) return written(running);
      const array = running.arrays.get(made);
      return array === undefined ? evalExpr(made, running.buffers) : { ...array, valid: lowering.extents?.(running.args, running.lower).map(numberOf) ?? array.valid };
    }
    case "parts": return lowering.lower(running.args, running.lower, partTypes(call.type)).map((part) => partOf(part, running));
  }
}

function partTypes(type: Type): readonly TensorType[] {
  invariant(type.kind === "TupleType", () => `several arrays of type ${type.kind}`);
  return type.fields.filter((field) => field.kind === "Tensor");
}

function partOf({ buffer, extents }: Part, { record, arrays }: Running): ArrayValue {
  const array = arrays.get(buffer);
  invariant(array !== undefined, () => `a part of ${record.name} has no buffer`);
  return { ...array, valid: extents.map(numberOf) };
}

/** The array a writing op has written. */
function written({ record, call, arrays }: Running): ArrayValue {
  const target = inputsOf(record, call).find((input) => input.name === record.writes)?.value;
  const array = target && arrays.get(target);
  invariant(array !== undefined, () => `${record.name} gives neither a value nor a written array`);
  return array;
}

function start(record: OpRecord, call: Call, inputs: readonly (Value | readonly number[])[], dimOf: (d: Dim) => number): Running {
  const arrays = new Map<Expr, ArrayValue>();
  const args = inputsOf(record, call).map(({ name, spec, value: expr }, i): Expr => {
    const value = inputs[i];
    invariant(value !== undefined, () => `no value for ${name}`);
    if (spec.input === "indices") {
      invariant(Array.isArray(value), () => `${name} is no list of indices`);
      return tuple(value.map((n) => indexConst(Number(n))));
    }
    if (typeof value === "object" && "kind" in value) {
      const standIn = variable(name, expr.type);
      arrays.set(standIn, value);
      return standIn;
    }
    invariant(typeof value !== "object" && expr.type.kind === "Scalar", () => `${name} is no scalar`);
    return constOfScalar(value, expr.type.dtype);
  });
  const standIn: Call = { ...call, args };
  const buffers: Buffers = (buffer) => arrays.get(buffer);
  return { record, call: standIn, args: argsOf(record, standIn), arrays, buffers, lower: immediate(arrays, buffers, dimOf), dimOf };
}

// — forms —

function resultOf({ call, dimOf }: Running, extents: readonly number[] | undefined): ArrayValue {
  const { type } = call;
  invariant(type.kind === "Tensor", () => `an array result of type ${type.kind}`);
  return zeros(type.dtype, type.shape.map(dimOf), extents);
}

/** Puts the element at each index of the result's valid part. */
function fill(array: ArrayValue, element: (index: readonly Expr[]) => Scalar): ArrayValue {
  const [put, strides] = [putter(array), stridesOf(array.shape)];
  eachIndex(array.valid, (index) => put(index.reduce((at, i, axis) => at + i * (strides[axis] ?? 0), 0), element(index.map((i) => indexConst(i)))));
  return array;
}

function eachIndex(extents: readonly number[], visit: (index: readonly number[]) => void): void {
  walk(extents, extents.map((_, axis) => extents.map((__, other) => (axis === other ? 1 : 0))), visit);
}

function byElement(running: Running, form: ElementForm<Params>): ArrayValue {
  const { record, call, args, lower, buffers } = running;
  const { type } = call;
  invariant(type.kind === "Tensor", () => `an array result of type ${type.kind}`);
  const extents = (form.extents?.(args, lower) ?? lower.common(call.args, type.shape)).map(numberOf);
  const elements = elementsOf(record, call, lower.reader);
  return fill(resultOf(running, extents), (index) => evalExpr(form.element(elements, index, type, lower.bind), buffers));
}

function byReduction(running: Running, form: ReduceForm<Params>): ArrayValue {
  const { record, call, args, lower, buffers } = running;
  const over: unknown = args[form.over]; // `Args` of unknown parameters promises nothing
  const operand = inputsOf(record, call).find((input) => input.value === over)?.value;
  const array = operand && running.arrays.get(operand);
  invariant(operand !== undefined && array !== undefined, () => `${record.name} reduces no array`);
  const axes = form.axes(args);
  const keep = form.keep(args);
  const kind = typeof form.combine === "function" ? form.combine(args) : form.combine;
  const elements = elementsOf(record, call, lower.reader);
  const summed = axes.map((axis) => array.valid[axis] ?? 1);
  const extents = array.valid.flatMap((n, axis) => (axes.includes(axis) ? (keep ? [1] : []) : [n]));
  return fill(resultOf(running, extents), (index) => {
    const combined = lower.reduce(kind, summed.map((n) => indexConst(n)), (inner) => {
      const at = fullIndex(array.shape.length, axes, keep, index, inner);
      return form.element?.(elements, at, lower.bind) ?? lower.reader(operand)(at);
    });
    const count = indexConst(summed.reduce((n, e) => n * e, 1));
    return evalExpr(form.finish?.(args, combined, count) ?? combined, buffers);
  });
}

function fullIndex(rank: number, axes: readonly number[], keep: boolean, outer: readonly Expr[], inner: readonly Expr[]): readonly Expr[] {
  const kept = keep ? outer.filter((_, axis) => !axes.includes(axis)) : outer;
  let next = 0;
  return Array.from({ length: rank }, (_, axis) => (axes.includes(axis) ? inner[axes.indexOf(axis)] : kept[next++]) ?? indexConst(0));
}

function byContraction(running: Running, form: ContractForm<Params>): ArrayValue {
  const { record, call, lower, buffers } = running;
  const { type } = call;
  invariant(type.kind === "Tensor", () => `an array result of type ${type.kind}`);
  const args = form.prepare?.(running.args, lower) ?? running.args;
  const { init, factors } = form.terms(args, lower, type);
  const summed = form.summed(args, lower).map(numberOf);
  return fill(resultOf(running, form.extents(args, lower).map(numberOf)), (index) => {
    const start = init(index);
    invariant(start.type.kind === "Scalar", () => `${record.name} sums no scalars`);
    const { dtype } = start.type;
    const mad = scalarFunction("mad", dtype);
    let total = evalExpr(start, buffers);
    eachIndex(summed, (inner) => {
      const [a, b] = factors(index, inner.map((i) => indexConst(i)));
      total = mad(evalExpr(a, buffers), evalExpr(b, buffers), total);
    });
    return sameDType(dtype, type.dtype) ? total : castFunction(dtype, type.dtype)(total);
  });
}

// — services to the records, at once —

const numberOf = (e: Expr): number => Number(evalExpr(e, () => undefined));

function literal(e: Expr, buffers: Buffers): Const {
  invariant(e.type.kind === "Scalar", () => `a bound value of type ${e.type.kind}`);
  return constOfScalar(evalExpr(e, buffers), e.type.dtype);
}

function immediate(arrays: Map<Expr, ArrayValue>, buffers: Buffers, dimOf: (d: Dim) => number): LowerContext {
  const arrayOf = (e: Expr): ArrayValue => {
    const array = arrays.get(e);
    invariant(array !== undefined, () => "an array without a value");
    return array;
  };
  const indexOf = (index: readonly Expr[]): readonly number[] => index.map((e) => Number(evalExpr(e, buffers)));
  return {
    facts: NO_FACTS,
    buffer: (array) => array,
    extents: (array) => arrayOf(array).valid.map((n) => indexConst(n)),
    common: (operands, shape) => shape.map((d, axis) => indexConst(commonExtent(operands.flatMap((e) => arrays.get(e) ?? []), shape.length - axis, dimOf(d)))),
    reader: (operand) => readerOf(operand, arrays.get(operand), indexOf),
    window: (array, offsets, sizes) => {
      const { valid } = arrayOf(array);
      const [at, wanted] = [indexOf(offsets), indexOf(sizes)];
      return valid.map((extent, axis) => {
        const offset = at[axis] ?? 0;
        return indexConst(offset < 0 ? 0 : Math.max(0, Math.min(wanted[axis] ?? 0, extent - offset)));
      });
    },
    inside: (array, index) => {
      const { valid } = arrayOf(array);
      const inside = indexOf(index).every((i, axis) => i >= 0 && i < (valid[axis] ?? 0));
      return inside ? undefined : constOfScalar(false, "bool");
    },
    bind: (_hint, value) => literal(value, buffers),
    alloc: (hint, type) => {
      const made: Var = variable(hint, type);
      arrays.set(made, zeros(type.dtype, type.shape.map(dimOf)));
      return made;
    },
    nest: (extents, body) => eachIndex(indexOf(extents), (index) => body(index.map((i) => indexConst(i)))),
    reduce: (kind, extents, element) => combined(kind, indexOf(extents), element, buffers),
    emit: (effect) => void evalExpr(effect, buffers),
  };
}

/** Along an axis, counted from behind, the least of the operands that are not broadcast along it; an empty operand leaves nothing. */
function commonExtent(operands: readonly ArrayValue[], fromEnd: number, extent: number): number {
  const own = operands.map(({ shape, valid }) => {
    const at = shape.length - fromEnd;
    return shape[at] === 1 && extent !== 1 ? (valid[at] ?? 1) * extent : (valid[at] ?? extent);
  });
  return Math.min(extent, ...own);
}

function readerOf(operand: Expr, array: ArrayValue | undefined, indexOf: (index: readonly Expr[]) => readonly number[]): Reader {
  if (array === undefined) return () => operand;
  const [get, strides] = [getter(array), stridesOf(array.shape)];
  return (index, beyond) => {
    const at = indexOf(index.slice(index.length - array.shape.length));
    if (beyond === "zero" && at.some((i, axis) => i < 0 || i >= (array.valid[axis] ?? 0))) return numberConst(0, array.dtype);
    const flat = at.reduce((n, i, axis) => n + (array.shape[axis] === 1 ? 0 : i * (strides[axis] ?? 0)), 0);
    return constOfScalar(get(flat), array.dtype);
  };
}

/** Folds elements from the identity on; the dtype is that of an element at the origin, which of nothing is not used. */
function combined(kind: ReduceKind, extents: readonly number[], element: (index: readonly Expr[]) => Expr, buffers: Buffers): Const {
  const { type } = element(extents.map(() => indexConst(0)));
  invariant(type.kind === "Scalar", () => "a reduction of no scalars");
  const combine = combineFunction(kind, type.dtype);
  let total = identityOf(kind, type.dtype);
  eachIndex(extents, (index) => {
    total = combine(total, evalExpr(element(index.map((i) => indexConst(i))), buffers));
  });
  return constOfScalar(total, type.dtype);
}
