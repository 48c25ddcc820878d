// Programs as JSON: they come back as programs, and whatever a document says, it is a program or is refused with reasons.

import { renderDiagnostics } from "@tilefoundry/text";
import { checkJson, fromJson, parseProgram, print, TileFoundryError, toJson } from "tilefoundry";
import { describe, expect, test } from "vitest";
import { SAMPLES } from "../../../samples/index.ts";
import { randomBy } from "./generate-random.ts";

const STAGES = ["parsed", "ssa", "lowered", "placed"] as const;

describe.each(STAGES)("at stage %s", (stage) => {
  test.each(SAMPLES)("$name comes back as the program it was", ({ program }) => {
    const json = toJson(program, { stage });
    expect(print(fromJson(json))).toBe(print(program, { stage }));
  });
});

const KERNEL = '@func\ndef f(x: Tensor[(4,), "f32"]):\n    y = tf.mul(x, x)\n    return tf.add(y, y)\n';
const parsed = parseProgram(KERNEL, "f.tf").value;
const json = parsed === undefined ? "" : toJson(parsed);

/** What is said of the document with a change. */
const said = (from: string | RegExp, to: string): readonly string[] => {
  expect(json).toMatch(from);
  return checkJson(json.replace(from, to), "f.json").diagnostics.map(({ code, message }) => `${code} ${message}`);
};

describe("a document that is not what its calls, its types or its text say", () => {
  test("names no unknown op", () => expect(said('"name":"add"', '"name":"ad"')).toEqual(["TF3010 there is no op `ad`"]));
  test("has the attributes of its ops", () => expect(said('"attrs":{}', '"attrs":{"axis":0}')).toEqual([expect.stringContaining("TF3002")]));
  test("passes what ops take", () => expect(said(/"args":\[(\d+),\d+\]/, '"args":[$1]')).toEqual([expect.stringContaining("TF3001")]));
  test("types its values as ops do", () => expect(said('"shape":[4]', '"shape":[5]')).not.toContainEqual(expect.stringContaining("TF3006")));
  test("is what its text says", () => {
    const { value } = parseProgram('@prim_func\ndef f(y: Out[Tensor[(2,), "f32"]]):\n    a = 1.0\n    b = 2.0\n    pl.write(y, (0,), a)\n    pl.write(y, (1,), b)\n', "f.tf");
    const merged = value === undefined ? "" : toJson(value).replace('"hint":"b"', '"hint":"a"');
    expect(checkJson(merged).diagnostics).toMatchObject([{ code: "TF5058" }]);
  });
});

test("fromJson throws what checkJson says", () => {
  expect(() => fromJson("{}", "f.json")).toThrow(TileFoundryError);
  expect(() => fromJson("{}", "f.json")).toThrow("tilefoundry-ir");
});

/** Values that stand in documents, right and wrong ones. */
const VALUES = ["0", "1", "2", "7", "40", "-1", '"f32"', '"index"', '"Var"', '"Call"', '"add"', "true", "null", "[]", "[0]", "[3,3]", "{}", '{"int":"3"}', '{"float":"-0"}', '"x"'];

test("a document with some of its values exchanged is a program or is refused", () => {
  for (const [seed, { program }] of SAMPLES.entries()) {
    for (const stage of STAGES) {
      const text = toJson(program, { stage });
      const tokens = [...text.matchAll(/"[^"]*"|-?\d+(?:\.\d+)?|true|\[\]/g)];
      const next = randomBy(seed);
      for (let round = 0; round < 40; round++) {
        const token = tokens[next.below(tokens.length)];
        const other = next.below(2) === 0 ? VALUES[next.below(VALUES.length)] : tokens[next.below(tokens.length)]?.[0];
        const damaged = text.slice(0, token?.index) + (other ?? "") + text.slice((token?.index ?? 0) + (token?.[0].length ?? 0));
        const { program: read, diagnostics } = checkJson(damaged, "damaged.json");
        renderDiagnostics(diagnostics);
        if (read !== undefined) print(read);
        else expect(diagnostics).not.toEqual([]);
      }
    }
  }
});
