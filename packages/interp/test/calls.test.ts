// Catalog calls, graphs of values, and arguments.

import {
  add, assign, call, dimVar, evaluate, forLoop, graph, indexConst, iterArg, makeFunction, makeModule, mul, numberConst, op, prim, returnValues, scalarType, seq,
  tensorType, tileType, tuple, tupleGet, variable, yieldValues, type Call, type Expr, type FunctionNode, type TensorType, type Var,
} from "@tilefoundry/ir";
import { interpret } from "@tilefoundry/interp";
import { builtinOps, defineOp, extendOps } from "@tilefoundry/ops";
import { describe, expect, test } from "vitest";
import { array, f32, F32, functionOf, I32, index, row, run, shown, tensor, vector } from "./running.ts";

const at = (...position: readonly number[]): Expr => tuple(position.map(indexConst));

const loadTile = (x: Expr, offset: Expr, n: number): Call => call(op("load", { shapes: { dims: [n] }, target_memory: "vec" }), [x, tuple([offset])], tileType([n], "f32"));
const storeTile = (t: Expr, offset: Expr, out: Var): Call => call(op("store"), [t, tuple([offset]), out], out.type);

function vectorAdd(): FunctionNode {
  const N = index("N");
  const type = tensorType([dimVar(N)], "f32");
  const [x, y, z] = [variable("x", type), variable("y", type), variable("z", type)];
  const [a, b, sum, i] = [variable("a", tileType([4], "f32")), variable("b", tileType([4], "f32")), variable("sum", tileType([4], "f32")), index("i")];
  const body = seq([
    assign(a, loadTile(x, i, 4)),
    assign(b, loadTile(y, i, 4)),
    assign(sum, call(op("add"), [a, b], tileType([4], "f32"))),
    evaluate(storeTile(sum, i, z)),
  ]);
  return functionOf({ params: [x, y, z], symbols: [N], body: [forLoop({ loopVar: i, stop: N, step: indexConst(4), mode: "parallel", body })] });
}

describe("catalog calls", () => {
  test("tiles are loaded, computed with and stored, the last one up to where the tensors end", () => {
    for (const seed of [undefined, 3]) {
      const z = row("f32", new Array<number>(6).fill(0));
      run(vectorAdd(), [row("f32", [1, 2, 3, 4, 5, 6]), row("f32", [10, 20, 30, 40, 50, 60]), z], { strict: true, ...(seed === undefined ? {} : { seed }) });
      expect(shown(z)).toEqual([11, 22, 33, 44, 55, 66]);
    }
  });

  test("a tile is a snapshot: a later write to the tensor does not change it", () => {
    const { N, x } = vector();
    const t = variable("t", tileType([2], "f32"));
    const body = [
      assign(t, loadTile(x, indexConst(0), 2)),
      evaluate(call(op("write"), [x, at(0), f32(9)], x.type)),
      evaluate(storeTile(t, indexConst(1), x)),
    ];
    const out = row("f32", [1, 2, 3]);
    run(functionOf({ params: [x], symbols: [N], body }), [out]);
    expect(shown(out)).toEqual([9, 1, 2]);
  });

  test("a write gives a newer handle of the same buffer, carried through a loop", () => {
    const { N, x } = vector();
    const [carry, result, newer, i] = [iterArg("h", x.type, x), variable("r", x.type), variable("x_1", x.type), index("i")];
    const written = call(op("write"), [carry, tuple([i]), prim("cast", [i], { dtype: "f32" })], x.type);
    const loop = forLoop({ loopVar: i, stop: N, carries: [carry], results: [result], body: seq([assign(newer, written), yieldValues([newer])]) });
    const out = row("f32", [5, 5, 5]);
    const { returns } = run(functionOf({ params: [x], symbols: [N], returns: [x.type], body: [loop, returnValues([result])] }), [out]);
    expect(returns[0]).toBe(out);
    expect(shown(out)).toEqual([0, 1, 2]);
  });

  test("scalar results and symbolic shapes", () => {
    const { N, x } = vector();
    const [fresh, s] = [variable("fresh", x.type), variable("s", F32)];
    const made = call(op("tensor_full", { shape: { dims: [dimVar(N)] }, dtype: { dtype: "f32" }, value: 2 }), [], x.type);
    const body = [assign(fresh, made), assign(s, call(op("read"), [x, at(1)], F32)), returnValues([fresh, mul(s, f32(2))])];
    const { returns } = run(functionOf({ params: [x], symbols: [N], returns: [x.type, F32], body }), [row("f32", [1, 7, 3])]);
    expect(returns.map(shown)).toEqual([[2, 2, 2], 14]);
  });

  test("strict runs report negative windows and elements outside, by the array's name", () => {
    const { N, x } = vector();
    const t = variable("t", tileType([2], "f32"));
    const body = [assign(t, loadTile(x, indexConst(-1), 2)), evaluate(call(op("read"), [x, at(3)], F32)), evaluate(call(op("write"), [x, at(4), f32(1)], x.type))];
    const { faults } = run(functionOf({ params: [x], symbols: [N], body }), [row("f32", [1, 2])], { strict: true });
    expect(faults.map((d) => d.message)).toEqual([
      "a window of `x` starts at -1 along axis 0",
      "`x` is read at index 3 of axis 0, outside its extent 2",
      "`x` is written at index 4 of axis 0, outside its extent 2",
    ]);
  });

  test("an op of a user is evaluated by its form", () => {
    const tripled = defineOp({
      name: "tripled",
      doc: "Three times the operand.",
      pl: [],
      tf: ["tripled"],
      params: { x: { input: "array", doc: "the operand" } },
      infer: ({ x }) => x.type,
      lowering: { form: "element", element: ({ x }, position) => mul(x(position), numberConst(3, "f32")) },
      dtypes: ["f32"],
      examples: [
        { title: "one", args: { x: { dtype: "f32", shape: [1], data: [1] } }, result: { dtype: "f32", shape: [1], data: [3] } },
        { title: "none", args: { x: { dtype: "f32", shape: [0], data: [] } }, result: { dtype: "f32", shape: [0], data: [] } },
      ],
    });
    const { N, x } = vector();
    const y = variable("y", x.type);
    const f = functionOf({ params: [x], symbols: [N], returns: [x.type], body: [assign(y, call(op("tripled"), [x], x.type)), returnValues([y])] });
    const { returns } = interpret(makeModule("m", [f]), f, [row("f32", [1, 2])], { ops: extendOps(builtinOps, tripled) });
    expect(returns.map(shown)).toEqual([[3, 6]]);
  });
});

describe("graphs", () => {
  const type = tensorType([3], "f32");
  const graphOf = (x: Var, result: Expr, returns: readonly TensorType[]): FunctionNode =>
    makeFunction({ name: "f", func: "graph", params: [{ var: x, direction: "in" }], returns, body: graph(result) });

  test("a shared value is computed once, however deep the sharing", () => {
    const x = tensor("x", [3]);
    let value: Expr = call(op("mul"), [x, numberConst(0, "f32")], type);
    for (let depth = 0; depth < 60; depth++) value = call(op("add"), [value, value], type);
    const { returns } = run(graphOf(x, call(op("add"), [value, x], type), [type]), [row("f32", [1, 2, 3])]);
    expect(returns.map(shown)).toEqual([[1, 2, 3]]);
  });

  test("several results are a tuple; fields can be taken", () => {
    const x = tensor("x", [3]);
    const pair = tuple([call(op("neg"), [x], type), call(op("square"), [x], type)]);
    const f = graphOf(x, tuple([tupleGet(pair, 1), tupleGet(pair, 0)]), [type, type]);
    expect(run(f, [row("f32", [1, 2, 3])]).returns.map(shown)).toEqual([[1, 4, 9], [-1, -2, -3]]);
  });

  test("a returned parameter is the argument itself", () => {
    const x = tensor("x", [3]);
    const arg = row("f32", [1, 2, 3]);
    expect(run(graphOf(x, x, [type]), [arg]).returns[0]).toBe(arg);
  });
});

describe("arguments", () => {
  const f = vectorAdd();
  const scalar = (() => {
    const n = variable("n", I32);
    return functionOf({ params: [n], returns: [I32], body: [returnValues([add(n, n)])] });
  })();

  test.each([
    ["TF6003", f, [row("f32", [1]), row("f32", [1, 2]), row("f32", [1])], "axis 0 of `y` has extent 2, but N is 1 by axis 0 of `x`"],
    ["TF6001", f, [row("f32", [1]), array("f32", [1, 1], [1]), row("f32", [1])], "`y` takes an array of 1 axis, (N,), not one of shape (1, 1)"],
    ["TF6007", f, [row("f32", [1]), row("i32", [1]), row("f32", [1])], "`y` takes elements of f32, not i32"],
    ["TF6008", scalar, [row("i32", [1])], "`n` takes a scalar of i32, not an array"],
    ["TF6008", scalar, [0.5], "`n` takes a scalar of i32, not the value 0.5"],
    ["TF6008", scalar, [2 ** 31], "`n` takes a scalar of i32, not the value 2147483648"],
    ["TF6008", scalar, [true], "`n` takes a scalar of i32, not the value true"],
    ["TF6009", scalar, [], "`f` takes 1 argument, not 0"],
  ] as const)("%s %#: what contradicts is reported, not thrown", (code, fn, args, message) => {
    const { returns, faults } = run(fn, args);
    expect(returns).toEqual([]);
    expect(faults.map((d) => [d.code, d.message])).toEqual([[code, message]]);
  });

  test("scalars come in any form of their dtype", () => {
    expect(run(scalar, [21]).returns).toEqual([42]);
    expect(run(scalar, [21n]).returns).toEqual([42]);
    const w = variable("w", scalarType("i64"));
    const wide = functionOf({ params: [w], returns: [w.type], body: [returnValues([add(w, w)])] });
    expect([run(wide, [2n ** 61n]).returns, run(wide, [5n]).returns, run(wide, [-0]).returns]).toEqual([[2n ** 62n], [10], [0]]);
  });

  test("extents are values of the program", () => {
    const { N, x } = vector();
    expect(run(functionOf({ params: [x], symbols: [N], returns: [N.type], body: [returnValues([N])] }), [row("f32", [1, 2, 3])]).returns).toEqual([3]);
  });

  test("a run that needs more memory than there is ends in a diagnostic", () => {
    const t = variable("t", tensorType([2 ** 50], "f32"));
    const made = call(op("create_tensor", { shape: { dims: [2 ** 50] }, dtype: { dtype: "f32" } }), [], t.type);
    expect(run(functionOf({ body: [assign(t, made)] })).faults.map((d) => d.code)).toEqual(["TF6107"]);
  });
});
