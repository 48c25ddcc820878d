// The one list of passes, in the order in which they run, and the runner. A list whose stages do not follow each other does
// not compile.

import type { ModuleNode, Stage } from "@tilefoundry/ir";
import { hasErrors, type Diagnostic, type Outcome } from "@tilefoundry/text";
import { expandMath } from "./expand-math.ts";
import { flatten } from "./flatten.ts";
import { inlineCalls } from "./inline-calls.ts";
import { graphToStatements } from "./graph-to-statements.ts";
import { lowerOps } from "./lower-ops.ts";
import { map } from "./map.ts";
import { outlineScopes } from "./outline-scopes.ts";
import type { Pass, PassContext } from "./pass.ts";
import { allFindPlace, place } from "./place.ts";
import { simplify } from "./simplify.ts";
import { splitAtBarriers } from "./split-at-barriers.ts";
import { threadCalls } from "./thread-calls.ts";
import { toSsa } from "./to-ssa.ts";

/** The list itself if every pass begins at the stage where the one before it ended. */
type Chain<P extends readonly Pass[], At extends Stage> =
  P extends readonly [infer Head extends Pass, ...infer Rest extends readonly Pass[]]
    ? [Head["from"]] extends [At] ? Chain<Rest, Head["to"]> : never
    : unknown;

/** Orders passes into a pipeline; typed so that a pass out of its stage is an error at compile time. */
export function inOrder<const P extends readonly Pass[]>(passes: P & Chain<P, "parsed">): P {
  return passes;
}

/**
 * A pass whose output is simplified before anyone sees it. What inlining, lowering and mapping make is thereby a fixpoint of `simplify`, so that a text of
 * a later stage passes through it unchanged.
 */
function simplified<const P extends Pass>(pass: P): P {
  return {
    ...pass,
    run: (module, context) => {
      const made = pass.run(module, context);
      if (made.value === module || hasErrors(made.diagnostics)) return made;
      const { value, diagnostics } = simplify.run(made.value, context);
      return { value, diagnostics: [...made.diagnostics, ...diagnostics] };
    },
  };
}

export const PASSES = inOrder([
  graphToStatements,
  flatten,
  threadCalls,
  toSsa,
  simplify,
  outlineScopes,
  simplified(inlineCalls),
  simplified(lowerOps),
  simplified(splitAtBarriers),
  simplified(map),
  expandMath,
  place,
]);

export type PassName = (typeof PASSES)[number]["name"];

/** Called with the module after each pass that ran. */
export type OnPass = (pass: Pass, module: ModuleNode) => void;

/**
 * Runs the passes up to and including the last one of a stage, or the pass of a name. `parsed` runs none. Stops after the first pass
 * that reports an error; the value is then what that pass gave.
 */
export function runPasses(module: ModuleNode, upTo: Stage | PassName, context: PassContext, onPass?: OnPass): Outcome<ModuleNode> {
  const diagnostics: Diagnostic[] = [];
  let value = module;
  for (const pass of passesUpTo(upTo)) {
    const outcome = pass.run(value, context);
    value = outcome.value;
    diagnostics.push(...outcome.diagnostics);
    onPass?.(pass, value);
    if (hasErrors(outcome.diagnostics)) break;
  }
  return { value, diagnostics };
}

/** The passes that complain, but for the last. */
const COMPLAINING: readonly Pass[] = [graphToStatements, flatten, threadCalls, toSsa, outlineScopes, inlineCalls, lowerOps, splitAtBarriers];

/**
 * What the passes find wrong. Simplification and mapping only take away, what has its place before them has it after them too: where
 * nothing is wrong without them they do not run.
 */
export function problemsOf(module: ModuleNode, context: PassContext): readonly Diagnostic[] {
  const all = (): readonly Diagnostic[] => runPasses(module, "placed", context).diagnostics;
  let value = module;
  for (const pass of COMPLAINING) {
    const outcome: Outcome<ModuleNode> = pass.run(value, context);
    if (outcome.diagnostics.length > 0) return all();
    value = outcome.value;
  }
  return value.functions.every((f) => allFindPlace(f, context)) ? [] : all();
}

/** The passes that make a stage from `parsed`, or that lead to a pass and include it. */
export function passesUpTo(upTo: Stage | PassName): readonly Pass[] {
  const passes: readonly Pass[] = PASSES;
  const named = passes.findIndex((pass) => pass.name === upTo);
  if (named >= 0) return passes.slice(0, named + 1);
  if (upTo === "parsed") return [];
  return passes.slice(0, passes.findLastIndex((pass) => pass.to === upTo && pass.ahead === undefined) + 1);
}
