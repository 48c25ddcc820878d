// Numbers, strings and names: what they are worth.

import { describe, expect, it } from "vitest";
import type { SExpr } from "../src/ast.ts";
import { read, told } from "./support.ts";

function value(text: string): SExpr {
  const { value, diagnostics } = read(`x = ${text}\n`);
  expect(told(diagnostics), text).toEqual([]);
  const [first] = value.body.stmts;
  if (first?.kind !== "AssignStmt") throw new Error(text);
  return first.value;
}

describe("numbers", () => {
  const NUMBERS: readonly (readonly [string, "int" | "float" | "imaginary", bigint | number])[] = [
    ["0", "int", 0n], ["00", "int", 0n], ["7", "int", 7n], ["1_000", "int", 1000n], ["0xFf", "int", 255n], ["0X_1", "int", 1n], ["0o17", "int", 15n],
    ["0b101", "int", 5n], ["123456789012345678901234567890", "int", 123456789012345678901234567890n], ["1.", "float", 1], [".5", "float", 0.5],
    ["1e3", "float", 1000], ["1_0.0_1E-1", "float", 1.001], ["1e999", "float", Infinity], ["0777.", "float", 777], ["3j", "imaginary", 3], ["0b1", "int", 1n], ["0xe1", "int", 0xe1n],
    ["1.5J", "imaginary", 1.5], ["1024", "int", 1024n], ["9007199254740993", "int", 9007199254740993n],
  ];
  for (const [text, form, worth] of NUMBERS) {
    it(text, () => expect(value(text)).toMatchObject({ kind: "Num", text, form, value: worth }));
  }
});

describe("strings", () => {
  const STRINGS: readonly (readonly [string, string | undefined])[] = [
    ["'a'", "a"], ['"a\'b"', "a'b"], ["''", ""], ["'a' \"b\"", "ab"], ["'\\n\\t\\\\\\''", "\n\t\\'"], ["'\\x41\\u00e9\\101\\U0001F600'", "AéA😀"], ["'\\q'", "\\q"],
    ["r'\\n'", "\\n"], ["R'\\''", "\\'"], ["u'a'", "a"], ["b'a'", undefined], ["'a' b'b'", undefined], ["'''a\nb'''", "a\nb"], ["'''a\r\nb'''", "a\nb"], ["'a\\\nb'", "ab"],
    ["f'a{{b}}'", "a{b}"], ["f'a{b}'", undefined], ["f'{a[\"b\"]}'", undefined], ["f'{a['b']}'", undefined], ["rf'\\{x}'", undefined], ["'\\N{DASH}'", undefined], ["'\\\\N{x}'", "\\N{x}"],
    ["'\\UFFFFFFFF'", "\\UFFFFFFFF"],
  ];
  for (const [text, worth] of STRINGS) {
    it(JSON.stringify(text), () => {
      const e = value(text);
      expect(e.kind === "Str" && e.value).toBe(worth);
    });
  }

  it("keep their parts as they are written", () => {
    const e = value("rb'a'   B\"b\"");
    expect(e.kind === "Str" && e.parts.map((p) => [p.prefix, p.text])).toEqual([["rb", "rb'a'"], ["B", 'B"b"']]);
  });
});

describe("names", () => {
  it("may hold letters of any script, in their compatible form", () => {
    expect(value("变量")).toMatchObject({ kind: "Name", name: "变量" });
    expect(value("ﬁ")).toMatchObject({ kind: "Name", name: "fi" });
    expect(value("copy_")).toMatchObject({ kind: "Name", name: "copy_" });
  });

  it("`match` and `type` are words only where their statement stands", () => {
    const { value, diagnostics } = read("match = type\nmatch(x)\nmatch[x]\ntype X = int\ntype Y[T: int, *Ts, **P] = list[T]\nmatch x:\n  case 1: pass\n");
    expect(told(diagnostics)).toEqual([]);
    expect(value.body.stmts.map((s) => s.kind)).toEqual(["AssignStmt", "ExprStmt", "ExprStmt", "TypeAlias", "TypeAlias", "Match"]);
    const alias = value.body.stmts[4];
    expect(alias?.kind === "TypeAlias" && alias.typeParams?.map((p) => `${p.star}${p.name}`)).toEqual(["T", "*Ts", "**P"]);
  });
});
