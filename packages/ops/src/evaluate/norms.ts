// Values of the normalisations, step by step in the dtype of the elements, or in f32 if that is narrower.

import type { DType } from "@tilefoundry/ir";
import { accumulatorOf, normalAxis } from "../infer.ts";
import { castFunction } from "./casts.ts";
import { readAs, stridesOf, walk } from "./iterate.ts";
import { identityOf, scalarFunction } from "./scalars.ts";
import { putter, zeros, type ArrayValue, type Scalar } from "./values.ts";

/**
 * Calls `row` for each row along an axis with readers and writers by place in the row, which are in 32 bits at least: an element is
 * rounded when it is put.
 */
function eachRow(x: ArrayValue, axis: number, row: (length: number, get: (k: number) => Scalar, put: (k: number, value: Scalar) => void) => void): ArrayValue {
  const out = zeros(x.dtype, x.shape, x.valid);
  const along = normalAxis(axis, x.shape.length) ?? 0;
  const strides = stridesOf(x.shape);
  const step = strides[along] ?? 1;
  const within = accumulatorOf(x.dtype);
  const [get, put, narrow] = [readAs(x, x.dtype, within), putter(out), narrowed(within, x.dtype)];
  walk(x.valid.map((n, i) => (i === along ? 1 : n)), [strides], ([base = 0]) => {
    row(x.valid[along] ?? 0, (k) => get(base + k * step), (k, value) => put(base + k * step, narrow(value)));
  });
  return out;
}

const narrowed = (from: DType, to: DType): ((value: Scalar) => Scalar) => (from === to ? (value) => value : castFunction(from, to));

/** A number as a float dtype holds it. */
const floatsOf = (dtype: DType): ((value: number) => Scalar) => (dtype === "f64" ? (value) => value : castFunction("f64", dtype));

export function softmaxRows(x: ArrayValue, axis: number): ArrayValue {
  const within = accumulatorOf(x.dtype);
  const prim = (op: "add" | "sub" | "div" | "exp" | "max") => scalarFunction(op, within);
  const [add, sub, div, exp, max] = [prim("add"), prim("sub"), prim("div"), prim("exp"), prim("max")];
  return eachRow(x, axis, (length, get, put) => {
    let largest = identityOf("max", within);
    for (let k = 0; k < length; k++) largest = max(largest, get(k));
    let sum: Scalar = 0;
    for (let k = 0; k < length; k++) sum = add(sum, exp(sub(get(k), largest)));
    for (let k = 0; k < length; k++) put(k, div(exp(sub(get(k), largest)), sum));
  });
}

export function rmsNormRows(x: ArrayValue, weight: ArrayValue, eps: number): ArrayValue {
  const within = accumulatorOf(x.dtype);
  const prim = (op: "add" | "mul" | "div" | "sqrt") => scalarFunction(op, within);
  const [add, mul, div, sqrt] = [prim("add"), prim("mul"), prim("div"), prim("sqrt")];
  const [factor, floated] = [readAs(weight, weight.dtype, within), floatsOf(within)];
  return eachRow(x, -1, (length, get, put) => {
    let squares: Scalar = 0;
    for (let k = 0; k < length; k++) squares = add(squares, mul(get(k), get(k)));
    const scale = div(1, sqrt(add(div(squares, floated(length)), floated(eps))));
    for (let k = 0; k < length; k++) put(k, mul(mul(get(k), scale), factor(k)));
  });
}

export function layerNormed(x: ArrayValue, weight: ArrayValue, bias: ArrayValue, axis: number, eps: number): ArrayValue {
  const within = accumulatorOf(x.dtype);
  const prim = (op: "add" | "sub" | "mul" | "div" | "sqrt") => scalarFunction(op, within);
  const [add, sub, mul, div, sqrt] = [prim("add"), prim("sub"), prim("mul"), prim("div"), prim("sqrt")];
  const from = normalAxis(axis, x.shape.length) ?? 0;
  const reading = (array: ArrayValue) => readAs(array, array.dtype, within);
  const [get, factor, offset, out] = [reading(x), reading(weight), reading(bias), zeros(x.dtype, x.shape, x.valid)];
  const [put, strides] = [putter(out), stridesOf(x.shape)];
  const [narrow, floated] = [narrowed(within, x.dtype), floatsOf(within)];
  const inner = x.valid.slice(from);
  const each = (visit: (at: number) => void): void => walk(inner, [strides.slice(from)], ([at = 0]) => visit(at));
  const count = floated(inner.reduce((n, e) => n * e, 1));
  walk(x.valid.slice(0, from), [strides.slice(0, from)], ([base = 0]) => {
    let sum: Scalar = 0;
    each((at) => (sum = add(sum, get(base + at))));
    const mean = div(sum, count);
    let squares: Scalar = 0;
    each((at) => (squares = add(squares, mul(sub(get(base + at), mean), sub(get(base + at), mean)))));
    const scale = div(1, sqrt(add(div(squares, count), floated(eps))));
    each((at) => put(base + at, narrow(add(mul(mul(sub(get(base + at), mean), scale), factor(at)), offset(at)))));
  });
  return out;
}
