// The primitives that compute lane by lane on operands of one kind: what the scalar and vector tables are total over.

import type { Tree } from "./tree.ts";
import type { Emit } from "./context.ts";
import type { Interval } from "../ranges.ts";
import type { Opcode } from "./opcodes.ts";
import type { PrimOp } from "@tilefoundry/ir";

export const UNIFORM = [
  "add", "sub", "mul", "div", "floordiv", "mod", "bitand", "bitor", "bitxor", "shl", "shr", "and", "or",
  "eq", "ne", "lt", "le", "gt", "ge", "max", "min", "neg", "invert", "not", "abs", "sqrt", "floor", "ceil", "rint", "fma", "mad",
] as const satisfies readonly PrimOp[];

export type Uniform = (typeof UNIFORM)[number];

/** Builds the result from the operands; `intervals` are those of integer scalar operands. */
export type Build = (operands: readonly Tree[], c: Emit, intervals: readonly Interval[]) => Tree;

/** The typing rule of the primitive admits no such operands. */
export const ILL_TYPED = "ill-typed";

/** One instruction or a sequence. */
export type Row = Opcode | Build | typeof ILL_TYPED;

export type ScalarTable = Readonly<Record<Uniform, Row>>;

/** A vector row may also say that the scalar row is applied to each lane, at least where the amounts of a shift differ. */
export type VectorRow = Row | "lanewise" | { readonly shift: Opcode };

export type VectorTable = Readonly<Record<Uniform, VectorRow>>;

export const isOpcode = (row: Row): row is Opcode => typeof row === "string" && row !== ILL_TYPED;

/** The operand at a position; the typing rule has checked that it is there. */
export function operandAt(operands: readonly Tree[], at: number): Tree {
  const found = operands[at];
  if (found === undefined) throw new Error(`internal error of TileFoundry (please report it): no operand ${at}`);
  return found;
}
