// Arguments of a run against the signature: kinds, dtypes and shapes, each contradiction reported with the parameter's name.

import { bindSymbols, DTYPES, isFloat, sameDType, type DimValues, type DType, type Signature, type SignatureParam } from "@tilefoundry/ir";
import { canonical, isArrayValue, type Scalar, type Value } from "@tilefoundry/ops/evaluate";
import { diagnostic, type Diagnostic, type Outcome } from "@tilefoundry/text";

/** The values of the symbols, or what is wrong with the arguments. */
export function bindArguments(signature: Signature, args: readonly Value[]): Outcome<DimValues> {
  const { params, name } = signature;
  if (args.length !== params.length) {
    const expected = `${params.length} argument${params.length === 1 ? "" : "s"}`;
    return { value: new Map(), diagnostics: [diagnostic("TF6009", undefined, { function: name, expected, given: args.length })] };
  }
  const wrong = params.flatMap((param, i) => checkKind(param, args[i]));
  if (wrong.length > 0) return { value: new Map(), diagnostics: wrong };
  return bindSymbols(signature, args.map((a) => (isArrayValue(a) ? a.shape : undefined)));
}

function checkKind(param: SignatureParam, value: Value | undefined): readonly Diagnostic[] {
  const span = param.var.meta.span;
  const array = value !== undefined && isArrayValue(value) ? value : undefined;
  if (param.kind === "scalar") {
    if (value !== undefined && typeof value !== "object" && holds(param.dtype, value)) return [];
    const given = array === undefined ? `the value ${String(value)}` : "an array";
    return [diagnostic("TF6008", span, { param: param.name, dtype: param.dtype, given })];
  }
  if (array === undefined || sameDType(array.dtype, param.dtype)) return [];
  return [diagnostic("TF6007", span, { param: param.name, expected: param.dtype, given: array.dtype })];
}

function holds(dtype: DType, value: Scalar): boolean {
  if (dtype === "bool") return typeof value === "boolean";
  if (isFloat(dtype)) return typeof value === "number";
  if (typeof value === "boolean" || (typeof value === "number" && !Number.isInteger(value))) return false;
  const { kind, bits } = DTYPES[dtype];
  const whole = BigInt(value);
  return whole === (kind === "uint" ? BigInt.asUintN(bits, whole) : BigInt.asIntN(bits, whole));
}

/** A scalar argument in the form that values of its dtype have. */
export function argumentScalar(dtype: DType, value: Scalar): Scalar {
  if (typeof value === "bigint") return canonical(value);
  if (typeof value === "number") return dtype === "f32" ? Math.fround(value) : isFloat(dtype) ? value : value + 0;
  return value;
}
