import { call, dimVar, indexConst, op, scalarType, tensorType, tileType, tuple, UNIT, variable, INDEX, type AttrValue, type Expr } from "@tilefoundry/ir";
import { builtinOps, defineOp, extendOps, isAttr } from "@tilefoundry/ops";
import { printExpr } from "@tilefoundry/syntax";
import { expect, test } from "vitest";
import { printing } from "../../src/to-surface/expressions.ts";

const N = variable("N", INDEX);
const x = variable("x", tensorType([dimVar(N)], "f32"));
const t = variable("t", tileType([4], "f32"));
const s = variable("s", scalarType("f32"));

/** An op with parameters of every kind. */
const probe = defineOp({
  name: "probe",
  doc: "Nothing.",
  pl: ["probe"],
  tf: [],
  params: {
    array: { input: "array", doc: "" },
    size: { attr: "dims", doc: "" },
    at: { input: "indices", doc: "" },
    dtype: { attr: "dtype", doc: "", default: { dtype: "f32" } },
    space: { attr: "storage", doc: "", default: "vec" },
    axes: { attr: "ints", doc: "", default: [] },
    count: { attr: "int", doc: "", default: 1 },
    scale: { attr: "number", doc: "", default: 1 },
    fill: { attr: "literal", doc: "", default: 0n },
    kind: { attr: ["sum", "mean"], doc: "", default: "sum" },
    keep: { attr: "bool", doc: "", default: false },
    extra: { input: "operand", doc: "", optional: true },
  },
  infer: ({ array }) => array.type,
  lowering: { form: "statements", lower: () => undefined },
  dtypes: ["f32"],
  examples: [
    { title: "", args: {}, result: { scalar: 0, dtype: "f32" } },
    { title: "", args: {}, result: { scalar: 0, dtype: "f32" } },
  ],
});

const ops = extendOps(builtinOps, probe);

function probed(attrs: Readonly<Record<string, AttrValue>>, inputs: readonly Expr[] = [x, tuple([N, indexConst(0)])]): readonly string[] {
  const defaults = Object.fromEntries(Object.entries(probe.params).flatMap(([name, spec]) => (isAttr(spec) && spec.default !== undefined ? [[name, spec.default]] : [])));
  const e = call(op("probe", { ...defaults, size: { dims: [dimVar(N), 4] }, ...attrs }), inputs, UNIT);
  return (["pl", "tf"] as const).map((dialect) => printExpr(printing(ops, dialect).expr(e)));
}

test("required parameters stand by position, defaults are left out, lists follow the dialect", () => {
  expect(probed({})).toEqual(["pl.probe(x, [N, 4], [N, 0])", "pl.probe(x, (N, 4), (N, 0))"]);
});

test("attributes of every kind are written by keyword", () => {
  expect(probed({ dtype: { dtype: "i32" }, space: "acc", axes: [-1], count: 2 })).toEqual([
    "pl.probe(x, [N, 4], [N, 0], dtype=pl.INT32, space=pl.Mem.Acc, axes=[-1], count=2)",
    'pl.probe(x, (N, 4), (N, 0), dtype="i32", space="acc", axes=(-1,), count=2)',
  ]);
  expect(probed({ scale: 2, fill: 7n, kind: "mean", keep: true })[0]).toBe('pl.probe(x, [N, 4], [N, 0], scale=2.0, fill=7, kind="mean", keep=True)');
  expect(probed({ fill: -0.5, space: "smem", scale: -Infinity })[0]).toBe('pl.probe(x, [N, 4], [N, 0], space="smem", scale=-T.inf, fill=-0.5)');
});

test("an input after what was left out is written by keyword", () => {
  expect(probed({}, [x, tuple([N]), s])[0]).toBe("pl.probe(x, [N, 4], [N], extra=s)");
});

test("ops are spelt in their own tradition where the function's lacks them", () => {
  const load = call(op("load", { shapes: { dims: [4] }, target_memory: "vec" }), [x, tuple([N])], tileType([4], "f32"));
  expect(printExpr(printing(ops, "tf").expr(call(op("add", {}), [load, t], t.type)))).toBe("tf.add(pl.load(x, (N,), (4,)), t)");
});
