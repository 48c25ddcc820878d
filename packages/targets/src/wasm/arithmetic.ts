// Uniform primitives: scalars and vectors through their tables. Index arithmetic is done in i32 where ranges prove that nothing is lost.

import { isFloat, type Expr, type Prim, type PrimOp } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { isWithin, type Interval } from "../ranges.ts";
import { partsOf, type Emit, type Parts } from "./context.ts";
import { low, wide } from "./integers.ts";
import { lanewise, toMask } from "./lanes.ts";
import type { Opcode } from "./opcodes.ts";
import { kindOfType, lanesOf, vectorLanes, type Kind, type Lanes } from "./registers.ts";
import { SCALARS } from "./scalars.ts";
import { op, type Tree } from "./tree.ts";
import { ILL_TYPED, isOpcode, operandAt, type Row, type Uniform } from "./uniform.ts";
import { uniformAmount, VECTORS } from "./vectors.ts";

const INT32: Interval = { lo: -(2 ** 31), hi: 2 ** 31 - 1 };
export const fitsInt32 = (interval: Interval): boolean => isWithin(interval, INT32);

/** A primitive by its name in the tables. */
export function uniform(name: Uniform, p: Prim, c: Emit): Parts {
  const [first] = p.args;
  invariant(first !== undefined, () => `${name} without operands`);
  return first.type.kind === "Vec" ? vector(name, p, first, c) : [scalar(name, p, kindOfType(first.type), c)];
}

// — scalars —

const NO_INTERVALS: readonly Interval[] = [];

function scalar(name: Uniform, p: Prim, kind: Kind, c: Emit): Tree {
  const row = SCALARS[kind][name];
  const trees = p.args.map((a) => c.scalar(a));
  if (kind === "f32" || kind === "f64") return applyRow(row, trees, NO_INTERVALS, p, c);
  const intervals = p.args.map((a) => c.ranges.of(a));
  if (kind !== "i64") return applyRow(row, trees, intervals, p, c);
  return fitsNarrow(name, p, intervals, c)
    ? applyRow(SCALARS.i32[name], trees.map(low), intervals, p, c)
    : applyRow(row, trees.map(wide), intervals, p, c);
}

/** The low 32 bits of the result depend only on those of the operands. */
const MODULAR: ReadonlySet<PrimOp> = new Set<Uniform>(["add", "sub", "mul", "neg", "bitand", "bitor", "bitxor", "invert", "mad"]);
const COMPARES: ReadonlySet<PrimOp> = new Set<Uniform>(["eq", "ne", "lt", "le", "gt", "ge"]);

const isModular = (op: PrimOp): op is Uniform => MODULAR.has(op);

/** Whether 32 bits give the same result. A shift's amount would be taken modulo another width, unless it is small. */
function fitsNarrow(name: Uniform, p: Prim, intervals: readonly Interval[], c: Emit): boolean {
  if (!COMPARES.has(name) && !fitsInt32(c.ranges.of(p))) return false;
  if (isModular(name)) return true;
  if (!intervals.every(fitsInt32)) return false;
  return (name !== "shl" && name !== "shr") || isWithin(intervals[1] ?? INT32, { lo: 0, hi: 31 });
}

/** The low 32 bits of an index expression, computed in 32 bits as far as possible. */
export function lowBits(e: Expr, c: Emit): Tree {
  if (e.kind !== "Prim" || e.type.kind !== "Scalar" || isFloat(e.type.dtype) || !isModular(e.op)) return low(c.scalar(e));
  return applyRow(SCALARS.i32[e.op], e.args.map((a) => lowBits(a, c)), NO_INTERVALS, e, c);
}

export function applyRow(row: Row, trees: readonly Tree[], intervals: readonly Interval[], p: Prim, c: Emit): Tree {
  if (isOpcode(row)) return op(row, trees);
  invariant(row !== ILL_TYPED, () => `${p.op} on operands that its typing rule refuses`);
  return row(trees, c, intervals);
}

// — vectors —

function vector(name: Uniform, p: Prim, first: Expr, c: Emit): Parts {
  const lanes = vectorLanes(first.type);
  const row = VECTORS[lanes.kind][name];
  const args = p.args.map((a) => c.value(a));
  if (row === "lanewise") return eachLane(name, p, args, lanes.kind, c);
  if (typeof row === "object" && "shift" in row) return shift(name, row.shift, p, args, lanes, c);
  const parts: Tree[] = [];
  for (let part = 0; part < lanes.parts; part++) parts.push(applyRow(row, acrossPart(args, part), NO_INTERVALS, p, c));
  return COMPARES.has(name) && lanes.kind !== "bool" ? toMask(parts, lanes.shape, lanes.count, c) : parts;
}

/** One part of each operand. */
function acrossPart(args: readonly Parts[], part: number): readonly Tree[] {
  const operands: Tree[] = [];
  for (const parts of args) operands.push(operandAt(parts, part));
  return operands;
}

/** By the instruction, which shifts all lanes by one amount, if the amounts of each part are equal; else lane by lane. */
function shift(name: Uniform, instruction: Opcode, p: Prim, args: readonly Parts[], lanes: Lanes, c: Emit): Parts {
  const amounts = args[1]?.map((part) => uniformAmount(lanes.shape, part)) ?? [];
  if (!amounts.every((amount) => amount !== undefined)) return eachLane(name, p, args, lanes.kind, c);
  return partsOf(lanes.parts, (part) => op(instruction, [operandAt(args[0] ?? [], part), operandAt(amounts, part)]));
}

function eachLane(name: Uniform, p: Prim, args: readonly Parts[], kind: Kind, c: Emit): Parts {
  const to = vectorLanes(p.type);
  const from = lanesOf(kind, to.count);
  const row = SCALARS[kind][name];
  invariant(row !== ILL_TYPED, () => `${name} on ${kind}`);
  return lanewise(args, args.map(() => from), to, c, (operands) => applyRow(row, operands, NO_INTERVALS, p, c));
}
