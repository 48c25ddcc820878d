// What inference rules share: broadcasting, dtype promotion, and the type of an elementwise result.

import {
  dimsEqual, dimText, DTYPES, isFloat, isSigned, isStatic, sameDType, shapeText, UNKNOWN,
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

const category = (d: DType): "bool" | "float" | "integer" => (d === "bool" ? "bool" : isFloat(d) ? "float" : "integer");

/** An operand under the name of its parameter. */
export type Named = readonly [param: string, operand: Expr];

interface Joined {
  readonly first: TensorType;
  readonly shape: readonly Dim[];
  readonly dtype: DType;
}

/**
 * The common type of operands, some of them scalars: shapes broadcast, dtypes are equal (`tf`) or promoted (`pl`, where a tile
 * keeps its dtype beside scalars). Undefined after a complaint.
 */
export function joinOperands(operands: readonly Named[], context: InferContext): Joined | undefined {
  const arrays = operands.filter((o) => o[1].type.kind === "Tensor");
  const [head] = arrays;
  if (head === undefined) {
    context.fail(operands[0]?.[0] ?? "", "needs a tensor or a tile among its operands");
    return undefined;
  }
  let joined: Joined | undefined = { first: arrayType(head[1]), shape: arrayType(head[1]).shape, dtype: arrayType(head[1]).dtype };
  for (const next of arrays.slice(1)) joined = joined && joinArray(joined, next, context);
  for (const next of operands) if (next[1].type.kind === "Scalar") joined = joined && joinScalar(joined, next, context);
  return joined;
}

function joinArray(left: Joined, [param, operand]: Named, context: InferContext): Joined | undefined {
  const { dialect } = context;
  const right = arrayType(operand);
  if (right.domain !== left.first.domain) {
    context.fail(param, `mixes ${showType(left.first, dialect)} and ${showType(right, dialect)}; load the tensor into a tile first`);
    return undefined;
  }
  const shape = broadcast(left.shape, right.shape);
  if (typeof shape === "string") {
    context.fail(param, shape);
    return undefined;
  }
  const dtype = joinDTypes(left.dtype, right.dtype, dialect);
  if (dtype === undefined) {
    context.fail(param, mixed(left.dtype, right.dtype, dialect));
    return undefined;
  }
  return { first: left.first, shape, dtype };
}

function joinScalar(left: Joined, [param, operand]: Named, context: InferContext): Joined | undefined {
  const { dialect } = context;
  const right = dtypeOf(operand);
  const joins = dialect === "pl" ? category(left.dtype) === category(right) : sameDType(left.dtype, right);
  if (!joins) {
    context.fail(param, mixed(left.dtype, right, dialect));
    return undefined;
  }
  return left.first.domain === "tile" ? left : { ...left, dtype: promote(left.dtype, right) };
}

function joinDTypes(a: DType, b: DType, dialect: Dialect): DType | undefined {
  if (sameDType(a, b)) return a;
  return dialect === "pl" && (a === "bool") === (b === "bool") ? promote(a, b) : undefined;
}

function mixed(a: DType, b: DType, dialect: Dialect): string {
  const to = writeDType(a, dialect);
  return `mixes ${showDType(a, dialect)} and ${showDType(b, dialect)}; write \`${dialect}.cast(…, ${to})\``;
}

/** The array type of an elementwise result: the first array operand's domain and storage. */
export function inferElementwise(operands: readonly Named[], context: InferContext, dtype?: DType): Type {
  const joined = joinOperands(operands, context);
  return joined === undefined ? UNKNOWN : withShape(joined.first, joined.shape, dtype ?? joined.dtype);
}

export function withShape(like: TensorType, shape: readonly Dim[], dtype: DType = like.dtype): TensorType {
  return { ...like, shape, dtype };
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
