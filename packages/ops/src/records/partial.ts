// PyPTO's sums of three, and its partial ops: where only one of two tiles is valid, the result is that one's element.

import { dimsEqual, maximum, prim, shapeText, store, type DType, type Expr, type PrimOp } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { defineOp, type Example } from "../define.ts";
import { NUMBERS, row, scalar, tile } from "../example.ts";
import { arrayType, inferElementwise } from "../infer.ts";
import { as } from "./elementwise.ts";

// — partial —

interface Partial {
  readonly name: string;
  readonly doc: string;
  readonly op: PrimOp;
  readonly examples: readonly [Example, Example, ...Example[]];
}

/** The larger of two extents, without an operation where they are one value. */
function greater(a: Expr, b: Expr): Expr {
  const same = a === b || (a.kind === "Const" && b.kind === "Const" && a.value === b.value);
  return same ? a : maximum(a, b);
}

function partial({ op, ...spec }: Partial) {
  return defineOp({
    ...spec,
    pl: [spec.name],
    tf: [],
    params: { a: { input: "array", doc: "the left operand", aka: ["lhs", "src0"] }, b: { input: "array", doc: "the right operand, of the same shape", aka: ["rhs", "src1"] } },
    infer: ({ a, b }, context) => {
      const [left, right] = [arrayType(a).shape, arrayType(b).shape];
      const fits = left.length === right.length && left.every((d, axis) => dimsEqual(d, right[axis] ?? NaN));
      return fits ? inferElementwise([["a", a], ["b", b]], context) : context.fail("b", `needs operands of one shape, not ${shapeText(left)} and ${shapeText(right)}`);
    },
    lowering: {
      form: "statements",
      extents: ({ a, b }, lower) => {
        const right = lower.extents(b);
        return lower.extents(a).map((extent, axis) => greater(extent, right[axis] ?? extent));
      },
      lower: ({ a, b }, lower, type) => {
        invariant(type.kind === "Tensor", () => "a partial result that is no array");
        const { dtype } = type;
        const [left, right, ends] = [lower.reader(a), lower.reader(b), lower.extents(b)];
        const out = lower.alloc("partial", type);
        lower.nest(lower.extents(a).map((extent, axis) => greater(extent, ends[axis] ?? extent)), (index) => {
          const [x, y] = [as(left(index, "zero"), dtype), as(right(index, "zero"), dtype)];
          const [inA, inB] = [lower.inside(a, index), lower.inside(b, index)];
          const both = prim(op, [x, y]);
          const orRight = inA === undefined ? both : prim("select", [inA, both, y]);
          lower.emit(store(out, index, inB === undefined ? orRight : prim("select", [inB, orRight, x])));
        });
        return out;
      },
    },
    dtypes: NUMBERS,
    ulp: 0,
  });
}

const tail = (dtype: DType, a: readonly number[], b: readonly number[], validB: number, result: readonly number[]): Example => ({
  title: "where only one is valid, that one",
  args: { a: row(dtype, a), b: { ...row(dtype, b), valid: [validB] } },
  result: row(dtype, result),
});

export const partAdd = partial({
  name: "part_add", op: "add", doc: "The sum of two tiles where both are valid, else the element of the one that is; 0 where neither is.",
  examples: [
    tail("f32", [1, 2, 3], [10, 20, 30], 2, [11, 22, 3]),
    {
      title: "0 where neither is valid",
      args: { a: { ...tile("i32", [2, 2], [1, 2, 3, 4]), valid: [2, 1] }, b: { ...tile("i32", [2, 2], [5, 6, 7, 8]), valid: [1, 2] } },
      result: tile("i32", [2, 2], [6, 6, 3, 0]),
    },
  ],
});
export const partMul = partial({
  name: "part_mul", op: "mul", doc: "The product of two tiles where both are valid, else the element of the one that is; 0 where neither is.",
  examples: [tail("f32", [1, 2, 3], [10, 20, 30], 2, [10, 40, 3]), tail("u8", [200, 1], [2, 1], 1, [144, 1])],
});
export const partMax = partial({
  name: "part_max", op: "max", doc: "The larger of two tiles where both are valid, else the element of the one that is; 0 where neither is.",
  examples: [tail("f32", [1, NaN, -3], [10, 20, 30], 2, [10, NaN, -3]), tail("i32", [-1], [5], 0, [-1])],
});
export const partMin = partial({
  name: "part_min", op: "min", doc: "The smaller of two tiles where both are valid, else the element of the one that is; 0 where neither is.",
  examples: [tail("f32", [1, NaN, 3], [10, 20, 0], 2, [1, NaN, 3]), tail("i32", [1], [-5], 0, [1])],
});

// — three operands —

interface Three {
  readonly name: string;
  readonly doc: string;
  readonly op: "add" | "sub";
  readonly examples: readonly [Example, Example, ...Example[]];
}

/** `(a op b) + c`, each step rounded. */
function three({ op, ...spec }: Three) {
  return defineOp({
    ...spec,
    pl: [spec.name],
    tf: [],
    params: {
      a: { input: "operand", doc: "the first operand", aka: ["lhs"] },
      b: { input: "operand", doc: "the second operand", aka: ["rhs", "scalar"] },
      c: { input: "operand", doc: "what is added", aka: ["rhs2"] },
    },
    infer: ({ a, b, c }, context) => inferElementwise([["a", a], ["b", b], ["c", c]], context),
    lowering: {
      form: "element",
      element: (x, index, { dtype }) => prim("add", [prim(op, [as(x.a(index), dtype), as(x.b(index), dtype)]), as(x.c(index), dtype)]),
    },
    dtypes: NUMBERS,
    ulp: 0,
  });
}

const sum = (title: string, dtype: DType, [a, b, c]: readonly [number, number, number], result: number): Example => ({
  title,
  args: { a: row(dtype, [a]), b: row(dtype, [b]), c: row(dtype, [c]) },
  result: row(dtype, [result]),
});
const withScalar = (title: string, dtype: DType, [a, b, c]: readonly [number, number, number], result: number): Example => ({
  title,
  args: { a: row(dtype, [a]), b: scalar(dtype, b), c: row(dtype, [c]) },
  result: row(dtype, [result]),
});

export const addc = three({
  name: "addc", op: "add", doc: "The sum of three operands, from the left; integers wrap.",
  examples: [sum("sums", "f32", [1, 2, 3], 6), sum("from the left, each sum rounded", "f32", [16777216, 1, 1], 16777216)],
});
export const subc = three({
  name: "subc", op: "sub", doc: "The difference of two operands plus a third; integers wrap.",
  examples: [sum("a - b + c", "f32", [5, 3, 10], 12), sum("wraps", "u8", [0, 1, 2], 1)],
});
export const addsc = three({
  name: "addsc", op: "add", doc: "A tile plus a scalar plus another tile, from the left; integers wrap.",
  examples: [withScalar("sums", "f32", [1, 2, 3], 6), withScalar("wraps", "i32", [2147483647, 1, 1], -2147483647)],
});
export const subsc = three({
  name: "subsc", op: "sub", doc: "A tile less a scalar plus another tile, from the left; integers wrap.",
  examples: [withScalar("a - b + c", "f32", [5, 3, 10], 12), withScalar("wraps", "u32", [0, 1, 1], 0)],
});
