// Compile times: softmax from text to WebAssembly bytes beside CPython's parser on such text; an unchanged template; scaling with size.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dataOf, emit, parseProgram, resolveTarget, tf } from "tilefoundry";
import { leastTime, WARM_COMPILER_MS, type BenchTable } from "./measure.ts";

export function benchCompile(root: string): BenchTable {
  const text = readFileSync(join(root, "samples", "softmax", "softmax.tf"), "utf8");
  const ours = leastTime(() => compileText(text), 30, WARM_COMPILER_MS);
  const twoKilobytes = text.repeat(Math.ceil(2048 / text.length)).slice(0, lineEnd(text.repeat(Math.ceil(2048 / text.length)), 2048));
  const python = pythonParseTime(twoKilobytes);
  const template = leastTime(() => void unchanged(), 30);
  return {
    ...(python === undefined
      ? {}
      : { softmax_to_wasm: { ratio: ours / python, what: "softmax text to wasm bytes, warm / CPython's ast.parse of 2 KB of such text", bar: { atMost: 1 }, ours_ms: ours, python_ms: python } }),
    unchanged_template: { ratio: template * 1000, what: "microseconds for a template whose holes did not change", bar: { atMost: 1 } },
    scaling: scaling(text),
  };
}

/** The end of the last whole line before an offset. */
const lineEnd = (text: string, before: number): number => text.lastIndexOf("\n", before) + 1;

function unchanged(): unknown {
  const n = 64;
  return tf<"f">`
@prim_func
def f(x: Tensor[(${n},), "f32"], y: Out[Tensor[(${n},), "f32"]]):
    for i in T.range(${n}):
        pl.write(y, (i,), pl.read(x, (i,)))
`;
}

/** All functions of a text, from characters to WebAssembly bytes. */
function compileText(text: string): void {
  const { value } = parseProgram(text, "bench.tf");
  const spec = resolveTarget("wasm").value;
  if (value === undefined || spec?.target === undefined) throw new Error("the sample does not compile");
  const { module } = dataOf(value);
  for (const fn of module.functions) {
    if (emit(module, fn, spec.target, spec.device).value === undefined) throw new Error(`${fn.name} does not compile`);
  }
}

/** Least milliseconds of CPython's own parser on a text; undefined without python3. */
function pythonParseTime(text: string): number | undefined {
  const script = "import ast,sys,time\nt=sys.stdin.read()\nb=1e9\nfor _ in range(300):\n s=time.perf_counter();ast.parse(t);b=min(b,time.perf_counter()-s)\nprint(b*1000)";
  const { status, stdout } = spawnSync("python3", ["-c", script], { input: text, encoding: "utf8" });
  return status === 0 ? Number(stdout) : undefined;
}

/** The exponent of compile time over program size: one function of 16, 64 and 256 statements. */
function scaling(_sample: string): BenchTable[string] {
  const sizes = [16, 64, 256];
  const times = sizes.map((n) => leastTime(() => compileText(longFunction(n)), 7));
  const exponent = Math.log((times[2] ?? 1) / (times[1] ?? 1)) / Math.log(4);
  const whole = Math.log((times[2] ?? 1) / (times[0] ?? 1)) / Math.log(16);
  return { ratio: Math.max(exponent, whole), what: "exponent of compile time over program size (1x, 4x, 16x)", bar: { atMost: 1.1 }, sizes, times_ms: times };
}

function longFunction(statements: number): string {
  const lines = Array.from({ length: statements }, (_, i) => {
    const [a, b] = [`t${i}`, `t${Math.max(0, i - 1)}`];
    return `        ${a === "t0" ? "t1" : `t${i + 1}`} = pl.add(pl.mul(${b}, t0), ${a})`;
  });
  return `@prim_func\ndef long(x: Tensor[(N,), "f32"], y: Out[Tensor[(N,), "f32"]]):\n    for i in T.parallel(0, N, 64):\n        t0 = pl.load(x, (i,), (64,))\n${lines.join("\n")}\n        pl.store(t${statements}, (i,), y)\n`;
}
