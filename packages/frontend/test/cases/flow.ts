// Control flow, handles and directions.

import { func, pl, tf } from "../read.ts";
import type { Case } from "./case.ts";

const signature = (params: string, body: string, decorator = "@pl.function(type=pl.FunctionType.InCore)"): string =>
  `${decorator}\ndef kernel(${params}):\n${body.split("\n").map((l) => `    ${l}`).join("\n")}\n`;

const OUT = "x: pl.Tensor[[8], pl.FP32], y: pl.Out[pl.Tensor[[8], pl.FP32]]";

export const FLOW: readonly Case[] = [
  { title: "a name that one branch lacks", code: "TF4101", text: tf("if n > n:\n    b = 1.0\nc = b + a"), at: "b", related: ["b", "if"] },
  { title: "a local that hides an extent in one branch", code: "TF4101", text: tf("if a > a:\n    M = 3\nb = M"), at: "M", help: "an extent of the signature" },
  { title: "a name that the else branch lacks", code: "TF4101", text: tf("if a > a:\n    b = 1.0\nelse:\n    c = 2.0\nd = b + a"), at: "b" },
  { title: "a name of a loop that may not run", code: "TF4101", text: tf("for i in T.range(M):\n    b = 1.0\nc = b + a"), at: "b", related: ["b", "T.range(M)"] },
  { title: "a name that a `break` passes by", code: "TF4101", text: tf("for i in T.range(4):\n    if a > a:\n        break\n    b = 1.0\nc = b + a"), at: "b" },
  { title: "a loop variable after its loop", code: "TF4102", text: tf("for i in T.range(4):\n    pass\nb = i + 1"), at: "i", related: ["T.range(4)"] },
  { title: "a loop variable that hid a name", code: "TF4102", text: tf("i = 5\nfor i in T.range(4):\n    pass\nb = i + 1"), at: "i" },
  { title: "a carry after its loop", code: "TF4102", text: tf("for i, (c,) in T.range(4, init_values=(0.0,)):\n    d = pl.yield_(c + a)\ne = c + d"), at: "c", help: "`d`" },
  { title: "two types where branches meet", code: "TF4103", text: tf("if a > a:\n    b = 1.0\nelse:\n    b = 1\nc = b"), at: "b", related: ["b", "b"] },
  { title: "a type that changes around a loop", code: "TF4104", text: tf("b = 1.0\nfor i in T.range(M):\n    c = b + a\n    b = i"), at: "b", related: ["b", "b"] },
  { title: "`break` outside of a loop", code: "TF4105", text: tf("break"), at: "break" },
  { title: "`break` in a parallel loop", code: "TF4105", text: pl("for i in pl.parallel(4):\n    if a > a:\n        break"), at: "break", related: ["pl.parallel(4)"] },
  { title: "`continue` past a yield", code: "TF4105", text: tf("for i, (c,) in T.range(4, init_values=(0.0,)):\n    if c > a:\n        continue\n    d = pl.yield_(c + a)"), at: "continue" },
  { title: "`return` in a loop", code: "TF4106", text: tf("for i in T.range(4):\n    return a"), at: "return a" },
  { title: "a line after `return`", code: "TF4107", text: tf("return\nb = 1.0"), at: "b = 1.0" },
  { title: "a yield that nothing takes", code: "TF4108", text: tf("b = pl.yield_(a)"), at: "b = pl.yield_(a)" },
  { title: "a yield without names", code: "TF4108", text: tf("for i, (c,) in T.range(4, init_values=(0.0,)):\n    pl.yield_(c)"), at: "pl.yield_(c)" },
  { title: "a yield in the middle", code: "TF4108", text: tf("for i, (c,) in T.range(4, init_values=(0.0,)):\n    d = pl.yield_(c)\n    e = pl.yield_(c)"), at: "d = pl.yield_(c)" },
  { title: "a loop with carries that yields nothing", code: "TF4109", text: tf("for i, (c,) in T.range(4, init_values=(0.0,)):\n    d = c + a"), at: "T.range(4, init_values=(0.0,))" },
  { title: "branches that yield different names", code: "TF4109", text: tf("if a > a:\n    b = pl.yield_(a)\nelse:\n    c = pl.yield_(a)"), at: "c = pl.yield_(a)" },
  { title: "a branch that yields nothing", code: "TF4109", text: tf("if a > a:\n    b = pl.yield_(a)"), at: "if" },
  { title: "branches that yield different types", code: "TF4110", text: tf("if a > a:\n    b = pl.yield_(a)\nelse:\n    b = pl.yield_(n)"), at: "b = pl.yield_(n)" },
  { title: "a carry of another type than its start", code: "TF4111", text: tf("for i, (c,) in T.range(4, init_values=(0.0,)):\n    d = pl.yield_(i)"), at: "d = pl.yield_(i)" },
  { title: "stages of a plain loop", code: "TF4112", text: pl("for i in pl.range(4, stage=2):\n    pass"), at: "2" },
  { title: "a step of zero", code: "TF4113", text: tf("for i in T.range(0, 4, 0):\n    pass"), at: "0" },
  { title: "a loop over a list", code: "TF4114", text: tf("for i in [1, 2]:\n    b = i"), at: "[1, 2]" },
  { title: "a misspelt loop", code: "TF4114", text: pl("for i in pl.rnge(4):\n    b = i"), at: "pl.rnge(4)", fix: "pl.range" },
  { title: "carries without initial values", code: "TF4115", text: tf("for i, (c,) in T.range(4):\n    pass"), at: "i, (c,)" },
  { title: "a value carried by a parallel loop", code: "TF4116", text: tf("s = 0.0\nfor i in T.parallel(4):\n    s = s + a"), at: "s", related: ["s", "T.parallel(4)"] },
  { title: "a value left by a parallel loop", code: "TF4116", text: tf("s = 0.0\nfor i in T.parallel(4):\n    s = a\nb = s"), at: "s" },
  { title: "a way without a return", code: "TF4117", text: tf("if a > a:\n    return a"), at: "kernel" },
  { title: "returns of two types", code: "TF4118", text: tf("if a > a:\n    return a\nreturn n"), at: "return n", related: ["return a"] },
  { title: "`pl.while_` without condition", code: "TF4119", text: tf("for (c,) in pl.while_(init_values=(0.0,)):\n    d = pl.yield_(c)"), at: "d = pl.yield_(c)" },
  { title: "a branch in `@func`", code: "TF4120", text: func("if 1 > 0:\n    y = x\nreturn x"), at: "if" },
  { title: "a branch in a loop of `@func`", code: "TF4120", text: func("for i in range(4):\n    if i > 0:\n        y = x\nreturn x"), at: "if" },
  { title: "a loop over windows outside of `@func`", code: "TF2002", text: tf("for i in tile(8, 4):\n    b = a"), at: "tile(8, 4)" },
  { title: "a `@func` without return", code: "TF4121", text: func("y = x * 2.0"), at: "kernel" },

  { title: "an Out parameter that is rebound", code: "TF4201", text: signature(OUT, "y = pl.clone(x)\npl.store(pl.load(x, [0], [8]), [0], y)"), at: "y = pl.clone(x)" },
  { title: "an Out parameter that is rebound by a yield", code: "TF4201", text: signature(OUT, "if x[0] > 0.0:\n    y = pl.yield_(x)\nelse:\n    y = pl.yield_(y)\npl.store(pl.load(x, [0], [8]), [0], y)"), at: "y" },
  { title: "an Out parameter that nothing writes", code: "TF4202", text: signature(OUT, "t = pl.load(x, [0], [8])"), at: "y: pl.Out[pl.Tensor[[8], pl.FP32]]" },
  { title: "a constant tensor that is written", code: "TF4203", text: signature("w: ConstTensor[(8,), \"f32\"]", "w[0] = 1.0", "@prim_func"), at: "w[0] = 1.0" },
  { title: "a plain parameter that is written", code: "TF4204", text: signature("y: pl.Tensor[[8], pl.FP32]", "pl.write(y, [0], 1.0)"), at: "y: pl.Tensor[[8], pl.FP32]", fix: "pl.InOut[pl.Tensor[[8], pl.FP32]]" },
  { title: "a plain parameter that is written throughout", code: "TF4204", text: signature("x: pl.Tensor[[N], pl.FP32], y: pl.Tensor[[N], pl.FP32]", "for i in pl.parallel(0, N, 64):\n    pl.store(pl.load(x, [i], [64]), [i], y)"), at: "y: pl.Tensor[[N], pl.FP32]", fix: "pl.Out[pl.Tensor[[N], pl.FP32]]" },
  { title: "an Out parameter that is read first", code: "TF4205", text: signature(OUT, "t = pl.load(y, [0], [8])\npl.store(pl.add(t, t), [0], y)"), at: "pl.load(y, [0], [8])" },
  { title: "a write in `@func`", code: "TF4206", text: func("x[0, 0] = 1.0\nreturn x"), at: "x[0, 0] = 1.0" },
];
