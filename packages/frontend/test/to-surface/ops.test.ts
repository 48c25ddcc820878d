// Every op's examples as calls: what is printed reads back as the same call, in both traditions.

import { parse } from "@tilefoundry/grammar";
import {
  assign, call, equal, evaluate, INDEX, isTile, makeFunction, makeModule, NO_FACTS, op, scalarType, seq, tensorType, tileType, tuple, UNKNOWN, variable,
  type AttrValue, type Dialect, type Expr, type FunctionNode, type ModuleNode, type Param, type Stmt, type TensorType, type Type,
} from "@tilefoundry/ir";
import { builtinOps, defaultOf, inferCall, isAttr, spellingOf, type Example, type OpRecord } from "@tilefoundry/ops";
import { print } from "@tilefoundry/syntax";
import { makeSource, renderDiagnostics } from "@tilefoundry/text";
import { describe, expect, test } from "vitest";
import { toIR, toSurface } from "../../src/index.ts";

const RECORDS = builtinOps.names().flatMap((name) => {
  const record = builtinOps.byName(name);
  return record === undefined ? [] : [{ name, record }];
});

describe.each(RECORDS)("$name", ({ record }) => {
  test.each(record.examples.map((example) => ({ title: example.title, example })))("$title", ({ example }) => {
    for (const func of ["incore", "prim"] as const) {
      const module = calling(record, example, func);
      if (module === undefined) continue;
      const text = print(toSurface(module, builtinOps));
      const tree = parse(makeSource("f.tf", text));
      const back = toIR(tree.value, { name: "f", ops: builtinOps });
      const errors = [...tree.diagnostics, ...back.diagnostics].filter((d) => d.severity === "error");
      expect(renderDiagnostics(errors), text).toBe("");
      expect(equal(module, back.value, { printed: true }), text).toBeUndefined();
    }
  });
});

/** A function that makes the call of an example, unless its tradition refuses it. Tensors and scalars are its parameters, tiles are made in it. */
function calling(record: OpRecord, example: Example, func: FunctionNode["func"]): ModuleNode | undefined {
  const dialect: Dialect = func === "prim" ? "tf" : "pl";
  const params: Param[] = [];
  const stmts: Stmt[] = [];
  const inputs: Expr[] = [];
  const attrs: Record<string, AttrValue> = {};
  for (const [name, spec] of Object.entries(record.params)) {
    const given = example.args[name];
    if (isAttr(spec)) {
      const value = given === undefined ? defaultOf(spec, spellingOf(record, dialect).namespace) : (given as AttrValue); // of an attribute
      if (value !== undefined) attrs[name] = value;
    } else if (Array.isArray(given)) {
      const indices = given.map((_, axis) => variable(`${name}_${axis}`, INDEX));
      params.push(...indices.map((v): Param => ({ var: v, direction: "in" })));
      inputs.push(tuple(indices));
    } else if (given !== undefined) {
      const input = variable(`${name}_`, literalType(given, spec.input === "tensor"));
      if (isTile(input.type)) stmts.push(assign(input, createTile(input.type)));
      else params.push({ var: input, direction: record.writes === name ? "inout" : "in" });
      inputs.push(input);
    }
  }
  const untyped = call(op(record.name, attrs), inputs, UNKNOWN);
  const made = { ...untyped, type: inferCall(record, untyped, { dialect, facts: NO_FACTS }) };
  if (made.type.kind === "Unknown") return undefined;
  stmts.push(record.writes !== undefined ? evaluate(made) : assign(variable("result", made.type), made));
  return makeModule("f", [makeFunction({ name: "f", func, params, body: seq(stmts) })], "f");
}

const createTile = (type: TensorType): Expr =>
  call(op("create_tile", { shape: { dims: type.shape }, dtype: { dtype: type.dtype }, target_memory: type.storage }), [], type);

function literalType(given: Example["args"][string], tensor: boolean): Type {
  if (typeof given !== "object" || given === null) return UNKNOWN;
  // No tile is empty.
  if ("shape" in given) return tensor || given.domain === "tensor" || given.shape.includes(0) ? tensorType(given.shape, given.dtype) : tileType(given.shape, given.dtype);
  return "scalar" in given ? scalarType(given.dtype) : UNKNOWN;
}
