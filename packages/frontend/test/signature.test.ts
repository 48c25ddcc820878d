// Signatures, directions, modules, graphs and holes, by the canonical text they become.

import { describe, expect, it } from "vitest";
import { func, read, readTemplate } from "./read.ts";
import { body, canonical, signature } from "./shown.ts";

const prim = (params: string, text = "pass"): string => `@prim_func\ndef k(${params}):\n    ${text.split("\n").join("\n    ")}\n`;

const TYPES = [
  ["x: pl.Tensor[[M, 8], pl.FP32]", "x: Tensor[(M, 8), \"f32\"]"],
  ["x: Tensor[(M, 8), f32]", "x: Tensor[(M, 8), \"f32\"]"],
  ["x: pl.Tensor((M, 8), pl.FP32)", "x: Tensor[(M, 8), \"f32\"]"],
  ["x: tf.Tensor[(M, 2 * 4), DType.f32]", "x: Tensor[(M, 8), \"f32\"]"],
  ["x: Tensor[(M, M + 1, 2 * M - 2, ceildiv(M, 4), M % 8), \"u8\"]", "x: Tensor[(M, M + 1, M * 2 - 2, (M + 3) // 4, M % 8), \"u8\"]"],
  ["x: Tensor[(M, min(M, 64)), \"i64\"]", "x: Tensor[(M, T.min(64, M)), \"i64\"]"],
  ["x: Tensor[SHAPE, \"f64\"]", "x: Tensor[(4, 8), \"f64\"]"],
  ["x: Tensor[(), \"bool\"]", "x: Tensor[(), \"bool\"]"],
  ["x: ConstTensor[(8,), \"f32\"]", "x: ConstTensor[(8,), \"f32\"]"],
  ["x: pl.Scalar[pl.UINT32]", "x: Scalar[\"u32\"]"],
  ["x: Tensor[(8,), \"f32\", \"host\"]", "x: Tensor[(8,), \"f32\", \"host\"]"],
] as const;

describe("types of parameters, in both traditions", () => {
  for (const [written, meaning] of TYPES) it(written, () => expect(signature(`SHAPE = (4, 8)\n${prim(written)}`)).toBe(`def k(${meaning}):`));
});

describe("symbolic extents", () => {
  it("are listed in order of first appearance", () => {
    const { module } = read(prim("x: Tensor[(B, A), \"f32\"], y: Tensor[(A, C), \"f32\"]"));
    expect(module.functions[0]?.symbols.map((s) => [s.var.hint, s.lo, s.hi])).toEqual([["B", 0, 2 ** 31], ["A", 0, 2 ** 31], ["C", 0, 2 ** 31]]);
  });

  it("have the range of their declaration, under any name", () => {
    expect(canonical(read(`rows = DimVar("M", 1, 65)\nN = pl.dynamic("N")\n${prim("x: Tensor[(rows, N), \"f32\"]", "b = rows + N")}`))).toBe(
      "M = DimVar(\"M\", 1, 65)\n\n\n@prim_func\ndef k(x: Tensor[(M, N), \"f32\"]):\n    b = M + N\n",
    );
  });

  it("may be computed with at module level", () => {
    expect(signature(`M = DimVar("M", 0, 99)\nHALF = (M + 1) // 2\n${prim("x: Tensor[(M, HALF), \"f32\"]")}`)).toBe("def k(x: Tensor[(M, (M + 1) // 2), \"f32\"]):");
  });

  it("are variables of their own in each function", () => {
    const { module } = read(`M = DimVar("M", 0, 99)\n${prim("x: Tensor[(M,), \"f32\"]")}${prim("x: Tensor[(M,), \"f32\"]").replace("def k", "def l")}`);
    expect(module.functions[0]?.symbols[0]?.var).not.toBe(module.functions[1]?.symbols[0]?.var);
  });
});

const TENSORS = "x: Tensor[(M, 64), \"f32\"], y: Tensor[(M, 64), \"f32\"]";

/** The body of a kernel over `x` and `y`, and the direction that `y` gets. */
const DIRECTIONS = {
  "nothing written": ["b = y[0, 0]", "in"],
  "one element written": ["y[0, 0] = 1.0", "inout"],
  "written in a branch": ["if x[0, 0] > 0.0:\n    y[0, 0] = 1.0", "inout"],
  "written through another name": ["z = y\nz[0, 0] = 1.0", "inout"],
  "written through a carry": ["for i, (z,) in T.range(M, init_values=(y,)):\n    w = pl.yield_(pl.write(z, (i, 0), 1.0))", "inout"],
  "written through the result of a branch": ["if x[0, 0] > 0.0:\n    z = pl.yield_(y)\nelse:\n    z = pl.yield_(x)\nz[0, 0] = 1.0", "inout"],
  "written by a primitive": ["T.store(y, (0, 0), 1.0)", "inout"],
  "every row written": ["for i in T.range(M):\n    pl.store(pl.load(x, (i, 0), (1, 64)), (i, 0), y)", "out"],
  "every tile written": ["for i in T.parallel(0, M, 32):\n    for j in T.range(0, 64, 16):\n        pl.store(pl.load(x, (i, j), (32, 16)), (i, j), y)", "out"],
  "every element written": ["for i in T.range(M):\n    for j in T.range(64):\n        y[i, j] = x[i, j]", "out"],
  "every second row written": ["for i in T.range(0, M, 2):\n    pl.store(pl.load(x, (i, 0), (1, 64)), (i, 0), y)", "inout"],
  "every row written under a condition": ["for i in T.range(M):\n    if x[i, 0] > 0.0:\n        pl.store(pl.load(x, (i, 0), (1, 64)), (i, 0), y)", "inout"],
  "every row written, but read before": ["b = y[0, 0]\nfor i in T.range(M):\n    pl.store(pl.load(x, (i, 0), (1, 64)), (i, 0), y)", "inout"],
  "every row written, unless the loop is left": ["for i in T.range(M):\n    if x[i, 0] > 0.0:\n        break\n    pl.store(pl.load(x, (i, 0), (1, 64)), (i, 0), y)", "inout"],
} as const;

describe("directions of parameters without a wrapper", () => {
  for (const [title, [text, direction]] of Object.entries(DIRECTIONS)) {
    it(`${title}: ${direction}`, () => {
      const { module, diagnostics } = read(prim(TENSORS, text));
      expect(diagnostics).toEqual([]);
      expect(module.functions[0]?.params[1]?.direction).toBe(direction);
    });
  }
});

describe("modules", () => {
  it("are named after their only function, which is the entry", () => {
    expect(read(prim("x: Scalar[\"f32\"]")).module).toMatchObject({ name: "k", entry: "k" });
  });

  it("of several functions have the name of the text, and an entry if one is marked", () => {
    const two = `${prim("x: Scalar[\"f32\"]")}@prim_func(entry=True)\ndef l(x: Scalar["f32"]):\n    pass\n`;
    expect(read(two).module).toMatchObject({ name: "text", entry: "l" });
    expect(read(two.replace("(entry=True)", "")).module.entry).toBeUndefined();
  });

  it("take imports of the parents, under any name", () => {
    const text = "import pypto.language as p\nfrom tilefoundry import tf as t, func\nfrom tilefoundry.tf import square\n@func\ndef k(x: p.Tensor[[8], p.FP32]):\n    return t.exp(square(x))\n";
    expect(body(text)).toBe("return tf.exp(tf.square(x))");
  });

  it("pass over `if __name__ == \"__main__\"`", () => {
    expect(read(`${prim("x: Scalar[\"f32\"]")}if __name__ == "__main__":\n    run(k)\n`).diagnostics).toEqual([]);
  });

  it("say what their decorators say", () => {
    const text = "@pl.function(type=pl.FunctionType.Orchestration, target=\"cpu\", contract=True)\ndef k(x: pl.Scalar[pl.FP32]):\n    pass\n";
    expect(canonical(read(text))).toBe(text);
  });
});

describe("`@func`", () => {
  it("shares values by identity, and numbers leave nothing behind", () => {
    expect(body(func("half = 1.0 / 2\ny = x * half\nz = y + y\nreturn z, tf.exp(y)"))).toBe("y = tf.mul(x, 0.5)\nz = tf.add(y, y)\nreturn z, tf.exp(y)");
  });

  it("tells values of one name apart", () => {
    expect(body(func("x = x * 2.0\nx = x + 1.0\nreturn x"))).toBe("x_1 = tf.mul(x, 2.0)\nx_2 = tf.add(x_1, 1.0)\nreturn x_2");
  });

  it("takes another name for a value as that value", () => {
    expect(body(func("y = x * 2.0\nz = y\nreturn z + w"))).toBe("y = tf.mul(x, 2.0)\nreturn tf.add(y, w)");
  });

  it("has its inferred types as results", () => {
    expect(signature(func("return tf.exp(x), 2.0 * w"))).toContain("-> tuple[Tensor[(M, 8), \"f32\"], Tensor[(8,), \"f32\"]]:");
  });
});

describe("holes", () => {
  it("are values wherever a name may stand", () => {
    const text = ["@prim_func\ndef k(x: Tensor[", ", ", "], y: Tensor[(", ", ", "), \"f32\"]):\n    b = y[0, 0] * ", "\n    c = ", "\n    d = ", " + ", "\n"];
    const holes = [[4, 8], { kind: "dtype", dtype: "u8" }, { kind: "dimvar", name: "M", lo: 1, hi: 9 }, 64, 2, true, 2n ** 40n, 1] as const;
    expect(canonical(readTemplate(text, holes))).toBe(
      "M = DimVar(\"M\", 1, 9)\n\n\n@prim_func\ndef k(x: Tensor[(4, 8), \"u8\"], y: Tensor[(M, 64), \"f32\"]):\n    b = pl.read(y, (0, 0)) * 2.0\n    c = True\n    d = 1099511627777\n",
    );
  });

  it("without a value are silent", () => {
    expect(readTemplate(["@prim_func\ndef k(x: Tensor[(", ",), \"f32\"]):\n    b = x[0] * ", "\n"], []).diagnostics).toEqual([]);
  });
});
