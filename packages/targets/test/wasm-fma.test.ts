import { evaluate, forLoop, INDEX, indexConst, load, prim, seq, store, tensorType, variable, type Param } from "@tilefoundry/ir";
import { scalarFunction } from "@tilefoundry/ops/evaluate";
import { expect, test } from "vitest";
import { emitted, kernel, machine, wasmBytes } from "./kernels.ts";
import { generator } from "./prim-cases.ts";

const COUNT = 4096;
const bits = new DataView(new ArrayBuffer(8));

function fromBits(random: () => number, dtype: "f32" | "f64"): number {
  bits.setUint32(0, random() * 2 ** 32);
  bits.setUint32(4, random() * 2 ** 32);
  return dtype === "f32" ? bits.getFloat32(0) : bits.getFloat64(0);
}

/** Operands of every size; half of the addends nearly cancel the product. */
function operands(dtype: "f32" | "f64"): readonly (readonly [number, number, number])[] {
  const random = generator(29);
  const round = (x: number): number => (dtype === "f32" ? Math.fround(x) : x);
  return Array.from({ length: COUNT }, (_, i) => {
    const [a, b] = [fromBits(random, dtype), fromBits(random, dtype)];
    const near = round(-a * b * (1 + Math.floor(random() * 4) * 2 ** (dtype === "f32" ? -23 : -52)));
    return [a, b, i % 2 === 0 ? fromBits(random, dtype) : near];
  });
}

test.each(["f32", "f64"] as const)("%s fma rounds once, for random bit patterns and near cancellation", (dtype) => {
  const type = tensorType([COUNT], dtype);
  const [a, b, c, out, i] = [variable("a", type), variable("b", type), variable("c", type), variable("out", type), variable("i", INDEX)];
  const value = prim("fma", [a, b, c].map((x) => load(x, [i])));
  const params: readonly Param[] = [a, b, c, out].map((v): Param => ({ var: v, direction: v === out ? "out" : "in" }));
  const fn = kernel("fused", params, [forLoop({ loopVar: i, stop: indexConst(COUNT), body: seq([evaluate(store(out, [i], value))]) })]);
  const rows = operands(dtype);
  const m = machine(4);
  const places = [0, 1, 2].map((k) => m.place(dtype, rows.map((r) => r[k] ?? 0)));
  const result = m.place(dtype, Array<number>(COUNT).fill(0));
  m.run(wasmBytes(emitted(fn)), "fused", [...places, result, 0]);
  const f = scalarFunction("fma", dtype);
  const actual = m.read(result, dtype, COUNT);
  const wrong = rows.flatMap((r, k) => (Object.is(actual[k], f(...r)) ? [] : [`fma(${r.join(", ")}) is ${String(actual[k])}, not ${String(f(...r))}`]));
  expect(wrong).toEqual([]);
});
