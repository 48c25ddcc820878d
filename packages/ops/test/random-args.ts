// Seeded random arguments in the shapes of an example, of any dtype that its record has.

import { DTYPES, isFloat, type DType } from "@tilefoundry/ir";
import { isAttr, type ArrayLiteral, type Example, type OpRecord, type ParamSpec } from "@tilefoundry/ops";
import { LIMITS } from "@tilefoundry/ops/evaluate";
import { isArray, isScalar } from "./examples.ts";

let state = 12345;
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

function randomElement(dtype: DType): number | bigint | boolean {
  if (dtype === "bool") return random() < 0.5;
  if (isFloat(dtype)) return random() < 0.1 ? [NaN, Infinity, -Infinity, -0, 0][Math.floor(random() * 5)] ?? 0 : Math.fround((random() - 0.5) * 16);
  if (random() < 0.15) return (LIMITS[dtype][random() < 0.5 ? 0 : 1] as number | bigint);
  return Math.floor(random() * 20) - (DTYPES[dtype].kind === "uint" ? 0 : 10);
}

/** The dtype an input takes in a call on `dtype`: its own if it has one; accumulators of narrow elements have 32 bits. */
function inputDType(param: string, spec: ParamSpec | undefined, dtype: DType): DType {
  if (spec !== undefined && !isAttr(spec) && spec.of !== undefined) return spec.of[0] ?? dtype;
  const accumulates = param === "acc" || param === "bias";
  return accumulates && DTYPES[dtype].bits < 32 ? (isFloat(dtype) ? "f32" : "i32") : dtype;
}

export function randomArgs(record: OpRecord, { args }: Example, dtype: DType): Example["args"] {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const spec = record.params[name];
      const own = inputDType(name, spec, dtype);
      if (isArray(value)) return [name, randomArray(value, own)];
      if (isScalar(value)) return [name, { scalar: randomElement(own), dtype: own }];
      if (spec !== undefined && isAttr(spec) && spec.attr === "dtype" && record.name !== "cast") return [name, { dtype }];
      if (spec !== undefined && isAttr(spec) && spec.attr === "literal") return [name, dtype === "bool" ? true : 1];
      return [name, value];
    }),
  );
}

function randomArray(like: ArrayLiteral, dtype: DType): ArrayLiteral {
  return { ...like, dtype, data: like.data.map(() => randomElement(dtype)) };
}
