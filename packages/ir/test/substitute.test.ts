// Fresh names, substitution by identity, and copies with new variables.

import {
  add, assign, cloneFunction, copyFresh, dimVar, equal, evaluate, forLoop, graph, graphOrder, indexConst, isVarLike, iterArg, load, makeNames, namesOf,
  numberConst, seq, substitute, tensorType, variable, variablesOf, verify, yieldValues, call, op, INDEX, type Expr, type FunctionNode, type VarLike,
} from "@tilefoundry/ir";
import { describe, expect, test } from "vitest";
import { copied, counting, F32, graphed, moduleOf, scaled, summed, vectors } from "./programs.ts";

const PROGRAMS = { scaled, summed, counting, copied, shared: () => graphed(true), unshared: () => graphed(false) };

describe("fresh names", () => {
  test("count up from the base, skipping what is taken", () => {
    const names = makeNames(["y", "y_2", "z_7"]);
    expect(["y", "y", "y_1", "x", "x", "z_7"].map((h) => names.fresh(h))).toEqual(["y_1", "y_3", "y_4", "x", "x_1", "z_1"]);
  });

  test("of a function avoid its symbols, parameters and locals", () => {
    const names = namesOf(summed());
    expect(["M", "x", "acc", "total", "i", "new"].map((h) => names.fresh(h))).toEqual(["M_1", "x_1", "acc_1", "total_1", "i_1", "new"]);
  });
});

describe("substitute", () => {
  test("gives back the same object where nothing is replaced", () => {
    const f = summed();
    expect(f.body.kind === "Seq" && substitute(f.body, new Map([[variable("q", INDEX), indexConst(1)]]))).toBe(f.body);
  });

  test("leaves a variable of symbolic type alone whose extents are not replaced", () => {
    const { x, y } = vectors();
    const block = seq([assign(y, x), evaluate(load(y, [indexConst(0)]))]);
    expect(substitute(block, new Map([[variable("q", INDEX), indexConst(1)]]))).toBe(block);
  });

  test("reaches the init of a carry, and the carry stays one variable", () => {
    const start = variable("start", F32);
    const acc = iterArg("acc", F32, start);
    const loop = forLoop({ loopVar: variable("i", INDEX), stop: indexConst(3), carries: [acc], body: seq([yieldValues([add(acc, acc)])]), results: [variable("r", F32)] });
    const done = substitute(loop, new Map<VarLike, Expr>([[start, numberConst(5, "f32")]]));
    expect(done).toMatchObject({ kind: "For", carries: [{ init: { kind: "Const", value: 5 } }] });
    const made = done.kind === "For" ? done.carries[0] : undefined;
    expect(made).not.toBe(acc);
    expect(done).toMatchObject({ body: { stmts: [{ values: [{ args: [made, made] }] }] } });
  });

  test("reaches dims in types and makes a new variable for a definition whose type changed", () => {
    const { M, x, type } = vectors();
    const y = variable("y", type);
    const block = seq([assign(y, x), evaluate(load(y, [indexConst(0)]))]);
    const done = substitute(block, new Map<VarLike, Expr>([[M, indexConst(12)]]));
    const [first, second] = done.stmts;
    expect(first).toMatchObject({ target: { hint: "y", type: { shape: [12] } } });
    expect(second?.kind === "Eval" && second.expr.kind === "Prim" && second.expr.args[0]).toBe(first?.kind === "Assign" && first.target);
  });
});

describe("copies", () => {
  test("copyFresh: equal to the original, no variable in common, hints unique", () => {
    const f = summed();
    if (f.body.kind !== "Seq") throw new Error("a block is expected");
    const copy = copyFresh(f.body, namesOf(f));
    const doubled: FunctionNode = { ...f, body: seq([...f.body.stmts, ...copy.stmts]) };
    expect(verify(moduleOf(doubled), "lowered")).toEqual([]);
    expect(equal(copy, f.body)).toBeUndefined();
  });

  test.each(Object.entries(PROGRAMS))("cloneFunction of %s: equal as printed, no variable in common", (_name, make) => {
    const f = make();
    const copy = cloneFunction(f);
    expect(equal(f, copy, { printed: true })).toBeUndefined();
    const mine = variablesOf(f);
    expect([...variablesOf(copy)].filter((v) => mine.has(v))).toEqual([]);
  });

  test("cloneFunction of a graph thousands of values deep does not overflow", () => {
    const { x, type, define } = vectors();
    let value: Expr = x;
    for (let i = 0; i < 20_000; i++) value = call(op("add"), [value, value], type);
    const f = define(graph(value), { func: "graph", returns: [type] });
    const copy = cloneFunction(f);
    expect(equal(f, copy)).toBeUndefined();
    expect(copy.body.kind === "Graph" && graphOrder(copy.body.result).filter((v) => !isVarLike(v)).length).toBe(20_000);
  });

  test("a dim in a parameter's type follows the cloned symbol", () => {
    const { define, M } = vectors();
    const copy = cloneFunction(define(seq([])));
    const symbol = copy.symbols[0]?.var ?? M;
    expect(copy.params[0]?.var.type).toEqual(tensorType([dimVar(symbol)], "f32"));
  });
});
