// The TextMate grammar colours what the lexer reads: each token has a scope of its kind, in the samples and in sentences of the language.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { piecesOf, type Piece } from "@tilefoundry/grammar/rules";
import { beforeAll, describe, expect, test } from "vitest";
import oniguruma from "vscode-oniguruma";
import textmate, { type IGrammar } from "vscode-textmate";
import { randomBy } from "../../packages/tilefoundry/test/generate-random.ts";
import { generate } from "../../packages/tilefoundry/test/generate.ts";
import { readNotation } from "../pages/ebnf.ts";
import { languageRules } from "../pages/language.ts";
import { textMateGrammar } from "../pages/textmate.ts";
import { layOut, sentence } from "./recognize.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
let grammar: IGrammar;

beforeAll(async () => {
  const wasm = readFileSync(createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const onigLib = Promise.resolve({
    createOnigScanner: (patterns: string[]) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text: string) => new oniguruma.OnigString(text),
  });
  const registry = new textmate.Registry({ onigLib, loadGrammar: () => Promise.resolve(textmate.parseRawGrammar(textMateGrammar(), "tilefoundry.json")) });
  const loaded = await registry.loadGrammar("source.tilefoundry");
  if (loaded === null) throw new Error("the grammar cannot be loaded");
  grammar = loaded;
});

/** The scopes at every character. */
function scopesOf(text: string): readonly string[] {
  const scopes: string[] = [];
  let state = textmate.INITIAL;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const token of tokens) for (let i = token.startIndex; i < Math.min(token.endIndex, line.length); i++) scopes.push(token.scopes.join(" "));
    scopes.push("newline");
  }
  return scopes;
}

const WORDS = /keyword|storage|constant\.language/;

/** What a token's scopes must hold, and must not, by its kind. */
const EXPECTED: Readonly<Record<string, readonly [needs: RegExp | undefined, never: RegExp | undefined]>> = {
  COMMENT: [/comment/, undefined],
  STRING: [/string/, /comment/],
  NUMBER: [/constant\.numeric/, /string|comment/],
  NAME: [undefined, /string|comment|constant\.numeric|keyword\.(?:control\.t|operator)|constant\.language/],
  CONSTANT: [/constant\.language/, undefined],
  ASSIGN: [/keyword\.operator\.assignment/, undefined],
  AUGASSIGN: [/keyword\.operator\.assignment/, undefined],
  ...Object.fromEntries(["SIGN", "PRODUCT", "STAR", "DOUBLESTAR", "BITWISE", "COMPARISON", "LOGIC", "TILDE", "NOT", "ARROW"].map((kind) => [kind, [/keyword\.operator/, /string|comment/] as const])),
};
const PLAIN = new Set(["LPAREN", "RPAREN", "LSQUARE", "RSQUARE", "LCURLY", "RCURLY", "COMMA", "COLON", "DOT", "SEMICOLON", "HOLE", "BAD", "AT", "WALRUS", "NAME"]);

/** Words that are scoped otherwise than as their kind says, as text: none, if all is well. */
function wrong(text: string): readonly string[] {
  const scopes = scopesOf(text);
  const faults: string[] = [];
  const check = ({ kind, start, end }: Piece, needs: RegExp | undefined, never: RegExp | undefined): void => {
    for (let i = start; i < end; i++) {
      if (/\s/.test(text.charAt(i))) continue;
      const scope = scopes[i] ?? "none";
      if ((needs !== undefined && !needs.test(scope)) || never?.test(scope)) return void faults.push(`${kind} ${JSON.stringify(text.slice(start, end))}: ${scope}`);
    }
  };
  for (const piece of piecesOf(text)) {
    const row = EXPECTED[piece.kind];
    if (row !== undefined) check(piece, row[0], row[1]);
    else if (!PLAIN.has(piece.kind)) check(piece, WORDS, /string|comment/);
  }
  return faults;
}

const samples = readdirSync(`${ROOT}/samples`, { withFileTypes: true }).filter((d) => d.isDirectory() && d.name !== "dist").map((d) => d.name);

describe("tokens have scopes of their kind", () => {
  test.each(samples)("in %s", (name) => expect(wrong(readFileSync(`${ROOT}/samples/${name}/${name}.tf`, "utf8"))).toEqual([]));

  test("in Python's own syntax", () => expect(wrong(readFileSync(`${ROOT}/grammar/test/kitchen-sink.py`, "utf8"))).toEqual([]));

  test("in generated kernels", () => {
    for (let seed = 0; seed < 50; seed++) expect(wrong(generate(seed)), generate(seed)).toEqual([]);
  });

  test("in sentences of the grammar", () => {
    const rules = languageRules();
    for (let seed = 0; seed < 300; seed++) {
      const text = layOut(sentence(rules, readNotation("text"), randomBy(seed), { left: 60 }));
      if (!text.includes("HOLE") && !text.includes("match") && !text.includes("type")) expect(wrong(text), text).toEqual([]);
    }
  });
});

describe("words of the language stand out", () => {
  const scopeOf = (text: string, word: string): string => scopesOf(text)[text.indexOf(word)] ?? "";

  test.each([
    ["x = pl.row_max(t)", "row_max", "support.function.op"],
    ["x = T.select(c, a, b)", "select", "support.function.op"],
    ["x: pl.Tensor[[4], pl.FP32]", "FP32", "support.type.dtype"],
    ["x: pl.Tensor[[4], pl.FP32]", "Tensor", "support.class.type"],
    ["x: Out[Tensor[(4,), \"f32\"]]", "Out", "support.class.type"],
    ["for i in pl.parallel(4):", "parallel", "keyword.control.loop"],
    ["@pl.function(type=pl.FunctionType.InCore)", "pl.function", "entity.name.function.decorator"],
    ["def softmax(x):", "softmax", "entity.name.function"],
    ["class Net:", "Net", "entity.name.type.class"],
    ["f(x, axis=0)", "axis", "variable.parameter"],
    ["match x:", "match", "keyword.control"],
    ["match = 1", "match", "source.tilefoundry"],
    ["type T = int", "type", "storage.type"],
    ["x.type", "type", "source.tilefoundry"],
    ["x.in_", "in_", "source.tilefoundry"],
  ])("%s: %s", (text, word, scope) => expect(scopeOf(text, word)).toContain(scope));
});
