// The samples from `outlined` to `placed`: every stage verifies and is left alone by the pass that made it; what is exactly rounded keeps
// its bits, sums and exponentials stay within the bounds of the language.

import { verify, type Device, type ModuleNode } from "@tilefoundry/ir";
import { arrayOf, type ArrayValue, type Value } from "@tilefoundry/ops/evaluate";
import { describe, expect, test } from "vitest";
import { randomBy } from "./random.ts";
import { SAMPLES } from "./samples.ts";
import { CONTEXT, difference, GENERIC, outputsOf, SECOND_HALF } from "./stages.ts";

const random = randomBy(7);
const floats = (...shape: number[]): ArrayValue => arrayOf("f32", shape, Array.from({ length: size(shape) }, () => random.next() * 4 - 2));
const bytes = (...shape: number[]): ArrayValue => arrayOf("u8", shape, Array.from({ length: size(shape) }, () => random.below(2)));
const size = (shape: readonly number[]): number => shape.reduce((n, d) => n * d, 1);

/** Arguments that meet whole vectors and tails, one row, and nothing at all; and how many terms a sum has at most, 0 where every bit stays. */
const RUNS: Readonly<Record<string, { readonly terms: number; readonly args: readonly (readonly Value[])[] }>> = {
  vector_add: { terms: 0, args: [1, 1024, 1027, 0].map((n) => [floats(n), floats(n), floats(n)]) },
  softmax: { terms: 1003, args: [3, 0].map((m) => [floats(m, 1003), floats(m, 1003)]) },
  saxpy: { terms: 0, args: [256, 301, 0].map((n) => [1.5, floats(n), floats(n)]) },
  matmul: { terms: 65, args: [[64, 64, 64], [70, 65, 77], [3, 0, 5], [0, 4, 4]].map(([m = 0, k = 0, n = 0]) => [floats(m, k), floats(k, n), floats(m, n)]) },
  transpose: { terms: 0, args: [[32, 64], [33, 7], [0, 5]].map(([m = 0, n = 0]) => [floats(m, n), floats(n, m)]) },
  rms_norm: { terms: 37, args: [[3, 16], [2, 37], [4, 0]].map(([m = 0, n = 0]) => [floats(m, n), floats(n)]) },
  game_of_life: { terms: 0, args: [[8, 9], [1, 1], [0, 3]].map(([m = 0, n = 0]) => [bytes(m, n), bytes(m, n)]) },
  mandelbrot: { terms: 0, args: [[5, 7], [0, 2]].map(([m = 0, n = 0]) => [40, arrayOf("i32", [m, n], new Array<number>(m * n).fill(0))]) },
  softmax_graph: { terms: 40, args: [[3, 40], [2, 5], [0, 4]].map(([m = 0, n = 0]) => [floats(m, n)]) },
  linear_graph: { terms: 8, args: [[9, 5, 19], [4, 8, 8], [1, 0, 3]].map(([m = 0, k = 0, n = 0]) => [floats(m, k), floats(k, n), floats(n)]) },
  attention_graph: { terms: 20, args: [9, 4, 0].map((n) => [floats(n, 8), floats(n, 8), floats(n, 8)]) },
  hand_written: { terms: 0, args: [[floats(8), floats(8)]] },
};

const WIDE: Device = { ...GENERIC, name: "cpu:wide", vectorBits: 512, vectorRegisters: 32, matmulBlock: { rows: 6, vectors: 1 } };

describe.each([GENERIC, WIDE])("for $name", (device) => {
  test.each(Object.entries(SAMPLES))("%s means the same at every stage", (name, make) => {
    const run = RUNS[name];
    let module: ModuleNode = make();
    const wanted = run?.args.map((args) => outputsOf(module, args)) ?? [];
    for (const pass of SECOND_HALF) {
      const outcome = pass.run(module, { ...CONTEXT, device });
      expect(outcome.diagnostics).toEqual([]);
      module = outcome.value;
      expect(verify(module, pass.to).map((d) => `${pass.name}: ${d.message}`)).toEqual([]);
      expect(pass.run(module, { ...CONTEXT, device }).value, pass.name).toBe(module);
      for (const [i, args] of (run?.args ?? []).entries()) {
        const got = outputsOf(module, args, { poison: true, seed: i });
        if (run?.terms === 0) expect(difference(got, wanted[i] ?? [])).toBeUndefined();
        else expect(largestError(got, wanted[i] ?? []), `${name} ${pass.name}`).toBeLessThan(2 + (run?.terms ?? 0));
      }
    }
  });
});

/** In units of the last place of the largest element: regrouping a sum costs at most one for each of its terms, here. */
function largestError(got: readonly ArrayValue[], wanted: readonly ArrayValue[]): number {
  let worst = 0;
  for (const [n, a] of wanted.entries()) {
    const values = Array.from(a.data, Number);
    const unit = Math.max(1e-30, ...values.map(Math.abs)) * 2 ** -23;
    for (const [i, v] of values.entries()) {
      const error = Math.abs(Number(got[n]?.data[i]) - v) / unit;
      worst = Math.max(worst, Object.is(Number(got[n]?.data[i]), v) ? 0 : Number.isNaN(error) ? Infinity : error);
    }
  }
  return worst;
}
