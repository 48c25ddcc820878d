// PyPTO's row and column expansions: one operand has a value for each row (`[R, 1]`) or for each column (`[1, C]`), which is
// repeated along the other axis.

import { dimsEqual, prim, shapeText, type DType, type Expr, type PrimOp, type TensorType } from "@tilefoundry/ir";
import { defineOp, type Bind, type Example, type InferContext } from "../define.ts";
import { FLOATS, NUMBERS, tile } from "../example.ts";
import { arrayType, inferElementwise } from "../infer.ts";
import { as, quotient, SCRATCH } from "./elementwise.ts";

interface Expansion {
  readonly name: string;
  readonly doc: string;
  readonly of: (a: Expr, b: Expr, bind: Bind, dtype: DType) => Expr;
  readonly dtypes?: readonly DType[];
  readonly ulp?: number;
  readonly examples: readonly [Example, Example, ...Example[]];
}

/** Why a vector is not one value for each row or column of `x`, as the end of a sentence. */
function vectorFault(x: TensorType, vector: TensorType, along: "row" | "col"): string | undefined {
  const rank = x.shape.length;
  if (rank < 2) return `needs a matrix, not the shape ${shapeText(x.shape)}`;
  const repeated = along === "row" ? rank - 1 : rank - 2;
  const fits = vector.shape.length === rank && x.shape.every((d, axis) => dimsEqual(axis === repeated ? 1 : d, vector.shape[axis] ?? NaN));
  if (fits) return undefined;
  const wanted = x.shape.map((d, axis) => (axis === repeated ? 1 : d));
  return `needs one value for each ${along === "row" ? "row" : "column"}: the shape ${shapeText(wanted)} beside ${shapeText(x.shape)}, not ${shapeText(vector.shape)}`;
}

function inferExpansion(x: Expr, vector: Expr, name: string, along: "row" | "col", context: InferContext) {
  const fault = vectorFault(arrayType(x), arrayType(vector), along);
  return fault === undefined ? inferElementwise([["x", x], [name, vector]], context) : context.fail(name, fault);
}

const X = { input: "array", doc: "the matrix" } as const;

function rowExpand({ of, dtypes = NUMBERS, ulp = 0, ...spec }: Expansion) {
  return defineOp({
    ...spec,
    pl: [spec.name],
    tf: [],
    params: { x: X, row_vec: { input: "array", doc: "one value for each row: the last axis has extent 1" }, tmp_tile: SCRATCH },
    infer: ({ x, row_vec }, context) => inferExpansion(x, row_vec, "row_vec", "row", context),
    lowering: { form: "element", element: (x, index, { dtype }, bind) => of(as(x.x(index), dtype), as(x.row_vec(index), dtype), bind, dtype) },
    dtypes,
    ulp,
  });
}

function colExpand({ of, dtypes = NUMBERS, ulp = 0, ...spec }: Expansion) {
  return defineOp({
    ...spec,
    pl: [spec.name],
    tf: [],
    params: { x: X, col_vec: { input: "array", doc: "one value for each column: the last axis but one has extent 1" } },
    infer: ({ x, col_vec }, context) => inferExpansion(x, col_vec, "col_vec", "col", context),
    lowering: { form: "element", element: (x, index, { dtype }, bind) => of(as(x.x(index), dtype), as(x.col_vec(index), dtype), bind, dtype) },
    dtypes,
    ulp,
  });
}

const apply = (op: PrimOp) => (a: Expr, b: Expr): Expr => prim(op, [a, b]);

const byRow = (title: string, dtype: DType, x: readonly number[], vector: readonly number[], result: readonly number[]): Example => ({
  title,
  args: { x: tile(dtype, [vector.length, x.length / vector.length], x), row_vec: tile(dtype, [vector.length, 1], vector) },
  result: tile(dtype, [vector.length, x.length / vector.length], result),
});

const byColumn = (title: string, dtype: DType, x: readonly number[], vector: readonly number[], result: readonly number[]): Example => ({
  title,
  args: { x: tile(dtype, [x.length / vector.length, vector.length], x), col_vec: tile(dtype, [1, vector.length], vector) },
  result: tile(dtype, [x.length / vector.length, vector.length], result),
});

export const rowExpandAdd = rowExpand({
  name: "row_expand_add",
  doc: "Each row plus its value; integers wrap.",
  of: apply("add"),
  examples: [
    byRow("adds by row", "f32", [1, 2, 3, 4], [10, 20], [11, 12, 23, 24]),
    byRow("wraps", "u8", [250, 1], [10], [4, 11]),
  ],
});

export const rowExpandSub = rowExpand({
  name: "row_expand_sub",
  doc: "Each row less its value; integers wrap.",
  of: apply("sub"),
  examples: [
    byRow("subtracts by row", "f32", [1, 2, 3, 4], [2, 4], [-1, 0, -1, 0]),
    byRow("infinity less infinity is NaN", "f32", [Infinity, 1], [Infinity], [NaN, -Infinity]),
    {
      title: "valid where both are",
      args: { x: { ...tile("f32", [2, 2], [1, 2, 3, 4]), valid: [2, 1] }, row_vec: { ...tile("f32", [2, 1], [1, 1]), valid: [1, 1] } },
      result: { ...tile("f32", [2, 2], [0, 0, 0, 0]), valid: [1, 1] },
    },
  ],
});

export const rowExpandMul = rowExpand({
  name: "row_expand_mul",
  doc: "Each row times its value; integers wrap.",
  of: apply("mul"),
  examples: [
    byRow("multiplies by row", "f32", [1, 2, 3, 4], [2, -1], [2, 4, -3, -4]),
    byRow("zero times infinity is NaN", "f64", [Infinity, 2], [0], [NaN, 0]),
  ],
});

export const rowExpandDiv = rowExpand({
  name: "row_expand_div",
  doc: "Each row divided by its value: floats correctly rounded, integers truncated toward zero and 0 where the divisor is 0.",
  of: quotient,
  examples: [
    byRow("divides by row", "f32", [1, 2, 3, 4], [2, -4], [0.5, 1, -0.75, -1]),
    byRow("by zero", "f32", [1, -1, 0], [0], [Infinity, -Infinity, NaN]),
    byRow("integers truncate", "i32", [7, -7, 5, -5], [2, 0], [3, -3, 0, 0]),
  ],
});

export const rowExpandMax = rowExpand({
  name: "row_expand_max",
  doc: "The larger of each element and its row's value; NaN where either is NaN.",
  of: apply("max"),
  examples: [
    byRow("the larger", "i32", [1, 5, 3, 4], [2, 4], [2, 5, 4, 4]),
    byRow("NaN from either side", "f32", [NaN, 1, 1, 1], [0, NaN], [NaN, 1, NaN, NaN]),
  ],
});

export const rowExpandMin = rowExpand({
  name: "row_expand_min",
  doc: "The smaller of each element and its row's value; NaN where either is NaN.",
  of: apply("min"),
  examples: [
    byRow("the smaller", "i32", [1, 5, 3, 4], [2, 4], [1, 2, 3, 4]),
    byRow("NaN from either side", "f32", [NaN, 1, 1, 1], [0, NaN], [NaN, 0, NaN, NaN]),
  ],
});

export const colExpandAdd = colExpand({
  name: "col_expand_add",
  doc: "Each column plus its value; integers wrap.",
  of: apply("add"),
  examples: [
    byColumn("adds by column", "f32", [1, 2, 3, 4], [10, 20], [11, 22, 13, 24]),
    byColumn("wraps", "i32", [2147483647], [1], [-2147483648]),
  ],
});

export const colExpandSub = colExpand({
  name: "col_expand_sub",
  doc: "Each column less its value; integers wrap.",
  of: apply("sub"),
  examples: [
    byColumn("subtracts by column", "f32", [1, 2, 3, 4], [1, 2], [0, 0, 2, 2]),
    byColumn("wraps", "u32", [0, 3], [1, 1], [4294967295, 2]),
  ],
});

export const colExpandMul = colExpand({
  name: "col_expand_mul",
  doc: "Each column times its value; integers wrap.",
  of: apply("mul"),
  examples: [
    byColumn("multiplies by column", "f32", [1, 2, 3, 4], [2, -1], [2, -2, 6, -4]),
    byColumn("zero times infinity is NaN", "f32", [Infinity, 2], [0, 1], [NaN, 2]),
  ],
});

export const colExpandDiv = colExpand({
  name: "col_expand_div",
  doc: "Each column divided by its value: floats correctly rounded, integers truncated toward zero and 0 where the divisor is 0.",
  of: quotient,
  examples: [
    byColumn("divides by column", "f32", [1, 2, 3, 4], [2, -4], [0.5, -0.5, 1.5, -1]),
    byColumn("integers truncate, and give 0 by zero", "i32", [-7, 7], [2, 0], [-3, 0]),
  ],
});

export const colExpandMax = colExpand({
  name: "col_expand_max",
  doc: "The larger of each element and its column's value; NaN where either is NaN.",
  of: apply("max"),
  examples: [
    byColumn("the larger", "i32", [1, 5, 3, 4], [2, 5], [2, 5, 3, 5]),
    byColumn("NaN from either side", "f32", [NaN, 1], [0, NaN], [NaN, NaN]),
  ],
});

export const colExpandMin = colExpand({
  name: "col_expand_min",
  doc: "The smaller of each element and its column's value; NaN where either is NaN.",
  of: apply("min"),
  examples: [
    byColumn("the smaller", "i32", [1, 5, 3, 4], [2, 5], [1, 5, 2, 4]),
    byColumn("NaN from either side", "f32", [NaN, 1], [0, NaN], [NaN, NaN]),
  ],
});

// — the vector alone, and the step of a softmax —

const repeated = (_x: Expr, value: Expr): Expr => value;
const powerOfDifference = (a: Expr, b: Expr): Expr => prim("exp", [prim("sub", [a, b])]);

export const rowExpandValue = rowExpand({
  name: "row_expand",
  doc: "Each row's value in every place of the row, in the shape of a matrix.",
  of: repeated,
  examples: [
    byRow("repeats by row", "f32", [1, 2, NaN, 4], [10, 20], [10, 10, 20, 20]),
    {
      title: "valid where both are",
      args: { x: { ...tile("i32", [2, 2], [1, 2, 3, 4]), valid: [2, 1] }, row_vec: tile("i32", [2, 1], [5, 6]) },
      result: { ...tile("i32", [2, 2], [5, 0, 6, 0]), valid: [2, 1] },
    },
  ],
});

export const colExpandValue = colExpand({
  name: "col_expand",
  doc: "Each column's value in every place of the column, in the shape of a matrix.",
  of: repeated,
  examples: [
    byColumn("repeats by column", "f32", [1, 2, NaN, 4], [10, 20], [10, 20, 10, 20]),
    byColumn("of integers", "u8", [1, 2], [255], [255, 255]),
  ],
});

export const rowExpandExpdif = rowExpand({
  name: "row_expand_expdif",
  doc: "The exponential of each element less its row's value.",
  of: powerOfDifference,
  dtypes: FLOATS,
  ulp: 1,
  examples: [
    byRow("equal elements give 1", "f32", [2, 2, 5, 5], [2, 5], [1, 1, 1, 1]),
    byRow("the ends", "f64", [-Infinity, 1000, Infinity, NaN], [0, Infinity], [0, Infinity, NaN, NaN]),
  ],
});

export const colExpandExpdif = colExpand({
  name: "col_expand_expdif",
  doc: "The exponential of each element less its column's value.",
  of: powerOfDifference,
  dtypes: FLOATS,
  ulp: 1,
  examples: [
    byColumn("equal elements give 1", "f32", [2, 5, 2, 5], [2, 5], [1, 1, 1, 1]),
    byColumn("the ends", "f32", [-Infinity, 1000], [0, -Infinity], [0, Infinity]),
  ],
});
