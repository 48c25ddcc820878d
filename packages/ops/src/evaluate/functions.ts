// Values of the activations, step by step in a dtype.

import type { DType } from "@tilefoundry/ir";
import { scalarFunction, type ScalarFunction, type ScalarPrim } from "./scalars.ts";

const steps = <P extends ScalarPrim>(dtype: DType, ...prims: readonly P[]): Readonly<Record<P, ScalarFunction>> =>
  Object.fromEntries(prims.map((p) => [p, scalarFunction(p, dtype)])) as Record<P, ScalarFunction>; // Object.fromEntries forgets the key type

export function logistic(dtype: DType): ScalarFunction {
  const { add, div, exp, neg } = steps(dtype, "add", "div", "exp", "neg");
  return (x) => div(1, add(1, exp(neg(x))));
}

export function silu(dtype: DType): ScalarFunction {
  const { mul } = steps(dtype, "mul");
  const share = logistic(dtype);
  return (x) => (x === -Infinity ? 0 : mul(x, share(x)));
}

export function softplus(dtype: DType): ScalarFunction {
  const { abs, add, div, exp, log, max, mul, neg, sub } = steps(dtype, "abs", "add", "div", "exp", "log", "max", "mul", "neg", "sub");
  return (x) => {
    const power = exp(neg(abs(x)));
    const sum = add(1, power);
    const rest = sub(sum, 1);
    return add(max(x, 0), rest === 0 ? power : div(mul(log(sum), power), rest));
  };
}

/** 0.5 x (1 + shape(x)). */
const gelu = (shape: (dtype: DType) => ScalarFunction) => (dtype: DType): ScalarFunction => {
  const { add, mul } = steps(dtype, "add", "mul");
  const of = shape(dtype);
  return (x) => mul(mul(0.5, x), add(1, of(x)));
};

export const geluByTanh = gelu((dtype) => {
  const { add, mul, tanh } = steps(dtype, "add", "mul", "tanh");
  const [root, cubic] = [rounded(Math.sqrt(2 / Math.PI), dtype), rounded(0.044715, dtype)];
  return (x) => tanh(mul(root, add(x, mul(cubic, mul(mul(x, x), x)))));
});

export const geluByErf = gelu((dtype) => {
  const { erf, mul } = steps(dtype, "erf", "mul");
  const root = rounded(Math.SQRT1_2, dtype);
  return (x) => erf(mul(x, root));
});

const rounded = (value: number, dtype: DType): number => (dtype === "f32" ? Math.fround(value) : value);

export function leaky(dtype: DType): ScalarFunction {
  const { mul } = steps(dtype, "mul");
  return (x, slope = 0) => (Number(x) > 0 ? x : mul(x, slope));
}
