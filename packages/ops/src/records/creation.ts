// Ops that make tensors and tiles from nothing.

import { constant, DTYPES, isFloat, numberConst, scalarType, shapeText, tensorType, tileType, type Dim, type DType, type Expr } from "@tilefoundry/ir";
import { defineOp, type InferContext } from "../define.ts";
import { showDType } from "../describe.ts";
import { ALL, tensor, tile } from "../example.ts";
import { arrayType, staticShape } from "../infer.ts";

const DTYPE = { attr: "dtype", doc: "the dtype of the elements" } as const;
const VALUE = { attr: "literal", doc: "the value of every element" } as const;
const SPACE = { attr: "storage", doc: "the memory space of the tile", default: "vec" } as const;

/** Whether a dtype holds a value: 0.5 is no integer, 300 no u8. */
function holds(dtype: DType, value: number | bigint | boolean): boolean {
  if (typeof value === "boolean" || dtype === "bool") return typeof value === "boolean" && dtype === "bool";
  if (isFloat(dtype)) return true;
  if (typeof value === "number" && !Number.isInteger(value)) return false;
  const { kind, bits } = DTYPES[dtype];
  const whole = BigInt(value);
  return whole === (kind === "uint" ? BigInt.asUintN(bits, whole) : BigInt.asIntN(bits, whole));
}

/** Why a value is no element of a dtype, as the end of a sentence. */
export function literalFault(value: number | bigint | boolean, dtype: DType, { dialect }: InferContext): string | undefined {
  if (holds(dtype, value)) return undefined;
  const text = typeof value === "boolean" ? (value ? "True" : "False") : String(value);
  return `cannot hold ${text} in elements of ${showDType(dtype, dialect)}`;
}

/** The literal of a value that the dtype holds. */
export function literalOf(value: number | bigint | boolean, dtype: DType): Expr {
  const type = scalarType(dtype);
  if (typeof value === "boolean") return constant(value, type);
  return isFloat(dtype) ? constant(Number(value), type) : constant(BigInt(value), type);
}

function shapeFault(shape: readonly Dim[]): string | undefined {
  const sizes = staticShape(shape);
  if (sizes === undefined) return `needs a static shape for a tile, not ${shapeText(shape)}; a tensor may be symbolic: \`pl.create_tensor\``;
  return sizes.every((n) => n > 0) ? undefined : `needs positive extents for a tile, not ${shapeText(shape)}`;
}

export const full = defineOp({
  name: "full",
  doc: "A tile with one value in every element.",
  pl: ["full"],
  tf: [],
  params: { shape: { attr: "dims", doc: "the shape of the tile" }, dtype: DTYPE, value: VALUE },
  infer: ({ shape, dtype, value }, context) => {
    const fault = shapeFault(shape);
    if (fault !== undefined) return context.fail("shape", fault);
    const odd = literalFault(value, dtype, context);
    return odd === undefined ? tileType(shape, dtype) : context.fail("value", odd);
  },
  lowering: { form: "element", element: ({ value }, _index, { dtype }) => literalOf(value, dtype) },
  dtypes: ALL,
  ulp: 0,
  examples: [
    { title: "a value everywhere", args: { shape: { dims: [1, 2] }, dtype: { dtype: "f32" }, value: 0.5 }, result: tile("f32", [1, 2], [0.5, 0.5]) },
    { title: "rounds to the dtype", args: { shape: { dims: [1] }, dtype: { dtype: "f32" }, value: 0.1 }, result: tile("f32", [1], [0.10000000149011612]) },
    { title: "infinity", args: { shape: { dims: [1] }, dtype: { dtype: "f64" }, value: -Infinity }, result: tile("f64", [1], [-Infinity]) },
  ],
});

export const tensorFull = defineOp({
  name: "tensor_full",
  doc: "A tensor with one value in every element; its extents may be symbolic.",
  pl: ["tensor.full"],
  tf: ["full"],
  params: { shape: { attr: "dims", doc: "the shape of the tensor" }, dtype: DTYPE, value: VALUE },
  infer: ({ shape, dtype, value }, context) => {
    const odd = literalFault(value, dtype, context);
    return odd === undefined ? tensorType(shape, dtype) : context.fail("value", odd);
  },
  lowering: { form: "element", element: ({ value }, _index, { dtype }) => literalOf(value, dtype) },
  dtypes: ALL,
  ulp: 0,
  examples: [
    { title: "a value everywhere", args: { shape: { dims: [2] }, dtype: { dtype: "u8" }, value: 255 }, result: tensor("u8", [2], [255, 255]) },
    { title: "of no elements", args: { shape: { dims: [0, 3] }, dtype: { dtype: "f32" }, value: 1 }, result: tensor("f32", [0, 3], []) },
    { title: "truth values", args: { shape: { dims: [1] }, dtype: { dtype: "bool" }, value: true }, result: tensor("bool", [1], [true]) },
  ],
});

export const fullLike = defineOp({
  name: "full_like",
  doc: "An array of the shape and dtype of another with one value in every element.",
  pl: [],
  tf: ["full_like"],
  params: { x: { input: "array", doc: "the array whose shape and dtype are taken" }, value: VALUE },
  infer: ({ x, value }, context) => {
    const type = arrayType(x);
    const odd = literalFault(value, type.dtype, context);
    return odd === undefined ? type : context.fail("value", odd);
  },
  lowering: { form: "element", element: ({ value }, _index, { dtype }) => literalOf(value, dtype) },
  dtypes: ALL,
  ulp: 0,
  examples: [
    { title: "a value everywhere", args: { x: tensor("i64", [2], [1, 2]), value: 7 }, result: tensor("i64", [2], [7, 7]) },
    { title: "of no elements", args: { x: tensor("f32", [0], []), value: 1 }, result: tensor("f32", [0], []) },
  ],
});

export const createTile = defineOp({
  name: "create_tile",
  doc: "A new tile of zeros, to be written element by element.",
  pl: ["create_tile", "tile.create"],
  tf: [],
  params: { shape: { attr: "dims", doc: "the shape of the tile" }, dtype: DTYPE, target_memory: SPACE },
  infer: ({ shape, dtype, target_memory }, context) => {
    const fault = shapeFault(shape);
    return fault === undefined ? tileType(shape, dtype, target_memory) : context.fail("shape", fault);
  },
  lowering: { form: "element", element: (_x, _index, { dtype }) => numberConst(0, dtype) },
  dtypes: ALL,
  ulp: 0,
  examples: [
    { title: "zeros", args: { shape: { dims: [2] }, dtype: { dtype: "i32" } }, result: tile("i32", [2], [0, 0]) },
    { title: "in another space", args: { shape: { dims: [1, 1] }, dtype: { dtype: "bool" }, target_memory: "acc" }, result: tile("bool", [1, 1], [false]) },
  ],
});

export const createTensor = defineOp({
  name: "create_tensor",
  doc: "A new tensor of zeros; its extents may be symbolic.",
  pl: ["create_tensor", "tensor.create"],
  tf: [],
  params: { shape: { attr: "dims", doc: "the shape of the tensor" }, dtype: DTYPE },
  infer: ({ shape, dtype }) => tensorType(shape, dtype),
  lowering: { form: "element", element: (_x, _index, { dtype }) => numberConst(0, dtype) },
  dtypes: ALL,
  ulp: 0,
  examples: [
    { title: "zeros", args: { shape: { dims: [2] }, dtype: { dtype: "f32" } }, result: tensor("f32", [2], [0, 0]) },
    { title: "of no elements", args: { shape: { dims: [0] }, dtype: { dtype: "u32" } }, result: tensor("u32", [0], []) },
  ],
});
