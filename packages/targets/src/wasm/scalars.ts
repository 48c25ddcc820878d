// Every uniform primitive on scalars: one total table a kind of register.

import { reuse } from "./context.ts";
import { floorDivision, floorModulo, type Signedness } from "./division.ts";
import { number, type IntType } from "./integers.ts";
import { call, i32, op, select, type Tree } from "./tree.ts";
import { ILL_TYPED, operandAt, type Build, type Row, type ScalarTable } from "./uniform.ts";
import { NARROW, type Kind, type NarrowKind } from "./registers.ts";

const productThenSum = (mul: "i32.mul" | "i64.mul" | "f32.mul" | "f64.mul", add: "i32.add" | "i64.add" | "f32.add" | "f64.add"): Build =>
  (operands) => op(add, [op(mul, [operandAt(operands, 0), operandAt(operands, 1)]), operandAt(operands, 2)]);

const floats = (t: "f32" | "f64"): ScalarTable => ({
  add: `${t}.add`, sub: `${t}.sub`, mul: `${t}.mul`, div: `${t}.div`,
  floordiv: ILL_TYPED, mod: ILL_TYPED, bitand: ILL_TYPED, bitor: ILL_TYPED, bitxor: ILL_TYPED, shl: ILL_TYPED, shr: ILL_TYPED,
  and: ILL_TYPED, or: ILL_TYPED, not: ILL_TYPED, invert: ILL_TYPED,
  eq: `${t}.eq`, ne: `${t}.ne`, lt: `${t}.lt`, le: `${t}.le`, gt: `${t}.gt`, ge: `${t}.ge`,
  max: `${t}.max`, min: `${t}.min`, // NaN from either side, and max(-0, 0) = 0: just what these do
  neg: `${t}.neg`, abs: `${t}.abs`, sqrt: `${t}.sqrt`, floor: `${t}.floor`, ceil: `${t}.ceil`, rint: `${t}.nearest`,
  fma: (operands, c) => call(c.helper(`fma_${t}`), operands),
  mad: productThenSum(`${t}.mul`, `${t}.add`),
});

const integers = (t: IntType, s: Signedness): ScalarTable => ({
  add: `${t}.add`, sub: `${t}.sub`, mul: `${t}.mul`, div: ILL_TYPED,
  floordiv: floorDivision(t, s), mod: floorModulo(t, s),
  bitand: `${t}.and`, bitor: `${t}.or`, bitxor: `${t}.xor`, shl: `${t}.shl`, shr: `${t}.shr_${s}`, // amounts are taken modulo the width there too
  and: ILL_TYPED, or: ILL_TYPED, not: ILL_TYPED,
  eq: `${t}.eq`, ne: `${t}.ne`, lt: `${t}.lt_${s}`, le: `${t}.le_${s}`, gt: `${t}.gt_${s}`, ge: `${t}.ge_${s}`,
  max: extreme(`${t}.gt_${s}`), min: extreme(`${t}.lt_${s}`),
  neg: (operands) => op(`${t}.sub`, [number(t, 0), operandAt(operands, 0)]),
  invert: (operands) => op(`${t}.xor`, [operandAt(operands, 0), number(t, -1)]),
  abs: s === "u" ? (operands) => operandAt(operands, 0) : absolute(t),
  sqrt: ILL_TYPED, floor: ILL_TYPED, ceil: ILL_TYPED, rint: ILL_TYPED, fma: ILL_TYPED,
  mad: productThenSum(`${t}.mul`, `${t}.add`),
});

type Comparison = `${IntType}.${"gt" | "lt"}_${Signedness}`;

function extreme(compare: Comparison): Build {
  return (operands, c) => {
    const a = reuse(operandAt(operands, 0), c);
    const b = reuse(operandAt(operands, 1), c);
    const [first, second] = [a(), b()];
    return select(first, second, op(compare, [a(), b()]));
  };
}

function absolute(t: IntType): Build {
  return (operands, c) => {
    const x = reuse(operandAt(operands, 0), c);
    const negated = op(`${t}.sub`, [number(t, 0), x()]);
    return select(negated, x(), op(`${t}.lt_s`, [x(), number(t, 0)]));
  };
}

/** The value of the low bits of an i32. */
export function narrowed(kind: NarrowKind, x: Tree): Tree {
  const { bits, sign } = NARROW[kind];
  return sign === "s" ? op(`i32.extend${bits}_s`, [x]) : op("i32.and", [x, i32(2 ** bits - 1)]);
}

/** Narrow integers compute in 32 bits and keep the low ones where a result may leave them. */
function narrow(kind: NarrowKind): ScalarTable {
  const { bits, sign } = NARROW[kind];
  const table = integers("i32", sign);
  const kept = (row: Row): Build => (operands, c, intervals) => {
    const whole = typeof row === "function" ? row(operands, c, intervals) : op(row as "i32.add", operands); // the rows below are instructions or builds
    return narrowed(kind, whole);
  };
  const byAmount = (name: "i32.shl" | "i32.shr_u" | "i32.shr_s"): Build => (operands) =>
    op(name, [operandAt(operands, 0), op("i32.and", [operandAt(operands, 1), i32(bits - 1)])]);
  const shared = {
    ...table,
    add: kept(table.add), sub: kept(table.sub), mul: kept(table.mul), mad: kept(table.mad), neg: kept(table.neg),
    shl: kept(byAmount("i32.shl")), shr: byAmount(`i32.shr_${sign}`),
  };
  if (sign === "s") return { ...shared, abs: kept(table.abs), floordiv: kept(table.floordiv) }; // the least integer leaves its bits
  return { ...shared, invert: (operands) => op("i32.xor", [operandAt(operands, 0), i32(2 ** bits - 1)]) };
}

const booleans: ScalarTable = {
  add: ILL_TYPED, sub: ILL_TYPED, mul: ILL_TYPED, div: ILL_TYPED, floordiv: ILL_TYPED, mod: ILL_TYPED, shl: ILL_TYPED, shr: ILL_TYPED,
  bitand: "i32.and", bitor: "i32.or", bitxor: "i32.xor",
  and: "i32.and", or: "i32.or", not: "i32.eqz", // both sides are computed: no operand traps
  eq: "i32.eq", ne: "i32.ne", lt: "i32.lt_u", le: "i32.le_u", gt: "i32.gt_u", ge: "i32.ge_u",
  max: ILL_TYPED, min: ILL_TYPED, neg: ILL_TYPED, invert: ILL_TYPED, abs: ILL_TYPED,
  sqrt: ILL_TYPED, floor: ILL_TYPED, ceil: ILL_TYPED, rint: ILL_TYPED, fma: ILL_TYPED, mad: ILL_TYPED,
};

export const SCALARS: Readonly<Record<Kind, ScalarTable>> = {
  f32: floats("f32"),
  f64: floats("f64"),
  i32: integers("i32", "s"),
  u32: integers("i32", "u"),
  i64: integers("i64", "s"),
  u64: integers("i64", "u"),
  i8: narrow("i8"),
  i16: narrow("i16"),
  u8: narrow("u8"),
  u16: narrow("u16"),
  bool: booleans,
};
