// What loads, stores and allocations mean: bounds, masks, lanes, buffers of their own, handles that alias.

import {
  add, allocTensor, assign, constant, dimVar, evaluate, forLoop, ifThen, indexConst, lessThan, load, minimum, mul, nest, prim, reduceLanes, returnValues,
  scaleDim, seq, splat, store, tensorType, variable, vecType, boolConst, yieldValues, type DType, type Expr,
} from "@tilefoundry/ir";
import type { Scalar } from "@tilefoundry/ops/evaluate";
import { describe, expect, test } from "vitest";
import { array, f32, F32, functionOf, i32, index, literal, row, run, shown, tensor, vector } from "./running.ts";

const at = (...position: readonly number[]): readonly Expr[] => position.map(indexConst);

/** Element values by dtype that no conversion may change. */
const VALUES: Readonly<Record<DType, Scalar>> = {
  f32: Math.fround(0.1), f64: 0.1, i8: -128, i16: -32768, i32: -5, u16: 65535, u64: 2n ** 64n - 1n, u32: 4294967295, u8: 200, bool: true, i64: 2n ** 62n, index: -7,
};

describe("elements", () => {
  test.each(Object.entries(VALUES))("of %s are stored and loaded as they are, at any rank", (name, value) => {
    const dtype = name as DType; // a key of the table
    for (const shape of [[], [3], [2, 3], [2, 1, 3]]) {
      const x = tensor("x", shape, dtype);
      const last = shape.map((n) => n - 1);
      const type = load(x, at(...last)).type;
      const [v, w] = [variable("v", type), variable("w", type)];
      const body = [evaluate(store(x, at(...last), literal(value, dtype))), assign(v, load(x, at(...last))), assign(w, load(x, at(...last))), returnValues([v, w])];
      const size = shape.reduce((n, d) => n * d, 1);
      const out = array(dtype, shape, new Array<Scalar>(size).fill(dtype === "bool" ? false : 0));
      expect(run(functionOf({ params: [x], returns: [type, type], body }), [out]).returns).toEqual([value, value]);
      expect((shown(out) as readonly unknown[])[size - 1]).toBe(value);
    }
  });

  test.each([[[2]], [[-1]], [[2n ** 60n]]])("outside an array they read 0 and are not written: %s", ([k]) => {
    const { N, x } = vector();
    const where = [indexConst(k ?? 0)];
    const out = row("f32", [1, 2]);
    const f = functionOf({ params: [x], symbols: [N], returns: [F32], body: [evaluate(store(x, where, f32(9))), returnValues([load(x, where)])] });
    expect(run(f, [out]).returns).toEqual([0]);
    expect(shown(out)).toEqual([1, 2]);
  });

  test.each([[0, 3], [2, 0], [-1, 0], [0, -1]])("outside along either axis: (%i, %i)", (p, q) => {
    const x = tensor("x", [2, 3]);
    const out = array("f32", [2, 3], [1, 2, 3, 4, 5, 6]);
    const f = functionOf({ params: [x], returns: [F32], body: [evaluate(store(x, at(p, q), f32(9))), returnValues([load(x, at(p, q))])] });
    expect(run(f, [out]).returns).toEqual([0]);
    expect(shown(out)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe("vectors", () => {
  const ramp = row("f32", [1, 2, 3, 4, 5, 6, 7, 8]);

  test("are consecutive elements of the last axis; lanes beyond the end read 0 and are not written", () => {
    const x = tensor("x", [2, 3]);
    const v = variable("v", vecType("f32", 4));
    const out = array("f32", [2, 3], [1, 2, 3, 4, 5, 6]);
    const body = [assign(v, load(x, at(0, 1), { lanes: 4 })), evaluate(store(x, at(1, 1), splat(f32(9), 4))), returnValues([v])];
    expect(run(functionOf({ params: [x], returns: [v.type], body }), [out]).returns).toEqual([[2, 3, 0, 0]]);
    expect(shown(out)).toEqual([1, 2, 3, 4, 9, 9]);
  });

  test("masked-off lanes read 0 and touch nothing", () => {
    const x = tensor("x", [8]);
    const [v, m] = [variable("v", vecType("f32", 4)), variable("m", vecType("bool", 4))];
    const mask = lessThan(load(x, at(0), { lanes: 4 }), splat(f32(3), 4));
    const body = [assign(m, mask), assign(v, load(x, at(4), { lanes: 4, mask: m })), evaluate(store(x, at(0), splat(f32(9), 4), m)), returnValues([v])];
    const out = row("f32", [1, 2, 3, 4, 5, 6, 7, 8]);
    expect(run(functionOf({ params: [x], returns: [v.type], body }), [out]).returns).toEqual([[5, 6, 0, 0]]);
    expect(shown(out)).toEqual([9, 9, 3, 4, 5, 6, 7, 8]);
  });

  test("reduce pairwise: lanes i and i + n/2 first", () => {
    const x = tensor("x", [4]);
    const big = 2 ** 24;
    const f = functionOf({ params: [x], returns: [F32], body: [returnValues([reduceLanes("add", load(x, at(0), { lanes: 4 }))])] });
    expect(run(f, [row("f32", [big, 1, -big, 1])]).returns).toEqual([2]);
    expect(run(f, [row("f32", [big, -big, 1, 1])]).returns).toEqual([1]); // from left to right it would be 2
  });

  test("lanes are taken out one by one", () => {
    const x = tensor("x", [8]);
    const v = load(x, at(2), { lanes: 4 });
    const body = [returnValues([prim("lane", [v], { index: 0 }), prim("lane", [v], { index: 3 })])];
    expect(run(functionOf({ params: [x], returns: [F32, F32], body }), [ramp]).returns).toEqual([3, 6]);
  });
});

describe("buffers", () => {
  const scratch = tensorType([4], "f32", "vec");

  test("an allocation is a new buffer of zeros each time it runs", () => {
    const { N, x } = vector();
    const [i, t] = [index("i"), variable("t", scratch)];
    const body = seq([
      assign(t, allocTensor(scratch)),
      evaluate(store(x, [i], load(t, at(0)))),
      evaluate(store(t, at(0), f32(5))),
    ]);
    const out = row("f32", [9, 9, 9]);
    run(functionOf({ params: [x], symbols: [N], body: [forLoop({ loopVar: i, stop: N, body })] }), [out]);
    expect(shown(out)).toEqual([0, 0, 0]);
  });

  test.each([["f32", NaN], ["i32", 0x5a], ["bool", true], ["i64", 0x5a5a5a5a5a5a5a5an]] as const)("of %s holds a pattern in a poisoned run", (dtype, pattern) => {
    const type = tensorType([2], dtype, "vec");
    const t = variable("t", type);
    const element = load(t, at(1));
    const f = functionOf({ returns: [element.type], body: [assign(t, allocTensor(type)), returnValues([element])] });
    expect(run(f, [], { poison: true }).returns).toEqual([pattern]);
  });

  test("offsets in the arena do not make buffers overlap", () => {
    const { N, x } = vector();
    const placed = (): Expr => prim("alloc_tensor", [], { type: scratch, offset: 0 });
    const [a, b] = [variable("a", scratch), variable("b", scratch)];
    const body = [assign(a, placed()), assign(b, placed()), evaluate(store(a, at(0), f32(1))), evaluate(store(b, at(0), f32(2))), evaluate(store(x, at(0), load(a, at(0))))];
    const out = row("f32", [0]);
    run(functionOf({ params: [x], symbols: [N], body }), [out]);
    expect(shown(out)).toEqual([1]);
  });

  test("extents of an allocation may be symbolic", () => {
    const { N, x } = vector();
    const type = tensorType([scaleDim(dimVar(N), 2)], "f32", "vec");
    const [t, i] = [variable("t", type), index("i")];
    const twice = mul(N, indexConst(2));
    const body = [
      assign(t, allocTensor(type)),
      nest([i], [twice], seq([evaluate(store(t, [i], prim("cast", [i], { dtype: "f32" })))])),
      evaluate(store(x, at(0), load(t, [add(twice, indexConst(-1))]))),
    ];
    const out = row("f32", [0, 0, 0]);
    run(functionOf({ params: [x], symbols: [N], body }), [out]);
    expect(shown(out)).toEqual([5, 0, 0]);
  });

  test("another name of an array is the same buffer, through assignments and joins", () => {
    const { N, x } = vector();
    const [y, z] = [variable("y", x.type), variable("z", x.type)];
    const body = [
      assign(y, x),
      ifThen(boolConst(true), seq([yieldValues([y])]), seq([yieldValues([x])]), [z]),
      evaluate(store(z, at(1), f32(7))),
      returnValues([load(x, at(1))]),
    ];
    expect(run(functionOf({ params: [x], symbols: [N], returns: [F32], body }), [row("f32", [1, 2])]).returns).toEqual([7]);
  });

  test("arrays without elements run and write nothing", () => {
    const { N, x } = vector();
    const i = index("i");
    const f = functionOf({ params: [x], symbols: [N], body: [nest([i], [minimum(N, indexConst(4))], seq([evaluate(store(x, [i], f32(1)))]))] });
    expect(run(f, [row("f32", [])], { strict: true }).faults).toEqual([]);
  });
});

describe("strict runs", () => {
  const { N, x } = vector();
  const strict = (body: Parameters<typeof seq>[0]): readonly (readonly string[])[] =>
    run(functionOf({ params: [x], symbols: [N], body }), [row("f32", [1, 2])], { strict: true }).faults.map((d) => [d.code, d.message]);

  test("report reads and writes outside, with the array, index and extent", () => {
    expect(strict([evaluate(load(x, at(2)))])).toEqual([["TF6102", "`x` is read at index 2 of axis 0, outside its extent 2"]]);
    expect(strict([evaluate(store(x, at(-1), f32(0)))])).toEqual([["TF6103", "`x` is written at index -1 of axis 0, outside its extent 2"]]);
    expect(strict([evaluate(load(x, at(1), { lanes: 4 }))])).toEqual([
      ["TF6102", "`x` is read at index 2 of axis 0, outside its extent 2"],
      ["TF6102", "`x` is read at index 3 of axis 0, outside its extent 2"],
      ["TF6102", "`x` is read at index 4 of axis 0, outside its extent 2"],
    ]);
  });

  test("do not report masked-off lanes", () => {
    const mask = constant(false, vecType("bool", 4));
    expect(strict([evaluate(load(x, at(1), { lanes: 4, mask })), evaluate(store(x, at(1), splat(f32(1), 4), mask))])).toEqual([]);
  });

  test("report division by zero and steps of 0", () => {
    expect(strict([evaluate(prim("floordiv", [i32(1), i32(0)])), evaluate(prim("mod", [indexConst(1), indexConst(0)]))]).map(([code]) => code)).toEqual(["TF6101"]);
    expect(strict([forLoop({ loopVar: index("i"), stop: N, step: indexConst(0), body: seq([]) })])).toEqual([["TF6105", "the step of the loop over `i` is 0"]]);
  });

  test("report a place once, however often it is reached", () => {
    expect(strict([forLoop({ loopVar: index("i"), stop: indexConst(50), body: seq([evaluate(load(x, at(5)))]) })])).toHaveLength(1);
  });

  test("report nothing without being asked", () => {
    expect(run(functionOf({ params: [x], symbols: [N], body: [evaluate(load(x, at(9)))] }), [row("f32", [1])]).faults).toEqual([]);
  });
});
