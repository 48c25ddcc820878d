// Programs of several functions and modules from TypeScript: members, children, paths, programs in holes, constants bound once.

import { array, compile, functionSelectors, parseProgram, print, select, targetOf, tf, TileFoundryError, toModule, weightsOf, type AnyProgram, type NdArray } from "tilefoundry";
import { describe, expect, test } from "vitest";
import { program as mlp } from "../../../samples/mlp/mlp.ts";
import { program as linear } from "../../../samples/linear/linear.ts";

const codesOf = (run: () => unknown): readonly string[] => {
  try {
    run();
  } catch (error) {
    if (error instanceof TileFoundryError) return error.diagnostics.map((d) => d.code);
    throw error;
  }
  return [];
};

const numbers = (a: NdArray | undefined): readonly number[] => Array.from(a?.data as ArrayLike<number>, Number);
const member = (program: AnyProgram, name: string): unknown => (program as unknown as Readonly<Record<string, unknown>>)[name];

const twice = tf<"twice">`
@func
def twice(x: Tensor[(N,), "f32"]):
    return x + x
`;

describe("members", () => {
  test("are the functions, children and methods of the module, and nothing else", () => {
    expect(Object.keys(mlp).sort()).toEqual(["down", "forward", "up"]);
    expect(Object.keys(linear).sort()).toEqual(["linear", "rows"]);
  });

  test("a child is a program: called, printed, compiled; it runs where its owner runs", () => {
    const up = select(mlp, "up");
    expect(member(mlp, "up")).toBe(up);
    expect(targetOf(up)).toBe("wasm");
    const out = up({ x: [[1, 2]], w: [[1, 0], [0, 1]], bias: array(Float32Array.of(0, -3), { shape: [2] }) })["out"];
    expect(numbers(out)).toEqual([1, 0]);
    expect(print(up)).toContain("class up:");
  });

  test("paths name children and functions", () => {
    expect(functionSelectors(mlp).map((s) => s.path)).toEqual(["forward", "up.forward", "down.forward"]);
    expect(select(mlp, "")).toBe(mlp);
    expect(toModule(select(mlp, "down.forward")).entry).toBe("forward");
    expect(codesOf(() => select(mlp, "sideways"))).toEqual(["TF6036"]);
    expect(codesOf(() => select(mlp, "up..forward"))).toEqual(["TF6036"]);
  });

  test("a method is text", () => {
    const p = parseProgram("@module(entry=\"f\")\nclass M:\n    @func\n    def f(x: Tensor[(4,), \"f32\"]):\n        return x\n    def init(self):\n        return  [1]\n", "m.tf").value;
    expect(p === undefined ? "" : print(p)).toContain("    def init(self):\n        return [1]\n");
    expect(codesOf(() => (member(p as AnyProgram, "init") as () => void)())).toEqual(["TF6035"]);
  });
});

describe("constants", () => {
  const weights = { w0: array(new Float32Array(576), { shape: [24, 24] }), b0: array(new Float32Array(24).fill(1), { shape: [24] }), w1: array(new Float32Array(576), { shape: [24, 24] }), b1: array(new Float32Array(24).fill(2), { shape: [24] }) };

  test("are bound once", async () => {
    expect([...weightsOf(mlp).keys()]).toEqual(["w0", "b0", "w1", "b1"]);
    const kernel = await compile(mlp, { weights });
    expect(numbers(kernel.call({ x: array(new Float32Array(24), { shape: [1, 24] }) })["out"])).toEqual(new Array(24).fill(2));
  });

  test("that the function lacks are named", async () => {
    await expect(compile(mlp, { weights: { ...weights, w2: [[1]] } })).rejects.toMatchObject({ diagnostics: [{ code: "TF6037" }] });
  });
});

describe("a program in a hole", () => {
  const four = tf<"four">`
@func
def four(x: Tensor[(N,), "f32"]):
    return ${twice}(${twice}.twice(x))
`;

  test("is called, and prints as a child of the program", () => {
    expect(numbers(four.four({ x: [1, 2, 3] })["out"])).toEqual([4, 8, 12]);
    const text = print(four);
    expect(text).toContain("class twice:");
    const again = parseProgram(text, "four.tf").value;
    expect(again === undefined ? "" : print(again)).toBe(text);
  });

  test("that has no such function is a located error", () => {
    expect(codesOf(() => tf`
@func
def f(x: Tensor[(N,), "f32"]):
    return ${twice}.thrice(x)
`)).toEqual(["TF2036"]);
  });
});

test("a carry may start with a call of a child's function", async () => {
  const start = parseProgram(`
@module
class Parts:
    @prim_func
    def at(n: Scalar["index"], x: Tensor[(8,), "f32"]) -> Scalar["f32"]:
        return pl.read(x, (n,))

@module
class Sum:
    parts = Parts
    @prim_func(entry=True)
    def sum(self, x: Tensor[(8,), "f32"], y: Out[Tensor[(1,), "f32"]]):
        for i, (a,) in T.range(8, init_values=(self.parts.at(3, x),)):
            r = pl.yield_(a + self.parts.at(i, x))
        pl.write(y, (0,), r)
`, "sum.tf").value;
  if (start === undefined) throw new Error("it has errors");
  for (const target of ["interp", "wasm"] as const) {
    const kernel = await compile(start, { target });
    expect(numbers(kernel.call({ x: [0, 1, 2, 3, 4, 5, 6, 7] })["y"])).toEqual([31]);
  }
});

test("functions may call what stands below them, and are called by keyword too", () => {
  const p = tf<"f" | "g">`
@prim_func(entry=True)
def f(x: Tensor[(4,), "f32"], y: Out[Tensor[(4,), "f32"]]):
    g(to=y, of=x, by=3)

@prim_func
def g(of: Tensor[(N,), "f32"], to: Out[Tensor[(N,), "f32"]], by: Scalar["i32"]):
    for i in T.range(N):
        pl.write(to, (i,), pl.read(of, (i,)) * T.cast(by, "f32"))
`;
  expect(numbers(p({ x: [1, 2, 3, 4] })["y"])).toEqual([3, 6, 9, 12]);
  expect(numbers(p.g({ of: [2], by: 5 })["to"])).toEqual([10]);
});

describe("@pl.inline", () => {
  const text = `@pl.inline
def scaled(t, by):
    u = pl.mul(t, by)
    return pl.add(u, 1.0)

@pl.function(type=pl.FunctionType.InCore)
def main(x: pl.Tensor[[M, 16], pl.FP32], y: pl.Out[pl.Tensor[[M, 16], pl.FP32]], s: pl.Scalar[pl.FP32]):
    for r in pl.parallel(M):
        row = pl.load(x, [r, 0], [1, 16])
        pl.store(pl.add(scaled(row, 3.0), scaled(row, s)), [r, 0], y)
`;

  test("is read for the arguments of each call, once for those of one kind", () => {
    const p = parseProgram(text, "main.tf").value as AnyProgram;
    expect(toModule(p).functions.map((f) => f.name)).toEqual(["scaled", "scaled_1", "main"]);
    expect(numbers(p({ x: array(new Float32Array(16).fill(2), { shape: [1, 16] }), s: 5 })["y"])).toEqual(new Array(16).fill(18));
  });

  test("takes as many arguments as it has parameters, and may not call itself", () => {
    expect(parseProgram(text.replace("scaled(row, 3.0)", "scaled(row)"), "m.tf").diagnostics.map((d) => d.code)).toEqual(["TF4123"]);
    expect(parseProgram(text.replace("u = pl.mul(t, by)", "u = scaled(t, by)"), "m.tf").diagnostics.map((d) => d.code)).toContain("TF4122");
  });
});
