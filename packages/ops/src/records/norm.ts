// Normalisations of rows: composites that are computed step by step, as their docs say, in the dtype of their elements or f32 if that is
// narrower; then the result is rounded once.

import { cast, dimsEqual, indexConst, numberConst, prim, sameDType, shapesEqual, shapeText, store, type DType, type Expr, type Type } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { defineOp, type InferContext, type LowerContext, type Reader } from "../define.ts";
import { showDType } from "../describe.ts";
import { FLOATS, tensor, tile } from "../example.ts";
import { accumulatorOf, arrayType, normalAxis } from "../infer.ts";
import { as } from "./elementwise.ts";

/** The buffer of a result, and for each row along `axis` what `row` emits: it gets the index of an element from its place in the row. */
function byRow(x: Expr, axis: number, type: Type, lower: LowerContext, row: (at: (k: Expr) => readonly Expr[], length: Expr, out: Expr) => void): Expr {
  invariant(type.kind === "Tensor", () => "a normalised value that is no array");
  const extents = lower.extents(x);
  const along = normalAxis(axis, extents.length) ?? 0;
  const out = lower.alloc("normalised", type);
  const length = extents[along] ?? numberConst(1, "index");
  lower.nest(extents.filter((_, i) => i !== along), (outer) => row((k) => [...outer.slice(0, along), k, ...outer.slice(along)], length, out));
  return out;
}

/** A reader of elements in another dtype. */
const widened = (read: Reader, dtype: DType): ((index: readonly Expr[]) => Expr) => (index) => as(read(index), dtype);

/** Applies `body` along one axis. */
const each = (lower: LowerContext, length: Expr, body: (k: Expr) => void): void => lower.nest([length], ([k]) => k && body(k));
const total = (lower: LowerContext, kind: "add" | "max", length: Expr, element: (k: Expr) => Expr): Expr =>
  lower.reduce(kind, [length], ([k]) => element(k ?? numberConst(0, "index")));

export const softmax = defineOp({
  name: "softmax",
  doc: "The exponentials of each row divided by their sum; each element first loses the row's maximum, so that none overflows.",
  pl: [],
  tf: ["softmax"],
  params: {
    x: { input: "array", doc: "the operand" },
    axis: { attr: "int", doc: "the axis that sums to 1", default: -1, aka: ["dim"] },
  },
  infer: ({ x, axis }, context) => {
    const type = arrayType(x);
    return normalAxis(axis, type.shape.length) === undefined ? context.fail("axis", `has no axis ${axis} in the shape ${shapeText(type.shape)}`) : type;
  },
  lowering: {
    form: "statements",
    extents: ({ x }, lower) => lower.extents(x),
    lower: ({ x, axis }, lower, type) => {
      const { dtype } = arrayType(x);
      const read = widened(lower.reader(x), accumulatorOf(dtype));
      return byRow(x, axis, type, lower, (at, length, out) => {
        const largest = lower.bind("largest", total(lower, "max", length, (k) => read(at(k))));
        const power = (k: Expr): Expr => prim("exp", [prim("sub", [read(at(k)), largest])]);
        const sum = lower.bind("sum", total(lower, "add", length, power));
        each(lower, length, (k) => lower.emit(store(out, at(k), as(prim("div", [power(k), sum]), dtype))));
      });
    },
  },
  dtypes: FLOATS,
  examples: [
    { title: "equal elements share", args: { x: tensor("f32", [2, 2], [5, 5, -1000, -1000]) }, result: tensor("f32", [2, 2], [0.5, 0.5, 0.5, 0.5]) },
    { title: "none overflows", args: { x: tensor("f32", [1, 2], [1e30, 0]) }, result: tensor("f32", [1, 2], [1, 0]) },
    { title: "along the first axis", args: { x: tensor("f64", [2, 2], [3, -Infinity, 3, 7]), axis: 0 }, result: tensor("f64", [2, 2], [0.5, 0, 0.5, 1]) },
    { title: "NaN spreads over its row", args: { x: tile("f32", [2, 2], [NaN, 1, 2, 2]) }, result: tile("f32", [2, 2], [NaN, NaN, 0.5, 0.5]) },
    { title: "only the valid part counts", args: { x: { ...tile("f32", [1, 3], [4, 4, 9]), valid: [1, 2] } }, result: { ...tile("f32", [1, 3], [0.5, 0.5, 0]), valid: [1, 2] } },
  ],
});

export const rmsNorm = defineOp({
  name: "rms_norm",
  doc: "Each row divided by the root of the mean of its squares, times a weight: x * (1 / sqrt(mean(x*x) + eps)) * weight.",
  pl: [],
  tf: ["rms_norm"],
  params: {
    x: { input: "array", doc: "the operand; its last axis is normalised" },
    weight: { input: "array", doc: "one factor for each element of a row" },
    eps: { attr: "number", doc: "what is added to the mean", default: 1e-6 },
  },
  infer: ({ x, weight }, context) => {
    const [type, factors] = [arrayType(x), arrayType(weight)];
    const last = type.shape.at(-1);
    if (last === undefined || factors.shape.length !== 1 || !dimsEqual(last, factors.shape[0] ?? NaN)) {
      return context.fail("weight", `needs one factor for each element of a row of ${shapeText(type.shape)}, not ${shapeText(factors.shape)}`);
    }
    return factors.dtype === type.dtype ? type : context.fail("weight", `mixes ${type.dtype} and ${factors.dtype}`);
  },
  lowering: {
    form: "statements",
    extents: ({ x }, lower) => lower.extents(x),
    lower: ({ x, weight, eps }, lower, type) => {
      const { dtype: own } = arrayType(x);
      const dtype = accumulatorOf(own);
      const [read, factor] = [widened(lower.reader(x), dtype), widened(lower.reader(weight), dtype)];
      return byRow(x, -1, type, lower, (at, length, out) => {
        const squares = total(lower, "add", length, (k) => {
          const element = lower.bind("x", read(at(k)));
          return prim("mul", [element, element]);
        });
        const mean = prim("div", [squares, cast(length, dtype)]);
        const scale = lower.bind("scale", prim("div", [numberConst(1, dtype), prim("sqrt", [prim("add", [mean, numberConst(eps, dtype)])])]));
        each(lower, length, (k) => lower.emit(store(out, at(k), as(prim("mul", [prim("mul", [read(at(k)), scale]), factor([k])]), own))));
      });
    },
  },
  dtypes: FLOATS,
  examples: [
    {
      title: "rows of root mean square 1 and 2",
      args: { x: tensor("f32", [2, 2], [1, -1, 2, 2]), weight: tensor("f32", [2], [1, 3]), eps: 0 },
      result: tensor("f32", [2, 2], [1, -3, 1, 3]),
    },
    { title: "a row of zeros", args: { x: tensor("f64", [1, 2], [0, 0]), weight: tensor("f64", [2], [1, 1]) }, result: tensor("f64", [1, 2], [0, 0]) },
    { title: "NaN spreads over its row", args: { x: tensor("f32", [1, 2], [NaN, 1]), weight: tensor("f32", [2], [1, 1]) }, result: tensor("f32", [1, 2], [NaN, NaN]) },
  ],
});

/** Why factors or offsets are not one for each normalised element, as the end of a sentence. */
function affineFault(x: Expr, affine: Expr, from: number, { dialect }: InferContext): string | undefined {
  const [type, own] = [arrayType(x), arrayType(affine)];
  const wanted = type.shape.slice(from);
  if (!shapesEqual(own.shape, wanted)) return `needs one for each normalised element of ${shapeText(type.shape)}: the shape ${shapeText(wanted)}, not ${shapeText(own.shape)}`;
  const fits = sameDType(own.dtype, type.dtype) || sameDType(own.dtype, accumulatorOf(type.dtype));
  return fits ? undefined : `mixes ${showDType(type.dtype, dialect)} and ${showDType(own.dtype, dialect)}`;
}

export const layerNorm = defineOp({
  name: "layer_norm",
  doc:
    "Elements less their mean, divided by their deviation, times a weight, plus a bias; over all axes from one on: " +
    "(x - mean(x)) * (1 / sqrt(mean((x - mean(x))^2) + eps)) * weight + bias. Of narrow floats computed in f32.",
  pl: [],
  tf: ["layer_norm"],
  params: {
    x: { input: "array", doc: "the operand", aka: ["input"] },
    weight: { input: "array", doc: "one factor for each normalised element" },
    bias: { input: "array", doc: "what is added to each normalised element" },
    axis: { attr: "int", doc: "the first normalised axis; a negative one counts from the last", default: -1 },
    eps: { attr: "number", doc: "what is added to the mean of squares", default: 1e-5 },
  },
  infer: ({ x, weight, bias, axis }, context) => {
    const type = arrayType(x);
    const from = normalAxis(axis, type.shape.length);
    if (from === undefined) return context.fail("axis", `has no axis ${axis} in the shape ${shapeText(type.shape)}`);
    for (const [param, affine] of [["weight", weight], ["bias", bias]] as const) {
      const fault = affineFault(x, affine, from, context);
      if (fault !== undefined) return context.fail(param, fault);
    }
    return type;
  },
  lowering: {
    form: "statements",
    extents: ({ x }, lower) => lower.extents(x),
    lower: ({ x, weight, bias, axis, eps }, lower, type) => {
      invariant(type.kind === "Tensor", () => "a normalised value that is no array");
      const [extents, within] = [lower.extents(x), accumulatorOf(type.dtype)];
      const from = normalAxis(axis, extents.length) ?? 0;
      const inner = extents.slice(from);
      const [read, factor, offset] = [widened(lower.reader(x), within), widened(lower.reader(weight), within), widened(lower.reader(bias), within)];
      const count = cast(inner.reduce((n, extent) => prim("mul", [n, extent]), indexConst(1)), within);
      const out = lower.alloc("normalised", type);
      lower.nest(extents.slice(0, from), (outer) => {
        const at = (index: readonly Expr[]): readonly Expr[] => [...outer, ...index];
        const mean = lower.bind("mean", prim("div", [lower.reduce("add", inner, (index) => read(at(index))), count]));
        const squares = lower.reduce("add", inner, (index) => {
          const distance = lower.bind("distance", prim("sub", [read(at(index)), mean]));
          return prim("mul", [distance, distance]);
        });
        const variance = prim("add", [prim("div", [squares, count]), numberConst(eps, within)]);
        const scale = lower.bind("scale", prim("div", [numberConst(1, within), prim("sqrt", [variance])]));
        lower.nest(inner, (index) => {
          const scaled = prim("mul", [prim("mul", [prim("sub", [read(at(index)), mean]), scale]), factor(index)]);
          lower.emit(store(out, at(index), as(prim("add", [scaled, offset(index)]), type.dtype)));
        });
      });
      return out;
    },
  },
  dtypes: FLOATS,
  examples: [
    {
      title: "rows of deviation 1 and 2",
      args: { x: tensor("f32", [2, 2], [1, 3, -2, 2]), weight: tensor("f32", [2], [1, 2]), bias: tensor("f32", [2], [0, 1]), eps: 0 },
      result: tensor("f32", [2, 2], [-1, 3, -1, 3]),
    },
    {
      title: "over two axes",
      args: { x: tensor("f64", [1, 2, 2], [1, 1, 3, 3]), weight: tensor("f64", [2, 2], [1, 2, 3, 4]), bias: tensor("f64", [2, 2], [0, 0, 0, 1]), axis: 1, eps: 0 },
      result: tensor("f64", [1, 2, 2], [-1, -2, 3, 5]),
    },
    {
      title: "equal elements give the bias",
      args: { x: tensor("f32", [1, 2], [7, 7]), weight: tensor("f32", [2], [5, 5]), bias: tensor("f32", [2], [1, 2]) },
      result: tensor("f32", [1, 2], [1, 2]),
    },
    {
      title: "NaN spreads over its row",
      args: { x: tensor("f32", [1, 2], [NaN, 1]), weight: tensor("f32", [2], [1, 1]), bias: tensor("f32", [2], [0, 0]) },
      result: tensor("f32", [1, 2], [NaN, NaN]),
    },
  ],
});
