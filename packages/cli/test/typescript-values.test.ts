// Values of holes: what is told without running a file is what running it gives; what a running module tells arrives as it was.

import ts from "typescript";
import { makeSource } from "@tilefoundry/text";
import { dataOf, DimVar, dtype, tf, type AnyProgram } from "tilefoundry";
import { describe, expect, test } from "vitest";
import { randomBy, type Random } from "../../tilefoundry/test/generate-random.ts";
import { evaluator } from "../src/typescript/evaluate.ts";
import { decode, encode, type Value } from "../src/typescript/messages.ts";
import { readScript } from "../src/typescript/script.ts";

const LITERALS = ["0", "1", "2", "3.5", "0x10", "1_000", "1e3", "2n", "7n", "true", "false", "null", "undefined", "NaN", "Infinity", '"a"', "'12'", "`t`"];
const BINARY = ["+", "-", "*", "/", "%", "**", "<<", ">>", ">>>", "&", "|", "^", "<", "<=", ">", ">=", "===", "!==", "&&", "||", "??"];
const FUNCTIONS = ["Math.ceil", "Math.floor", "Math.max", "Math.min", "Math.abs", "Math.trunc", "Number", "BigInt", "Boolean", "Object.freeze"];

/** An expression of the names that are in view. */
function expression(r: Random, names: readonly string[], depth: number): string {
  const inner = (): string => expression(r, names, depth - 1);
  if (depth === 0) return r.chance(0.5) && names.length > 0 ? r.pick(names) : r.pick(LITERALS);
  return r.weighted<() => string>([
    [4, () => `(${inner()} ${r.pick(BINARY)} ${inner()})`],
    [2, () => `(${r.pick(["-", "+", "!", "~"])}${inner()})`],
    [1, () => `(${inner()} ? ${inner()} : ${inner()})`],
    [2, () => `[${inner()}, ...[${inner()}], ${inner()}]`],
    [2, () => `({ a: ${inner()}, ["b" + 1]: ${inner()}, ...{ a: ${inner()}, c: [${inner()}] } })`],
    [2, () => `(${inner()} as never as { a: number; c: number[] })?.${r.pick(["a", "b1", "c", "length"])}`],
    [2, () => `(${inner()} as any)?.[${r.pick(["0", "1", "'a'", "'c'"])}]`],
    [1, () => `${r.pick(FUNCTIONS)}(${inner()} as never)`],
    [1, () => `\`x\${${inner()}}y\``],
  ])();
}

/** Declarations, each of names of its own. */
function declarations(r: Random): { readonly text: string; readonly names: readonly string[] } {
  const names: string[] = [];
  let text = "";
  for (let i = 0; i < 6; i++) {
    const value = (): string => expression(r, names, 1 + r.below(3));
    const [line, made] = r.weighted<() => readonly [string, readonly string[]]>([
      [4, () => [`const v${i} = ${value()};`, [`v${i}`]]],
      [1, () => [`let v${i} = ${value()};`, [`v${i}`]]],
      [1, () => [`let v${i}: any = ${value()}; v${i} = 5;`, [`v${i}`]]],
      [1, () => [`const { a: v${i}, q: w${i} = ${value()} } = { a: ${value()}, b: 1 } as any;`, [`v${i}`, `w${i}`]]],
      [1, () => [`const [v${i}, , w${i}] = [${value()}, 2, ${value()}];`, [`v${i}`, `w${i}`]]],
      [1, () => [`enum E${i} { A = ${r.below(9)}, B, C = 4 + ${r.below(5)}, D }`, [`E${i}.B`, `E${i}.D`]]],
      [1, () => [`const v${i} = [1]; v${i}.push(${r.below(9)});`, [`v${i}`, `v${i}[0]`]]],
      [1, () => [`const v${i} = { a: 1 }; { const v${i} = 2; void v${i}; } v${i}.a++;`, [`v${i}.a`]]],
    ])();
    text += `${line}\n`;
    names.push(...made);
  }
  return { text, names };
}

function valueOf(run: (() => unknown) | undefined): { readonly value: unknown } | undefined {
  try {
    return { value: run?.() };
  } catch {
    return undefined;
  }
}

describe("a value that is told", () => {
  test("is what running the file gives", () => {
    const r = randomBy(11);
    let [all, known] = [0, 0];
    for (let i = 0; i < 400; i++) {
      const { text, names } = declarations(r);
      const result = names.map((n) => `() => ${n}`).concat(Array.from({ length: 4 }, () => `() => ${expression(r, names, 3)}`));
      const source = `${text}return [${result.join(", ")}];`;
      let ran: readonly (() => unknown)[];
      try {
        ran = new Function(ts.transpile(`(() => {${source}})`, { target: ts.ScriptTarget.ES2022 }).replace(/^/, "return "))()() as typeof ran; // that is what the text returns
      } catch {
        continue; // a declaration throws
      }
      const script = readScript(ts, makeSource("file.ts", `${text}export default [${result.join(", ")}];`));
      const tell = evaluator({ script, programOf: () => undefined });
      const list = script.file.statements.find(ts.isExportAssignment)?.expression;
      const told = list !== undefined && ts.isArrayLiteralExpression(list) ? list.elements.map((e) => (ts.isArrowFunction(e) ? tell(e.body as ts.Expression) : undefined)) : []; // bodies are expressions
      expect(told).toHaveLength(ran.length);
      for (const [k, one] of told.entries()) {
        const given = valueOf(ran[k]);
        if (given === undefined) continue; // where it throws, no template is made
        all++;
        if (one === undefined) continue;
        known++;
        expect(one, `${text}${result[k]}`).toEqual(given);
      }
    }
    expect(known / all).toBeGreaterThan(0.3);
  });
});

describe("a value that a running module tells", () => {
  const program: AnyProgram = tf`
@func
def f(x: Tensor[(4,), "f32"]):
    return x
`;

  function random(r: Random, depth: number): unknown {
    const leaf = (): unknown => r.pick<unknown>([0, -0, 1.5, NaN, Infinity, -Infinity, 7n, -(2n ** 70n), true, false, null, undefined, "text", "\u2028\n\"", dtype("f32"), DimVar("M", 1, 9), program]);
    return depth > 0 && r.chance(0.5) ? Array.from({ length: r.below(4) }, () => random(r, depth - 1)) : leaf();
  }

  test("arrives as it was", () => {
    const r = randomBy(23);
    const programs = { idOf: () => 7, isWrong: () => false };
    for (let i = 0; i < 500; i++) {
      const value = random(r, 3);
      const sent = JSON.parse(JSON.stringify(encode(value, programs))) as Value; // what was encoded
      expect(decode(sent, new Map([[7, program]]), {})).toEqual(value);
    }
  });

  test("arrives as something of its kind if it is no value of the language, and as unknown if it is a program with errors", () => {
    const unknown = {};
    const wrong = (): undefined => undefined;
    const programs = { idOf: () => 0, isWrong: (value: unknown) => value === wrong };
    const back = (value: unknown): unknown => decode(encode(value, programs), new Map(), unknown);
    expect([typeof back(() => 1), typeof back(Symbol("s")), typeof back(new Map()), typeof back({ kind: "dtype", dtype: 4 })]).toEqual(["function", "symbol", "object", "object"]);
    expect([back(wrong), back([[wrong]]), back(program)]).toEqual([unknown, unknown, unknown]);
    expect(dataOf(program).module.name).toBe("f");
  });
});
