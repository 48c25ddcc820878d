// What the command prints: diagnostics as text on standard error, or one JSON document on standard output.

import { Chalk } from "chalk";
import { PLAIN, position, renderDiagnostics, summary, type Diagnostic, type Palette, type Span } from "@tilefoundry/text";

/** Colours on a terminal only; `NO_COLOR` and `FORCE_COLOR` are respected. */
export function paletteFor(stream: { readonly isTTY?: boolean }): Palette {
  const forced = process.env["FORCE_COLOR"] !== undefined && process.env["FORCE_COLOR"] !== "0";
  if (process.env["NO_COLOR"] !== undefined || (!stream.isTTY && !forced)) return PLAIN;
  const c = new Chalk({ level: 1 });
  return { ...PLAIN, error: c.red.bold, warning: c.yellow.bold, note: c.cyan.bold, title: c.bold, frame: c.blue, related: c.blue, help: c.green, inserted: c.green };
}

export function printDiagnostics(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  const palette = paletteFor(process.stderr);
  process.stderr.write(`${renderDiagnostics(diagnostics, palette)}\n\n${summary(diagnostics)}\n`);
}

/** Diagnostics of several files, and one line over all. */
export function printSummary(files: number, diagnostics: readonly Diagnostic[]): void {
  const shown = diagnostics.length === 0 ? "" : `${renderDiagnostics(diagnostics, paletteFor(process.stderr))}\n\n`;
  process.stderr.write(`${shown}${files} files, ${summary(diagnostics)}\n`);
}

/** `parts` are members that are JSON text already: they keep their own lines. */
export function printJson(document: object, parts: Readonly<Record<string, string>> = {}): void {
  const text = JSON.stringify(document, (_key, value: unknown) => (typeof value === "bigint" ? Number(value) : value), 2);
  const members = Object.entries(parts).map(([name, part]) => `,\n  "${name}": ${part.trim().replaceAll("\n", "\n  ")}`);
  process.stdout.write(`${members.length === 0 ? text : `${text.slice(0, -2)}${members.join("")}\n}`}\n`);
}

/** A diagnostic as `--json` shows it: lines and columns in code points from 1. */
export function diagnosticJson(d: Diagnostic): object {
  return {
    code: d.code,
    severity: d.severity,
    message: d.message,
    ...place(d.span),
    related: d.related.map((r) => ({ message: r.message, ...place(r.span) })),
    help: d.help,
    fixes: d.fixes.map((f) => ({ title: f.title, edits: f.edits.map((e) => ({ ...range(e.span), text: e.text })) })),
  };
}

function place(span: Span | undefined): object {
  return span === undefined ? {} : { file: span.source.name, ...range(span) };
}

function range(span: Span): object {
  const start = position(span.source, span.start);
  const end = position(span.source, span.end);
  return { line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}
