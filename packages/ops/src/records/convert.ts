// Conversion of elements to another dtype, and limits on their values.

import { CAST_MODES, cast as castPrim, isFloat, isInteger, numberConst, prim, sameDType, type DType, type Expr } from "@tilefoundry/ir";
import { defineOp, type Bind } from "../define.ts";
import { ALL, NUMBERS, row } from "../example.ts";
import { arrayType, dtypeOf, inferElementwise } from "../infer.ts";
import { literalFault, literalOf } from "./creation.ts";

/** How a float becomes an integer: the primitive's modes, and the odd one of both neighbours. */
export const MODES = [...CAST_MODES, "odd"] as const;
type Mode = (typeof MODES)[number];
/** PyPTO's numbers of the modes. */
const MODE_CODES = ["none", "rint", "round", "floor", "ceil", "trunc", "odd"] as const;

/** The cast of an element; the mode is kept where a float becomes an integer and the mode is not the primitive's own. */
function converted(x: Expr, dtype: DType, mode: Mode, bind: Bind): Expr {
  const from = dtypeOf(x);
  if (sameDType(from, dtype)) return x;
  if (!isFloat(from) || !isInteger(dtype) || mode === "trunc") return castPrim(x, dtype);
  return mode === "odd" ? toOdd(bind("x", x), dtype, bind) : castPrim(x, dtype, mode);
}

function toOdd(x: Expr, dtype: DType, bind: Bind): Expr {
  const below = bind("below", castPrim(x, dtype, "floor"));
  const isOdd = prim("ne", [prim("bitand", [below, numberConst(1, dtype)]), numberConst(0, dtype)]);
  return prim("select", [isOdd, below, castPrim(x, dtype, "ceil")]);
}

export const cast = defineOp({
  name: "cast",
  doc:
    "The elements in another dtype. A float becomes an integer by the rounding mode, clamped to the dtype's limits, NaN becomes 0; " +
    "integers keep their low bits; floats round to nearest; anything but 0 is True.",
  pl: ["cast"],
  tf: ["cast"],
  params: {
    x: { input: "operand", doc: "what is converted", aka: ["input", "src", "tile", "tensor"] },
    dtype: { attr: "dtype", doc: "the dtype of the result", aka: ["target_type", "target_dtype"] },
    mode: {
      attr: MODES, codes: MODE_CODES, doc: "how a float is rounded to an integer; `round` takes ties away from zero, `odd` the odd one of both neighbours", default: "round", tfDefault: "trunc",
    },
  },
  scalar: "cast",
  infer: ({ x, dtype }, context) => inferElementwise([["x", x]], context, dtype),
  lowering: { form: "element", element: (x, index, { dtype }, bind) => converted(x.x(index), dtype, x.mode, bind) },
  dtypes: ALL,
  ulp: 0,
  examples: [
    { title: "ties go away from zero by default", args: { x: row("f32", [2.5, -2.5, 1.25]), dtype: { dtype: "i32" } }, result: row("i32", [3, -3, 1]) },
    { title: "mode trunc", args: { x: row("f32", [2.75, -2.75]), dtype: { dtype: "i32" }, mode: "trunc" }, result: row("i32", [2, -2]) },
    { title: "mode floor", args: { x: row("f64", [2.75, -2.25]), dtype: { dtype: "i64" }, mode: "floor" }, result: row("i64", [2, -3]) },
    { title: "mode ceil", args: { x: row("f64", [2.25, -2.75]), dtype: { dtype: "index" }, mode: "ceil" }, result: row("index", [3, -2]) },
    { title: "mode rint", args: { x: row("f32", [0.5, 1.5, 2.5]), dtype: { dtype: "u8" }, mode: "rint" }, result: row("u8", [0, 2, 2]) },
    { title: "mode odd", args: { x: row("f32", [2.5, 3.5, -2.25, -4, NaN]), dtype: { dtype: "i32" }, mode: "odd" }, result: row("i32", [3, 3, -3, -4, 0]) },
    { title: "mode odd, clamped", args: { x: row("f64", [255.5, 300.5, -0.5]), dtype: { dtype: "u8" }, mode: "odd" }, result: row("u8", [255, 255, 0]) },
    {
      title: "clamps, and NaN becomes 0",
      args: { x: row("f32", [1e10, -1e10, Infinity, NaN]), dtype: { dtype: "i32" } },
      result: row("i32", [2147483647, -2147483648, 2147483647, 0]),
    },
    { title: "integers keep their low bits", args: { x: row("i32", [-1, 257]), dtype: { dtype: "u8" } }, result: row("u8", [255, 1]) },
    {
      title: "an integer rounds once to a float",
      args: { x: row("i64", [9007199791611905n]), dtype: { dtype: "f32" } },
      result: row("f32", [9007200328482816]),
    },
    { title: "to bool: anything but 0", args: { x: row("f32", [0, -0, 0.5, NaN]), dtype: { dtype: "bool" } }, result: row("bool", [false, false, true, true]) },
    { title: "from bool", args: { x: row("bool", [true, false]), dtype: { dtype: "f64" } }, result: row("f64", [1, 0]) },
  ],
});

const LIMIT = { attr: "literal" } as const;

export const clamp = defineOp({
  name: "clamp",
  doc: "The operand, but not below one limit and not above another: min(max(x, min_val), max_val); NaN stays.",
  pl: [],
  tf: ["clamp"],
  params: {
    x: { input: "array", doc: "the operand" },
    min_val: { ...LIMIT, doc: "the least value", aka: ["min"] },
    max_val: { ...LIMIT, doc: "the greatest value", aka: ["max"] },
  },
  infer: ({ x, min_val, max_val }, context) => {
    const type = arrayType(x);
    for (const [param, value] of [["min_val", min_val], ["max_val", max_val]] as const) {
      const fault = literalFault(value, type.dtype, context);
      if (fault !== undefined) return context.fail(param, fault);
    }
    return type;
  },
  lowering: {
    form: "element",
    element: ({ x, min_val, max_val }, index, { dtype }) => prim("min", [prim("max", [x(index), literalOf(min_val, dtype)]), literalOf(max_val, dtype)]),
  },
  dtypes: NUMBERS,
  ulp: 0,
  examples: [
    { title: "keeps to the limits", args: { x: row("f32", [-2, 0.5, 7]), min_val: 0, max_val: 1 }, result: row("f32", [0, 0.5, 1]) },
    { title: "NaN stays", args: { x: row("f32", [NaN]), min_val: 0, max_val: 1 }, result: row("f32", [NaN]) },
    { title: "integers", args: { x: row("i32", [-2, 5, 9]), min_val: 0, max_val: 7 }, result: row("i32", [0, 5, 7]) },
  ],
});
