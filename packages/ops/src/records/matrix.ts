// Matrix products. The accumulator starts from 0 or from a tile and takes one product after another along K with `mad`; along K
// only what is valid in both operands counts. u8 operands accumulate in i32.

import {
  dimsEqual, dimText, minimum, numberConst, sameDType, shapeText, tensorType, tileType, UNKNOWN,
  type Dim, type DType, type Expr, type TensorType,
} from "@tilefoundry/ir";
import { defineOp, type InferContext, type LowerContext, type Reader } from "../define.ts";
import { showDType } from "../describe.ts";
import { NUMBERS, tensor, tile } from "../example.ts";
import { arrayType, broadcast } from "../infer.ts";
import { as } from "./elementwise.ts";

const A = { input: "array", doc: "the left operand, [M, K]", aka: ["lhs"] } as const;
const B = { input: "array", doc: "the right operand, [K, N]", aka: ["rhs"] } as const;
const A_TRANS = { attr: "bool", doc: "whether `a` is given as [K, M]", default: false } as const;
const B_TRANS = { attr: "bool", doc: "whether `b` is given as [N, K]", default: false } as const;

interface Operands {
  readonly a: Expr;
  readonly b: Expr;
  readonly a_trans: boolean;
  readonly b_trans: boolean;
}

/** The dtype in which products of a dtype are summed. */
export const accumulatorOf = (dtype: DType): DType => (dtype === "u8" ? "i32" : dtype);

/** The last two extents of an operand as rows and columns. */
function matrix(list: readonly Dim[], transposed: boolean): readonly [rows: Dim, columns: Dim] {
  const [rows, columns] = [list.at(-2) ?? 1, list.at(-1) ?? 1];
  return transposed ? [columns, rows] : [rows, columns];
}

interface Product {
  readonly shape: readonly Dim[];
  readonly dtype: DType;
}

function productOf({ a, b, a_trans, b_trans }: Operands, context: InferContext): Product | undefined {
  const [left, right] = [arrayType(a), arrayType(b)];
  const fault = kindFault(left, right, context);
  if (fault !== undefined) {
    context.fail("b", fault);
    return undefined;
  }
  const [m, ka] = matrix(left.shape, a_trans);
  const [kb, n] = matrix(right.shape, b_trans);
  if (!dimsEqual(ka, kb)) {
    context.fail("b", `cannot multiply ${shapeText(left.shape)} by ${shapeText(right.shape)}: K is ${dimText(ka)} on the left and ${dimText(kb)} on the right`);
    return undefined;
  }
  const batch = broadcast(left.shape.slice(0, -2), right.shape.slice(0, -2));
  if (typeof batch === "string") {
    context.fail("b", batch);
    return undefined;
  }
  return { shape: [...batch, m, n], dtype: accumulatorOf(left.dtype) };
}

function kindFault(left: TensorType, right: TensorType, { dialect }: InferContext): string | undefined {
  for (const { shape, domain } of [left, right]) {
    if (shape.length < 2) return `multiplies matrices, not the shape ${shapeText(shape)}`;
    if (domain === "tile" && shape.length > 2) return `multiplies tiles of two axes, not the shape ${shapeText(shape)}`;
  }
  if (left.domain !== right.domain) return "mixes a tensor and a tile; load the tensor into a tile first";
  return sameDType(left.dtype, right.dtype) ? undefined : `mixes ${showDType(left.dtype, dialect)} and ${showDType(right.dtype, dialect)}; cast one of them`;
}

/** Run-time rows and columns of an operand. */
function extentsOf(operand: Expr, transposed: boolean, lower: LowerContext): readonly [rows: Expr, columns: Expr] {
  const list = lower.extents(operand);
  const [rows, columns] = [list.at(-2), list.at(-1)];
  const one = numberConst(1, "index");
  return transposed ? [columns ?? one, rows ?? one] : [rows ?? one, columns ?? one];
}

/** The smaller of two extents, without an operation where they are one value. */
function least(a: Expr, b: Expr): Expr {
  const same = a === b || (a.kind === "Const" && b.kind === "Const" && a.value === b.value);
  return same ? a : minimum(a, b);
}

const summedOf = ({ a, b, a_trans, b_trans }: Operands, lower: LowerContext): readonly Expr[] => [
  least(extentsOf(a, a_trans, lower)[1], extentsOf(b, b_trans, lower)[0]),
];

/** Rows and columns of the product; the batch axes are those of the operand that has more of them. */
function productExtents({ a, b, a_trans, b_trans }: Operands, lower: LowerContext): readonly Expr[] {
  return [...batchExtents(a, b, lower), extentsOf(a, a_trans, lower)[0], extentsOf(b, b_trans, lower)[1]];
}

function batchExtents(a: Expr, b: Expr, lower: LowerContext): readonly Expr[] {
  const [left, right] = [lower.extents(a).slice(0, -2), lower.extents(b).slice(0, -2)];
  const rank = Math.max(left.length, right.length);
  return Array.from({ length: rank }, (_, axis) => {
    const x = axis - rank + left.length;
    const y = axis - rank + right.length;
    const broadcasts = x < 0 || arrayType(a).shape[x] === 1;
    return (broadcasts ? (right[y] ?? left[x]) : left[x]) ?? numberConst(1, "index");
  });
}

/** The elements of both operands at a place of the result and of K. */
function factorsOf(a: Reader, b: Reader, transposed: readonly [boolean, boolean], index: readonly Expr[], summed: readonly Expr[], dtype: DType): readonly [Expr, Expr] {
  const batch = index.slice(0, -2);
  const [m, n, k] = [...index.slice(-2), ...summed];
  const at = (row: Expr | undefined, column: Expr | undefined, swap: boolean): readonly Expr[] =>
    [...batch, ...(swap ? [column, row] : [row, column])].filter((e): e is Expr => e !== undefined);
  return [as(a(at(m, k, transposed[0])), dtype), as(b(at(k, n, transposed[1])), dtype)];
}

export const matmul = defineOp({
  name: "matmul",
  doc: "The matrix product of two operands; leading axes of tensors are batches and broadcast. Of an empty K it is 0.",
  pl: ["matmul"],
  tf: ["matmul"],
  params: { a: A, b: B, a_trans: A_TRANS, b_trans: B_TRANS },
  infer: (args, context) => {
    const product = productOf(args, context);
    if (product === undefined) return UNKNOWN;
    return arrayType(args.a).domain === "tile" ? tileType(product.shape, product.dtype, "acc") : tensorType(product.shape, product.dtype);
  },
  lowering: {
    form: "contract",
    summed: summedOf,
    extents: productExtents,
    init: (_x, _index, { dtype }) => numberConst(0, dtype),
    factors: (x, index, summed, { dtype }) => factorsOf(x.a, x.b, [x.a_trans, x.b_trans], index, summed, dtype),
  },
  dtypes: NUMBERS,
  examples: [
    {
      title: "two by three by two",
      args: { a: tile("f32", [2, 3], [1, 2, 3, 4, 5, 6]), b: tile("f32", [3, 2], [1, 0, 0, 1, 1, 1]) },
      result: tile("f32", [2, 2], [4, 5, 10, 11]),
    },
    {
      title: "a right operand given transposed",
      args: { a: tensor("f64", [1, 2], [1, 2]), b: tensor("f64", [2, 2], [3, 4, 5, 6]), b_trans: true },
      result: tensor("f64", [1, 2], [11, 17]),
    },
    {
      title: "a left operand given transposed",
      args: { a: tensor("f32", [2, 1], [1, 2]), b: tensor("f32", [2, 2], [3, 4, 5, 6]), a_trans: true },
      result: tensor("f32", [1, 2], [13, 16]),
    },
    {
      title: "batches broadcast",
      args: { a: tensor("i32", [2, 1, 1], [2, 3]), b: tensor("i32", [1, 1, 1], [5]) },
      result: tensor("i32", [2, 1, 1], [10, 15]),
    },
    { title: "bytes accumulate in i32", args: { a: tile("u8", [1, 2], [255, 255]), b: tile("u8", [2, 1], [255, 255]) }, result: tile("i32", [1, 1], [130050]) },
    { title: "of an empty K it is 0", args: { a: tensor("f32", [1, 0], []), b: tensor("f32", [0, 2], []) }, result: tensor("f32", [1, 2], [0, 0]) },
    {
      title: "only what is valid along K counts",
      args: { a: { ...tile("f32", [1, 2], [3, 9]), valid: [1, 1] }, b: tile("f32", [2, 1], [5, 7]) },
      result: tile("f32", [1, 1], [15]),
    },
  ],
});

export const matmulAcc = defineOp({
  name: "matmul_acc",
  doc: "An accumulator plus the matrix product of two operands: the products are added to it one after another.",
  pl: ["matmul_acc"],
  tf: [],
  params: { acc: { input: "array", doc: "the accumulator, [M, N]" }, a: A, b: B, a_trans: A_TRANS, b_trans: B_TRANS },
  infer: (args, context) => {
    const product = productOf(args, context);
    if (product === undefined) return UNKNOWN;
    const acc = arrayType(args.acc);
    const { dialect } = context;
    if (acc.domain !== arrayType(args.a).domain) return context.fail("acc", "mixes a tensor and a tile; load the tensor into a tile first");
    if (acc.shape.length !== product.shape.length || !acc.shape.every((d, axis) => dimsEqual(d, product.shape[axis] ?? NaN))) {
      return context.fail("acc", `cannot add a product ${shapeText(product.shape)} to an accumulator ${shapeText(acc.shape)}`);
    }
    if (!sameDType(acc.dtype, product.dtype)) {
      return context.fail("acc", `accumulates in ${showDType(product.dtype, dialect)} here, not in ${showDType(acc.dtype, dialect)}`);
    }
    return acc;
  },
  lowering: {
    form: "contract",
    summed: summedOf,
    extents: (args, lower) => {
      const acc = lower.extents(args.acc);
      return productExtents(args, lower).map((extent, axis) => least(acc[axis] ?? extent, extent));
    },
    init: (x, index) => x.acc(index),
    factors: (x, index, summed, { dtype }) => factorsOf(x.a, x.b, [x.a_trans, x.b_trans], index, summed, dtype),
  },
  dtypes: NUMBERS,
  examples: [
    {
      title: "adds to the accumulator",
      args: { acc: tile("f32", [1, 2], [10, 20]), a: tile("f32", [1, 2], [1, 2]), b: tile("f32", [2, 2], [1, 2, 3, 4]) },
      result: tile("f32", [1, 2], [17, 30]),
    },
    {
      title: "an empty tail along K adds nothing",
      args: { acc: tile("f32", [1, 1], [10]), a: { ...tile("f32", [1, 2], [1, 2]), valid: [1, 0] }, b: { ...tile("f32", [2, 1], [1, 2]), valid: [0, 1] } },
      result: tile("f32", [1, 1], [10]),
    },
    { title: "integers wrap", args: { acc: tile("i32", [1, 1], [2147483647]), a: tile("i32", [1, 1], [1]), b: tile("i32", [1, 1], [1]) }, result: tile("i32", [1, 1], [-2147483648]) },
  ],
});
