// Names that are words of C, WebAssembly, CUDA or WGSL keep their meaning: every parameter, local and symbol may be called so.

import { findCompiler } from "@tilefoundry/runtime";
import { array, compileNow, parseProgram, renderDiagnostics } from "tilefoundry";
import { expect, test } from "vitest";

const WORDS = (
  "int float double char short long signed unsigned void auto register static extern const volatile restrict inline struct union enum typedef switch case " +
  "default goto do sizeof bool true false main errno NULL INFINITY NAN printf malloc free memcpy index y0 y1 j0 j1 jn gamma abs sqrt exp floor " +
  "local param result func module memory table block loop br drop select nop unreachable i32 i64 f32 f64 v128 get set tee then end " +
  "threadIdx blockIdx blockDim gridDim warpSize __global__ __shared__ half dim3 " +
  "fn var let override workgroup storage uniform vec4 mat4x4 array ptr atomic sampler texture discard fallthrough bitcast " +
  "args arena begin context parallel_for tf_add_i32 self constructor prototype __proto__ toString hasOwnProperty"
).split(" ");

/** A kernel in which the word is the function, a parameter, a symbol, a local, a tile and a loop variable in turn. */
function kernelsWith(word: string): readonly { readonly text: string; readonly names: { readonly input: string; readonly output: string } }[] {
  const kernel = (fn: string, x: string, y: string, n: string, i: string, t: string): string =>
    `@prim_func\ndef ${fn}(${x}: Tensor[(${n},), "f32"], ${y}: Out[Tensor[(${n},), "f32"]]):\n    for ${i} in T.parallel(0, ${n}, 8):\n        ${t} = pl.load(${x}, (${i},), (8,))\n        pl.store(pl.add(${t}, ${t}), (${i},), ${y})\n`;
  return [
    { text: kernel(word, "x", "y", "N", "i", "t"), names: { input: "x", output: "y" } },
    { text: kernel("k", word, "y", "N", "i", "t"), names: { input: word, output: "y" } },
    { text: kernel("k", "x", word, "N", "i", "t"), names: { input: "x", output: word } },
    { text: kernel("k", "x", "y", word, "i", "t"), names: { input: "x", output: "y" } },
    { text: kernel("k", "x", "y", "N", word, "t"), names: { input: "x", output: "y" } },
    { text: kernel("k", "x", "y", "N", "i", word), names: { input: "x", output: "y" } },
  ];
}

const x = array(Float32Array.from({ length: 11 }, (_, i) => i - 3), { shape: [11] });
const doubled = Array.from(x.data as Float32Array, (v) => 2 * v);

/** Names of the language's own namespaces may be refused, but by name. */
function check(target: string, word: string): void {
  for (const { text, names } of kernelsWith(word)) {
    const { value, diagnostics } = parseProgram(text, "clash.tf");
    expect(value, `${renderDiagnostics(diagnostics)}\n${text}`).toBeDefined();
    if (value === undefined) continue;
    const outputs = compileNow(value, { target }).call({ [names.input]: x });
    expect(Array.from(outputs[names.output]?.data as Float32Array), text).toEqual(doubled);
  }
}

test.each(WORDS)("%s runs on wasm", (word) => {
  check("wasm", word);
});

// compiling is slow: one word of each language stands for the others, which wasm and the emitter's word list cover
test.skipIf(findCompiler() === undefined).each(["int", "restrict", "y0", "INFINITY", "args", "arena", "tf_add_i32", "__proto__", "threadIdx"])("%s runs on cpu [needs a C compiler]", (word) => {
  check("cpu", word);
});
