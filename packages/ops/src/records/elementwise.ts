// Arithmetic on the elements of tensors and tiles: shapes broadcast right-aligned, operands may be scalars, every op rounds once
// in the dtype of its result (those of several steps say so).

import { cast, isFloat, numberConst, prim, sameDType, type DType, type Expr, type PrimOp } from "@tilefoundry/ir";
import { defineOp, type AttrSpec, type Bind, type Example } from "../define.ts";
import { writeDType } from "../describe.ts";
import { FLOATS, INTEGERS, NUMBERS, row, scalar, tensor, tile } from "../example.ts";
import { inferElementwise } from "../infer.ts";

interface Elementwise {
  readonly name: string;
  readonly doc: string;
  readonly pl: readonly string[];
  readonly tf: readonly string[];
  readonly scalar?: PrimOp;
  readonly dtypes: readonly DType[];
  readonly ulp?: number;
  readonly examples: readonly [Example, Example, ...Example[]];
}

interface Unary extends Elementwise {
  /** Parameters that change nothing here. */
  readonly ignored?: Readonly<Record<string, AttrSpec | typeof SCRATCH>>;
  /** Whether PyPTO takes it of integer tensors, as f32. */
  readonly ofIntegers?: true;
  readonly of: (x: Expr, bind: Bind, dtype: DType) => Expr;
}

interface Binary extends Elementwise {
  /** Parameters that change nothing here. */
  readonly ignored?: Readonly<Record<string, AttrSpec | typeof SCRATCH>>;
  readonly of: (a: Expr, b: Expr, bind: Bind, dtype: DType) => Expr;
}

/** An operand's element in the dtype of the result. */
export const as = (value: Expr, dtype: DType): Expr =>
  value.type.kind === "Scalar" && !sameDType(value.type.dtype, dtype) ? cast(value, dtype) : value;

const X = { input: "operand", doc: "the operand", aka: ["input", "src", "tile"] } as const;

/** A scratch tile that PyPTO's tile form is given. */
export const SCRATCH = { input: "array", doc: "a scratch tile; not needed here", optional: true, aka: ["tmp_tile", "tmp"] } as const;

/** PyPTO lets an author ask for the slower of two ways; here there is only the precise one. */
export const PRECISE = { high_precision: { attr: "bool", doc: "accepted; always as precise as the bound says", default: false } } as const;

export function unary({ of, ignored = {}, ofIntegers, ...spec }: Unary) {
  return defineOp({
    ulp: 0,
    ...spec,
    dtypes: ofIntegers === true ? [...spec.dtypes, ...INTEGERS] : spec.dtypes,
    params: { x: X, ...ignored },
    infer: ({ x }, context) => {
      const { type } = x;
      if (type.kind !== "Tensor" || isFloat(type.dtype) || ofIntegers !== true) return inferElementwise([["x", x]], context);
      const fits = context.dialect === "pl" && type.domain === "tensor";
      return fits ? inferElementwise([["x", x]], context, "f32") : context.fail("x", `takes integers of PyPTO's tensors only; write \`${context.dialect}.cast(…, ${writeDType("f32", context.dialect)})\``);
    },
    lowering: { form: "element", element: (x, index, type, bind) => of(as(x.x(index), type.dtype), bind, type.dtype) },
  });
}

export const OPERANDS = {
  a: { input: "operand", doc: "the left operand", aka: ["lhs"] },
  b: { input: "operand", doc: "the right operand", aka: ["rhs"] },
} as const;

export function binary({ of, ignored = {}, ...spec }: Binary) {
  return defineOp({
    ulp: 0,
    ...spec,
    params: { ...OPERANDS, ...ignored },
    infer: ({ a, b }, context) => inferElementwise([["a", a], ["b", b]], context),
    lowering: {
      form: "element",
      element: (x, index, { dtype }, bind) => of(as(x.a(index), dtype), as(x.b(index), dtype), bind, dtype),
    },
  });
}

const prim1 = (op: PrimOp) => (x: Expr): Expr => prim(op, [x]);
const prim2 = (op: PrimOp) => (a: Expr, b: Expr): Expr => prim(op, [a, b]);

/** An example of a binary op on rows of one dtype. */
export const pair = (title: string, dtype: DType, a: Values, b: Values, result: Values, resultDType: DType = dtype): Example => ({
  title,
  args: { a: row(dtype, a), b: row(dtype, b) },
  result: row(resultDType, result),
});

/** An example of a unary op on a row. */
export const one = (title: string, dtype: DType, x: Values, result: Values): Example => ({ title, args: { x: row(dtype, x) }, result: row(dtype, result) });

/** An example of a unary op on a tensor of integers, which gives f32. */
const integers = (dtype: DType, x: Values, result: Values): Example => ({
  title: "of integers in f32",
  args: { x: tensor(dtype, [x.length], x) },
  result: tensor("f32", [x.length], result),
});

type Values = readonly (number | bigint | boolean)[];

export const addOp = binary({
  name: "add",
  doc: "The sum of two operands; integers wrap.",
  pl: ["add", "adds"],
  tf: ["add"],
  scalar: "add",
  dtypes: NUMBERS,
  of: prim2("add"),
  examples: [
    pair("sums", "f32", [1, 2.5], [0.5, -2.5], [1.5, 0]),
    pair("wraps", "i32", [2147483647, -2147483648], [1, -1], [-2147483648, 2147483647]),
    {
      title: "a row and a scalar broadcast",
      args: { a: tile("u8", [2, 2], [1, 2, 3, 255]), b: scalar("u8", 1) },
      result: tile("u8", [2, 2], [2, 3, 4, 0]),
    },
    {
      title: "valid where both are",
      args: { a: { ...row("f32", [1, 2, 3]), valid: [2] }, b: row("f32", [1, 1, 1]) },
      result: { ...row("f32", [2, 3, 0]), valid: [2] },
    },
  ],
});

export const subOp = binary({
  name: "sub",
  doc: "The difference of two operands; integers wrap.",
  pl: ["sub", "subs"],
  tf: ["sub"],
  scalar: "sub",
  dtypes: NUMBERS,
  of: prim2("sub"),
  examples: [
    pair("differences", "f32", [1, 2.5], [0.5, -2.5], [0.5, 5]),
    pair("wraps", "u32", [0, 5], [1, 3], [4294967295, 2]),
    pair("infinity less infinity is NaN", "f64", [Infinity], [Infinity], [NaN]),
  ],
});

export const mulOp = binary({
  name: "mul",
  doc: "The product of two operands; integers wrap.",
  pl: ["mul", "muls"],
  tf: ["mul"],
  scalar: "mul",
  dtypes: NUMBERS,
  of: prim2("mul"),
  examples: [
    pair("products", "f32", [3, -2], [0.5, 4], [1.5, -8]),
    pair("wraps", "i64", [4611686018427387904n, 3], [2, -4], [-9223372036854775808n, -12]),
    pair("zero times infinity is NaN", "f32", [0], [Infinity], [NaN]),
  ],
});

/** Truncating division from the flooring primitive: one more where the quotient is negative and a remainder is left. */
function truncatedQuotient(a: Expr, b: Expr, bind: Bind, dtype: DType): Expr {
  const left = bind("dividend", a);
  const right = bind("divisor", b);
  const zero = numberConst(0, dtype);
  const quotient = bind("quotient", prim("floordiv", [left, right]));
  const inexact = prim("ne", [prim("mod", [left, right]), zero]);
  const above = prim("add", [quotient, numberConst(1, dtype)]);
  return prim("select", [prim("and", [prim("lt", [quotient, zero]), inexact]), above, quotient]);
}

export const quotient = (a: Expr, b: Expr, bind: Bind, dtype: DType): Expr =>
  isFloat(dtype) ? prim("div", [a, b]) : truncatedQuotient(a, b, bind, dtype);

export const divOp = binary({
  name: "div",
  doc: "The quotient of two operands: of floats correctly rounded, of integers truncated toward zero and 0 where the divisor is 0.",
  pl: ["div", "divs"],
  tf: ["div"],
  scalar: "div",
  dtypes: NUMBERS,
  ignored: PRECISE,
  of: quotient,
  examples: [
    pair("quotients", "f32", [1, -9], [4, 2], [0.25, -4.5]),
    pair("integers truncate", "i32", [7, -7, 7, -7, 6], [2, 2, -2, -2, -3], [3, -3, -3, 3, -2]),
    pair("by zero", "i32", [5, -5, 0], [0, 0, 0], [0, 0, 0]),
    pair("the least integer by -1 wraps", "i32", [-2147483648], [-1], [-2147483648]),
    pair("floats by zero", "f64", [1, -1, 0], [0, 0, 0], [Infinity, -Infinity, NaN]),
  ],
});

export const floorDivOp = binary({
  name: "floor_div",
  doc: "The quotient rounded toward negative infinity; of integers 0 where the divisor is 0.",
  pl: ["floor_div"],
  tf: ["floor_div"],
  scalar: "floordiv",
  dtypes: INTEGERS,
  of: prim2("floordiv"),
  examples: [
    pair("floors", "i32", [7, -7, 7, -7], [3, 3, -3, -3], [2, -3, -3, 2]),
    pair("by zero", "i64", [5, -5], [0, 0], [0, 0]),
    pair("the least integer by -1 wraps", "i32", [-2147483648], [-1], [-2147483648]),
  ],
});

export const modOp = binary({
  name: "mod",
  doc: "The remainder of flooring division, with the divisor's sign; the dividend where the divisor is 0.",
  pl: ["mod"],
  tf: ["mod"],
  scalar: "mod",
  dtypes: INTEGERS,
  of: prim2("mod"),
  examples: [
    pair("has the divisor's sign", "i32", [7, -7, 7, -7], [3, 3, -3, -3], [1, 2, -2, -1]),
    pair("by zero", "i64", [5, -5], [0, 0], [5, -5]),
    pair("the least integer by -1", "i32", [-2147483648], [-1], [0]),
  ],
});

export const maximumOp = binary({
  name: "maximum",
  doc: "The larger of two operands; NaN where either is NaN, and 0.0 of the two zeros.",
  pl: ["maximum", "maximums"],
  tf: ["maximum", "max"],
  scalar: "max",
  dtypes: NUMBERS,
  of: prim2("max"),
  examples: [
    pair("the larger", "i32", [1, -5], [2, -7], [2, -5]),
    pair("NaN from either side", "f32", [NaN, 1, NaN], [1, NaN, NaN], [NaN, NaN, NaN]),
    pair("zeros", "f32", [-0, 0], [0, -0], [0, 0]),
  ],
});

export const minimumOp = binary({
  name: "minimum",
  doc: "The smaller of two operands; NaN where either is NaN, and -0.0 of the two zeros.",
  pl: ["minimum", "minimums"],
  tf: ["minimum", "min"],
  scalar: "min",
  dtypes: NUMBERS,
  of: prim2("min"),
  examples: [
    pair("the smaller", "u32", [1, 4294967295], [2, 7], [1, 7]),
    pair("NaN from either side", "f64", [NaN, 1], [1, NaN], [NaN, NaN]),
    pair("zeros", "f32", [-0, 0], [0, -0], [-0, -0]),
  ],
});

export const negOp = unary({
  name: "neg",
  doc: "The negated operand; integers wrap.",
  pl: ["neg"],
  tf: ["neg"],
  scalar: "neg",
  dtypes: NUMBERS,
  of: prim1("neg"),
  examples: [one("negates", "f32", [1.5, -2], [-1.5, 2]), one("the least integer wraps", "i32", [-2147483648, 0], [-2147483648, 0]), one("flips the sign of zero", "f64", [0, -0], [-0, 0])],
});

export const absOp = unary({
  name: "abs",
  doc: "The magnitude of the operand; the least signed integer stays what it is.",
  pl: ["abs"],
  tf: ["abs"],
  scalar: "abs",
  dtypes: NUMBERS,
  of: prim1("abs"),
  examples: [one("magnitudes", "f32", [-1.5, 2], [1.5, 2]), one("the least integer wraps", "i32", [-2147483648, -3], [-2147483648, 3]), one("NaN stays", "f32", [NaN, -0], [NaN, 0])],
});

export const expOp = unary({
  name: "exp",
  doc: "The exponential function of the operand.",
  pl: ["exp"],
  tf: ["exp"],
  scalar: "exp",
  dtypes: FLOATS,
  ofIntegers: true,
  ulp: 1,
  of: prim1("exp"),
  examples: [one("powers of e", "f64", [0, 1], [1, Math.E]), one("the ends", "f32", [-Infinity, Infinity, 89, -104], [0, Infinity, Infinity, 0]), one("NaN stays", "f32", [NaN], [NaN]), integers("i32", [0], [1])],
});

export const sqrtOp = unary({
  name: "sqrt",
  doc: "The square root, correctly rounded; NaN of what is below zero.",
  pl: ["sqrt"],
  tf: ["sqrt"],
  scalar: "sqrt",
  dtypes: FLOATS,
  ofIntegers: true,
  of: prim1("sqrt"),
  examples: [one("roots", "f32", [4, 2.25], [2, 1.5]), one("the edges", "f64", [-1, -0, Infinity, NaN], [NaN, -0, Infinity, NaN]), integers("i32", [9, 2], [3, 1.4142135381698608])],
});

export const rsqrtOp = unary({
  name: "rsqrt",
  doc: "One over the square root, in two correctly rounded steps: 1 / sqrt(x).",
  pl: ["rsqrt"],
  tf: ["rsqrt"],
  dtypes: FLOATS,
  ofIntegers: true,
  ignored: { tmp: SCRATCH, ...PRECISE },
  ulp: 1,
  of: (x, _bind, dtype) => prim("div", [numberConst(1, dtype), prim("sqrt", [x])]),
  examples: [one("reciprocal roots", "f32", [4, 0.25], [0.5, 2]), one("the edges", "f32", [0, -0, -1, Infinity], [Infinity, -Infinity, NaN, 0]), integers("u8", [4], [0.5])],
});

export const recipOp = unary({
  name: "recip",
  doc: "One over the operand, correctly rounded.",
  pl: ["recip"],
  tf: ["recip"],
  dtypes: FLOATS,
  ofIntegers: true,
  ignored: PRECISE,
  of: (x, _bind, dtype) => prim("div", [numberConst(1, dtype), x]),
  examples: [one("reciprocals", "f32", [4, -0.5], [0.25, -2]), one("the edges", "f64", [0, -0, Infinity, NaN], [Infinity, -Infinity, 0, NaN]), integers("i32", [4, -2], [0.25, -0.5])],
});

export const squareOp = unary({
  name: "square",
  doc: "The operand times itself; integers wrap.",
  pl: ["square"],
  tf: ["square"],
  dtypes: NUMBERS,
  of: (x, bind) => {
    const value = bind("x", x);
    return prim("mul", [value, value]);
  },
  examples: [one("squares", "f32", [3, -1.5], [9, 2.25]), one("wraps", "i32", [65536, 46341], [0, -2147479015])],
});

export const reluOp = unary({
  name: "relu",
  doc: "The operand where it is above zero, else 0; NaN stays.",
  pl: ["relu"],
  tf: ["relu"],
  dtypes: NUMBERS,
  of: (x, _bind, dtype) => prim("max", [x, numberConst(0, dtype)]),
  examples: [one("cuts below zero", "i32", [-3, 0, 5], [0, 0, 5]), one("NaN stays", "f32", [NaN, -0, -1], [NaN, 0, 0])],
});

export const ceilOp = unary({
  name: "ceil",
  doc: "The least integer not below the operand.",
  pl: ["ceil"],
  tf: ["ceil"],
  scalar: "ceil",
  dtypes: FLOATS,
  of: prim1("ceil"),
  examples: [one("rounds up", "f32", [1.25, -1.25], [2, -1]), one("keeps the sign of zero", "f64", [-0.5, NaN, Infinity], [-0, NaN, Infinity])],
});

export const floorOp = unary({
  name: "floor",
  doc: "The largest integer not above the operand.",
  pl: ["floor"],
  tf: ["floor"],
  scalar: "floor",
  dtypes: FLOATS,
  of: prim1("floor"),
  examples: [one("rounds down", "f32", [1.25, -1.25], [1, -2]), one("keeps the sign of zero", "f64", [-0, NaN, -Infinity], [-0, NaN, -Infinity])],
});

export const roundOp = unary({
  name: "round",
  doc: "The nearest integer, ties to even.",
  pl: ["rint"],
  tf: ["round"],
  scalar: "rint",
  dtypes: FLOATS,
  of: prim1("rint"),
  examples: [one("ties go to even", "f32", [0.5, 1.5, 2.5, -2.5], [0, 2, 2, -2]), one("keeps the sign of zero", "f64", [-0.25, NaN, Infinity], [-0, NaN, Infinity])],
});

export const fmaOp = defineOp({
  name: "fma",
  doc: "The product of two operands plus a third, rounded once.",
  pl: ["fma"],
  tf: ["fma"],
  params: {
    a: { input: "operand", doc: "the first factor" },
    b: { input: "operand", doc: "the second factor" },
    c: { input: "operand", doc: "what is added" },
  },
  scalar: "fma",
  infer: ({ a, b, c }, context) => inferElementwise([["a", a], ["b", b], ["c", c]], context),
  lowering: {
    form: "element",
    element: (x, index, { dtype }) => prim("fma", [as(x.a(index), dtype), as(x.b(index), dtype), as(x.c(index), dtype)]),
  },
  dtypes: FLOATS,
  ulp: 0,
  examples: [
    { title: "product and sum", args: { a: row("f32", [2, 3]), b: row("f32", [4, 5]), c: row("f32", [1, -1]) }, result: row("f32", [9, 14]) },
    {
      title: "one rounding keeps what two would lose",
      args: { a: row("f32", [1 + 2 ** -23]), b: row("f32", [1 - 2 ** -23]), c: row("f32", [-1]) },
      result: row("f32", [-(2 ** -46)]),
    },
    { title: "infinity times zero is NaN", args: { a: row("f32", [Infinity]), b: row("f32", [0]), c: row("f32", [1]) }, result: row("f32", [NaN]) },
  ],
});
