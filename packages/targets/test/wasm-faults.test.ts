import { assign, evaluate, INDEX, indexConst, load, makeFunction, makeModule, prim, scalarType, seq, store, tensorType, variable, vecType, type FunctionNode } from "@tilefoundry/ir";
import { makeSource, span } from "@tilefoundry/text";
import { expect, test } from "vitest";
import { emitWasm } from "../src/wasm/emit.ts";
import { kernel } from "./kernels.ts";

const faults = (fn: FunctionNode): readonly (readonly [string, string])[] => emitWasm(makeModule("m", [fn]), fn).diagnostics.map((d) => [d.code, d.message]);

const x = variable("x", tensorType([8], "f32"));

test("what the target cannot do is a located error that says why, and nothing is emitted", () => {
  const at = span(makeSource("k.tf", "y = T.exp(v)"), 4, 12);
  const expCall = prim("exp", [load(x, [indexConst(0)])], {}, { span: at });
  const fn = kernel("f", [{ var: x, direction: "inout" }], [evaluate(store(x, [indexConst(0)], expCall))]);
  const { value, diagnostics } = emitWasm(makeModule("m", [fn]), fn);
  expect(diagnostics.map((d) => [d.code, d.span])).toEqual([["TF5110", at]]);
  expect(diagnostics[0]?.message).toContain("`exp`");
  expect(value.files).toEqual([]);
});

test("vectors of a length that registers do not have are refused", () => {
  const v = variable("v", vecType("f32", 3));
  const fn = kernel("f", [{ var: x, direction: "inout" }], [assign(v, load(x, [indexConst(0)], { lanes: 3 })), evaluate(store(x, [indexConst(4)], v))]);
  expect(faults(fn)[0]).toEqual(["TF5110", "wasm cannot do `f32` with 3 lanes: vectors have 2, 4, 8, … 64 lanes, not 3"]);
});

test("a function that returns a scalar is refused", () => {
  const fn = makeFunction({ name: "f", func: "prim", params: [], returns: [scalarType("f32")], body: seq([]) });
  expect(faults(fn)).toEqual([["TF5111", "`f` returns a scalar, which wasm cannot hand back"]]);
});

test("every fault of a function is reported", () => {
  const i = variable("i", INDEX);
  const e = prim("exp", [load(x, [i])]);
  const fn = kernel("f", [{ var: x, direction: "inout" }, { var: i, direction: "in" }], [evaluate(store(x, [i], e)), evaluate(store(x, [i], prim("exp", [load(x, [i])])))]);
  expect(faults(fn)).toHaveLength(2);
});
