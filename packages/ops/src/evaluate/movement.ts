// Values of windows, element accesses and permutations of axes.

import { invariant } from "@tilefoundry/text";
import type { EvalContext } from "./arguments.ts";
import { stridesOf, walk } from "./iterate.ts";
import { getter, putter, zeros, type ArrayValue, type Scalar } from "./values.ts";

type Report = EvalContext["report"];

/** Extents of the part of a window that lies inside an array: cut at the high side, nothing along an axis with a negative offset. */
function windowExtents(array: ArrayValue, offsets: readonly number[], sizes: readonly number[], access: "read" | "write", report: Report): readonly number[] {
  return sizes.map((size, axis) => {
    const offset = offsets[axis] ?? 0;
    const extent = array.valid[axis] ?? 0;
    if (offset < 0) {
      report?.({ access, axis, index: offset, extent });
      return 0;
    }
    return Math.max(0, Math.min(size, extent - offset));
  });
}

const flat = (array: ArrayValue, index: readonly number[]): number => {
  const strides = stridesOf(array.shape);
  return index.reduce((at, i, axis) => at + i * (strides[axis] ?? 0), 0);
};

/** A new tile with the window's elements. */
export function readWindow(source: ArrayValue, offsets: readonly number[], sizes: readonly number[], report: Report): ArrayValue {
  const valid = windowExtents(source, offsets, sizes, "read", report);
  const tile = zeros(source.dtype, sizes, valid);
  const [get, put, base] = [getter(source), putter(tile), flat(source, offsets)];
  walk(valid, [stridesOf(source.shape), stridesOf(sizes)], ([from = 0, to = 0]) => put(to, get(base + from)));
  return tile;
}

/** Writes the valid part of a tile into a target at the offsets. */
export function writeWindow(target: ArrayValue, offsets: readonly number[], tile: ArrayValue, report: Report): ArrayValue {
  const extents = windowExtents(target, offsets, tile.valid, "write", report);
  const [get, put, base] = [getter(tile), putter(target), flat(target, offsets)];
  walk(extents, [stridesOf(tile.shape), stridesOf(target.shape)], ([from = 0, to = 0]) => put(base + to, get(from)));
  return target;
}

/** The flat position of an element, or undefined outside of the array. */
function position(array: ArrayValue, index: readonly number[], access: "read" | "write", report: Report): number | undefined {
  for (const [axis, i] of index.entries()) {
    const extent = array.valid[axis] ?? 0;
    if (i >= 0 && i < extent) continue;
    report?.({ access, axis, index: i, extent });
    return undefined;
  }
  return flat(array, index);
}

export function readElement(array: ArrayValue, index: readonly number[], report: Report): Scalar {
  const at = position(array, index, "read", report);
  return at === undefined ? (array.dtype === "bool" ? false : 0) : getter(array)(at);
}

export function writeElement(array: ArrayValue, index: readonly number[], value: Scalar, report: Report): ArrayValue {
  const at = position(array, index, "write", report);
  if (at !== undefined) putter(array)(at, value);
  return array;
}

/** A copy whose axis i is axis `order[i]` of the array. */
export function permuteAxes(x: ArrayValue, order: readonly number[]): ArrayValue {
  const pick = (list: readonly number[]): readonly number[] =>
    order.map((axis) => {
      const entry = list[axis];
      invariant(entry !== undefined, () => `axis ${axis} of ${list.length}`);
      return entry;
    });
  const out = zeros(x.dtype, pick(x.shape), pick(x.valid));
  const [get, put] = [getter(x), putter(out)];
  walk(out.valid, [pick(stridesOf(x.shape)), stridesOf(out.shape)], ([from = 0, to = 0]) => put(to, get(from)));
  return out;
}

/** An array with one value everywhere. */
export function filled(array: ArrayValue, value: Scalar): ArrayValue {
  const put = putter(array);
  for (let at = 0; at < array.data.length; at++) put(at, value);
  return array;
}
