// What each built-in op computes: one total table, written from the ops' laws and independent of how they are lowered.

import { sameDType, type DType, type ReduceKind } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import type { OpName } from "../builtins.ts";
import type { Params } from "../define.ts";
import { normalAxis } from "../infer.ts";
import { resultArray, resultDType, type EvalArgs, type EvalContext, type EvaluateTable, type Operand } from "./arguments.ts";
import { castFunction } from "./casts.ts";
import { geluByErf, geluByTanh, leaky, logistic, silu, softplus } from "./functions.ts";
import { chosen, compareBy } from "./masks.ts";
import { filled, permuteAxes, readElement, readWindow, writeElement, writeWindow } from "./movement.ts";
import { convolved, turned } from "./neural.ts";
import { layerNormed, rmsNormRows, softmaxRows } from "./norms.ts";
import { partial } from "./partial.ts";
import { binary, comparison, mapElements, readsIn, unary } from "./pointwise.ts";
import { product, type Matrix } from "./products.ts";
import { positions, reduceAxes, type Fold } from "./reductions.ts";
import { combineFunction, identityOf, scalarFunction, type ScalarFunction, type ScalarPrim } from "./scalars.ts";
import { canonical, zeros, type ArrayValue, type Result, type Scalar } from "./values.ts";

// — scalar laws that are no primitive —

const prim = (op: ScalarPrim) => (dtype: DType): ScalarFunction => scalarFunction(op, dtype);

/** Toward zero for integers, 0 by zero. */
function quotient(dtype: DType): ScalarFunction {
  if (dtype === "f32" || dtype === "f64") return scalarFunction("div", dtype);
  const wrap = castFunction("i64", dtype);
  return (a, b = 0) => (Number(b) === 0 ? 0 : wrap(canonical(BigInt.asIntN(64, BigInt(a) / BigInt(b)))));
}

/** The remainder that goes with it, with the dividend's sign; of floats in one rounding, as long as the quotient is whole in the dtype. */
function remainder(dtype: DType): ScalarFunction {
  if (dtype !== "f32" && dtype !== "f64") {
    const wrap = castFunction("i64", dtype);
    return (a, b = 0) => (Number(b) === 0 ? a : wrap(canonical(BigInt(a) % BigInt(b))));
  }
  const [div, fma, add] = [scalarFunction("div", dtype), scalarFunction("fma", dtype), scalarFunction("add", dtype)];
  return (a, b = 0) => {
    const [x, y] = [Number(a), Number(b)];
    if (Math.abs(y) === Infinity && Math.abs(x) < Infinity) return x;
    const rest = Number(fma(-Math.trunc(Number(div(x, y))), y, x));
    if (rest === 0) return x * 0;
    return rest < 0 === x < 0 ? rest : add(rest, x < 0 ? -Math.abs(y) : Math.abs(y));
  };
}

const repeated = (): ScalarFunction => (_x, value = 0) => value;

function powerOfDifference(dtype: DType): ScalarFunction {
  const [exp, sub] = [scalarFunction("exp", dtype), scalarFunction("sub", dtype)];
  return (x, y) => exp(sub(x, y));
}

function reciprocal(dtype: DType): ScalarFunction {
  const div = scalarFunction("div", dtype);
  return (x) => div(1, x);
}

function reciprocalRoot(dtype: DType): ScalarFunction {
  const sqrt = scalarFunction("sqrt", dtype);
  const div = scalarFunction("div", dtype);
  return (x) => div(1, sqrt(x));
}

function squared(dtype: DType): ScalarFunction {
  const mul = scalarFunction("mul", dtype);
  return (x) => mul(x, x);
}

function aboveZero(dtype: DType): ScalarFunction {
  const max = scalarFunction("max", dtype);
  return (x) => max(x, 0);
}

/** An element value as the dtype holds it. */
function elementOf(value: number | bigint | boolean, dtype: DType): Scalar {
  if (typeof value === "bigint") return dtype === "f32" || dtype === "f64" ? floatOf(Number(value), dtype) : canonical(value);
  return typeof value === "number" ? floatOf(value, dtype) : value;
}

const floatOf = (value: number, dtype: DType): number => (dtype === "f32" ? Math.fround(value) : value);

// — reductions —

const fold = (kind: ReduceKind, dtype: DType): Fold => ({ start: identityOf(kind, dtype), combine: combineFunction(kind, dtype) });

interface OneArray {
  readonly x: ArrayValue;
}

const ofRows = (kind: ReduceKind) => ({ x }: OneArray): ArrayValue => reduceAxes(x, [-1], true, fold(kind, x.dtype));
const ofColumns = (kind: ReduceKind) => ({ x }: OneArray, context: EvalContext): ArrayValue => reduceAxes(x, [columnAxis(x, context)], true, fold(kind, x.dtype));

/** Columns run along the first axis of a tile, and along the last but one of a tensor. */
const columnAxis = (x: ArrayValue, { type }: EvalContext): number => (resultArray(type).domain === "tile" ? 0 : x.shape.length - 2);

function foldOf(kind: "mean" | "sum" | "max" | "min" | "abs_max", dtype: DType): Fold {
  if (kind === "max" || kind === "min") return fold(kind, dtype);
  if (kind === "abs_max") return { start: 0, combine: combineFunction("max", dtype), before: scalarFunction("abs", dtype) };
  if (kind === "sum") return fold("add", dtype);
  const div = scalarFunction("div", dtype);
  return { ...fold("add", dtype), after: (total, count) => div(total, floatOf(count, dtype)) };
}

// — expansions —

const byRow = (of: (dtype: DType) => ScalarFunction) => ({ x, row_vec }: { readonly x: ArrayValue; readonly row_vec: ArrayValue }, context: EvalContext): ArrayValue =>
  expanded(of, { x, row_vec }, context);
const byColumn = (of: (dtype: DType) => ScalarFunction) => ({ x, col_vec }: { readonly x: ArrayValue; readonly col_vec: ArrayValue }, context: EvalContext): ArrayValue =>
  expanded(of, { x, col_vec }, context);

function expanded(of: (dtype: DType) => ScalarFunction, inputs: Readonly<Record<string, Operand>>, context: EvalContext): ArrayValue {
  const dtype = resultDType(context);
  return mapElements(readsIn(dtype, inputs, context), dtype, of(dtype));
}

function withSlope(x: Operand, slope: Operand, context: EvalContext): ArrayValue {
  const dtype = resultDType(context);
  return mapElements(readsIn(dtype, { x, slope }, context), dtype, leaky(dtype));
}

const sumOfThree = (op: "add" | "sub") => ({ a, b, c }: { readonly a: Operand; readonly b: Operand; readonly c: Operand }, context: EvalContext): ArrayValue => {
  const dtype = resultDType(context);
  const [add, first] = [scalarFunction("add", dtype), scalarFunction(op, dtype)];
  return mapElements(readsIn(dtype, { a, b, c }, context), dtype, (x, y, z) => add(first(x, y), z));
};

// — products —

interface Factors {
  readonly a: ArrayValue;
  readonly b: ArrayValue;
}

const asIs = (array: ArrayValue): Matrix => ({ array, transposed: false });
const plainProduct = ({ a, b }: Factors, context: EvalContext): ArrayValue => product(asIs(a), asIs(b), resultDType(context));
const added = ({ a, b, acc }: Factors & { readonly acc: ArrayValue }): ArrayValue => product(asIs(a), asIs(b), acc.dtype, { from: acc, fresh: false });
const biased = ({ a, b, bias }: Factors & { readonly bias: ArrayValue }): ArrayValue => product(asIs(a), asIs(b), bias.dtype, { from: bias, fresh: false });

/** A condition beside two values: the condition stays bool, the values take the result's dtype. */
function choose(inputs: { readonly condition: Operand; readonly a: Operand; readonly b: Operand }, context: EvalContext): ArrayValue {
  const dtype = resultDType(context);
  const { condition, a, b } = inputs;
  return mapElements([...readsIn("bool", { condition }, context), ...readsIn(dtype, { a, b }, context)], dtype, scalarFunction("select", dtype));
}

function converted(x: Operand, dtype: DType, mode: Parameters<typeof castFunction>[2], context: EvalContext): ArrayValue {
  const from = context.dtypes["x"];
  invariant(from !== undefined, () => "a cast without a dtype");
  const convert: ScalarFunction = sameDType(from, dtype) ? (value) => value : castFunction(from, dtype, mode);
  return mapElements(readsIn(from, { x }, context), dtype, convert);
}

export const EVALUATE: EvaluateTable = {
  load: ({ tensor, offsets, shapes }, { report }) => readWindow(tensor, offsets, shapes, report),
  store: ({ tile, offsets, output_tensor }, { report }) => writeWindow(output_tensor, offsets, tile, report),
  read: ({ src, indices }, { report }) => readElement(src, indices, report),
  write: ({ dst, indices, value }, { report }) => writeElement(dst, indices, value, report),

  full: ({ shape, dtype, value }) => filled(zeros(dtype, shape), elementOf(value, dtype)),
  tensor_full: ({ shape, dtype, value }) => filled(zeros(dtype, shape), elementOf(value, dtype)),
  full_like: ({ x, value }) => filled(zeros(x.dtype, x.shape, x.valid), elementOf(value, x.dtype)),
  create_tile: ({ shape, dtype }) => zeros(dtype, shape),
  create_tensor: ({ shape, dtype }) => zeros(dtype, shape),

  add: binary(prim("add")),
  sub: binary(prim("sub")),
  mul: binary(prim("mul")),
  div: binary(quotient),
  floor_div: binary(prim("floordiv")),
  mod: binary(prim("mod")),
  fmod: binary(remainder),
  part_add: partial("add"),
  part_mul: partial("mul"),
  part_max: partial("max"),
  part_min: partial("min"),
  addc: sumOfThree("add"),
  subc: sumOfThree("sub"),
  addsc: sumOfThree("add"),
  subsc: sumOfThree("sub"),
  maximum: binary(prim("max")),
  minimum: binary(prim("min")),
  neg: unary(prim("neg")),
  abs: unary(prim("abs")),
  exp: unary(prim("exp")),
  exp2: unary(prim("exp2")),
  log: unary(prim("log")),
  log2: unary(prim("log2")),
  sin: unary(prim("sin")),
  cos: unary(prim("cos")),
  tanh: unary(prim("tanh")),
  erf: unary(prim("erf")),
  sigmoid: unary(logistic),
  silu: unary(silu),
  softplus: unary(softplus),
  gelu: ({ x, approximate }, context) => unary(approximate === "tanh" ? geluByTanh : geluByErf)({ x }, context),
  lrelu: ({ x, slope }, context) => withSlope(x, slope, context),
  prelu: ({ x, slope }, context) => withSlope(x, slope, context),
  sqrt: unary(prim("sqrt")),
  rsqrt: unary(reciprocalRoot),
  recip: unary(reciprocal),
  square: unary(squared),
  relu: unary(aboveZero),
  ceil: unary(prim("ceil")),
  floor: unary(prim("floor")),
  round: unary(prim("rint")),
  fma: ({ a, b, c }, context) => {
    const dtype = resultDType(context);
    return mapElements(readsIn(dtype, { a, b, c }, context), dtype, scalarFunction("fma", dtype));
  },
  cast: ({ x, dtype, mode }, context) => converted(x, dtype, mode, context),
  clamp: ({ x, min_val, max_val }) => {
    const { dtype } = x;
    const [max, min, low, high] = [scalarFunction("max", dtype), scalarFunction("min", dtype), elementOf(min_val, dtype), elementOf(max_val, dtype)];
    return mapElements([{ operand: x, from: dtype, to: dtype }], dtype, (value) => min(max(value, low), high));
  },

  cmp: ({ a, b, cmp_type }, context) => compareBy(cmp_type, { a, b }, context),
  sel: ({ mask, a, b }, context) => chosen(mask, { a, b }, context),
  sels: ({ mask, src, scalar }, context) => chosen(mask, { src, scalar }, context),
  cmp_eq: comparison(prim("eq")),
  cmp_ne: comparison(prim("ne")),
  cmp_lt: comparison(prim("lt")),
  cmp_le: comparison(prim("le")),
  cmp_gt: comparison(prim("gt")),
  cmp_ge: comparison(prim("ge")),
  logical_and: binary(prim("and")),
  logical_or: binary(prim("or")),
  logical_not: unary(prim("not")),
  bit_and: binary(prim("bitand")),
  bit_or: binary(prim("bitor")),
  bit_xor: binary(prim("bitxor")),
  bit_not: unary(prim("invert")),
  shift_left: binary(prim("shl")),
  shift_right: binary(prim("shr")),
  where: choose,

  row_max: ofRows("max"),
  row_min: ofRows("min"),
  row_sum: ofRows("add"),
  row_prod: ofRows("mul"),
  col_max: ofColumns("max"),
  col_min: ofColumns("min"),
  col_sum: ofColumns("add"),
  col_prod: ofColumns("mul"),
  row_argmax: ({ x }) => positions(x, x.shape.length - 1, "max", true, "i32"),
  row_argmin: ({ x }) => positions(x, x.shape.length - 1, "min", true, "i32"),
  col_argmax: ({ x }, context) => positions(x, columnAxis(x, context), "max", true, "i32"),
  col_argmin: ({ x }, context) => positions(x, columnAxis(x, context), "min", true, "i32"),
  argmax: ({ x, axis }) => positions(x, normalAxis(axis, x.shape.length) ?? 0, "max", false, "i64"),
  reduce: ({ x, axes, keepdim, kind }) => reduceAxes(x, axes, keepdim, foldOf(kind, x.dtype)),
  softmax: ({ x, axis }) => softmaxRows(x, axis),
  layer_norm: ({ x, weight, bias, axis, eps }) => layerNormed(x, weight, bias, axis, eps),
  rope: ({ q, k, cos_cache, sin_cache, pos_ids }) => [turned(q, cos_cache, sin_cache, pos_ids), turned(k, cos_cache, sin_cache, pos_ids)],
  conv2d: ({ x, weight, bias, ...windows }) => convolved(x, weight, bias, windows),
  rms_norm: ({ x, weight, eps }) => rmsNormRows(x, weight, eps),

  row_expand: byRow(repeated),
  col_expand: byColumn(repeated),
  row_expand_expdif: byRow(powerOfDifference),
  col_expand_expdif: byColumn(powerOfDifference),
  row_expand_add: byRow(prim("add")),
  row_expand_sub: byRow(prim("sub")),
  row_expand_mul: byRow(prim("mul")),
  row_expand_div: byRow(quotient),
  row_expand_max: byRow(prim("max")),
  row_expand_min: byRow(prim("min")),
  col_expand_add: byColumn(prim("add")),
  col_expand_sub: byColumn(prim("sub")),
  col_expand_mul: byColumn(prim("mul")),
  col_expand_div: byColumn(quotient),
  col_expand_max: byColumn(prim("max")),
  col_expand_min: byColumn(prim("min")),

  matmul: ({ a, b, a_trans, b_trans }, context) => product({ array: a, transposed: a_trans }, { array: b, transposed: b_trans }, resultDType(context)),
  matmul_acc: ({ acc, a, b, a_trans, b_trans, init_cond }) =>
    product({ array: a, transposed: a_trans }, { array: b, transposed: b_trans }, acc.dtype, { from: acc, fresh: init_cond === true }),
  matmul_bias: biased,
  batch_matmul: plainProduct,
  batch_matmul_acc: added,
  gemv: plainProduct,
  gemv_acc: added,
  gemv_bias: biased,

  transpose: ({ x, axis1, axis2 }) => {
    const rank = x.shape.length;
    const order = x.shape.map((_, axis) => axis);
    const [i, j] = [normalAxis(axis1, rank) ?? 0, normalAxis(axis2, rank) ?? 0];
    return permuteAxes(x, order.map((axis) => (axis === i ? j : axis === j ? i : axis)));
  },
  permute: ({ x, perm }) => permuteAxes(x, perm.map((axis) => normalAxis(axis, perm.length) ?? 0)),
  clone: ({ x }) => permuteAxes(x, x.shape.map((_, axis) => axis)),
};

/** An evaluation whose argument types are forgotten, for calls that are only known by name; `evalArgs` makes its arguments. */
export type Evaluator = (args: EvalArgs<Params>, context: EvalContext) => Result;

/** The evaluation of a built-in op; undefined for ops of users, which are evaluated by their form. */
export function evaluatorOf(name: string): Evaluator | undefined {
  return Object.hasOwn(EVALUATE, name) ? (EVALUATE[name as OpName] as Evaluator) : undefined; // an own key, and arguments made by the record's `params`
}
