// A short numeric summary of an output array.

import type { NdArray } from "@tilefoundry/runtime";

export interface ArraySummary {
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  /** First elements in row-major order; text where JSON has no number (NaN, infinities, large integers). */
  readonly first: readonly (number | string)[];
}

const FIRST = 6;

export function summarize(array: NdArray): ArraySummary {
  const { data } = array;
  let [min, max, sum] = [Infinity, -Infinity, 0];
  for (let i = 0; i < data.length; i++) {
    const x = Number(data[i]);
    // comparisons skip NaN, so spread it by hand
    min = Number.isNaN(x) ? x : x < min ? x : min;
    max = Number.isNaN(x) ? x : x > max ? x : max;
    sum += x;
  }
  const empty = data.length === 0;
  return {
    shape: array.shape,
    dtype: array.dtype,
    min: empty ? null : min,
    max: empty ? null : max,
    mean: empty ? null : sum / data.length,
    first: Array.from({ length: Math.min(FIRST, data.length) }, (_, i) => shown(data[i] ?? 0)),
  };
}

const shown = (x: number | bigint): number | string => (Number.isFinite(Number(x)) && (typeof x === "number" || Number.isSafeInteger(Number(x))) ? Number(x) : String(x));

export function summaryLine(name: string, s: ArraySummary): string {
  const more = s.shape.reduce((n, d) => n * d, 1) > s.first.length ? ", …" : "";
  const stats = s.min === null ? "empty" : `min ${short(s.min)}  max ${short(s.max ?? 0)}  mean ${short(s.mean ?? 0)}`;
  return `${name}: ${s.dtype}[${s.shape.join(", ")}]  ${stats}  [${s.first.map((x) => (typeof x === "number" ? short(x) : x)).join(", ")}${more}]`;
}

export const short = (x: number): string => (Number.isInteger(x) ? String(x) : String(Number(x.toPrecision(6))));
