import { addDims, dimVar, INDEX, makeFunction, scalarType, seq, signatureOf, tensorType, variable, type Signature } from "@tilefoundry/ir";
import { describe, expect, test } from "vitest";
import { array } from "./arrays.ts";
import { bindArguments, NdArray, type ArgumentValues } from "../src/index.ts";

/** def f(x: [M, N] f32, row: [N] f32, n: i32, flag: bool, padded: Out [N + 1] f32, y: Out [M, N] f32) */
function signature(): Signature {
  const [m, n] = [variable("M", INDEX), variable("N", INDEX)];
  const [M, N] = [dimVar(m), dimVar(n)];
  return signatureOf(makeFunction({
    name: "f", func: "prim", body: seq([]), symbols: [m, n].map((v) => ({ var: v, lo: 0, hi: 2 ** 31 })),
    params: [
      { var: variable("x", tensorType([M, N], "f32")), direction: "in" },
      { var: variable("row", tensorType([N], "f32")), direction: "in" },
      { var: variable("n", scalarType("i32")), direction: "in" },
      { var: variable("flag", scalarType("bool")), direction: "in" },
      { var: variable("padded", tensorType([addDims(N, 1)], "f32")), direction: "out" },
      { var: variable("y", tensorType([M, N], "f32")), direction: "out" },
    ],
  }));
}

const good = (): ArgumentValues => ({ x: array([[1, 2, 3], [4, 5, 6]]), row: [1, 2, 3], n: 7, flag: true });

test("arguments that fit are bound in order, and Out arrays are made", () => {
  const { value, diagnostics } = bindArguments(signature(), good());
  expect(diagnostics).toEqual([]);
  const shown = value?.args.map((a) => (a.kind === "array" ? a.array.shape : a.value));
  expect(shown).toEqual([[2, 3], [3], 7, 1, [4], [2, 3]]);
});

test("a typed array takes its shape from the extents that others give", () => {
  const { value, diagnostics } = bindArguments(signature(), { ...good(), y: new Float32Array(6) });
  expect(diagnostics).toEqual([]);
  expect(value?.args.at(-1)).toMatchObject({ array: { shape: [2, 3] } });
});

test("arrays to write into may come apart from the inputs", () => {
  const mine = NdArray.zeros([2, 3], "f32");
  const { value } = bindArguments(signature(), good(), { y: mine });
  const y = value?.args.at(-1);
  expect(y?.kind === "array" ? y.array : undefined).toBe(mine);
});

const shared = new ArrayBuffer(64);
const freed = NdArray.zeros([3], "f32");
freed.free();
const twice = NdArray.zeros([2, 3], "f32");

const FAULTS: readonly (readonly [string, string, ArgumentValues, string])[] = [
  ["a missing argument", "TF6046", { x: array([[1]]), row: [1], flag: true }, "`f` needs the argument `n`"],
  ["a name that is no parameter", "TF6025", { ...good(), z: 1 }, "no parameter `z`"],
  ["an array of another dtype", "TF6040", { ...good(), row: array([1, 2, 3], { dtype: "f64" }) }, "`row` holds f64, but f32 is needed"],
  ["a typed array of another dtype", "TF6040", { ...good(), row: Int32Array.of(1, 2, 3) }, "`row` holds Int32Array, but f32 is needed"],
  ["a wrong rank", "TF6001", { ...good(), x: array([1, 2, 3]) }, "`x` takes an array of 2 axes"],
  ["extents that contradict", "TF6003", { ...good(), row: [1, 2] }, "axis 0 of `row` has extent 2, but N is 3 by axis 1 of `x`"],
  ["an extent that contradicts a sum", "TF6004", { ...good(), padded: array([1, 2, 3]) }, "axis 0 of `padded` has extent 3"],
  ["a scalar that is none of its dtype", "TF6045", { ...good(), n: 1.5 }, "`n` takes a scalar of dtype i32, but 1.5 is no integer"],
  ["a scalar out of range", "TF6045", { ...good(), n: 2 ** 31 }, "is outside i32"],
  ["an array for a scalar", "TF6045", { ...good(), n: array([1]) }, "an array is no integer"],
  ["a number for a bool", "TF6045", { ...good(), flag: 2 }, "2 is no boolean"],
  ["a freed array", "TF6047", { ...good(), row: freed }, "`row` is an array that has been freed"],
  ["an object that is no array", "TF6044", { ...good(), x: { data: [1], shape: [1] } as never }, "is no number"],
  ["null in a list", "TF6044", { ...good(), x: [[1, 2], [3, null]] as never }, "is no number"],
  ["ragged lists", "TF6043", { ...good(), x: [[1, 2], [3]] }, "`x` is ragged"],
  ["a typed array of the wrong length", "TF6041", { ...good(), y: new Float32Array(5) }, "`y` has 5 elements, but shape (2, 3) takes 6"],
  ["a typed array whose shape nothing tells", "TF6048", { x: new Float32Array(6), row: [1, 2, 3], n: 1, flag: false }, "nothing given says what M is"],
  ["one array for two parameters, one written", "TF6049", { ...good(), x: twice, y: twice }, "`x` and `y` overlap"],
  ["typed arrays that overlap", "TF6049", { ...good(), row: new Float32Array(shared, 0, 3), padded: new Float32Array(shared, 8, 4) }, "`padded` is written"],
];

describe("what does not fit is named", () => {
  test.each(FAULTS)("%s: %s", (_title, code, args, message) => {
    const { value, diagnostics } = bindArguments(signature(), args);
    expect(value).toBeUndefined();
    const found = diagnostics.find((d) => d.code === code);
    expect(found?.message).toContain(message);
  });
});

test("an Out array that cannot be made is shown at its parameter", () => {
  const n = variable("N", INDEX);
  const of = (out: Parameters<typeof tensorType>[0]): readonly string[] => {
    const params = [{ var: variable("x", tensorType([dimVar(n)], "f32")), direction: "in" }, { var: variable("y", tensorType(out, "f32")), direction: "out" }] as const;
    const made = signatureOf(makeFunction({ name: "g", func: "prim", body: seq([]), symbols: [{ var: n, lo: 0, hi: 2 ** 31 }], params }));
    return bindArguments(made, { x: array([1]) }).diagnostics.map((d) => `${d.code} ${d.message}`);
  };
  expect(of([addDims(dimVar(n), -3)])).toEqual(["TF6042 `y` has an extent of -2"]);
  expect(of([2 ** 30, 2 ** 20])).toEqual(["TF6070 `y` of shape (1073741824, 1048576) and dtype f32 does not fit into memory"]);
});

test("faults that have nothing to do with each other are all reported", () => {
  const { diagnostics } = bindArguments(signature(), { x: array([1]), row: Int32Array.of(1), n: "7" as never, z: 1 });
  expect(diagnostics.map((d) => d.code).sort()).toEqual(["TF6001", "TF6025", "TF6040", "TF6045", "TF6046"]);
});
