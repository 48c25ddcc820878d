// JSON of modules: what is written comes back with its sharing, and whatever a text says, reading it ends in a module or in faults.

import { equal, readJson, writeJson, constant, graph, call, op, assign, addDims, dimVar, makeFunction, makeModule, numberConst, scalarType, seq, tensorType, variable, vecType, returnValues, INDEX, type Expr, type FunctionNode, type ModuleNode } from "@tilefoundry/ir";
import { makeSource, renderDiagnostics, type Code } from "@tilefoundry/text";
import { describe, expect, test } from "vitest";
import { copied, counting, F32, graphed, moduleOf, scaled, summed, vectors } from "./programs.ts";

const PROGRAMS: readonly (readonly [string, () => FunctionNode])[] = [
  ["a lowered loop", () => scaled()], ["a nest with carries", summed], ["a natural while", counting],
  ["a graph with sharing", () => graphed(true)], ["a graph without sharing", () => graphed(false)], ["calls with attributes", copied],
];

const read = (text: string) => readJson(makeSource("m.json", text));

function back(module: ModuleNode): ModuleNode {
  const { value, diagnostics } = read(writeJson(module));
  if (value === undefined) throw new Error(renderDiagnostics(diagnostics));
  return value;
}

describe("what is written", () => {
  test.each(PROGRAMS)("%s comes back equal, and is written as the same bytes", (_, make) => {
    const module = moduleOf(make());
    expect(equal(module, back(module), { printed: true })).toBeUndefined();
    expect(writeJson(back(module))).toBe(writeJson(module));
    expect(writeJson(moduleOf(make()))).toBe(writeJson(module));
  });

  test("keeps floats to the last bit and integers of any size", () => {
    const values = [constant(NaN, F32), constant(Infinity, F32), constant(-Infinity, F32), constant(-0, F32), constant(0, F32), constant(1e-45, F32), constant(0.1, scalarType("f64")), constant(2n ** 63n - 1n, scalarType("i64")), constant(-1n, INDEX), constant(true, scalarType("bool")), constant(1.5, vecType("f32", 4))];
    const stmts = values.map((value, i) => assign(variable(`v${i}`, value.type), value));
    const module = moduleOf(makeFunction({ name: "f", func: "prim", params: [], body: seq(stmts) }));
    expect(equal(module, back(module))).toBeUndefined();
  });

  test("keeps comments, labels and attributes of every sort", () => {
    const { x, type, define } = vectors();
    const attrs = { a: 1.5, b: 7n, c: "T", d: true, e: null, f: [1, -0, NaN], g: { dtype: "f32" }, h: { dims: [4, addDims(dimVar(variable("K", INDEX)), 3)] }, i: -Infinity } as const;
    const value = call(op("thing", attrs), [x], type, { label: "square" });
    const module = makeModule("m", [makeFunction({ ...define(graph(value), { func: "graph", returns: [type] }) }, { comments: ["above", "the kernel"] })], "f", { comments: ["at the end"] });
    expect(writeJson(back(module))).toBe(writeJson(module));
    expect(back(module).functions[0]?.meta.comments).toEqual(["above", "the kernel"]);
  });

  test("is as deep as a graph may be", () => {
    const { x, type, define } = vectors();
    let value: Expr = x;
    for (let i = 0; i < 20_000; i++) value = call(op("neg"), [value], type);
    const module = moduleOf(define(graph(value), { func: "graph", returns: [type] }));
    expect(equal(module, back(module))).toBeUndefined();
  });

  test("may stand within another document", () => {
    const module = moduleOf(summed());
    const { value, diagnostics } = read(`{"file": "a.tf", "module": ${writeJson(module)}, "diagnostics": []}`);
    expect(diagnostics).toEqual([]);
    expect(value && equal(module, value)).toBeUndefined();
  });
});

// — faults —

const document = (nodes: readonly string[], root = nodes.length - 1): string => `{"format":"tilefoundry-ir","version":1,"nodes":[${nodes.join(",")}],"root":${root}}`;
const F32_LINE = '{"kind":"Scalar","dtype":"f32"}';
const deep = (count: number, first: string, next: (id: number) => string): readonly string[] => [first, ...Array.from({ length: count }, (_, i) => next(i))];
const assigned = (count: number): readonly string[] => {
  const values = deep(count, `{"kind":"Const","type":0,"value":1}`, (i) => `{"kind":"Prim","op":"neg","args":[${i + 1}],"type":0}`);
  return [F32_LINE, ...values, '{"kind":"Var","type":0,"hint":"x"}', `{"kind":"Assign","value":${count + 1},"target":${count + 2}}`];
};

const WRONG: readonly (readonly [what: string, text: string, code: Code, message: string])[] = [
  ["no JSON", "{", "TF1030", "expected a key"],
  ["JSON with a key twice", '{"a":1,"a":2}', "TF1030", "`a` again"],
  ["JSON that is cut short", '{"format": "tilef', "TF1030", "the end of the text"],
  ["JSON with a wrong escape", '"\\x"', "TF1030", "escape"],
  ["JSON of ten thousand brackets", "[".repeat(10_000), "TF1011", "64"],
  ["another document", '{"name":"x"}', "TF5050", ".format: expected `\"tilefoundry-ir\"`, found nothing".slice(1)],
  ["a list", "[]", "TF5050", "an object"],
  ["a later version", '{"format":"tilefoundry-ir","version":2}', "TF5051", "version 2"],
  ["no version", '{"format":"tilefoundry-ir"}', "TF5050", "version: expected"],
  ["no nodes", '{"format":"tilefoundry-ir","version":1,"root":0}', "TF5052", "`nodes`"],
  ["an unknown kind", document(['{"kind":"Goto"}']), "TF5050", 'nodes[0].kind: expected a kind of node, type or dim, found "Goto"'],
  ["a prototype's name as kind", document(['{"kind":"toString"}']), "TF5050", "nodes[0].kind"],
  ["a missing field", document(['{"kind":"Scalar"}']), "TF5052", "nodes[0] lacks `dtype`"],
  ["a field too many", document(['{"kind":"Scalar","dtype":"f32","lanes":4}']), "TF5053", "nodes[0] has no field `lanes`"],
  ["a wrong word", document(['{"kind":"Scalar","dtype":"f31"}']), "TF5050", 'nodes[0].dtype: expected a dtype'],
  ["a reference downwards", document(['{"kind":"TupleType","fields":[1]}', F32_LINE]), "TF5054", "nodes[0].fields[0] refers to node 1, which does not stand above"],
  ["a reference to itself", document(['{"kind":"TupleType","fields":[0]}']), "TF5054", "does not stand above"],
  ["a reference to another kind", document([F32_LINE, '{"kind":"Eval","expr":0}']), "TF5054", "of kind Scalar, not an expression"],
  ["half a reference", document([F32_LINE, '{"kind":"Eval","expr":0.5}']), "TF5054", "no number of a node"],
  ["a root that is no module", document([F32_LINE]), "TF5054", "not a module"],
  ["a hint that is no name", document([F32_LINE, '{"kind":"Var","type":0,"hint":"x; y"}']), "TF5050", "nodes[1].hint: expected a name"],
  ["a comment of two lines", document(['{"kind":"Break","meta":{"comments":["a\\nb"]}}']), "TF5050", "line breaks"],
  ["a literal that is no value", document([F32_LINE, '{"kind":"Const","type":0,"value":{"int":"1e5"}}']), "TF5050", "digits"],
  ["a dim that is not in normal form", document(['{"kind":"sum","terms":[],"constant":3}']), "TF5050", "normal form"],
  ["an expression too deep for a statement", document(assigned(1001)), "TF5055", "1002 levels"],
  ["types within types", document(deep(100, F32_LINE, (i) => `{"kind":"TupleType","fields":[${i}]}`)), "TF5055", "levels"],
  ["a type of endless size", document(deep(40, F32_LINE, (i) => `{"kind":"TupleType","fields":[${i},${i}]}`)), "TF5056", "spelt out"],
  ["a module of endless size", document([...deep(90, '{"kind":"Seq","stmts":[]}', (i) => `{"kind":"Seq","stmts":[${i}]}`)]), "TF5050", "no blocks"],
  ["nothing but faults", document(Array.from({ length: 99 }, () => "1")), "TF5057", "20"],
];

describe("reading", () => {
  test.each(WRONG)("refuses %s", (_, text, code, message) => {
    const { value, diagnostics } = read(text);
    expect(value).toBeUndefined();
    expect(diagnostics).toContainEqual(expect.objectContaining({ code, message: expect.stringContaining(message) as string }));
  });

  test("spells out no sharing without end", () => {
    const values = deep(200, '{"kind":"Const","type":0,"value":1}', (i) => `{"kind":"Prim","op":"add","args":[${i + 1},${i + 1}],"type":0}`);
    const at = values.length;
    const nodes = [F32_LINE, ...values, `{"kind":"Eval","expr":${at}}`, `{"kind":"Seq","stmts":[${at + 1}]}`, `{"kind":"Function","name":"f","func":"prim","symbols":[],"params":[],"returns":[],"body":${at + 2}}`, `{"kind":"Module","name":"m","form":"text","functions":[${at + 3}],"children":[],"methods":[]}`];
    expect(read(document(nodes)).diagnostics).toMatchObject([{ code: "TF5056" }]);
  });

  test("points at the line of the file", () => {
    const text = writeJson(moduleOf(scaled())).replace('"hint":"i"', '"hint":"1"');
    const [fault] = read(text).diagnostics;
    expect(fault?.span && text.slice(fault.span.start, fault.span.end)).toBe('"1"');
  });

  test("gives nodes the places of their lines", () => {
    const text = writeJson(moduleOf(scaled()));
    const f = read(text).value?.functions[0];
    expect(f?.meta.span && text.slice(f.meta.span.start, f.meta.span.end)).toMatch(/^\{"kind":"Function"/);
  });
});

test("a text with any one of its values exchanged reads as a module or as faults", () => {
  const text = writeJson(makeModule("m", [scaled(), { ...graphed(true), name: "g" }, { ...copied(), name: "h" }]));
  const tokens = [...text.matchAll(/"[^"]*"|-?\d+(?:\.\d+)?|true|\[|\{/g)];
  for (const { index, 0: token } of tokens) {
    for (const other of ["0", "3", "-1", "1e999", '"f32"', "null", "true", "[]", "{}", '{"float":"nan"}']) {
      const { value, diagnostics } = read(text.slice(0, index) + other + text.slice(index + token.length));
      expect(value === undefined).toBe(diagnostics.length > 0);
    }
  }
});

test("numbers that dtypes do not hold are the verifier's to find", () => {
  expect(read(document([F32_LINE, '{"kind":"Const","type":0,"value":0.1}'], 1)).diagnostics).toMatchObject([{ code: "TF5054" }]);
  const module = moduleOf(makeFunction({ name: "f", func: "prim", params: [], body: seq([returnValues([numberConst(1, "f32")])]), returns: [F32, tensorType([2], "f32")] }));
  expect(equal(module, back(module))).toBeUndefined();
});
