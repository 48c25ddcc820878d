// The tree beside that of Python's own parser.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { dump } from "./dump.ts";
import { pick, random, read, SINK } from "./support.ts";

const SCRIPT = fileURLToPath(new URL("python-dump.py", import.meta.url));

/** Trees of texts by Python; undefined without a python3 of at least 3.11. */
function python(texts: readonly string[]): readonly unknown[] | undefined {
  const version = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]);
  if (version.status !== 0) return undefined;
  const { stdout } = spawnSync("python3", [SCRIPT], { input: JSON.stringify(texts), encoding: "utf8", maxBuffer: 1 << 28 });
  return JSON.parse(stdout) as readonly unknown[];
}

const OPERATORS = ["+", "-", "*", "/", "//", "%", "@", "**", "<<", ">>", "&", "|", "^", "and", "or", "<", "<=", "==", "!=", "in", "not in", "is", "is not"];
const ATOMS = ["a", "b", "1", "2.5", '"s"', "None", "a.b", "f(a)", "x[0]", "(a)", "[a, b]", "{a: b}", "{a}", "(a, b)"];
const PREFIXES = ["-", "+", "~", "not ", "- -", "not not "];

function expression(depth: number, next: () => number): string {
  const roll = next();
  const inner = () => expression(depth - 1, next);
  if (depth === 0 || roll < 0.15) return pick(ATOMS, next);
  if (roll < 0.65) return `${inner()} ${pick(OPERATORS, next)} ${inner()}`;
  if (roll < 0.78) return `${pick(PREFIXES, next)}${inner()}`;
  if (roll < 0.84) return `(${inner()})`;
  if (roll < 0.88) return `${inner()} if ${inner()} else ${inner()}`;
  if (roll < 0.91) return `lambda x, *y: ${inner()}`;
  if (roll < 0.94) return `f(${inner()}, k=${inner()})`;
  if (roll < 0.97) return `[${inner()} for t in ${inner()} if ${inner()}]`;
  return `x[${inner()}:${inner()}, ${inner()}]`;
}

describe("beside Python's own parser", () => {
  const next = random(20250101);
  const texts = [SINK, ...Array.from({ length: 600 }, () => `${expression(4, next)}\n`)];
  const theirs = python(texts);

  it.skipIf(theirs === undefined)("every construct and random expressions give the same tree (skipped without python3 >= 3.11)", () => {
    texts.forEach((text, i) => {
      const { value, diagnostics } = read(text);
      const tree = diagnostics.length > 0 ? null : JSON.parse(JSON.stringify(dump(value.body)));
      expect(tree, text).toEqual(theirs?.[i]);
    });
  });

  it.skipIf(theirs === undefined)("random expressions are mostly valid, and both parsers refuse the same (skipped without python3 >= 3.11)", () => {
    expect(theirs?.filter((tree) => tree !== null).length).toBeGreaterThan(300);
    expect(theirs?.filter((tree) => tree === null).length).toBeGreaterThan(10);
  });
});
