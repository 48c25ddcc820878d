// Any text at all: no exception, spans inside the text, few messages, and a tree without bad nodes only where nothing was said.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ERROR_LIMIT } from "../src/limits.ts";
import { dump } from "./dump.ts";
import { pick, random, read, SINK, spansOf, told, walk } from "./support.ts";

const SAMPLES = fileURLToPath(new URL("../../samples/", import.meta.url));
const samples = readdirSync(SAMPLES)
  .map((name) => `${SAMPLES}${name}/${name}.tf`)
  .filter((path) => existsSync(path))
  .map((path) => readFileSync(path, "utf8"));

const PIECES = [
  "(", ")", "[", "]", "{", "}", ",", ":", ":=", "=", ".", "...", ";", "\\", "\n", "\n\n", "\r\n", "\t", "    ", "  ", "'", '"', '"""', "f'{", "#", "@", "*", "**", "->",
  "if", "else", "elif", "for", "in", "not", "is", "lambda", "def", "class", "return", "try:", "except", "finally:", "with", "as", "async", "await", "yield", "from", "import",
  "match x:", "type X", "0x", "1e", "1_", "$", "?", "!", "`", "\0", "é", "😀", "\ud800", "\ufeff", "x", "1", "-",
];

function mutated(text: string, next: () => number): string {
  const at = Math.floor(next() * text.length);
  const far = Math.min(text.length, at + Math.floor(next() * 40));
  const roll = next();
  if (roll < 0.2) return text.slice(0, at);
  if (roll < 0.4) return text.slice(0, at) + text.slice(far);
  if (roll < 0.75) return text.slice(0, at) + pick(PIECES, next) + text.slice(at);
  if (roll < 0.85) return text.slice(0, at) + text.slice(at, far).repeat(2) + text.slice(far);
  return text.slice(0, at) + pick(PIECES, next) + text.slice(far);
}

function check(text: string): void {
  const { value, diagnostics } = read(text);
  expect(diagnostics.length, text).toBeLessThanOrEqual(ERROR_LIMIT + 1);
  for (const { start, end } of spansOf([value, diagnostics])) {
    if (!(0 <= start && start <= end && end <= text.length)) throw new Error(`span ${start}–${end} is outside of ${JSON.stringify(text)}`);
  }
  const bad: string[] = [];
  walk(value, (node) => {
    if (node["kind"] === "BadStmt" || node["kind"] === "BadExpr") bad.push(String(node["kind"]));
  });
  if (bad.length > 0) expect(diagnostics.length, text).toBeGreaterThan(0);
}

describe("any text", () => {
  it("the samples and the kitchen sink are read without a message", () => {
    for (const text of [...samples, SINK]) expect(told(read(text).diagnostics)).toEqual([]);
  });

  it("every beginning of a text", () => {
    for (const text of samples) for (let end = 0; end <= text.length; end += 3) check(text.slice(0, end));
    for (let end = 0; end <= SINK.length; end += 61) check(SINK.slice(0, end));
  });

  it("mutated texts", () => {
    const next = random(11);
    for (let round = 0; round < 1500; round++) {
      const chunk = Math.floor(next() * (SINK.length - 400));
      let text = next() < 0.4 ? pick(samples, next) : SINK.slice(chunk, chunk + 400);
      for (let times = 1 + Math.floor(next() * 4); times > 0; times--) text = mutated(text, next);
      check(text);
    }
  });

  it("texts of pieces", () => {
    const next = random(12);
    for (let round = 0; round < 1500; round++) {
      let text = "";
      for (let times = Math.floor(next() * 30); times > 0; times--) text += pick(PIECES, next) + (next() < 0.5 ? " " : "");
      check(text);
    }
  });

  it("line breaks of any kind, tabs and a byte order mark make no difference", () => {
    const expected = JSON.stringify(dump(read(SINK).value.body));
    for (const text of [SINK.replace(/\n/g, "\r\n"), SINK.replace(/\n/g, "\r"), `\ufeff${SINK}`]) {
      const { value, diagnostics } = read(text);
      expect(told(diagnostics)).toEqual([]);
      expect(JSON.stringify(dump(value.body))).toBe(expected);
    }
    const [sample = ""] = samples;
    expect(dump(read(sample.replace(/^( {8})+/gm, (blanks) => "\t".repeat(blanks.length / 8))).value.body)).toEqual(dump(read(sample).value.body));
  });

  it("without a line break at its end, empty, or of blanks", () => {
    expect(dump(read("x = 1").value.body)).toEqual(dump(read("x = 1\n").value.body));
    expect(dump(read("if a:\n  b").value.body)).toEqual(dump(read("if a:\n  b\n").value.body));
    for (const text of ["", "\n", "  ", "\t\n\f\n", "\ufeff", "# only\n", "\\\n"]) {
      const { value, diagnostics } = read(text);
      expect([value.body.stmts, told(diagnostics)]).toEqual([[], []]);
    }
  });
});

describe("time", () => {
  const repeated = (piece: string) => piece.repeat(Math.ceil(300_000 / piece.length));
  const TEXTS: Readonly<Record<string, string>> = {
    "faulty lines": repeated("x = = 1\n"),
    "open brackets": repeated("x = (\n"),
    "open brackets far apart": `x = (\n${"y = 1\n".repeat(1000)}`.repeat(50),
    "stray characters": repeated("?$"),
    "open triple quotes": repeated('def f():\n  """a\n'),
    "open fields": repeated("f\"{ f'{ "),
    "one long sum": repeated("a+"),
    "one long list": `x = [${repeated("a, # c\n")}]\n`,
    "clauses of nothing": repeated("else:\n a\n"),
    "decorators of nothing": repeated("@a\n"),
    "comments at tails": repeated("def f():\n a\n # c\n# d\n"),
  };

  it("is a second and a second for each megabyte at most, for adversarial texts too", () => {
    read("x = 1\n");
    for (const [name, text] of Object.entries(TEXTS)) {
      const before = process.cpuUsage();
      read(text);
      expect(process.cpuUsage(before).user / 1e6, name).toBeLessThan(2 * (1 + text.length / 1e6));
    }
  });
});
