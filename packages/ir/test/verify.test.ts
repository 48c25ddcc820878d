// The verifier: programs of each stage pass, and each rule is broken once, by a change to a program that passes.

import { CODES, hasErrors } from "@tilefoundry/text";
import {
  add, allocTensor, assign, boolConst, breakLoop, call, constant, continueLoop, dimVar, evaluate, forLoop, ifThen, indexConst, iterArg, lessThan,
  load, makeModule, nest, numberConst, op, prim, reduceNest, returnValues, scalarType, seq, STAGES, stageOf, store, tensorType, tileType, tuple, tupleGet, tupleType, variable,
  verify, whileLoop, yieldValues, INDEX, UNKNOWN, type ModuleNode, type Prim, type Stage, type Stmt,
} from "@tilefoundry/ir";
import { describe, expect, test } from "vitest";
import { copied, counting, F32, graphed, moduleOf, scaled, summed, vectors } from "./programs.ts";

const zero = indexConst(0);
const one = numberConst(1, "f32");
const scratchType = tensorType([8], "f32", "vec");

/** A module of one function with the statements. */
const body = (make: (v: ReturnType<typeof vectors>) => readonly Stmt[], rest: Parameters<ReturnType<typeof vectors>["define"]>[1] = {}): ModuleNode => {
  const v = vectors();
  return moduleOf(v.define(seq(make(v)), rest));
};

const counted = (parts: Partial<Parameters<typeof forLoop>[0]>): Stmt => forLoop({ loopVar: variable("i", INDEX), stop: indexConst(4), body: seq([]), ...parts });

const carry = () => iterArg("acc", F32, one);

describe("stages", () => {
  test.each([
    ["a graph of values", moduleOf(graphed(true)), "parsed"],
    ["a mutable local", moduleOf(counting()), "parsed"],
    ["catalog calls, each array value assigned", moduleOf(copied()), "outlined"],
    ["nests", moduleOf(summed()), "lowered"],
    ["an allocation without an offset", body(() => [assign(variable("t", scratchType), allocTensor(scratchType))]), "mapped"],
    ["a math function", body(({ x, y }) => [evaluate(store(y, [zero], prim("exp", [load(x, [zero])])))]), "mapped"],
    ["plain loops over parameters", moduleOf(scaled()), "placed"],
    ["no function", makeModule("empty", []), "placed"],
  ] as const)("%s: the last stage that verifies", (_what, module, stage) => {
    expect(stageOf(module)).toBe(stage);
    expect(verify(module, stage)).toEqual([]);
  });
});

interface Case {
  readonly stage: Stage;
  readonly module: ModuleNode;
  readonly message: string;
}

/** By code: a module that breaks the rule, and the message it gets. */
const CASES: Readonly<Record<string, readonly Case[]>> = {
  TF5001: [
    { stage: "ssa", module: body(() => [counted({ body: seq([breakLoop()]) })]), message: "a `break` may not stand at stage `ssa`" },
    { stage: "lowered", module: moduleOf(copied()), message: "a call of `load` may not stand at stage `lowered`" },
    { stage: "mapped", module: body(({ M }) => [nest([variable("i", INDEX)], [M], seq([]))]), message: "a nest may not stand at stage `mapped`" },
    { stage: "ssa", module: moduleOf(graphed(true)), message: "`f`, a function of values, may not stand at stage `ssa`" },
    { stage: "lowered", module: body(() => [evaluate(tuple([one]))]), message: "a tuple may not stand at stage `lowered`" },
  ],
  TF5002: [
    { stage: "parsed", module: body(({ y }) => [evaluate(store(y, [zero], variable("late", F32)))]), message: "`late` is used before it is defined" },
    {
      stage: "ssa",
      module: body(({ y }) => {
        const v = variable("v", F32);
        return [evaluate(store(y, [zero], v)), assign(v, one)];
      }),
      message: "`v` is used before it is defined",
    },
  ],
  TF5003: [
    {
      stage: "parsed",
      module: body(({ x }) => {
        const i = variable("i", INDEX);
        return [counted({ loopVar: i }), evaluate(load(x, [i]))];
      }),
      message: "`i` is used outside the sequential loop over `i`, which binds it",
    },
    {
      stage: "ssa",
      module: body(({ y }) => {
        const acc = carry();
        return [counted({ carries: [acc], body: seq([yieldValues([acc])]), results: [variable("r", F32)] }), evaluate(store(y, [zero], acc))];
      }),
      message: "`acc` is used outside the sequential loop over `i`, which binds it",
    },
    {
      stage: "ssa",
      module: body(({ y }) => {
        const v = variable("v", F32);
        return [ifThen(boolConst(true), seq([assign(v, one)])), evaluate(store(y, [zero], v))];
      }),
      message: "`v` is used outside the block, which binds it",
    },
  ],
  TF5004: [
    {
      stage: "ssa",
      module: body(() => {
        const v = variable("v", F32);
        return [assign(v, one), assign(v, one)];
      }),
      message: "`v` is defined twice",
    },
  ],
  TF5005: [{ stage: "ssa", module: body(() => [assign(variable("x", F32), one)]), message: "two variables of `f` are called `x`" }],
  TF5006: [{ stage: "parsed", module: body(() => [counted({ carries: [carry()], body: seq([yieldValues([one])]) })]), message: "the sequential loop over `i` has 1 carry, but 0 results" }],
  TF5007: [
    {
      stage: "parsed",
      module: body(() => [ifThen(boolConst(true), seq([yieldValues([one, one])]), seq([yieldValues([one])]), [variable("r", F32)])]),
      message: "a block of an `if` yields 2 values, but 1 is needed",
    },
  ],
  TF5008: [
    {
      stage: "parsed",
      module: body(() => [ifThen(boolConst(true), seq([yieldValues([zero])]), seq([yieldValues([one])]), [variable("r", F32)])]),
      message: "the value yielded for `r` is index, not f32",
    },
  ],
  TF5009: [
    { stage: "parsed", module: body(() => [yieldValues([one])]), message: "a yield stands where nothing takes its values" },
    {
      stage: "parsed",
      module: body(() => [counted({ carries: [carry()], body: seq([yieldValues([one]), yieldValues([one])]), results: [variable("r", F32)] })]),
      message: "a yield stands before the end of its block",
    },
  ],
  TF5010: [
    { stage: "parsed", module: body(() => [counted({ carries: [carry()], results: [variable("r", F32)] })]), message: "a block of the sequential loop over `i` does not end in a yield" },
  ],
  TF5011: [{ stage: "parsed", module: body(() => [ifThen(boolConst(true), seq([yieldValues([one])]), undefined, [variable("r", F32)])]), message: "an `if` with results has no `else`" }],
  TF5012: [
    { stage: "parsed", module: body(() => [breakLoop()]), message: "`break` stands outside a loop" },
    { stage: "parsed", module: body(() => [counted({ mode: "parallel", body: seq([ifThen(boolConst(true), seq([continueLoop()]))]) })]), message: "`continue` stands in the parallel loop over `i`" },
  ],
  TF5013: [
    { stage: "parsed", module: body(() => [counted({ body: seq([returnValues([])]) })]), message: "a `return` stands in the sequential loop over `i`" },
    { stage: "ssa", module: body(() => [ifThen(boolConst(true), seq([returnValues([])]))]), message: "a `return` stands before the end of the function" },
  ],
  TF5014: [
    { stage: "parsed", module: body(() => [returnValues([one])], { returns: [scalarType("i32")] }), message: "`f` returns f32, but declares i32" },
    { stage: "ssa", module: body(() => [], { returns: [F32] }), message: "`f` returns nothing, but declares f32" },
  ],
  TF5015: [{ stage: "parsed", module: body(() => [evaluate({ ...add(one, one), args: [one, zero] })]), message: "`T.add` mixes f32 and index" }],
  TF5016: [{ stage: "parsed", module: body(() => [evaluate({ ...add(one, one), type: INDEX })]), message: "`T.add` gives f32, but is typed index" }],
  TF5017: [
    { stage: "parsed", module: body(() => [evaluate({ ...zero, value: 1 })]), message: "the literal 1 is no index" },
    { stage: "parsed", module: body(() => [evaluate(constant(256n, scalarType("u8")))]), message: "the literal 256 is no u8" },
  ],
  TF5018: [{ stage: "parsed", module: body(() => [assign(variable("v", F32), zero)]), message: "`v` is f32, but is assigned index" }],
  TF5019: [
    { stage: "parsed", module: body(() => [ifThen(zero, seq([]))]), message: "the condition of an `if` is index, not a bool scalar" },
    { stage: "parsed", module: body(() => [whileLoop(one, seq([]))]), message: "the condition of a `while` is f32, not a bool scalar" },
  ],
  TF5020: [
    { stage: "parsed", module: body(() => [counted({ stop: one })]), message: "the stop of the sequential loop over `i` is f32, not an index scalar" },
    { stage: "parsed", module: body(() => [nest([variable("i", INDEX)], [one], seq([]))]), message: "the extent 0 of a nest of 1 axis is f32, not an index scalar" },
  ],
  TF5059: [
    { stage: "parsed", module: body(() => [evaluate({ ...tuple([one]), type: tupleType([INDEX]) })]), message: "a tuple is typed (index), but is (f32)" },
    { stage: "parsed", module: body(() => [evaluate({ ...tupleGet(tuple([one]), 0), index: 1 })]), message: "an element of a tuple is typed f32, but is no element 1 of (f32)" },
  ],
  TF5021: [{ stage: "parsed", module: body(() => [assign(variable("v", UNKNOWN), call(op("odd"), [], UNKNOWN))]), message: "the type of a call of `odd` is not known" }],
  TF5022: [
    {
      stage: "parsed",
      module: body(() => [assign(variable("t", tileType([dimVar(variable("Q", INDEX))], "f32")), call(op("full"), [], tileType([dimVar(variable("Q", INDEX))], "f32")))]),
      message: "the extent `Q` of a type is not declared in `f`",
    },
  ],
  TF5023: [{ stage: "parsed", module: body(({ M }) => [nest([variable("i", INDEX)], [M, M], seq([]))]), message: "a nest has 1 axis, but 2 extents" }],
  TF5024: [{ stage: "parsed", module: body(({ M }) => [reduceNest([variable("i", INDEX)], [M], [], seq([]), [])]), message: "a reduction nest carries nothing" }],
  TF5025: [
    {
      stage: "parsed",
      module: body(() => [counted({ carries: [iterArg("acc", F32, zero)], body: seq([yieldValues([one])]), results: [variable("r", F32)] })]),
      message: "the carry `acc` is f32, but starts as index",
    },
  ],
  TF5026: [
    { stage: "lowered", module: body(({ y, type }) => [assign(variable("z", type), y)]), message: "`z` is an array, and is assigned a value" },
    {
      stage: "lowered",
      module: body(({ y, type }) => {
        const acc = iterArg("z", type, y);
        return [counted({ carries: [acc], body: seq([yieldValues([acc])]), results: [variable("r", type)] })];
      }),
      message: "`z` is an array, and the sequential loop over `i` carries it",
    },
    {
      stage: "lowered",
      module: moduleOf(((v) => v.define(seq([returnValues([v.y])]), { returns: [v.type] }))(vectors())),
      message: "`y` is an array, and is returned",
    },
  ],
  TF5027: [
    {
      stage: "lowered",
      module: body(({ y, type }) => {
        const z = variable("z", type);
        return [assign(z, y), evaluate(store(z, [zero], one))];
      }),
      message: "`z` is no buffer",
    },
  ],
  TF5028: [{ stage: "lowered", module: body(() => [evaluate(allocTensor(scratchType))]), message: "`T.alloc_tensor` stands within an expression" }],
  TF5029: [{ stage: "lowered", module: body(({ y }) => [assign(variable("u", { kind: "Unit" }), store(y, [zero], one))]), message: "`T.store` stands within an expression" }],
  TF5030: [{ stage: "placed", module: body(() => [assign(variable("t", scratchType), allocTensor(scratchType))]), message: "the buffer `t` has no offset" }],
  TF5031: [
    {
      stage: "ssa",
      module: body(({ x, y, type }) => [assign(variable("z", type), call(op("add"), [x, call(op("neg"), [y], type)], type))]),
      message: "an array operand of `add` is no variable",
    },
  ],
  TF5036: [{ stage: "ssa", module: body(({ x, type }) => [evaluate(call(op("write"), [x, zero, one], type))]), message: "the array that `write` gives is not assigned" }],
  TF5032: [{ stage: "parsed", module: moduleOf(scaled(), scaled()), message: "the module has two functions called `f`" }],
  TF5033: [{ stage: "parsed", module: makeModule("m", [scaled()], "g"), message: "the entry `g` is no function of the module" }],
  TF5034: [
    {
      stage: "ssa",
      module: body(() => [counted({ mode: "parallel", carries: [carry()], body: seq([yieldValues([one])]), results: [variable("r", F32)] })]),
      message: "a parallel loop carries `acc`, which is f32",
    },
  ],
  TF5035: [{ stage: "placed", module: body(({ y }) => [evaluate(store(y, [zero], prim("exp", [one])))]), message: "`T.exp` may not stand at stage `placed`" }],
};

describe("each rule", () => {
  const listed = Object.entries(CASES).flatMap(([code, cases]) => cases.map((c) => [code, c.message, c] as const));

  test.each(listed)("%s: %s", (code, message, { stage, module }) => {
    const found = verify(module, stage);
    expect(found.filter((d) => d.code === code).map((d) => d.message)).toContain(message);
    expect(hasErrors(found)).toBe(true);
  });

  test("every code of the verifier is broken by a case", () => {
    expect(Object.keys(CODES).filter((c) => /^TF50[0-3]/.test(c) && !(c in CASES))).toEqual([]);
  });
});

describe("what is allowed", () => {
  test("a parsed local is visible after the block that assigns it", () => {
    const module = body(({ y }) => {
      const v = variable("v", F32);
      return [ifThen(boolConst(true), seq([assign(v, one)]), seq([assign(v, one)])), evaluate(store(y, [zero], v))];
    });
    expect(verify(module, "parsed")).toEqual([]);
  });

  test("a parsed branch of a loop with carries may end in break instead of a yield", () => {
    const acc = carry();
    const module = body(({ y }) => {
      const r = variable("r", F32);
      const c = variable("c", F32);
      return [
        counted({
          carries: [acc],
          results: [r],
          body: seq([ifThen(lessThan(acc, one), seq([breakLoop()]), seq([yieldValues([acc])]), [c]), yieldValues([c])]),
        }),
        evaluate(store(y, [zero], r)),
      ];
    });
    expect(verify(module, "parsed")).toEqual([]);
  });

  test("i64 and index mix in carries, yields and results", () => {
    const module = body(() => [counted({ carries: [iterArg("c", scalarType("i64"), zero)], body: seq([yieldValues([indexConst(1)])]), results: [variable("r", scalarType("i64"))] })]);
    expect(verify(module, "ssa")).toEqual([]);
  });

  test("an effect and its operands are found in nested blocks", () => {
    const bad: Prim = { ...add(one, one), args: [one, zero] };
    for (const stage of STAGES) expect(verify(body(() => [counted({ body: seq([ifThen(boolConst(true), seq([evaluate(bad)]))]) })]), stage).map((d) => d.code)).toEqual(["TF5015"]);
  });
});
