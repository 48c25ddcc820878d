// Structural equality and hash: what counts, what does not, and where the first difference is.

import {
  add, assign, boolConst, call, constant, dimVar, addDims, equal, evaluate, forLoop, graph, hash, ifThen, indexConst, load, makeModule, mapChildren,
  mul, numberConst, op, prim, scalarType, seq, store, tensorType, variable, yieldValues, iterArg, INDEX, type Comparable, type Expr, type FunctionNode, type Node,
} from "@tilefoundry/ir";
import { describe, expect, test } from "vitest";
import { copied, counting, F32, graphed, moduleOf, scaled, summed, vectors } from "./programs.ts";

const PROGRAMS = { scaled, summed, counting, copied, shared: () => graphed(true), unshared: () => graphed(false) };

describe("equal", () => {
  test.each(Object.entries(PROGRAMS))("%s made twice is equal, printed too, with one hash", (_name, make) => {
    expect(equal(make(), make(), { printed: true })).toBeUndefined();
    expect(equal(moduleOf(make()), moduleOf(make()))).toBeUndefined();
    expect(hash(make())).toBe(hash(make()));
  });

  test("different programs differ, and so do their hashes", () => {
    const all = Object.values(PROGRAMS).map((make) => make());
    for (const a of all) for (const b of all) if (a !== b) expect(equal(a, b)).toBeDefined();
    expect(new Set(all.map((f) => hash(f))).size).toBe(all.length);
  });

  test("the path leads to the first difference", () => {
    expect(equal(scaled(2), scaled(3))).toEqual({ path: "f.body.stmts[0].body.stmts[0].expr.args[2].args[1].value", message: "2 here, 3 there" });
  });

  test("in a module the path starts at the function", () => {
    expect(equal(makeModule("a", [scaled(2)]), makeModule("a", [scaled(3)]))?.path).toMatch(/^f\.body/);
    expect(equal(makeModule("a", []), makeModule("b", []))).toEqual({ path: "a.name", message: "a here, b there" });
  });

  test("variables map both ways", () => {
    const [a, b, p, q] = [variable("a", F32), variable("b", F32), variable("p", F32), variable("q", F32)];
    const one = numberConst(1, "f32");
    const block = (x: typeof a, y: typeof a, value: Expr) => seq([assign(x, one), assign(y, one), evaluate(value)]);
    expect(equal(block(a, b, add(a, b)), block(p, q, add(p, q)))).toBeUndefined();
    expect(equal(block(a, b, add(a, b)), block(p, q, add(p, p)))).toEqual({ path: "node.stmts[2].expr.args[1]", message: "the variable b here, another one (p) there" });
    expect(equal(block(a, b, add(a, a)), block(p, q, add(p, q)))?.path).toBe("node.stmts[2].expr.args[1]");
    expect(equal(block(a, a, add(a, a)), block(p, q, add(p, p)))?.message).toBe("a and q are bound to different variables");
  });

  test("free variables are equal by identity only", () => {
    const a = variable("a", F32);
    expect(equal(add(a, a), add(a, a))).toBeUndefined();
    expect(equal(add(a, a), add(a, variable("a", F32)))?.path).toBe("node.args[1]");
  });

  test("floats compare bit by bit", () => {
    expect(equal(constant(NaN, F32), constant(NaN, F32))).toBeUndefined();
    expect(equal(constant(0, F32), constant(-0, F32))?.message).toBe("0 here, -0 there");
    expect(hash(constant(0, F32))).not.toBe(hash(constant(-0, F32)));
  });

  test("an index and an i64 literal differ", () => {
    expect(equal(indexConst(1), constant(1n, scalarType("i64")))?.path).toBe("node.type");
  });

  test("attributes are compared in any order; absent is not null", () => {
    const t = scalarType("f32");
    const withAttrs = (attrs: Parameters<typeof op>[1]) => call(op("o", attrs), [], t);
    expect(equal(withAttrs({ a: 1, b: [1, 2] }), withAttrs({ b: [1, 2], a: 1 }))).toBeUndefined();
    expect(hash(withAttrs({ a: 1, b: [1, 2] }))).toBe(hash(withAttrs({ b: [1, 2], a: 1 })));
    expect(equal(withAttrs({ a: null }), withAttrs({}))).toBeDefined();
    expect(equal(withAttrs({ a: [1, 2] }), withAttrs({ a: { dims: [1, 2] } }))).toBeDefined();
  });

  test("dims compare in normal form under the mapping, whichever variable was met first", () => {
    const make = (touchFirst: 0 | 1): FunctionNode => {
      const [p, q] = [variable("P", INDEX), variable("Q", INDEX)];
      dimVar(touchFirst === 0 ? p : q);
      addDims(dimVar(touchFirst === 0 ? p : q), dimVar(touchFirst === 0 ? q : p)); // fixes the order of terms in this process
      const x = variable("x", tensorType([addDims(dimVar(p), dimVar(q)), dimVar(p)], "f32"));
      return vectors().define(seq([]), { symbols: [{ var: p, lo: 0, hi: 9 }, { var: q, lo: 0, hi: 9 }], params: [{ var: x, direction: "in" }] });
    };
    expect(equal(make(0), make(1))).toBeUndefined();
    expect(hash(make(0))).toBe(hash(make(1)));
  });

  test("sharing in a graph counts on both sides", () => {
    expect(equal(graphed(true), graphed(false))).toEqual({ path: "f.body.result.args[1]", message: "a shared value here, one of its own there" });
    expect(equal(graphed(false), graphed(true))?.message).toBe("a value of its own here, a shared one there");
  });

  test("in statements sharing of expressions does not count", () => {
    const a = variable("a", F32);
    const square = mul(a, a);
    expect(equal(add(square, square), add(mul(a, a), mul(a, a)))).toBeUndefined();
    expect(hash(seq([evaluate(add(square, square))]))).toBe(hash(seq([evaluate(add(mul(a, a), mul(a, a)))])));
  });

  test("a graph with exponentially many paths takes linear time", () => {
    const make = (): FunctionNode => {
      const { x, type, define } = vectors();
      let value: Expr = x;
      for (let i = 0; i < 20_000; i++) value = call(op("add"), [value, value], type);
      return define(graph(value), { func: "graph", returns: [type] });
    };
    expect(equal(make(), make())).toBeUndefined();
    expect(hash(make())).toBe(hash(make()));
  });

  test.each([
    ["loop mode", (f: FunctionNode) => ({ ...f, body: seq([forLoop({ loopVar: variable("i", INDEX), stop: indexConst(1), mode: "parallel", body: seq([]) })]) }), "f.body.stmts[0].mode"],
    ["loop carries", (f: FunctionNode) => ({ ...f, body: seq([forLoop({ loopVar: variable("i", INDEX), stop: indexConst(1), carries: [iterArg("c", F32, numberConst(0, "f32"))], body: seq([yieldValues([numberConst(0, "f32")])]) })]) }), "f.body.stmts[0].carries"],
    ["target", (f: FunctionNode) => ({ ...f, target: "wasm" }), "f.target"],
    ["contract", (f: FunctionNode) => ({ ...f, contract: true }), "f.contract"],
    ["symbol bounds", (f: FunctionNode) => ({ ...f, symbols: f.symbols.map((s) => ({ ...s, hi: 5 })) }), "f.symbols[0]"],
    ["direction", (f: FunctionNode) => ({ ...f, params: f.params.map((p) => ({ ...p, direction: "inout" as const })) }), "f.params[0].direction"],
    ["returns", (f: FunctionNode) => ({ ...f, returns: [F32] }), "f.returns"],
  ] as const)("%s counts", (_what, change, path) => {
    const base = (): FunctionNode => vectors().define(seq([forLoop({ loopVar: variable("i", INDEX), stop: indexConst(1), body: seq([]) })]));
    expect(equal(base(), change(base()))?.path).toBe(path);
    expect(hash(base())).not.toBe(hash(change(base())));
  });

  test("an absent else differs from an empty one", () => {
    expect(equal(ifThen(boolConst(true), seq([])), ifThen(boolConst(true), seq([]), seq([])))).toEqual({ path: "node.else", message: "absent here" });
  });

  test("kinds that differ are named", () => {
    expect(equal(indexConst(1) as Comparable, load(vectors().x, [indexConst(1)]))?.message).toBe("Const here, Prim there");
  });
});

describe("printed equality", () => {
  const at = (hint: string, comments: readonly string[]): Node => seq([assign(variable(hint, F32), numberConst(1, "f32"), { comments })]);

  test("compares hints and comments, which plain equality and hash leave out", () => {
    expect(equal(at("a", []), at("b", ["why"]))).toBeUndefined();
    expect(hash(at("a", []))).toBe(hash(at("b", ["why"])));
    expect(equal(at("a", []), at("b", []), { printed: true })).toEqual({ path: "node.stmts[0].target.hint", message: "a here, b there" });
    expect(equal(at("a", []), at("a", ["why"]), { printed: true })?.path).toBe("node.stmts[0].comments");
  });

  test("compares labels of graph values", () => {
    const labelled = (label?: string) => prim("neg", [numberConst(1, "f32")], {}, label === undefined ? {} : { label });
    expect(equal(labelled("a"), labelled(), { printed: true })).toEqual({ path: "node.label", message: "a here, no label there" });
    expect(equal(labelled("a"), labelled())).toBeUndefined();
  });
});

describe("derived from the field table", () => {
  test("changing any child of any node of the programs is seen", () => {
    const stranger = evaluate(store(vectors().y, [indexConst(77)], numberConst(77, "f32")));
    for (const make of [scaled, summed, counting, copied]) {
      const { body } = make();
      if (body.kind !== "Seq") continue;
      for (const [i] of body.stmts.entries()) {
        const changed = mapChildren(body, (child) => (child === body.stmts[i] ? stranger : child));
        expect(equal(body, changed)?.path).toMatch(new RegExp(`^node\\.stmts\\[${i}\\]`));
        expect(hash(body)).not.toBe(hash(changed));
      }
    }
  });
});
