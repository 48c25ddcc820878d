// Any number of threads computes the same bits as one: samples, generated programs, many small calls.
// The thread count is forced, so that a machine of one processor checks it too.

import { findCompiler, loadCpu, NdArray } from "@tilefoundry/runtime";
import { TARGETS } from "@tilefoundry/targets";
import { compileNow } from "tilefoundry";
import { afterEach, describe, expect, test, vi } from "vitest";
import { freshArguments } from "../../../samples/compare.ts";
import { SAMPLES } from "../../../samples/index.ts";
import { uniform } from "../../../samples/inputs.ts";
import { program as softmax } from "../../../samples/softmax/softmax.ts";
import { program as mandelbrot } from "../../../samples/mandelbrot/mandelbrot.ts";
import { subjectOf } from "./fuzz-laws.ts";
import { ran } from "./fuzz-run.ts";
import { generate } from "./generate.ts";
import { artifactOf } from "./laws.ts";

const THREADS = [2, 3, 8];
/** Random programs whose C has a loop over cores. */
const PROGRAMS = 12;

afterEach(() => vi.unstubAllEnvs());

function on<T>(threads: number, run: () => T): T {
  vi.stubEnv("TILEFOUNDRY_THREADS", String(threads));
  return run();
}

/** Small loops too are shared. */
const shareAll = (): void => void vi.stubEnv("TILEFOUNDRY_SHARE_ALL", "1");

const bytes = (outputs: Readonly<Record<string, NdArray>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(outputs).map(([name, { data }]) => [name, Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64")]));

describe.skipIf(findCompiler() === undefined)("threads [needs a C compiler]", () => {
  for (const sample of SAMPLES) {
    for (const [title, make] of Object.entries(sample.cases)) {
      test(`${sample.name}: ${title}`, () => {
        shareAll();
        const kernel = compileNow(sample.program, { target: "cpu" });
        const args = make();
        const one = bytes(on(1, () => kernel.call(freshArguments(args))));
        for (const n of THREADS) expect(bytes(on(n, () => kernel.call(freshArguments(args)))), `${n} threads`).toEqual(one);
      });
    }
  }

  test("large loops are shared, with an arena for each thread", () => {
    const kernel = compileNow(softmax, { target: "cpu" });
    const x = uniform([3000, 1003], 1, 8);
    const one = bytes(on(1, () => kernel.call({ x })));
    for (const n of THREADS) for (let i = 0; i < 3; i++) expect(bytes(on(n, () => kernel.call({ x }))), `${n} threads`).toEqual(one);
  });

  test("iterations of uneven cost", () => {
    const kernel = compileNow(mandelbrot, { target: "cpu" });
    const run = (): Readonly<Record<string, string>> => bytes(kernel.call({ limit: 300, counts: NdArray.zeros([97, 101], "i32") }));
    const one = on(1, run);
    for (const n of THREADS) expect(on(n, run), `${n} threads`).toEqual(one);
  });

  test("random programs with loops over cores", () => {
    shareAll();
    let shared = 0;
    for (let seed = 0; shared < PROGRAMS; seed++) {
      const text = generate(seed, { size: 8 });
      const subject = text.includes("parallel(") ? subjectOf(text, seed) : "refused";
      if (typeof subject === "string" || !("module" in subject)) continue;
      const { artifact } = artifactOf(subject.module, TARGETS.cpu, true);
      if (!artifact.files.some((f) => f.name.endsWith(".c") && String(f.contents).includes(" parallel_for("))) continue;
      shared++;
      const { value } = loadCpu(artifact);
      if (value === undefined) throw new Error(text);
      for (const args of subject.args) {
        const one = on(1, () => ran(value, args));
        for (const n of THREADS) expect(on(n, () => ran(value, args)), text).toEqual(one);
      }
    }
  });

  test.each([false, true])("many small calls, all shared: %s", (all) => {
    if (all) shareAll();
    const kernel = compileNow(softmax, { target: "cpu" });
    for (const rows of [0, 1, 2, 3, 17, 64]) {
      const x = uniform([rows, 1003], rows, 4);
      const one = bytes(on(1, () => kernel.call({ x })));
      const out = kernel.call({ x });
      on(4, () => {
        for (let i = 0; i < 500; i++) kernel.call({ x }, { out });
      });
      expect(bytes(out)).toEqual(one);
    }
  });
});
