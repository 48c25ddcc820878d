// What a strict run reports: places where a program does what the language defines but its author hardly means. One report a
// place, the first occurrence.

import type { Expr } from "@tilefoundry/ir";
import { diagnostic, type Code, type CodeParams, type Diagnostic, type Span } from "@tilefoundry/text";

export interface FaultLog {
  readonly found: readonly Diagnostic[];
  report<C extends Code>(code: C, span: Span | undefined, params: CodeParams<C>): void;
}

/** More places than this are not listed. */
const LIMIT = 100;

export function makeFaultLog(): FaultLog {
  const found: Diagnostic[] = [];
  const seen = new Set<string>();
  return {
    found,
    report(code, span, params) {
      const made = diagnostic(code, span, params);
      const place = span === undefined ? made.message : `${code} ${span.source.name} ${span.start} ${span.end}`;
      if (seen.has(place) || found.length >= LIMIT) return;
      seen.add(place);
      found.push(made);
    },
  };
}

/** An array in a message. */
export const arrayName = (e: Expr): string => (e.kind === "Var" || e.kind === "IterArg" ? `\`${e.hint}\`` : "an array");
