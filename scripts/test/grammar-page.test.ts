// The grammar page says what the parser accepts, no more and no less: sentences of its rules are read, and lines are read exactly
// where its rules derive them.

import { readdirSync, readFileSync } from "node:fs";
import { parse } from "@tilefoundry/grammar";
import { readLine } from "@tilefoundry/grammar/rules";
import { makeSource } from "@tilefoundry/text";
import { describe, expect, test } from "vitest";
import { languageRules, LINE } from "../pages/language.ts";
import { readNotation } from "../pages/ebnf.ts";
import { randomBy } from "../../packages/tilefoundry/test/generate-random.ts";
import { derives, layOut, sentence } from "./recognize.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const RULES = languageRules();
const SENTENCES = 1000;

/** A sentence, less what no reader could know: in a file, nothing is a hole. */
function written(start: string, seed: number): string | undefined {
  const words = sentence(RULES, readNotation(start), randomBy(seed), { left: 40 });
  return words.includes("HOLE") ? undefined : layOut(words);
}

/** Lines that people wrote. */
function corpus(): readonly string[] {
  const samples = readdirSync(`${ROOT}/samples`, { withFileTypes: true }).flatMap((d) => (d.isDirectory() && d.name !== "dist" ? [`${ROOT}/samples/${d.name}/${d.name}.tf`] : []));
  const files = [...samples, `${ROOT}/grammar/test/kitchen-sink.py`].map((path) => readFileSync(path, "utf8"));
  return files.flatMap((text) => text.split("\n")).map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
}

test("texts of the rules are read without a fault", () => {
  for (let seed = 0; seed < SENTENCES; seed++) {
    const text = written("text", seed);
    if (text === undefined) continue;
    const { diagnostics } = parse(makeSource("text.tf", text));
    expect(diagnostics.map((d) => d.message), text).toEqual([]);
  }
});

describe("a line is read where, and only where, the rules derive it", () => {
  /** The language has no `yield`; how far one reaches among commas is left open where the parser reads it to refuse it. */
  const agree = (text: string): void => {
    const line = readLine(text);
    const yields = line?.tokens.some((t) => t.image === "yield");
    if (line !== undefined && !(yields && line.accepted)) expect({ text, accepted: derives(RULES, LINE, line.tokens) }).toEqual({ text, accepted: line.accepted });
  };

  test("lines that people wrote", () => corpus().forEach(agree));

  test("lines with a word taken, doubled, exchanged or added", () => {
    const lines = corpus();
    for (let seed = 0; seed < 4 * SENTENCES; seed++) {
      const random = randomBy(seed);
      const text = seed % 2 === 0 ? lines[random.below(lines.length)] : written("simple | typeStatement | forHeader \":\" | withHeader \":\" | defHeader \":\" | exceptHeader \":\"", seed);
      const tokens = text === undefined ? undefined : readLine(text)?.tokens.slice(0, -1).map((t) => t.image);
      if (tokens === undefined || tokens.length === 0) continue;
      const at = random.below(tokens.length);
      const other = tokens[random.below(tokens.length)] ?? "";
      const change = [[], [tokens[at] ?? "", tokens[at] ?? ""], [other], [other, tokens[at] ?? ""]][random.below(4)] ?? [];
      agree([...tokens.slice(0, at), ...change, ...tokens.slice(at + 1)].join(" "));
    }
  });

  test("clauses in every order", () => {
    const heads = ["if x:", "elif x:", "else:", "for x in y:", "while x:", "try:", "except x:", "finally:", "with x:", "def f():", "class C:"];
    const follow = (chain: readonly string[]): void => {
      const text = chain.map((head) => `${head} pass\n`).join("");
      const words = chain.flatMap((head) => [...(readLine(`${head} pass`)?.tokens ?? [])]);
      const accepted = parse(makeSource("clauses.tf", text)).diagnostics.length === 0;
      expect({ text, accepted: derives(RULES, readNotation("text"), words) }).toEqual({ text, accepted });
      if (accepted && chain.length < 4) for (const head of heads) follow([...chain, head]);
    };
    for (const head of heads) follow([head]);
  });
});
