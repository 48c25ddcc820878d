// Diagnostics as data. Rendering is in `render.ts`; colours come in from outside.

import { CODES, type Code, type CodeParams, type Severity } from "./codes.ts";
import type { Source, Span } from "./source.ts";

export interface Related {
  readonly message: string;
  readonly span: Span;
}

export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** A change that mends the fault. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly Edit[];
}

export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span | undefined;
  readonly help: string;
  readonly related: readonly Related[];
  readonly fixes: readonly Fix[];
}

export interface DiagnosticExtras {
  readonly related?: readonly Related[];
  readonly fixes?: readonly Fix[];
  /** Replaces the help line of the table. */
  readonly help?: string;
}

/** Builds the diagnostic of a code; its parameters are checked against the message. */
export function diagnostic<C extends Code>(
  code: C,
  span: Span | undefined,
  params: CodeParams<C>,
  extras: DiagnosticExtras = {},
): Diagnostic {
  const row = CODES[code];
  return {
    code,
    severity: row.severity,
    message: fill(row.message, params),
    span,
    help: extras.help ?? fill(row.help, params),
    related: extras.related ?? [],
    fixes: extras.fixes ?? [],
  };
}

function fill(template: string, params: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => (name in params ? String(params[name]) : whole));
}

/** What a stage gives back: a value, and what it has to say. A value is always there. */
export interface Outcome<T> {
  readonly value: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** Collects diagnostics; what a stage holds while it runs. */
export class Reporter {
  readonly diagnostics: Diagnostic[] = [];

  report<C extends Code>(code: C, span: Span | undefined, params: CodeParams<C>, extras?: DiagnosticExtras): void {
    this.diagnostics.push(diagnostic(code, span, params, extras));
  }

  get hasErrors(): boolean {
    return hasErrors(this.diagnostics);
  }
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((d) => d.severity === "error");
}

/** File by file, as they are first met, and in the order of the text, those without a place last; a reader mends a file from top to bottom. */
export function inTextOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const sources = new Map<Source | undefined, number>();
  for (const { span } of diagnostics) if (span !== undefined && !sources.has(span.source)) sources.set(span.source, sources.size);
  const rank = (d: Diagnostic): number => sources.get(d.span?.source) ?? sources.size;
  return [...diagnostics].sort((a, b) => rank(a) - rank(b) || (a.span?.start ?? 0) - (b.span?.start ?? 0));
}
