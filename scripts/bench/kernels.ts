// Kernel speed, reported and not gating: matmul 512^3 beside OpenBLAS and naive C, softmax beside naive C and a copy of its bytes.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileNow, type Kernel } from "tilefoundry";
import { uniform } from "../../samples/inputs.ts";
import { program as matmul } from "../../samples/matmul/matmul.ts";
import { program as softmax } from "../../samples/softmax/softmax.ts";
import { leastTime, type BenchTable } from "./measure.ts";

const N = 512;
const FLOPS = 2 * N ** 3;
const ROWS = 2048;
const COLUMNS = 1003;

/** On one thread, like what they are compared with. */
export async function benchKernels(): Promise<BenchTable> {
  const before = process.env["TILEFOUNDRY_THREADS"];
  process.env["TILEFOUNDRY_THREADS"] = "1";
  try {
    return await measured();
  } finally {
    if (before === undefined) delete process.env["TILEFOUNDRY_THREADS"];
    else process.env["TILEFOUNDRY_THREADS"] = before;
  }
}

async function measured(): Promise<BenchTable> {
  const native = nativeTimes();
  const jax = await jaxTime();
  const rows: Record<string, BenchTable[string]> = {};
  for (const target of ["wasm", "cpu"]) {
    if (target === "cpu" && native === undefined) continue;
    const a = uniform([N, N], 1);
    const b = uniform([N, N], 2);
    const ms = kernelTime(compileNow(matmul, { target }), { a, b });
    const gflops = FLOPS / ms / 1e6;
    if (native !== undefined) {
      rows[`matmul_512_${target}_vs_naive_c`] = { ratio: native.naive / ms, what: `naive C (-O3) time / ${target} time, matmul 512^3`, gflops, naive_gflops: FLOPS / native.naive / 1e6 };
      if (native.blas !== undefined) rows[`matmul_512_${target}_vs_openblas`] = { ratio: native.blas / ms, what: `OpenBLAS (one thread) time / ${target} time`, gflops, openblas_gflops: FLOPS / native.blas / 1e6 };
    }
    if (jax !== undefined) rows[`matmul_512_${target}_vs_jax_js`] = { ratio: jax / ms, what: `jax-js (wasm) time / ${target} time`, gflops, jax_gflops: FLOPS / jax / 1e6 };
    const soft = kernelTime(compileNow(softmax, { target }), { x: uniform([ROWS, COLUMNS], 3, 8) });
    const bytes = 2 * ROWS * COLUMNS * 4;
    if (native !== undefined) {
      rows[`softmax_${target}_vs_naive_c`] = { ratio: native.softmax / soft, what: `naive C (-O3, expf) time / ${target} time`, gb_per_s: bytes / soft / 1e6 };
      rows[`softmax_${target}_vs_copy`] = { ratio: native.copy / soft, what: `memcpy of its bytes / ${target} time`, gb_per_s: bytes / soft / 1e6, copy_gb_per_s: bytes / native.copy / 1e6 };
    }
  }
  return rows;
}

/** Least time of a call, argument checks and copies included. */
function kernelTime(kernel: Kernel, args: Parameters<Kernel["call"]>[0]): number {
  const out = kernel.call(args);
  return leastTime(() => void kernel.call(args, { out }), 7);
}

interface NativeTimes {
  readonly naive: number;
  readonly softmax: number;
  readonly copy: number;
  readonly blas: number | undefined;
}

const C_BENCH = `
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef BLAS
void cblas_sgemm(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
#endif
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e3 + t.tv_nsec * 1e-6; }
static void naive(const float *a, const float *b, float *c, int n) {
    memset(c, 0, sizeof(float) * n * n);
    for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
static void softmax(const float *x, float *y, int rows, int columns) {
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * columns; float *out = y + r * columns;
        float m = -INFINITY, s = 0;
        for (int j = 0; j < columns; j++) m = in[j] > m ? in[j] : m;
        for (int j = 0; j < columns; j++) s += out[j] = expf(in[j] - m);
        for (int j = 0; j < columns; j++) out[j] /= s;
    }
}
#define BEST(call) ({ double best = 1e9; for (int t = 0; t < 9; t++) { double s = now(); call; double e = now() - s; if (e < best) best = e; } best; })
int main(void) {
    const int n = ${N}, rows = ${ROWS}, columns = ${COLUMNS};
    float *a = malloc(4 * n * n), *b = malloc(4 * n * n), *c = malloc(4 * n * n), *x = malloc(4l * rows * columns), *y = malloc(4l * rows * columns);
    for (int i = 0; i < n * n; i++) { a[i] = i % 7 - 3; b[i] = i % 5 - 2; }
    for (int i = 0; i < rows * columns; i++) x[i] = i % 17 - 8;
    printf("%f ", BEST(naive(a, b, c, n)));
    printf("%f ", BEST(softmax(x, y, rows, columns)));
    printf("%f ", BEST(memcpy(y, x, 4l * rows * columns)));
#ifdef BLAS
    printf("%f ", BEST(cblas_sgemm(101, 111, 111, n, n, n, 1.0f, a, n, b, n, 0.0f, c, n)));
#endif
    volatile float keep = c[5] + y[7];
    (void)keep;
    return 0;
}
`;

function nativeTimes(): NativeTimes | undefined {
  const folder = mkdtempSync(join(tmpdir(), "tilefoundry-bench-"));
  writeFileSync(join(folder, "bench.c"), C_BENCH);
  const blas = ["/usr/lib/x86_64-linux-gnu/libopenblas.so", "/usr/lib/aarch64-linux-gnu/libopenblas.so", "/usr/lib/libopenblas.so"].some(existsSync);
  const compiled = spawnSync("gcc", ["-O3", "-w", ...(blas ? ["-DBLAS"] : []), "bench.c", "-o", "bench", "-lm", ...(blas ? ["-lopenblas"] : [])], { cwd: folder });
  if (compiled.status !== 0) return undefined;
  const { stdout } = spawnSync(join(folder, "bench"), [], { encoding: "utf8", env: { ...process.env, OPENBLAS_NUM_THREADS: "1" } });
  const [naive, soft, copy, blasTime] = stdout.trim().split(/\s+/).map(Number);
  return naive === undefined || soft === undefined || copy === undefined ? undefined : { naive, softmax: soft, copy, blas: blasTime };
}

/** Least milliseconds of the same product in jax-js on its WebAssembly backend; undefined where it does not run. */
async function jaxTime(): Promise<number | undefined> {
  try {
    const jax = (await import("@jax-js/jax")) as unknown as JaxModule; // its types are for browsers
    await jax.init("wasm");
    jax.defaultDevice("wasm");
    const product = jax.jit((a: JaxArray, b: JaxArray) => jax.numpy.matmul(a, b));
    const make = (): JaxArray => jax.numpy.array(uniform([N * N], 1).data).reshape([N, N]);
    let least = Infinity;
    for (let i = 0; i < 7; i++) {
      const [a, b] = [make(), make()];
      const start = performance.now();
      await product(a, b).data();
      least = Math.min(least, performance.now() - start);
    }
    return least;
  } catch {
    return undefined;
  }
}

interface JaxArray {
  reshape(shape: readonly number[]): JaxArray;
  data(): Promise<unknown>;
}
interface JaxModule {
  init(device: string): Promise<unknown>;
  defaultDevice(device: string): unknown;
  jit<F>(f: F): F;
  readonly numpy: { array(data: unknown): JaxArray; matmul(a: JaxArray, b: JaxArray): JaxArray };
}
