// Arguments made of what the command line says: each mistake is said once, and what follows from it is not.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signatureOf, type Signature } from "@tilefoundry/ir";
import { NdArray, toNpy } from "@tilefoundry/runtime";
import { check, dataOf } from "tilefoundry";
import { expect, test } from "vitest";
import { makeArguments } from "../src/values.ts";

const folder = mkdtempSync(join(tmpdir(), "tf-values-"));

function npy(name: string, length: number): string {
  const path = join(folder, name);
  writeFileSync(path, toNpy(NdArray.zeros([length], "f32")));
  return path;
}

function signature(text: string): Signature {
  const { program } = check(text);
  const fn = program && dataOf(program).module.functions[0];
  if (fn === undefined) throw new Error("no function");
  return signatureOf(fn);
}

const ADD = signature('@prim_func\ndef add(x: Tensor[(N,), "f32"], y: Tensor[(N,), "f32"], z: Out[Tensor[(N,), "f32"]]):\n    for i in T.range(N):\n        z[i] = x[i] + y[i]\n');
const SHORTER = signature('@prim_func\ndef shorter(x: Tensor[(N,), "f32"], z: Out[Tensor[(N - 3,), "f32"]]):\n    for i in T.range(N - 3):\n        z[i] = x[i]\n');
const LARGE = signature('@prim_func\ndef large(x: Tensor[(M, N), "f32"], z: Out[Tensor[(M, 65536), "f64"]]):\n    z[0, 0] = 1.0\n');
const WHOLE = signature('@prim_func\ndef whole(n: Scalar["i64"], z: Out[Tensor[(1,), "i64"]]):\n    z[0] = n\n');

const BYTES = signature('@prim_func\ndef bytes(x: Tensor[(300,), "u8"], z: Out[Tensor[(300,), "u8"]]):\n    for i in T.range(300):\n        z[i] = x[i]\n');

const given = (args: Readonly<Record<string, string>>, dims: Readonly<Record<string, number>> = {}) => ({ args: new Map(Object.entries(args)), dims: new Map(Object.entries(dims)), seed: 0 });

test.each([
  ["an extent that nothing gives", ADD, given({}), "TF6027", "the extent `N`"],
  ["an element that the dtype lacks", BYTES, given({ x: "256" }), "TF6026", "`256` is no value for `x`"],
  ["a negative element of an unsigned dtype", BYTES, given({ x: "-1" }), "TF6026", "`-1`"],
  ["a range of elements that the dtype lacks", BYTES, given({ x: "randint:0:257" }), "TF6026", "`randint:0:257`"],
  ["more elements in order than the dtype has", BYTES, given({ x: "arange" }), "TF6026", "`arange`"],
  ["a file that is not there", ADD, given({ x: join(folder, "absent.npy") }), "TF6022", "absent.npy"],
  ["an extent by another name", ADD, given({}, { M: 4 }), "TF6028", "`M`"],
  ["an extent that a file contradicts", ADD, given({ x: npy("four.npy", 4) }, { N: 5 }), "TF6004", "axis 0 of `x` has extent 4, but N is 5, since `--dim N=5` says so"],
  ["an extent outside of its range", ADD, given({}, { N: 2 ** 31 }), "TF6029", "2147483648"],
  ["an Out array of an extent below 0", SHORTER, given({}, { N: 1 }), "TF6042", "`z` has an extent of -2"],
  ["an array that no memory holds", LARGE, given({}, { M: 2 ** 31 - 1, N: 0 }), "TF6070", "`z` of shape (2147483647, 65536)"],
])("%s is said once", (_title, of, what, code, words) => {
  const { diagnostics } = makeArguments(of, what);
  expect(diagnostics.map((d) => d.code)).toEqual([code]);
  expect(diagnostics[0]?.message).toContain(words);
});

test("files and --dim may agree", () => {
  const { value, diagnostics } = makeArguments(ADD, given({ x: npy("five.npy", 5) }, { N: 5 }));
  expect(diagnostics).toEqual([]);
  expect(value["z"]).toMatchObject({ shape: [5] });
});

test("a parameter may be called like what every object has", () => {
  const text = '@prim_func\ndef f(__proto__: Scalar["i64"], constructor: Out[Tensor[(1,), "i64"]]):\n    constructor[0] = __proto__\n';
  const { value } = makeArguments(signature(text), given({ ["__proto__"]: "3" }));
  expect(Object.getOwnPropertyDescriptor(value, "__proto__")?.value).toBe(3n);
});

test("integers of 64 bits keep every digit", () => {
  expect(makeArguments(WHOLE, given({ n: "9007199254740993" })).value["n"]).toBe(9007199254740993n);
});
