import { BOOL, boolConst, constant, indexConst, INDEX, MATH_PRIMS, PRIMS, prim, scalarType, tensorType, tileType, variable, vecType, type Expr, type MathPrim, type Prim, type PrimOp } from "@tilefoundry/ir";
import { builtinOps } from "@tilefoundry/ops";
import { printExpr } from "@tilefoundry/syntax";
import { describe, expect, test } from "vitest";
import { printing } from "../../src/to-surface/expressions.ts";
import { SPECIAL } from "../../src/to-surface/prims.ts";

const text = (e: Expr): string => printExpr(printing(builtinOps, "pl").expr(e));
const f32 = scalarType("f32");
const x = variable("x", f32);
const y = variable("y", f32);
const i = variable("i", INDEX);
const c = variable("c", BOOL);
const v = variable("v", vecType("f32", 4));
const mask = variable("m", vecType("bool", 4));
const buffer = variable("b", tensorType([8, 8], "f32"));

describe("primitives", () => {
  const spellings: Readonly<Record<PrimOp, readonly (readonly [string, Prim])[]>> = {
    ...operators(["add", "+"], ["sub", "-"], ["mul", "*"], ["div", "/"]),
    ...operators(["eq", "=="], ["ne", "!="], ["lt", "<"], ["le", "<="], ["gt", ">"], ["ge", ">="]),
    ...integerOperators(["floordiv", "//"], ["mod", "%"], ["bitand", "&"], ["bitor", "|"], ["bitxor", "^"], ["shl", "<<"], ["shr", ">>"]),
    and: [["c and c", prim("and", [c, c])], ["T.and_(True, False)", prim("and", [boolConst(true), boolConst(false)])]],
    or: [["c or c", prim("or", [c, c])], ["T.or_(True, False)", prim("or", [boolConst(true), boolConst(false)])]],
    not: [["not c", prim("not", [c])], ["T.not_(True)", prim("not", [boolConst(true)])]],
    neg: [["-x", prim("neg", [x])], ["T.neg(5)", prim("neg", [indexConst(5)])], ["i - -5", prim("sub", [i, indexConst(-5)])], ["--i", prim("neg", [prim("neg", [i])])]],
    invert: [["~i", prim("invert", [i])]],
    max: [["T.max(x, y)", prim("max", [x, y])]],
    min: [["T.min(1, 2) + i", prim("add", [prim("min", [indexConst(1), indexConst(2)]), i])]],
    abs: [["T.abs(x)", prim("abs", [x])]],
    sqrt: [["T.sqrt(x)", prim("sqrt", [x])]],
    floor: [["T.floor(x)", prim("floor", [x])]],
    ceil: [["T.ceil(x)", prim("ceil", [x])]],
    rint: [["T.rint(x)", prim("rint", [x])]],
    select: [["T.select(c, x, y)", prim("select", [c, x, y])]],
    cast: [
      ['T.cast(x, "i32")', prim("cast", [x], { dtype: "i32" })],
      ['T.cast(x, "i32", mode="rint")', prim("cast", [x], { dtype: "i32", mode: "rint" })],
    ],
    bitcast: [['T.bitcast(x, "i32")', prim("bitcast", [x], { dtype: "i32" })]],
    fma: [["T.fma(x, y, x)", prim("fma", [x, y, x])]],
    mad: [["T.mad(x, y, x)", prim("mad", [x, y, x])]],
    ...(Object.fromEntries(MATH_PRIMS.map((op) => [op, [[`T.${op}(x)`, prim(op, [x])]]])) as unknown as Readonly<Record<MathPrim, readonly (readonly [string, Prim])[]>>),
    splat: [["T.splat(x, lanes=4)", prim("splat", [x], { lanes: 4 })]],
    lane: [["T.lane(v, 2)", prim("lane", [v], { index: 2 })]],
    reduce: [['T.reduce("add", v)', prim("reduce", [v], { kind: "add" })]],
    alloc_tensor: [
      ['T.alloc_tensor((1, 64), "f32", "vec")', prim("alloc_tensor", [], { type: tileType([1, 64], "f32") })],
      ['T.alloc_tensor((), "f32", "gmem", tile=True)', prim("alloc_tensor", [], { type: tileType([], "f32", "gmem") })],
      ['T.alloc_tensor((), "f32", "acc", tile=False)', prim("alloc_tensor", [], { type: tensorType([], "f32", "acc") })],
      ['T.alloc_tensor((4,), "f32", "arena", offset=0)', prim("alloc_tensor", [], { type: tileType([4], "f32", "arena"), offset: 0 })],
    ],
    load: [
      ["T.load(b, (i, 0))", prim("load", [buffer, i, indexConst(0)])],
      ["T.load(b, (i, 0), lanes=4, mask=m)", prim("load", [buffer, i, indexConst(0), mask], { lanes: 4, masked: true })],
    ],
    barrier: [['T.barrier("thread")', prim("barrier", [], { level: "thread" })]],
    store: [
      ["T.store(b, (i, 0), x)", prim("store", [buffer, i, indexConst(0), x])],
      ["T.store(b, (i, 0), v, mask=m)", prim("store", [buffer, i, indexConst(0), v, mask], { masked: true })],
    ],
  };
  test.each(Object.values(spellings).flat())("%s", (expected, e) => expect(text(e)).toBe(expected));

  test("a primitive with attributes says how they are written", () => {
    const attributed = Object.entries(PRIMS).filter(([, row]) => row.attrs.length > 0).map(([op]) => op);
    expect(Object.keys(SPECIAL).sort()).toEqual(attributed.sort());
  });

  test("a long chain is printed without a deep stack", () => {
    let sum: Expr = prim("add", [indexConst(1), indexConst(2)]);
    for (let n = 0; n < 20_000; n++) sum = prim("add", [sum, i]);
    expect(text(sum).replace(/\s+/g, " ")).toMatch(/^T\.add\(1, 2\) \+ i \+ i .*\+ i$/);
  });

  test("literal trees are calls all through, and operators begin above them", () => {
    const two = indexConst(2);
    const product = prim("mul", [prim("add", [two, two]), two]);
    expect(text(product)).toBe("T.mul(T.add(2, 2), 2)");
    expect(text(prim("add", [product, i]))).toBe("T.mul(T.add(2, 2), 2) + i");
    expect(text(prim("sub", [i, product]))).toBe("i - T.mul(T.add(2, 2), 2)");
  });
});

type Cases<Op extends PrimOp> = Readonly<Record<Op, readonly (readonly [string, Prim])[]>>;

function operators<Op extends PrimOp>(...rows: readonly (readonly [Op, string])[]): Cases<Op> {
  const [one, two] = [constant(1, f32), constant(2, f32)];
  return byOp(rows, (op, operator) => [[`x ${operator} y`, prim(op, [x, y])], [`T.${op}(1.0, 2.0)`, prim(op, [one, two])]]);
}

function integerOperators<Op extends PrimOp>(...rows: readonly (readonly [Op, string])[]): Cases<Op> {
  return byOp(rows, (op, operator) => [[`i ${operator} 2`, prim(op, [i, indexConst(2)])], [`T.${op}(1, 2)`, prim(op, [indexConst(1), indexConst(2)])]]);
}

function byOp<Op extends PrimOp>(rows: readonly (readonly [Op, string])[], cases: (op: Op, operator: string) => readonly (readonly [string, Prim])[]): Cases<Op> {
  return Object.fromEntries(rows.map(([op, operator]) => [op, cases(op, operator)])) as unknown as Cases<Op>; // one entry a row
}
