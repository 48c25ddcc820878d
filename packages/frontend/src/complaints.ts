// Complaints that several files make in the same words, and the parts that diagnostics are made of.

import { nearest, type DiagnosticExtras, type Edit, type Fix, type Related, type Reporter, type Span } from "@tilefoundry/text";
import { describe } from "./known-ops.ts";
import type { Failure } from "./python-number.ts";
import { knownOf, poison, type Value } from "./value.ts";

/** Whoever reports. */
export interface Speaker {
  readonly reporter: Reporter;
}

/** Refuses what Python has and the language has not. */
export function refuse(what: string, instead: string, span: Span, { reporter }: Speaker, fix?: Fix): undefined {
  reporter.report("TF1012", span, { what, instead }, fix === undefined ? {} : { fixes: [fix] });
  return undefined;
}

/** Refuses what the parents have and this version has not. */
export function notYet(what: string, instead: string, span: Span, { reporter }: Speaker): undefined {
  reporter.report("TF2002", span, { what, instead });
  return undefined;
}

/** A name that means two things. */
export function twice(name: string, span: Span, other: Span, { reporter }: Speaker): undefined {
  reporter.report("TF2003", span, { name }, { related: [{ message: "the other one", span: other }] });
  return undefined;
}

/** What is called so, by its name or in words, may not be this value. */
export function misfit(name: string, value: Value, instead: string, { reporter }: Speaker): undefined {
  const what = /^\w+$/.test(name) ? `\`${name}\`` : name;
  reporter.report("TF3110", value.span, { what, found: inWords(value), instead });
  return undefined;
}

/** What cannot be computed. */
export function reportFailure({ failure, beyond }: Failure, span: Span, { reporter }: Speaker): Value {
  reporter.report(beyond === true ? "TF2103" : "TF2005", span, { why: failure });
  return poison(span);
}

/** What is no value at all. */
export function noValue(what: string, instead: string, span: Span, { reporter }: Speaker): undefined {
  reporter.report("TF3213", span, { what, instead });
  return undefined;
}

/** A compile-time value by what it is, any other by when it is known. */
export function inWords(value: Value): string {
  const known = knownOf(value);
  return known === undefined ? "a value that is known only when the kernel runs" : describe(known);
}

/** One place beside the one that is at fault; none where nothing was written. */
export const place = (message: string, span: Span | undefined): readonly Related[] => (span === undefined ? [] : [{ message, span }]);

export const fix = (title: string, span: Span, text: string): Fix => ({ title, edits: [{ span, text } satisfies Edit] });

/** Help and fix for a name that was meant; nothing if there is none. */
export function meant(text: string | undefined, span: Span): DiagnosticExtras {
  return text === undefined ? {} : { help: `did you mean \`${text}\`?`, fixes: [fix(`write \`${text}\``, span, text)] };
}

/** Help and fix that replace what is written at `span` by the nearest candidate; nothing where none is near. */
export function suggestion(name: string, candidates: Iterable<string>, span: Span): DiagnosticExtras {
  return meant(nearest(name, candidates), span);
}

/** `1 value`, `2 values`. */
export const counted = (n: number, one: string, several = `${one}s`): string => `${n} ${n === 1 ? one : several}`;

/** As many as are needed, before "needed": `1 is`, `a, b are`. */
export const needed = (what: string | number, n: number): string => `${what} ${n === 1 ? "is" : "are"}`;
