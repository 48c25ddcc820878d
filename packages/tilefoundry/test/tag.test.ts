// The template tag: holes, places in the TypeScript file, members of a program, and what is parsed again.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { array, check, compile, DimVar, dtype, format, functionSelectors, lookup, NdArray, print, source, tf, TileFoundryError, type HoleValue } from "tilefoundry";
import { describe, expect, test } from "vitest";

const doubled = (n: HoleValue, d: HoleValue = dtype("f32")) => tf<"doubled">`
@prim_func
def doubled(x: Tensor[(${n},), ${d}], y: Out[Tensor[(${n},), ${d}]]):
    for i in T.range(${n}):
        pl.write(y, (i,), pl.read(x, (i,)) + pl.read(x, (i,)))
`;

const numbers = (a: NdArray | undefined): readonly number[] => Array.from({ length: a?.size ?? 0 }, (_, i) => Number(a?.data[i]));

function thrown(run: () => unknown): TileFoundryError {
  try {
    run();
  } catch (error) {
    if (error instanceof TileFoundryError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("holes", () => {
  test("take numbers, bigints, dtypes and symbolic extents", () => {
    expect(numbers(doubled(3).doubled({ x: [1, 2, 3] })["y"])).toEqual([2, 4, 6]);
    expect(numbers(doubled(2n).doubled({ x: [1, 2] })["y"])).toEqual([2, 4]);
    expect(numbers(doubled(2, dtype("i32")).doubled({ x: [1, 2] })["y"])).toEqual([2, 4]);
    expect(numbers(doubled(DimVar("N", 1, 100)).doubled({ x: array(Float32Array.of(5), { shape: [1] }) })["y"])).toEqual([10]);
  });

  test("take shapes as arrays", () => {
    const shape = [2, 3];
    const p = tf<"f">`
@func
def f(x: Tensor[${shape}, "f32"]):
    return x + x
`;
    expect(p.f({ x: [[1, 2, 3], [4, 5, 6]] })["out"]?.shape).toEqual([2, 3]);
  });

  test("that are of no such kind are located errors", () => {
    const error = thrown(() => doubled({ no: "value" } as unknown as HoleValue));
    expect(error.diagnostics[0]?.span).toBeDefined();
  });

  test("inside a string, or glued to a name, are located errors", () => {
    expect(thrown(() => tf`
@prim_func(target="${1}")
def f(x: InOut[Tensor[(4,), "f32"]]):
    pl.write(x, (0,), 1.0)
`).diagnostics.map((d) => d.code)).toContain("TF1013");
    expect(thrown(() => tf`
@prim_func
def f${2}(x: InOut[Tensor[(4,), "f32"]]):
    pl.write(x, (0,), 1.0)
`).diagnostics.map((d) => d.code)).toContain("TF1013");
  });
});

describe("a wrong template", () => {
  test("throws with every error, at the line of the TypeScript file", () => {
    const error = thrown(
      () => tf`
@prim_func
def f(x: Tensor[(4,), "f32"], y: Out[Tensor[(4,), "f32"]]):
    pl.write(y, (0,), pl.raed(x, (0,)))
    pl.write(y, (1,), unknown)
`,
    );
    expect(error.diagnostics).toHaveLength(2);
    expect(error.message).toContain("tag.test.ts:");
    // the line of `pl.raed` in this file
    const line = Number(/tag\.test\.ts:(\d+)/.exec(error.message)?.[1]);
    expect(line).toBeGreaterThan(60);
    expect(line).toBeLessThan(90);
    expect(error.message).toContain("pl.read");
  });

  test("shows lines of the file, and columns of it behind holes and escapes", () => {
    const n = 4;
    const error = thrown(() => tf`
@prim_func
def f(x: InOut[Tensor[(${n},), "f32"]]):
    pl.write(x, (${n - 4},), "\`\${" if pl.behindHole(${n}) else 0.0)
`);
    const file = fileURLToPath(import.meta.url);
    const lines = readFileSync(file, "utf8").split("\n");
    const line = lines.findIndex((l) => l.startsWith("    pl.write(x, (${n - 4}"));
    expect(error.message).toContain(`tag.test.ts:${line + 1}:${(lines[line] ?? "").indexOf("pl.behindHole") + 1}\n`);
    expect(error.message).toContain(`${line + 1} | ${lines[line] ?? ""}`);
  });

  test("is not thrown by check, which gives the diagnostics", () => {
    const { program, diagnostics } = check("@prim_func\ndef f(x: Tensor[(4,), \"f32\"]):\n    pl.nope(x)\n");
    expect(program).toBeUndefined();
    expect(diagnostics.some((d) => d.severity === "error")).toBe(true);
  });
});

describe("an error that nobody catches", () => {
  test("is shown by its message, without the diagnostics beside it", () => {
    const error = new TileFoundryError(check("nope").diagnostics);
    expect(error.diagnostics).toHaveLength(1);
    expect(inspect(error)).toContain("TF");
    expect(inspect(error)).not.toContain("diagnostics");
  });
});

describe("a program", () => {
  const p = doubled(4);

  test("has no string-keyed members but its own names", async () => {
    expect(Object.getOwnPropertyNames(p)).toEqual(["doubled"]);
    expect("then" in p).toBe(false);
    expect("name" in p).toBe(false);
    expect("toString" in p).toBe(false);
    expect(await p).toBe(p);
  });

  test("is callable through its only function, and prints well", () => {
    expect(p({ x: [1, 2, 3, 4] })["y"]).toBeInstanceOf(NdArray);
    expect(inspect(p)).toBe("Program doubled { doubled }");
    expect(String(p)).toBe("Program doubled { doubled }");
  });

  test("is the same object while its holes do not change, and is bound again when they do", () => {
    const make = (n: number) => tf<"f">`
@func
def f(x: Tensor[(${n},), "f32"]):
    return x + 1.0
`;
    const four = make(4);
    expect(make(4)).toBe(four);
    expect(make(5)).not.toBe(four);
    expect(print(make(5))).toContain("(5,)");
  });

  test("compiles, prints, formats, shows its source, and is looked up", async () => {
    const kernel = await compile(p, { target: "interp" });
    const y = NdArray.zeros([4], "f32");
    kernel.call({ x: [1, 2, 3, 4] }, { out: { y } });
    expect(Array.from(y.data as Float32Array)).toEqual([2, 4, 6, 8]);
    expect((await kernel.run({ x: [0, 0, 0, 1] }))["y"]?.data[3]).toBe(2);
    expect(print(p, { stage: "placed" })).toContain("T.store");
    expect(format(p)).toContain("Tensor[(${n},), ${d}]");
    expect(source(p, "wasm")).toContain("(module");
    expect(lookup(p, "doubled").name).toBe("doubled");
    expect(functionSelectors(p)).toEqual([]);
  });

  test("refuses wrong arguments by name", () => {
    expect(thrown(() => p({ x: [1, 2] })).message).toContain("x");
    expect(thrown(() => p({})).message).toContain("x");
    expect(thrown(() => p({ x: [1, 2, 3, 4], z: [1] })).message).toContain("z");
  });
});
