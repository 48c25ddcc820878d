// Golden text of two samples, per stage and target, for `cpu:generic`. Blessed by `npm run bless`, reviewed as a diff.
// A golden that nothing writes is an orphan, and fails.

import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { STAGES } from "@tilefoundry/ir";
import { print, source } from "tilefoundry";
import { expect, test } from "vitest";
import { SAMPLES } from "../../../samples/index.ts";

const FOLDER = fileURLToPath(new URL("expected", import.meta.url));
const GOLDEN = ["vector_add", "softmax"];
/** Longest golden that is still read. */
const MOST_LINES = 200;

interface Golden {
  readonly file: string;
  readonly make: () => string;
}

const GOLDENS: readonly Golden[] = SAMPLES.filter((s) => GOLDEN.includes(s.name)).flatMap(({ name, program }) => [
  ...STAGES.map((stage) => ({ file: `${name}.${stage}.tf`, make: () => print(program, { stage, target: "cpu:generic" }) })),
  { file: `${name}.c`, make: () => source(program, "cpu:generic") },
]);

test.each(GOLDENS)("$file", async ({ file, make }) => {
  const text = make();
  expect(text.split("\n").length).toBeLessThanOrEqual(MOST_LINES);
  await expect(text).toMatchFileSnapshot(`${FOLDER}/${file}`);
});

test("no golden is an orphan", () => {
  expect(readdirSync(FOLDER).sort()).toEqual(GOLDENS.map((g) => g.file).sort());
});
