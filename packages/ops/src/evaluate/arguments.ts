// Arguments of a catalog call as values: what the functions of `EVALUATE` receive, typed by each record's parameters.

import type { Call, DType, Dim, Expr, TensorType, Type } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { attrArg } from "../attributes.ts";
import { parametersOf } from "../parameters.ts";
import { inputsOf } from "../bind.ts";
import type { BUILTINS, OpName } from "../builtins.ts";
import type { Absent, AttrKind, AttrValueOf, InputKind, OpRecord, Params } from "../define.ts";
import type { ArrayValue, Result, Scalar, Value } from "./values.ts";

/** An operand of an elementwise op. */
export type Operand = ArrayValue | Scalar;

type InputValueOf<K extends InputKind> =
  K extends "indices" ? readonly number[]
  : K extends "operand" ? Operand
  : K extends "scalar" ? Scalar
  : ArrayValue;

type AttrNumbers<K extends AttrKind> = K extends "dims" ? readonly number[] : AttrValueOf<K>;

/** Arguments by name: inputs as values, shapes as numbers. */
export type EvalArgs<P extends Params> = {
  readonly [N in keyof P]: P[N] extends { readonly input: infer K extends InputKind }
    ? InputValueOf<K> | (P[N] extends { readonly optional: true } ? undefined : never)
    : P[N] extends { readonly attr: infer K extends AttrKind } ? AttrNumbers<K> | Absent<P[N]> : never;
};

/** An access outside of an array, which the language defines and a strict run reports. */
export interface OutsideAccess {
  readonly access: "read" | "write";
  readonly axis: number;
  readonly index: number;
  readonly extent: number;
}

export interface EvalContext {
  /** The type of the call. */
  readonly type: Type;
  /** The dtype of each input, by parameter. */
  readonly dtypes: Readonly<Record<string, DType>>;
  readonly report?: ((fault: OutsideAccess) => void) | undefined;
}

/** Computes a call: a new value, or the array it has written into. */
export type Evaluate<P extends Params> = (args: EvalArgs<P>, context: EvalContext) => Result;

/** An evaluation for each built-in op. */
export type EvaluateTable = { readonly [K in OpName]: Evaluate<(typeof BUILTINS)[K]["params"]> };

/** The arguments of a call by name, with expressions and dims turned into values by the caller. */
export function evalArgs(record: OpRecord, call: Call, valueOf: (e: Expr) => Value, dimOf: (d: Dim) => number): EvalArgs<Params> {
  const args: Record<string, unknown> = {};
  for (const { name, spec, value } of inputsOf(record, call)) args[name] = spec.input === "indices" ? indexList(value, valueOf) : valueOf(value);
  for (const { name } of parametersOf(record).attributes) {
    const attr = call.callee.attrs[name];
    if (attr === undefined) continue;
    args[name] = typeof attr === "object" && attr !== null && "dims" in attr ? attr.dims.map(dimOf) : attrArg(attr);
  }
  return args as EvalArgs<Params>; // the binder admitted each argument by the record's own `params`
}

/** What an evaluation needs to know of its call; the same for every run of it. */
export function evalContext(record: OpRecord, call: Call, report?: EvalContext["report"]): EvalContext {
  const dtypes: Record<string, DType> = {};
  for (const { name, value } of inputsOf(record, call)) {
    if (value.type.kind === "Tensor" || value.type.kind === "Scalar") dtypes[name] = value.type.dtype;
  }
  return { type: call.type, dtypes, report };
}

/** Indices as numbers: beyond the safe integers only their being far outside matters. */
const indexList = (list: Expr, valueOf: (e: Expr) => Value): readonly number[] =>
  (list.kind === "Tuple" ? list.elements : [list]).map((e) => Number(valueOf(e)));

/** The dtype of the array a call gives. */
export function resultDType({ type }: EvalContext): DType {
  return resultArray(type).dtype;
}

export function resultArray(type: Type): TensorType {
  invariant(type.kind === "Tensor", () => `an array result of type ${type.kind}`);
  return type;
}
