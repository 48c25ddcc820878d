// Values of comparisons into packed masks, and of choices by masks.

import type { DType } from "@tilefoundry/ir";
import { promote } from "../infer.ts";
import { resultArray, resultDType, type EvalContext, type Operand } from "./arguments.ts";
import { stridesOf, walk } from "./iterate.ts";
import { mapElements, readsIn } from "./pointwise.ts";
import { scalarFunction } from "./scalars.ts";
import { getter, putter, zeros, type ArrayValue } from "./values.ts";

const COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"] as const;

/** A comparison by its number: bools of tensors, packed bits of tiles. */
export function compareBy(number: number, inputs: { readonly a: Operand; readonly b: Operand }, context: EvalContext): ArrayValue {
  const { a: left = "f32", b: right = "f32" } = context.dtypes;
  const dtype: DType = promote(left, right);
  const bools = mapElements(readsIn(dtype, inputs, context), "bool", scalarFunction(COMPARISONS[number] ?? "eq", dtype));
  return resultArray(context.type).domain === "tile" ? packedBits(bools) : bools;
}

function packedBits(bools: ArrayValue): ArrayValue {
  const last = bools.shape.length - 1;
  const inBytes = (list: readonly number[], bytes: (n: number) => number): readonly number[] => list.map((n, axis) => (axis === last ? bytes(n) : n));
  const out = zeros("u8", inBytes(bools.shape, (n) => Math.ceil(Math.ceil(n / 8) / 32) * 32), inBytes(bools.valid, (n) => Math.ceil(n / 8)));
  const [get, put, byteAt] = [getter(bools), putter(out), getter(out)];
  const rows = bools.valid.slice(0, -1);
  walk(rows, [stridesOf(bools.shape).slice(0, -1), stridesOf(out.shape).slice(0, -1)], ([from = 0, to = 0]) => {
    for (let i = 0; i < (bools.valid[last] ?? 0); i++) if (get(from + i) === true) put(to + (i >> 3), Number(byteAt(to + (i >> 3))) | (1 << (i & 7)));
  });
  return out;
}

/** One of two values by a mask of bools or packed bits. */
export function chosen(mask: ArrayValue, inputs: Readonly<Record<string, Operand>>, context: EvalContext): ArrayValue {
  const condition = mask.dtype === "u8" ? unpackedBits(mask, resultArray(context.type).shape.map(Number)) : mask;
  const dtype = resultDType(context);
  const reads = [{ operand: condition, from: "bool", to: "bool" } as const, ...readsIn(dtype, inputs, context)];
  return mapElements(reads, dtype, scalarFunction("select", dtype));
}

/** The bools of a shape that a mask holds. */
function unpackedBits(mask: ArrayValue, shape: readonly number[]): ArrayValue {
  const last = shape.length - 1;
  const out = zeros("bool", shape, shape.map((n, axis) => Math.min(n, (mask.valid[axis] ?? n) * (axis === last ? 8 : 1))));
  const [get, put] = [getter(mask), putter(out)];
  walk(shape.slice(0, -1), [stridesOf(mask.shape).slice(0, -1), stridesOf(shape).slice(0, -1)], ([from = 0, to = 0]) => {
    for (let i = 0; i < (shape[last] ?? 0); i++) put(to + i, (Number(get(from + (i >> 3))) >> (i & 7) & 1) === 1);
  });
  return out;
}
