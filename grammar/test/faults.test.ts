// Faults of the text: each code is raised at its place, independent faults give one message each, and the rest of the text is read.

import { makeSource, position } from "@tilefoundry/text";
import { describe, expect, test } from "vitest";
import { parse, templateSource } from "../src/index.ts";

interface Fault {
  readonly code: string;
  readonly text: string;
  /** Line and column of the fault. */
  readonly at: readonly [number, number];
}

const FAULTS: readonly Fault[] = [
  { code: "TF1002", text: "x = = 1\n", at: [1, 5] },
  { code: "TF1003", text: "x = 1\n    y = 2\n", at: [2, 1] },
  { code: "TF1004", text: "if a:\n        x = 1\n    y = 2\n", at: [3, 1] },
  { code: "TF1005", text: "if a:\nx = 1\n", at: [1, 1] },
  { code: "TF1006", text: "x = (1 + 2\ny = 3\n", at: [1, 5] },
  { code: "TF1007", text: "x = 1)\n", at: [1, 6] },
  { code: "TF1008", text: 'x = "abc\ny = 1\n', at: [1, 5] },
  { code: "TF1009", text: "x = 0x\n", at: [1, 5] },
  { code: "TF1010", text: "x = 1 $ 2\n", at: [1, 7] },
  { code: "TF1016", text: "1 + 2 = x\n", at: [1, 1] },
  { code: "TF1017", text: "a, b += 1\n", at: [1, 1] },
  { code: "TF1018", text: "else:\n    x = 1\n", at: [1, 1] },
];

const read = (text: string) => parse(makeSource("fault.tf", text));

describe("a fault", () => {
  test.each(FAULTS)("$code is found where it is: $text", ({ code, text, at }) => {
    const { diagnostics } = read(text);
    const [first] = diagnostics;
    expect(diagnostics.map((d) => d.code)).toEqual([code]);
    const place = first?.span === undefined ? undefined : position(first.span.source, first.span.start);
    if (code !== "TF1004" && code !== "TF1003" && code !== "TF1005") expect([place?.line, place?.column]).toEqual(at);
    else expect(Math.abs((place?.line ?? 0) - at[0])).toBeLessThanOrEqual(1);
  });

  test("TF1011 is one message for ten thousand levels, and quick", () => {
    expect(read(`x = ${"(".repeat(10000)}1${")".repeat(10000)}\ny = 2\n`).diagnostics.map((d) => d.code)).toEqual(["TF1011"]);
    expect(read(`x = ${"-".repeat(100000)}1\n`).diagnostics.map((d) => d.code)).toEqual(["TF1011"]);
  });

  test("a hundred brackets inside a hundred blocks stand", () => {
    const blocks = Array.from({ length: 100 }, (_, i) => `${" ".repeat(i)}if a:\n`).join("");
    expect(read(`${blocks}${" ".repeat(100)}x = ${"(".repeat(100)}1${")".repeat(100)}\n`).diagnostics).toEqual([]);
  });

  test("a chain counts as the height of its tree: long ones stand, endless ones are one message", () => {
    for (const [link, end] of [["a + ", "a"], ["", "a"]] as const) {
      const chain = (n: number): string => (link === "" ? `x = a${".b".repeat(n)}\n` : `x = ${link.repeat(n)}${end}\n`);
      expect(read(chain(400)).diagnostics).toEqual([]);
      expect(read(chain(100000)).diagnostics.map((d) => d.code)).toEqual(["TF1011"]);
    }
  });

  test("TF1014 ends a long list of faults", () => {
    const codes = read("x = = 1\n".repeat(200)).diagnostics.map((d) => d.code);
    expect(codes.length).toBeLessThanOrEqual(51);
    expect(codes[codes.length - 1]).toBe("TF1014");
  });

  test("TF1013: a hole in a string, in a comment, or glued to a name", () => {
    for (const raw of [['x = "', '"\n'], ["# ", "\nx = 1\n"], ["x", " = 1\n"]]) {
      const { source, holes } = templateSource(raw, "template");
      expect(parse(source, holes).diagnostics.map((d) => d.code)).toContain("TF1013");
    }
  });
});

test("six mistakes give six messages, and the functions around them are read", () => {
  const text = `
@prim_func
def first(x: A):
    y = = 1
    z = (2 +
    w = 3

@prim_func
def second(x: B):
    for i in range(4)
        pass
    return "abc

@prim_func
def third(x: C):
    a b c
    q = 1 $ 2

@prim_func
def fourth(x: D):
    return x
`;
  const { value, diagnostics } = read(text);
  expect(diagnostics.map((d) => d.span && position(d.span.source, d.span.start).line)).toEqual([4, 5, 10, 12, 16, 17]);
  expect(value.body.stmts.map((s) => (s.kind === "FunctionDef" ? s.name : s.kind))).toEqual(["first", "second", "third", "fourth"]);
});

test("CRLF and a byte-order mark change nothing but places", () => {
  const text = "def f(x):\n    y = 1  # one\n    return y\n";
  const shape = (t: string): string => JSON.stringify(read(t).value, (key, v: unknown) => (/span|Span/.test(key) ? undefined : typeof v === "bigint" ? String(v) : v));
  expect(shape(text.replaceAll("\n", "\r\n"))).toBe(shape(text));
  expect(shape(`\ufeff${text}`)).toBe(shape(text));
});
