// Ops that move elements between tensors and tiles, and read and write single ones. Windows that pass the high side of a tensor
// are cut there (guard extents); a negative offset leaves nothing.

import {
  add, dimText, load as loadPrim, isLess, isLessEqual, neverRuns, sameDType, scalarType, shapeText, store as storePrim, tileType, toDim, toExpr,
  type Dim, type DType, type Expr,
} from "@tilefoundry/ir";
import { defineOp, type InferContext } from "../define.ts";
import { showDType, writeDType } from "../describe.ts";
import { ALL, row, scalar, tensor, tile } from "../example.ts";
import { arrayType, dtypeOf, staticShape } from "../infer.ts";

const PLURAL = { offset: "offsets", index: "indices" } as const;

/** Why a list of indices does not fit an array of a rank, as the end of a sentence. */
function rankFault(what: "offset" | "index", given: number, shape: readonly Dim[]): string | undefined {
  if (given === shape.length) return undefined;
  return `takes ${shape.length} ${shape.length === 1 ? what : PLURAL[what]} for the shape ${shapeText(shape)}, not ${given}`;
}

/** Complains about each axis along which a window or element provably lies outside. Where nothing ever runs, nothing is outside. */
function checkInside(what: "reads" | "writes", param: string, offsets: readonly Expr[], shape: readonly Dim[], context: InferContext): void {
  const { facts } = context;
  for (let axis = 0; axis < shape.length; axis++) {
    const extent = shape[axis];
    const at = offsets[axis];
    const offset = at && toDim(at);
    if (offset === undefined || extent === undefined) continue;
    const outside = isLess(facts, offset, 0) || (extent !== 0 && isLessEqual(facts, extent, offset));
    if (!outside || neverRuns(facts, offset)) continue;
    context.outside(param, `${what} outside axis ${axis}: it starts at ${dimText(offset)}, the axis runs from 0 to ${dimText(extent)}`);
  }
}

const shifted = (offsets: readonly Expr[], index: readonly Expr[]): readonly Expr[] => offsets.map((o, axis) => plus(o, index[axis]));
const plus = (offset: Expr, index: Expr | undefined): Expr => {
  if (index === undefined || (index.kind === "Const" && index.value === 0n)) return offset;
  return offset.kind === "Const" && offset.value === 0n ? index : add(offset, index);
};

export const load = defineOp({
  name: "load",
  doc:
    "The window of a tensor at the given offsets, as a tile. The part beyond the tensor's high side is not valid: nothing " +
    "observes it, and stores leave it out. Along an axis with a negative offset nothing is valid.",
  pl: ["load"],
  tf: [],
  params: {
    tensor: { input: "tensor", doc: "the tensor to read from" },
    offsets: { input: "indices", doc: "where the window starts, one index for each axis" },
    shapes: { attr: "dims", doc: "the shape of the tile", aka: ["shape"] },
    target_memory: { attr: "storage", doc: "the memory space of the tile", default: "vec" },
  },
  infer: ({ tensor: source, offsets, shapes, target_memory }, context) => {
    const { shape, dtype } = arrayType(source);
    const rank = rankFault("offset", offsets.length, shape);
    if (rank !== undefined) return context.fail("offsets", rank);
    if (shapes.length !== shape.length) return context.fail("shapes", `cannot read a window ${shapeText(shapes)} from the shape ${shapeText(shape)}: the ranks differ`);
    const sizes = staticShape(shapes);
    if (sizes === undefined) return context.fail("shapes", `needs a static shape for a tile, not ${shapeText(shapes)}`);
    if (sizes.some((n) => n < 1)) return context.fail("shapes", `needs positive extents for a tile, not ${shapeText(shapes)}`);
    checkInside("reads", "offsets", offsets, shape, context);
    return tileType(sizes, dtype, target_memory);
  },
  lowering: {
    form: "element",
    element: (x, index) => x.tensor(shifted(x.offsets, index)),
    extents: ({ tensor: source, offsets, shapes }, lower) => lower.window(source, offsets, shapes.map(toExpr)),
  },
  dtypes: ALL,
  ulp: 0,
  examples: [
    {
      title: "a window inside",
      args: { tensor: tensor("i32", [2, 3], [1, 2, 3, 4, 5, 6]), offsets: [0, 1], shapes: { dims: [2, 2] } },
      result: tile("i32", [2, 2], [2, 3, 5, 6]),
    },
    {
      title: "the tail ends where the tensor ends",
      args: { tensor: tensor("f32", [5], [1, 2, 3, 4, 5]), offsets: [3], shapes: { dims: [4] } },
      result: { ...row("f32", [4, 5, 0, 0]), valid: [2] },
    },
    {
      title: "a negative offset leaves nothing",
      args: { tensor: tensor("f32", [5], [1, 2, 3, 4, 5]), offsets: [-1], shapes: { dims: [4] } },
      result: { ...row("f32", [0, 0, 0, 0]), valid: [0] },
    },
  ],
});

export const store = defineOp({
  name: "store",
  doc:
    "Writes the valid part of a tile into a tensor at the given offsets, cut at the tensor's high side; gives the tensor. " +
    "With a negative offset nothing is written.",
  pl: ["store"],
  tf: [],
  params: {
    tile: { input: "array", doc: "the tile to write" },
    offsets: { input: "indices", doc: "where its first element goes, one index for each axis" },
    output_tensor: { input: "tensor", doc: "the tensor to write into", aka: ["output"] },
  },
  writes: "output_tensor",
  infer: ({ tile: source, offsets, output_tensor }, context) => {
    const from = arrayType(source);
    const into = arrayType(output_tensor);
    const rank = rankFault("offset", offsets.length, into.shape);
    if (rank !== undefined) return context.fail("offsets", rank);
    if (from.shape.length !== into.shape.length) {
      return context.fail("tile", `cannot write ${shapeText(from.shape)} into ${shapeText(into.shape)}: the ranks differ`);
    }
    const mixed = elementFault(from.dtype, into.dtype, context);
    if (mixed !== undefined) return context.fail("tile", mixed);
    checkInside("writes", "offsets", offsets, into.shape, context);
    return into;
  },
  lowering: {
    form: "statements",
    lower: ({ tile: source, offsets, output_tensor }, lower) => {
      const buffer = lower.buffer(output_tensor);
      const element = lower.reader(source);
      lower.nest(lower.window(output_tensor, offsets, lower.extents(source)), (index) => {
        lower.emit(storePrim(buffer, shifted(offsets, index), element(index)));
      });
      return undefined;
    },
  },
  dtypes: ALL,
  ulp: 0,
  examples: [
    {
      title: "a tile inside",
      args: { tile: tile("i32", [1, 2], [7, 8]), offsets: [1, 1], output_tensor: tensor("i32", [2, 3], [1, 2, 3, 4, 5, 6]) },
      result: tensor("i32", [2, 3], [1, 2, 3, 4, 7, 8]),
    },
    {
      title: "what passes the end is cut",
      args: { tile: row("f32", [7, 8, 9]), offsets: [2], output_tensor: tensor("f32", [4], [1, 2, 3, 4]) },
      result: tensor("f32", [4], [1, 2, 7, 8]),
    },
    {
      title: "a negative offset writes nothing",
      args: { tile: row("f32", [7, 8, 9]), offsets: [-1], output_tensor: tensor("f32", [4], [1, 2, 3, 4]) },
      result: tensor("f32", [4], [1, 2, 3, 4]),
    },
    {
      title: "an empty valid part writes nothing",
      args: { tile: { ...row("f32", [7, 8]), valid: [0] }, offsets: [0], output_tensor: tensor("f32", [2], [1, 2]) },
      result: tensor("f32", [2], [1, 2]),
    },
  ],
});

function elementFault(value: DType, element: DType, { dialect }: InferContext): string | undefined {
  if (sameDType(value, element)) return undefined;
  return `cannot put ${showDType(value, dialect)} into elements of ${showDType(element, dialect)}; write \`${dialect}.cast(…, ${writeDType(element, dialect)})\``;
}

export const read = defineOp({
  name: "read",
  doc: "One element of a tensor or tile, as a scalar. Outside the array it is 0.",
  pl: ["read"],
  tf: [],
  params: {
    src: { input: "array", doc: "the tensor or tile to read from", aka: ["tensor", "tile"] },
    indices: { input: "indices", doc: "which element, one index for each axis", aka: ["index"] },
  },
  infer: ({ src, indices }, context) => {
    const { shape, dtype } = arrayType(src);
    const fault = rankFault("index", indices.length, shape);
    if (fault !== undefined) return context.fail("indices", fault);
    checkInside("reads", "indices", indices, shape, context);
    return scalarType(dtype);
  },
  lowering: {
    form: "statements",
    lower: ({ src, indices }, lower) => {
      const mask = lower.inside(src, indices);
      return loadPrim(lower.buffer(src), indices, mask === undefined ? {} : { mask });
    },
  },
  dtypes: ALL,
  ulp: 0,
  examples: [
    { title: "an element", args: { src: tensor("i32", [2, 2], [1, 2, 3, 4]), indices: [1, 0] }, result: scalar("i32", 3) },
    { title: "outside it is 0", args: { src: tensor("f32", [2], [1, 2]), indices: [2] }, result: scalar("f32", 0) },
    { title: "below 0 it is 0", args: { src: row("bool", [true, true]), indices: [-1] }, result: scalar("bool", false) },
    { title: "in the invalid part it is 0", args: { src: { ...row("f32", [1, 2]), valid: [1] }, indices: [1] }, result: scalar("f32", 0) },
  ],
});

export const write = defineOp({
  name: "write",
  doc: "Writes one element of a tensor or tile; gives the array. Outside it nothing is written.",
  pl: ["write"],
  tf: [],
  params: {
    dst: { input: "array", doc: "the tensor or tile to write into", aka: ["tensor", "tile"] },
    indices: { input: "indices", doc: "which element, one index for each axis", aka: ["index"] },
    value: { input: "scalar", doc: "the new element, of the array's dtype" },
  },
  writes: "dst",
  infer: ({ dst, indices, value }, context) => {
    const type = arrayType(dst);
    const fault = rankFault("index", indices.length, type.shape);
    if (fault !== undefined) return context.fail("indices", fault);
    checkInside("writes", "indices", indices, type.shape, context);
    const mixed = elementFault(dtypeOf(value), type.dtype, context);
    return mixed === undefined ? type : context.fail("value", mixed);
  },
  lowering: {
    form: "statements",
    lower: ({ dst, indices, value }, lower) => {
      lower.emit(storePrim(lower.buffer(dst), indices, value, lower.inside(dst, indices)));
      return undefined;
    },
  },
  dtypes: ALL,
  ulp: 0,
  examples: [
    {
      title: "an element",
      args: { dst: tensor("i32", [2, 2], [1, 2, 3, 4]), indices: [1, 0], value: scalar("i32", 9) },
      result: tensor("i32", [2, 2], [1, 2, 9, 4]),
    },
    {
      title: "outside nothing is written",
      args: { dst: tensor("f32", [2], [1, 2]), indices: [2], value: scalar("f32", 9) },
      result: tensor("f32", [2], [1, 2]),
    },
    {
      title: "a NaN is kept",
      args: { dst: row("f32", [1, 2]), indices: [0], value: scalar("f32", NaN) },
      result: row("f32", [NaN, 2]),
    },
  ],
});
