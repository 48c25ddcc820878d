// Annotations, literals, operators and conditions.

import { func, pl, tf } from "../read.ts";
import type { Case } from "./case.ts";

const param = (type: string): string => `@prim_func\ndef k(x: ${type}):\n    pass\n`;

export const TYPES: readonly Case[] = [
  { title: "a parameter without a type", code: "TF3101", text: "@prim_func\ndef k(x):\n    y = x", at: "x" },
  { title: "an annotation that is no type", code: "TF3102", text: param("int"), at: "int" },
  { title: "a tensor without a shape", code: "TF3102", text: param("pl.Tensor"), at: "pl.Tensor", help: "Tensor[(M, 64), \"f32\"]" },
  { title: "a misspelt type", code: "TF3102", text: param("Tensr[(8,), \"f32\"]"), at: "Tensr[(8,), \"f32\"]", fix: "Tensor" },
  { title: "a dtype of another system", code: "TF3103", text: param("Tensor[(8,), \"float32\"]"), at: "\"float32\"", fix: "\"f32\"" },
  { title: "a shape without its comma", code: "TF3104", text: param("Tensor[(8), \"f32\"]"), at: "(8)", help: "(8,)" },
  { title: "a shape that is a number", code: "TF3104", text: param("Tensor[8, \"f32\"]"), at: "8" },
  { title: "a negative extent", code: "TF3105", text: param("Tensor[(-1,), \"f32\"]"), at: "-1" },
  { title: "a float as an extent", code: "TF3105", text: param("Tensor[(7 / 2,), \"f32\"]"), at: "7 / 2" },
  { title: "a product of extents", code: "TF3105", text: "@prim_func\ndef k(x: Tensor[(M, N, M * N), \"f32\"]):\n    pass", at: "M * N" },
  { title: "an annotation that contradicts the value", code: "TF3106", text: tf("b: Scalar[\"f64\"] = a"), at: "a" },
  { title: "an annotation that contradicts what is yielded", code: "TF3106", text: tf("if a > a:\n    b: Scalar[\"i32\"] = pl.yield_(a)\nelse:\n    b = pl.yield_(a)"), at: "pl.yield_(a)" },
  { title: "a return annotation that contradicts the value", code: "TF3107", text: "@func\ndef k(x: Tensor[(M, 8), \"f32\"]) -> Tensor[(M,), \"f32\"]:\n    return x * 2.0", at: "Tensor[(M,), \"f32\"]" },
  { title: "a literal that loses bits", code: "TF3108", text: tf("b = T.const(300, \"u8\")"), at: "300" },
  { title: "a float literal that overflows", code: "TF3108", text: tf("b = a * 1e300"), at: "1e300" },
  { title: "a float for an integer", code: "TF3109", text: tf("b = T.const(0.5, \"i32\")"), at: "0.5" },
  { title: "an integer for a float annotation", code: "TF3109", text: tf("b: Scalar[\"f32\"] = 1"), at: "1", help: "1.0" },
  { title: "a tile as a parameter", code: "TF3110", text: param("Tile[(8,), \"f32\"]"), at: "Tile[(8,), \"f32\"]" },
  { title: "a scalar that is written", code: "TF3110", text: param("InOut[Scalar[\"f32\"]]"), at: "InOut[Scalar[\"f32\"]]" },
  { title: "a float as an index", code: "TF3110", text: tf("t = pl.load(x, (a, 0), (1, 8))"), at: "a" },
  { title: "a space that is none", code: "TF3111", text: tf("t: Tile[(1, 8), \"f32\", \"fast\"] = pl.load(x, (0, 0), (1, 8))"), at: "\"fast\"" },

  { title: "integers of two widths", code: "TF3201", text: tf("b = n + 1"), at: "n + 1", help: "T.const(1, \"i32\")", fix: "T.const(1, \"i32\")" },
  { title: "an integer literal beside a float", code: "TF3201", text: tf("b = a * 2"), at: "a * 2", help: "2.0", fix: "2.0" },
  { title: "an integer with a float in PyPTO", code: "TF3201", text: pl("b = n + a"), at: "n + a", help: "pl.cast" },
  { title: "`/` on integers", code: "TF3202", text: tf("b = M / 2"), at: "M / 2", help: "`//`" },
  { title: "an operator on a tuple", code: "TF3213", text: tf("b = (a, a) + a"), at: "(a, a)" },
  { title: "an operator on a list", code: "TF3213", text: tf("b = a + [1]"), at: "[1]" },
  { title: "an operator on what gives no value", code: "TF3203", text: tf("b = T.store(y, (0, 0), a) + a"), at: "T.store(y, (0, 0), a) + a" },
  { title: "a rounding mode that is none", code: "TF3005", text: pl("b = pl.cast(a, pl.INT32, mode=\"up\")"), at: "\"up\"" },
  { title: "a number as a condition", code: "TF3204", text: tf("if n:\n    pass"), at: "n", help: "n != 0", fix: " != 0" },
  { title: "a tile as a condition", code: "TF3204", text: tf("if x:\n    pass"), at: "x" },
  { title: "a literal divisor of zero", code: "TF3205", text: tf("b = M // 0"), at: "M // 0" },
  { title: "a literal shift beyond the width", code: "TF3206", text: tf("b = M << 64"), at: "64" },
  { title: "a primitive on the wrong kind", code: "TF3207", text: tf("b = T.sqrt(n)"), at: "T.sqrt(n)" },
  { title: "an unknown op", code: "TF3208", text: pl("pl.stroe(pl.load(x, [0, 0], [1, 8]), [0, 0], y)"), at: "pl.stroe", fix: "pl.store" },
  { title: "an op of the other namespace", code: "TF3208", text: func("return x * tf.row_max(x)"), at: "tf.row_max", fix: "pl.row_max" },
  { title: "too few indices", code: "TF3209", text: tf("b = x[0]"), at: "x[0]" },
  { title: "an element of a scalar", code: "TF3210", text: tf("b = a[0]"), at: "a" },
  { title: "a value that is dropped", code: "TF3211", text: tf("a + 1.0"), at: "a + 1.0" },
  { title: "too few names", code: "TF3212", text: tf("b, c = a, a, a"), at: "b, c = a, a, a" },
  { title: "a string as a value", code: "TF3213", text: tf("b = a + \"x\""), at: "\"x\"" },
  { title: "a loop as a value", code: "TF3213", text: pl("b = pl.range(4)"), at: "pl.range(4)" },

  { title: "a window that begins past the end", code: "TF3008", text: tf("pl.store(pl.load(x, (0, 8), (1, 8)), (0, 0), y)"), at: "(0, 8)" },
  { title: "an element that a pass proves outside", code: "TF3009", text: tf("b = pl.read(x, (0, 8))\nc = b + a"), at: "(0, 8)" },
  { title: "a misfit of an op", code: "TF3006", text: tf("t = pl.load(x, (0,), (1, 8))"), at: "(0,)" },
  { title: "a misspelt argument of an op", code: "TF3002", text: tf("t = pl.load(x, offset=(0, 0), shapes=(1, 8))"), at: "offset", fix: "offsets" },
  { title: "a missing argument of an op", code: "TF3004", text: tf("t = pl.load(x, (0, 0))"), at: "pl.load(x, (0, 0))" },
  { title: "a tile where a tensor belongs", code: "TF3005", text: tf("t = pl.load(x, (0, 0), (1, 8))\nu = pl.load(t, (0, 0), (1, 8))"), at: "t" },
];
