// Comparisons of PyPTO, and what is chosen by them. A comparison of tiles gives a packed mask: bytes with one bit for each element, the
// first in the lowest bit, a row padded to a multiple of 32 bytes. A comparison of tensors gives bools. A choice takes both.

import {
  addDims, cast, floorDivDim, indexConst, minimum, numberConst, prim, scaleDim, shapesEqual, shapeText, store, UNKNOWN,
  type Dim, type Expr, type Type,
} from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { defineOp, type InferContext, type LowerContext } from "../define.ts";
import { ALL, row, scalar, tensor, tile } from "../example.ts";
import { arrayType, broadcast, dtypeOf, inferElementwise, joinDTypes, joinShapes, withShape } from "../infer.ts";
import { compared, COMPARISONS } from "./compare.ts";
import { as, OPERANDS, SCRATCH } from "./elementwise.ts";

const EIGHT = indexConst(8);
const bytesFor = (elements: Expr): Expr => prim("floordiv", [prim("add", [elements, indexConst(7)]), EIGHT]);

/** The shape of the mask of a shape. */
const maskShape = (shape: readonly Dim[]): readonly Dim[] =>
  shape.map((d, axis) => (axis === shape.length - 1 ? scaleDim(floorDivDim(addDims(floorDivDim(addDims(d, 7), 8), 31), 32), 32) : d));

/** An index with another last place. */
const atLast = (index: readonly Expr[], last: (own: Expr) => Expr): readonly Expr[] => index.map((e, axis) => (axis === index.length - 1 ? last(e) : e));

interface Compared {
  readonly a: Expr;
  readonly b: Expr;
}

const shapeOf = ({ type }: Expr): readonly Dim[] => (type.kind === "Tensor" ? type.shape : []);

/** Run-time extents of what is compared. */
function comparedExtents({ a, b }: Compared, lower: LowerContext): readonly Expr[] {
  const shape = broadcast(shapeOf(a), shapeOf(b));
  invariant(typeof shape !== "string", () => String(shape));
  return lower.common([a, b], shape);
}

const ofTiles = ({ a, b }: Compared): boolean => [a, b].some(({ type }) => type.kind === "Tensor" && type.domain === "tile");

export const cmp = defineOp({
  name: "cmp",
  doc:
    "A comparison chosen by number: 0 equal, 1 different, 2 less, 3 less or equal, 4 greater, 5 greater or equal. Of tensors a bool for each element; " +
    "of tiles a packed mask: bit i of byte j is the comparison of element 8 j + i, and a row takes a multiple of 32 bytes. Bits beyond a row are 0.",
  pl: ["cmp", "cmps"],
  tf: [],
  params: { ...OPERANDS, cmp_type: { attr: "int", doc: "the number of the comparison, 0 to 5", default: 0 } },
  infer: ({ a, b, cmp_type }, context) => {
    if (!(cmp_type in COMPARISONS)) return context.fail("cmp_type", `has comparisons 0 to 5, not ${cmp_type}`);
    const type = inferElementwise([["a", a], ["b", b]], context, "bool");
    if (type.kind !== "Tensor" || type.domain === "tensor") return type;
    return type.shape.length > 0 ? withShape(type, maskShape(type.shape), "u8") : context.fail("a", "packs rows, and these tiles have no axis");
  },
  lowering: {
    form: "statements",
    extents: (args, lower) => (ofTiles(args) ? atLast(comparedExtents(args, lower), bytesFor) : comparedExtents(args, lower)),
    lower: ({ a, b, cmp_type }, lower, type) => {
      invariant(type.kind === "Tensor", () => "a comparison that is no array");
      const op = COMPARISONS[cmp_type] ?? "eq";
      const [left, right, extents] = [lower.reader(a), lower.reader(b), comparedExtents({ a, b }, lower)];
      const holds = (index: readonly Expr[]): Expr => compared(op, left(index), right(index));
      const out = lower.alloc("mask", type);
      if (!ofTiles({ a, b })) {
        lower.nest(extents, (index) => lower.emit(store(out, index, holds(index))));
        return out;
      }
      const length = extents.at(-1) ?? EIGHT;
      lower.nest(atLast(extents, bytesFor), (index) => {
        const first = lower.bind("first", prim("mul", [index.at(-1) ?? EIGHT, EIGHT]));
        const bits = lower.bind("bits", minimum(EIGHT, prim("sub", [length, first])));
        const byte = lower.reduce("add", [bits], ([bit = EIGHT]) => prim("shl", [cast(holds(atLast(index, () => prim("add", [first, bit]))), "u8"), cast(bit, "u8")]));
        lower.emit(store(out, index, byte));
      });
      return out;
    },
  },
  dtypes: ALL,
  ulp: 0,
  examples: [
    { title: "less", args: { a: tensor("f32", [2], [1, 2]), b: tensor("f32", [2], [2, 2]), cmp_type: 2 }, result: tensor("bool", [2], [true, false]) },
    { title: "equal by default, never of NaN", args: { a: tensor("f32", [2], [1, NaN]), b: scalar("f32", 1) }, result: tensor("bool", [2], [true, false]) },
    {
      title: "tiles give a packed mask",
      args: { a: tile("i32", [2, 10], [1, 0, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), b: scalar("i32", 1) },
      result: { ...tile("u8", [2, 32], padded([0b10001101, 0b10], [0, 0])), valid: [2, 2] },
    },
    {
      title: "bits beyond the valid part are 0",
      args: { a: { ...row("f32", [5, 5, 5]), valid: [2] }, b: scalar("f32", 1), cmp_type: 4 },
      result: { ...row("u8", padded([3])), valid: [1] },
    },
  ],
});

/** Rows of bytes, padded with zeros to 32. */
function padded(...rows: readonly (readonly number[])[]): readonly number[] {
  return rows.flatMap((bytes) => Array.from({ length: 32 }, (_, i) => bytes[i] ?? 0));
}

// — choice —

interface Choice {
  readonly mask: Expr;
  readonly a: Expr;
  readonly b: Expr;
}

/** The type of a choice, whose operands go by their parameters' names. */
function inferChoice({ mask, a, b }: Choice, [first, second]: readonly [string, string], context: InferContext): Type {
  const joined = joinShapes([[first, a], [second, b]], context);
  const dtype = joined && joinDTypes([[first, a], [second, b]], context);
  if (joined === undefined || dtype === undefined) return UNKNOWN;
  const [own, wanted] = [arrayType(mask), maskShape(joined.shape)];
  if (own.domain !== joined.first.domain) return context.fail("mask", "mixes a tensor and a tile; load the tensor into a tile first");
  if (own.dtype === "u8" && own.domain === "tensor") return context.fail("mask", "takes a bool for each element of a tensor, not bytes");
  if (own.dtype === "u8" && (wanted.length === 0 || !shapesEqual(own.shape, wanted))) return context.fail("mask", `needs the packed mask ${shapeText(wanted)} of ${shapeText(joined.shape)}, not ${shapeText(own.shape)}`);
  const shape = own.dtype === "u8" ? joined.shape : broadcast(joined.shape, own.shape);
  return typeof shape === "string" ? context.fail("mask", shape) : withShape(joined.first, shape, dtype);
}

/** Where both values are valid and the mask says which; a byte of a packed mask speaks for eight elements. */
function choiceExtents({ mask, a, b }: Choice, lower: LowerContext): readonly Expr[] {
  const values = broadcast(shapeOf(a), shapeOf(b));
  invariant(typeof values !== "string", () => String(values));
  if (dtypeOf(mask) === "u8") {
    const told = lower.extents(mask);
    return lower.common([a, b], values).map((extent, axis, all) => {
      const own = told[axis] ?? extent;
      return minimum(extent, axis === all.length - 1 ? prim("mul", [own, EIGHT]) : own);
    });
  }
  const shape = broadcast(values, shapeOf(mask));
  invariant(typeof shape !== "string", () => String(shape));
  return lower.common([mask, a, b], shape);
}

/** Whether the mask is set at an index: a bool as it is, else a bit of a byte. */
function isSet(mask: (index: readonly Expr[]) => Expr, index: readonly Expr[], isPacked: boolean): Expr {
  if (!isPacked) return mask(index);
  const byte = mask(atLast(index, (e) => prim("floordiv", [e, EIGHT])));
  const bit = prim("bitand", [prim("shr", [byte, cast(prim("mod", [index.at(-1) ?? EIGHT, EIGHT]), "u8")]), numberConst(1, "u8")]);
  return prim("ne", [bit, numberConst(0, "u8")]);
}

const MASK = { input: "array", of: ["u8", "bool"], doc: "a packed mask, or a bool for each element", aka: ["condition"] } as const;

export const sel = defineOp({
  name: "sel",
  doc: "The first value where a mask is set, else the second.",
  pl: ["sel"],
  tf: [],
  params: {
    mask: MASK,
    a: { input: "operand", doc: "the value where it is set", aka: ["lhs", "src0"] },
    b: { input: "operand", doc: "the value elsewhere", aka: ["rhs", "src1"] },
    tmp: SCRATCH,
  },
  infer: (args, context) => inferChoice(args, ["a", "b"], context),
  lowering: {
    form: "element",
    extents: choiceExtents,
    element: (x, index, { dtype }) => {
      const isPacked = dtypeOf(x.mask(index)) === "u8";
      return prim("select", [isSet(x.mask, index, isPacked), as(x.a(index), dtype), as(x.b(index), dtype)]);
    },
  },
  dtypes: ALL,
  ulp: 0,
  examples: [
    {
      title: "by a packed mask",
      args: { mask: row("u8", padded([0b101, 0b10])), a: row("f32", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), b: row("f32", [-1, -2, -3, -4, -5, -6, -7, -8, -9, -10]) },
      result: row("f32", [1, -2, 3, -4, -5, -6, -7, -8, -9, 10]),
    },
    { title: "by bools", args: { mask: row("bool", [true, false]), a: row("i32", [1, 2]), b: row("i32", [3, 4]) }, result: row("i32", [1, 4]) },
    {
      title: "what is not chosen leaves no trace",
      args: { mask: tile("bool", [2, 1], [true, false]), a: tile("f32", [2, 2], [1, 2, NaN, NaN]), b: scalar("f32", Infinity) },
      result: tile("f32", [2, 2], [1, 2, Infinity, Infinity]),
    },
    {
      title: "valid where the mask tells",
      args: { mask: { ...row("u8", padded([0b11, 0b11])), valid: [1] }, a: row("i32", [1, 1, 1, 1, 1, 1, 1, 1, 1]), b: scalar("i32", 0) },
      result: { ...row("i32", [1, 1, 0, 0, 0, 0, 0, 0, 0]), valid: [8] },
    },
  ],
});

export const sels = defineOp({
  name: "sels",
  doc: "The elements of a tile where a mask is set, else a scalar.",
  pl: ["sels"],
  tf: [],
  params: {
    mask: MASK,
    src: { input: "array", doc: "the values where it is set" },
    tmp: { input: "array", doc: "a scratch tile; not needed here", aka: ["tmp_tile"] },
    scalar: { input: "operand", doc: "the value elsewhere" },
  },
  infer: ({ mask, src, scalar: other }, context) => inferChoice({ mask, a: src, b: other }, ["src", "scalar"], context),
  lowering: {
    form: "element",
    extents: ({ mask, src, scalar: other }, lower) => choiceExtents({ mask, a: src, b: other }, lower),
    element: (x, index, { dtype }) => {
      const isPacked = dtypeOf(x.mask(index)) === "u8";
      return prim("select", [isSet(x.mask, index, isPacked), as(x.src(index), dtype), as(x.scalar(index), dtype)]);
    },
  },
  dtypes: ALL,
  ulp: 0,
  examples: [
    {
      title: "by a packed mask",
      args: { mask: row("u8", padded([0b10])), src: row("f32", [1, 2, 3]), tmp: row("f32", [0, 0, 0]), scalar: scalar("f32", 9) },
      result: row("f32", [9, 2, 9]),
    },
    { title: "by bools", args: { mask: row("bool", [true, false]), src: row("i32", [1, 2]), tmp: row("i32", [0, 0]), scalar: scalar("i32", 0) }, result: row("i32", [1, 0]) },
  ],
});
