// The grammar as such.

import { describe, expect, it } from "vitest";
import { Grammar } from "../src/grammar.ts";
import { KINDS, Operator } from "../src/tokens.ts";
import { read } from "./support.ts";

describe("the grammar", () => {
  it("is free of ambiguities, left recursion and doubled productions", () => {
    // Chevrotain throws with the list of all it finds
    expect(() => new Grammar({ skipValidations: false })).not.toThrow();
  });

  it("names every kind of token but those that only stand for others", () => {
    const used = JSON.stringify(new Grammar({ skipValidations: true }).getSerializedGastProductions());
    const unused = KINDS.filter((kind) => !used.includes(`"name":"${kind.name}"`) && !kind.CATEGORIES?.includes(Operator));
    expect(unused.map((kind) => kind.name)).toEqual([]);
  });

  it("keeps nothing of a text it has read, be it faulty or not", () => {
    const once = JSON.stringify(read("x = f(1)\n").value.body.stmts.map((s) => s.kind));
    for (const text of ["x = (1 +\n", "x = not 1 + not 2\n", `x = ${"lambda: ".repeat(400)}1\n`, "def f(a, (b)): pass\n"]) read(text);
    expect(JSON.stringify(read("x = f(1)\n").value.body.stmts.map((s) => s.kind))).toBe(once);
    expect(read("x = f(1)\n").diagnostics).toEqual([]);
  });
});
