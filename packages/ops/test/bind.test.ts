import { describe, expect, it } from "vitest";
import {
  dimVar, INDEX, indexConst, NO_FACTS, numberConst, scalarType, symbolFacts, tensorType, tileType, UNKNOWN, variable,
  type Dialect, type Expr, type Facts, type Type,
} from "@tilefoundry/ir";
import { argsOf, attrValue, bindCall, builtinOps, defineOp, extendOps, inferCall, isAttr, isNone, makeCall, parametersOf, spellingOf, takenName, type OpRecord, type Static } from "@tilefoundry/ops";
import { evaluateByForm, arrayOf } from "@tilefoundry/ops/evaluate";
import { Reporter } from "@tilefoundry/text";

function op(name: string): OpRecord {
  const record = builtinOps.byName(name);
  if (record === undefined) throw new Error(`no op ${name}`);
  return record;
}

/** Binds words to the parameters of an op; complaints as `CODE message`. */
function bind(name: string, positional: readonly string[], keywords: Readonly<Record<string, string>> = {}) {
  const reporter = new Reporter();
  const passed = { positional, keywords: Object.entries(keywords).map(([key, value]) => ({ name: key, value })) };
  const bound = bindCall(op(name), passed, { reporter, span: undefined, spelled: `pl.${name}` }, () => undefined);
  const named = bound?.flatMap((value, i) => (value === undefined ? [] : [[parametersOf(op(name)).all[i]?.name ?? "", value] as const]));
  return { bound: named && Object.fromEntries(named), complaints: reporter.diagnostics.map((d) => `${d.code} ${d.message}`) };
}

describe("pairing arguments with parameters", () => {
  it("goes by position, then by keyword", () => {
    expect(bind("load", ["x", "offsets"], { shapes: "s", target_memory: "m" }).bound).toEqual({ tensor: "x", offsets: "offsets", shapes: "s", target_memory: "m" });
  });

  it("takes the keywords of both traditions", () => {
    expect(bind("add", [], { lhs: "x", rhs: "y" }).bound).toEqual({ a: "x", b: "y" });
    expect(bind("cast", ["x"], { target_type: "t" }).bound).toEqual({ x: "x", dtype: "t" });
  });

  it("leaves out what has a default or is optional", () => {
    expect(bind("row_max", ["x"]).complaints).toEqual([]);
    expect(bind("row_max", ["x", "tmp"]).bound).toEqual({ x: "x", tmp_tile: "tmp" });
  });

  const FAULTS = [
    ["too many arguments", () => bind("add", ["x", "y", "z"]), "TF3001 `pl.add` takes 2 arguments, but 3 were passed"],
    ["an unknown keyword", () => bind("add", ["x", "y"], { out: "z" }), "TF3002 `pl.add` has no parameter `out`"],
    ["the same parameter twice", () => bind("add", ["x", "y"], { a: "z" }), "TF3003 `pl.add` gets `a` twice"],
    ["a missing argument", () => bind("add", ["x"]), "TF3004 `pl.add` lacks its argument `b`"],
  ] as const;
  it.each(FAULTS)("refuses %s", (_what, run, complaint) => {
    expect(run()).toEqual({ bound: undefined, complaints: [complaint] });
  });
});

interface Made {
  readonly type: Type | undefined;
  readonly complaints: readonly string[];
}

/** Makes a call from expressions and static values; complaints as `CODE message`. */
function make(name: string, args: Readonly<Record<string, Expr | readonly Expr[] | { readonly static: Static }>>, dialect: Dialect = "pl", facts: Facts = NO_FACTS): Made {
  const reporter = new Reporter();
  const given = parametersOf(op(name)).all.map((p) => args[p.name]);
  const inputs = given.map((value) => (value === undefined || "static" in value ? undefined : value));
  const attributes = given.map((value) => (value !== undefined && "static" in value ? value.static : undefined));
  const site = { reporter, span: undefined, spelled: `${dialect}.${name}`, dialect, namespace: dialect, facts, spanOf: () => undefined };
  const call = makeCall(op(name), { inputs, attributes }, site);
  return { type: call?.type, complaints: reporter.diagnostics.map((d) => `${d.code} ${d.message}`) };
}

const tile = (shape: readonly number[], dtype: "f32" | "f64" | "i32" | "i64" | "u8" | "bool" = "f32"): Expr => variable("t", tileType(shape, dtype));
const M = variable("M", INDEX);
const N = variable("N", INDEX);

describe("making a call", () => {
  it("fills in defaults by namespace", () => {
    const call = (dialect: Dialect) => {
      const site = { reporter: new Reporter(), span: undefined, spelled: "cast", dialect, namespace: dialect, facts: NO_FACTS, spanOf: () => undefined };
      return makeCall(op("cast"), { inputs: [tile([4])], attributes: [undefined, { dtype: "i32" }] }, site)?.callee.attrs;
    };
    expect(call("pl")).toEqual({ dtype: { dtype: "i32" }, mode: "round" });
    expect(call("tf")).toEqual({ dtype: { dtype: "i32" }, mode: "trunc" });
  });

  it("gives the arguments by name, lists of indices as lists", () => {
    const x = variable("x", tensorType([8], "f32"));
    const site = { reporter: new Reporter(), span: undefined, spelled: "load", dialect: "pl", namespace: "pl", facts: NO_FACTS, spanOf: () => undefined } as const;
    const call = makeCall(op("load"), { inputs: [x, [indexConst(2)]], attributes: [undefined, undefined, [4n]] }, site);
    if (call === undefined) throw new Error("no call");
    expect(argsOf(op("load"), call)).toEqual({ tensor: x, offsets: [indexConst(2)], shapes: [4], target_memory: "vec" });
    expect(inferCall(op("load"), call, { dialect: "pl", facts: NO_FACTS })).toEqual(tileType([4], "f32"));
  });

  it("says nothing of what follows from an erroneous argument", () => {
    expect(make("add", { a: variable("x", UNKNOWN), b: tile([4]) })).toEqual({ type: undefined, complaints: [] });
  });

  const tensorMN = variable("x", tensorType([dimVar(M), dimVar(N)], "f32"));
  const i = variable("i", INDEX);
  const REFUSED: readonly (readonly [string, () => Made, string])[] = [
    ["a kind that does not fit", () => make("load", { tensor: tile([4]), offsets: [indexConst(0)], shapes: { static: [4n] } }), "TF3005 `tensor` of `pl.load` takes a tensor, not a tile (4,) of FP32"],
    ["an attribute that does not fit", () => make("transpose", { x: tile([4, 4]), axis1: { static: 0.5 }, axis2: { static: 1n } }), "TF3005 `axis1` of `pl.transpose` takes an integer, not 0.5"],
    ["a word that is not listed", () => make("reduce", { x: tile([4]), axes: { static: [0n] }, kind: { static: "median" } }, "tf"), 'TF3005 `kind` of `tf.reduce` takes one of mean, sum, max, min, abs_max, not "median"'],
    ["indices that are no index", () => make("read", { src: tile([4]), indices: [numberConst(1, "f32")] }), "TF3005 `indices` of `pl.read` takes index scalars, not a scalar of FP32"],
    ["a dtype the op does not compute in", () => make("log", { x: tile([4], "i32") }), "TF3007 `pl.log` takes elements of FP32 or FP64, not of INT32"],
    ["integer tiles where only tensors of them are taken", () => make("exp", { x: tile([4], "i32") }), "TF3006 `pl.exp` takes integers of PyPTO's tensors only; write `pl.cast(…, pl.FP32)`"],
    ["a packed mask of another row", () => make("sel", { mask: tile([64], "u8"), a: tile([4]), b: tile([4]) }), "TF3006 `pl.sel` needs the packed mask (32,) of (4,), not (64,)"],
    ["shapes that do not broadcast", () => make("add", { a: tile([4, 8]), b: tile([3, 8]) }), "TF3006 `pl.add` cannot broadcast (4, 8) with (3, 8): axis 0 has extent 4 against 3"],
    ["extents that are not known to agree", () => make("add", { a: tensorMN, b: variable("y", tensorType([dimVar(N), dimVar(N)], "f32")) }), "TF3006 `pl.add` cannot broadcast (M, N) with (N, N): axis 0 has extent M against N"],
    ["a tile beside a tensor", () => make("add", { a: tile([4]), b: variable("y", tensorType([4], "f32")) }), "TF3006 `pl.add` mixes a tile (4,) of FP32 and a tensor (4,) of FP32; load the tensor into a tile first"],
    ["mixed dtypes in a TileFoundry function", () => make("add", { a: tile([4]), b: tile([4], "f64") }, "tf"), 'TF3006 `tf.add` mixes f32 and f64; write `tf.cast(…, "f32")`'],
    ["a float scalar beside an integer tile", () => make("add", { a: tile([4], "i32"), b: numberConst(1, "f32") }), "TF3006 `pl.add` mixes INT32 and FP32; write `pl.cast(…, pl.INT32)`"],
    ["operands that are all scalars", () => make("recip", { x: numberConst(1, "f32") }), "TF3006 `pl.recip` needs a tensor or a tile among its operands"],
    ["a symbolic tile", () => make("load", { tensor: tensorMN, offsets: [i, i], shapes: { static: [{ dim: dimVar(M) }, 4n] } }), "TF3006 `pl.load` needs a static shape for a tile, not (M, 4)"],
    ["an offset for each axis", () => make("load", { tensor: tensorMN, offsets: [i], shapes: { static: [4n, 4n] } }), "TF3006 `pl.load` takes 2 offsets for the shape (M, N), not 1"],
    ["an element of another dtype", () => make("write", { dst: tile([4], "i32"), indices: [i], value: numberConst(1, "f32") }), "TF3006 `pl.write` cannot put FP32 into elements of INT32; write `pl.cast(…, pl.INT32)`"],
    ["matrices whose K differs", () => make("matmul", { a: tile([4, 8]), b: tile([4, 8]) }), "TF3006 `pl.matmul` cannot multiply (4, 8) by (4, 8): K is 8 on the left and 4 on the right"],
    ["an accumulator of another dtype", () => make("matmul_acc", { acc: tile([4, 4]), a: tile([4, 4], "u8"), b: tile([4, 4], "u8") }), "TF3006 `pl.matmul_acc` accumulates in INT32 here, not in FP32"],
    ["a row vector of another height", () => make("row_expand_add", { x: tile([4, 8]), row_vec: tile([8, 1]) }), "TF3006 `pl.row_expand_add` needs one value for each row: the shape (4, 1) beside (4, 8), not (8, 1)"],
    ["an axis that is not there", () => make("reduce", { x: tile([4]), axes: { static: 2n } }, "tf"), "TF3006 `tf.reduce` has no axis 2 in the shape (4,)"],
    ["a value the dtype does not hold", () => make("full", { shape: { static: [4n] }, dtype: { static: { dtype: "u8" } }, value: { static: 300n } }), "TF3006 `pl.full` cannot hold 300 in elements of UINT8"],
    ["a permutation with an axis twice", () => make("permute", { x: tile([2, 3]), perm: { static: [0n, 0n] } }, "tf"), "TF3006 `tf.permute` needs each axis of (2, 3) once, not (0, 0)"],
  ];
  it.each(REFUSED)("refuses %s", (_what, run, complaint) => {
    expect(run()).toEqual({ type: undefined, complaints: [complaint] });
  });

  it("complains of a window that is provably outside, and types it all the same", () => {
    const made = make("load", { tensor: variable("x", tensorType([8], "f32")), offsets: [indexConst(8)], shapes: { static: [4n] } });
    expect(made).toEqual({ type: tileType([4], "f32"), complaints: ["TF3008 `pl.load` reads outside axis 0: it starts at 8, the axis runs from 0 to 8"] });
  });

  const ADMITTED: readonly (readonly [string, () => Made, Type])[] = [
    ["PyPTO's promotion of arrays", () => make("add", { a: tile([4], "i32"), b: tile([4], "f32") }), tileType([4], "f32")],
    ["PyPTO's tile beside a wider scalar keeps its dtype", () => make("add", { a: tile([4], "f32"), b: numberConst(1, "f64") }), tileType([4], "f32")],
    ["PyPTO's integer tensor beside a float scalar is promoted", () => make("add", { a: variable("x", tensorType([4], "i32")), b: numberConst(1, "f32") }), tensorType([4], "f32")],
    ["i64 beside index", () => make("add", { a: tile([4], "i64"), b: numberConst(1, "index") }, "tf"), tileType([4], "i64")],
    ["a scalar on the left", () => make("sub", { a: numberConst(1, "f32"), b: tile([4]) }, "tf"), tileType([4], "f32")],
    ["right-aligned broadcasting of symbolic extents", () => make("mul", { a: tensorMN, b: variable("w", tensorType([dimVar(N)], "f32")) }, "tf"), tensorType([dimVar(M), dimVar(N)], "f32")],
    ["a window that may pass the end", () => make("load", { tensor: tensorMN, offsets: [i, i], shapes: { static: [4n, 4n] } }, "pl", symbolFacts([{ var: M, lo: 0, hi: 100 }])), tileType([4, 4], "f32")],
    ["a chosen memory space", () => make("load", { tensor: tensorMN, offsets: [i, i], shapes: { static: [4n, 4n] }, target_memory: { static: "mat" } }), tileType([4, 4], "f32", "mat")],
    ["a product of tiles in the accumulator space", () => make("matmul", { a: tile([4, 8]), b: tile([8, 2]) }), tileType([4, 2], "f32", "acc")],
    ["an element as a scalar", () => make("read", { src: tensorMN, indices: [i, i] }), scalarType("f32")],
  ];
  it.each(ADMITTED)("types %s", (_what, run, type) => {
    expect(run()).toEqual({ type, complaints: [] });
  });
});

describe("attribute values", () => {
  const CASES = [
    ["int", 3n, 3], ["int", 1.5, undefined], ["ints", [1n, -1n], [1, -1]], ["ints", -1n, [-1]], ["bool", true, true], ["bool", 1n, undefined],
    ["number", 1n, 1], ["literal", 1n, 1n], ["literal", 0.5, 0.5], ["dtype", "f32", { dtype: "f32" }], ["dtype", "f31", undefined],
    ["dims", [4n, { dim: 8 }], { dims: [4, 8] }], ["storage", "acc", "acc"], ["storage", "attic", undefined],
  ] as const;
  it.each(CASES)("a value of kind %s, case %#", (attr, given, expected) => {
    expect(attrValue({ attr, doc: "" }, given)).toEqual(expected);
  });
  it("words that have numbers are read by them, and `none` stands for the default", () => {
    const mode = op("cast").params["mode"];
    if (mode === undefined || !isAttr(mode)) throw new Error("no mode");
    expect([1n, 6n, "FLOOR", 7n].map((given) => attrValue(mode, given))).toEqual(["rint", "odd", "floor", undefined]);
    expect([0n, "None", undefined, 1n].map((given) => isNone(mode, given))).toEqual([true, true, true, false]);
  });
  it("None stands for what may be absent, and for nothing else", () => {
    expect(attrValue({ attr: "dtype", doc: "", default: null }, null)).toBeNull();
    expect(attrValue({ attr: "dtype", doc: "", default: null }, "f32")).toEqual({ dtype: "f32" });
    expect(attrValue({ attr: "dtype", doc: "" }, null)).toBeUndefined();
  });
  it("words are read in any case", () => {
    expect(attrValue({ attr: ["mean", "sum"], doc: "" }, "MEAN")).toBe("mean");
  });
});

describe("the context", () => {
  it("looks through the namespaces of tiles and tensors", () => {
    expect(builtinOps.find("pl", "tile.add")).toBe(op("add"));
    expect(builtinOps.find("pl", "tensor.full")).toBe(op("tensor_full"));
    expect(builtinOps.find("pl", "full")).toBe(op("full"));
    expect(builtinOps.find("tf", "load")).toBeUndefined();
  });

  it("knows the op of a primitive", () => {
    expect(builtinOps.elementwise("add")).toBe(op("add"));
    expect(builtinOps.elementwise("load")).toBeUndefined();
  });

  it("spells an op in the other tradition where the own one lacks it", () => {
    expect(spellingOf(op("load"), "tf")).toEqual({ namespace: "pl", name: "load" });
    expect(spellingOf(op("permute"), "pl")).toEqual({ namespace: "tf", name: "transpose" });
    expect(spellingOf(op("maximum"), "tf")).toEqual({ namespace: "tf", name: "maximum" });
  });

  it("takes an op of a user, and stays what it was", () => {
    const twice = defineOp({
      name: "twice",
      doc: "The operand doubled.",
      pl: ["twice"],
      tf: ["twice"],
      params: { x: { input: "array", doc: "the operand" } },
      infer: ({ x }) => x.type,
      lowering: {
        form: "element",
        element: (x, index, _type, bind) => {
          const value = bind("x", x.x(index));
          return { kind: "Prim", op: "add", args: [value, value], attrs: {}, type: value.type, meta: {} };
        },
      },
      dtypes: ["f32"],
      examples: [
        { title: "doubles", args: { x: { dtype: "f32", shape: [1], data: [2] } }, result: { dtype: "f32", shape: [1], data: [4] } },
        { title: "of nothing", args: { x: { dtype: "f32", shape: [0], data: [] } }, result: { dtype: "f32", shape: [0], data: [] } },
      ],
    });
    expect(takenName(builtinOps, twice)).toBeUndefined();
    expect(takenName(builtinOps, { ...twice, pl: ["adds"] })).toBe("pl.adds");
    const extended = extendOps(builtinOps, twice);
    expect(extended.find("pl", "twice")).toBe(twice);
    expect(builtinOps.find("pl", "twice")).toBeUndefined();
    const call = { kind: "Call", callee: { kind: "Op", name: "twice", attrs: {} }, args: [tile([2])], type: tileType([2], "f32"), meta: {} } as const;
    const doubled = arrayOf("f32", [2], [3, 5]);
    expect(evaluateByForm(twice, call, [arrayOf("f32", [2], [1.5, 2.5])], Number)).toEqual(doubled);
  });
});
