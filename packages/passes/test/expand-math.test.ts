// exp in other primitives: its error against exact values, the ends of its range, and that loops which ask for it mean the same.

import {
  add, bodyOf, boolConst, eachStmt, lessThan, numberConst, prim, scalarType, seq, store, tensorType, variable, vecType, verify, walk,
  type DType, type Expr, type ModuleNode, type Stmt, type VarLike,
} from "@tilefoundry/ir";
import { arrayOf, scalarFunction, scalarOfConst, type Scalar, type ScalarPrim } from "@tilefoundry/ops/evaluate";
import { describe, expect, test } from "vitest";
import { expandExp } from "../src/expand-math/exp.ts";
import { expandMath } from "../src/expand-math.ts";
import { exactExp, ulpsBetween } from "./exact-exp.ts";
import { makeKernel } from "./kernel.ts";
import { randomBy } from "./random.ts";
import { CONTEXT, difference, functionOf, outputsOf } from "./stages.ts";

/** The expansion for a scalar as a function, step by step through the values of the ops. */
function expanded(dtype: "f32" | "f64"): (x: number) => number {
  const x = variable("x", scalarType(dtype));
  const steps: { readonly v: VarLike; readonly run: (values: Map<VarLike, Scalar>) => Scalar }[] = [];
  const result = expandExp(x, (hint, value) => {
    const v = variable(hint, value.type);
    steps.push({ v, run: compiled(value) });
    return v;
  });
  const last = compiled(result);
  return (at) => {
    const values = new Map<VarLike, Scalar>([[x, at]]);
    for (const { v, run } of steps) values.set(v, run(values));
    return Number(last(values));
  };
}

function compiled(e: Expr): (values: Map<VarLike, Scalar>) => Scalar {
  if (e.kind === "Var" || e.kind === "IterArg") return (values) => values.get(e) ?? 0;
  if (e.kind === "Const") {
    const value = scalarOfConst(e);
    return () => value;
  }
  if (e.kind !== "Prim") throw new Error(e.kind);
  const operands = e.args.map(compiled);
  const last = e.args.at(-1);
  const dtype: DType = last?.type.kind === "Scalar" ? last.type.dtype : "f32";
  const run = scalarFunction(e.op as ScalarPrim, dtype, e.attrs); // expansions hold no memory and no vector primitives
  return (values) => run(...(operands.map((o) => o(values)) as [Scalar, Scalar?, Scalar?])); // as many as the primitive has
}

describe("exp of f32", () => {
  const exp = expanded("f32");

  test("errs by less than one ULP over its whole range", () => {
    let worst = 0;
    for (let x = -104; x < 89; x += 0.0137) worst = Math.max(worst, ulpsBetween(exp(Math.fround(x)), Math.exp(Math.fround(x)), 24, -149));
    const random = randomBy(1);
    for (let n = 0; n < 40_000; n++) {
      const x = Math.fround(random.next() * 193 - 104);
      worst = Math.max(worst, ulpsBetween(exp(x), Math.exp(x), 24, -149));
    }
    expect(worst).toBeLessThan(1);
  });

  test("is exact or infinite at the ends", () => {
    const cases: readonly [number, number][] = [[0, 1], [-0, 1], [Infinity, Infinity], [-Infinity, 0], [NaN, NaN], [89, Infinity], [1000, Infinity], [-104.1, 0], [-1000, 0]];
    for (const [x, wanted] of cases) expect(exp(Math.fround(x)), String(x)).toBe(wanted);
    expect(exp(Math.fround(88.72283))).toBe(Math.fround(Math.exp(Math.fround(88.72283))));
    expect(exp(Math.fround(-103.5))).toBe(2 ** -149);
  });
});

describe("exp of f64", () => {
  const exp = expanded("f64");

  test("errs by little more than one ULP over its whole range", () => {
    let worst = 0;
    const random = randomBy(2);
    for (let n = 0; n < 3_000; n++) {
      const x = random.chance(0.3) ? random.next() * 2 - 1 : random.next() * 1455 - 745.5;
      worst = Math.max(worst, ulpsBetween(exp(x), exactExp(x), 53, -1074));
    }
    expect(worst).toBeLessThan(1.05);
  });

  test("is exact or infinite at the ends", () => {
    const cases: readonly [number, number][] = [[0, 1], [Infinity, Infinity], [-Infinity, 0], [NaN, NaN], [710, Infinity], [-746, 0], [-745, 5e-324]];
    for (const [x, wanted] of cases) expect(exp(x), String(x)).toBe(wanted);
  });
});

test("a vector takes the very steps of a scalar", () => {
  const ops = (x: Expr): readonly string[] => {
    const names: string[] = [];
    const note = (e: Expr): void => walk(e, (node) => void (node.kind === "Prim" && names.push(node.op)));
    note(expandExp(x, (_, value) => (note(value), variable("t", value.type))));
    return names;
  };
  expect(ops(variable("v", vecType("f32", 4)))).toEqual(ops(variable("x", scalarType("f32"))));
});

/** Counts how often exp(-n / 4) stays above a bound; the bound itself is an exp, and so is the carry's start. */
function decay(): ModuleNode {
  const k = makeKernel("decay", "prim");
  const x = k.param("x", scalarType("f32"));
  const out = k.param("out", tensorType([2], "f32"), "out");
  const f32 = (v: number): Expr => numberConst(v, "f32");
  const [last, count] = k.whileTrue(
    [prim("exp", [x]), f32(0)],
    ([value, n]) => prim("and", [prim("gt", [prim("exp", [prim("neg", [value as Expr])]), prim("exp", [f32(-3)])]), lessThan(n as Expr, f32(50))]),
    ([value, n]) => [add(value as Expr, prim("exp", [f32(-2)])), k.let("n", add(n as Expr, f32(1)))],
  );
  k.emit(store(out, [numberConst(0, "index")], last as Expr));
  k.emit(store(out, [numberConst(1, "index")], count as Expr));
  return k.done();
}

describe("the pass", () => {
  test("leaves no math function, and every statement where it can stand", () => {
    const { value } = expandMath.run(decay(), CONTEXT);
    expect(verify(value, "placed")).toEqual([]);
    const body = bodyOf(functionOf(value)) ?? seq([]);
    const found: Stmt[] = [];
    eachStmt(body, (stmt) => walk(stmt, (node) => void (node.kind === "Prim" && node.op === "exp" && found.push(stmt))));
    expect(found).toEqual([]);
  });

  test("keeps what a loop means whose condition asks for exp", () => {
    const args = [0.5, arrayOf("f32", [2], [0, 0])];
    const [before] = outputsOf(decay(), args);
    const [after] = outputsOf(expandMath.run(decay(), CONTEXT).value, args);
    expect(after?.data[1]).toBe(before?.data[1]);
    expect(ulpsBetween(Number(after?.data[0]), Number(before?.data[0]), 24, -149)).toBeLessThan(20);
  });

  test("gives back a module without math functions", () => {
    const k = makeKernel("plain");
    const out = k.param("out", tensorType([1], "bool"), "out");
    k.emit(store(out, [numberConst(0, "index")], boolConst(true)));
    const module = k.done();
    expect(expandMath.run(module, CONTEXT).value).toBe(module);
    expect(difference(outputsOf(module, [arrayOf("bool", [1], [false])]), [arrayOf("bool", [1], [true])])).toBeUndefined();
  });
});

