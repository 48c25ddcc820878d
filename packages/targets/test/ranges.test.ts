import {
  add, assign, cast, constant, dimVar, evaluate, forLoop, ifThen, INDEX, indexConst, load, mul, prim, scalarType, seq, store, sub, tensorType, variable, yieldValues,
  minimum, type Expr, type Stmt, type Var,
} from "@tilefoundry/ir";
import { expect, test } from "vitest";
import { rangesOf, type Interval } from "../src/ranges.ts";
import { kernel } from "./kernels.ts";

const n = variable("N", INDEX);
const x = variable("x", tensorType([dimVar(n)], "index"));
const [i, j] = [variable("i", INDEX), variable("j", INDEX)];
const MOST = 2 ** 31 - 1;
const c = indexConst;

/** The interval of an expression inside `for i in range(N): for j in range(i, N, 4)`, after some statements. */
function inside(e: Expr, before: readonly Stmt[] = []): Interval {
  const inner = seq([...before, evaluate(store(x, [c(0)], e))]);
  const fn = kernel("f", [{ var: x, direction: "out" }], [
    forLoop({ loopVar: i, stop: n, body: seq([forLoop({ loopVar: j, start: i, stop: n, step: c(4), body: inner })]) }),
  ], [n]);
  return rangesOf(fn).of(e);
}

const assigned = (value: Expr): readonly [Var, Stmt] => {
  const v = variable("v", INDEX);
  return [v, assign(v, value)];
};

const CASES: readonly (readonly [string, Expr, Interval])[] = [
  ["a symbol", n, { lo: 0, hi: MOST }],
  ["a loop variable", i, { lo: 0, hi: MOST - 1 }],
  ["a loop variable with a step", j, { lo: 0, hi: MOST - 1 }],
  ["what is left of the extent", sub(n, i), { lo: 1, hi: MOST }],
  ["a difference of loop variables", sub(j, i), { lo: 0, hi: MOST - 1 }],
  ["a sum", add(i, c(5)), { lo: 5, hi: MOST + 4 }],
  ["a product", mul(i, c(-2)), { lo: -2 * (MOST - 1), hi: 0 }],
  ["a clipped extent", minimum(c(16), sub(n, i)), { lo: 1, hi: 16 }],
  ["a quotient", prim("floordiv", [i, c(1000)]), { lo: 0, hi: Math.floor((MOST - 1) / 1000) }],
  ["a quotient of what may be negative", prim("floordiv", [sub(i, c(7)), c(4)]), { lo: -2, hi: Math.floor((MOST - 8) / 4) }],
  ["a remainder", prim("mod", [sub(i, c(7)), c(4)]), { lo: 0, hi: 3 }],
  ["a remainder by what may be 0", prim("mod", [c(9), n]), { lo: 0, hi: 9 }],
  ["low bits", prim("bitand", [load(x, [i]), c(255)]), { lo: 0, hi: 255 }],
  ["what memory holds", load(x, [i]), { lo: -Infinity, hi: Infinity }],
  ["a byte as an index", cast(load(variable("b", tensorType([dimVar(n)], "u8")), [i]), "index"), { lo: 0, hi: 255 }],
  ["a large product", prim("floordiv", [mul(n, n), c(2 ** 31)]), { lo: 0, hi: MOST - 1 }],
  ["a product that may wrap", mul(mul(n, n), mul(n, n)), { lo: -Infinity, hi: Infinity }],
  ["a sum that wraps", add(c(2n ** 63n - 1n), add(i, c(4))), { lo: -Infinity, hi: Infinity }],
  ["a difference of what may wrap", sub(add(load(x, [i]), c(1)), load(x, [i])), { lo: -Infinity, hi: Infinity }],
];

test.each(CASES)("the range of %s", (_title, e, expected) => {
  expect(inside(e)).toEqual(expected);
});

test("a local has the range of its value", () => {
  const [v, stmt] = assigned(add(i, c(1)));
  expect(inside(sub(n, v), [stmt])).toEqual({ lo: 0, hi: MOST - 1 });
});

test("a result of an if lies where one of the yielded values does", () => {
  const [r, u8] = [variable("r", INDEX), scalarType("bool")];
  const stmt = ifThen(constant(true, u8), seq([yieldValues([c(3)])]), seq([yieldValues([i])]), [r]);
  expect(inside(r, [stmt])).toEqual({ lo: 0, hi: MOST - 1 });
});

test("i32 that may overflow has the range of its dtype", () => {
  const v = variable("w", scalarType("i32"));
  expect(inside(cast(add(v, constant(1n, scalarType("i32"))), "index"))).toEqual({ lo: -(2 ** 31), hi: MOST });
});
