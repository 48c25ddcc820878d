// Calls, classes and children.

import type { Case } from "./case.ts";

/** Two functions, the second of which calls the first. */
const calls = (line: string, params = "x: Tensor[(8,), \"f32\"], y: Out[Tensor[(8,), \"f32\"]]"): string =>
  `@prim_func\ndef copy(a: Tensor[(N,), "f32"], b: Out[Tensor[(N,), "f32"]], n: Scalar["i32"]):\n    pl.store(pl.load(a, (0,), (8,)), (0,), b)\n@prim_func\ndef main(${params}):\n    ${line}\n`;

const child = "@module(entry=\"f\", target=\"wasm\")\nclass C:\n    @func\n    def f(x: Tensor[(8,), \"f32\"]):\n        return x\n";

export const MODULES: readonly Case[] = [
  { title: "a module without an entry that is called", code: "TF2030", text: "@module\nclass A:\n    @func\n    def f(x: Tensor[(8,), \"f32\"]):\n        return x\n@module\nclass B:\n    a = A\n    @func\n    def g(x: Tensor[(8,), \"f32\"]):\n        return a(x)\n", at: "a", help: "`a.f`" },
  { title: "a loop in a class", code: "TF2031", text: `${child}    for i in range(3):\n        pass\n`, at: "for" },
  { title: "an empty class", code: "TF2032", text: "@pl.program\nclass P:\n    pass\n", at: "P" },
  { title: "an entry that is no function", code: "TF2033", text: child.replace("entry=\"f\"", "entry=\"g\""), at: "\"g\"", help: "f" },
  { title: "a child with a target", code: "TF2034", text: `${child}@module\nclass D:\n    c = C\n`, at: child.trimEnd() },
  { title: "a class that places itself", code: "TF2035", text: "@module\nclass A:\n    b = A\n    @func\n    def f(x: Tensor[(8,), \"f32\"]):\n        return x\n", at: "A" },
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
  { title: "a call in a constant", code: "TF2004", text: `${calls("copy(x, y, 3)")}A = copy(1, 2, 3)\n`, at: "copy(1, 2, 3)" },
  { title: "a call that writes in a graph function", code: "TF4206", text: "@prim_func\ndef f(x: InOut[Tensor[(8,), \"f32\"]]):\n    pl.write(x, (0,), 1.0)\n@func\ndef g(x: Tensor[(8,), \"f32\"]):\n    y = f(x)\n    return x\n", at: "x" },
];
