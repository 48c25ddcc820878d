// The list of passes and its runner.

import { STAGES, type Stage } from "@tilefoundry/ir";
import { inOrder, PASSES, passesUpTo, runPasses, type Pass } from "@tilefoundry/passes";
import { describe, expect, test } from "vitest";
import { generate } from "./generate.ts";
import { CONTEXT } from "./stages.ts";
import { carriedInParallel } from "./wrong-programs.ts";

const pass = <From extends Stage, To extends Stage>(from: From, to: To): Pass<string, From, To> =>
  ({ name: `${from}-${to}`, from, to, doc: "A pass.", run: (module) => ({ value: module, diagnostics: [] }) });

const stays = pass("parsed", "parsed");
const splits = pass("parsed", "ssa");
const outlines = pass("ssa", "outlined");

describe("the list", () => {
  test("is typed: a pass out of its stage does not compile", () => {
    inOrder([stays, splits, outlines]);
    // @ts-expect-error the second pass begins where the first has not come to
    inOrder([stays, outlines]);
    // @ts-expect-error a pipeline begins at `parsed`
    inOrder([outlines]);
  });

  test("makes every stage, in order", () => {
    const made = PASSES.map((p) => p.to);
    expect([...new Set(["parsed", ...made])]).toEqual(STAGES);
  });

  test("has names of its own for its passes, none of them a stage's", () => {
    const names: readonly string[] = PASSES.map((p) => p.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => (STAGES as readonly string[]).includes(name))).toEqual([]);
  });
});

describe("running", () => {
  test.each([
    ["parsed", []],
    ["flatten", ["graph-to-statements", "flatten"]],
    ["to-ssa", ["graph-to-statements", "flatten", "thread-calls", "to-ssa"]],
    ["ssa", ["graph-to-statements", "flatten", "thread-calls", "to-ssa", "simplify"]],
    ["outlined", ["graph-to-statements", "flatten", "thread-calls", "to-ssa", "simplify", "outline-scopes"]],
  ] as const)("up to %s takes the passes that lead there", (upTo, names) => {
    const ran: string[] = [];
    runPasses(generate(1), upTo, CONTEXT, (p) => ran.push(p.name));
    expect(ran).toEqual(names);
    expect(passesUpTo(upTo).map((p) => p.name)).toEqual(names);
  });

  test("stops behind a pass that reports an error", () => {
    const ran: string[] = [];
    const { diagnostics } = runPasses(carriedInParallel(), "placed", CONTEXT, (p) => ran.push(p.name));
    expect(diagnostics.map((d) => d.code)).toEqual(["TF4116"]);
    expect(ran.at(-1)).toBe("to-ssa");
  });
});
