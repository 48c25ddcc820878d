// What is printed reads back as the same IR, and that prints as the same text.

import { parse } from "@tilefoundry/grammar";
import {
  addDims, call, constant, dimVar, equal, graph, INDEX, makeFunction, makeModule, op, returnValues, scalarType, seq, tensorType, tuple, variable,
  type Expr, type ModuleNode, type Param, type SymbolDef,
} from "@tilefoundry/ir";
import { builtinOps } from "@tilefoundry/ops";
import { print } from "@tilefoundry/syntax";
import { makeSource, renderDiagnostics } from "@tilefoundry/text";
import { expect, test } from "vitest";
import { toIR, toSurface } from "../../src/index.ts";
import { program, random } from "./generate.ts";

function read(text: string, name: string): ModuleNode {
  const tree = parse(makeSource(`${name}.tf`, text));
  const { value, diagnostics } = toIR(tree.value, { name, ops: builtinOps });
  const errors = [...tree.diagnostics, ...diagnostics].filter((d) => d.severity === "error");
  expect(renderDiagnostics(errors), text).toBe("");
  return value;
}

function roundTrips(module: ModuleNode): void {
  const text = print(toSurface(module, builtinOps));
  const back = read(text, module.name);
  expect(equal(module, back, { printed: true }), text).toBeUndefined();
  expect(print(toSurface(back, builtinOps))).toBe(text);
}

test("generated functions of all kinds of statements and primitives", () => {
  for (let seed = 0; seed < 200; seed++) roundTrips(program(seed));
});

test("signatures: directions, constants, spaces, bounds, decorators, comments, several functions", () => {
  const symbol = (hint: string, lo: number, hi: number): SymbolDef => ({ var: variable(hint, INDEX), lo, hi });
  const functions = (["prim", "incore", "opaque", "orchestration"] as const).map((func, i) => {
    const [M, K] = [symbol("M", 0, i < 2 ? 2 ** 31 : 64), symbol("K", i === 1 ? 1 : 0, 1025)];
    const shape = [dimVar(M.var), addDims(dimVar(K.var), 1), 4];
    const params: readonly Param[] = [
      { var: variable("k", tensorType([dimVar(K.var)], "bool")), direction: "in" },
      { var: variable("x", tensorType(shape, "f32")), direction: "in" },
      { var: variable("w", tensorType([dimVar(M.var)], "f64"), undefined, true), direction: "in" },
      { var: variable("y", tensorType(shape, "u8", "smem")), direction: "out" },
      { var: variable("z", tensorType([], "index", "acc")), direction: "inout" },
      { var: variable("n", scalarType("i64")), direction: "in" },
    ];
    const body = seq([returnValues([], { comments: ["why it ends"] })], { comments: ["after all"] });
    // Symbols stand in the order in which the signature first names them.
    const spec = { name: `f${i}`, func, params, symbols: [K, M], body, target: i === 0 ? "cpu:generic" : undefined, contract: i === 2 };
    return makeFunction(spec, { comments: ["What it does.", "", "  indented"] });
  });
  roundTrips(makeModule("m", functions, "f2", { comments: ["the end"] }));
});

test("generated graphs keep sharing, labels and comments", () => {
  for (let seed = 0; seed < 100; seed++) roundTrips(graphProgram(seed));
});

/** A random graph of elementwise ops over two parameters; what is used twice has a label. */
function graphProgram(seed: number): ModuleNode {
  const r = random(seed);
  const N = variable("N", INDEX);
  const type = tensorType([dimVar(N), 8], "f32");
  const params = ["x", "y"].map((hint): Param => ({ var: variable(hint, type), direction: "in" }));
  const values: Expr[] = params.map((p) => p.var);
  const uses = new Map<Expr, number>();
  for (let n = 1 + r.below(12); n > 0; n--) {
    // A value without a label has one user, so only labelled ones and parameters are free for more.
    const free = values.filter((v) => v.kind === "Var" || v.meta.label !== undefined || !uses.has(v));
    const take = (): Expr => {
      const value = r.pick(free.filter((v) => v.kind === "Var" || v.meta.label !== undefined || !uses.has(v)));
      uses.set(value, 1);
      return value;
    };
    const meta = r.below(2) === 0 ? { label: `v${n}`, ...(r.below(3) === 0 ? { comments: ["what it is"] } : {}) } : {};
    const name = r.pick(["add", "mul", "exp", "maximum"] as const);
    values.push(call(op(name), name === "exp" ? [take()] : [take(), r.below(4) === 0 ? constant(0.5, scalarType("f32")) : take()], type, meta));
  }
  const [last = values[0], before] = values.filter((v) => v.kind !== "Var" && (v.meta.label !== undefined || !uses.has(v))).reverse();
  const results = [last, ...(r.below(3) === 0 ? [before] : [])].filter((v) => v !== undefined);
  const body = graph(results.length === 1 && last !== undefined ? last : tuple(results));
  const returns = results.map((v) => v.type);
  return makeModule("g", [makeFunction({ name: "g", func: "graph", params, symbols: [{ var: N, lo: 0, hi: 2 ** 31 }], returns, body })], "g");
}
