// The passes from `parsed` to `outlined` on random programs: each keeps every bit under the interpreter, gives a program that
// verifies at its stage, and changes nothing that it or a later pass made. Longer runs: `npm run fuzz`.

import { verify, type ModuleNode } from "@tilefoundry/ir";
import { PASSES, type Pass, type PassContext } from "@tilefoundry/passes";
import { renderDiagnostics } from "@tilefoundry/text";
import { describe, expect, test } from "vitest";
import { argumentsFor, generate, type GenerateOptions } from "./generate.ts";
import { CONTEXT, difference, outputsOf } from "./stages.ts";

const FIRST_HALF = PASSES.slice(0, PASSES.findIndex((p) => p.name === "lower-ops"));
const FUEL = 100_000;

const KINDS: readonly { readonly title: string; readonly seeds: number; readonly options: GenerateOptions; readonly fold: boolean }[] = [
  { title: "small programs", seeds: 150, options: { size: 16 }, fold: true },
  { title: "scalars only", seeds: 100, options: { size: 30, tiles: false }, fold: true },
  { title: "without folding", seeds: 60, options: { size: 24 }, fold: false },
  { title: "jumps out of loops with authored carries", seeds: 100, options: { size: 24, wild: true }, fold: true },
  { title: "large programs", seeds: 12, options: { size: 150 }, fold: true },
];

/** What is wrong with the passes on a program. */
function breach(module: ModuleNode, seed: number, context: PassContext): string | undefined {
  const args = [seed, seed + 1].map((s) => argumentsFor(module, s));
  const outputs = (m: ModuleNode) => args.map((a) => outputsOf(m, a, { fuel: FUEL }));
  const wanted = outputs(module);
  let now = module;
  const done: Pass[] = [];
  for (const pass of FIRST_HALF) {
    const { value, diagnostics } = pass.run(now, context);
    now = value;
    done.push(pass);
    const wrong = [...diagnostics, ...verify(now, pass.to)];
    if (wrong.length > 0) return `${pass.name}: ${renderDiagnostics(wrong)}`;
    const changing = done.find((p) => p.run(now, context).value !== now);
    if (changing !== undefined) return `${changing.name} changes what ${pass.name} made`;
    const differing = outputs(now).map((o, i) => difference(o, wanted[i] ?? [])).find((d) => d !== undefined);
    if (differing !== undefined) return `${pass.name} changes results: ${differing}`;
  }
  return undefined;
}

describe.each(KINDS)("$title", ({ seeds, options, fold }) => {
  test("keep their bits, verify, and are left alone when they come back", () => {
    const breaches = Array.from({ length: seeds }, (_, i) => {
      const seed = i * 7919 + seeds;
      const found = breach(generate(seed, options), seed, { ...CONTEXT, fold });
      return found === undefined ? [] : [`seed ${seed}: ${found}`];
    }).flat();
    expect(breaches).toEqual([]);
  });
});
