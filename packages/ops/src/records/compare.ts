// Comparisons, logic, bits and choice on the elements of tensors and tiles. A comparison gives a bool array.

import { prim, sameDType, UNKNOWN, type DType, type Expr, type PrimOp } from "@tilefoundry/ir";
import { defineOp, type Example } from "../define.ts";
import { ALL, INTEGERS, row, scalar, tile } from "../example.ts";
import { dtypeOf, inferElementwise, joinDTypes, joinShapes, promote, withShape } from "../infer.ts";
import { as, binary, one, OPERANDS, pair, SCRATCH, unary } from "./elementwise.ts";

// — comparisons —

export type Comparison = "eq" | "ne" | "lt" | "le" | "gt" | "ge";
export const COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"] as const satisfies readonly Comparison[];

/** Both elements in the dtype they are compared in. */
export function compared(op: Comparison, a: Expr, b: Expr): Expr {
  const dtype = sameDType(dtypeOf(a), dtypeOf(b)) ? dtypeOf(a) : promote(dtypeOf(a), dtypeOf(b));
  return prim(op, [as(a, dtype), as(b, dtype)]);
}

interface ComparisonSpec {
  readonly op: Comparison;
  readonly says: string;
  readonly examples: readonly [Example, Example, ...Example[]];
}

function comparison({ op, says, examples }: ComparisonSpec) {
  return defineOp({
    name: `cmp_${op}`,
    doc: `Whether the left operand is ${says} the right one.${op === "ne" ? " NaN differs from everything, itself too." : " Never true of NaN."}`,
    pl: [],
    tf: [`cmp_${op}`],
    params: OPERANDS,
    scalar: op,
    infer: ({ a, b }, context) => inferElementwise([["a", a], ["b", b]], context, "bool"),
    lowering: { form: "element", element: (x, index) => compared(op, x.a(index), x.b(index)) },
    dtypes: ALL,
    ulp: 0,
    examples,
  });
}

const holds = (title: string, dtype: DType, a: readonly (number | bigint | boolean)[], b: readonly (number | bigint | boolean)[], result: readonly boolean[]): Example =>
  pair(title, dtype, a, b, result, "bool");

export const cmpEq = comparison({
  op: "eq",
  says: "equal to",
  examples: [holds("equality", "i32", [1, 2], [1, 3], [true, false]), holds("zeros are equal, NaN is not", "f32", [0, NaN], [-0, NaN], [true, false])],
});
export const cmpNe = comparison({
  op: "ne",
  says: "different from",
  examples: [holds("difference", "u8", [1, 2], [1, 3], [false, true]), holds("NaN differs from itself", "f64", [NaN, 0], [NaN, -0], [true, false])],
});
export const cmpLt = comparison({
  op: "lt",
  says: "less than",
  examples: [holds("order", "i32", [-1, 2, 3], [1, 2, 1], [true, false, false]), holds("NaN is in no order", "f32", [NaN, 1], [1, NaN], [false, false])],
});
export const cmpLe = comparison({
  op: "le",
  says: "less than or equal to",
  examples: [holds("order", "i64", [-1, 2, 3], [1, 2, 1], [true, true, false]), holds("NaN is in no order", "f32", [NaN, -0], [NaN, 0], [false, true])],
});
export const cmpGt = comparison({
  op: "gt",
  says: "greater than",
  examples: [holds("order is that of the dtype", "u32", [4294967295, 2], [1, 2], [true, false]), holds("NaN is in no order", "f64", [NaN, Infinity], [1, 1], [false, true])],
});
export const cmpGe = comparison({
  op: "ge",
  says: "greater than or equal to",
  examples: [holds("false is less than true", "bool", [false, true, true], [true, true, false], [false, true, true]), holds("NaN is in no order", "f32", [NaN], [NaN], [false])],
});

// — logic and bits —

const prim2 = (op: PrimOp) => (a: Expr, b: Expr): Expr => prim(op, [a, b]);
const BITS = [...INTEGERS, "bool"] as const;

export const logicalAnd = binary({
  name: "logical_and", doc: "Whether both operands are true.", pl: [], tf: ["logical_and"], scalar: "and", dtypes: ["bool"], of: prim2("and"),
  examples: [pair("all four cases", "bool", [false, false, true, true], [false, true, false, true], [false, false, false, true]), pair("of no elements", "bool", [], [], [])],
});
export const logicalOr = binary({
  name: "logical_or", doc: "Whether one operand is true.", pl: [], tf: ["logical_or"], scalar: "or", dtypes: ["bool"], of: prim2("or"),
  examples: [pair("all four cases", "bool", [false, false, true, true], [false, true, false, true], [false, true, true, true]), pair("of no elements", "bool", [], [], [])],
});
export const logicalNot = unary({
  name: "logical_not", doc: "Whether the operand is false.", pl: [], tf: ["logical_not"], scalar: "not", dtypes: ["bool"], of: (x) => prim("not", [x]),
  examples: [one("both cases", "bool", [false, true], [true, false]), one("of no elements", "bool", [], [])],
});
export const bitAnd = binary({
  name: "bit_and", doc: "The bits that both operands have.", pl: ["and_", "ands"], tf: [], scalar: "bitand", dtypes: BITS, of: prim2("bitand"),
  examples: [pair("common bits", "u8", [12, 255], [10, 128], [8, 128]), pair("of negative integers", "i64", [-1, -4n], [7, 6], [7, 4])],
});
export const bitOr = binary({
  name: "bit_or", doc: "The bits that one operand has.", pl: ["or_", "ors"], tf: [], scalar: "bitor", dtypes: BITS, of: prim2("bitor"),
  examples: [pair("all bits", "u8", [12, 1], [10, 128], [14, 129]), pair("of negative integers", "i32", [-8], [3], [-5])],
});
export const bitXor = binary({
  name: "bit_xor", doc: "The bits in which the operands differ.", pl: ["xor", "xors"], tf: [], scalar: "bitxor", dtypes: BITS, ignored: { tmp: SCRATCH }, of: prim2("bitxor"),
  examples: [pair("differing bits", "u8", [12, 255], [10, 255], [6, 0]), pair("of the high bit", "u32", [2147483648], [1], [2147483649])],
});
export const bitNot = unary({
  name: "bit_not", doc: "The bits that the operand lacks.", pl: ["not_"], tf: [], scalar: "invert", dtypes: INTEGERS, of: (x) => prim("invert", [x]),
  examples: [one("of signed integers", "i32", [0, -1], [-1, 0]), one("of bytes", "u8", [0, 254], [255, 1])],
});
/** A shift keeps the dtype of what is shifted. Propagation may make any amount a literal, so none is refused. */
function shift({ op, ...spec }: Omit<Parameters<typeof binary>[0], "of" | "dtypes" | "tf"> & { readonly op: "shl" | "shr" }) {
  return defineOp({
    ...spec,
    tf: [],
    params: OPERANDS,
    scalar: op,
    infer: ({ a, b }, context) => inferElementwise([["a", a], ["b", b]], context, dtypeOf(a)),
    lowering: { form: "element", element: (x, index, { dtype }) => prim(op, [as(x.a(index), dtype), as(x.b(index), dtype)]) },
    dtypes: INTEGERS,
    ulp: 0,
  });
}

export const shiftLeft = shift({
  name: "shift_left", op: "shl", doc: "The left operand shifted left, in its own dtype; the amount counts modulo the width.", pl: ["shl", "shls"],
  examples: [
    pair("doubles", "i32", [3, -1], [2, 4], [12, -16]),
    pair("amounts beyond the width, and bits pushed out", "u8", [1, 129], [9, 1], [2, 2]),
    { title: "the amount's dtype does not count", args: { a: row("u8", [255]), b: row("i32", [4]) }, result: row("u8", [240]) },
  ],
});
export const shiftRight = shift({
  name: "shift_right", op: "shr", doc: "The left operand shifted right in its own dtype, signed integers with their sign; the amount counts modulo the width.", pl: ["shr", "shrs"],
  examples: [pair("keeps the sign", "i32", [-8, 9], [1, 2], [-4, 2]), pair("unsigned, and amounts beyond the width", "u32", [4294967295, 8], [28, 33], [15, 4])],
});

// — choice —

export const where = defineOp({
  name: "where",
  doc: "The first value where the condition holds, else the second.",
  pl: [],
  tf: ["where"],
  params: {
    condition: { input: "operand", of: ["bool"], doc: "the bool condition" },
    a: { input: "operand", doc: "the value where it holds", aka: ["input"] },
    b: { input: "operand", doc: "the value elsewhere", aka: ["other"] },
  },
  scalar: "select",
  infer: ({ condition, a, b }, context) => {
    const joined = joinShapes([["condition", condition], ["a", a], ["b", b]], context);
    const dtype = joined && joinDTypes([["a", a], ["b", b]], context);
    return joined === undefined || dtype === undefined ? UNKNOWN : withShape(joined.first, joined.shape, dtype);
  },
  lowering: {
    form: "element",
    element: (x, index, { dtype }) => prim("select", [x.condition(index), as(x.a(index), dtype), as(x.b(index), dtype)]),
  },
  dtypes: ALL,
  ulp: 0,
  examples: [
    { title: "chooses by element", args: { condition: row("bool", [true, false]), a: row("f32", [1, 2]), b: row("f32", [3, 4]) }, result: row("f32", [1, 4]) },
    {
      title: "what is not chosen leaves no trace",
      args: { condition: row("bool", [true, false]), a: row("f32", [1, NaN]), b: scalar("f32", Infinity) },
      result: row("f32", [1, Infinity]),
    },
    {
      title: "a condition for each row broadcasts",
      args: { condition: tile("bool", [2, 1], [true, false]), a: tile("i32", [2, 2], [1, 2, 3, 4]), b: scalar("i32", 0) },
      result: tile("i32", [2, 2], [1, 2, 0, 0]),
    },
  ],
});
