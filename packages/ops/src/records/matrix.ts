// Matrix products. The accumulator starts from 0 or from a tile and takes one product after another along K with `mad`; along K
// only what is valid in both operands counts. Elements narrower than 32 bits are multiplied and summed in f32 or i32, and a sum is
// rounded once, to the dtype of the result.

import {
  dimsEqual, dimText, indexConst, isFloat, minimum, numberConst, prim, sameDType, shapesEqual, shapeText, tensorType, tileType, UNKNOWN,
  type Dim, type DType, type Expr, type TensorType, type Type,
} from "@tilefoundry/ir";
import { defineOp, type Contraction, type Example, type InferContext, type LowerContext } from "../define.ts";
import { showDType } from "../describe.ts";
import { NUMBERS, scalar, tensor, tile } from "../example.ts";
import { accumulatorOf, arrayType, broadcast, dtypeOf, promote } from "../infer.ts";
import { as } from "./elementwise.ts";

const A = { input: "array", doc: "the left operand, [M, K]", aka: ["lhs"] } as const;
const B = { input: "array", doc: "the right operand, [K, N]", aka: ["rhs"] } as const;
const ACC = { input: "array", doc: "the accumulator, [M, N]" } as const;
const BIAS = { input: "array", doc: "what each column starts from, [1, N]" } as const;
const A_TRANS = { attr: "bool", doc: "whether `a` is given as [K, M]", default: false } as const;
const B_TRANS = { attr: "bool", doc: "whether `b` is given as [N, K]", default: false } as const;
const PHASE = { acc_phase: { attr: ["unspecified", "partial", "final"], doc: "a hint for hardware; not needed here", default: "unspecified" } } as const;

interface Operands {
  readonly a: Expr;
  readonly b: Expr;
  readonly a_trans: boolean;
  readonly b_trans: boolean;
}

interface Pair {
  readonly a: Expr;
  readonly b: Expr;
}

const plain = ({ a, b }: Pair): Operands => ({ a, b, a_trans: false, b_trans: false });

const rankOf = (operand: Expr): number => arrayType(operand).shape.length;

// — inference —

/** An operand as rows and columns: a vector on the left is one row, on the right one column. */
function matrix(list: readonly Dim[], side: "left" | "right", transposed: boolean): readonly [rows: Dim, columns: Dim] {
  const last = list.at(-1) ?? 1;
  if (list.length === 1) return side === "left" ? [1, last] : [last, 1];
  const rows = list.at(-2) ?? 1;
  return transposed ? [last, rows] : [rows, last];
}

interface Product {
  readonly shape: readonly Dim[];
  readonly dtype: DType;
}

function productOf(operands: Operands, context: InferContext): Product | undefined {
  const { a, b, a_trans, b_trans } = operands;
  const [left, right] = [arrayType(a), arrayType(b)];
  const misfit = operandFault(operands, context);
  if (misfit !== undefined) {
    context.fail(...misfit);
    return undefined;
  }
  const [m, ka] = matrix(left.shape, "left", a_trans);
  const [kb, n] = matrix(right.shape, "right", b_trans);
  if (!dimsEqual(ka, kb)) {
    context.fail("b", `cannot multiply ${shapeText(left.shape)} by ${shapeText(right.shape)}: K is ${dimText(ka)} on the left and ${dimText(kb)} on the right`);
    return undefined;
  }
  const batch = broadcast(left.shape.slice(0, -2), right.shape.slice(0, -2));
  if (typeof batch === "string") {
    context.fail("b", batch);
    return undefined;
  }
  const shape = [...batch, ...(left.shape.length > 1 ? [m] : []), ...(right.shape.length > 1 ? [n] : [])];
  return { shape, dtype: promote(left.dtype, right.dtype) };
}

/** The parameter of an operand that fits in no product with the other, and why. */
function operandFault({ a, b, a_trans, b_trans }: Operands, { dialect }: InferContext): readonly [param: string, fault: string] | undefined {
  const [left, right] = [arrayType(a), arrayType(b)];
  const ranks = [left.shape.length, right.shape.length];
  for (const [param, { shape }, transposed] of [["a", left, a_trans], ["b", right, b_trans]] as const) {
    const vector = shape.length === 1 && Math.max(...ranks) <= 2 && left.domain === "tensor";
    if (shape.length < 2 && !vector) return [param, `multiplies matrices, not the shape ${shapeText(shape)}`];
    if (vector && transposed) return [param, `transposes matrices, not the shape ${shapeText(shape)}`];
  }
  if (left.domain !== right.domain) return ["b", "mixes a tensor and a tile; load the tensor into a tile first"];
  if (sameDType(left.dtype, right.dtype)) return undefined;
  const promotes = left.domain === "tensor" && dialect === "pl";
  return promotes ? undefined : ["b", `mixes ${showDType(left.dtype, dialect)} and ${showDType(right.dtype, dialect)}; cast one of them`];
}

/** The type of a product: of tiles in the accumulator's dtype and space, of tensors in their own dtype or the one asked for. */
function inferProduct(operands: Operands, outDType: DType | null, context: InferContext): Type {
  const product = productOf(operands, context);
  if (product === undefined) return UNKNOWN;
  const { shape, dtype } = product;
  const tiles = arrayType(operands.a).domain === "tile";
  const natural = tiles ? accumulatorOf(dtype) : dtype;
  const { dialect } = context;
  if (outDType !== null && tiles && !sameDType(outDType, natural)) return context.fail("out_dtype", `gives a tile of ${showDType(natural, dialect)}, not of ${showDType(outDType, dialect)}`);
  if (outDType !== null && isFloat(outDType) !== isFloat(natural)) return context.fail("out_dtype", `cannot give ${showDType(outDType, dialect)} for a product of ${showDType(natural, dialect)}; cast it`);
  return tiles ? tileType(shape, natural, "acc") : tensorType(shape, outDType ?? natural);
}

/** Tiles of two axes only. */
const flat = (operands: Pair, context: InferContext): Type | undefined => {
  const [param, deep] = rankOf(operands.a) > 2 ? ["a", operands.a] as const : ["b", operands.b] as const;
  const { shape, domain } = arrayType(deep);
  return domain === "tile" && shape.length > 2 ? context.fail(param, `multiplies tiles of two axes, not the shape ${shapeText(shape)}; write \`pl.batch_matmul\``) : undefined;
};

/** A row times a matrix, or a matrix times a column. */
function vectorFault({ a, b }: Pair, context: InferContext): Type | undefined {
  const [left, right] = [arrayType(a), arrayType(b)];
  if (left.shape.length !== 2 || right.shape.length !== 2) return context.fail("a", `multiplies tiles of two axes, not ${shapeText(left.shape)} by ${shapeText(right.shape)}`);
  return left.shape[0] === 1 || right.shape[1] === 1 ? undefined : context.fail("a", `multiplies a matrix and a vector: one row or one column, not ${shapeText(left.shape)} by ${shapeText(right.shape)}`);
}

function inferAccumulated(accumulator: Expr, operands: Operands, context: InferContext): Type {
  const product = productOf(operands, context);
  if (product === undefined) return UNKNOWN;
  const acc = arrayType(accumulator);
  const { dialect } = context;
  const dtype = accumulatorOf(product.dtype);
  if (acc.domain !== arrayType(operands.a).domain) return context.fail("acc", "mixes a tensor and a tile; load the tensor into a tile first");
  if (!shapesEqual(acc.shape, product.shape)) return context.fail("acc", `cannot add a product ${shapeText(product.shape)} to an accumulator ${shapeText(acc.shape)}`);
  return sameDType(acc.dtype, dtype) ? acc : context.fail("acc", `accumulates in ${showDType(dtype, dialect)} here, not in ${showDType(acc.dtype, dialect)}`);
}

function inferBiased(bias: Expr, operands: Operands, context: InferContext): Type {
  const type = inferProduct(operands, null, context);
  if (type.kind !== "Tensor") return type;
  const { shape, dtype } = arrayType(bias);
  const { dialect } = context;
  const columns = type.shape.at(-1) ?? 1;
  if (!shapesEqual(shape, [1, columns])) return context.fail("bias", `starts the columns of ${shapeText(type.shape)} from a bias ${shapeText([1, columns])}, not ${shapeText(shape)}`);
  return sameDType(dtype, type.dtype) ? type : context.fail("bias", `accumulates in ${showDType(type.dtype, dialect)} here, not in ${showDType(dtype, dialect)}`);
}

// — lowering —

/** Run-time rows and columns of an operand. */
function extentsOf(operand: Expr, transposed: boolean, lower: LowerContext): readonly [rows: Expr, columns: Expr] {
  const list = lower.extents(operand);
  const one = indexConst(1);
  const [rows, columns] = [list.at(-2) ?? one, list.at(-1) ?? one];
  return transposed ? [columns, rows] : [rows, columns];
}

/** The smaller of two extents, without an operation where they are one value. */
function least(a: Expr, b: Expr): Expr {
  const same = a === b || (a.kind === "Const" && b.kind === "Const" && a.value === b.value);
  return same ? a : minimum(a, b);
}

function summedOf({ a, b, a_trans, b_trans }: Operands, lower: LowerContext): readonly Expr[] {
  const [rows, columns] = extentsOf(b, b_trans, lower);
  return [least(extentsOf(a, a_trans, lower)[1], rankOf(b) > 1 ? rows : columns)];
}

/** The batch axes, then rows and columns of the product; a vector has none. */
function productExtents({ a, b, a_trans, b_trans }: Operands, lower: LowerContext): readonly Expr[] {
  const rows = rankOf(a) > 1 ? [extentsOf(a, a_trans, lower)[0]] : [];
  const columns = rankOf(b) > 1 ? [extentsOf(b, b_trans, lower)[1]] : [];
  return [...batchExtents(a, b, lower), ...rows, ...columns];
}

/** Along a batch axis the least of the operands; one that is broadcast along it counts only where it is empty. */
function batchExtents(a: Expr, b: Expr, lower: LowerContext): readonly Expr[] {
  const rank = Math.max(rankOf(a), rankOf(b)) - 2;
  return Array.from({ length: Math.max(rank, 0) }, (_, axis) => {
    const own = [a, b].flatMap((operand) => axisExtent(operand, axis + rankOf(operand) - 2 - rank, lower));
    const [first = indexConst(1), second = first] = own.flatMap(({ extent, repeated }) => (repeated ? [] : [extent]));
    return own.reduce((extent, part) => (part.repeated ? repeatedExtent(extent, part.extent) : extent), least(first, second));
  });
}

function axisExtent(operand: Expr, axis: number, lower: LowerContext): readonly { readonly extent: Expr; readonly repeated: boolean }[] {
  const extent = axis < 0 ? undefined : lower.extents(operand)[axis];
  return extent === undefined ? [] : [{ extent, repeated: arrayType(operand).shape[axis] === 1 }];
}

/** The extent that an axis of run-time extent 0 or 1 leaves of one along which it is repeated. */
const repeatedExtent = (extent: Expr, unit: Expr): Expr => (unit.kind === "Const" && unit.value === 1n ? extent : prim("mul", [extent, unit]));

/** The factors of a product at a place of the result and of K; `init` gives the start of the accumulator. */
function terms({ a, b, a_trans, b_trans }: Operands, lower: LowerContext, dtype: DType, init: Contraction["init"]): Contraction {
  const [left, right] = [lower.reader(a), lower.reader(b)];
  const [rows, columns] = [rankOf(a) > 1 ? 1 : 0, rankOf(b) > 1 ? 1 : 0];
  return {
    init,
    factors: (index, summed) => {
      const batch = index.slice(0, index.length - rows - columns);
      const m = index.slice(batch.length, batch.length + rows);
      const n = index.slice(batch.length + rows);
      const x = a_trans ? [...batch, ...summed, ...m] : [...batch, ...m, ...summed];
      const y = b_trans ? [...batch, ...n, ...summed] : [...batch, ...summed, ...n];
      return [as(left(x), dtype), as(right(y), dtype)];
    },
  };
}

const fromZero = (operands: Operands, lower: LowerContext): Contraction => {
  const dtype = accumulatorOf(promote(dtypeOf(operands.a), dtypeOf(operands.b)));
  return terms(operands, lower, dtype, () => numberConst(0, dtype));
};

const product = <P extends Pair>(operandsOf: (args: P) => Operands) => ({
  form: "contract" as const,
  summed: (args: P, lower: LowerContext) => summedOf(operandsOf(args), lower),
  extents: (args: P, lower: LowerContext) => productExtents(operandsOf(args), lower),
  terms: (args: P, lower: LowerContext): Contraction => fromZero(operandsOf(args), lower),
});

const accumulated = <P extends Pair & { readonly acc: Expr; readonly init_cond?: Expr | undefined }>(operandsOf: (args: P) => Operands) => ({
  ...product(operandsOf),
  extents: (args: P, lower: LowerContext): readonly Expr[] => {
    const acc = lower.extents(args.acc);
    return productExtents(operandsOf(args), lower).map((extent, axis) => least(acc[axis] ?? extent, extent));
  },
  terms: (args: P, lower: LowerContext, { dtype }: TensorType): Contraction => {
    const [acc, fresh] = [lower.reader(args.acc), args.init_cond];
    return terms(operandsOf(args), lower, dtype, (index) => (fresh === undefined ? acc(index) : prim("select", [fresh, numberConst(0, dtype), acc(index)])));
  },
});

const biased = <P extends Pair & { readonly bias: Expr }>(operandsOf: (args: P) => Operands) => ({
  ...product(operandsOf),
  extents: (args: P, lower: LowerContext): readonly Expr[] => {
    const [row, columns] = extentsOf(args.bias, false, lower);
    return productExtents(operandsOf(args), lower).map((extent, axis, all) => (axis === all.length - 1 ? least(extent, columns) : repeatedExtent(extent, row)));
  },
  terms: (args: P, lower: LowerContext, { dtype }: TensorType): Contraction => terms(operandsOf(args), lower, dtype, lower.reader(args.bias)),
});

// — products —

export const matmul = defineOp({
  name: "matmul",
  doc:
    "The matrix product of two operands; leading axes of tensors are batches and broadcast. Of an empty K it is 0. A product of tiles has the " +
    "accumulator's dtype (32 bits at least), one of tensors their own. Tensors may be vectors, and PyPTO's of two dtypes.",
  pl: ["matmul"],
  tf: ["matmul"],
  params: {
    a: A,
    b: B,
    out_dtype: { attr: "dtype", doc: "the dtype of the result", default: null },
    a_trans: A_TRANS,
    b_trans: B_TRANS,
    c_matrix_nz: { attr: "bool", doc: "a layout of the result; not needed here", default: false },
  },
  infer: (args, context) => flat(args, context) ?? inferProduct(args, args.out_dtype, context),
  lowering: product((operands: Operands) => operands),
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
    { title: "two vectors give an element", args: { a: tensor("f32", [3], [1, 2, 3]), b: tensor("f32", [3], [4, 5, 6]) }, result: tensor("f32", [], [32]) },
    { title: "a matrix and a vector", args: { a: tensor("f32", [2, 2], [1, 2, 3, 4]), b: tensor("f32", [2], [5, 6]) }, result: tensor("f32", [2], [17, 39]) },
    { title: "a vector and a matrix", args: { a: tensor("f32", [2], [5, 6]), b: tensor("f32", [2, 3], [1, 2, 3, 4, 5, 6]) }, result: tensor("f32", [3], [29, 40, 51]) },
    { title: "tiles of bytes accumulate in i32", args: { a: tile("u8", [1, 2], [255, 255]), b: tile("u8", [2, 1], [255, 255]) }, result: tile("i32", [1, 1], [130050]) },
    { title: "tensors of bytes keep their low bits", args: { a: tensor("u8", [1, 2], [255, 255]), b: tensor("u8", [2, 1], [255, 255]) }, result: tensor("u8", [1, 1], [2]) },
    {
      title: "a wider result",
      args: { a: tensor("u8", [1, 2], [255, 255]), b: tensor("u8", [2, 1], [255, 255]), out_dtype: { dtype: "i32" } },
      result: tensor("i32", [1, 1], [130050]),
    },
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
  doc: "An accumulator plus the matrix product of two operands: the products are added to it one after another, or to 0 where `init_cond` holds.",
  pl: ["matmul_acc"],
  tf: [],
  params: {
    acc: ACC, a: A, b: B, a_trans: A_TRANS, b_trans: B_TRANS,
    init_cond: { input: "scalar", of: ["bool"], doc: "whether to start from 0 instead of the accumulator", optional: true },
  },
  infer: (args, context) => flat(args, context) ?? inferAccumulated(args.acc, args, context),
  lowering: accumulated((operands: Operands & { readonly acc: Expr; readonly init_cond: Expr | undefined }) => operands),
  dtypes: NUMBERS,
  examples: [
    {
      title: "adds to the accumulator",
      args: { acc: tile("f32", [1, 2], [10, 20]), a: tile("f32", [1, 2], [1, 2]), b: tile("f32", [2, 2], [1, 2, 3, 4]) },
      result: tile("f32", [1, 2], [17, 30]),
    },
    {
      title: "starts anew where the condition holds",
      args: { acc: tile("f32", [1, 1], [NaN]), a: tile("f32", [1, 2], [1, 2]), b: tile("f32", [2, 1], [1, 3]), init_cond: scalar("bool", true) },
      result: tile("f32", [1, 1], [7]),
    },
    {
      title: "and goes on where it does not",
      args: { acc: tile("f32", [1, 1], [10]), a: tile("f32", [1, 2], [1, 2]), b: tile("f32", [2, 1], [1, 3]), init_cond: scalar("bool", false) },
      result: tile("f32", [1, 1], [17]),
    },
    {
      title: "an empty tail along K adds nothing",
      args: { acc: tile("f32", [1, 1], [10]), a: { ...tile("f32", [1, 2], [1, 2]), valid: [1, 0] }, b: { ...tile("f32", [2, 1], [1, 2]), valid: [0, 1] } },
      result: tile("f32", [1, 1], [10]),
    },
    { title: "integers wrap", args: { acc: tile("i32", [1, 1], [2147483647]), a: tile("i32", [1, 1], [1]), b: tile("i32", [1, 1], [1]) }, result: tile("i32", [1, 1], [-2147483648]) },
  ],
});

const BIASED: readonly [Example, Example] = [
  {
    title: "each column starts from its bias",
    args: { a: tile("f32", [1, 2], [1, 2]), b: tile("f32", [2, 2], [1, 2, 3, 4]), bias: tile("f32", [1, 2], [10, 20]) },
    result: tile("f32", [1, 2], [17, 30]),
  },
  {
    title: "a bias of bytes' accumulator",
    args: { a: tile("u8", [1, 1], [200]), b: tile("u8", [1, 1], [2]), bias: tile("i32", [1, 1], [-1]) },
    result: tile("i32", [1, 1], [399]),
  },
];

export const matmulBias = defineOp({
  name: "matmul_bias",
  doc: "The matrix product of two tiles, each column of it started from a bias.",
  pl: ["matmul_bias"],
  tf: [],
  params: { a: A, b: B, bias: BIAS },
  infer: (args, context) => flat(args, context) ?? inferBiased(args.bias, plain(args), context),
  lowering: biased((args: Pair & { readonly bias: Expr }) => plain(args)),
  dtypes: NUMBERS,
  examples: BIASED,
});

export const batchMatmul = defineOp({
  name: "batch_matmul",
  doc: "The matrix products of two operands of any rank from two on; leading axes are batches and broadcast.",
  pl: ["batch_matmul"],
  tf: [],
  params: { a: A, b: B },
  infer: (args, context) => inferProduct(plain(args), null, context),
  lowering: product(plain),
  dtypes: NUMBERS,
  examples: [
    {
      title: "one product a batch",
      args: { a: tile("f32", [2, 1, 2], [1, 2, 3, 4]), b: tile("f32", [2, 2, 1], [5, 6, 7, 8]) },
      result: tile("f32", [2, 1, 1], [17, 53]),
    },
    {
      title: "one right operand for all batches",
      args: { a: tile("i32", [2, 1, 2], [1, 2, 3, 4]), b: tile("i32", [2, 1], [5, 6]) },
      result: tile("i32", [2, 1, 1], [17, 39]),
    },
    {
      title: "batches count that are valid on both sides",
      args: { a: { ...tile("f32", [2, 1, 1], [1, 2]), valid: [1, 1, 1] }, b: tile("f32", [2, 1, 1], [3, 4]) },
      result: { ...tile("f32", [2, 1, 1], [3, 0]), valid: [1, 1, 1] },
    },
  ],
});

export const batchMatmulAcc = defineOp({
  name: "batch_matmul_acc",
  doc: "An accumulator plus the matrix products of two operands of any rank from two on.",
  pl: ["batch_matmul_acc"],
  tf: [],
  params: { acc: ACC, a: A, b: B },
  infer: (args, context) => inferAccumulated(args.acc, plain(args), context),
  lowering: accumulated((args: Pair & { readonly acc: Expr }) => plain(args)),
  dtypes: NUMBERS,
  examples: [
    {
      title: "adds each product to its accumulator",
      args: { acc: tile("f32", [2, 1, 1], [10, 20]), a: tile("f32", [2, 1, 2], [1, 2, 3, 4]), b: tile("f32", [2, 2, 1], [5, 6, 7, 8]) },
      result: tile("f32", [2, 1, 1], [27, 73]),
    },
    {
      title: "bytes accumulate in i32",
      args: { acc: tile("i32", [1, 1, 1], [-1]), a: tile("u8", [1, 1, 1], [255]), b: tile("u8", [1, 1, 1], [255]) },
      result: tile("i32", [1, 1, 1], [65024]),
    },
  ],
});

// — a matrix and a vector —

export const gemv = defineOp({
  name: "gemv",
  doc: "The product of a row and a matrix, or of a matrix and a column.",
  pl: ["gemv"],
  tf: [],
  params: { a: A, b: B, ...PHASE },
  infer: (args, context) => vectorFault(args, context) ?? inferProduct(plain(args), null, context),
  lowering: product(plain),
  dtypes: NUMBERS,
  examples: [
    { title: "a row and a matrix", args: { a: tile("f32", [1, 2], [5, 6]), b: tile("f32", [2, 2], [1, 2, 3, 4]) }, result: tile("f32", [1, 2], [23, 34]) },
    { title: "a matrix and a column", args: { a: tile("i32", [2, 2], [1, 2, 3, 4]), b: tile("i32", [2, 1], [5, 6]) }, result: tile("i32", [2, 1], [17, 39]) },
  ],
});

export const gemvAcc = defineOp({
  name: "gemv_acc",
  doc: "An accumulator plus the product of a row and a matrix, or of a matrix and a column.",
  pl: ["gemv_acc"],
  tf: [],
  params: { acc: ACC, a: A, b: B, ...PHASE },
  infer: (args, context) => vectorFault(args, context) ?? inferAccumulated(args.acc, plain(args), context),
  lowering: accumulated((args: Pair & { readonly acc: Expr }) => plain(args)),
  dtypes: NUMBERS,
  examples: [
    {
      title: "adds to the accumulator",
      args: { acc: tile("f32", [1, 2], [10, 20]), a: tile("f32", [1, 2], [5, 6]), b: tile("f32", [2, 2], [1, 2, 3, 4]) },
      result: tile("f32", [1, 2], [33, 54]),
    },
    {
      title: "an empty tail along K adds nothing",
      args: { acc: tile("f32", [1, 1], [10]), a: { ...tile("f32", [1, 2], [1, 2]), valid: [1, 0] }, b: tile("f32", [2, 1], [1, 2]) },
      result: tile("f32", [1, 1], [10]),
    },
  ],
});

export const gemvBias = defineOp({
  name: "gemv_bias",
  doc: "The product of a row and a matrix, or of a matrix and a column, each column of it started from a bias.",
  pl: ["gemv_bias"],
  tf: [],
  params: { a: A, b: B, bias: BIAS, ...PHASE },
  infer: (args, context) => vectorFault(args, context) ?? inferBiased(args.bias, plain(args), context),
  lowering: biased((args: Pair & { readonly bias: Expr }) => plain(args)),
  dtypes: NUMBERS,
  examples: BIASED,
});
