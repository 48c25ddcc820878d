// Every uniform primitive on vectors: one total table a kind of lane, on one part of each operand. Comparisons give masks as wide
// as what they compare. What SIMD lacks goes lane by lane through the scalar table.

import { reuse } from "./context.ts";
import { low, lowWord } from "./integers.ts";
import { SHAPES, type LaneShape } from "./shapes.ts";
import { call, i32, laneConst, op, type Tree } from "./tree.ts";
import { ILL_TYPED, operandAt, type Build, type VectorRow, type VectorTable } from "./uniform.ts";
import type { Opcode } from "./opcodes.ts";
import { NARROW, type Kind, type NarrowKind } from "./registers.ts";

const productThenSum = (mul: Opcode, add: Opcode): Build =>
  (operands) => op(add, [op(mul, [operandAt(operands, 0), operandAt(operands, 1)]), operandAt(operands, 2)]);

const floats = (s: "f32x4" | "f64x2"): VectorTable => ({
  add: `${s}.add`, sub: `${s}.sub`, mul: `${s}.mul`, div: `${s}.div`,
  floordiv: ILL_TYPED, mod: ILL_TYPED, bitand: ILL_TYPED, bitor: ILL_TYPED, bitxor: ILL_TYPED, shl: ILL_TYPED, shr: ILL_TYPED,
  and: ILL_TYPED, or: ILL_TYPED, not: ILL_TYPED, invert: ILL_TYPED,
  eq: `${s}.eq`, ne: `${s}.ne`, lt: `${s}.lt`, le: `${s}.le`, gt: `${s}.gt`, ge: `${s}.ge`,
  max: `${s}.max`, min: `${s}.min`,
  neg: `${s}.neg`, abs: `${s}.abs`, sqrt: `${s}.sqrt`, floor: `${s}.floor`, ceil: `${s}.ceil`, rint: `${s}.nearest`,
  fma: s === "f32x4" ? (operands, c) => call(c.helper("fma_f32x4"), operands) : "lanewise",
  mad: productThenSum(`${s}.mul`, `${s}.add`),
});

/** What signed and unsigned 32-bit lanes and 64-bit lanes share. */
const integers = (s: "i32x4" | "i64x2") => ({
  add: `${s}.add`, sub: `${s}.sub`, mul: `${s}.mul`, div: ILL_TYPED, floordiv: "lanewise", mod: "lanewise",
  bitand: "v128.and", bitor: "v128.or", bitxor: "v128.xor", shl: { shift: `${s}.shl` },
  and: ILL_TYPED, or: ILL_TYPED, not: ILL_TYPED,
  eq: `${s}.eq`, ne: `${s}.ne`,
  neg: `${s}.neg`, invert: "v128.not",
  sqrt: ILL_TYPED, floor: ILL_TYPED, ceil: ILL_TYPED, rint: ILL_TYPED, fma: ILL_TYPED,
  mad: productThenSum(`${s}.mul`, `${s}.add`),
}) as const satisfies Partial<VectorTable>;

const words = (sign: "s" | "u"): VectorTable => ({
  ...integers("i32x4"),
  shr: { shift: `i32x4.shr_${sign}` },
  lt: `i32x4.lt_${sign}`, le: `i32x4.le_${sign}`, gt: `i32x4.gt_${sign}`, ge: `i32x4.ge_${sign}`,
  max: `i32x4.max_${sign}`, min: `i32x4.min_${sign}`,
  abs: sign === "s" ? "i32x4.abs" : (operands) => operandAt(operands, 0),
});

const longs: VectorTable = {
  ...integers("i64x2"),
  shr: { shift: "i64x2.shr_s" },
  lt: "i64x2.lt_s", le: "i64x2.le_s", gt: "i64x2.gt_s", ge: "i64x2.ge_s",
  max: extreme("i64x2.gt_s"), min: extreme("i64x2.lt_s"),
  abs: "i64x2.abs",
};

function extreme(compare: Opcode | Build): Build {
  return (operands, c, intervals) => {
    const a = reuse(operandAt(operands, 0), c);
    const b = reuse(operandAt(operands, 1), c);
    const [first, second] = [a(), b()];
    const pair = [a(), b()];
    return op("v128.bitselect", [first, second, typeof compare === "function" ? compare(pair, c, intervals) : op(compare, pair)]);
  };
}

const unsignedLongs: VectorTable = {
  ...longs,
  shr: { shift: "i64x2.shr_u" },
  lt: unsigned("i64x2.lt_s"), le: unsigned("i64x2.le_s"), gt: unsigned("i64x2.gt_s"), ge: unsigned("i64x2.ge_s"),
  max: extreme(unsigned("i64x2.gt_s")), min: extreme(unsigned("i64x2.lt_s")),
  abs: (operands) => operandAt(operands, 0),
};

/** There is no unsigned comparison of 64-bit lanes: with their highest bits turned, signed ones order alike. */
function unsigned(compare: Opcode): Build {
  return (operands) => op(compare, operands.map((x) => op("v128.xor", [x, laneConst("i64x2", -(2n ** 63n))])));
}

/** The values of the low bits of 32-bit lanes. */
export function narrowedLanes(kind: NarrowKind, x: Tree): Tree {
  const { bits, sign } = NARROW[kind];
  if (sign === "u") return op("v128.and", [x, laneConst("i32x4", 2 ** bits - 1)]);
  return op("i32x4.shr_s", [op("i32x4.shl", [x, i32(32 - bits)]), i32(32 - bits)]);
}

/** Narrow integers lie in 32-bit lanes and keep the low bits where a result may leave them. */
function narrow(kind: NarrowKind): VectorTable {
  const { bits, sign } = NARROW[kind];
  const table = words(sign);
  const kept = (row: VectorRow): Build => (operands, c, intervals) => {
    const whole = typeof row === "function" ? row(operands, c, intervals) : op(row as "i32x4.add", operands); // the rows below are instructions or builds
    return narrowedLanes(kind, whole);
  };
  return {
    ...table,
    add: kept(table.add), sub: kept(table.sub), mul: kept(table.mul), mad: kept(table.mad), neg: kept(table.neg),
    abs: sign === "s" ? kept(table.abs) : table.abs,
    invert: sign === "s" ? table.invert : (operands) => op("v128.xor", [operandAt(operands, 0), laneConst("i32x4", 2 ** bits - 1)]),
    shl: "lanewise", shr: "lanewise",
  };
}

/** Masks: lanes of 0 and -1. */
const masks: VectorTable = {
  add: ILL_TYPED, sub: ILL_TYPED, mul: ILL_TYPED, div: ILL_TYPED, floordiv: ILL_TYPED, mod: ILL_TYPED, shl: ILL_TYPED, shr: ILL_TYPED,
  bitand: "v128.and", bitor: "v128.or", bitxor: "v128.xor",
  and: "v128.and", or: "v128.or", not: "v128.not",
  eq: (operands) => op("v128.not", [op("v128.xor", operands)]),
  ne: "v128.xor",
  lt: (operands) => op("v128.and", [op("v128.not", [operandAt(operands, 0)]), operandAt(operands, 1)]),
  le: (operands) => op("v128.or", [op("v128.not", [operandAt(operands, 0)]), operandAt(operands, 1)]),
  gt: "v128.andnot",
  ge: (operands) => op("v128.or", [operandAt(operands, 0), op("v128.not", [operandAt(operands, 1)])]),
  max: ILL_TYPED, min: ILL_TYPED, neg: ILL_TYPED, invert: ILL_TYPED, abs: ILL_TYPED,
  sqrt: ILL_TYPED, floor: ILL_TYPED, ceil: ILL_TYPED, rint: ILL_TYPED, fma: ILL_TYPED, mad: ILL_TYPED,
};

export const VECTORS: Readonly<Record<Kind, VectorTable>> = {
  f32: floats("f32x4"),
  f64: floats("f64x2"),
  i32: words("s"),
  u32: words("u"),
  i64: longs,
  u64: unsignedLongs,
  i8: narrow("i8"),
  i16: narrow("i16"),
  u8: narrow("u8"),
  u16: narrow("u16"),
  bool: masks,
};

/** The amount of a shift if its form says that it is the same in all lanes. */
export function uniformAmount(shape: LaneShape, amounts: Tree): Tree | undefined {
  if (amounts.kind === "lanes") {
    const first = amounts.lanes[0];
    return first !== undefined && amounts.lanes.every((v) => v === first) ? i32(lowWord(first)) : undefined;
  }
  const scalar = amounts.kind === "op" && amounts.op === SHAPES[shape].splat ? amounts.operands[0] : undefined;
  return scalar === undefined ? undefined : low(scalar);
}
