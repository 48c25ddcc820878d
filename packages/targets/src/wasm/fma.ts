// Functions for the fused multiply-add with one rounding, which WebAssembly lacks. In f32 the product is exact in f64, and the sum is
// rounded to odd there, so that the final rounding to f32 is the only one that counts.

import { defineHelper, type Scope } from "./helper.ts";
import { f64, i32, i64, laneConst, op, select, type Tree, type WasmFunction } from "./tree.ts";

export const fmaF32 = (): WasmFunction =>
  defineHelper("fma_f32", { a: "f32", b: "f32", c: "f32" }, "f32", "a * b + c with one rounding", (s) => {
    const [a, b, c] = [s.param("a"), s.param("b"), s.param("c")].map((x) => op("f64.promote_f32", [x]));
    const product = s.let("product", op("f64.mul", [given(a), given(b)]));
    return op("f32.demote_f64", [oddSum(s, product, s.let("addend", given(c)))]);
  });

/**
 * x + y, rounded to odd: if the sum is not exact and its last bit is 0, it moves one unit towards the exact value. The error of the
 * sum is Knuth's TwoSum; infinities and NaN have no error that compares.
 */
function oddSum(s: Scope, x: Tree, y: Tree): Tree {
  const sum = s.let("sum", op("f64.add", [x, y]));
  const part = s.let("part", op("f64.sub", [sum, x])); // y as the sum saw it
  const error = s.let("error", op("f64.add", [op("f64.sub", [x, op("f64.sub", [sum, part])]), op("f64.sub", [y, part])]));
  const bits = s.let("bits", op("i64.reinterpret_f64", [sum]));
  const inexact = op("f64.gt", [op("f64.abs", [error]), f64(0)]);
  const even = op("i64.eqz", [op("i64.and", [bits, i64(1n)])]);
  // one unit away from zero if sum and error have one sign, else towards it
  const signs = op("i64.xor", [op("i64.reinterpret_f64", [error]), bits]);
  const unit = op("i64.or", [op("i64.shr_s", [signs, i64(63n)]), i64(1n)]);
  return op("f64.reinterpret_i64", [op("i64.add", [bits, select(unit, i64(0n), op("i32.and", [inexact, even]))])]);
}

export const fmaF32x4 = (): WasmFunction =>
  defineHelper("fma_f32x4", { a: "v128", b: "v128", c: "v128" }, "v128", "a * b + c with one rounding, lane by lane", (s) => {
    const low = oddSumLanes(s, "low", ["a", "b", "c"].map((name) => op("f64x2.promote_low_f32x4", [s.param(name)])));
    const high = oddSumLanes(s, "high", ["a", "b", "c"].map((name) => op("f64x2.promote_low_f32x4", [highHalf(s.param(name))])));
    return op("i8x16.shuffle", [low, high].map((half) => op("f32x4.demote_f64x2_zero", [half])), LOW_HALVES);
  });

const BYTES_OF_8 = [0, 1, 2, 3, 4, 5, 6, 7];
const LOW_HALVES = [...BYTES_OF_8, ...BYTES_OF_8.map((b) => b + 16)];
const HIGH_HALF = [...BYTES_OF_8, ...BYTES_OF_8].map((b) => b + 8);

const highHalf = (v: Tree): Tree => op("i8x16.shuffle", [v, v], HIGH_HALF);

function oddSumLanes(s: Scope, name: string, [a, b, c]: readonly Tree[]): Tree {
  const x = s.let(`product_${name}`, op("f64x2.mul", [given(a), given(b)]));
  const y = s.let(`addend_${name}`, given(c));
  const sum = s.let(`sum_${name}`, op("f64x2.add", [x, y]));
  const part = s.let(`part_${name}`, op("f64x2.sub", [sum, x]));
  const rest = op("f64x2.sub", [y, part]);
  const error = s.let(`error_${name}`, op("f64x2.add", [op("f64x2.sub", [x, op("f64x2.sub", [sum, part])]), rest]));
  const inexact = op("f64x2.gt", [op("f64x2.abs", [error]), laneConst("f64x2", 0)]);
  const even = op("i64x2.eq", [op("v128.and", [sum, laneConst("i64x2", 1n)]), laneConst("i64x2", 0n)]);
  const unit = op("v128.or", [op("i64x2.shr_s", [op("v128.xor", [error, sum]), i32(63)]), laneConst("i64x2", 1n)]);
  return op("i64x2.add", [sum, op("v128.and", [unit, op("v128.and", [inexact, even])])]);
}

function given(tree: Tree | undefined): Tree {
  if (tree === undefined) throw new Error("internal error of TileFoundry (please report it): fma without three operands");
  return tree;
}
