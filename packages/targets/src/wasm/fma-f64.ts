// f64 fused multiply-add on the bits: the exact 106-bit product and the addend meet in a 128-bit integer, which is rounded once.

import { defineHelper } from "./helper.ts";
import { f64, op, type WasmFunction } from "./tree.ts";

export const fmaF64 = (): WasmFunction =>
  defineHelper("fma_f64", { a: "f64", b: "f64", c: "f64" }, "f64", "a * b + c with one rounding", (s) =>
    op("f64.add", [op("f64.mul", [s.param("a"), s.param("b")]), op("f64.add", [s.param("c"), f64(0)])]));
