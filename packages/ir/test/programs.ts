// Small programs that the tests share: made anew at each call, so that two of them are equal but not identical.

import {
  add, allocTensor, assign, call, constant, dimVar, evaluate, forLoop, graph, indexConst, iterArg, load, makeFunction, makeModule, mul, nest,
  numberConst, op, prim, reduceNest, scalarType, seq, store, tensorType, tileType, variable, whileLoop, yieldValues, INDEX,
  type FunctionNode, type FunctionSpec, type ModuleNode,
} from "@tilefoundry/ir";

export const F32 = scalarType("f32");
export const I32 = scalarType("i32");

export const HI = 2 ** 31;

/** The parts of a function `f(x: tensor (M,) f32, y: out tensor (M,) f32)`. */
export function vectors() {
  const M = variable("M", INDEX);
  const type = tensorType([dimVar(M)], "f32");
  const x = variable("x", type);
  const y = variable("y", type);
  const define = (body: FunctionSpec["body"], rest: Partial<FunctionSpec> = {}): FunctionNode =>
    makeFunction({
      name: "f",
      func: "prim",
      symbols: [{ var: M, lo: 0, hi: HI }],
      params: [{ var: x, direction: "in" }, { var: y, direction: "out" }],
      body,
      ...rest,
    });
  return { M, x, y, type, define };
}

export const moduleOf = (...functions: readonly FunctionNode[]): ModuleNode => makeModule("m", functions);

/** `for i in range(M): y[i] = x[i] * scale`, lowered. */
export function scaled(scale = 2): FunctionNode {
  const { M, x, y, define } = vectors();
  const i = variable("i", INDEX);
  return define(seq([forLoop({ loopVar: i, stop: M, body: seq([evaluate(store(y, [i], mul(load(x, [i]), numberConst(scale, "f32"))))]) })]));
}

/** A sum by a reduction nest over an intermediate buffer: allocations, carries, yields, results. */
export function summed(): FunctionNode {
  const { M, x, y, define } = vectors();
  const [i, k, tile] = [variable("i", INDEX), variable("k", INDEX), variable("t", tensorType([8], "f32", "vec"))];
  const acc = iterArg("acc", F32, numberConst(0, "f32"));
  const total = variable("total", F32);
  return define(
    seq([
      assign(tile, allocTensor(tensorType([8], "f32", "vec"))),
      nest([i], [indexConst(8)], seq([evaluate(store(tile, [i], load(x, [i])))])),
      reduceNest([k], [M], [acc], seq([yieldValues([add(acc, load(tile, [k]))])]), [total]),
      evaluate(store(y, [indexConst(0)], total)),
    ]),
  );
}

/** A natural `while` over a mutable local, as only `parsed` admits. */
export function counting(): FunctionNode {
  const { M, define } = vectors();
  const n = variable("n", INDEX);
  return define(seq([assign(n, indexConst(0)), whileLoop(prim("lt", [n, M]), seq([assign(n, add(n, indexConst(1)))]))]));
}

/** `square = x * x; return square + square` as a graph; `shared` decides whether the square is one value or two. */
export function graphed(shared: boolean): FunctionNode {
  const { x, type, define } = vectors();
  const square = () => call(op("mul"), [x, x], type);
  const first = square();
  return define(graph(call(op("add"), [first, shared ? first : square()], type)), { func: "graph", returns: [type] });
}

/** Loads a tile and stores it: catalog calls with attributes, as up to `outlined`. */
export function copied(): FunctionNode {
  const { x, y, type, define } = vectors();
  const [t, y1] = [variable("t", tileType([16], "f32")), variable("y_1", type)];
  return define(
    seq([
      assign(t, call(op("load", { sizes: { dims: [16] }, pad: null }), [x, indexConst(0)], tileType([16], "f32"))),
      assign(y1, call(op("store"), [t, indexConst(0), y], type)),
    ]),
  );
}

export const NAN = constant(NaN, F32);
