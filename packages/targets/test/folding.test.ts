import {
  add, assign, constant, evaluate, forLoop, ifThen, INDEX, indexConst, iterArg, load, mul, numberConst, scalarType, seq, store, tensorType, variable, whileLoop, lessThan, yieldValues,
  type Stmt, type Var,
} from "@tilefoundry/ir";
import { expect, test } from "vitest";
import { foldedValues } from "../src/folding.ts";

const I32 = scalarType("i32");
const x = variable("x", tensorType([8], "i32"));
const [a, b, s] = [variable("a", I32), variable("b", I32), variable("s", I32)];
const [zero, one] = [indexConst(0), numberConst(1, "i32")];
const put = (v: Var): Stmt => evaluate(store(x, [zero], v));
const loop = (body: readonly Stmt[]): Stmt => forLoop({ loopVar: variable("i", INDEX), stop: indexConst(3), body: seq(body) });
const cond = constant(true, scalarType("bool"));

const folded = (stmts: readonly Stmt[]): readonly string[] => [...foldedValues(seq(stmts)).keys()].map((v) => v.hint);

const CASES: readonly (readonly [string, readonly Stmt[], readonly string[]])[] = [
  ["a value used once", [assign(a, add(s, one)), put(a)], ["a"]],
  ["a value used twice stays", [assign(a, add(s, one)), assign(b, mul(a, a)), put(b)], ["b"]],
  ["a chain", [assign(a, add(s, one)), assign(b, mul(a, s)), put(b)], ["a", "b"]],
  ["a value that nobody uses stays", [assign(a, add(s, one))], []],
  ["a load, up to its use", [assign(a, load(x, [zero])), put(a)], ["a"]],
  ["a load does not move past a store", [assign(a, load(x, [zero])), put(s), put(a)], []],
  ["nor does what reads through another", [assign(a, load(x, [zero])), assign(b, add(a, one)), put(s), put(b)], ["a"]],
  ["a pure value moves past a store", [assign(a, add(s, one)), put(s), put(a)], ["a"]],
  ["nothing moves into a loop", [assign(a, add(s, one)), loop([put(a)])], []],
  ["the bound of a loop is computed before it", [assign(a, load(x, [zero])), loop([put(s)]), put(a)], []],
  ["a pure value moves into a branch", [assign(a, add(s, one)), ifThen(cond, seq([put(a)]))], ["a"]],
  ["a load does not move into a branch that writes", [assign(a, load(x, [zero])), ifThen(cond, seq([put(s), put(a)]))], []],
  ["nor out of a loop that writes", [loop([assign(a, load(x, [zero])), put(s), put(a)])], []],
];

test.each(CASES)("%s", (_title, stmts, expected) => {
  expect(folded(stmts)).toEqual(expected);
});

test("the condition of a while runs each time, the start of a carry once", () => {
  const n = iterArg("n", I32, b);
  const body = seq([yieldValues([add(n, one)])]);
  const stmts = [assign(a, mul(s, s)), assign(b, add(s, one)), whileLoop(lessThan(n, a), body, [n], [variable("end", I32)])];
  expect(folded(stmts)).toEqual(["b"]);
});

test("a variable that starts a carry and is used elsewhere stays", () => {
  const n = iterArg("n", I32, a);
  const body = seq([yieldValues([add(n, one)])]);
  const stmts = [assign(a, load(x, [zero])), whileLoop(lessThan(n, one), body, [n], [variable("end", I32)]), put(a)];
  expect(folded(stmts)).toEqual([]);
});
