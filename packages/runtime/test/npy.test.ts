import { DTYPE_NAMES, type DType } from "@tilefoundry/ir";
import { expect, test } from "vitest";
import { fromNpy, NdArray, toNpy } from "../src/index.ts";

const VALUES: Readonly<Record<DType, readonly (number | bigint | boolean)[]>> = {
  f32: [0, -0, 1.5, NaN, Infinity, 1e-40], f64: [0, -0, 0.1, NaN, -Infinity, 1e300], i32: [0, -1, 2147483647, -2147483648, 5, 6],
  u32: [0, 1, 4294967295, 3, 4, 5], u8: [0, 255, 2, 3, 4, 5], u16: [0, 65535, 2, 3, 4, 5], u64: [0n, 2n ** 64n - 1n, 2n, 3n, 4n, 5n], i8: [0, -128, 127, 3, 4, 5], i16: [0, -32768, 32767, 3, 4, 5], bool: [true, false, true, true, false, false],
  i64: [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 4n, 5n], index: [0n, 1n, 2n, 3n, 4n, -5n],
};

test.each(DTYPE_NAMES)("an array of %s is read back as it was written", (dtype) => {
  const made = NdArray.from([2, 3], dtype, (i) => VALUES[dtype][i] ?? 0);
  const { value, diagnostics } = fromNpy(toNpy(made));
  expect(diagnostics).toEqual([]);
  expect(value?.shape).toEqual([2, 3]);
  expect(value?.dtype).toBe(dtype === "index" ? "i64" : dtype);
  expect(value?.data).toEqual(made.data);
});

test.each([[[]], [[0]], [[3, 0]], [[1]]])("the shape %j is kept", (shape) => {
  expect(fromNpy(toNpy(NdArray.zeros(shape, "f32"))).value?.shape).toEqual(shape);
});

test("the elements begin at a multiple of 64 and the header ends in a line break", () => {
  const bytes = toNpy(NdArray.zeros([3], "f32"));
  expect((bytes.length - 12) % 64).toBe(0);
  expect(bytes[bytes.length - 13]).toBe(10);
});

/** A file made by hand. */
function file(header: string, body: readonly number[], version = 1): Uint8Array {
  const text = Array.from(header, (c) => c.charCodeAt(0));
  const length = version === 1 ? [text.length & 255, text.length >> 8] : [text.length & 255, text.length >> 8, 0, 0];
  return Uint8Array.from([0x93, ...Array.from("NUMPY", (c) => c.charCodeAt(0)), version, 0, ...length, ...text, ...body]);
}

test("Fortran order is turned into row-major order", () => {
  const bytes = file("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}\n", [1, 4, 2, 5, 3, 6]);
  expect(fromNpy(bytes).value?.toNested()).toEqual([[1, 2, 3], [4, 5, 6]]);
});

test("big-endian elements are swapped, in versions 2 and 3 of the format too", () => {
  for (const version of [1, 2, 3]) {
    const bytes = file("{'descr': '>i4', 'fortran_order': False, 'shape': (2,)}\n", [0, 0, 1, 2, 255, 255, 255, 254], version);
    expect(fromNpy(bytes).value?.toNested()).toEqual([258, -2]);
  }
});

const GOOD = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}\n";
const FAULTS: readonly (readonly [string, string, Uint8Array])[] = [
  ["TF6060", "does not begin with the mark", Uint8Array.of(1, 2, 3)],
  ["TF6060", "does not begin with the mark", new Uint8Array(0)],
  ["TF6060", "its version is 9", file(GOOD, [], 9)],
  ["TF6060", "ends within its header", file(GOOD, []).subarray(0, 20)],
  ["TF6060", "names no element type", file("{'fortran_order': False, 'shape': (2,)}", [])],
  ["TF6060", "records", file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}", [])],
  ["TF6060", "Fortran order", file("{'descr': '<f4', 'shape': (2,)}", [])],
  ["TF6060", "has no shape", file("{'descr': '<f4', 'fortran_order': False}", [])],
  ["TF6060", "out of range", file("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 99999999999)}", [])],
  ["TF6061", "type <c8", file("{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", [0, 0, 0, 0, 0, 0, 0, 0])],
  ["TF6062", "4 bytes of elements, but shape (2,) of f32 takes 8", file(GOOD, [0, 0, 0, 0])],
];

test.each(FAULTS)("%s: %s", (code, message, bytes) => {
  const { value, diagnostics } = fromNpy(bytes, "x.npy");
  expect(value).toBeUndefined();
  expect(diagnostics.map((d) => d.code)).toEqual([code]);
  expect(diagnostics[0]?.message).toContain(message);
  expect(diagnostics[0]?.message).toContain("x.npy");
});

test("no truncation of a file throws", () => {
  const whole = toNpy(NdArray.from([4, 4], "f32", (i) => i));
  for (let length = 0; length < whole.length; length++) expect(fromNpy(whole.subarray(0, length)).value).toBeUndefined();
});

test("a Node Buffer that lies inside a larger one is read like any bytes", () => {
  const bytes = toNpy(NdArray.from([3], "f32", (i) => i + 1));
  const pool = Buffer.alloc(bytes.length + 8);
  pool.set(bytes, 8);
  expect(fromNpy(pool.subarray(8)).value?.data).toEqual(Float32Array.of(1, 2, 3));
});
