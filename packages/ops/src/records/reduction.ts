// Reductions along axes. Only the valid part counts; of nothing, a sum is 0, a product 1, a maximum the least value of the dtype.

import { cast, isFloat, numberConst, prim, shapeText, type DType, type ReduceKind, type TensorType, type Type } from "@tilefoundry/ir";
import { defineOp, type Example, type InferContext } from "../define.ts";
import { NUMBERS, tensor, tile } from "../example.ts";
import { arrayType, normalAxis, withShape } from "../infer.ts";
import { SCRATCH } from "./elementwise.ts";

interface AlongAxis {
  readonly name: string;
  readonly doc: string;
  readonly combine: ReduceKind;
  readonly examples: readonly [Example, Example, ...Example[]];
}

/** The axis along which a row runs: the last. */
export const rowAxis = ({ shape }: TensorType): number => shape.length - 1;
/** The axis along which a column runs: the last but one of a tensor, the first of a tile. */
export const columnAxis = ({ shape, domain }: TensorType): number => (domain === "tile" && shape.length > 1 ? 0 : shape.length - 2);

/** PyPTO's row and column reductions: one axis, kept with extent 1. A scratch tile is accepted and not needed. */
function along(axisOf: (type: TensorType) => number, { combine, ...spec }: AlongAxis) {
  return defineOp({
    ...spec,
    pl: [spec.name],
    tf: [],
    params: {
      x: { input: "array", doc: "the array to reduce", aka: ["input", "src", "tile"] },
      tmp_tile: SCRATCH,
    },
    infer: ({ x }, context) => keepAxis(axisOf(arrayType(x)), arrayType(x), context),
    lowering: { form: "reduce", over: "x", axes: ({ x }) => [axisOf(arrayType(x))], keep: () => true, combine },
    dtypes: NUMBERS,
    ...(combine === "max" || combine === "min" ? { ulp: 0 } : {}),
  });
}

/** The type with an axis of extent 1, which it must have. */
export function keepAxis(axis: number, type: TensorType, context: InferContext): Type {
  const { shape } = type;
  if (axis < 0) return context.fail("x", `needs at least ${shape.length - axis} ax${shape.length - axis === 1 ? "is" : "es"}, not the shape ${shapeText(shape)}`);
  return withShape(type, shape.map((d, i) => (i === axis ? 1 : d)));
}

const reduced = (title: string, dtype: DType, shape: readonly number[], x: readonly number[], to: readonly number[], result: readonly number[]): Example => ({
  title,
  args: { x: tile(dtype, shape, x) },
  result: tile(dtype, to, result),
});

const tail = (dtype: DType, x: readonly number[], valid: number, result: number): Example => ({
  title: "only the valid part counts",
  args: { x: { ...tile(dtype, [1, x.length], x), valid: [1, valid] } },
  result: tile(dtype, [1, 1], [result]),
});

export const rowMax = along(rowAxis, {
  name: "row_max",
  doc: "The maximum of each row, with the last axis kept as extent 1; NaN if one is in the row. Either zero may come of both.",
  combine: "max",
  examples: [
    reduced("the largest of each row", "f32", [2, 3], [1, 3, 2, -1, -3, -2], [2, 1], [3, -1]),
    reduced("NaN spreads over its row", "f32", [2, 2], [1, NaN, 2, 3], [2, 1], [NaN, 3]),
    tail("i32", [1, 2, 9], 2, 2),
    tail("f32", [1, 2, 9], 0, -Infinity),
  ],
});

export const rowMin = along(rowAxis, {
  name: "row_min",
  doc: "The minimum of each row, with the last axis kept as extent 1; NaN if one is in the row. Either zero may come of both.",
  combine: "min",
  examples: [
    reduced("the smallest of each row", "i32", [2, 3], [1, 3, 2, -1, -3, -2], [2, 1], [1, -3]),
    reduced("NaN spreads over its row", "f64", [2, 2], [1, NaN, 2, 3], [2, 1], [NaN, 2]),
    tail("u8", [7, 5, 1], 0, 255),
  ],
});

export const rowSum = along(rowAxis, {
  name: "row_sum",
  doc: "The sum of each row, with the last axis kept as extent 1; integers wrap. The order of addition is free.",
  combine: "add",
  examples: [
    reduced("sums of rows", "f32", [2, 3], [1, 2, 3, 4, 5, 6], [2, 1], [6, 15]),
    reduced("wraps", "u8", [1, 2], [200, 100], [1, 1], [44]),
    tail("f32", [1, 2, 4], 2, 3),
  ],
});

export const rowProd = along(rowAxis, {
  name: "row_prod",
  doc: "The product of each row, with the last axis kept as extent 1; integers wrap. The order of multiplication is free.",
  combine: "mul",
  examples: [
    reduced("products of rows", "f32", [2, 3], [1, 2, 3, 4, 5, 6], [2, 1], [6, 120]),
    tail("i32", [3, 5, 7], 0, 1),
  ],
});

export const colMax = along(columnAxis, {
  name: "col_max",
  doc: "The maximum of each column, with the last axis but one kept as extent 1; NaN if one is in the column.",
  combine: "max",
  examples: [
    reduced("the largest of each column", "f32", [2, 3], [1, 5, 2, 4, 3, 6], [1, 3], [4, 5, 6]),
    reduced("NaN spreads over its column", "f32", [2, 2], [NaN, 1, 2, 3], [1, 2], [NaN, 3]),
  ],
});

export const colMin = along(columnAxis, {
  name: "col_min",
  doc: "The minimum of each column, with the last axis but one kept as extent 1; NaN if one is in the column.",
  combine: "min",
  examples: [
    reduced("the smallest of each column", "f32", [2, 3], [1, 5, 2, 4, 3, 6], [1, 3], [1, 3, 2]),
    reduced("NaN spreads over its column", "f32", [2, 2], [NaN, 1, 2, 3], [1, 2], [NaN, 1]),
  ],
});

export const colSum = along(columnAxis, {
  name: "col_sum",
  doc: "The sum of each column, with the last axis but one kept as extent 1; integers wrap. The order of addition is free.",
  combine: "add",
  examples: [
    reduced("sums of columns", "f32", [2, 3], [1, 2, 3, 4, 5, 6], [1, 3], [5, 7, 9]),
    reduced("wraps", "i32", [2, 1], [2147483647, 1], [1, 1], [-2147483648]),
  ],
});

export const colProd = along(columnAxis, {
  name: "col_prod",
  doc: "The product of each column, with the last axis but one kept as extent 1; integers wrap.",
  combine: "mul",
  examples: [
    reduced("products of columns", "f32", [2, 3], [1, 2, 3, 4, 5, 6], [1, 3], [4, 10, 18]),
    reduced("wraps", "u32", [2, 1], [65536, 65536], [1, 1], [0]),
  ],
});

/** TileFoundry's reductions: how they combine, and what they do to elements before and to the result after. */
const KINDS = ["mean", "sum", "max", "min", "abs_max"] as const;
type Kind = (typeof KINDS)[number];
const COMBINE = { mean: "add", sum: "add", max: "max", min: "min", abs_max: "max" } as const satisfies Readonly<Record<Kind, ReduceKind>>;

export const reduce = defineOp({
  name: "reduce",
  doc:
    "The mean, sum, maximum, minimum or largest magnitude over some axes. A mean is the sum divided by the count, each rounded; " +
    "of nothing a sum is 0, a largest magnitude 0, a mean NaN.",
  pl: [],
  tf: ["reduce"],
  params: {
    x: { input: "array", doc: "the array to reduce" },
    axes: { attr: "ints", doc: "the axes to reduce; negative ones count from the last", aka: ["axis"] },
    keepdim: { attr: "bool", doc: "whether reduced axes stay with extent 1", default: true, aka: ["keepdims"] },
    kind: { attr: KINDS, doc: "how elements are combined", default: "mean" },
  },
  infer: ({ x, axes, keepdim, kind }, context) => {
    const type = arrayType(x);
    const rank = type.shape.length;
    const normal = axes.map((axis) => normalAxis(axis, rank));
    const absent = axes.find((_, i) => normal[i] === undefined);
    if (absent !== undefined) return context.fail("axes", `has no axis ${absent} in the shape ${shapeText(type.shape)}`);
    if (new Set(normal).size !== normal.length) return context.fail("axes", `reduces an axis twice: ${shapeText(axes)}`);
    if (kind === "mean" && !isFloat(type.dtype)) return context.fail("x", `takes the mean of floats, not of ${type.dtype}; cast it first`);
    const shape = keepdim ? type.shape.map((d, i) => (normal.includes(i) ? 1 : d)) : type.shape.filter((_, i) => !normal.includes(i));
    return withShape(type, shape);
  },
  lowering: {
    form: "reduce",
    over: "x",
    axes: ({ x, axes }) => axes.map((axis) => (axis < 0 ? axis + arrayType(x).shape.length : axis)),
    keep: ({ keepdim }) => keepdim,
    combine: ({ kind }) => COMBINE[kind],
    element: (x, index) => (x.kind === "abs_max" ? prim("abs", [x.x(index)]) : x.x(index)),
    finish: ({ x, kind }, combined, count) => {
      const { dtype } = arrayType(x);
      if (kind === "mean") return prim("div", [combined, cast(count, dtype)]);
      return kind === "abs_max" ? prim("max", [combined, numberConst(0, dtype)]) : combined;
    },
  },
  dtypes: NUMBERS,
  examples: [
    {
      title: "the mean of each row",
      args: { x: tensor("f32", [2, 4], [1, 2, 3, 4, 5, 6, 7, 8]), axes: [-1] },
      result: tensor("f32", [2, 1], [2.5, 6.5]),
    },
    {
      title: "the sum over two axes, dropped",
      args: { x: tensor("i32", [2, 2], [1, 2, 3, 4]), axes: [0, 1], keepdim: false, kind: "sum" },
      result: tensor("i32", [], [10]),
    },
    {
      title: "the largest magnitude",
      args: { x: tensor("f32", [1, 3], [1, -5, 3]), axes: [1], kind: "abs_max" },
      result: tensor("f32", [1, 1], [5]),
    },
    {
      title: "the mean of nothing is NaN",
      args: { x: tensor("f32", [1, 0], []), axes: [1] },
      result: tensor("f32", [1, 1], [NaN]),
    },
    {
      title: "NaN spreads",
      args: { x: tensor("f64", [1, 2], [NaN, 1]), axes: [1], kind: "max" },
      result: tensor("f64", [1, 1], [NaN]),
    },
  ],
});
