// Every op with every example of its record, as a kernel of its own: lowered, mapped and placed it still gives the literal result.

import { indexConst, scalarType, tensorType, tupleGet, verify, type AttrValue, type Expr, type ModuleNode, type Var } from "@tilefoundry/ir";
import { builtinOps, type ArrayLiteral, type Example, type OpRecord, type ScalarLiteral } from "@tilefoundry/ops";
import { arrayOf, getter, type ArrayValue, type Scalar, type Value } from "@tilefoundry/ops/evaluate";
import { describe, expect, test } from "vitest";
import { makeKernel, type Kernel, type Static } from "./kernel.ts";
import { CONTEXT, outputsOf, SECOND_HALF } from "./stages.ts";

type Argument = Example["args"][string];

const isArray = (a: Argument): a is ArrayLiteral => typeof a === "object" && a !== null && "data" in a;
const isScalar = (a: Argument): a is ScalarLiteral => typeof a === "object" && a !== null && "scalar" in a;

interface Case {
  readonly module: ModuleNode;
  readonly args: readonly Value[];
}

/** Arrays come in as parameters, tiles by a load; a tile that is valid in part by a load that passes the tensor's end. */
function kernelOf(record: OpRecord, example: Example): Case {
  const k = makeKernel("example", record.pl.length > 0 ? "incore" : "prim");
  const args: Value[] = [];
  const inputs: Record<string, Expr | readonly Expr[]> = {};
  const attributes: Record<string, Static> = {};
  for (const [name, given] of Object.entries(example.args)) {
    const spec = record.params[name];
    if (spec !== undefined && "attr" in spec) attributes[name] = staticOf(given as AttrValue); // an example gives an attribute to an attribute
    else if (isArray(given)) inputs[name] = arrayArgument(k, name, given, args, record.writes === name);
    else if (isScalar(given)) {
      inputs[name] = k.param(name, scalarType(given.dtype));
      args.push(given.scalar as Scalar);
    } else if (Array.isArray(given)) inputs[name] = (given as readonly number[]).map((n, i) => unknownIndex(k, `${name}_${i}`, n, args));
  }
  const value = k.op("result", record.name, inputs, attributes);
  const { type } = value;
  const parts = type.kind === "TupleType" ? type.fields.map((_, i) => k.let(`part_${i}`, tupleGet(value, i))) : [value];
  return { module: k.done(parts), args };
}

/** An index that only the running kernel knows: nothing is proved of it, nothing refused. */
function unknownIndex(k: Kernel, name: string, value: number, args: Value[]): Var {
  args.push(value);
  return k.param(name, scalarType("index"));
}

function arrayArgument(k: Kernel, name: string, given: ArrayLiteral, args: Value[], written: boolean): Var {
  const { shape, dtype, domain = "tensor" } = given;
  if (domain === "tensor") {
    args.push(arrayOf(dtype, shape, given.data as readonly Scalar[]));
    return k.param(name, tensorType(shape, dtype), written ? "inout" : "in");
  }
  const valid = given.valid ?? shape;
  args.push(arrayOf(dtype, valid, validPart(shape, valid).map((at) => given.data[at] as Scalar)));
  const source = k.param(name, tensorType(valid, dtype));
  const offsets = shape.map((_, i) => (valid.includes(0) ? unknownIndex(k, `${name}_at_${i}`, 0, args) : indexConst(0)));
  return k.op(name, "load", { tensor: source, offsets }, { shapes: shape.map(BigInt) });
}

/** Row-major positions of the valid part within the whole. */
function validPart(shape: readonly number[], valid: readonly number[]): readonly number[] {
  return shape.reduce<readonly number[]>((positions, extent, axis) => positions.flatMap((at) => Array.from({ length: valid[axis] ?? extent }, (_, i) => at * extent + i)), [0]);
}

function staticOf(given: AttrValue): Static {
  if (typeof given === "object" && given !== null && "dims" in given) return given.dims.map((dim) => ({ dim }));
  if (Array.isArray(given)) return (given as readonly number[]).map(BigInt);
  return given as Static; // the other attribute values are as the frontend passes them
}

const RECORDS = builtinOps.names().flatMap((name) => builtinOps.byName(name) ?? []);
/** A tile without elements cannot be made in a kernel; some laws still show one. */
const isMakeable = ({ args }: Example): boolean => Object.values(args).every((a) => !isArray(a) || a.domain !== "tile" || !a.shape.includes(0));
const CASES = RECORDS.flatMap((record) => record.examples.filter(isMakeable).map((example) => ({ name: record.name, title: example.title, record, example })));

describe("examples of ops", () => {
  test.each(CASES)("$name: $title", ({ record, example }) => {
    const { module: outlined, args } = kernelOf(record, example);
    let module = outlined;
    for (const pass of SECOND_HALF) {
      const outcome = pass.run(module, CONTEXT);
      expect(outcome.diagnostics).toEqual([]);
      module = outcome.value;
      expect(verify(module, pass.to).map((d) => d.message)).toEqual([]);
      expectResult(outputsOf(module, args, { poison: true }), example, record, pass.name);
    }
  });
});

/** The last arrays are what was returned, or the only one that a write can have changed. */
function expectResult(outputs: readonly ArrayValue[], { result }: Example, record: OpRecord, stage: string): void {
  const literals = "scalar" in result ? [{ shape: [], dtype: result.dtype, data: [result.scalar] }] : "data" in result ? [result] : result;
  for (const [i, literal] of literals.entries()) {
    const found = record.writes !== undefined && literal.domain !== "tile" ? outputs.findLast((a) => a.shape.join() === literal.shape.join()) : outputs.at(i - literals.length);
    expectElements(found, literal, record, stage);
  }
}

function expectElements(found: ArrayValue | undefined, literal: ArrayLiteral, record: OpRecord, stage: string): void {
  const get = found && getter(found);
  const positions = validPart(literal.shape, literal.valid ?? literal.shape);
  for (const at of positions) {
    const [got, wanted] = [get?.(at), literal.data[at]];
    const unit = Math.abs(Number(wanted)) * 2 ** (literal.dtype === "f64" ? -52 : -23);
    const close = Object.is(Number(got), Number(wanted)) || Math.abs(Number(got) - Number(wanted)) <= (record.ulp ?? 0) * unit;
    expect(close, `${stage}: element ${at} is ${String(got)}, not ${String(wanted)}`).toBe(true);
  }
}

