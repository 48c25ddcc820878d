// What statements mean: assignment, branches, loops and their carries, jumps, nests.

import {
  add, assign, boolConst, both, breakLoop, constant, continueLoop, evaluate, forLoop, ifThen, indexConst, iterArg, lessThan, load, mul, nest, prim, reduceNest,
  returnValues, scalarType, seq, store, sub, variable, vecType, whileLoop, yieldValues, splat, INDEX, type Expr, type ForSpec, type Stmt,
} from "@tilefoundry/ir";
import { describe, expect, test } from "vitest";
import { BOOL, f32, F32, functionOf, i32, I32, index, literal, returned, row, run, shown, vector } from "./running.ts";

const i = () => index("i");

/** Appends the loop variable to a number, digit by digit: shows which iterations ran, in order. */
function visited(spec: Omit<ForSpec, "loopVar" | "body">): unknown {
  const [v, acc, result] = [i(), iterArg("acc", INDEX, indexConst(0)), index("result")];
  const loop = forLoop({ ...spec, loopVar: v, carries: [acc], results: [result], body: seq([yieldValues([add(mul(acc, indexConst(10)), v)])]) });
  return returned({ returns: [INDEX], body: [loop, returnValues([result])] })[0];
}

describe("assignment", () => {
  test("a mutable local holds its last value; a copy does not follow", () => {
    const [a, b] = [variable("a", F32), variable("b", F32)];
    expect(returned({ returns: [F32, F32], body: [assign(a, f32(1)), assign(b, a), assign(a, add(a, f32(1))), returnValues([a, b])] })).toEqual([2, 1]);
  });

  test("a big integer survives copies", () => {
    const [a, b] = [index("a"), index("b")];
    expect(returned({ returns: [INDEX, INDEX], body: [assign(a, indexConst(2n ** 60n)), assign(b, a), assign(a, indexConst(1)), returnValues([a, b])] })).toEqual([1, 2n ** 60n]);
  });

  test("vectors are assigned lane by lane", () => {
    const v = variable("v", vecType("i64", 2));
    const body = [assign(v, splat(indexConst(2n ** 60n), 2)), assign(v, add(v, v)), returnValues([v])];
    expect(returned({ returns: [vecType("i64", 2)], body })).toEqual([[2n ** 61n, 2n ** 61n]]);
  });
});

describe("if", () => {
  test.each([[true, 1], [false, 2]])("takes the branch of a condition that is %s, and its yields", (cond, expected) => {
    const r = variable("r", F32);
    const branch = ifThen(boolConst(cond), seq([yieldValues([f32(1)])]), seq([yieldValues([f32(2)])]), [r]);
    expect(returned({ returns: [F32], body: [branch, returnValues([r])] })).toEqual([expected]);
  });

  test("without else, the value from before stays", () => {
    const x = variable("x", F32);
    expect(returned({ returns: [F32], body: [assign(x, f32(1)), ifThen(boolConst(false), seq([assign(x, f32(2))])), returnValues([x])] })).toEqual([1]);
  });

  test("yields are assigned all at once: names can swap", () => {
    const [a, b] = [variable("a", F32), variable("b", F32)];
    const swap = ifThen(boolConst(true), seq([yieldValues([b, a])]), seq([yieldValues([a, b])]), [a, b]);
    expect(returned({ returns: [F32, F32], body: [assign(a, f32(1)), assign(b, f32(2)), swap, returnValues([a, b])] })).toEqual([2, 1]);
  });

  test("the right side of `and` and `or` runs only where it decides", () => {
    const { N, x } = vector();
    const outside = prim("gt", [load(x, [N]), f32(0)]);
    const r = variable("r", BOOL);
    const body = [assign(r, both(boolConst(false), outside)), assign(r, prim("or", [boolConst(true), outside])), returnValues([r])];
    const { returns, faults } = run(functionOf({ params: [x], symbols: [N], returns: [BOOL], body }), [row("f32", [1])], { strict: true });
    expect([returns, faults]).toEqual([[true], []]);
  });
});

describe("for", () => {
  test.each([
    [{ stop: indexConst(4) }, 123],
    [{ start: indexConst(1), stop: indexConst(4) }, 123],
    [{ start: indexConst(1), stop: indexConst(8), step: indexConst(3) }, 147],
    [{ start: indexConst(5), stop: indexConst(0), step: indexConst(-2) }, 531],
    [{ start: indexConst(3), stop: indexConst(3) }, 0],
    [{ start: indexConst(5), stop: indexConst(1) }, 0],
    [{ start: indexConst(1), stop: indexConst(5), step: indexConst(-1) }, 0],
    [{ stop: indexConst(4), step: indexConst(0) }, 0],
  ] as const)("%#: half-open, steps may be negative, a range may be empty, step 0 never runs", (spec, expected) => {
    expect(visited(spec)).toBe(expected);
  });

  test("every mode means the same iterations", () => {
    for (const mode of ["sequential", "unroll", "pipeline", "vector"] as const) expect(visited({ stop: indexConst(4), mode })).toBe(123);
  });

  test("counts without overflow at the ends of the integers", () => {
    const [v, count, n] = [i(), iterArg("count", INDEX, indexConst(0)), index("n")];
    const from = (start: bigint, stop: bigint, step: bigint): unknown => {
      const loop = forLoop({ loopVar: v, start: indexConst(start), stop: indexConst(stop), step: indexConst(step), carries: [count], results: [n], body: seq([yieldValues([add(count, indexConst(1))])]) });
      return returned({ returns: [INDEX], body: [loop, returnValues([n])] })[0];
    };
    expect(from(2n ** 63n - 3n, 2n ** 63n - 1n, 5n)).toBe(1);
    expect(from(-(2n ** 63n) + 2n, -(2n ** 63n), -3n)).toBe(1);
    expect(from(2n ** 53n - 2n, 2n ** 53n - 1n, 2n ** 53n - 1n)).toBe(1);
    expect(from(2n ** 53n - 2n, 2n ** 53n + 1n, 1n)).toBe(3);
  });

  test("bounds are evaluated once", () => {
    const [n, v, count] = [index("n"), i(), index("count")];
    const loop = forLoop({ loopVar: v, stop: n, body: seq([assign(n, indexConst(100)), assign(count, add(count, indexConst(1)))]) });
    expect(returned({ returns: [INDEX], body: [assign(n, indexConst(3)), assign(count, indexConst(0)), loop, returnValues([count])] })).toEqual([3]);
  });

  test("bounds of an inner loop are not evaluated where the outer one is empty", () => {
    const { N, x } = vector();
    const inner = forLoop({ loopVar: index("j"), stop: prim("cast", [load(x, [indexConst(-1)])], { dtype: "index" }), body: seq([]) });
    const f = functionOf({ params: [x], symbols: [N], body: [forLoop({ loopVar: i(), stop: indexConst(0), body: seq([inner]) })] });
    expect(run(f, [row("f32", [1])], { strict: true }).faults).toEqual([]);
  });

  test("carries update all at once: Fibonacci, and a swap", () => {
    const [a, b] = [iterArg("a", I32, i32(0)), iterArg("b", I32, i32(1))];
    const [ra, rb] = [variable("ra", I32), variable("rb", I32)];
    const loop = (n: number, next: readonly Expr[]): Stmt => forLoop({ loopVar: i(), stop: indexConst(n), carries: [a, b], results: [ra, rb], body: seq([yieldValues(next)]) });
    const run2 = (n: number, next: readonly Expr[]): unknown => returned({ returns: [I32, I32], body: [loop(n, next), returnValues([ra, rb])] });
    expect(run2(10, [b, add(a, b)])).toEqual([55, 89]);
    expect(run2(3, [b, a])).toEqual([1, 0]);
    expect(run2(0, [b, a])).toEqual([0, 1]);
  });

  test("break leaves the loop, continue the iteration, of the innermost loop", () => {
    const [v, w, n] = [i(), index("j"), index("n")];
    const inner = forLoop({
      loopVar: w,
      stop: indexConst(10),
      body: seq([
        ifThen(prim("eq", [w, indexConst(1)]), seq([continueLoop()])),
        ifThen(prim("eq", [w, indexConst(3)]), seq([breakLoop()])),
        assign(n, add(n, indexConst(1))),
      ]),
    });
    expect(returned({ returns: [INDEX], body: [assign(n, indexConst(0)), forLoop({ loopVar: v, stop: indexConst(5), body: seq([inner]) }), returnValues([n])] })).toEqual([10]);
  });
});

describe("while", () => {
  test("a natural loop runs while its condition holds", () => {
    const n = index("n");
    const loop = whileLoop(lessThan(n, indexConst(5)), seq([assign(n, add(n, indexConst(2)))]));
    expect(returned({ returns: [INDEX], body: [assign(n, indexConst(0)), loop, returnValues([n])] })).toEqual([6]);
  });

  test("its condition sees the carries before each iteration", () => {
    const [a, b] = [iterArg("a", INDEX, indexConst(48)), iterArg("b", INDEX, indexConst(36))];
    const [gcd, zero] = [index("gcd"), index("zero")];
    const loop = whileLoop(prim("ne", [b, indexConst(0)]), seq([yieldValues([b, prim("mod", [a, b])])]), [a, b], [gcd, zero]);
    expect(returned({ returns: [INDEX, INDEX], body: [loop, returnValues([gcd, zero])] })).toEqual([12, 0]);
  });

  test("break in a while with mutable locals", () => {
    const n = index("n");
    const loop = whileLoop(boolConst(true), seq([assign(n, add(n, indexConst(1))), ifThen(prim("ge", [n, indexConst(7)]), seq([breakLoop()]))]));
    expect(returned({ returns: [INDEX], body: [assign(n, indexConst(0)), loop, returnValues([n])] })).toEqual([7]);
  });
});

describe("return", () => {
  test("in a branch it ends the function", () => {
    const body = [ifThen(boolConst(true), seq([returnValues([f32(1)])])), returnValues([f32(2)])];
    expect(returned({ returns: [F32], body })).toEqual([1]);
  });
});

describe("nests", () => {
  test("a parallel nest visits every index", () => {
    const { N, x } = vector("x", "i64");
    const [p, q] = [index("p"), index("q")];
    const body = seq([evaluate(store(x, [add(mul(p, indexConst(3)), q)], add(mul(p, indexConst(10)), q)))]);
    const f = functionOf({ params: [x], symbols: [N], body: [nest([p, q], [indexConst(2), indexConst(3)], body)] });
    for (const seed of [undefined, 1, 2]) {
      const out = row("i64", [9, 9, 9, 9, 9, 9]);
      run(f, [out], seed === undefined ? {} : { seed });
      expect(shown(out)).toEqual([0, 1, 2, 10, 11, 12]);
    }
  });

  test("a reduction nest combines in order, and is its start where it is empty", () => {
    const { N, x } = vector();
    const [k, acc, total] = [index("k"), iterArg("acc", F32, f32(100)), variable("total", F32)];
    const f = functionOf({
      params: [x],
      symbols: [N],
      returns: [F32],
      body: [reduceNest([k], [N], [acc], seq([yieldValues([sub(acc, load(x, [k]))])]), [total]), returnValues([total])],
    });
    expect(run(f, [row("f32", [1, 2, 3])], { seed: 5 }).returns).toEqual([94]);
    expect(run(f, [row("f32", [])]).returns).toEqual([100]);
  });

  test("a nest with an empty extent never runs", () => {
    const body = nest([index("p"), index("q")], [indexConst(4), indexConst(0)], seq([evaluate(prim("add", [literal(1, "i32"), constant(1n, scalarType("i32"))]))]));
    expect(run(functionOf({ body: [body] }), [], { fuel: 0 }).faults).toEqual([]);
  });
});

describe("parallel loops", () => {
  /** Writes its position in the order of execution into each element. */
  const f = (() => {
    const { N, x } = vector("x", "i32");
    const [v, clock] = [index("i"), variable("clock", I32)];
    const loop = forLoop({ loopVar: v, stop: N, mode: "parallel", body: seq([evaluate(store(x, [v], clock)), assign(clock, add(clock, i32(1)))]) });
    return functionOf({ params: [x], symbols: [N], body: [assign(clock, i32(0)), loop] });
  })();
  const order = (seed: number | undefined, n = 20): readonly unknown[] => {
    const out = row("i32", new Array<number>(n).fill(-1));
    run(f, [out], seed === undefined ? {} : { seed });
    return shown(out) as readonly unknown[];
  };

  test("run in order without a seed, and in an order of the seed with one, each iteration once", () => {
    const plain = Array.from({ length: 20 }, (_, k) => k);
    expect(order(undefined)).toEqual(plain);
    expect(order(1)).not.toEqual(plain);
    expect(order(1)).toEqual(order(1));
    expect(order(2)).not.toEqual(order(1));
    for (let seed = 0; seed < 20; seed++) expect([...order(seed)].sort((a, b) => Number(a) - Number(b))).toEqual(plain);
  });
});

describe("fuel", () => {
  test("stops a loop that never ends, by a diagnostic", () => {
    const { returns, faults } = run(functionOf({ returns: [F32], body: [whileLoop(boolConst(true), seq([])), returnValues([f32(1)])] }), [], { fuel: 1000 });
    expect(returns).toEqual([]);
    expect(faults.map((d) => [d.code, d.message])).toEqual([["TF6106", "`f` was stopped after 1000 loop iterations"]]);
  });

  test("counts iterations of all loops; what fits runs to its end", () => {
    const loop = (n: number): Stmt => forLoop({ loopVar: i(), stop: indexConst(n), body: seq([forLoop({ loopVar: index("j"), stop: indexConst(2), body: seq([]) })]) });
    expect(run(functionOf({ body: [loop(3)] }), [], { fuel: 9 }).faults).toEqual([]);
    expect(run(functionOf({ body: [loop(3)] }), [], { fuel: 8 }).faults).toHaveLength(1);
  });
});
