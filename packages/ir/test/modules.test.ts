// A tree of modules: what names and paths mean, what calls must be, and what the verifier says of them.

import {
  allFunctions, assign, callsOf, callTyping, dimVar, evaluate, functionCall, functionSelectors, graph, indexConst, INDEX, isMisfit, makeFunction,
  makeModule, mapFunctions, recursionOf, resolve, returnValues, scopeRegion, select, seq, tensorType, tileType, UNIT, variable, verify, weightsOf, yieldValues,
  type FunctionNode, type ModuleNode, type Stmt, type Type,
} from "@tilefoundry/ir";
import { describe, expect, test } from "vitest";

const M = () => variable("M", INDEX);

/** `def name(x: Tensor[(M, 4)]) -> Tensor[(M, 4)]: return x` */
function identity(name: string, extra: readonly Stmt[] = []): FunctionNode {
  const m = M();
  const x = variable("x", tensorType([dimVar(m), 4], "f32"));
  return makeFunction({
    name, func: "prim", params: [{ var: x, direction: "in" }], symbols: [{ var: m, lo: 0, hi: 2 ** 31 }], returns: [x.type], body: seq([...extra, returnValues([x])]),
  });
}

function calling(name: string, symbol: string, type?: Type, count = 1): FunctionNode {
  const x = variable("x", tensorType([8, 4], "f32"));
  const t = variable("t", type ?? x.type);
  const call = functionCall(symbol, Array.from({ length: count }, () => x), t.type);
  return makeFunction({ name, func: "prim", params: [{ var: x, direction: "in" }], body: seq([assign(t, call)]) });
}

const codes = (module: ModuleNode): readonly string[] => verify(module, "ssa").map((d) => d.code);

describe("names and paths", () => {
  const inner = makeModule("layer0", [identity("attend"), identity("mix")], "mix", undefined, { form: "module" });
  const value = variable("v", INDEX);
  const forward = makeFunction({ name: "forward", func: "graph", params: [{ var: value, direction: "in" }], returns: [INDEX], body: graph(value) });
  const root = makeModule("net", [forward], undefined, undefined, { form: "module", target: "wasm", topologies: [{ name: "cta", size: 8 }], children: [inner] });

  test("a symbol is a function, a path through children, or a child that has an entry", () => {
    expect(resolve(root, "forward")?.fn).toBe(forward);
    expect(resolve(root, "layer0.attend")).toEqual({ module: inner, fn: inner.functions[0] });
    expect(resolve(root, "layer0")?.fn).toBe(inner.functions[1]);
    for (const nothing of ["attend", "layer0.", "layer1", "layer0.attend.x"]) expect(resolve(root, nothing)).toBeUndefined();
  });

  test("a selected node carries what it inherits", () => {
    expect(select(root, "")).toBe(root);
    expect(select(root, "layer0")).toMatchObject({ name: "layer0", target: "wasm", topologies: [{ name: "cta", size: 8 }], entry: "mix" });
    expect(select(root, "layer0.attend")).toMatchObject({ name: "layer0", target: "wasm", entry: "attend" });
    expect(select(root, "layer0..attend")).toBeUndefined();
  });

  test("selectors name value functions by the paths that select takes", () => {
    expect(functionSelectors(makeModule("top", [], undefined, undefined, { children: [root] })).map((s) => s.path)).toEqual(["net.forward"]);
  });

  test("functions of the whole tree are listed and mapped; nothing changed is the same object", () => {
    expect(allFunctions(root).map(({ fn }) => fn.name)).toEqual(["forward", "attend", "mix"]);
    expect(mapFunctions(root, (fn) => fn)).toBe(root);
    expect(allFunctions(mapFunctions(root, (fn) => ({ ...fn, name: `${fn.name}_` }))).map(({ fn }) => fn.name)).toEqual(["forward_", "attend_", "mix_"]);
  });

  test("weights are the constants of the own functions, each name once", () => {
    const w = variable("w", tensorType([4], "f32"), undefined, true);
    const f = (name: string) => makeFunction({ name, func: "prim", params: [{ var: w, direction: "in" }], body: seq([]) });
    expect([...weightsOf(makeModule("m", [f("a"), f("b")]))]).toEqual([["w", w.type]]);
  });
});

describe("calls", () => {
  test("take the callee's extents from the arguments", () => {
    const typing = callTyping(identity("f"), [variable("x", tensorType([8, 4], "f32"))]);
    expect(isMisfit(typing) ? undefined : typing.type).toEqual(tensorType([8, 4], "f32"));
  });

  test("are found in order, and their cycles", () => {
    const [a, b] = [calling("a", "b"), calling("b", "a")];
    const module = makeModule("m", [a, b]);
    expect(callsOf(a).map((c) => c.callee.symbol)).toEqual(["b"]);
    expect(recursionOf({ module, fn: a })).toEqual(["a", "b", "a"]);
    expect(codes(module)).toEqual(expect.arrayContaining(["TF5044"]));
  });

  test("of a function that fits verify; others are named", () => {
    const with_ = (caller: FunctionNode): ModuleNode => makeModule("m", [identity("f"), caller]);
    expect(codes(with_(calling("g", "f")))).toEqual([]);
    expect(codes(with_(calling("g", "h")))).toEqual(["TF5043"]);
    expect(codes(with_(calling("g", "f", undefined, 2)))).toEqual(["TF5045"]);
    expect(codes(with_(calling("g", "f", tensorType([9, 4], "f32"))))).toEqual(["TF5046"]);
  });

  test("that leave an extent open, or pass another type, say which", () => {
    const m = M();
    const open = makeFunction({ name: "f", func: "prim", params: [], symbols: [{ var: m, lo: 0, hi: 8 }], body: seq([]) });
    expect(callTyping(open, [])).toEqual({ kind: "extent", symbol: "M" });
    expect(callTyping(identity("f"), [indexConst(1)])).toMatchObject({ kind: "argument", index: 0 });
    expect(callTyping(open, [indexConst(1)])).toEqual({ kind: "count", expected: 0, actual: 1 });
  });
});

test("a scope with results ends in a yield of them", () => {
  const at = { type: "at", level: "CORE_GROUP", role: undefined, name: undefined } as const;
  const f = (stmt: Stmt): ModuleNode => makeModule("m", [makeFunction({ name: "f", func: "prim", params: [], body: seq([stmt]) })]);
  expect(codes(f(scopeRegion(at, seq([yieldValues([indexConst(1)])]), [variable("r", INDEX)])))).toEqual([]);
  expect(codes(f(scopeRegion(at, seq([]), [variable("r", INDEX)])))).toEqual(["TF5010"]);
});

test("names of a module are unique among functions, children and methods, and only the root declares a target", () => {
  const child = makeModule("f", [], undefined, undefined, { target: "wasm" });
  expect(codes(makeModule("m", [identity("f")], undefined, undefined, { children: [child] }))).toEqual(["TF5032", "TF5042"]);
  expect(codes(makeModule("m", [identity("f")], undefined, undefined, { methods: [{ name: "f", text: "def f(self): ..." }] }))).toEqual(["TF5032"]);
  expect(codes(makeModule("m", [identity("f", [evaluate(functionCall("f", [variable("y", tileType([1], "f32"))], UNIT))])]))).toContain("TF5044");
});
