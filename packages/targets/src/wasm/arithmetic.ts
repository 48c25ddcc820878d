// Uniform primitives: scalars and vectors through their tables. Index arithmetic is done in i32 where ranges prove that nothing is lost.

import { isFloat, type Expr, type Prim, type PrimOp } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { isWithin, type Interval } from "../ranges.ts";
import { isUnsupported } from "../unsupported.ts";
import type { Emit, Parts } from "./context.ts";
import { low, wide } from "./integers.ts";
import { lanewise, toMask } from "./lanes.ts";
import { kindOfType, lanesOf, vectorLanes, type Kind } from "./registers.ts";
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

function scalar(name: Uniform, p: Prim, kind: Kind, c: Emit): Tree {
  const intervals = p.args.map((a) => c.ranges.of(a));
  const trees = p.args.map((a) => c.scalar(a));
  if (kind !== "i64") return applyRow(SCALARS[kind][name], trees, intervals, p, c);
  const narrow = fitsNarrow(name, p, intervals, c);
  return applyRow(SCALARS[narrow ? "i32" : "i64"][name], trees.map(narrow ? low : wide), intervals, p, c);
}

/** The low 32 bits of the result depend only on those of the operands. */
const MODULAR = ["add", "sub", "mul", "neg", "bitand", "bitor", "bitxor", "invert", "mad"] as const satisfies readonly Uniform[];
const COMPARES: ReadonlySet<Uniform> = new Set<Uniform>(["eq", "ne", "lt", "le", "gt", "ge"]);

const modularOf = (op: PrimOp): Uniform | undefined => MODULAR.find((m) => m === op);

/** Whether 32 bits give the same result. A shift's amount would be taken modulo another width, unless it is small. */
function fitsNarrow(name: Uniform, p: Prim, intervals: readonly Interval[], c: Emit): boolean {
  const fits = COMPARES.has(name) || fitsInt32(c.ranges.of(p));
  if (modularOf(name) !== undefined) return fits;
  if (name === "shl" || name === "shr") return fits && intervals.every(fitsInt32) && isWithin(intervals[1] ?? INT32, { lo: 0, hi: 31 });
  return fits && intervals.every(fitsInt32);
}

/** The low 32 bits of an index expression, computed in 32 bits as far as possible. */
export function lowBits(e: Expr, c: Emit): Tree {
  const name = e.kind === "Prim" && e.type.kind === "Scalar" && !isFloat(e.type.dtype) ? modularOf(e.op) : undefined;
  if (e.kind !== "Prim" || name === undefined) return low(c.scalar(e));
  return applyRow(SCALARS.i32[name], e.args.map((a) => lowBits(a, c)), [], e, c);
}

export function applyRow(row: Row, trees: readonly Tree[], intervals: readonly Interval[], p: Prim, c: Emit): Tree {
  if (typeof row === "function") return row(trees, c, intervals);
  if (isUnsupported(row)) return operandAt(c.refuse(p, `\`${p.op}\``, row.unsupported), 0);
  invariant(isOpcode(row), () => `${p.op} on operands that its typing rule refuses`);
  return op(row, trees);
}

// — vectors —

function vector(name: Uniform, p: Prim, first: Expr, c: Emit): Parts {
  const lanes = vectorLanes(first.type);
  const row = VECTORS[lanes.kind][name];
  const args = p.args.map((a) => c.value(a));
  if (row === "lanewise" || (typeof row === "object" && "shift" in row && !sameAmounts(args, lanes.shape))) return eachLane(name, p, args, lanes.kind, c);
  const parts = Array.from({ length: lanes.parts }, (_, i) => {
    const operands = args.map((a) => operandAt(a, i));
    if (typeof row === "object" && "shift" in row) return op(row.shift, [operandAt(operands, 0), amountOf(operandAt(operands, 1), lanes.shape)]);
    return applyRow(row, operands, [], p, c);
  });
  return COMPARES.has(name) && lanes.kind !== "bool" ? toMask(parts, lanes.shape, lanes.count, c) : parts;
}

const sameAmounts = (args: readonly Parts[], shape: Parameters<typeof uniformAmount>[0]): boolean =>
  (args[1] ?? []).every((part) => uniformAmount(shape, part) !== undefined);

function amountOf(part: Tree, shape: Parameters<typeof uniformAmount>[0]): Tree {
  const amount = uniformAmount(shape, part);
  invariant(amount !== undefined, () => "a shift by amounts that differ");
  return amount;
}

function eachLane(name: Uniform, p: Prim, args: readonly Parts[], kind: Kind, c: Emit): Parts {
  const to = vectorLanes(p.type);
  const from = lanesOf(kind, to.count);
  const row = SCALARS[kind][name];
  invariant(row !== ILL_TYPED, () => `${name} on ${kind}`);
  return lanewise(args, args.map(() => from), to, c, (operands) => applyRow(row, operands, [], p, c));
}
