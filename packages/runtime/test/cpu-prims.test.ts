// Every primitive in C, scalar and vector, for every dtype it admits, on edge values: bit for bit what the evaluation says.

import {
  CAST_MODES, DTYPE_NAMES, DTYPES, evaluate, forLoop, INDEX, indexConst, isFloat, isInteger, load, makeFunction, makeModule, prim, primType, MATH_PRIMS, PRIMS, seq, store, tensorType,
  variable, type DType, type Expr, type FunctionNode, type Param, type PrimAttrs, type PrimOp,
} from "@tilefoundry/ir";
import { allocate, canonical, hasScalarFunction, isWideData, scalarFunction, type ElementData, type Scalar, type ScalarPrim } from "@tilefoundry/ops/evaluate";
import { TARGETS } from "@tilefoundry/targets";
import { describe, expect, test } from "vitest";
import { findCompiler, loadLibrary } from "../src/cpu-library.ts";

const EDGES: Readonly<Record<DType, readonly Scalar[]>> = {
  f32: [0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, 1e-40, 1e30, -1e30, 3.4e38, 2147483648, -2147483648, 4294967296, 255.5, Infinity, -Infinity, NaN, 9.3e18],
  f64: [0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, 1e-310, 1e300, -1e300, 2147483647.5, -2147483648.9, 4294967295.9, 255.5, Infinity, -Infinity, NaN, 9.3e18, 0.1],
  i32: [0, 1, -1, 2, -2, 3, 7, -7, 31, 32, 33, 255, 256, 65536, -65536, 2147483647, -2147483648, 123456789, -123456789, 5, -5, 16],
  u32: [0, 1, 2, 3, 7, 31, 32, 33, 255, 256, 65535, 65536, 2147483647, 2147483648, 4294967295, 123456789, 4294967291, 5, 16, 63, 64, 1000],
  u8: [0, 1, 2, 3, 7, 8, 9, 15, 16, 31, 32, 100, 127, 128, 129, 200, 250, 253, 254, 255, 5, 64],
  i8: [0, 1, -1, 2, -2, 3, 7, -7, 8, 9, 15, 16, 100, 127, -127, -128, 64, -64, 5, -5, 33, -33],
  i16: [0, 1, -1, 2, -2, 3, 7, -7, 15, 16, 17, 255, 256, 32767, -32767, -32768, 181, 182, 5, -5, 1000, -1000],
  u16: [0, 1, 2, 3, 7, 8, 15, 16, 17, 255, 256, 257, 32767, 32768, 65534, 65535, 181, 300, 5, 64, 1000, 40000],
  u64: [0, 1, 2, 3, 7, 63, 64, 65, 4294967295, 4294967296, 2n ** 63n, 2n ** 64n - 1n, 2n ** 63n - 1n, 2n ** 53n, 2n ** 64n - 1025n, 2n ** 62n + 1n, 5, 16, 31, 1000, 10 ** 12, 2n ** 63n + 1n],
  i64: [0, 1, -1, 2, -2, 3, 7, -7, 63, 64, 65, 4294967296, -4294967296, 2n ** 63n - 1n, -(2n ** 63n), 2 ** 53, 10 ** 12, -(10 ** 12), 5, -5, 31, 16],
  index: [0, 1, -1, 2, -2, 3, 7, -7, 63, 64, 65, 4294967296, -4294967296, 2n ** 63n - 1n, -(2n ** 63n), 2 ** 53, 10 ** 12, -(10 ** 12), 5, -5, 31, 16],
  bool: [false, true, false, true, true, false, false, true, false, true, false, true, true, false, false, true, false, true, false, true, true, false],
};

const NOT_COMPUTED: ReadonlySet<PrimOp> = new Set<PrimOp>(["splat", "lane", "reduce", "alloc_tensor", "load", "store", ...MATH_PRIMS]);
const COMPUTES = (Object.keys(PRIMS) as PrimOp[]).filter((op): op is ScalarPrim => !NOT_COMPUTED.has(op));

interface Case {
  readonly name: string;
  readonly op: ScalarPrim;
  readonly attrs: PrimAttrs;
  readonly result: DType;
}

/** Every way in which a primitive may be applied to operands of one dtype. */
function casesOf(dtype: DType): readonly Case[] {
  return COMPUTES.flatMap((op) => attrsOf(op, dtype).flatMap((attrs): Case[] => {
    const type = primType(op, operands(op, dtype, "x"), attrs);
    if (typeof type === "string" || type.kind !== "Scalar" || !hasScalarFunction(op, dtype)) return [];
    return [{ name: `${op}_${Object.values(attrs).join("_")}`.replace(/_$/, ""), op, attrs, result: type.dtype }];
  }));
}

function attrsOf(op: ScalarPrim, dtype: DType): readonly PrimAttrs[] {
  if (op === "bitcast") return DTYPE_NAMES.filter((d) => d !== "bool" && DTYPES_BITS(d) === DTYPES_BITS(dtype)).map((d) => ({ dtype: d }));
  if (op !== "cast") return [{}];
  return DTYPE_NAMES.flatMap((d): PrimAttrs[] => (isFloat(dtype) && isInteger(d) ? CAST_MODES.map((mode) => ({ dtype: d, mode })) : [{ dtype: d }]));
}

const DTYPES_BITS = (d: DType): number => DTYPES[d].bits;

function operands(op: ScalarPrim, dtype: DType, hint: string): readonly Expr[] {
  const scalar = (d: DType): Expr => variable(hint, { kind: "Scalar", dtype: d });
  return PRIMS[op].operands.map((_, i) => scalar(op === "select" && i === 0 ? "bool" : dtype));
}

interface Built {
  readonly fn: FunctionNode;
  readonly n: number;
  readonly cases: readonly Case[];
  readonly lanes: number;
}

/** out_op[i] = op(cond[i], x[i], y[i], …) for every case, in one function. */
function build(dtype: DType, lanes: number): Built {
  const values = EDGES[dtype];
  const n = Math.floor((values.length * values.length) / 8) * 8;
  const buffer = (name: string, d: DType): Param["var"] => variable(name, tensorType([n], d));
  const [c, x, y, z] = [buffer("c", "bool"), buffer("x", dtype), buffer("y", dtype), buffer("z", dtype)];
  const cases = casesOf(dtype).filter((k) => lanes === 1 || (k.op !== "cast" && k.op !== "bitcast") || DTYPES_BITS(k.result) === DTYPES_BITS(dtype));
  const i = variable("i", INDEX);
  const inputs = [x, y, z].map((b) => load(b, [i], { lanes }));
  const outs = cases.map((k) => buffer(`out_${k.name}`, k.result));
  const stores = cases.map((k, at) => {
    const arity = PRIMS[k.op].operands.length;
    const args = k.op === "select" ? [load(c, [i], { lanes }), ...inputs.slice(0, 2)] : inputs.slice(0, arity);
    const out = outs[at];
    if (out === undefined) throw new Error("one buffer a case");
    return evaluate(store(out, [i], prim(k.op, args, k.attrs)));
  });
  const params: Param[] = [...[c, x, y, z].map((v): Param => ({ var: v, direction: "in" })), ...outs.map((v): Param => ({ var: v, direction: "out" }))];
  const body = seq([forLoop({ loopVar: i, stop: indexConst(n), step: indexConst(lanes), body: seq(stores) })]);
  return { fn: makeFunction({ name: `prims_${dtype}_${lanes}`, func: "prim", params, body }), n, cases, lanes };
}

function fill(dtype: DType, n: number, pick: (i: number) => Scalar): ElementData {
  const data = allocate(dtype, n);
  for (let i = 0; i < n; i++) {
    const v = pick(i);
    data[i] = isWideData(data) ? BigInt(v) : Number(v);
  }
  return data;
}

function scalarAt(data: ElementData, dtype: DType, i: number): Scalar {
  const v = data[i] ?? 0;
  return dtype === "bool" ? Number(v) !== 0 : typeof v === "bigint" ? canonical(v) : v;
}

function run({ fn, n, cases }: Built, dtype: DType): string[] {
  const values = EDGES[dtype];
  const at = (i: number): Scalar => values[i % values.length] ?? 0;
  const arrays = [
    fill("bool", n, (i) => i % 3 === 0),
    fill(dtype, n, at),
    fill(dtype, n, (i) => at(Math.floor(i / values.length))),
    fill(dtype, n, (i) => at(i * 7 + 3)),
    ...cases.map((k) => allocate(k.result, n)),
  ];
  const { value: artifact } = TARGETS.cpu.emit(makeModule("m", [fn]), fn);
  const { value: library, diagnostics } = loadLibrary(artifact);
  if (library === undefined) throw new Error(diagnostics.map((d) => d.message).join("\n"));
  library.launch(BigInt64Array.from([...arrays.map((a) => library.address(a)), 0n, 0n]));
  const [c, x, y, z] = arrays as [ElementData, ElementData, ElementData, ElementData];
  return cases.flatMap((k, j) => {
    const f = scalarFunction(k.op, k.op === "select" ? dtype : dtype, k.attrs);
    const out = arrays[4 + j] as ElementData;
    for (let i = 0; i < n; i++) {
      const inputs = [x, y, z].map((d) => scalarAt(d, dtype, i));
      const [a, b, d] = k.op === "select" ? [scalarAt(c, "bool", i), ...inputs] : inputs;
      const expected = f(a ?? 0, b, d);
      const actual = scalarAt(out, k.result, i);
      if (!Object.is(actual, expected)) return [`${k.name}(${String(a)}, ${String(b)}, ${String(d)}) is ${String(actual)}, expected ${String(expected)}`];
    }
    return [];
  });
}

const here = findCompiler() !== undefined;

describe.skipIf(!here)("primitives in C", () => {
  test.each(DTYPE_NAMES)("scalars of %s [needs a C compiler]", (dtype) => {
    expect(run(build(dtype, 1), dtype)).toEqual([]);
  });

  test.each(["f32", "f64", "i32", "u32", "i64"] as const)("vectors of %s [needs a C compiler]", (dtype) => {
    expect(run(build(dtype, DTYPES_BITS(dtype) === 64 ? 2 : 4), dtype)).toEqual([]);
  });
});
