// Positions that meet: values that live across barriers, tiles of each position, loops and branches that all go through together; in phases on
// WebAssembly and in C, in step in the interpreter.

import { interpret } from "@tilefoundry/interp";
import { builtinOps } from "@tilefoundry/ops";
import { check, compileNow, parseProgram, toModule, type AnyProgram, type NdArray } from "tilefoundry";
import { describe, expect, test } from "vitest";
import { uniform } from "../../../samples/inputs.ts";

const kernel = (body: string): string => `@module(entry="f", topologies=(Topology("cta", 4), Topology("thread", 32)))
class M:
    @prim_func
    def f(x: Tensor[(4, 8, 4), "f32"], y: InOut[Tensor[(4, 8, 4), "f32"]], n: Scalar["index"]):
        with Mesh(("cta",), (4,), ("row",)) as b:
            part = pl.create_tile((8, 4), "f32")
            with Mesh(("thread",), (8, 4), ("i", "j")) as t:
                v = pl.read(x, (b.row, t.i, t.j))
                ${body.replaceAll("\n", "\n                ")}
                pl.write(y, (b.row, t.i, t.j), v)
`;

const EXCHANGES = {
  "a value that lives across": "pl.write(part, (t.i, t.j), v)\nT.sync(t)\nv = v + pl.read(part, (7 - t.i, t.j))",
  "a tile of each position": "mine = pl.create_tile((2,), \"f32\")\npl.write(mine, (0,), v * 2.0)\npl.write(part, (t.i, t.j), v)\nT.sync(t)\nv = pl.read(mine, (0,)) + pl.read(part, (0, 3 - t.j))",
  "a loop that all go through": "for k in T.range(n):\n    pl.write(part, (t.i, t.j), v)\n    T.sync(t)\n    w = pl.read(part, ((t.i + 1) % 8, (t.j + k) % 4))\n    T.sync(t)\n    v = v + w",
  "a `while` that all go through": "half = 4\nwhile half > 0:\n    pl.write(part, (t.i, t.j), v)\n    T.sync()\n    v = v + pl.read(part, ((t.i + half) % 8, t.j))\n    T.sync()\n    half = half // 2",
  "a branch that all take": "if n > 1:\n    pl.write(part, (t.i, t.j), v)\n    T.sync(t)\n    v = pl.read(part, (7 - t.i, t.j))\nelse:\n    v = v * 3.0",
  "a condition of its own between": "pl.write(part, (t.i, t.j), 0.0)\nif t.i < 3:\n    pl.write(part, (t.i, t.j), v)\nT.sync(t)\nv = pl.read(part, (t.i, t.j))",
};

const programOf = (text: string): AnyProgram => {
  const { value, diagnostics } = parseProgram(text, "f.tf");
  if (value === undefined) throw new Error(diagnostics.map((d) => d.message).join("\n"));
  return value;
};

const numbers = (a: NdArray | undefined): readonly number[] => Array.from(a?.data as ArrayLike<number>, Number);

describe.each(Object.entries(EXCHANGES))("%s", (_title, body) => {
  const program = programOf(kernel(body));
  test.each([0, 1, 3])("means the same on every target, with n = %i", (n) => {
    const run = (target: string): readonly number[] => numbers(compileNow(program, { target }).call({ x: uniform([4, 8, 4], 5), y: uniform([4, 8, 4], 6), n })["y"]);
    const expected = run("interp");
    expect(run("wasm")).toEqual(expected);
    expect(run("cpu")).toEqual(expected);
    expect(expected).not.toEqual(numbers(uniform([4, 8, 4], 6)));
  });
});

describe("a barrier that not all would reach is refused", () => {
  const codes = (body: string): readonly string[] => check(kernel(body), "f.tf").diagnostics.map((d) => d.code);

  test("under a condition that differs between positions", () => expect(codes("if t.i < 3:\n    T.sync(t)")).toContain("TF5048"));
  test("in a loop that runs differently often", () => expect(codes("for k in T.range(t.i):\n    T.sync(t)")).toContain("TF5048"));
  test("where the number of positions is not known, if something lives across", () => {
    const text = `@prim_func\ndef f(x: InOut[Tensor[(N,), "f32"]]):\n    for i in T.parallel(N, level="thread"):\n        v = pl.read(x, (i,))\n        T.barrier("thread")\n        pl.write(x, (N - 1 - i,), v)\n`;
    expect(check(text, "f.tf").diagnostics.map((d) => d.code)).toContain("TF5047");
  });

  test("and reported by a strict run", () => {
    const program = programOf(kernel("if t.i < 3:\n    T.sync(t)"));
    const module = toModule(program);
    const fn = module.functions[0];
    if (fn === undefined) throw new Error("no function");
    const array = (seed: number) => ({ kind: "array" as const, dtype: "f32" as const, shape: [4, 8, 4], data: uniform([4, 8, 4], seed).data as Float32Array, valid: [4, 8, 4] });
    expect(interpret(module, fn, [array(1), array(2), 1], { ops: builtinOps, strict: true }).faults.map((d) => d.code)).toContain("TF6108");
  });
});
