// Where buffers end up in the arena.

import {
  addDims, allocTensor, assign, bodyOf, dimVar, eachStmt, evaluate, forLoop, INDEX, indexConst, isStatic, load, makeFunction, makeModule, mulDims,
  numberConst, scalarType, seq, store, tensorType, tileType, variable, verify,
  type Dim, type Expr, type ModuleNode, type Stmt, type Var,
} from "@tilefoundry/ir";
import { describe, expect, test } from "vitest";
import { problemsOf, runPasses } from "@tilefoundry/passes";
import { place } from "../src/place.ts";
import { nestProgram } from "./nest-programs.ts";
import { CONTEXT, functionOf } from "./stages.ts";
import { tileProgram } from "./tile-programs.ts";

const N = variable("N", INDEX);
const M = variable("M", INDEX);
const n = variable("n", INDEX);

function kernel(stmts: readonly Stmt[]): ModuleNode {
  const symbols = [N, M].map((v) => ({ var: v, lo: 0, hi: 2 ** 31 }));
  const x = variable("x", tensorType([dimVar(N), dimVar(M)], "f32"));
  const params = [{ var: x, direction: "in" as const }, { var: n, direction: "in" as const }];
  return makeModule("f", [makeFunction({ name: "f", func: "prim", params, symbols, body: seq(stmts) })]);
}

/** A buffer that is written and read once. */
function buffer(hint: string, shape: readonly Dim[]): readonly Stmt[] {
  const v = variable(hint, tileType(shape, "f32"));
  const index = shape.map((): Expr => indexConst(0));
  const s = variable(`${hint}_0`, scalarType("f32"));
  return [assign(v, allocTensor(tileType(shape, "f32"))), evaluate(store(v, index, numberConst(1, "f32"))), assign(s, load(v, index))];
}

const loop = (hint: string, stmts: readonly Stmt[]): Stmt => forLoop({ loopVar: variable(hint, INDEX), stop: N, body: seq(stmts) });

function offsets(module: ModuleNode): ReadonlyMap<string, Dim> {
  const found = new Map<string, Dim>();
  const { value, diagnostics } = place.run(module, CONTEXT);
  expect(diagnostics).toEqual([]);
  expect(verify(value, "placed")).toEqual([]);
  eachStmt(bodyOf(functionOf(value)) ?? seq([]), (s) => {
    if (s.kind === "Assign" && s.value.kind === "Prim" && s.value.attrs.offset !== undefined) found.set((s.target as Var).hint, s.value.attrs.offset);
  });
  return found;
}

describe("offsets", () => {
  test("are multiples of a cache line, one buffer after the other", () => {
    expect([...offsets(kernel([...buffer("a", [3]), ...buffer("b", [17]), ...buffer("c", [1])]))]).toEqual([["a", 0], ["b", 64], ["c", 192]]);
  });

  test("of blocks side by side are shared, and lie behind those of the block around", () => {
    const inner = [loop("i", buffer("b", [16])), loop("j", buffer("c", [16]))];
    expect([...offsets(kernel([...buffer("a", [16]), ...inner]))]).toEqual([["a", 0], ["b", 64], ["c", 64]]);
  });

  test("of static buffers come before those of symbolic size", () => {
    const found = offsets(kernel([...buffer("row", [dimVar(N)]), ...buffer("a", [16]), ...buffer("column", [addDims(dimVar(M), 1)])]));
    expect(found.get("a")).toBe(0);
    expect(found.get("row")).toBe(64);
    expect(isStatic(found.get("column") ?? 0)).toBe(false);
  });

  test("end in one buffer whose size is no affine function of the extents", () => {
    const whole = [dimVar(N), dimVar(M)];
    expect(mulDims(dimVar(N), dimVar(M))).toBeUndefined();
    expect([...offsets(kernel([loop("i", buffer("a", whole)), loop("j", buffer("b", whole))]))]).toEqual([["a", 0], ["b", 0]]);
    expect(place.run(kernel([...buffer("a", whole), ...buffer("b", whole)]), CONTEXT).diagnostics.map((d) => d.code)).toEqual(["TF5121"]);
  });
});

test("TF5120: more than the device's arena is refused", () => {
  expect(place.run(kernel(buffer("a", [2 ** 29])), CONTEXT).diagnostics.map((d) => d.code)).toEqual(["TF5120"]);
});

test("TF5122: a size that only the running kernel knows is refused", () => {
  expect(place.run(kernel(buffer("a", [dimVar(n)])), CONTEXT).diagnostics.map((d) => d.code)).toEqual(["TF5122"]);
});

test("what has its places is given back", () => {
  const { value } = place.run(kernel(buffer("a", [3])), CONTEXT);
  expect(place.run(value, CONTEXT).value).toBe(value);
});

test("what fits lowered fits mapped: all problems are found without mapping", () => {
  const programs = Array.from({ length: 15 }, (_, seed) => [tileProgram(seed), nestProgram(seed)]).flat();
  let refused = 0;
  for (const arenaBytes of [64, 1024, 2 ** 20]) {
    const context = { ...CONTEXT, device: { ...CONTEXT.device, arenaBytes } };
    for (const program of programs) {
      const { diagnostics } = runPasses(program, "placed", context);
      expect(problemsOf(program, context)).toEqual(diagnostics);
      refused += diagnostics.length;
    }
  }
  expect(refused).toBeGreaterThan(0);
});
