// What mapping makes of nests: how many loops, which vectors, where scalars stay.

import {
  add, bodyOf, cast, dimVar, eachStmt, equal, evaluate, INDEX, load, makeFunction, makeModule, nest, seq, store, tensorType, variable, walk,
  type Dim, type DType, type Expr, type For, type FunctionNode, type ModuleNode, type Stmt, type Type, type Var,
} from "@tilefoundry/ir";
import { describe, expect, test } from "vitest";
import { lowerOps } from "../src/lower-ops.ts";
import { map } from "../src/map.ts";
import { makeKernel } from "./kernel.ts";
import { attentionGraph, matmul, rmsNorm, saxpy, softmax, softmaxGraph, vectorAdd } from "./samples.ts";
import { CONTEXT, functionOf } from "./stages.ts";

const mapped = (module: ModuleNode): FunctionNode => functionOf(map.run(lowerOps.run(module, CONTEXT).value, CONTEXT).value);

function statements(f: FunctionNode, fits: (stmt: Stmt) => boolean = () => true): readonly Stmt[] {
  const found: Stmt[] = [];
  const body = bodyOf(f);
  if (body !== undefined) eachStmt(body, (stmt) => void (fits(stmt) && found.push(stmt)));
  return found;
}

const loops = (f: FunctionNode): readonly For[] => statements(f).filter((s) => s.kind === "For");
const stepOf = (loop: For): number => (loop.step.kind === "Const" ? Number(loop.step.value) : NaN);
const allocated = (f: FunctionNode): readonly string[] => statements(f).flatMap((s) => (s.kind === "Assign" && s.target.type.kind === "Tensor" ? [s.target.hint] : []));

function vectors(f: FunctionNode): ReadonlySet<string> {
  const found = new Set<string>();
  const note = (t: Type): void => void (t.kind === "Vec" && found.add(`${t.dtype}x${t.lanes}`));
  for (const stmt of statements(f)) walk(stmt, (node) => void ("type" in node && note(node.type)));
  return found;
}

describe("fusion", () => {
  test("makes vector_add one vector loop and its tail, without a tile", () => {
    const f = mapped(vectorAdd());
    expect(allocated(f)).toEqual([]);
    expect(loops(f).map(stepOf)).toEqual([1024, 4, 1]);
  });

  test("makes softmax three loops over the row: maximum, exponential and sum, quotient", () => {
    const f = mapped(softmax(1000));
    expect(loops(f).map((l) => l.loopVar.hint)).toEqual(["r", "k", "k_next", "j", "j_1"]);
    expect(allocated(f)).toEqual(["e"]);
  });

  test("finishes a row before the next, so that what lies between has the size of a row", () => {
    const f = mapped(softmaxGraph());
    expect(allocated(f)).toEqual(["e"]);
    const e = statements(f).find((s) => s.kind === "Assign" && s.target.hint === "e");
    expect(e?.kind === "Assign" && e.target.type.kind === "Tensor" && e.target.type.shape[0]).toBe(1);
    expect(allocated(mapped(rmsNorm()))).toEqual([]);
  });

  test("leaves no two buffers of two symbolic extents, which would find no place", () => {
    const shapes = statements(mapped(attentionGraph())).flatMap((s) => (s.kind === "Assign" && s.target.type.kind === "Tensor" ? [s.target.type.shape] : []));
    expect(shapes.every(([rows]) => rows === 1)).toBe(true);
  });

  test("names the parts of a long chain, so that no expression nests deeply", () => {
    const k = makeKernel("chain", "prim");
    const x = k.param("x", tensorType([k.symbol("N")], "f32"));
    let value: Var = x;
    for (let n = 0; n < 100; n++) value = k.op("y", n % 2 === 0 ? "add" : "mul", { a: value, b: x });
    const f = mapped(k.done([value]));
    expect(allocated(f)).toEqual([]);
    expect(Math.max(...statements(f).map((s) => (s.kind === "Assign" ? depthOf(s.value) : s.kind === "Eval" ? depthOf(s.expr) : 0)))).toBeLessThan(20);
  });

  test("reads a tensor directly before it is overwritten at the same index", () => {
    expect(allocated(mapped(saxpy()))).toEqual([]);
  });
});

const depthOf = (e: Expr): number => (e.kind === "Prim" ? 1 + Math.max(0, ...e.args.map(depthOf)) : 0);

describe("loops", () => {
  test("of the outermost parallel level go to cores, and no others", () => {
    for (const make of [vectorAdd, softmax, matmul, rmsNorm]) {
      const levels = loops(mapped(make())).map((l) => l.level);
      expect(levels[0]).toBe("core");
      expect(levels.slice(1).every((l) => l === undefined)).toBe(true);
    }
  });

  test("of a contraction hold a register block of the device's rows and vectors", () => {
    const widest = Math.max(...loops(mapped(matmul())).map((l) => l.carries.length));
    expect(widest).toBe(CONTEXT.device.matmulBlock.rows * CONTEXT.device.matmulBlock.vectors);
  });

  test("have no tail where the extent is a multiple of the lanes", () => {
    expect(loops(mapped(softmax(64))).map((l) => l.loopVar.hint)).not.toContain("j_tail");
  });
});

/** A lowered nest over one tensor of each dtype: `y[i] = of(x[i])`. */
function elementwise(from: DType, to: DType, of: (x: Expr, i: Expr) => Expr): FunctionNode {
  const N = variable("N", INDEX);
  const shape: readonly Dim[] = [dimVar(N)];
  const [x, y] = [variable("x", tensorType(shape, from)), variable("y", tensorType(shape, to))];
  const i = variable("i", INDEX);
  const body = seq([nest([i], [N], seq([evaluate(store(y, [i], of(load(x, [i]), i)))]))]);
  const f = makeFunction({ name: "f", func: "prim", params: [{ var: x, direction: "in" }, { var: y, direction: "out" }], symbols: [{ var: N, lo: 0, hi: 2 ** 31 }], body });
  return functionOf(map.run(makeModule("f", [f]), CONTEXT).value);
}

describe("vectors", () => {
  test("have as many lanes as fit, if all values have one width", () => {
    expect([...vectors(elementwise("f32", "f32", (x) => add(x, x)))]).toEqual(["f32x4"]);
    expect([...vectors(elementwise("f64", "f64", (x) => add(x, x)))]).toEqual(["f64x2"]);
    expect([...vectors(elementwise("i32", "f32", (x) => cast(x, "f32")))].sort()).toEqual(["f32x4", "i32x4"]);
  });

  test("stay away from bytes, mixed widths and the iteration's own number", () => {
    expect([...vectors(elementwise("u8", "u8", (x) => add(x, x)))]).toEqual([]);
    expect([...vectors(elementwise("f32", "f64", (x) => cast(x, "f64")))]).toEqual([]);
    expect([...vectors(elementwise("f32", "f32", (_, i) => cast(i, "f32")))]).toEqual([]);
  });
});

test("mapping is the same each time, and gives back what it made", () => {
  const lowered = lowerOps.run(matmul(), CONTEXT).value;
  const once = map.run(lowered, CONTEXT).value;
  expect(map.run(once, CONTEXT).value).toBe(once);
  expect(equal(once, map.run(lowered, CONTEXT).value, { printed: true })).toBeUndefined();
});
