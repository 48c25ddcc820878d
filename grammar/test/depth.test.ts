// Depth is counted: too deep is a message, never an exception.

import { describe, expect, it } from "vitest";
import { BRACKET_LIMIT, HEIGHT_LIMIT, NESTING_LIMIT } from "../src/limits.ts";
import { read } from "./support.ts";

const nested = (open: string, close: string, times: number) => `x = ${open.repeat(times)}y${close.repeat(times)}\n`;
const blocks = (times: number, inner: string) =>
  `${Array.from({ length: times }, (_, i) => `${" ".repeat(i)}if a:\n`).join("")}${" ".repeat(times)}${inner}`;

/** What opens and closes one level. */
const BRACKETS: readonly (readonly [string, string])[] = [
  ["(", ")"], ["[", "]"], ["f(", ")"], ["f(b, a=", ")"], ["a[", "]"], ["a[1, :", "]"], ["{0: 1, 1: ", "}"], ["{", "}"], ["a + (", ")"],
  ["[a for b in c if ", "]"], ["(lambda a=", ": 0)"],
];

/** What makes a tree deep without brackets. */
const CHAINS: readonly string[] = ["not ", "- ", "a ** ", "a + ", "a and ", "a if b else ", "lambda: ", "a := "];

describe("depth", () => {
  it("a hundred brackets inside a hundred blocks stand", () => {
    for (const [open, close] of BRACKETS) {
      const { value, diagnostics } = read(blocks(100, nested(open, close, 100)));
      expect(diagnostics, open).toEqual([]);
      expect(value.body.stmts).toHaveLength(1);
    }
  });

  it("brackets up to the limit stand, one more is a message", () => {
    for (const [open, close] of BRACKETS) {
      expect(read(nested(open, close, BRACKET_LIMIT)).diagnostics, open).toEqual([]);
      expect(read(nested(open, close, BRACKET_LIMIT + 1)).diagnostics.map((d) => d.code), open).toEqual(["TF1011"]);
    }
  });

  it("ten thousand brackets give one message, and the next line is read", () => {
    for (const [open, close] of BRACKETS) {
      const { value, diagnostics } = read(`${nested(open, close, 10_000)}z = 1\n`);
      expect(diagnostics.map((d) => d.code), open).toEqual(["TF1011"]);
      expect(value.body.stmts.map((s) => s.kind)).toContain("AssignStmt");
    }
  });

  it("ten thousand brackets that stay open give one message", () => {
    const { value, diagnostics } = read(`x = ${"f(".repeat(10_000)}\nz = 1\n`);
    expect(diagnostics.map((d) => d.code)).toEqual(["TF1011"]);
    expect(value.body.stmts).toHaveLength(2);
  });

  it("chains up to a hundred stand, a hundred thousand are a message", () => {
    for (const link of CHAINS) {
      expect(read(`x = ${link.repeat(100)}y\n`).diagnostics, link).toEqual([]);
      const { value, diagnostics } = read(`x = ${link.repeat(100_000)}y\nz = 1\n`);
      expect(diagnostics.map((d) => d.code), link).toEqual(["TF1011"]);
      expect(value.body.stmts.map((s) => s.kind)).toEqual(["BadStmt", "AssignStmt"]);
    }
    for (const link of [".b", "[0]", "()"]) {
      expect(read(`x = a${link.repeat(100)}\n`).diagnostics, link).toEqual([]);
      expect(read(`x = a${link.repeat(100_000)}\nz = 1\n`).diagnostics.map((d) => d.code), link).toEqual(["TF1011"]);
    }
  });

  it(`sums of ${HEIGHT_LIMIT - 1} terms stand`, () => {
    expect(read(`x = ${"a + ".repeat(HEIGHT_LIMIT - 1)}a\n`).diagnostics).toEqual([]);
    expect(read(`x = ${"a + ".repeat(HEIGHT_LIMIT)}a\n`).diagnostics).toHaveLength(1);
  });

  it("what is flat may be long", () => {
    const many = 50_000;
    for (const text of [`x = [${"a, ".repeat(many)}]\n`, `x = ${"a < ".repeat(many)}b\n`, `x = ${"a = ".repeat(many)}b\n`, `f(${"a, ".repeat(many)})\n`, "a;".repeat(many) + "\n", `x = (${"'a' ".repeat(many)})\n`]) {
      expect(read(text).diagnostics).toEqual([]);
    }
  });

  it("blocks up to the limit stand, five thousand are one message", () => {
    expect(read(blocks(NESTING_LIMIT, "b\n")).diagnostics).toEqual([]);
    const { value, diagnostics } = read(`${blocks(5000, "b\n")}z = 1\n`);
    expect(diagnostics.map((d) => d.code)).toEqual(["TF1011"]);
    expect(value.body.stmts.map((s) => s.kind)).toEqual(["IfStmt", "AssignStmt"]);
  });

  it("many `elif`s stand, ten thousand are one message", () => {
    const chain = (times: number) => `if a:\n  b\n${"elif c:\n  d\n".repeat(times)}else:\n  e\n`;
    expect(read(chain(200)).diagnostics).toEqual([]);
    expect(read(chain(10_000)).diagnostics.map((d) => d.code)).toEqual(["TF1011"]);
  });
});
