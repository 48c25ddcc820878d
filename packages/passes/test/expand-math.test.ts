// Math functions in other primitives: their error against exact values, the ends of their ranges, and that loops which ask for one mean the same.

import {
  add, bodyOf, boolConst, eachStmt, lessThan, MATH_PRIMS, numberConst, prim, scalarType, seq, store, tensorType, variable, vecType, verify, walk,
  type DType, type Expr, type MathPrim, type ModuleNode, type Stmt, type VarLike,
} from "@tilefoundry/ir";
import { arrayOf, erf, scalarFunction, scalarOfConst, type Scalar, type ScalarPrim } from "@tilefoundry/ops/evaluate";
import { describe, expect, test } from "vitest";
import { expandMath, EXPANSIONS } from "../src/expand-math.ts";
import { exactExp, exactExp2, exactLog, exactLog2, exactTanh, ulpsBetween } from "./exact.ts";
import { makeKernel } from "./kernel.ts";
import { randomBy } from "./random.ts";
import { CONTEXT, difference, functionOf, outputsOf } from "./stages.ts";

/** The expansion of a function for a scalar, step by step through the values of the ops. */
function expanded(dtype: "f32" | "f64", name: MathPrim): (x: number) => number {
  const x = variable("x", scalarType(dtype));
  const steps: { readonly v: VarLike; readonly run: (values: Map<VarLike, Scalar>) => Scalar }[] = [];
  const result = EXPANSIONS[name](x, (hint, value) => {
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
  const last = e.op === "cast" ? e.args[0] : e.args.at(-1);
  const dtype: DType = last?.type.kind === "Scalar" ? last.type.dtype : "f32";
  const run = scalarFunction(e.op as ScalarPrim, dtype, e.attrs); // expansions hold no memory and no vector primitives
  return (values) => run(...(operands.map((o) => o(values)) as [Scalar, Scalar?, Scalar?])); // as many as the primitive has
}

describe("exp of f32", () => {
  const exp = expanded("f32", "exp");

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
  const exp = expanded("f64", "exp");

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

/** Samples of a function: where, the exact value, the bound in ULP, and its values at the ends. */
interface Sampled {
  readonly name: MathPrim;
  readonly from: number;
  readonly to: number;
  readonly exact: (x: number) => bigint | number;
  readonly bound: number;
  /** Even in the exponent instead of in the value. */
  readonly byExponent?: true;
  readonly ends: readonly (readonly [number, number])[];
}

const LOG_ENDS = [[0, -Infinity], [-0, -Infinity], [1, 0], [Infinity, Infinity], [-1, NaN], [-Infinity, NaN], [NaN, NaN]] as const;
const TANH_ENDS = [[0, 0], [-0, -0], [Infinity, 1], [-Infinity, -1], [NaN, NaN], [50, 1], [-50, -1]] as const;

const ON_F32: readonly Sampled[] = [
  { name: "exp2", from: -150, to: 128, exact: (x) => 2 ** x, bound: 1.1, ends: [[0, 1], [-0, 1], [10, 1024], [-149, 2 ** -149], [-151, 0], [128, Infinity], [NaN, NaN], [-Infinity, 0], [Infinity, Infinity]] },
  { name: "log", from: 2 ** -149, to: 2 ** 128, byExponent: true, exact: Math.log, bound: 0.9, ends: LOG_ENDS },
  { name: "log", from: 0.5, to: 2, exact: Math.log, bound: 0.9, ends: [] },
  { name: "log2", from: 2 ** -149, to: 2 ** 128, byExponent: true, exact: Math.log2, bound: 1.9, ends: [...LOG_ENDS, [8, 3], [2 ** -140, -140]] },
  { name: "log2", from: 0.5, to: 2, exact: Math.log2, bound: 1.9, ends: [] },
  { name: "sin", from: -10, to: 10, exact: Math.sin, bound: 0.501, ends: [[0, 0], [-0, -0], [Infinity, NaN], [NaN, NaN], [2 ** -149, 2 ** -149]] },
  { name: "sin", from: 2 ** -149, to: 2 ** 128, byExponent: true, exact: Math.sin, bound: 0.501, ends: [] },
  { name: "cos", from: -10, to: 10, exact: Math.cos, bound: 0.501, ends: [[0, 1], [-0, 1], [-Infinity, NaN], [NaN, NaN]] },
  { name: "cos", from: 2 ** -149, to: 2 ** 128, byExponent: true, exact: Math.cos, bound: 0.501, ends: [] },
  { name: "tanh", from: -10, to: 10, exact: Math.tanh, bound: 2.6, ends: TANH_ENDS },
  { name: "tanh", from: 2 ** -149, to: 1, byExponent: true, exact: Math.tanh, bound: 2.6, ends: [] },
  { name: "erf", from: -4.5, to: 4.5, exact: erf, bound: 2.8, ends: TANH_ENDS },
  { name: "erf", from: 2 ** -120, to: 1, byExponent: true, exact: erf, bound: 2.8, ends: [] },
];

const ON_F64: readonly Sampled[] = [
  { name: "exp2", from: -1022, to: 1024, exact: exactExp2, bound: 1.1, ends: [[0, 1], [-1074, 5e-324], [-1077, 0], [1024, Infinity], [NaN, NaN]] },
  { name: "log", from: 2 ** -1074, to: 2 ** 1023, byExponent: true, exact: exactLog, bound: 0.9, ends: LOG_ENDS },
  { name: "log", from: 0.5, to: 2, exact: exactLog, bound: 0.9, ends: [] },
  { name: "log2", from: 0.5, to: 2, exact: exactLog2, bound: 1.9, ends: [...LOG_ENDS, [2 ** -1074, -1074], [1024, 10]] },
  { name: "tanh", from: -20, to: 20, exact: exactTanh, bound: 2.6, ends: TANH_ENDS },
  { name: "tanh", from: 2 ** -300, to: 1, byExponent: true, exact: exactTanh, bound: 2.6, ends: [] },
];

function worstOf({ name, from, to, exact, byExponent }: Sampled, dtype: "f32" | "f64", samples: number): number {
  const f = expanded(dtype, name);
  const random = randomBy(7);
  let worst = 0;
  for (let n = 0; n < samples; n++) {
    const at = byExponent ? 2 ** (Math.log2(from) + random.next() * (Math.log2(to) - Math.log2(from))) : from + random.next() * (to - from);
    const x = dtype === "f32" ? Math.fround(at) : at;
    worst = Math.max(worst, dtype === "f32" ? ulpsBetween(f(x), exact(x), 24, -149) : ulpsBetween(f(x), exact(x), 53, -1074));
  }
  return worst;
}

describe("the other functions", () => {
  test.each(ON_F32.map((s) => [s.name, s.from, s] as const))("%s of f32 from %d on errs by no more than its bound", (_name, _from, sampled) => {
    expect(worstOf(sampled, "f32", 8000)).toBeLessThan(sampled.bound);
  });

  test.each(ON_F64.map((s) => [s.name, s.from, s] as const))("%s of f64 from %d on errs by no more than its bound", (_name, _from, sampled) => {
    expect(worstOf(sampled, "f64", 600)).toBeLessThan(sampled.bound);
  });

  test.each([...ON_F32.map((s) => ["f32", s] as const), ...ON_F64.map((s) => ["f64", s] as const)])("ends on %s %#", (dtype, { name, ends }) => {
    const f = expanded(dtype, name);
    for (const [x, wanted] of ends) expect(f(x), `${name}(${x})`).toBe(wanted);
  });
});

test.each(MATH_PRIMS)("%s of a vector takes the very steps of a scalar", (name) => {
  const ops = (x: Expr): readonly string[] => {
    const names: string[] = [];
    const note = (e: Expr): void => walk(e, (node) => void (node.kind === "Prim" && names.push(node.op)));
    note(EXPANSIONS[name](x, (_, value) => (note(value), variable("t", value.type))));
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

