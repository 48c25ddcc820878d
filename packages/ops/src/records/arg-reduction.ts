// Where along an axis the largest or smallest element is: the first of equal ones. A NaN is beyond all others, so the first NaN wins;
// the zeros are equal. Lowered as two reductions, of the elements and of the positions that hold what came out.

import { cast, constant, DTYPES, indexConst, isFloat, isSigned, numberConst, prim, scalarType, shapeText, store, type DType, type Expr, type Type } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { defineOp, type Example, type LowerContext } from "../define.ts";
import { NUMBERS, tensor, tile } from "../example.ts";
import { arrayType, normalAxis, withShape } from "../infer.ts";
import { SCRATCH } from "./elementwise.ts";
import { columnAxis, keepAxis, rowAxis } from "./reduction.ts";

type Extreme = "max" | "min";

interface Positions {
  readonly x: Expr;
  readonly axis: number;
  readonly keep: boolean;
  readonly extreme: Extreme;
}

const rest = (extents: readonly Expr[], { axis, keep }: Positions): readonly Expr[] =>
  extents.flatMap((extent, i) => (i !== axis ? [extent] : keep ? [indexConst(1)] : []));

/** The buffer of positions. */
function lowerPositions(positions: Positions, lower: LowerContext, type: Type): Expr {
  invariant(type.kind === "Tensor", () => "positions that are no array");
  const { x, axis, extreme } = positions;
  const [read, extents] = [lower.reader(x), lower.extents(x)];
  const length = extents[axis] ?? indexConst(1);
  const out = lower.alloc("positions", type);
  lower.nest(extents.filter((_, i) => i !== axis), (outer) => {
    const at = (k: Expr | undefined): readonly Expr[] => [...outer.slice(0, axis), k ?? indexConst(0), ...outer.slice(axis)];
    const best = lower.bind(extreme === "max" ? "largest" : "least", lower.reduce(extreme, [length], ([k]) => read(at(k))));
    const first = lower.reduce("min", [length], ([k]) => {
      const x = lower.bind("x", read(at(k)));
      return prim("select", [holds(x, best), cast(k ?? indexConst(0), type.dtype), greatest(type.dtype)]);
    });
    const found = prim("select", [prim("eq", [length, indexConst(0)]), numberConst(0, type.dtype), first]);
    lower.emit(store(out, positions.keep ? at(indexConst(0)) : outer, found));
  });
  return out;
}

/** Whether an element is what the reduction came to; after a NaN that is NaN, and equal to nothing. */
function holds(x: Expr, best: Expr): Expr {
  const equal = prim("eq", [x, best]);
  return x.type.kind === "Scalar" && isFloat(x.type.dtype) ? prim("or", [equal, prim("ne", [x, x])]) : equal;
}

const greatest = (dtype: DType): Expr => constant((1n << BigInt(DTYPES[dtype].bits - (isSigned(dtype) ? 1 : 0))) - 1n, scalarType(dtype));

interface AlongAxis {
  readonly name: string;
  readonly extreme: Extreme;
  readonly along: "row" | "column";
  readonly examples: readonly [Example, Example, ...Example[]];
}

/** PyPTO's row and column positions: INT32, one axis kept with extent 1. */
function along({ name, extreme, along: line, examples }: AlongAxis) {
  const axisOf = line === "row" ? rowAxis : columnAxis;
  const positions = (x: Expr): Positions => ({ x, axis: axisOf(arrayType(x)), keep: true, extreme });
  return defineOp({
    name,
    doc: `The position of the first ${extreme === "max" ? "largest" : "smallest"} element of each ${line}, with its axis kept as extent 1; of the first NaN if there is one, 0 of nothing.`,
    pl: [name],
    tf: [],
    params: { x: { input: "array", doc: "the array to search", aka: ["input", "src", "tile"] }, tmp_tile: SCRATCH },
    infer: ({ x }, context) => {
      const kept = keepAxis(axisOf(arrayType(x)), arrayType(x), context);
      return kept.kind === "Tensor" ? withShape(kept, kept.shape, "i32") : kept;
    },
    lowering: {
      form: "statements",
      extents: ({ x }, lower) => rest(lower.extents(x), positions(x)),
      lower: ({ x }, lower, type) => lowerPositions(positions(x), lower, type),
    },
    dtypes: NUMBERS,
    ulp: 0,
    examples,
  });
}

const found = (title: string, dtype: DType, shape: readonly number[], x: readonly number[], to: readonly number[], result: readonly number[]): Example => ({
  title,
  args: { x: tile(dtype, shape, x) },
  result: tile("i32", to, result),
});

export const rowArgmax = along({
  name: "row_argmax", extreme: "max", along: "row",
  examples: [
    found("the first of equal ones", "f32", [2, 3], [1, 5, 5, -1, -3, -2], [2, 1], [1, 0]),
    found("the first NaN", "f32", [2, 3], [Infinity, NaN, NaN, -0, 0, -1], [2, 1], [1, 0]),
    { title: "only the valid part counts", args: { x: { ...tile("i32", [1, 3], [1, 2, 9]), valid: [1, 2] } }, result: tile("i32", [1, 1], [1]) },
    { title: "of nothing it is 0", args: { x: { ...tile("u8", [1, 2], [1, 2]), valid: [1, 0] } }, result: tile("i32", [1, 1], [0]) },
  ],
});

export const rowArgmin = along({
  name: "row_argmin", extreme: "min", along: "row",
  examples: [
    found("the first of equal ones", "i32", [2, 3], [3, 1, 1, -1, -3, -2], [2, 1], [1, 1]),
    found("the first NaN", "f64", [1, 3], [-Infinity, 2, NaN], [1, 1], [2]),
    found("rows of infinities", "f32", [1, 2], [Infinity, Infinity], [1, 1], [0]),
  ],
});

export const colArgmax = along({
  name: "col_argmax", extreme: "max", along: "column",
  examples: [
    found("the first of equal ones", "f32", [2, 3], [1, 5, 2, 4, 5, 6], [1, 3], [1, 0, 1]),
    found("the first NaN", "f32", [3, 2], [9, NaN, NaN, 1, NaN, 2], [1, 2], [1, 0]),
  ],
});

export const colArgmin = along({
  name: "col_argmin", extreme: "min", along: "column",
  examples: [
    found("the first of equal ones", "i64", [2, 3], [1, 5, 7, 4, 5, 6], [1, 3], [0, 0, 1]),
    found("the first NaN", "f32", [2, 2], [1, 2, NaN, 1], [1, 2], [1, 1]),
  ],
});

export const argmax = defineOp({
  name: "argmax",
  doc: "The position of the first largest element along an axis, which is removed; of the first NaN if there is one, 0 of nothing.",
  pl: [],
  tf: ["argmax"],
  params: {
    x: { input: "array", doc: "the array to search", aka: ["input"] },
    axis: { attr: "int", doc: "the axis to search along; a negative one counts from the last", default: -1, aka: ["dim"] },
  },
  infer: ({ x, axis }, context) => {
    const type = arrayType(x);
    const at = normalAxis(axis, type.shape.length);
    if (at === undefined) return context.fail("axis", `has no axis ${axis} in the shape ${shapeText(type.shape)}`);
    return withShape(type, type.shape.filter((_, i) => i !== at), "i64");
  },
  lowering: {
    form: "statements",
    extents: ({ x, axis }, lower) => rest(lower.extents(x), positionsOf(x, axis)),
    lower: ({ x, axis }, lower, type) => lowerPositions(positionsOf(x, axis), lower, type),
  },
  dtypes: NUMBERS,
  ulp: 0,
  examples: [
    { title: "along the last axis", args: { x: tensor("f32", [2, 3], [1, 5, 2, 4, 3, 6]) }, result: tensor("i64", [2], [1, 2]) },
    { title: "along the first axis", args: { x: tensor("i32", [2, 3], [1, 5, 2, 4, 3, 6]), axis: 0 }, result: tensor("i64", [3], [1, 0, 1]) },
    { title: "the first of equal ones, and of NaNs", args: { x: tensor("f64", [2, 3], [2, 2, 1, 7, NaN, NaN]), axis: 1 }, result: tensor("i64", [2], [0, 1]) },
    { title: "of a vector", args: { x: tensor("u32", [3], [0, 4294967295, 3]) }, result: tensor("i64", [], [1]) },
  ],
});

const positionsOf = (x: Expr, axis: number): Positions => ({ x, axis: normalAxis(axis, arrayType(x).shape.length) ?? 0, keep: false, extreme: "max" });
