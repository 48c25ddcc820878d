// Calls, classes and children.

import type { Case } from "./case.ts";

/** Two functions, the second of which calls the first. */
const calls = (line: string, params = "x: Tensor[(8,), \"f32\"], y: Out[Tensor[(8,), \"f32\"]]"): string =>
  `@prim_func\ndef copy(a: Tensor[(N,), "f32"], b: Out[Tensor[(N,), "f32"]], n: Scalar["i32"]):\n    pl.store(pl.load(a, (0,), (8,)), (0,), b)\n@prim_func\ndef main(${params}):\n    ${line}\n`;

/** A function of a module with a level of 8 blocks. */
const mesh = (lines: string): string =>
  `@module(topologies=(Topology("cta", 8),))\nclass M:\n    @prim_func\n    def f(x: Tensor[(8, 4), "f32"], y: InOut[Tensor[(8, 4), "f32"]]):\n        ${lines.replaceAll("\n", "\n        ")}\n`;

const region = (lines: string): string => `@pl.function\ndef f(x: pl.Tensor[[8], pl.FP32], y: pl.Out[pl.Tensor[[8], pl.FP32]]):\n    ${lines.replaceAll("\n", "\n    ")}\n    pl.store(pl.load(x, [0], [8]), [0], y)\n`;

const child = "@module(entry=\"f\", target=\"wasm\")\nclass C:\n    @func\n    def f(x: Tensor[(8,), \"f32\"]):\n        return x\n";

export const MODULES: readonly Case[] = [
  {
    title: "a template that is wrong for the arguments of a call",
    code: "TF3201",
    text: "@pl.inline\ndef plus(a, b):\n    return a + b\n@pl.function\ndef k(s: pl.Scalar[pl.INT32], f: pl.Scalar[pl.FP32]):\n    t = plus(s, f)\n",
    at: "a + b",
    related: ["plus(s, f)"],
  },
  { title: "a module without an entry that is called", code: "TF2030", text: "@module\nclass A:\n    @func\n    def f(x: Tensor[(8,), \"f32\"]):\n        return x\n@module\nclass B:\n    a = A\n    @func\n    def g(x: Tensor[(8,), \"f32\"]):\n        return a(x)\n", at: "a", help: "`a.f`" },
  { title: "a loop in a class", code: "TF2031", text: `${child}    for i in range(3):\n        pass\n`, at: "for" },
  { title: "an empty class", code: "TF2032", text: "@pl.program\nclass P:\n    pass\n", at: "P" },
  { title: "an entry that is no function", code: "TF2033", text: child.replace("entry=\"f\"", "entry=\"g\""), at: "\"g\"", help: "f" },
  { title: "a child with a target", code: "TF2034", text: `${child}@module\nclass D:\n    c = C\n`, at: child.trimEnd() },
  { title: "a class that places itself", code: "TF2035", text: "@module\nclass A:\n    b = A\n    @func\n    def f(x: Tensor[(8,), \"f32\"]):\n        return x\n", at: "A" },
  { title: "a child placed by a call, and called", code: "TF2004", text: "@module\nclass A:\n    @func\n    def f(x: Tensor[(8,), \"f32\"]):\n        return x\n@module\nclass B:\n    a = A()\n    @func\n    def g(x: Tensor[(8,), \"f32\"]):\n        return self.a.f(x)\n", at: "A()", help: "`name = A`" },
  { title: "a function that the program lacks", code: "TF2036", text: "@pl.program\nclass P:\n    @pl.function\n    def main(self, x: pl.Tensor[[8], pl.FP32]):\n        self.mian(x)\n", at: "self.mian", help: "main" },
  { title: "a topology without a size", code: "TF3110", text: `T0 = Topology("cta", 0)\n${child}`, at: "0" },
  { title: "a level twice", code: "TF3110", text: child.replace("target=\"wasm\"", "topologies=(Topology(\"cta\", 8), Topology(\"cta\", 4))"), at: "(Topology(\"cta\", 8), Topology(\"cta\", 4))" },
  { title: "a function that calls itself", code: "TF4122", text: "@prim_func\ndef f(x: Tensor[(8,), \"f32\"], y: Out[Tensor[(8,), \"f32\"]]):\n    f(x, y)\n    pl.store(pl.load(x, (0,), (8,)), (0,), y)\n", at: "f", help: "loop", related: ["f"] },
  { title: "functions that call each other", code: "TF4122", text: "@func\ndef f(x: Tensor[(8,), \"f32\"]):\n    return g(x)\n@func\ndef g(x: Tensor[(8,), \"f32\"]):\n    return f(x)\n", at: "f", related: ["f", "g"] },
  { title: "too few arguments", code: "TF4123", text: calls("copy(x, y)"), at: "copy(x, y)", help: "copy(a: ", related: ["copy"] },
  { title: "a keyword that no parameter has", code: "TF2008", text: calls("copy(x, b=y, m=3)"), at: "m" },
  { title: "an argument twice", code: "TF2009", text: calls("copy(x, y, a=x)"), at: "a" },
  { title: "an argument of another dtype", code: "TF4124", text: calls("copy(x, y, 3)", "x: Tensor[(8,), \"i32\"], y: Out[Tensor[(8,), \"f32\"]]"), at: "x", related: ["copy"] },
  { title: "extents that contradict each other", code: "TF4124", text: calls("copy(x, y, 3)", "x: Tensor[(8,), \"f32\"], y: Out[Tensor[(9,), \"f32\"]]"), at: "y", related: ["copy"] },
  { title: "an array that is read and written by one call", code: "TF4126", text: calls("copy(x, x, 3)", "x: InOut[Tensor[(8,), \"f32\"]]"), at: "x" },
  { title: "a constant that a call writes", code: "TF4126", text: calls("copy(x, w, 3)", "x: Tensor[(8,), \"f32\"], w: ConstTensor[(8,), \"f32\"]"), at: "w" },
  { title: "a call in a constant that an extent needs", code: "TF2101", text: `${calls("copy(x, y, 3)")}A = copy(1, 2, 3)\n@func\ndef g(x: Tensor[(A,), "f32"]):\n    return x\n`, at: "A", related: ["copy(1, 2, 3)"] },
  { title: "a `with` of something else", code: "TF4127", text: region("with open(3):\n    pass"), at: "open(3)" },
  { title: "a `with` of several", code: "TF1012", text: region("with pl.cluster(), pl.cluster():\n    pass"), at: "with" },
  { title: "a region without a level", code: "TF2009", text: region("with pl.at():\n    pass"), at: "pl.at()" },
  { title: "a level that there is not", code: "TF2011", text: region("with pl.at(level=pl.Level.CORE):\n    pass"), at: "pl.Level.CORE" },
  { title: "a role at CORE_GROUP", code: "TF3110", text: region("with pl.at(level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker):\n    pass"), at: "pl.Role.SubWorker" },
  { title: "tasks of a region", code: "TF2002", text: region("with pl.at(level=pl.Level.CORE_GROUP, deps=[]):\n    pass"), at: "deps" },
  { title: "no blocks", code: "TF4130", text: region("for i in pl.spmd(0):\n    pass"), at: "0" },
  { title: "a mesh over one name", code: "TF4128", text: mesh("with Mesh(\"cta\", layout=(8,)) as m:\n    pass"), at: "\"cta\"" },
  { title: "a mesh by the old keyword", code: "TF4128", text: mesh("with Mesh(topology=\"cta\", layout=(8,)) as m:\n    pass"), at: "topology" },
  { title: "a mesh larger than its level", code: "TF4128", text: mesh("with Mesh((\"cta\",), (16,)) as m:\n    pass"), at: "Mesh((\"cta\",), (16,))", help: "layout=(8,)" },
  { title: "names for other axes", code: "TF4128", text: mesh("with Mesh((\"cta\",), (4, 2), (\"a\",)) as m:\n    pass"), at: "(\"a\",)" },
  { title: "a level that no one declares", code: "TF4129", text: mesh("with Mesh((\"thread\",), (8,)) as m:\n    pass"), at: "\"thread\"", help: "cta" },
  { title: "a layout with an axis of nothing", code: "TF3110", text: mesh("with Mesh((\"cta\",), layout=(4, 0)) as m:\n    pass"), at: "0" },
  { title: "a mesh called as the one around it", code: "TF4128", text: mesh("with Mesh((\"cta\",), (8,), (\"w\",)) as m:\n    with m[4:8] as m:\n        pass"), at: "m", help: "written like" },
  { title: "a slice of a mesh that is none", code: "TF4129", text: mesh("with Mesh((\"warp\",), (8,)) as m:\n    with m[4:8] as s:\n        pass"), at: "\"warp\"", help: "Topology(\"warp\"" },
  { title: "a slice of nothing", code: "TF2001", text: mesh("with m[4:8] as s:\n    pass"), at: "m" },
  { title: "a slice beyond a mesh", code: "TF4128", text: mesh("with Mesh((\"cta\",), (8,), (\"w\",)) as m:\n    with m[4:9] as s:\n        pass"), at: "4:9" },
  { title: "a coordinate after its mesh", code: "TF4102", text: mesh("with Mesh((\"cta\",), (8,), (\"w\",)) as m:\n    pl.write(y, (m.w, 0), 1.0)\npl.write(y, (m.w, 0), 1.0)"), at: "m.w" },
  { title: "a barrier outside of a mesh", code: "TF4131", text: mesh("T.sync()"), at: "T.sync()", help: "open one" },
  { title: "a barrier of a slice", code: "TF4131", text: mesh("with Mesh((\"cta\",), (8,), (\"w\",)) as m:\n    with m[1:3] as s:\n        T.sync(s)"), at: "s", help: "m, s" },
  { title: "a call that writes in a graph function", code: "TF4206", text: "@prim_func\ndef f(x: InOut[Tensor[(8,), \"f32\"]]):\n    pl.write(x, (0,), 1.0)\n@func\ndef g(x: Tensor[(8,), \"f32\"]):\n    y = f(x)\n    return x\n", at: "x" },
];
