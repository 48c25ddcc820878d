// Walking several arrays at once over one index space, with broadcasting.

import { sameDType, type DType } from "@tilefoundry/ir";
import type { Operand } from "./arguments.ts";
import { castFunction } from "./casts.ts";
import { getter, isArrayValue, type ArrayValue, type Scalar } from "./values.ts";

/** How far apart neighbours along each axis are, row-major. */
export function stridesOf(shape: readonly number[]): readonly number[] {
  const strides: number[] = [];
  for (let axis = shape.length - 1, next = 1; axis >= 0; axis--) {
    strides[axis] = next;
    next *= shape[axis] ?? 1;
  }
  return strides;
}

/** Strides of an array in an index space of a higher or equal rank: right-aligned, 0 along axes that it repeats. */
export function broadcastStrides(shape: readonly number[], rank: number): readonly number[] {
  const own = stridesOf(shape);
  return Array.from({ length: rank }, (_, axis) => {
    const at = axis - rank + shape.length;
    return at < 0 || shape[at] === 1 ? 0 : (own[at] ?? 0);
  });
}

/** Right-aligned broadcast of shapes that inference has found to agree. */
export function broadcastShape(shapes: readonly (readonly number[])[]): readonly number[] {
  const rank = Math.max(0, ...shapes.map((s) => s.length));
  return Array.from({ length: rank }, (_, axis) => {
    const extents = shapes.map((s) => s[axis - rank + s.length] ?? 1);
    return extents.find((e) => e !== 1) ?? 1;
  });
}

/** The part of a broadcast result that is valid in all operands; along a repeated axis an operand counts only where it is empty. */
export function broadcastValid(shape: readonly number[], arrays: readonly ArrayValue[]): readonly number[] {
  return shape.map((extent, axis) => {
    let least = extent;
    for (const array of arrays) {
      const at = axis - shape.length + array.shape.length;
      const valid = array.valid[at];
      if (valid === undefined) continue;
      const repeated = array.shape[at] === 1 && extent !== 1;
      least = Math.min(least, repeated ? (valid === 0 ? 0 : extent) : valid);
    }
    return least;
  });
}

/** Visits each index of the extents in row-major order with the flat position in each of the walked arrays. */
export function walk(extents: readonly number[], strides: readonly (readonly number[])[], visit: (at: readonly number[]) => void): void {
  if (extents.some((e) => e <= 0)) return;
  const at = strides.map(() => 0);
  const descend = (axis: number): void => {
    const extent = extents[axis];
    if (extent === undefined) return visit(at);
    for (let i = 0; i < extent; i++) {
      descend(axis + 1);
      for (let n = 0; n < at.length; n++) at[n] = (at[n] ?? 0) + (strides[n]?.[axis] ?? 0);
    }
    for (let n = 0; n < at.length; n++) at[n] = (at[n] ?? 0) - extent * (strides[n]?.[axis] ?? 0);
  };
  descend(0);
}

/** Reads an operand's element at a flat position, in a dtype; a scalar is the same everywhere. */
export function readAs(operand: Operand, from: DType, to: DType): (at: number) => Scalar {
  const convert = sameDType(from, to) ? undefined : castFunction(from, to);
  if (!isArrayValue(operand)) {
    const value = convert === undefined ? operand : convert(operand);
    return () => value;
  }
  const get = getter(operand);
  return convert === undefined ? get : (at) => convert(get(at));
}
