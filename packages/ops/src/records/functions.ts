// Math functions of each element, and the activations made of them, step by step in the dtype of the elements.

import { numberConst, prim, type DType, type Expr, type PrimOp } from "@tilefoundry/ir";
import { defineOp, type Bind } from "../define.ts";
import { FLOATS, row, scalar } from "../example.ts";
import { inferElementwise } from "../infer.ts";
import { as, one, PRECISE, unary } from "./elementwise.ts";

const of = (op: PrimOp) => (x: Expr): Expr => prim(op, [x]);

export const logOp = unary({
  name: "log",
  doc: "The natural logarithm; -inf of 0, NaN of what is below zero.",
  pl: ["log"],
  tf: ["log"],
  scalar: "log",
  dtypes: FLOATS,
  ulp: 1,
  of: of("log"),
  ignored: PRECISE,
  examples: [one("logarithms", "f64", [1, Math.E], [0, 1]), one("the ends", "f32", [0, -0, Infinity, -1, NaN], [-Infinity, -Infinity, Infinity, NaN, NaN])],
});

export const log2Op = unary({
  name: "log2",
  doc: "The logarithm to base 2, exact for powers of two; -inf of 0, NaN of what is below zero.",
  pl: [],
  tf: ["log2"],
  scalar: "log2",
  dtypes: FLOATS,
  ulp: 2,
  of: of("log2"),
  examples: [one("logarithms", "f32", [8, 0.25, 1], [3, -2, 0]), one("the ends", "f64", [0, Infinity, -1], [-Infinity, Infinity, NaN])],
});

export const exp2Op = unary({
  name: "exp2",
  doc: "Two to the power of the operand, exact for integers.",
  pl: [],
  tf: ["exp2"],
  scalar: "exp2",
  dtypes: FLOATS,
  ulp: 2,
  of: of("exp2"),
  examples: [one("powers", "f32", [3, -1, 0.5], [8, 0.5, 1.4142135381698608]), one("the ends", "f32", [-Infinity, 128, -150, NaN], [0, Infinity, 0, NaN])],
});

export const sinOp = unary({
  name: "sin",
  doc: "The sine of an angle in radians, reduced rightly however large it is; NaN of an infinity.",
  pl: ["sin"],
  tf: ["sin"],
  scalar: "sin",
  dtypes: ["f32"],
  ulp: 1,
  of: of("sin"),
  examples: [one("sines", "f32", [0, 1.5707963705062866, 1e22], [0, 1, -0.734081506729126]), one("the edges", "f32", [-0, Infinity, NaN], [-0, NaN, NaN])],
});

export const cosOp = unary({
  name: "cos",
  doc: "The cosine of an angle in radians, reduced rightly however large it is; NaN of an infinity.",
  pl: ["cos"],
  tf: ["cos"],
  scalar: "cos",
  dtypes: ["f32"],
  ulp: 1,
  of: of("cos"),
  examples: [one("cosines", "f32", [0, 3.1415927410125732], [1, -1]), one("the edges", "f32", [-Infinity, NaN], [NaN, NaN])],
});

export const tanhOp = unary({
  name: "tanh",
  doc: "The hyperbolic tangent.",
  pl: [],
  tf: ["tanh"],
  scalar: "tanh",
  dtypes: FLOATS,
  ulp: 3,
  of: of("tanh"),
  examples: [one("tangents", "f64", [0, -0], [0, -0]), one("the ends", "f32", [Infinity, -20, NaN], [1, -1, NaN])],
});

export const erfOp = unary({
  name: "erf",
  doc: "The error function, 2/sqrt(pi) times the integral of exp(-t^2) from 0.",
  pl: [],
  tf: ["erf"],
  scalar: "erf",
  dtypes: ["f32"],
  ulp: 3,
  of: of("erf"),
  examples: [one("values", "f32", [0, 1, -1], [0, 0.8427007794380188, -0.8427007794380188]), one("the ends", "f32", [-0, Infinity, -7, NaN], [-0, 1, -1, NaN])],
});

/** 1 / (1 + exp(-x)). */
const logistic = (x: Expr, dtype: DType): Expr => {
  const one = numberConst(1, dtype);
  return prim("div", [one, prim("add", [one, prim("exp", [prim("neg", [x])])])]);
};

export const sigmoidOp = unary({
  name: "sigmoid",
  doc: "The logistic function 1 / (1 + exp(-x)).",
  pl: [],
  tf: ["sigmoid"],
  dtypes: FLOATS,
  ulp: 3,
  of: (x, _bind, dtype) => logistic(x, dtype),
  examples: [one("a half at zero", "f32", [0, -0], [0.5, 0.5]), one("the ends", "f64", [Infinity, -Infinity, -1000, NaN], [1, 0, 0, NaN])],
});

export const siluOp = unary({
  name: "silu",
  doc: "The operand times its logistic function: x / (1 + exp(-x)); 0 of -inf.",
  pl: [],
  tf: ["silu"],
  dtypes: FLOATS,
  ulp: 4,
  of: (x, bind, dtype) => {
    const value = bind("x", x);
    const zero = numberConst(0, dtype);
    const below = prim("eq", [value, numberConst(-Infinity, dtype)]);
    return prim("select", [below, zero, prim("mul", [value, logistic(value, dtype)])]);
  },
  examples: [one("zero at zero", "f32", [0, -0], [0, -0]), one("the ends", "f32", [Infinity, -Infinity, -200, NaN], [Infinity, 0, -0, NaN])],
});

export const softplusOp = unary({
  name: "softplus",
  doc: "The logarithm of 1 + exp(x), as max(x, 0) + log(1 + exp(-|x|)), with the logarithm corrected for what rounding took from 1 + exp(-|x|).",
  pl: [],
  tf: ["softplus"],
  dtypes: FLOATS,
  ulp: 4,
  of: (x, bind, dtype) => {
    const value = bind("x", x);
    const [zero, unit] = [numberConst(0, dtype), numberConst(1, dtype)];
    const power = bind("power", prim("exp", [prim("neg", [prim("abs", [value])])]));
    const sum = bind("sum", prim("add", [unit, power]));
    const rest = bind("rest", prim("sub", [sum, unit]));
    const corrected = prim("div", [prim("mul", [prim("log", [sum]), power]), rest]);
    return prim("add", [prim("max", [value, zero]), prim("select", [prim("eq", [rest, zero]), power, corrected])]);
  },
  examples: [one("log 2 at zero", "f64", [0], [Math.LN2]), one("the ends", "f32", [Infinity, -Infinity, 200, NaN], [Infinity, 0, 200, NaN]), one("small results keep their digits", "f32", [-30], [9.357622912219845e-14])],
});

/** The activation of Hendrycks and Gimpel: x times the normal distribution function at x, exactly or with its tanh approximation. */
const GELU_KINDS = ["tanh", "none"] as const;

function gelu(x: Expr, bind: Bind, dtype: DType, approximate: (typeof GELU_KINDS)[number]): Expr {
  const value = bind("x", x);
  const c = (v: number): Expr => numberConst(v, dtype);
  const cube = prim("mul", [prim("mul", [value, value]), value]);
  const inner = prim("mul", [c(Math.sqrt(2 / Math.PI)), prim("add", [value, prim("mul", [c(0.044715), cube])])]);
  const shape = approximate === "tanh" ? prim("tanh", [inner]) : prim("erf", [prim("mul", [value, c(Math.SQRT1_2)])]);
  return prim("mul", [prim("mul", [c(0.5), value]), prim("add", [c(1), shape])]);
}

export const geluOp = defineOp({
  name: "gelu",
  doc: "The Gaussian error linear unit: 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), or 0.5 x (1 + erf(x / sqrt 2)) with approximate=\"none\".",
  pl: [],
  tf: ["gelu"],
  params: {
    x: { input: "operand", doc: "the operand", aka: ["input"] },
    approximate: { attr: GELU_KINDS, doc: "which of the two", default: "tanh" },
  },
  infer: ({ x }, context) => inferElementwise([["x", x]], context),
  lowering: { form: "element", element: (x, index, { dtype }, bind) => gelu(x.x(index), bind, dtype, x.approximate) },
  dtypes: ["f32"],
  examples: [
    { title: "zero at zero, the operand far above", args: { x: row("f32", [0, 20]) }, result: row("f32", [0, 20]) },
    { title: "by the error function", args: { x: row("f32", [0, 1, 10]), approximate: "none" }, result: row("f32", [0, 0.8413447141647339, 10]) },
    { title: "NaN stays", args: { x: row("f32", [NaN]) }, result: row("f32", [NaN]) },
  ],
});

const X = { input: "operand", doc: "the operand", aka: ["input", "src", "tile"] } as const;

/** The operand, times a slope where it is not above zero. */
const leaky = (x: Expr, slope: Expr, bind: Bind, dtype: DType): Expr => {
  const value = bind("x", x);
  return prim("select", [prim("gt", [value, numberConst(0, dtype)]), value, prim("mul", [value, slope])]);
};

export const lreluOp = defineOp({
  name: "lrelu",
  doc: "The operand where it is above zero, else the operand times a slope.",
  pl: ["lrelu"],
  tf: [],
  params: { x: X, slope: { input: "scalar", doc: "the slope below zero" } },
  infer: ({ x, slope }, context) => inferElementwise([["x", x], ["slope", slope]], context),
  lowering: { form: "element", element: (x, index, { dtype }, bind) => leaky(x.x(index), as(x.slope, dtype), bind, dtype) },
  dtypes: FLOATS,
  ulp: 0,
  examples: [
    { title: "a slope below zero", args: { x: row("f32", [2, -2]), slope: scalar("f32", 0.5) }, result: row("f32", [2, -1]) },
    { title: "NaN stays", args: { x: row("f32", [NaN, -0]), slope: scalar("f32", 0.5) }, result: row("f32", [NaN, -0]) },
  ],
});

export const preluOp = defineOp({
  name: "prelu",
  doc: "The operand where it is above zero, else the operand times a slope of its own.",
  pl: ["prelu"],
  tf: [],
  params: { x: X, slope: { input: "operand", doc: "the slopes below zero" }, tmp: { input: "array", doc: "a scratch tile; not needed here", optional: true, aka: ["tmp_tile"] } },
  infer: ({ x, slope }, context) => inferElementwise([["x", x], ["slope", slope]], context),
  lowering: { form: "element", element: (x, index, { dtype }, bind) => leaky(x.x(index), as(x.slope(index), dtype), bind, dtype) },
  dtypes: FLOATS,
  ulp: 0,
  examples: [
    { title: "slopes below zero", args: { x: row("f32", [2, -2]), slope: row("f32", [0.5, 0.25]) }, result: row("f32", [2, -0.5]) },
    { title: "NaN stays", args: { x: row("f32", [NaN, -0]), slope: row("f32", [1, 2]) }, result: row("f32", [NaN, -0]) },
  ],
});
