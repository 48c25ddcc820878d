// Every code of the frontend is raised by a case; each case raises exactly its own diagnostic, at the right place.

import { CODES, type Code } from "@tilefoundry/text";
import { describe, expect, it } from "vitest";
import type { Case } from "./cases/case.ts";
import { FLOW } from "./cases/flow.ts";
import { MODULES } from "./cases/modules.ts";
import { NAMES } from "./cases/names.ts";
import { REFUSED } from "./cases/refused.ts";
import { TYPES } from "./cases/types.ts";
import { pointsAt, read, readTemplate } from "./read.ts";

const TOPICS: Readonly<Record<string, readonly Case[]>> = { "names and constants": NAMES, "modules and calls": MODULES, "types and operators": TYPES, "control flow and directions": FLOW, "refused by name": REFUSED };

for (const [topic, cases] of Object.entries(TOPICS)) {
  describe(topic, () => {
    for (const wrong of cases) {
      it(`${wrong.code}: ${wrong.title}`, () => {
        const { diagnostics } = read(wrong.text);
        expect(diagnostics.map((d) => `${d.code} ${d.message}`)).toEqual([expect.stringContaining(wrong.code)]);
        const [d] = diagnostics;
        if (d === undefined) return;
        expect(pointsAt(d)).toBe(wrong.at);
        if (wrong.help !== undefined) expect(d.help).toContain(wrong.help);
        if (wrong.fix !== undefined) expect(d.fixes[0]?.edits[0]?.text).toBe(wrong.fix);
        if (wrong.related !== undefined) expect(d.related.map((r) => r.span.source.text.slice(r.span.start, r.span.end))).toEqual(wrong.related);
      });
    }
  });
}

describe("codes", () => {
  it("are each raised by a case", () => {
    const raised = new Set(Object.values(TOPICS).flat().map((c) => c.code));
    const ours = (Object.keys(CODES) as Code[]).filter((code) => /^TF(20|31|32|41|420[1-6])/.test(code)); // the keys of the table
    expect(ours.filter((code) => !raised.has(code) && code !== "TF2006" && code !== "TF2010")).toEqual([]);
  });

  it("TF2006: a hole that holds an object", () => {
    const text = ["@prim_func\ndef k(x: Tensor[(", ",), \"f32\"]):\n    pass\n"];
    const { diagnostics } = readTemplate(text, [{ rows: 4 } as never]);
    expect(diagnostics.map((d) => [d.code, pointsAt(d)])).toEqual([["TF2006", "${…}"]]);
  });

  it.each([["import torch\n", "TF2010"], ["print(1)\n", "TF1012"], ["def h(n):\n    return n\n", "TF2002"], ["A = 2 ** 10 ** 9\n", "TF2103"]])("a template has no host code: %s", (text, code) => {
    const { diagnostics } = readTemplate([`${text}@prim_func\ndef k(x: Tensor[(8,), "f32"]):\n    pass\n`], [], "refused");
    expect(diagnostics.map((d) => d.code)).toEqual([code]);
  });

  it("come several at a time where errors are independent", () => {
    const { diagnostics } = read("@prim_func\ndef k(x: Tensor[(8,), \"f32\"], y):\n    a = nope\n    b = a + 1\n    c = pl.laod(x, (0,), (8,))\n    d = y + c\n    for i in T.range(0, 4, 0):\n        e = missing\n    return b\n");
    expect(diagnostics.map((d) => d.code)).toEqual(["TF3101", "TF2001", "TF3208", "TF4113", "TF2001"]);
  });

  it("are all inside the text", () => {
    for (const { text } of Object.values(TOPICS).flat()) {
      for (const { span } of read(text).diagnostics) {
        expect(span !== undefined && span.start >= 0 && span.start <= span.end && span.end <= text.length).toBe(true);
      }
    }
  });
});

describe("a line that cannot be read", () => {
  const K = '@prim_func\ndef k(x: InOut[Tensor[(N,), "f32"]]):\n';
  it.each([
    ["may have been the return", '@func\ndef k(x: Tensor[(N,), "f32"]):\n    return x + +\n'],
    ["may have been one of several returns", '@prim_func\ndef k(x: Tensor[(N,), "f32"], n: Scalar["i64"]):\n    if n > 2:\n        return n\n    return n +\n'],
    ["may have been what writes", '@pl.function\ndef k(x: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]) -> pl.Tensor[[N], pl.FP32]:\n    pl.store(x y)\n'],
    ["may have bound what is read", `${K}    a = = 1.0\n    x[0] = a\n`],
    ["may have been a function that is called", `@prim_func\ndef h(x y):\n    pass\n${K}    h(x)\n`],
  ])("%s: that is said once", (_, text) => expect(read(text).diagnostics.map((d) => d.code)).toEqual([expect.stringMatching(/^TF10/)]));

  it("hides no error of its own beside it", () => {
    expect(read(`${K}    a = = 1.0\n    x[0] = nope\n`).diagnostics.map((d) => d.code)).toEqual(["TF1002", "TF2001"]);
  });
});

describe("what is not known because of an error", () => {
  const CALLED = '@prim_func\ndef g(x: InOut[Tensor[(4,), "f32"]], y: Tensor[(N,), D]):\n    pl.write(x, (0,), 1.0)\n';
  it.each([
    ["the extents of a parameter", `D = nope\n${CALLED}@prim_func\ndef f(x: InOut[Tensor[(4,), "f32"]], y: Tensor[(M,), "f32"]):\n    g(x, y)\n`],
    ["a mesh", '@module(entry="f", topologies=(Topology("thread", 8),))\nclass M:\n    @prim_func\n    def f(x: InOut[Tensor[(8,), "f32"]]):\n        with Mesh(("thread",), layout=(nope,), names=("r",)) as m:\n            T.sync(m)\n'],
  ])("%s: nothing more is said of it", (_, text) => expect(read(text).diagnostics.map((d) => d.code)).toEqual(["TF2001"]));
});

describe("a carry that may not be", () => {
  it.each([
    ["of a parallel loop", "TF4116", "s = 0.0\n    for i in T.parallel(N):\n        s = s + x[i]\n    x[0] = s"],
    ["of two names that a parallel loop reads in its inner loop", "TF4116 TF4116", "s = 0.0\n    t = 1.0\n    for i in T.parallel(N):\n        for j in T.range(8):\n            s = s + t\n            t = x[i]\n    x[0] = s + t"],
    ["of another type", "TF4104", "s = 0.0\n    for i in T.range(N):\n        t = s + x[i]\n        s = i\n    x[0] = s"],
  ])("%s is reported once, and not again where it is read after the loop", (_, codes, body) => {
    const { diagnostics } = read(`@prim_func\ndef k(x: InOut[Tensor[(N,), "f32"]]):\n    ${body}\n`);
    expect(diagnostics.map((d) => d.code)).toEqual(codes.split(" "));
  });
});

describe("messages", () => {
  const of = (body: string): readonly string[] => read(`@prim_func\ndef k(x: Tensor[(N, 8), "f32"]):\n    ${body}\n`).diagnostics.map((d) => d.message);

  it("count in words", () => {
    expect(of("a = x[0]")).toEqual(["`x` has 2 axes, but 1 index is written"]);
    expect(of("a = pl.read(x, (0,))")).toEqual(["`pl.read` takes 2 indices for the shape (N, 8), not 1"]);
    expect(of("global a")).toEqual(["`global` is not part of the kernel language"]);
  });

  it("quote names only, not words about them", () => {
    expect(of("for i in T.pipeline(4, stage=0.5):\n        pass")).toEqual([expect.stringMatching(/^`stage` may not be/)]);
    expect(of("a = x[0.5, 0]")).toEqual(["an index may not be a scalar of f32"]);
  });
});
