// What lower-ops leaves behind: buffers, and no more of them than are needed.

import {
  add, bodyOf, eachStmt, equal, indexConst, lessThan, numberConst, scalarType, tensorType, toExpr,
  type Expr, type FunctionNode, type ModuleNode, type Stmt, type VarLike,
} from "@tilefoundry/ir";
import { arrayOf } from "@tilefoundry/ops/evaluate";
import { describe, expect, test } from "vitest";
import { lowerOps } from "../src/lower-ops.ts";
import { makeKernel, type Kernel } from "./kernel.ts";
import { matmul, softmax, softmaxGraph } from "./samples.ts";
import { CONTEXT, difference, functionOf, outputsOf } from "./stages.ts";

const lower = (module: ModuleNode): FunctionNode => functionOf(lowerOps.run(module, CONTEXT).value);

function statements(f: FunctionNode, fits: (stmt: Stmt) => boolean): readonly Stmt[] {
  const found: Stmt[] = [];
  const body = bodyOf(f);
  if (body !== undefined) eachStmt(body, (stmt) => void (fits(stmt) && found.push(stmt)));
  return found;
}

const allocated = (f: FunctionNode): readonly string[] =>
  statements(f, (s) => s.kind === "Assign" && s.target.type.kind === "Tensor").map((s) => (s.kind === "Assign" ? s.target.hint : ""));

/** A kernel with tensors `x` and `y` of eight elements; `body` gives what is stored into `y`. */
function onEight(body: (k: Kernel, tile: VarLike, x: Expr) => Expr): ModuleNode {
  const k = makeKernel("f");
  const x = k.param("x", tensorType([8], "f32"));
  const y = k.param("y", tensorType([8], "f32"), "inout");
  const tile = k.op("tile", "load", { tensor: x, offsets: [indexConst(0)] }, { shapes: [8n] });
  k.op("y", "store", { tile: body(k, tile, x), offsets: [indexConst(0)], output_tensor: y });
  return k.done();
}

const EIGHT = [arrayOf("f32", [8], [1, 2, 3, 4, 5, 6, 7, 8]), arrayOf("f32", [8], [0, 0, 0, 0, 0, 0, 0, 0])];

function keepsMeaning(module: ModuleNode): void {
  expect(difference(outputsOf(lowerOps.run(module, CONTEXT).value, EIGHT, { poison: true }), outputsOf(module, EIGHT))).toBeUndefined();
}

describe("a carried tile", () => {
  test("is updated in place where each element is read at its own index", () => {
    expect(allocated(lower(matmul()))).toEqual(["zero", "left", "right"]);
    const module = onEight((k, tile) => k.loop(indexConst(3), {}, [tile], (_, [acc]) => [k.op("sum", "add", { a: acc as Expr, b: numberConst(1, "f32") })])[0] as Expr);
    expect(allocated(lower(module))).toEqual(["tile"]);
    keepsMeaning(module);
  });

  test("is not where the old value is read again", () => {
    const module = onEight((k, tile) => {
      const [result] = k.loop(indexConst(3), {}, [tile], (_, [acc]) => {
        const next = k.op("next", "add", { a: acc as Expr, b: numberConst(1, "f32") });
        return [k.op("sum", "mul", { a: next, b: acc as Expr })];
      });
      return result as Expr;
    });
    expect(allocated(lower(module))).toEqual(["tile", "next"]);
    keepsMeaning(module);
  });

  test("changes places with another through a third", () => {
    const module = onEight((k, tile) => {
      const other = k.op("other", "neg", { x: tile });
      const [a, b] = k.loop(indexConst(3), {}, [tile, other], (_, [x, y]) => [y as Expr, x as Expr]);
      return k.op("difference", "sub", { a: a as Expr, b: b as Expr });
    });
    keepsMeaning(module);
    expect(allocated(lower(module))).toHaveLength(4);
  });

  test("leaves the value it began with to those who read it later", () => {
    const module = onEight((k, tile) => {
      const [sum] = k.loop(indexConst(2), {}, [tile], (_, [acc]) => [k.op("sum", "add", { a: acc as Expr, b: acc as Expr })]);
      return k.op("both", "add", { a: sum as Expr, b: tile });
    });
    keepsMeaning(module);
  });

  test("is kept apart from a loop inside that starts from it and reads it too", () => {
    const module = onEight((k, tile) => {
      const [result] = k.loop(indexConst(3), {}, [tile], (_, [acc]) =>
        k.loop(indexConst(2), {}, [acc as Expr], (_t, [inner]) => [k.op("sum", "add", { a: inner as Expr, b: acc as Expr })]),
      );
      return result as Expr;
    });
    keepsMeaning(module);
  });

  test("carries its run-time extent where that changes", () => {
    const k = makeKernel("f");
    const N = k.symbol("N");
    const x = k.param("x", tensorType([N], "f32"));
    const y = k.param("y", tensorType([N], "f32"), "inout");
    const tile = k.op("tile", "load", { tensor: x, offsets: [indexConst(0)] }, { shapes: [8n] });
    const [kept] = k.loop(indexConst(3), {}, [tile], (i) => [k.op("next", "load", { tensor: x, offsets: [add(i, indexConst(4))] }, { shapes: [8n] })]);
    k.op("y", "store", { tile: kept as Expr, offsets: [indexConst(0)], output_tensor: y });
    const loops = statements(lower(k.done()), (s) => s.kind === "For" && s.carries.length === 1);
    expect(loops).toHaveLength(1);
    const module = k.done();
    const args = [arrayOf("f32", [9], [1, 2, 3, 4, 5, 6, 7, 8, 9]), arrayOf("f32", [9], new Array<number>(9).fill(0))];
    expect(difference(outputsOf(lowerOps.run(module, CONTEXT).value, args, { poison: true }), outputsOf(module, args))).toBeUndefined();
  });
});

describe("a tile chosen by an if", () => {
  test("is changed in place where one branch passes it on", () => {
    const module = onEight((k, tile) => {
      const n = k.let("n", indexConst(3));
      const [result] = k.choose(lessThan(n, indexConst(5)), () => [k.op("sum", "add", { a: tile, b: numberConst(1, "f32") })], () => [tile]);
      return result as Expr;
    });
    expect(allocated(lower(module))).toEqual(["tile"]);
    keepsMeaning(module);
  });
});

describe("a load", () => {
  test("keeps what was there before a later store", () => {
    const k = makeKernel("f");
    k.param("x", tensorType([8], "f32"));
    const y = k.param("y", tensorType([8], "f32"), "inout");
    const load = (from: Expr): Expr => k.op("before", "load", { tensor: from, offsets: [indexConst(0)] }, { shapes: [8n] });
    const before = load(y);
    const y1 = k.op("y", "store", { tile: k.op("ones", "full", {}, { shape: [8n], dtype: { dtype: "f32" }, value: 1 }), offsets: [indexConst(0)], output_tensor: y });
    k.op("y", "store", { tile: k.op("sum", "add", { a: before, b: load(y1) }), offsets: [indexConst(0)], output_tensor: y1 });
    keepsMeaning(k.done());
  });
});

describe("what a function returns", () => {
  test("goes into a parameter `out`, without a copy", () => {
    const f = lower(softmaxGraph());
    expect(f.params.map((p) => `${p.direction} ${p.var.hint}`)).toEqual(["in x", "out out"]);
    expect(f.returns).toEqual([]);
    expect(allocated(f)).not.toContain("result");
  });

  test("is numbered if there is more than one; a scalar has rank 0, the handle of a parameter goes", () => {
    const k = makeKernel("f", "prim");
    const x = k.param("x", tensorType([4], "f32"), "inout");
    const n = k.param("n", scalarType("i32"));
    const written = k.op("x", "write", { dst: x, indices: [indexConst(0)], value: numberConst(1, "f32") });
    const f = lower(k.done([written, n, k.op("double", "add", { a: written, b: written })]));
    expect(f.params.map((p) => p.var.hint)).toEqual(["x", "n", "out0", "out1"]);
    expect(f.params.map((p) => (p.var.type.kind === "Tensor" ? p.var.type.shape.length : -1))).toEqual([1, -1, 0, 1]);
  });
});

test("TF5040: a tensor chosen at run time may not be written", () => {
  const k = makeKernel("f");
  const N = k.symbol("N");
  const [x, y] = [k.param("x", tensorType([N], "f32"), "inout"), k.param("y", tensorType([N], "f32"), "inout")];
  const [either] = k.choose(lessThan(toExpr(N), indexConst(5)), () => [x], () => [y]);
  k.op("either", "write", { dst: either as Expr, indices: [indexConst(0)], value: numberConst(1, "f32") });
  const { diagnostics } = lowerOps.run(k.done(), CONTEXT);
  expect(diagnostics.map((d) => d.code)).toEqual(["TF5040"]);
});

test("lowered code is given back as it is, and lowering twice gives the same", () => {
  const { value } = lowerOps.run(softmax(), CONTEXT);
  expect(lowerOps.run(value, CONTEXT).value).toBe(value);
  const [once, again] = [lower(matmul()), lower(matmul())].map((f) => bodyOf(f));
  expect(once !== undefined && again !== undefined && once.stmts.length === again.stmts.length).toBe(true);
  expect(equal(lowerOps.run(matmul(), CONTEXT).value, lowerOps.run(matmul(), CONTEXT).value, { printed: true })).toBeUndefined();
});

