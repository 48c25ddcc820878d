import { expect, test } from "vitest";
import {
  add, dimVar, evaluate, forLoop, INDEX, indexConst, load, prim, store, tensorType, variable, seq, sub, assign,
} from "@tilefoundry/ir";
import { emitted, kernel, wasmBytes } from "./kernels.ts";

test("a vector sum with a tail gives the sums", () => {
  const n = variable("N", INDEX);
  const array = tensorType([dimVar(n)], "f32");
  const [x, y, z] = [variable("x", array), variable("y", array), variable("z", array)];
  const i = variable("i", INDEX);
  const j = variable("j", INDEX);
  const whole = variable("whole", INDEX);
  const fn = kernel("vector_add", [{ var: x, direction: "in" }, { var: y, direction: "in" }, { var: z, direction: "out" }], [
    assign(whole, sub(n, prim("mod", [n, indexConst(4)]))),
    forLoop({ loopVar: i, stop: whole, step: indexConst(4), mode: "vector", body: seq([
      evaluate(store(z, [i], add(load(x, [i], { lanes: 4 }), load(y, [i], { lanes: 4 })))),
    ]) }),
    forLoop({ loopVar: j, start: whole, stop: n, body: seq([evaluate(store(z, [j], add(load(x, [j]), load(y, [j]))))]) }),
  ], [n]);
  const artifact = emitted(fn);
  const bytes = wasmBytes(artifact);
  expect(WebAssembly.validate(bytes)).toBe(true);
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  const data = new Float32Array(memory.buffer);
  for (let k = 0; k < 11; k++) [data[64 + k], data[128 + k]] = [k, 100 * k];
  exports["vector_add"]?.(256, 512, 768, 11, 0);
  expect([...data.subarray(192, 204)]).toEqual([...Array.from({ length: 11 }, (_, k) => 101 * k), 0]);
});
