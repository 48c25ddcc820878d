// Rotary position embedding (Su et al., "RoFormer", 2021), in the form that rotates the two halves of a head: the element at d is turned
// together with the one half a head further on.

import { dimsEqual, dimText, floorDivDim, modDim, prim, sameDType, shapeText, store, toExpr, tupleType, type Dim, type Expr, type TensorType } from "@tilefoundry/ir";
import { defineOp, type InferContext, type LowerContext, type Part } from "../define.ts";
import { showDType } from "../describe.ts";
import { FLOATS, tensor } from "../example.ts";
import { accumulatorOf, arrayType } from "../infer.ts";
import { as } from "./elementwise.ts";

interface Rope {
  readonly q: Expr;
  readonly k: Expr;
  readonly cos_cache: Expr;
  readonly sin_cache: Expr;
  readonly pos_ids: Expr;
}

/** The parameter of a rope that does not fit, and why. */
function ropeFault({ q, k, cos_cache, sin_cache, pos_ids }: Rope, { dialect }: InferContext): readonly [param: string, fault: string] | undefined {
  const [queries, keys, cos, sin, positions] = [q, k, cos_cache, sin_cache, pos_ids].map(arrayType);
  if (queries === undefined || keys === undefined || cos === undefined || sin === undefined || positions === undefined) return undefined; // there are five
  for (const [param, { shape }] of [["q", queries], ["k", keys]] as const) {
    if (shape.length !== 4) return [param, `takes [batch, position, head, element], not the shape ${shapeText(shape)}`];
    const [, , , length = 1] = shape;
    if (modDim(length, 2) !== 0) return [param, `needs heads of an even extent, not of ${dimText(length)}`];
  }
  const [, steps = 1, , length = 1] = queries.shape;
  if (!dimsEqual(length, keys.shape[3] ?? NaN)) return ["k", `needs heads of one extent: ${shapeText(queries.shape)} beside ${shapeText(keys.shape)}`];
  if (!dimsEqual(steps, keys.shape[1] ?? NaN)) return ["k", `needs as many positions: ${shapeText(queries.shape)} beside ${shapeText(keys.shape)}`];
  if (!sameDType(queries.dtype, keys.dtype)) return ["k", `mixes ${showDType(queries.dtype, dialect)} and ${showDType(keys.dtype, dialect)}; cast one of them`];
  for (const [param, { shape }] of [["cos_cache", cos], ["sin_cache", sin]] as const) {
    if (shape.length !== 2 || !dimsEqual(shape[1] ?? NaN, length)) return [param, `needs a row of ${dimText(length)} elements for each position, not the shape ${shapeText(shape)}`];
  }
  if (!fitsPositions(positions.shape, queries.shape)) return ["pos_ids", `needs one of each of the ${dimText(steps)} positions, not the shape ${shapeText(positions.shape)}`];
  return undefined;
}

/** Positions are the same for each batch, `[S]` or `[1, S]`, or those of each, `[B, S]`. */
function fitsPositions(shape: readonly Dim[], [batch = 1, steps = 1]: readonly Dim[]): boolean {
  const [rows, columns] = shape.length === 1 ? [1, shape[0] ?? NaN] : [shape[0] ?? NaN, shape[1] ?? NaN];
  return (shape.length === 1 || shape.length === 2) && dimsEqual(columns, steps) && (rows === 1 || dimsEqual(rows, batch));
}

function rotated(x: Expr, { cos_cache, sin_cache, pos_ids }: Rope, lower: LowerContext, type: TensorType): Part {
  const [read, cos, sin, position] = [x, cos_cache, sin_cache, pos_ids].map((operand) => lower.reader(operand));
  const out = lower.alloc("rotated", type);
  const extents = lower.extents(x);
  const within = accumulatorOf(type.dtype);
  const half = toExpr(floorDivDim(type.shape[3] ?? 2, 2));
  if (read === undefined || cos === undefined || sin === undefined || position === undefined) return { buffer: out, extents }; // there are four
  const [batch = half, steps = half, heads = half] = extents;
  lower.nest([batch, steps], ([b = half, s = half]) => {
    const row = lower.bind("row", as(position([b, s]), "index"));
    lower.nest([heads, half], ([h = half, d = half]) => {
      const far = lower.bind("far", prim("add", [d, half]));
      const [low, high] = [lower.bind("low", as(read([b, s, h, d]), within)), lower.bind("high", as(read([b, s, h, far]), within))];
      const turned = (at: Expr, own: Expr, other: Expr): void => {
        const [c, t] = [cos, sin].map((cache) => as(cache([row, at], "zero"), within));
        if (c === undefined || t === undefined) return;
        lower.emit(store(out, [b, s, h, at], as(prim("add", [prim("mul", [own, c]), prim("mul", [other, t])]), type.dtype)));
      };
      turned(d, low, prim("neg", [high]));
      turned(far, high, low);
    });
  });
  return { buffer: out, extents };
}

export const rope = defineOp({
  name: "rope",
  doc:
    "Queries and keys turned by their positions: x * cos + turned(x) * sin, where turned(x) is the second half of a head negated, then the first. " +
    "The rows of the caches are chosen by position, and are 0 outside of them. Of narrow floats computed in f32.",
  pl: [],
  tf: ["rope"],
  params: {
    q: { input: "tensor", doc: "queries, [batch, position, head, element]" },
    k: { input: "tensor", doc: "keys, as the queries, with heads of their own" },
    cos_cache: { input: "tensor", doc: "a row of cosines for each position" },
    sin_cache: { input: "tensor", doc: "a row of sines for each position" },
    pos_ids: { input: "tensor", of: ["i64", "i32"], doc: "the positions: [S], [1, S] or [B, S]" },
  },
  infer: (args, context) => {
    const fault = ropeFault(args, context);
    return fault === undefined ? tupleType([arrayType(args.q), arrayType(args.k)]) : context.fail(...fault);
  },
  lowering: {
    form: "parts",
    lower: (args, lower) => [rotated(args.q, args, lower, arrayType(args.q)), rotated(args.k, args, lower, arrayType(args.k))],
  },
  dtypes: FLOATS,
  examples: [
    {
      title: "a quarter turn at position 1, none at 0",
      args: {
        q: tensor("f32", [1, 2, 1, 2], [1, 2, 3, 4]), k: tensor("f32", [1, 2, 2, 2], [1, 0, 0, 1, 5, 6, 7, 8]),
        cos_cache: tensor("f32", [2, 2], [1, 1, 0, 0]), sin_cache: tensor("f32", [2, 2], [0, 0, 1, 1]), pos_ids: tensor("i64", [2], [0, 1]),
      },
      result: [tensor("f32", [1, 2, 1, 2], [1, 2, -4, 3]), tensor("f32", [1, 2, 2, 2], [1, 0, 0, 1, -6, 5, -8, 7])],
    },
    {
      title: "positions of each batch, and one outside of the cache",
      args: {
        q: tensor("f64", [2, 1, 1, 2], [1, 2, 3, 4]), k: tensor("f64", [2, 1, 1, 2], [NaN, 2, 3, 4]),
        cos_cache: tensor("f64", [1, 2], [2, 3]), sin_cache: tensor("f64", [1, 2], [0, 0]), pos_ids: tensor("i64", [2, 1], [0, 1]),
      },
      result: [tensor("f64", [2, 1, 1, 2], [2, 6, 0, 0]), tensor("f64", [2, 1, 1, 2], [NaN, NaN, 0, 0])],
    },
  ],
});
