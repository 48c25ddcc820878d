// How outputs are compared: bit for bit, or for sums and functions by the composite bound. No loose constants.

import { NdArray, type CallArguments } from "tilefoundry";
import type { Expected, Sample } from "./sample.ts";

export interface Comparison {
  readonly ok: boolean;
  /** Largest error over its bound; 0 for an exact match. */
  readonly worst: number;
  readonly message: string;
}

/** Arguments that a run may write into: every array is a copy. */
export function freshArguments(args: CallArguments): CallArguments {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, value instanceof NdArray ? value.copy() : value]));
}

/** Compares every output of a sample with its references. */
export function compareSample(sample: Sample, args: CallArguments, outputs: Readonly<Record<string, NdArray>>): readonly (Comparison & { readonly name: string })[] {
  const single = sample.reference(args, Math.fround);
  const double = sample.reference(args, (x) => x);
  return Object.entries(single).map(([name, expected]) => {
    const actual = outputs[name];
    if (actual === undefined) return { name, ok: false, worst: Infinity, message: `there is no output ${name}` };
    const exact = double[name] ?? expected;
    return { name, ...(sample.comparison === "exact" ? compareExact(name, actual, expected) : compareComposite(name, actual, expected, exact)) };
  });
}

/** Equal elements; NaN equals NaN, and zeros of either sign are equal only to their own. */
export function compareExact(name: string, actual: NdArray, expected: Expected): Comparison {
  if (!sameShape(actual, expected)) return wrongShape(name, actual, expected);
  for (let i = 0; i < expected.data.length; i++) {
    const [a, e] = [Number(actual.data[i]), Number(expected.data[i])];
    if (!Object.is(a, e)) return { ok: false, worst: Infinity, message: `${name}[${i}] is ${a}, expected ${e}` };
  }
  return { ok: true, worst: 0, message: "bit for bit" };
}

/**
 * The largest error against f64, scaled by the largest element of its row, is at most four times that of the straightforward f32
 * reference, or two units in the last place of the row's largest element, whichever is more.
 */
export function compareComposite(name: string, actual: NdArray, single: Expected, double: Expected): Comparison {
  if (!sameShape(actual, double)) return wrongShape(name, actual, double);
  const columns = double.shape[double.shape.length - 1] ?? 1;
  let [error, reference] = [0, 0];
  for (let row = 0; row * columns < double.data.length; row++) {
    const end = Math.min((row + 1) * columns, double.data.length);
    let scale = 0;
    for (let i = row * columns; i < end; i++) if (Number.isFinite(double.data[i])) scale = Math.max(scale, Math.abs(double.data[i] ?? 0));
    for (let i = row * columns; i < end; i++) {
      const [a, s, d] = [Number(actual.data[i]), single.data[i] ?? NaN, double.data[i] ?? NaN];
      if (Number.isNaN(d) || !Number.isFinite(d)) {
        if (!Object.is(a, d) && !(Number.isNaN(a) && Number.isNaN(d))) return { ok: false, worst: Infinity, message: `${name}[${i}] is ${a}, expected ${d}` };
        continue;
      }
      if (scale === 0) continue;
      error = Math.max(error, Number.isFinite(a) ? Math.abs(a - d) / scale : Infinity);
      reference = Math.max(reference, Math.abs(s - d) / scale);
    }
  }
  const bound = Math.max(4 * reference, 2 * 2 ** -23);
  const worst = error / bound;
  return { ok: worst <= 1, worst, message: `error ${error.toExponential(1)} of a row's largest element, bound ${bound.toExponential(1)}` };
}

function sameShape(actual: NdArray, expected: Expected): boolean {
  return actual.dtype === expected.dtype && actual.shape.length === expected.shape.length && actual.shape.every((d, i) => d === expected.shape[i]);
}

function wrongShape(name: string, actual: NdArray, expected: Expected): Comparison {
  const text = (a: { dtype: string; shape: readonly number[] }): string => `${a.dtype}[${a.shape.join(", ")}]`;
  return { ok: false, worst: Infinity, message: `${name} is ${text(actual)}, expected ${text(expected)}` };
}
