// What inference rules share: broadcasting, dtype promotion, and the type of an elementwise result.

import {
  dimsEqual, dimText, DTYPES, isFloat, isSigned, isStatic, sameDType, shapesEqual, shapeText, UNKNOWN,
  type Dialect, type Dim, type DType, type Expr, type TensorType, type Type,
} from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import type { InferContext } from "./define.ts";
import { showDType, showType, writeDType } from "./describe.ts";

/** The type of an argument that the binder has admitted as an array. */
export function arrayType(expr: Expr): TensorType {
  const { type } = expr;
  invariant(type.kind === "Tensor", () => `an array argument of type ${type.kind}`);
  return type;
}

/** The dtype of a scalar or array argument. */
export function dtypeOf(expr: Expr): DType {
  const { type } = expr;
  invariant(type.kind === "Tensor" || type.kind === "Scalar", () => `an operand of type ${type.kind}`);
  return type.dtype;
}

/** Right-aligned broadcast of two shapes, or which axis disagrees, as the end of a sentence that begins with the op. */
export function broadcast(a: readonly Dim[], b: readonly Dim[]): readonly Dim[] | string {
  if (shapesEqual(a, b)) return b;
  const rank = Math.max(a.length, b.length);
  const shape: Dim[] = [];
  for (let axis = 0; axis < rank; axis++) {
    const x = a[axis - rank + a.length] ?? 1;
    const y = b[axis - rank + b.length] ?? 1;
    if (x === 1 || dimsEqual(x, y)) shape.push(y);
    else if (y === 1) shape.push(x);
    else return `cannot broadcast ${shapeText(a)} with ${shapeText(b)}: axis ${axis} has extent ${dimText(x)} against ${dimText(y)}`;
  }
  return shape;
}

/** PyPTO's promotion: a float wins, then more bits, then signed, then the left one. */
export function promote(a: DType, b: DType): DType {
  if (sameDType(a, b)) return a;
  if (isFloat(a) !== isFloat(b)) return isFloat(a) ? a : b;
  if (DTYPES[a].bits !== DTYPES[b].bits) return DTYPES[a].bits > DTYPES[b].bits ? a : b;
  return isSigned(b) && !isSigned(a) ? b : a;
}

/** The dtype in which elements are summed, and in which composites of several steps are computed: 32 bits at least. */
export const accumulatorOf = (dtype: DType): DType => (DTYPES[dtype].bits >= 32 ? dtype : isFloat(dtype) ? "f32" : "i32");

const category = (d: DType): "bool" | "float" | "integer" => (d === "bool" ? "bool" : isFloat(d) ? "float" : "integer");

/** An operand under the name of its parameter. */
export type Named = readonly [param: string, operand: Expr];

interface Joined {
  /** The first array operand, whose domain and storage the result has. */
  readonly first: TensorType;
  readonly shape: readonly Dim[];
}

/** The common shape of operands, some of them scalars. Undefined after a complaint. */
export function joinShapes(operands: readonly Named[], context: InferContext): Joined | undefined {
  let first: TensorType | undefined;
  let shape: readonly Dim[] = [];
  for (const operand of operands) {
    const { type } = operand[1];
    if (type.kind !== "Tensor") continue;
    const joined = first === undefined ? type.shape : joinShape(first, shape, type, context.dialect);
    if (typeof joined === "string") {
      context.fail(operand[0], joined);
      return undefined;
    }
    first ??= type;
    shape = joined;
  }
  if (first !== undefined) return { first, shape };
  context.fail(operands[0]?.[0] ?? "", "needs a tensor or a tile among its operands");
  return undefined;
}

function joinShape(first: TensorType, shape: readonly Dim[], next: TensorType, dialect: Dialect): readonly Dim[] | string {
  if (next.domain === first.domain) return broadcast(shape, next.shape);
  return `mixes ${showType(first, dialect)} and ${showType(next, dialect)}; load the tensor into a tile first`;
}

/**
 * The common dtype of operands: equal (`tf`) or promoted (`pl`, where a tile keeps its dtype beside scalars, which then are of its category).
 * Undefined after a complaint.
 */
export function joinDTypes(operands: readonly Named[], context: InferContext): DType | undefined {
  const keeps = operands.some((o) => o[1].type.kind === "Tensor" && o[1].type.domain === "tile");
  let dtype: DType | undefined;
  for (const kind of ARRAYS_FIRST) {
    for (const operand of operands) {
      if (operand[1].type.kind !== kind) continue;
      const next = dtypeOf(operand[1]);
      dtype ??= next;
      if (sameDType(dtype, next)) continue;
      const scalar = kind === "Scalar";
      if (!promotes(dtype, next, scalar && keeps, context.dialect)) {
        context.fail(operand[0], mixed(dtype, next, context.dialect));
        return undefined;
      }
      if (!(scalar && keeps)) dtype = promote(dtype, next);
    }
  }
  return dtype;
}

const ARRAYS_FIRST = ["Tensor", "Scalar"] as const;

const promotes = (dtype: DType, next: DType, besideTile: boolean, dialect: Dialect): boolean =>
  dialect === "pl" && (besideTile ? category(dtype) === category(next) : (dtype === "bool") === (next === "bool"));

function mixed(a: DType, b: DType, dialect: Dialect): string {
  return `mixes ${showDType(a, dialect)} and ${showDType(b, dialect)}; write \`${dialect}.cast(…, ${writeDType(a, dialect)})\``;
}

/** The array type of an elementwise result: the first array operand's domain and storage, the operands' common shape and dtype. */
export function inferElementwise(operands: readonly Named[], context: InferContext, dtype?: DType): Type {
  const joined = joinShapes(operands, context);
  const common = joined && joinDTypes(operands, context);
  return joined === undefined || common === undefined ? UNKNOWN : withShape(joined.first, joined.shape, dtype ?? common);
}

export function withShape(like: TensorType, shape: readonly Dim[], dtype: DType = like.dtype): TensorType {
  return { kind: "Tensor", domain: like.domain, shape, dtype, storage: like.storage };
}

/** An axis counted from 0, or undefined where the array has none such. */
export function normalAxis(axis: number, rank: number): number | undefined {
  const normal = axis < 0 ? axis + rank : axis;
  return Number.isInteger(normal) && normal >= 0 && normal < rank ? normal : undefined;
}

/** The shape as static numbers, or undefined where an extent is symbolic. */
export function staticShape(shape: readonly Dim[]): readonly number[] | undefined {
  return shape.every(isStatic) ? shape : undefined;
}
