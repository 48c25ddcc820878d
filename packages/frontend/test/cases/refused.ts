// What Python has and the kernel language has not: refused by name, with what to write instead.

import { func, tf } from "../read.ts";
import type { Case } from "./case.ts";

const refused = (title: string, body: string, at: string, help: string, fix?: string): Case =>
  ({ title, code: "TF1012", text: tf(body), at, help, ...(fix === undefined ? {} : { fix }) });

export const REFUSED: readonly Case[] = [
  refused("try", "try:\n    b = 1.0\nexcept E:\n    c = 2.0\nd = b", "try", "`if`"),
  refused("del", "del a", "del", "remove it"),
  refused("assert", "assert a > a", "assert", "DimVar"),
  refused("raise", "raise E", "raise", "exceptions"),
  refused("global", "global b", "global", "parameters"),
  refused("a nested function", "def f():\n    pass", "def", "module level"),
  refused("a nested class", "class C:\n    pass", "class", "module level"),
  refused("a nested import", "import math", "import", "module level"),
  refused("augmented assignment", "b = 1.0\nb += a * a", "b += a * a", "b = b + (a * a)", "b = b + (a * a)"),
  refused("chained assignment", "b = c = a", "b = c = a", "one name after the other"),
  refused("an annotation without value", "b: Scalar[\"f32\"]", "b: Scalar[\"f32\"]", "first value"),
  refused("a chain of comparisons", "b = a < a < a", "a < a < a", "a < b and b < c"),
  refused("`is`", "b = a is a", "a is a", "`==`"),
  refused("`in`", "b = a in (a, a)", "a in (a, a)", "`or`"),
  refused("a power", "b = a ** 2.0", "**", "x * x"),
  refused("a leading plus", "b = +a", "+", "remove it", ""),
  refused("a ternary", "b = a if a > a else a", "a if a > a else a", "T.select"),
  refused("lambda", "b = lambda: a", "lambda: a", "where it is used"),
  refused("a comprehension", "b = [i for i in a]", "[i for i in a]", "loop"),
  refused("a walrus", "b = (c := a)", "c := a", "line of its own"),
  refused("a dictionary", "b = {1: a}", "{1: a}", "name of its own"),
  refused("a set", "b = {a}", "{a}", "list"),
  refused("an f-string", "b = f\"{a}\"", "f\"{a}\"", "plain string"),
  refused("an imaginary number", "b = 1j", "1j", "real"),
  refused("`...`", "b = ...", "...", "value"),
  refused("a starred argument", "b = T.max(*a)", "a", "out"),
  refused("a starred target", "b, *c = a, a", "*c", "plain names"),
  refused("`else` after a loop", "for i in T.range(4):\n    pass\nelse:\n    pass", "pass", "after the loop"),
  refused("python's yield", "b = yield a", "yield a", "pl.yield_"),
  refused("an attribute as a target", "x.a = a", "x.a", "assign a name"),
  { title: "async", code: "TF1012", text: "@prim_func\nasync def k(x: Tensor[(8,), \"f32\"]):\n    pass", at: "k" },
  { title: "a default value", code: "TF1012", text: "@prim_func\ndef k(x: Scalar[\"f32\"] = 1.0):\n    pass", at: "1.0", help: "constant" },
  { title: "type parameters", code: "TF1012", text: "@prim_func\ndef k[T](x: Scalar[\"f32\"]):\n    pass", at: "T", help: "symbols" },
  { title: "variadic parameters", code: "TF1012", text: "@prim_func\ndef k(*x):\n    pass", at: "*x" },
  { title: "an op at module level", code: "TF1012", text: `${tf("pass")}T.store(x, (0, 0), 1.0)\n`, at: "T.store(x, (0, 0), 1.0)" },
  { title: "a loop of a kernel at module level", code: "TF1012", text: `for i in T.range(3):\n    A = i\n${tf("b = A")}`, at: "for" },
  { title: "a return at module level", code: "TF1012", text: `${tf("pass")}return 1\n`, at: "return" },
  { title: "lambda in `@func`", code: "TF1012", text: func("f = lambda: x\nreturn f"), at: "lambda: x" },
];
