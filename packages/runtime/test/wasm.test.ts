import { add, assign, dimVar, evaluate, forLoop, INDEX, load, makeFunction, makeModule, seq, store, tensorType, variable, type FunctionNode } from "@tilefoundry/ir";
import { TARGETS } from "@tilefoundry/targets";
import { expect, test } from "vitest";
import { array, loadWasm, NdArray } from "../src/index.ts";

/** y = x + x over a symbolic extent. */
function doubled(): FunctionNode {
  const n = variable("N", INDEX);
  const type = tensorType([dimVar(n)], "f32");
  const [x, y, i, v] = [variable("x", type), variable("y", type), variable("i", INDEX), variable("v", load(variable("b", type), [variable("k", INDEX)]).type)];
  const body = seq([
    forLoop({ loopVar: i, stop: n, body: seq([assign(v, load(x, [i])), evaluate(store(y, [i], add(v, v)))]) }),
  ]);
  return makeFunction({
    name: "doubled", func: "prim", body, symbols: [{ var: n, lo: 0, hi: 2 ** 31 }],
    params: [{ var: x, direction: "in" }, { var: y, direction: "out" }],
  });
}

function runnable(fn: FunctionNode) {
  const { value } = loadWasm(TARGETS.wasm.emit(makeModule("m", [fn]), fn).value);
  if (value === undefined) throw new Error("not loaded");
  return value;
}

test("an Out array is made in the shape that the other arguments give", () => {
  const { value, diagnostics } = runnable(doubled()).call({ x: array([1, 2, 3.5]) });
  expect(diagnostics).toEqual([]);
  expect(value?.["y"]?.toNested()).toEqual([2, 4, 7]);
});

test("typed arrays outside the memory are copied in and out", () => {
  const [x, y] = [Float32Array.of(1, 2), new Float32Array(2)];
  const { value } = runnable(doubled()).call({ x }, { y });
  expect([...y]).toEqual([2, 4]);
  expect(value?.["y"]).toBeInstanceOf(NdArray);
  expect(value?.["y"]?.data).toBe(y);
});
