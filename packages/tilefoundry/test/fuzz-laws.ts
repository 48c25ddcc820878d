// The laws that every generated program keeps, as one table; and what a program breaks.

import type { ModuleNode } from "@tilefoundry/ir";
import { builtinOps } from "@tilefoundry/ops";
import type { Value } from "@tilefoundry/ops/evaluate";
import { runPasses } from "@tilefoundry/passes";
import { TARGETS } from "@tilefoundry/targets";
import { hasErrors, renderDiagnostics } from "@tilefoundry/text";
import { argumentsFor, entryOf } from "./fuzz-run.ts";
import {
  afterEachPass, cpuAgrees, deviceOf, formats, keepsBits, keptInJson, parseText, passesAreIdempotent, resumes, roundTrip, toleratesText, wasmAgrees, type Breach,
} from "./laws.ts";
import { damaged } from "./mutate.ts";

export interface Subject {
  readonly text: string;
  readonly seed: number;
  readonly module: ModuleNode;
  /** Two sets of arguments, of other extents. */
  readonly args: readonly (readonly Value[])[];
}

export interface Law {
  readonly name: string;
  /** What the machine must have, as the end of "needs …". */
  readonly needs?: string;
  readonly breach: (subject: Subject) => Breach;
}

const WASM = deviceOf(TARGETS.wasm);
const CPU = deviceOf(TARGETS.cpu);

/** The first breach that one of several checks finds. */
const first = <T>(items: readonly T[], check: (item: T) => Breach): Breach => {
  for (const item of items) {
    const found = check(item);
    if (found !== undefined) return found;
  }
  return undefined;
};

export const LAWS: readonly Law[] = [
  { name: "keeps its bits through all passes", breach: ({ module, args }) => first(args, (a) => keepsBits(module, a, WASM, true)) },
  { name: "keeps its bits without folding", breach: ({ module, args }) => first(args.slice(0, 1), (a) => keepsBits(module, a, WASM, false)) },
  { name: "keeps its bits as mapped for the CPU", breach: ({ module, args }) => first(args.slice(0, 1), (a) => keepsBits(module, a, CPU, true)) },
  { name: "computes the same in WebAssembly", breach: ({ module, args }) => first(args, (a) => wasmAgrees(module, a)) },
  { name: "verifies, prints and parses back after every pass", breach: ({ module }) => first([true, false], (fold) => everyStagePrints(module, fold)) },
  { name: "is kept in JSON after every pass", breach: ({ module }) => first(afterEachPass(module, WASM, true), ([, made]) => keptInJson(made)) },
  { name: "is left alone by passes that ran", breach: ({ module }) => first([true, false], (fold) => passesAreIdempotent(module, WASM, fold)) },
  { name: "builds to the same bytes from any stage", breach: ({ module }) => resumes(module, true) },
  { name: "formats once and for all", breach: ({ text }) => formats(text) },
  { name: "is checked without harm, damaged too", breach: ({ text, seed }) => first([text, ...damaged(text, seed, 4)], toleratesText) },
  { name: "computes the same in C", needs: "a C compiler", breach: ({ module, args }) => first(args, (a) => cpuAgrees(module, a)) },
];

function everyStagePrints(module: ModuleNode, fold: boolean): Breach {
  return first(afterEachPass(module, WASM, fold), ([pass, made, stage]) => {
    const wrong = roundTrip(made, stage);
    return wrong === undefined ? undefined : `after ${pass}: ${wrong}`;
  });
}

export interface Failure {
  readonly law: string;
  readonly message: string;
}

export type Verdict = Subject | Failure | "refused";

/** What may be wrong with a program that is correct: accesses provably outside, more buffers of products of extents than have a place. */
const REFUSALS: ReadonlySet<string> = new Set(["TF3008", "TF5121"]);

/** A generated text as the subject of laws. */
export function subjectOf(text: string, seed: number): Verdict {
  const law = "is a correct program";
  try {
    const { module, breach } = parseText(text, "generated");
    const wrong = breach ?? compiles(module);
    if (wrong === undefined) return { text, seed, module, args: [seed, seed + 0x5eed].map((s) => argumentsFor(entryOf(module), s)) };
    return [...wrong.matchAll(/^error\[(\w+)\]/gm)].every(([, code]) => REFUSALS.has(code ?? "")) ? "refused" : { law, message: wrong };
  } catch (error) {
    return { law, message: thrown(error) };
  }
}

function compiles(module: ModuleNode): Breach {
  const { diagnostics } = runPasses(module, "placed", { ops: builtinOps, device: WASM, fold: true });
  return hasErrors(diagnostics) ? renderDiagnostics(diagnostics.filter((d) => d.severity === "error")) : undefined;
}

export function firstFailure(subject: Subject, laws: readonly Law[]): Failure | undefined {
  for (const { name, breach } of laws) {
    try {
      const message = breach(subject);
      if (message !== undefined) return { law: name, message };
    } catch (error) {
      if (!ranTooLong(error)) return { law: name, message: thrown(error) };
    }
  }
  return undefined;
}

/** A program that takes more iterations than a test has time for says nothing of a law. */
const ranTooLong = (error: unknown): boolean => error instanceof Error && error.message.startsWith("error[TF6106]");

const thrown = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** What a text breaks: of the laws, or that it is a program. */
export function failureOf(text: string, seed: number, laws: readonly Law[]): Failure | undefined {
  const verdict = subjectOf(text, seed);
  if (verdict === "refused") return undefined;
  return "law" in verdict ? verdict : firstFailure(verdict, laws);
}
