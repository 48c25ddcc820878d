// Where a template that runs stands in its file: its strings are found there whatever is in its holes, and nothing is taken for them that is not.

import { makeSource } from "@tilefoundry/text";
import { describe, expect, test } from "vitest";
import { stringsIn } from "../src/location.ts";
import { randomBy, type Random } from "./generate-random.ts";

const STRINGS = ["", "\n", "a", "\n  def f(x):\n", "日😀", "\\`", "\\${", "}", "{", "'", "\"", "//", "$", "\\\\"];
const HOLES = ["n", "{ a: { b: 1 } }.a.b", "'}'", "\"\\\"}\"", "/* } ` */ n", "n // }\n", "`}`", "`\\${`", "`a${`b${n}`}`", "tf`x ${`}${n}`} y`", "((): number => { return 1; })()", "\nn\n", "'\\'}'"];

const some = (list: readonly string[], random: Random): string => Array.from({ length: random.below(4) }, () => random.pick(list)).join("");

describe("the strings of a template", () => {
  test("are found between its holes, with any line breaks", () => {
    const random = randomBy(29);
    for (let i = 0; i < 500; i++) {
      // a `$` before a hole or at the end would begin another one
      const parts = Array.from({ length: 1 + random.below(4) }, () => some(STRINGS, random).replace(/\$(?=\{)(?<!\\\$)/g, "").replace(/\$$/, ""));
      const raw = parts.map((p) => p.replace(/(?<!\\)\$\{/g, "{"));
      const body = raw.map((part, k) => (k === 0 ? part : `\${${random.pick(HOLES)}}${part}`)).join("");
      const lineBreak = random.pick(["\n", "\r\n"]);
      const head = `const other = tf\`else\`;${random.pick(["", "\n", "/* ` */"])}`;
      const text = `${head} tf${random.pick(["", "<\"f\">"])}\`${body}\`;\ntf\`last\``.replaceAll("\n", lineBreak);
      const source = makeSource("file.ts", text);
      const found = stringsIn(source, { line: 1, column: 1 }, raw);
      expect(found?.map(({ start, end }) => text.slice(start, end).replaceAll("\r\n", "\n")), text).toEqual(raw);
    }
  });

  test.each([
    ["another text", "tf`a${1}b`", ["a", "c"]],
    ["more holes", "tf`a${1}b${2}c`", ["a", "b"]],
    ["fewer holes", "tf`ab`", ["a", "b"]],
    ["no end", "tf`a${", ["a", "b"]],
    ["nothing", "", [""]],
    ["the text further down", "tf\n\n\n\n`a`", ["a"]],
  ])("are not found where there is %s", (_title, text, raw) => expect(stringsIn(makeSource("file.ts", text), { line: 1, column: 1 }, raw)).toBeUndefined());

  test("are not looked for outside of the file", () => expect(stringsIn(makeSource("file.ts", "tf`a`"), { line: 9, column: 1 }, ["a"])).toBeUndefined());
});
