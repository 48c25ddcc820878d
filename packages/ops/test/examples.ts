// Turns the examples of op records into typed calls with values.

import {
  constant, INDEX, isFloat, NO_FACTS, scalarType, tensorType, tileType, variable,
  type AttrValue, type Call, type Dialect, type DType, type Expr,
} from "@tilefoundry/ir";
import { isAttr, makeCall, parametersOf, type ArrayLiteral, type Example, type OpRecord, type ScalarLiteral, type Static } from "@tilefoundry/ops";
import { arrayOf, canonical, evalArgs, evalContext, evaluateByForm, evaluatorOf, type ArrayValue, type Result, type Scalar, type Value } from "@tilefoundry/ops/evaluate";
import { Reporter } from "@tilefoundry/text";

export interface Case {
  readonly call: Call;
  /** One a argument of the call; index lists as numbers. */
  readonly inputs: readonly (Value | readonly number[])[];
}

export const isArray = (v: unknown): v is ArrayLiteral => typeof v === "object" && v !== null && "shape" in v;
export const isScalar = (v: unknown): v is ScalarLiteral => typeof v === "object" && v !== null && "scalar" in v;

/** A value as its dtype holds it. */
export function held(value: number | bigint | boolean, dtype: DType): Scalar {
  if (typeof value === "boolean") return value;
  if (dtype === "f32") return Math.fround(Number(value));
  return isFloat(dtype) ? Number(value) : canonical(BigInt(value));
}

export function valueOf(literal: ArrayLiteral | ScalarLiteral): Value {
  return isScalar(literal) ? held(literal.scalar, literal.dtype) : arrayValue(literal);
}

/** The value of an example's result, of several arrays too. */
export const resultOf = (result: Example["result"]): Result => (isArray(result) || isScalar(result) ? valueOf(result) : result.map(arrayValue));

function arrayValue(literal: ArrayLiteral): ArrayValue {
  const { dtype, shape, data, valid } = literal;
  return arrayOf(dtype, shape, data.map((x) => held(x, dtype)), valid);
}

function inputExpr(name: string, value: Example["args"][string]): Expr | readonly Expr[] {
  if (isArray(value)) return variable(name, value.domain === "tensor" ? tensorType(value.shape, value.dtype) : tileType(value.shape, value.dtype));
  if (isScalar(value)) return literalOf(value.scalar, value.dtype);
  return (value as readonly number[]).map(() => variable("i", INDEX)); // unknown to inference, which refuses what is provably outside
}

const literalOf = (value: number | bigint | boolean, dtype: DType): Expr =>
  constant(typeof value === "boolean" ? value : isFloat(dtype) ? Number(value) : BigInt(value), scalarType(dtype));

function asStatic(value: AttrValue): Static {
  if (typeof value === "object" && value !== null && "dims" in value) return value.dims.map((dim) => ({ dim }));
  return value as Static;
}

export const dialectFor = (record: OpRecord): Dialect => (record.pl.length > 0 ? "pl" : "tf");

/** The call an example stands for; complaints go to the reporter. */
export function callOf(record: OpRecord, args: Example["args"], reporter: Reporter = new Reporter(), dialect: Dialect = dialectFor(record)): Case | undefined {
  const inputs: (Expr | readonly Expr[] | undefined)[] = [];
  const attributes: (Static | undefined)[] = [];
  const values: (Value | readonly number[])[] = [];
  for (const [i, { name, spec }] of parametersOf(record).all.entries()) {
    const value = args[name];
    if (value === undefined) continue;
    if (isAttr(spec)) attributes[i] = asStatic(value as AttrValue);
    else {
      inputs[i] = inputExpr(name, value);
      values.push(isArray(value) || isScalar(value) ? valueOf(value) : (value as readonly number[]));
    }
  }
  const site = { reporter, span: undefined, spelled: record.name, dialect, namespace: dialect, facts: NO_FACTS, spanOf: () => undefined };
  const call = makeCall(record, { inputs, attributes }, site);
  return call && { call, inputs: values };
}

const noSymbols = (d: unknown): number => Number(d);

/** The value by the table of evaluations. */
export function evaluated(record: OpRecord, { call, inputs }: Case): Result {
  const evaluate = evaluatorOf(record.name);
  if (evaluate === undefined) throw new Error(`no evaluation of ${record.name}`);
  const known = new Map<Expr, Value>();
  for (const [i, arg] of call.args.entries()) {
    const value = inputs[i];
    if (arg.kind === "Tuple" && Array.isArray(value)) arg.elements.forEach((e, n) => known.set(e, value[n] as number));
    else known.set(arg, copied(value as Value));
  }
  return evaluate(evalArgs(record, call, (e) => known.get(e) ?? 0, noSymbols), evalContext(record, call));
}

/** The value by the record's lowering form. */
export const byForm = (record: OpRecord, { call, inputs }: Case): Result =>
  evaluateByForm(record, call, inputs.map((v) => copied(v as Value)), noSymbols);

/** Ops may write into their arguments. */
const copied = (v: Value): Value => (typeof v === "object" && "kind" in v ? { ...v, data: v.data.slice() } : v);
