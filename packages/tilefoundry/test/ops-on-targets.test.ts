// Every op of the catalog, on every dtype that its record has: what the targets compute of random arguments is what the interpreter
// computes of the placed program, bit for bit; and, if the op is exactly rounded, what the op itself computes.

import {
  assign, call, evaluate, INDEX, isTile, makeFunction, makeModule, NO_FACTS, returnValues, seq, tensorType, tuple, tupleGet, variable,
  type Expr, type ModuleNode, type Param, type Stmt, type TensorType, type Var,
} from "@tilefoundry/ir";
import { builtinOps, makeCall, type Example, type OpRecord } from "@tilefoundry/ops";
import { arrayOf, isArrayValue, type Value } from "@tilefoundry/ops/evaluate";
import { findCompiler } from "@tilefoundry/runtime";
import { TARGETS } from "@tilefoundry/targets";
import { Reporter } from "@tilefoundry/text";
import { describe, expect, test } from "vitest";
import { callOf, type Case } from "../../ops/test/examples.ts";
import { randomArgs } from "../../ops/test/random-args.ts";
import { randomBy, seedOf, type Random } from "./generate-random.ts";
import { cpuAgrees, deviceOf, keepsBits, wasmAgrees } from "./laws.ts";

interface Kernel {
  readonly module: ModuleNode;
  readonly args: readonly Value[];
}

/** A function that makes a call: tensors and indices are its parameters, tiles are loaded from some. */
function kernelOf(record: OpRecord, { call: made, inputs }: Case): Kernel {
  const params: Param[] = [];
  const args: Value[] = [];
  const stmts: Stmt[] = [];
  const parameter = (v: Var, value: Value, written = false): void => {
    params.push({ var: v, direction: written ? "inout" : "in" });
    args.push(value);
  };
  const operands = made.args.map((arg, i): Expr => {
    const value = inputs[i] ?? 0;
    if (arg.kind === "Tuple") {
      const indices = arg.elements.map((_, axis) => variable(`at_${i}_${axis}`, INDEX));
      for (const [axis, v] of indices.entries()) parameter(v, (value as readonly number[])[axis] ?? 0); // of a list of indices
      return tuple(indices);
    }
    if (arg.kind !== "Var" || arg.type.kind !== "Tensor" || typeof value !== "object" || !("kind" in value)) return arg;
    const own = variable(`${arg.hint}_${i}`, arg.type);
    if (!isTile(arg.type)) parameter(own, value, record.writes === arg.hint);
    else stmts.push(assign(own, loaded(arg.type, value, `${own.hint}_source`, parameter)));
    return own;
  });
  const result = call(made.callee, operands, made.type);
  const values = record.writes === undefined ? returnedParts(result, stmts) : [];
  if (record.writes !== undefined) stmts.push(evaluate(result));
  const body = seq([...stmts, returnValues(values)]);
  const fn = makeFunction({ name: "f", func: record.pl.length > 0 ? "incore" : "prim", params, returns: values.map((v) => v.type), body });
  return { module: makeModule("f", [fn], "f"), args };
}

/** Names the value of a call, or each of its parts. */
function returnedParts(result: Expr, stmts: Stmt[]): readonly Var[] {
  const whole = variable("result", result.type);
  stmts.push(assign(whole, result));
  if (result.type.kind !== "TupleType") return [whole];
  const parts = result.type.fields.map((field, i) => variable(`part_${i}`, field));
  stmts.push(...parts.map((part, i) => assign(part, tupleGet(whole, i))));
  return parts;
}

/** A tile with the elements of an array, cut to its valid part by a tensor of that extent. */
function loaded(type: TensorType, value: Value, hint: string, parameter: (v: Var, value: Value) => void): Expr {
  if (!isArrayValue(value)) throw new Error("a tile without elements");
  const whole = value.valid.every((n, axis) => n === value.shape[axis]);
  const source = variable(hint, tensorType(value.valid, type.dtype));
  parameter(source, whole ? value : arrayOf(type.dtype, value.valid, Array.from({ length: value.valid.reduce((n, d) => n * d, 1) }, (_, i) => (type.dtype === "bool" ? i % 2 === 0 : i % 5))));
  const record = builtinOps.byName("load");
  const site = { reporter: new Reporter(), span: undefined, spelled: "pl.load", dialect: "pl", namespace: "pl", facts: NO_FACTS, spanOf: () => undefined } as const;
  const offsets = value.valid.map((_, axis) => variable(`${hint}_at_${axis}`, INDEX)); // nothing is proved of them
  for (const v of offsets) parameter(v, 0);
  const load = record && makeCall(record, { inputs: [source, offsets], attributes: [undefined, undefined, type.shape.map((d) => ({ dim: d }))] }, site);
  if (load === undefined) throw new Error(`no tile ${hint}`);
  return load;
}

const DEVICE = deviceOf(TARGETS.wasm);

const hasElements = ({ args }: Example): boolean => Object.values(args).every((a) => typeof a !== "object" || a === null || !("shape" in a) || a.domain !== "tile" || !a.shape.includes(0));

const CASES = builtinOps.names().flatMap((name) => {
  const record = builtinOps.byName(name);
  return record === undefined ? [] : record.dtypes.map((dtype) => ({ name, dtype, record }));
});

describe("ops in WebAssembly", () => {
  test.each(CASES)("$name on $dtype", ({ record, dtype }) => {
    const cases = record.examples.filter(hasElements).flatMap((example) => callOf(record, randomArgs(record, example, dtype)) ?? []);
    expect(cases.length).toBeGreaterThan(0);
    for (const made of cases) {
      const { module, args } = kernelOf(record, made);
      expect(wasmAgrees(module, args)).toBeUndefined();
      if (record.ulp === 0) expect(keepsBits(module, args, DEVICE, true)).toBeUndefined();
    }
  });
});

/** The same in C, on one dtype of each op: what differs between dtypes there is held by the tests of its primitives. */
describe("ops in C", () => {
  test.skipIf(findCompiler() === undefined).each(CASES.filter(({ record, dtype }) => dtype === record.dtypes[0]))("$name [needs a C compiler]", ({ record, dtype }) => {
    const made = record.examples.filter(hasElements).map((example) => callOf(record, randomArgs(record, example, dtype))).find((c) => c !== undefined);
    if (made === undefined) throw new Error(`no call of ${record.name}`);
    const { module, args } = kernelOf(record, made);
    expect(cpuAgrees(module, args)).toBeUndefined();
  });
});

// — shapes at random —

const EXTENTS = [0, 1, 2, 3, 5, 8, 17, 33];

/** The arguments of an example with arrays of one random shape, some broadcast along some axes, tiles valid in part. */
function reshaped({ args }: Example, random: Random): Example["args"] {
  const shape = Array.from({ length: random.below(6) }, () => random.pick(EXTENTS.slice(0, 8)));
  while (shape.reduce((n, d) => n * d, 1) > 4096) shape.pop();
  return Object.fromEntries(Object.entries(args).map(([name, value]) => {
    if (typeof value !== "object" || value === null || !("shape" in value)) return [name, value];
    const isTileHere = value.domain === "tile";
    const own = shape.map((d) => (isTileHere && d === 0) || random.chance(0.1) ? 1 : d);
    const valid = isTileHere ? { valid: own.map((d) => (random.chance(0.3) ? random.below(d + 1) : d)) } : {};
    const { valid: _, ...like } = value;
    return [name, { ...like, shape: own, ...valid, data: Array.from({ length: own.reduce((n, d) => n * d, 1) }, () => 0) }];
  }));
}

const NAMES = CASES.filter(({ record, dtype }) => dtype === record.dtypes[0]);
const TRIES = 6;

describe("ops on random shapes", () => {
  test.each(NAMES)("$name", ({ name, record }) => {
    const random = randomBy(seedOf(1, name));
    for (let n = 0; n < TRIES; n++) {
      const example = random.pick(record.examples);
      const made = callOf(record, randomArgs(record, { ...example, args: reshaped(example, random) }, random.pick(record.dtypes)));
      if (made === undefined) continue; // no such shapes for this op
      const { module, args } = kernelOf(record, made);
      const shown = (): string => JSON.stringify(made.inputs.map((v) => (typeof v === "object" && "kind" in v ? [v.dtype, v.shape, v.valid] : String(v))));
      expect(wasmAgrees(module, args), shown()).toBeUndefined();
      if (record.ulp === 0) expect(keepsBits(module, args, DEVICE, true), shown()).toBeUndefined();
    }
  });
});
