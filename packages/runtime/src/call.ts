// What loading an artifact gives, and calls whose arguments travel as values of the language (the interpreter).

import type { Signature } from "@tilefoundry/ir";
import type { Value } from "@tilefoundry/ops/evaluate";
import { hasErrors, type Diagnostic, type Outcome } from "@tilefoundry/text";
import { bindArguments, resultOf, type ArgumentValues, type BoundArgument, type CallResult } from "./arguments.ts";

/** Something that runs. Arguments by parameter name; `out` holds arrays to write into. */
export interface Runnable {
  readonly signature: Signature;
  /** Written arrays by name, or what is wrong with the arguments. */
  call(args: ArgumentValues, out?: ArgumentValues): Outcome<CallResult | undefined>;
}

/** Checks the arguments and hands them over in order; arrays are written in place. */
export function callWith(
  signature: Signature, args: ArgumentValues, out: ArgumentValues, run: (values: readonly Value[]) => readonly Diagnostic[],
): Outcome<CallResult | undefined> {
  const { value: bound, diagnostics } = bindArguments(signature, args, out);
  if (bound === undefined) return { value: undefined, diagnostics };
  const found = [...diagnostics, ...run(bound.args.map(valueOf))];
  return { value: hasErrors(found) ? undefined : resultOf(bound), diagnostics: found };
}

function valueOf(argument: BoundArgument): Value {
  if (argument.kind === "array") {
    const { shape, data } = argument.array;
    return { kind: "array", dtype: argument.param.dtype, shape, data, valid: shape };
  }
  const { value, param } = argument;
  if (param.dtype === "bool") return value !== 0;
  if (param.dtype === "f32") return Math.fround(Number(value));
  // a 64-bit integer is a number while it is a safe one
  return typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
