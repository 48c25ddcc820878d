// Comments are attached once, and none is lost.

import { describe, expect, it } from "vitest";
import { dump } from "./dump.ts";
import { commentsOf, pick, random, read, SINK, told } from "./support.ts";
import type { SStmt } from "../src/ast.ts";

const texts = (list: readonly { readonly text: string }[] | undefined) => (list ?? []).map((c) => c.text);

function only(text: string): SStmt {
  const { value, diagnostics } = read(text);
  expect(told(diagnostics)).toEqual([]);
  const [first] = value.body.stmts;
  if (first === undefined) throw new Error("no statement");
  return first;
}

describe("comments of statements", () => {
  it("stand above, with the blank lines above them, and behind", () => {
    const { value } = read("a\n\n\n# one\n#two\n\nb  #  three \n");
    const b = value.body.stmts[1];
    expect([texts(b?.leading), b?.trailing?.text, b?.blankLines]).toEqual([["one", "two"], " three", 2]);
  });

  it("go to the statement below unless they are indented like the block that ends", () => {
    const { value } = read("if a:\n    b\n    # tail\n  # below\n    # below too\n# outer\nc\n# end\n");
    const [first, c] = value.body.stmts;
    expect(first?.kind === "IfStmt" && texts(first.body.trailingComments)).toEqual(["tail"]);
    expect(texts(c?.leading)).toEqual(["below", "below too", "outer"]);
    expect(texts(value.body.trailingComments)).toEqual(["end"]);
  });

  it("at the tails of nested blocks go to each by its column", () => {
    const stmt = only("for a in b:\n    if c:\n        d\n        # inner\n    # outer\n");
    const inner = stmt.kind === "ForStmt" ? stmt.body.stmts[0] : undefined;
    expect(stmt.kind === "ForStmt" && texts(stmt.body.trailingComments)).toEqual(["outer"]);
    expect(inner?.kind === "IfStmt" && texts(inner.body.trailingComments)).toEqual(["inner"]);
  });

  it("of a header stand behind it; those below it go to the first statement", () => {
    const stmt = only("if a:  # header\n# first\n    b\n");
    expect(stmt.trailing?.text).toBe("header");
    expect(stmt.kind === "IfStmt" && texts(stmt.body.stmts[0]?.leading)).toEqual(["first"]);
  });

  it("of `elif`, `else`, `except` and `finally` stay at those lines", () => {
    const stmt = only("if a:\n  b\n# one\nelif c:  # two\n  d\n# three\nelse:  # four\n  e\n");
    const elif = stmt.kind === "IfStmt" ? stmt.orelse?.stmts[0] : undefined;
    expect([texts(elif?.leading), elif?.trailing?.text]).toEqual([["one"], "two"]);
    const header = elif?.kind === "IfStmt" ? elif.orelse?.header : undefined;
    expect([texts(header?.leading), header?.trailing?.text]).toEqual([["three"], "four"]);
    const tried = only("try:\n  a\n# one\nexcept B:  # two\n  c\n# three\nfinally:  # four\n  d\n");
    if (tried.kind !== "Try") throw new Error("not a try");
    expect(texts(tried.handlers[0]?.leading)).toEqual(["one"]);
    expect(tried.finally?.header?.trailing?.text).toBe("four");
  });

  it("of decorators stand at each, and between the last and the definition", () => {
    const stmt = only("# one\n@a  # two\n# three\n@b\n# four\ndef f():  # five\n  pass\n");
    if (stmt.kind !== "FunctionDef") throw new Error("not a function");
    expect(texts(stmt.leading)).toEqual(["one"]);
    expect(stmt.decorators.map((d) => [texts(d.leading), d.trailing?.text])).toEqual([[[], "two"], [["three"], undefined]]);
    expect([texts(stmt.aboveDef), stmt.trailing?.text]).toEqual([["four"], "five"]);
  });
});

describe("comments in brackets", () => {
  const BRACKETS: readonly (readonly [string, string])[] = [["[", "]"], ["(", ")"], ["{", "}"], ["f(", ")"], ["a[", "]"]];

  it("stand above an element, behind it on its line, and before the bracket that closes", () => {
    for (const [open, close] of BRACKETS) {
      const stmt = only(`${open}  # one\n  x,  # two\n  # three\n  y  # four\n  ,\n  # five\n${close}\n`);
      const node = stmt.kind === "ExprStmt" ? stmt.value : undefined;
      const items =
        node?.kind === "Call" ? node.args
        : node?.kind === "Subscript" && node.index.kind === "TupleDisplay" ? node.index.items
        : node !== undefined && "items" in node ? node.items : [];
      expect(items.map((e) => [texts(e.comments?.leading), e.comments?.trailing?.text]), open).toEqual([[["one"], "two"], [["three"], "four"]]);
      expect(node !== undefined && "trailing" in node && texts(node.trailing), open).toEqual(["five"]);
    }
  });

  it("inside an element that has no place for them go above it", () => {
    const stmt = only("x = (a +  # one\n     b)\n");
    const paren = stmt.kind === "AssignStmt" ? stmt.value : undefined;
    expect(paren?.kind === "Paren" && texts(paren.value.comments?.leading)).toEqual(["one"]);
  });

  it("of parameters stand at each", () => {
    const stmt = only("def f(\n  # one\n  a,  # two\n  b\n  # three\n): pass\n");
    if (stmt.kind !== "FunctionDef") throw new Error("not a function");
    expect(stmt.params.map((p) => [texts(p.comments?.leading), p.comments?.trailing?.text])).toEqual([[["one"], "two"], [[], undefined]]);
    expect(texts(stmt.listTrailing)).toEqual(["three"]);
  });
});

describe("of comments put anywhere", () => {
  // strings over several lines and joined lines have no room for comments; the cases of a `match` are kept as text
  const base = SINK.replace(/\\\n/g, "").replace(/("""|''')[^]*?\1/g, "''").replace(/^match [^]*?(?=^\S)/gm, "");

  it("none is lost and none changes the tree", () => {
    const plain = read(base);
    expect(told(plain.diagnostics)).toEqual([]);
    const expected = JSON.stringify(dump(plain.value.body));
    const next = random(7);
    for (let round = 0; round < 40; round++) {
      const lines = base.split("\n").flatMap((line) => {
        const above = next() < 0.2 ? [`${" ".repeat(pick([0, 2, 4, 8], next))}# above`] : [];
        return [...above, next() < 0.3 && line !== "" ? `${line}  # behind` : line];
      });
      const text = `${lines.join("\n")}\n# last\n`;
      const { value, diagnostics } = read(text);
      expect(told(diagnostics)).toEqual([]);
      expect(JSON.stringify(dump(value.body))).toBe(expected);
      const starts = [...text.matchAll(/# (?:above|behind|last)$/gm)].map((m) => m.index);
      expect(commentsOf(value)).toEqual(starts);
    }
  });
});
