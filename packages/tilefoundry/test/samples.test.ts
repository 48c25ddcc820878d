// Every sample, every case, on every target; the .tf file and the template are one program.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { equal } from "@tilefoundry/ir";
import { findCompiler } from "@tilefoundry/runtime";
import { compileNow, toModule } from "tilefoundry";
import { describe, expect, test } from "vitest";
import { compareSample, freshArguments } from "../../../samples/compare.ts";
import { SAMPLES } from "../../../samples/index.ts";
import { parseText } from "./laws.ts";

const TARGETS = [
  { name: "interp", here: true, needs: "" },
  { name: "wasm", here: true, needs: "" },
  { name: "cpu", here: findCompiler() !== undefined, needs: " [needs a C compiler]" },
];

describe.each(SAMPLES.map((sample) => ({ name: sample.name, sample })))("$name", ({ name, sample }) => {
  for (const target of TARGETS) {
    for (const [title, make] of Object.entries(sample.cases)) {
      test.skipIf(!target.here)(`agrees with its reference on ${target.name}: ${title}${target.needs}`, () => {
        const args = make();
        const outputs = compileNow(sample.program, { target: target.name }).call(freshArguments(args));
        for (const c of compareSample(sample, args, outputs)) expect(c.ok, c.message).toBe(true);
      });
    }
  }

  test("is the same program as a .tf file", () => {
    const file = fileURLToPath(new URL(`../../../samples/${name}/${name}.tf`, import.meta.url));
    const { module, breach } = parseText(readFileSync(file, "utf8"), name);
    expect(breach).toBeUndefined();
    expect(equal(module, toModule(sample.program))).toBeUndefined();
  });
});
