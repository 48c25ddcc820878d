// Random programs keep every law. The seeds are fixed; `npm run fuzz` goes on with others.

import { TARGETS } from "@tilefoundry/targets";
import { findCompiler } from "@tilefoundry/runtime";
import { describe, expect, test } from "vitest";
import { failureOf, LAWS, subjectOf, type Subject } from "./fuzz-laws.ts";
import { batched } from "./fuzz-batch.ts";
import { shrink } from "./fuzz-shrink.ts";
import { generate } from "./generate.ts";
import { callerOf } from "./generate-callers.ts";
import { difference, interpreted } from "./fuzz-run.ts";
import { moduleText } from "./laws.ts";

const PROGRAMS = 50;
const SIZE = 8;
/** Programs that are called from another. */
const CALLED = 25;
/** Programs that are compiled with a C compiler, in one file. */
const COMPILED = 20;

const SEEDS = Array.from({ length: PROGRAMS }, (_, seed) => seed);
const HERE = LAWS.filter((l) => l.needs === undefined);

describe("random programs", () => {
  test.each(SEEDS)("program %i keeps every law", (seed) => {
    const text = generate(seed, { size: SIZE });
    const failure = failureOf(text, seed, HERE);
    if (failure === undefined) return;
    expect.fail(`${failure.law}: ${failure.message}\n\n${shrink(text, seed, HERE, failure)}`);
  });

  test.each(SEEDS.slice(0, CALLED))("program %i called from another keeps every law, and computes what it computes", (seed) => {
    const alone = subjectOf(generate(seed, { size: SIZE }), seed);
    if (typeof alone === "string" || !("module" in alone)) return; // refused, or reported above
    for (const inRegion of [false, true]) {
      const text = moduleText(callerOf(alone.module, { inRegion }));
      const failure = failureOf(text, seed, HERE);
      if (failure !== undefined) expect.fail(`${failure.law}: ${failure.message}\n\n${text}`);
      const called = subjectOf(text, seed);
      if (typeof called === "string" || !("module" in called)) continue;
      for (const args of alone.args) expect(difference(interpreted(alone.module, args), interpreted(called.module, args))).toBeUndefined();
    }
  });

  test("few are refused", () => {
    const refused = SEEDS.filter((seed) => subjectOf(generate(seed, { size: SIZE }), seed) === "refused");
    expect(refused.length).toBeLessThan(PROGRAMS / 8);
  });

  test("programs are the same for the same seed", () => {
    expect(SEEDS.map((seed) => generate(seed))).toEqual(SEEDS.map((seed) => generate(seed)));
  });

  test.skipIf(findCompiler() === undefined)("compute the same in C [needs a C compiler]", () => {
    const subjects = SEEDS.map((seed) => subjectOf(generate(seed, { size: SIZE }), seed)).filter((s): s is Subject => typeof s === "object" && "module" in s);
    expect(batched(subjects.slice(0, COMPILED), TARGETS.cpu)).toEqual([]);
  });
});
