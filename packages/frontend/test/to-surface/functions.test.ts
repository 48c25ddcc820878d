import {
  add, assign, boolConst, breakLoop, call, constant, dimVar, evaluate, forLoop, graph, ifThen, INDEX, indexConst, iterArg, lessThan, load, makeFunction,
  makeModule, mul, nest, op, prim, reduceNest, returnValues, scalarType, seq, store, tensorType, tileType, tuple, variable, whileLoop, yieldValues,
  type Expr, type FunctionNode, type ModuleNode, type Param, type Stmt,
} from "@tilefoundry/ir";
import { builtinOps } from "@tilefoundry/ops";
import { print } from "@tilefoundry/syntax";
import { describe, expect, test } from "vitest";
import { toSurface } from "../../src/to-surface/to-surface.ts";

const text = (module: ModuleNode): string => print(toSurface(module, builtinOps));
const single = (f: FunctionNode): string => text(makeModule(f.name, [f], f.name));

const f32 = scalarType("f32");
const N = variable("N", INDEX);
const symbols = [{ var: N, lo: 0, hi: 2 ** 31 }];
const vector = tensorType([dimVar(N)], "f32");
const x = variable("x", vector);
const y = variable("y", vector);
const params: readonly Param[] = [{ var: x, direction: "in" }, { var: y, direction: "out" }];
const f = (func: FunctionNode["func"], body: readonly Stmt[], more: Partial<Pick<FunctionNode, "target" | "contract" | "returns">> = {}): FunctionNode =>
  makeFunction({ name: "f", func, params, symbols, body: seq(body, { comments: ["the end"] }), ...more }, { comments: ["What it does."] });

describe("functions", () => {
  test("a statement function in PyPTO's tradition", () => {
    const i = variable("i", INDEX);
    const tile = tileType([256], "f32");
    const a = variable("a", tile);
    const loaded = call(op("load", { shapes: { dims: [256] }, target_memory: "vec" }), [x, tuple([i])], tile);
    const sum = call(op("add", {}), [a, constant(0.1, f32)], tile);
    const stored = call(op("store", {}), [sum, tuple([i]), y], vector);
    const body = seq([assign(a, loaded, { comments: ["read", "a tile"] }), evaluate(stored)]);
    const loop = forLoop({ loopVar: i, stop: N, step: indexConst(256), mode: "parallel", body });
    expect(single(f("incore", [loop]))).toMatchInlineSnapshot(`
      "# What it does.
      @pl.function(type=pl.FunctionType.InCore)
      def f(x: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
          for i in pl.parallel(0, N, 256):
              # read
              # a tile
              a = pl.load(x, [i], [256])
              pl.store(pl.add(a, 0.1), [i], y)
          # the end
      "
    `);
    expect(single(f("prim", [loop], { target: "wasm", contract: true }))).toMatchInlineSnapshot(`
      "# What it does.
      @prim_func(target="wasm", contract=True)
      def f(x: Tensor[(N,), "f32"], y: Out[Tensor[(N,), "f32"]]):
          for i in T.parallel(0, N, 256):
              # read
              # a tile
              a = pl.load(x, (i,), (256,))
              pl.store(tf.add(a, 0.1), (i,), y)
          # the end
      "
    `);
  });

  test("graph form names labelled and shared values", () => {
    const square = call(op("mul", {}), [x, x], vector, { label: "square", comments: ["x * x"] });
    const shared = call(op("exp", {}), [square], vector);
    const result = call(op("add", {}), [shared, call(op("sub", {}), [shared, x], vector)], vector);
    const g = makeFunction({ name: "g", func: "graph", params: [{ var: x, direction: "in" }], symbols, returns: [vector], body: graph(result) });
    expect(single(g)).toMatchInlineSnapshot(`
      "@func
      def g(x: Tensor[(N,), "f32"]) -> Tensor[(N,), "f32"]:
          # x * x
          square = tf.mul(x, x)
          value = tf.exp(square)
          return tf.add(value, tf.sub(value, x))
      "
    `);
    const pair = makeFunction({ ...g, returns: [vector, vector], body: graph(tuple([result, square])) });
    expect(single(pair)).toMatchInlineSnapshot(`
      "@func
      def g(x: Tensor[(N,), "f32"]) -> tuple[Tensor[(N,), "f32"], Tensor[(N,), "f32"]]:
          # x * x
          square = tf.mul(x, x)
          value = tf.exp(square)
          return tf.add(value, tf.sub(value, x)), square
      "
    `);
  });

  test("symbols with bounds of their own are declared above the function that needs them", () => {
    const bounded = (name: string, lo: number, hi: number) => makeFunction({ name, func: "prim", params: [], symbols: [{ var: N, lo, hi }], body: seq([]) });
    const module = makeModule("m", [bounded("a", 0, 2 ** 31), bounded("b", 1, 9), bounded("c", 1, 9), bounded("d", 0, 2 ** 31)], "b", { comments: ["the end"] });
    expect(text(module)).toMatchInlineSnapshot(`
      "@prim_func
      def a():
          pass


      N = DimVar("N", 1, 9)


      @prim_func(entry=True)
      def b():
          pass


      @prim_func
      def c():
          pass


      N = DimVar("N", 0, 2147483648)


      @prim_func
      def d():
          pass


      # the end
      "
    `);
  });
});

describe("statements", () => {
  const i = variable("i", INDEX);
  const k = variable("k", INDEX);
  const n = variable("n", scalarType("i32"));
  const zero = constant(0, f32);
  const carry = iterArg("acc", f32, zero);
  const total = variable("total", f32);
  const addX = (index: Expr): Expr => add(carry, load(x, [index]));
  const cases: Readonly<Record<string, readonly Stmt[]>> = {
    "a loop with a carry": [
      forLoop({ loopVar: i, start: indexConst(-1), stop: N, carries: [carry], body: seq([yieldValues([addX(i)])]), results: [total], mode: "pipeline", stages: 2 }),
    ],
    "loops by their words and levels": (["sequential", "unroll", "vector"] as const).map((mode) =>
      forLoop({ loopVar: i, stop: indexConst(8), mode, level: mode === "vector" ? "lane" : undefined, body: seq([], { comments: ["nothing"] }) }),
    ),
    "a while with a carry": [
      whileLoop(lessThan(carry, constant(8, f32)), seq([yieldValues([mul(carry, constant(2, f32))], { comments: ["double"] })]), [carry], [total]),
    ],
    "a natural while": [whileLoop(boolConst(true), seq([ifThen(lessThan(n, n), seq([breakLoop()]))]))],
    "an if with results": [ifThen(lessThan(i, N), seq([yieldValues([zero])]), seq([yieldValues([constant(-0, f32)])]), [total])],
    "an elif chain": [ifThen(lessThan(i, N), seq([]), seq([ifThen(lessThan(N, i), seq([]), seq([evaluate(store(y, [i], zero))]))]))],
    "an else with a commented if": [ifThen(lessThan(i, N), seq([]), seq([ifThen(lessThan(N, i), seq([]), undefined, [], { comments: ["why"] })]))],
    "nests": [
      nest([i, k], [N, indexConst(4)], seq([evaluate(store(y, [add(i, k)], zero))])),
      nest([i], [N], seq([])),
      nest([], [], seq([])),
      reduceNest([k], [N], [carry], seq([yieldValues([addX(k)])]), [total]),
      reduceNest([i, k], [N, N], [carry], seq([yieldValues([addX(k)])]), [total]),
    ],
    "an assignment with a type of its own": [assign(variable("j", scalarType("i64")), i), assign(variable("t", tileType([4], "f32", "acc")), variable("s", tileType([4], "f32")))],
    "returns": [returnValues([]), returnValues([i]), returnValues([i, k])],
    "an allocation by symbolic dims": [assign(variable("b", tileType([dimVar(N), 4], "f32", "arena")), prim("alloc_tensor", [], { type: tileType([dimVar(N), 4], "f32", "arena"), offset: 0 }))],
  };
  test.each(Object.entries(cases))("%s", (_title, stmts) => {
    const printed = [single(f("incore", stmts)), single(f("prim", stmts))].map((t) => t.split("\n").slice(3, -2).join("\n"));
    expect(printed[0] === printed[1] ? printed[0] : printed.join("\n— tf —\n")).toMatchSnapshot();
  });
});
