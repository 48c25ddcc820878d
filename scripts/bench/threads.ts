// Two threads beside one, the same kernel in one process; runs alternate, so that a machine's noise meets both.

import { availableParallelism } from "node:os";
import { findCompiler } from "@tilefoundry/runtime";
import { compileNow, NdArray, type CallArguments, type Program } from "tilefoundry";
import { uniform } from "../../samples/inputs.ts";
import { program as mandelbrot } from "../../samples/mandelbrot/mandelbrot.ts";
import { program as softmax } from "../../samples/softmax/softmax.ts";
import type { BenchRow, BenchTable } from "./measure.ts";

/** Calls are short and rest in between, so that among many some find both processors free. */
const ROUNDS = 300;
const REST_MS = 10;
const BAR = { atLeast: 1.8 };

export function benchThreads(): BenchTable {
  if (findCompiler() === undefined || availableParallelism() < 2) return {};
  return {
    threads_mandelbrot: twoBesideOne(mandelbrot, { limit: 500, counts: NdArray.zeros([120, 160], "i32") }, "mandelbrot 120x160"),
    threads_softmax: twoBesideOne(softmax, { x: uniform([2048, 1003], 3, 8) }, "softmax 2048x1003"),
  };
}

/** Least time of one thread over least time of two. */
function twoBesideOne(program: Program, args: CallArguments, what: string): BenchRow {
  const kernel = compileNow(program, { target: "cpu" });
  const out = kernel.call(args);
  const least: [number, number] = [Infinity, Infinity];
  const before = process.env["TILEFOUNDRY_THREADS"];
  for (let round = 0; round < 2 * ROUNDS; round++) {
    const at = round % 2 === 0 ? 0 : 1;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, REST_MS);
    process.env["TILEFOUNDRY_THREADS"] = String(at + 1);
    const start = performance.now();
    kernel.call(args, { out });
    least[at] = Math.min(least[at], performance.now() - start);
  }
  if (before === undefined) delete process.env["TILEFOUNDRY_THREADS"];
  else process.env["TILEFOUNDRY_THREADS"] = before;
  return { ratio: least[0] / least[1], bar: BAR, what: `one thread's time / two threads' time, ${what}`, one_ms: least[0], two_ms: least[1] };
}
