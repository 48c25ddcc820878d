// Constants beside Python's own values: random expressions of what static evaluation knows.

import { spawnSync } from "node:child_process";
import { parseProgram, toModule } from "tilefoundry";
import { describe, expect, it } from "vitest";

const SCRIPT = `
import json, math, sys
from functools import reduce
found = []
for text in json.load(sys.stdin):
    try:
        value = eval(text, {"math": math})
        found.append(repr(list(value) if isinstance(value, range) else value).replace("inf", "math.inf").replace("nan", "math.nan"))
    except Exception:
        found.append(None)
json.dump(found, sys.stdout)
`;

function python(texts: readonly string[]): readonly (string | null)[] | undefined {
  const { status, stdout } = spawnSync("python3", ["-c", SCRIPT], { input: JSON.stringify(texts), encoding: "utf8", maxBuffer: 1 << 26 });
  return status === 0 ? (JSON.parse(stdout) as readonly (string | null)[]) : undefined;
}

/** mulberry32. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const next = random(20260131);
const pick = (items: readonly string[]): string => items[Math.floor(next() * items.length)] ?? "";

const INTS = ["0", "1", "-1", "2", "3", "-7", "10", "64", "True", "2**63", "-(10**20)"];
const FLOATS = ["0.5", "-2.5", "1.5", "3.0", "1e10", "0.1", "-0.125", "2.675"];

function number(depth: number): string {
  const roll = next();
  if (depth === 0 || roll < 0.15) return pick(roll < 0.1 ? INTS : FLOATS.concat(INTS));
  if (roll < 0.55) return `(${number(depth - 1)} ${pick(["+", "-", "*", "/", "//", "%", "<<", ">>", "&", "|", "^"])} ${number(depth - 1)})`;
  if (roll < 0.6) return `(${number(depth - 1)} ** ${pick(["2", "3", "0.5", "-1", "-2"])})`;
  if (roll < 0.75) return `${pick(["abs", "int", "float", "round", "bool", "math.floor", "math.ceil", "math.trunc", "math.sqrt", "math.fabs"])}(${number(depth - 1)})`;
  if (roll < 0.79) return `round(${number(depth - 1)}, ${pick(["0", "1", "2", "-1", "5"])})`;
  if (roll < 0.85) return `(${number(depth - 1)} if ${number(depth - 1)} ${pick(["<", "<=", "==", "!=", ">", ">="])} ${number(depth - 1)} < ${number(depth - 1)} else ${number(depth - 1)})`;
  if (roll < 0.9) return `${pick(["sum", "len", "max", "min", "all", "any", "math.prod"])}(${list(depth - 1)})`;
  if (roll < 0.93) return `${list(depth - 1)}[${pick(["0", "-1", "1", "True"])}]`;
  if (roll < 0.96) return `(${number(depth - 1)} ${pick(["and", "or"])} ${number(depth - 1)})`;
  return `${pick(["math.gcd", "math.lcm"])}(${pick(INTS)}, ${pick(INTS)})`;
}

function list(depth: number): string {
  const roll = next();
  const inner = (): string => number(Math.max(0, depth - 1));
  if (depth <= 0 || roll < 0.25) return `[${inner()}, ${inner()}, ${inner()}]`;
  if (roll < 0.45) return `[${pick(["i", "i * 2", "i // 2", "-i", "(i, 1)[0]"])} for i in range(${pick(["5", "1, 6", "9, 0, -2"])}) if i ${pick(["!=", ">"])} ${pick(["2", "3"])}]`;
  if (roll < 0.6) return `${list(depth - 1)}[${pick(["1:", ":-1", "::-1", "-2:", "::2", "3:0:-1", "10:"])}]`;
  if (roll < 0.7) return `sorted(${list(depth - 1)}${pick(["", ", reverse=True"])})`;
  if (roll < 0.78) return `(${list(depth - 1)} ${pick(["+", "*"])} ${pick(["[4]", "2", "0"])})`;
  if (roll < 0.86) return `list({"a": ${inner()}, "b": ${inner()}, **{"a": 1}}.${pick(["values", "keys", "items"])}())`;
  if (roll < 0.92) return `[a + b for a, b in zip(${list(depth - 1)}, [1, 2, 3])]`;
  return `[i for i, x in enumerate(${list(depth - 1)}) if x in (1, 2.0, True)]`;
}

describe("constants", () => {
  const texts = Array.from({ length: 1500 }, (_, i) => (i % 3 === 0 ? list(3) : number(4)));
  const theirs = python(texts);

  it.skipIf(theirs === undefined)("are what Python computes (skipped without python3)", () => {
    const wrong: string[] = [];
    let [computed, same] = [0, 0];
    for (const [i, text] of texts.entries()) {
      const value = theirs?.[i];
      if (value === null || value === undefined || /nan/.test(value)) continue;
      computed++;
      const { value: program, diagnostics } = parseProgram(`import math\nA = ${text}\nB = ${value}\nN = 4 if A == B else 5\n@func\ndef k(x: Tensor[(N,), "f32"]):\n    return tf.exp(x)\n`, "a.tf");
      const type = program && toModule(program).functions[0]?.params[0]?.var.type;
      const extent = type?.kind === "Tensor" ? type.shape[0] : undefined;
      if (extent === 4) same++;
      else if (extent === 5 || diagnostics.some((d) => d.code !== "TF2101")) wrong.push(`${text} is ${value}: ${diagnostics.map((d) => `${d.code} ${d.message}`).join()}`);
    }
    expect(wrong).toEqual([]);
    expect(computed).toBeGreaterThan(600);
    expect(same / computed).toBeGreaterThan(0.9);
  });
});
