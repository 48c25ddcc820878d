// Ops that copy an array with its axes in the same or in another order.

import { shapeText, type Expr } from "@tilefoundry/ir";
import { defineOp } from "../define.ts";
import { ALL, tensor, tile } from "../example.ts";
import { arrayType, normalAxis, withShape } from "../infer.ts";

/** The list with two entries exchanged; axes count from the end if negative. */
function swapped<T>(list: readonly T[], axis1: number, axis2: number): readonly T[] {
  const [i, j] = [normalAxis(axis1, list.length), normalAxis(axis2, list.length)];
  const result = [...list];
  const [x, y] = [list[i ?? -1], list[j ?? -1]];
  if (i !== undefined && j !== undefined && x !== undefined && y !== undefined) [result[i], result[j]] = [y, x];
  return result;
}

export const transpose = defineOp({
  name: "transpose",
  doc: "A copy with two axes exchanged.",
  pl: ["transpose"],
  tf: [],
  params: {
    x: { input: "array", doc: "the array", aka: ["tile", "tensor", "input"] },
    axis1: { attr: "int", doc: "one axis; negative counts from the last" },
    axis2: { attr: "int", doc: "the other axis" },
    tmp_tile: { input: "array", doc: "a scratch tile; not needed here", optional: true, aka: ["tmp"] },
  },
  infer: ({ x, axis1, axis2 }, context) => {
    const type = arrayType(x);
    for (const [param, axis] of [["axis1", axis1], ["axis2", axis2]] as const) {
      if (normalAxis(axis, type.shape.length) === undefined) return context.fail(param, `has no axis ${axis} in the shape ${shapeText(type.shape)}`);
    }
    return withShape(type, swapped(type.shape, axis1, axis2));
  },
  lowering: {
    form: "element",
    element: (x, index) => x.x(swapped(index, x.axis1, x.axis2)),
    extents: ({ x, axis1, axis2 }, lower) => swapped(lower.extents(x), axis1, axis2),
  },
  dtypes: ALL,
  ulp: 0,
  examples: [
    {
      title: "rows become columns",
      args: { x: tile("f32", [2, 3], [1, 2, 3, 4, 5, 6]), axis1: 0, axis2: 1 },
      result: tile("f32", [3, 2], [1, 4, 2, 5, 3, 6]),
    },
    {
      title: "the valid part turns with it",
      args: { x: { ...tile("i32", [2, 2], [1, 2, 3, 4]), valid: [1, 2] }, axis1: -1, axis2: -2 },
      result: { ...tile("i32", [2, 2], [1, 0, 2, 0]), valid: [2, 1] },
    },
  ],
});

/** Index of the operand for an index of the result: axis `perm[i]` of the operand is axis `i` of the result. */
function unpermuted(index: readonly Expr[], perm: readonly number[]): readonly Expr[] {
  return perm.map((_, axis) => index[perm.findIndex((p) => normalAxis(p, perm.length) === axis)]).filter((e): e is Expr => e !== undefined);
}

const permuted = <T>(list: readonly T[], perm: readonly number[]): readonly T[] =>
  perm.flatMap((axis) => {
    const entry = list[normalAxis(axis, list.length) ?? -1];
    return entry === undefined ? [] : [entry];
  });

export const permute = defineOp({
  name: "permute",
  doc: "A copy with its axes in another order: axis i of the result is axis perm[i] of the operand.",
  pl: [],
  tf: ["transpose"],
  params: {
    x: { input: "array", doc: "the array" },
    perm: { attr: "ints", doc: "the order of the axes", aka: ["axes"] },
  },
  infer: ({ x, perm }, context) => {
    const type = arrayType(x);
    const rank = type.shape.length;
    const axes = new Set(perm.map((axis) => normalAxis(axis, rank)));
    if (perm.length !== rank || axes.size !== rank || axes.has(undefined)) {
      return context.fail("perm", `needs each axis of ${shapeText(type.shape)} once, not ${shapeText(perm)}`);
    }
    return withShape(type, permuted(type.shape, perm));
  },
  lowering: {
    form: "element",
    element: (x, index) => x.x(unpermuted(index, x.perm)),
    extents: ({ x, perm }, lower) => permuted(lower.extents(x), perm),
  },
  dtypes: ALL,
  ulp: 0,
  examples: [
    {
      title: "rows become columns",
      args: { x: tensor("f32", [2, 3], [1, 2, 3, 4, 5, 6]), perm: [1, 0] },
      result: tensor("f32", [3, 2], [1, 4, 2, 5, 3, 6]),
    },
    {
      title: "three axes go round",
      args: { x: tensor("u8", [2, 1, 3], [1, 2, 3, 4, 5, 6]), perm: [2, 0, 1] },
      result: tensor("u8", [3, 2, 1], [1, 4, 2, 5, 3, 6]),
    },
    { title: "of no elements", args: { x: tensor("f32", [0, 2], []), perm: [1, 0] }, result: tensor("f32", [2, 0], []) },
  ],
});

export const clone = defineOp({
  name: "clone",
  doc: "A new buffer of the same type with the same elements.",
  pl: ["clone"],
  tf: [],
  params: { x: { input: "array", doc: "the array to copy", aka: ["tile", "tensor"] } },
  infer: ({ x }) => arrayType(x),
  lowering: { form: "element", element: (x, index) => x.x(index) },
  dtypes: ALL,
  ulp: 0,
  examples: [
    { title: "the same elements", args: { x: tensor("i64", [2], [1, -2]) }, result: tensor("i64", [2], [1, -2]) },
    { title: "NaN and the sign of zero are kept", args: { x: tile("f32", [2], [NaN, -0]) }, result: tile("f32", [2], [NaN, -0]) },
  ],
});
