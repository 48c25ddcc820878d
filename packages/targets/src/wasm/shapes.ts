// How a v128 divides into lanes, and the instructions that move single lanes.

import type { Opcode, ValueType } from "./opcodes.ts";

export type LaneShape = "i32x4" | "i64x2" | "f32x4" | "f64x2";

interface ShapeRow {
  readonly lanes: 2 | 4;
  /** Type of a lane as a scalar. */
  readonly element: Exclude<ValueType, "v128">;
  readonly splat: Opcode;
  readonly extract: Opcode;
  readonly replace: Opcode;
  /** Of a mask in lanes as wide. */
  readonly allTrue: Opcode;
}

const row = (shape: LaneShape, lanes: 2 | 4, element: ShapeRow["element"]): ShapeRow => ({
  lanes,
  element,
  splat: `${shape}.splat`,
  extract: `${shape}.extract_lane`,
  replace: `${shape}.replace_lane`,
  allTrue: lanes === 2 ? "i64x2.all_true" : "i32x4.all_true",
});

export const SHAPES: Readonly<Record<LaneShape, ShapeRow>> = {
  i32x4: row("i32x4", 4, "i32"),
  i64x2: row("i64x2", 2, "i64"),
  f32x4: row("f32x4", 4, "f32"),
  f64x2: row("f64x2", 2, "f64"),
};

/** Whether lanes have 64 bits. */
export const isWide = (shape: LaneShape): boolean => SHAPES[shape].lanes === 2;
