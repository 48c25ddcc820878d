// Compiling calls of catalog ops: arguments by name as values, computed by `ops/evaluate`; ops of users by their lowering form.

import { dimVars, evalDim, type Call, type Dim, type VarLike } from "@tilefoundry/ir";
import { attrArg, inputsOf, parametersOf, type InputArg, type OpRecord } from "@tilefoundry/ops";
import { evalContext, evaluateByForm, evaluatorOf, isArrayValue, type EvalContext, type Evaluator, type Result, type Value } from "@tilefoundry/ops/evaluate";
import { invariant } from "@tilefoundry/text";
import { compileExpr, compileOne, emit, placeOf, type Builder } from "./builder.ts";
import { compileDims } from "./dims.ts";
import { arrayName } from "./faults.ts";
import { oneRegister, type Place } from "./layout.ts";
import { arrayAt, get64, type Machine } from "./machine.ts";
import { reader, writer } from "./scalars.ts";

export function compileCall(call: Call, b: Builder, into: Place | undefined): Place {
  const record = b.ops.byName(call.callee.name);
  invariant(record !== undefined, () => `the op ${call.callee.name} is not in the context`);
  const to = into ?? b.layout.place(call.type);
  const inputs = inputsOf(record, call).map((input) => ({ name: input.name, read: compileInput(input, b) }));
  const evaluator = evaluatorOf(call.callee.name);
  const compute = evaluator === undefined ? byForm(record, call, inputs, b) : byName(record, call, inputs, evaluator, b);
  const put = putResult(call, to);
  emit(b, (m) => {
    const run = compute(m);
    return () => put(m, run());
  });
  return to;
}

type Read = (m: Machine) => Value | readonly number[];
/** Linked to a machine, computes the value of a call. */
type Compute = (m: Machine) => () => Result;

interface Input {
  readonly name: string;
  readonly read: Read;
}

function compileInput({ spec, value }: InputArg, b: Builder): Read {
  if (spec.input === "indices") {
    const registers = (value.kind === "Tuple" ? value.elements : [value]).map((e) => compileOne(e, b));
    return (m) => registers.map((r) => Number(get64(m, r)));
  }
  const register = oneRegister(compileExpr(value, b));
  if (value.type.kind === "Tensor") return (m) => arrayAt(m, register);
  invariant(value.type.kind === "Scalar", () => `an argument of type ${value.type.kind}`);
  const read = reader(value.type.dtype);
  return (m) => read(m, register);
}

function byName(record: OpRecord, call: Call, inputs: readonly Input[], evaluator: Evaluator, b: Builder): Compute {
  const attributes = compileAttributes(record, call, b);
  const context = evalContext(record, call, outsideReport(record, call, b));
  return (m) => {
    const read = attributes(m);
    return () => {
      const args: Record<string, unknown> = read();
      for (const input of inputs) args[input.name] = input.read(m);
      return evaluator(args as Parameters<Evaluator>[0], context); // the binder admitted each argument by the record's own `params`
    };
  };
}

/** Attributes by name, with shapes as numbers. */
function compileAttributes(record: OpRecord, call: Call, b: Builder): (m: Machine) => () => Record<string, unknown> {
  const parts = parametersOf(record).attributes.flatMap(({ name }) => {
    const attr = call.callee.attrs[name];
    if (attr === undefined) return [];
    const dims = typeof attr === "object" && attr !== null && "dims" in attr ? compileDims(attr.dims, b) : undefined;
    return [{ name, dims, value: dims === undefined ? attrArg(attr) : undefined }];
  });
  return (m) => {
    const linked = parts.map(({ name, dims, value }) => ({ name, read: dims?.(m) ?? (() => value) }));
    return () => {
      const args: Record<string, unknown> = {};
      for (const { name, read } of linked) args[name] = read();
      return args;
    };
  };
}

function byForm(record: OpRecord, call: Call, inputs: readonly Input[], b: Builder): Compute {
  const registers = new Map<VarLike, number>(b.f.symbols.map((s) => [s.var, oneRegister(placeOf(s.var, b))]));
  return (m) => () => evaluateByForm(record, call, inputs.map((i) => i.read(m)), (d) => extentOf(d, registers, m));
}

function extentOf(d: Dim, registers: ReadonlyMap<VarLike, number>, m: Machine): number {
  const values = new Map<VarLike, number>();
  dimVars(d, (v) => values.set(v, Number(get64(m, registers.get(v) ?? 0))));
  return evalDim(d, values);
}

function putResult({ type, callee }: Call, to: Place): (m: Machine, value: Result) => void {
  if (type.kind === "Unit") return () => undefined;
  if (type.kind === "TupleType") return putParts(callee.name, to);
  const register = oneRegister(to);
  if (type.kind === "Scalar") {
    const write = writer(type.dtype);
    return (m, value) => {
      invariant(typeof value !== "object", () => `${callee.name} gives no scalar`);
      write(m, register, value);
    };
  }
  return (m, value) => {
    invariant(isArrayValue(value), () => `${callee.name} gives no array`);
    m.arrays[register] = value;
  };
}

function putParts(op: string, to: Place): (m: Machine, value: Result) => void {
  const registers = typeof to === "number" ? [] : to.map(oneRegister);
  return (m, value) => {
    invariant(Array.isArray(value) && value.length === registers.length, () => `${op} gives no tuple of ${registers.length}`);
    for (const [i, part] of value.entries()) {
      invariant(isArrayValue(part), () => `part ${i} of ${op} is no array`);
      m.arrays[registers[i] ?? 0] = part;
    }
  };
}

// — strict runs —

function outsideReport(record: OpRecord, call: Call, b: Builder): EvalContext["report"] {
  const { faults } = b;
  if (faults === undefined) return undefined;
  const span = call.meta.span ?? b.span;
  const arrays = inputsOf(record, call).filter((input) => input.value.type.kind === "Tensor");
  const nameOf = (input: InputArg | undefined): string => (input === undefined ? "the array" : arrayName(input.value));
  const written = nameOf(arrays.find((input) => input.name === record.writes));
  const read = nameOf(arrays[0]);
  const window = "offsets" in record.params;
  return ({ access, axis, index, extent }) => {
    const params = { array: access === "write" ? written : read, axis, index, extent };
    if (window) faults.report("TF6104", span, params);
    else faults.report(access === "read" ? "TF6102" : "TF6103", span, params);
  };
}
