// What is said about faulty texts, and what is left of the tree.

import { describe, expect, it } from "vitest";
import { ERROR_LIMIT } from "../src/limits.ts";
import { dump } from "./dump.ts";
import { read, told } from "./support.ts";

const SIX = `N = = 3

@func
def a(x: Tensor[(N,), "f32"]:
    y = x +
    return y

@prim_func
def b(x: Tensor[(N,), "f32"], y: Out[Tensor[(N,), "f32"]]):
    for i in T.range(N)
        t = pl.load(x, [i], [1])
        pl.store(t, [i]], y)
    z = 'abc
    return

@func
def good(x: Tensor[(N,), "f32"]):
    return x
`;

describe("six independent mistakes", () => {
  const { value, diagnostics } = read(SIX);

  it("give exactly six messages, each at its place", () => {
    expect(told(diagnostics)).toEqual([
      "1:5 TF1002 expected an expression after `=`, found `=`",
      "4:6 TF1006 `(` is never closed",
      "5:12 TF1002 expected an expression after `+`, found end of line",
      "10:24 TF1002 expected `:`, found end of line",
      "12:24 TF1002 expected `)`, found `]`",
      "13:9 TF1008 this string is never closed",
    ]);
  });

  it("have spans of at most one token", () => {
    for (const { span } of diagnostics) expect((span?.end ?? 99) - (span?.start ?? 0)).toBeLessThanOrEqual(1);
  });

  it("leave the functions around them whole", () => {
    expect(value.body.stmts.map((s) => (s.kind === "FunctionDef" ? s.name : s.kind))).toEqual(["BadStmt", "BadStmt", "b", "good"]);
    const b = value.body.stmts[2];
    expect(b?.kind === "FunctionDef" && b.body.stmts.map((s) => s.kind)).toEqual(["BadStmt", "AssignStmt", "ReturnStmt"]);
  });

  it("keep the block below a line at fault", () => {
    const bad = value.body.stmts[1];
    expect(bad?.kind === "BadStmt" && bad.body?.stmts.map((s) => s.kind)).toEqual(["BadStmt", "ReturnStmt"]);
    expect(bad?.kind === "BadStmt" && bad.text.startsWith("@func\ndef a(")).toBe(true);
  });
});

/** Text, and all that is said about it. */
const MESSAGES: readonly (readonly [string, ...string[]])[] = [
  ["x =\n", "1:4 TF1002 expected an expression after `=`, found end of line"],
  ["x = a b\n", "1:7 TF1002 expected an operator or the end of the line, found `b`"],
  ["x = f(a b)\n", "1:9 TF1002 expected `,` or `)`, found `b`"],
  ["x = f(a, =)\n", "1:10 TF1002 expected an expression or `)` after `,`, found `=`"],
  ["x = f(=)\n", "1:7 TF1002 expected an expression or `)`, found `=`"],
  ["x = [1, 2\ny = 3\n", "1:5 TF1006 `[` is never closed"],
  ["x = f(a,\nif b:\n  pass\n", "1:6 TF1006 `(` is never closed"],
  ["def f():\n    x = (1,\n    return x\ny = 2\n", "2:9 TF1006 `(` is never closed"],
  ["x = [1)\n", "1:7 TF1002 expected `]`, found `)`"],
  ["x = ([1)\n", "1:6 TF1006 `[` is never closed"],
  ["x = 1]\n", "1:6 TF1007 `]` closes nothing"],
  ["x = a.\n", "1:7 TF1002 expected a name after `.`, found end of line"],
  ["x = a.1\n", "1:6 TF1002 expected an operator or the end of the line, found `.1`"],
  ["x = a[]\n", "1:7 TF1002 expected an expression after `[`, found `]`"],
  ["x = a ? b\n", "1:7 TF1010 character `?` is not part of the language"],
  ["x = \u0007\n", "1:5 TF1010 character U+0007 is not part of the language"],
  ["x = 0779\n", "1:5 TF1009 `0779` is not a number"],
  ["x = 0x1g\n", "1:5 TF1009 `0x1g` is not a number"],
  ["x = 1__0\n", "1:5 TF1009 `1__0` is not a number"],
  ["x = 1abc + 2\n", "1:5 TF1009 `1abc` is not a number"],
  ["x = 'abc\ny = 1\n", "1:5 TF1008 this string is never closed"],
  ['def f():\n    """abc\n    x\ndef g(): pass\n', "2:5 TF1008 this string is never closed"],
  ["  x = 1\n", "1:1 TF1003 unexpected indentation"],
  ["x = 1\n    y = 2\nz = 3\n", "2:1 TF1003 unexpected indentation"],
  ["if a:\n        b\n    c\n    d\ne\n", "3:1 TF1004 this line is indented less than its block, but matches no outer block"],
  ["for i in x:\ny = 1\n", "1:11 TF1005 expected an indented block after `for`"],
  ["def f():\n", "1:8 TF1005 expected an indented block after `def`"],
  ["if a\n    b\n", "1:5 TF1002 expected `:`, found end of line"],
  ["if a:\n    b\nelse\n    c\nd\n", "3:5 TF1002 expected `:`, found end of line"],
  ["else:\n    b\n", "1:1 TF1018 `else` goes on with no statement above it"],
  ["for i in a:\n    b\nelif c:\n    d\n", "3:1 TF1018 `elif` goes on with no statement above it"],
  ["@a\nx = 1\n", "2:1 TF1002 expected `def` or `class` below the decorator, found another statement"],
  ["@a b\ndef f(): pass\n", "1:4 TF1002 expected an operator or the end of the line, found `b`"],
  ["f() = 1\n", "1:1 TF1016 cannot assign to a call"],
  ["a, 1 = b\n", "1:4 TF1016 cannot assign to a number"],
  ["for a + b in c: pass\n", "1:5 TF1016 cannot assign to an expression"],
  ["a, b += 1\n", "1:1 TF1017 a tuple can neither be annotated nor updated in place"],
  ["import\n", "1:7 TF1002 expected a name after `import`, found end of line"],
  ["from a import b as\n", "1:19 TF1002 expected a name after `as`, found end of line"],
  ["from import a\n", "1:6 TF1002 expected the name of a module, found `import`"],
  ["def f(a, b c): pass\n", "1:12 TF1002 expected `,` or `)`, found `c`"],
  ["def 1f(): pass\n", "1:5 TF1009 `1f` is not a number"],
  ["async x\n", "1:7 TF1002 expected `def`, `for` or `with`, found `x`"],
  ["x = 1 + not a\n", "1:9 TF1002 expected an operand, found `not` (write `(not …)`)"],
  ["x = 1 + lambda: 2\n", "1:9 TF1002 expected an operand, found `lambda` (write `(lambda …)`)"],
  ["x = a if b\n", "1:11 TF1002 expected `else`, found end of line"],
  ["{1: 2, 3}\n", "1:8 TF1002 expected `key: value`, found a value alone"],
  ["f(a, b for c in d)\n", "1:6 TF1002 expected parentheses around a generator beside other arguments, found none"],
  ["f(a=b for b in c)\n", "1:4 TF1002 expected `,` or `)`, found `=`"],
  ["f(*a for a in b)\n", "1:6 TF1002 expected `,` or `)`, found `for`"],
  ["[*a for a in b]\n", "1:5 TF1002 expected an item without stars before a comprehension's `for`, found stars"],
  ["[a, b for c in d]\n", "1:7 TF1002 expected one item before a comprehension's `for`, found several"],
  ["return = 1\n", "1:8 TF1002 expected the end of the line, found `=`"],
];

describe("messages", () => {
  for (const [text, ...expected] of MESSAGES) {
    it(JSON.stringify(text), () => {
      expect(told(read(text).diagnostics)).toEqual(expected);
    });
  }

  it("say nothing about a line twice, and go on behind it", () => {
    const { value, diagnostics } = read("x = f(1 2, 'a) ? 0x)\ny = 2\n");
    expect(diagnostics).toHaveLength(1);
    expect(value.body.stmts.map((s) => s.kind)).toEqual(["BadStmt", "AssignStmt"]);
  });

  it("offer to add a colon and to remove what closes nothing", () => {
    const titles = ["if a\n    b\n", "x = 1]\n", "x = 1 ?\n"].map((text) => read(text).diagnostics[0]?.fixes[0]?.title);
    expect(titles).toEqual(["add `:`", "remove it", "remove it"]);
  });

  it("keep a statement whose one token is bad", () => {
    expect(dump(read("x = 0779 + y\n").value.body)).toEqual([["AssignStmt", [["Name", "x"]], ["Binary", "+", ["Bad"], ["Name", "y"]]]]);
  });

  it(`stop at ${ERROR_LIMIT} errors; the rest of the text is kept`, () => {
    const { value, diagnostics } = read("x = = 1\n".repeat(ERROR_LIMIT + 30));
    expect(diagnostics).toHaveLength(ERROR_LIMIT + 1);
    expect(diagnostics[ERROR_LIMIT]?.code).toBe("TF1014");
    const last = value.body.stmts.at(-1);
    expect(last?.kind === "BadStmt" && last.text).toBe("x = = 1\n".repeat(30).trim());
  });

  it("do not stop for as many errors as there may be", () => {
    const { diagnostics } = read("x = = 1\n".repeat(ERROR_LIMIT));
    expect(diagnostics.map((d) => d.code)).not.toContain("TF1014");
  });
});

describe("brackets that valid programs leave to the margin", () => {
  it("a continuation line may begin anywhere and with any word of an expression", () => {
    const text = "x = [\na\nfor a in b\nif a\n]\ny = (\n1 if b\nelse 2\n)\nz = {\n'a'\n:\n1}\n";
    const { value, diagnostics } = read(text);
    expect(told(diagnostics)).toEqual([]);
    expect(value.body.stmts).toHaveLength(3);
  });
});
