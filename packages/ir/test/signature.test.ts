// Signatures, and the binding of symbolic extents by the shapes of arguments.

import { addDims, bindSymbols, dimVar, evalDim, floorDivDim, makeFunction, maxDim, minDim, modDim, scaleDim, seq, signatureOf, tensorType, variable, INDEX, type Dim } from "@tilefoundry/ir";
import { describe, expect, test } from "vitest";
import { F32, HI } from "./programs.ts";

const N = variable("N", INDEX);
const M = variable("M", INDEX);

function signature(shapes: readonly (readonly Dim[])[]) {
  const params = shapes.map((shape, i) => ({ var: variable(`p${i}`, tensorType(shape, "f32")), direction: "in" as const }));
  return signatureOf(makeFunction({ name: "f", func: "prim", params, symbols: [{ var: N, lo: 1, hi: 1000 }, { var: M, lo: 0, hi: HI }], body: seq([]) }));
}

describe("signatureOf", () => {
  test("lists arrays and scalars, and where each extent comes from", () => {
    const x = variable("x", tensorType([addDims(dimVar(N), 1), dimVar(M)], "f32"));
    const a = variable("a", F32);
    const y = variable("y", tensorType([dimVar(N)], "f32"));
    const f = makeFunction({
      name: "f",
      func: "prim",
      params: [{ var: x, direction: "in" }, { var: a, direction: "in" }, { var: y, direction: "out" }],
      symbols: [{ var: N, lo: 0, hi: 10 }, { var: M, lo: 0, hi: HI }],
      body: seq([]),
    });
    const { params, symbols } = signatureOf(f);
    expect(params.map((p) => [p.kind, p.name, p.direction])).toEqual([["array", "x", "in"], ["scalar", "a", "in"], ["array", "y", "out"]]);
    expect(symbols.map((s) => [s.name, s.source])).toEqual([["N", { param: 2, axis: 0 }], ["M", { param: 0, axis: 1 }]]);
  });
});

describe("evalDim", () => {
  const values = new Map([[N, 7], [M, -7]]);
  const n = dimVar(N);
  const m = dimVar(M);
  test.each([
    [5, 5],
    [addDims(scaleDim(n, 3), -1), 20],
    [floorDivDim(m, 2), -4],
    [modDim(m, 4), 1],
    [minDim(n, m), -7],
    [maxDim(n, m), 7],
  ] as const)("%#: division floors, modulo takes the divisor's sign", (dim, expected) => {
    expect(evalDim(dim, values)).toBe(expected);
  });
});

describe("bindSymbols", () => {
  const n = dimVar(N);
  const m = dimVar(M);

  test("gives each symbol the extent of its axis", () => {
    const { value, diagnostics } = bindSymbols(signature([[n, m], [m, n]]), [[3, 0], [0, 3]]);
    expect(diagnostics).toEqual([]);
    expect([value.get(N), value.get(M)]).toEqual([3, 0]);
  });

  test.each([
    ["TF6001", [[n], [m]], [[3, 4], [0]], "`p0` takes an array of 1 axis, (N,), not one of shape (3, 4)"],
    ["TF6001", [[n], [m]], [undefined, [0]], "`p0` takes an array of 1 axis, (N,), not a scalar"],
    ["TF6002", [[n, 64], [m]], [[3, 63], [0]], "axis 1 of `p0` has extent 63, but its type says 64"],
    ["TF6003", [[n], [n, m]], [[3], [4, 0]], "axis 0 of `p1` has extent 4, but N is 3 by axis 0 of `p0`"],
    ["TF6004", [[n], [addDims(scaleDim(n, 2), 1), m]], [[3], [6, 0]], "axis 0 of `p1` has extent 6, but 2*N + 1 is 7, since N is 3 by axis 0 of `p0`"],
    ["TF6005", [[n], [m]], [[1000], [0]], "extent N is 1000 by axis 0 of `p0`, outside its declared range [1, 1000)"],
    ["TF6006", [[n], [scaleDim(m, 2)]], [[3], [4]], "no parameter of `f` has an axis that is exactly M"],
  ] as const)("%s %#", (code, shapes, actual, message) => {
    expect(bindSymbols(signature(shapes), actual).diagnostics.map((d) => [d.code, d.message])).toEqual([[code, message]]);
  });

  test("reports every contradiction of one call", () => {
    const { diagnostics } = bindSymbols(signature([[n, m], [n, m]]), [[3, 4], [5, 6]]);
    expect(diagnostics.map((d) => d.code)).toEqual(["TF6003", "TF6003"]);
  });
});
