// Diagnostics as text: heading, place, excerpt with marks, related places, help and fixes. Colours come in as a palette.

import { inFile, lineIndex, lineText, makeSource, position, type Source, type Span } from "./source.ts";
import type { Diagnostic, Edit, Fix } from "./diagnostic.ts";
import type { Severity } from "./codes.ts";
import { excerpt, linesOf, linesOfMark, type Mark } from "./excerpt.ts";
import { PLAIN, type Paint, type Palette } from "./palette.ts";

/** Places of one source further apart than this are shown apart. */
const NEAR = 8;

export function renderDiagnostics(diagnostics: readonly Diagnostic[], palette: Palette = PLAIN): string {
  return diagnostics.map((d) => renderDiagnostic(d, palette)).join("\n\n");
}

export function renderDiagnostic(found: Diagnostic, palette: Palette = PLAIN): string {
  const d = inItsFiles(found);
  const excerpts = excerptsOf(d, palette);
  const margin = marginOf(d, excerpts);
  const gap = " ".repeat(margin + 1);
  const rows = [`${palette[d.severity](`${d.severity}[${d.code}]`)}${palette.title(`: ${d.message}`)}`];
  for (const [i, { source, marks }] of excerpts.entries()) {
    const arrow = i === 0 ? `${" ".repeat(margin)}-->` : `${" ".repeat(margin)}:::`;
    rows.push(`${palette.frame(arrow)} ${placeText(source, firstOf(marks))}`);
    rows.push(palette.frame(`${gap}|`), ...excerpt(source, marks, margin, palette));
  }
  if (excerpts.length > 0 && d.fixes.length + d.help.length > 0) rows.push(palette.frame(`${gap}|`));
  if (d.help !== "") rows.push(...note("help", d.help, gap, palette));
  for (const fix of d.fixes) rows.push(...renderFix(fix, margin, palette));
  return rows.join("\n");
}

/** With every place in the file that holds its text. */
function inItsFiles(d: Diagnostic): Diagnostic {
  const related = d.related.map((r) => ({ ...r, span: inFile(r.span) }));
  const fixes = d.fixes.map((f) => ({ ...f, edits: f.edits.map((e) => ({ ...e, span: inFile(e.span) })) }));
  return { ...d, span: d.span && inFile(d.span), related, fixes };
}

/** `2 errors, 1 warning`. */
export function summary(diagnostics: readonly Diagnostic[]): string {
  const counts = (["error", "warning", "note"] as const).flatMap((severity) => {
    const count = diagnostics.filter((d) => d.severity === severity).length;
    return count === 0 ? [] : [plural(count, severity)];
  });
  return counts.length === 0 ? "no errors" : counts.join(", ");
}

const plural = (count: number, what: Severity): string => `${count} ${what}${count === 1 ? "" : "s"}`;

// — places —

interface Excerpt {
  readonly source: Source;
  readonly marks: readonly Mark[];
}

/** The place itself first with what is near it, then further places, each in one excerpt with its neighbours. */
function excerptsOf(d: Diagnostic, palette: Palette): readonly Excerpt[] {
  const groups: { readonly source: Source; readonly marks: Mark[] }[] = [];
  const put = (span: Span, mark: Omit<Mark, "start" | "end">): void => {
    const placed: Mark = { ...mark, start: span.start, end: span.end };
    const group = groups.find((g) => g.source === span.source && g.marks.some((m) => isNear(span.source, m, placed)));
    if (group === undefined) groups.push({ source: span.source, marks: [placed] });
    else group.marks.push(placed);
  };
  if (d.span !== undefined) put(d.span, { sign: "^", message: "", paint: palette[d.severity] });
  for (const { span, message } of d.related) put(span, { sign: "-", message, paint: palette.related });
  return groups.map((g) => ({ source: g.source, marks: [...g.marks].sort((a, b) => a.start - b.start) }));
}

function isNear(source: Source, a: Mark, b: Mark): boolean {
  const [firstA, lastA] = linesOfMark(source, a);
  const [firstB, lastB] = linesOfMark(source, b);
  return firstB - lastA <= NEAR && firstA - lastB <= NEAR;
}

/** Where the excerpt's arrow points: the place itself, else the first related one. */
function firstOf(marks: readonly Mark[]): number {
  return (marks.find((m) => m.sign === "^") ?? marks[0])?.start ?? 0;
}

function placeText(source: Source, offset: number): string {
  const { line, column } = position(source, offset);
  const relative = isExact(source, offset) ? "" : " (column in the template)";
  return `${source.name}:${line}:${column}${relative}`;
}

/** Without the file's text, columns are relative on the first line of a template and after a hole. */
function isExact(source: Source, offset: number): boolean {
  if (source.exactColumns) return true;
  const index = lineIndex(source, offset);
  const before = source.text.slice(source.lineStarts[index] ?? 0, offset);
  return index > 0 && !before.includes("${");
}

/** Width of the largest line number that is shown. */
function marginOf(d: Diagnostic, excerpts: readonly Excerpt[]): number {
  const numbers = excerpts.flatMap(({ source, marks }) => linesOf(source, marks).map((line) => source.origin.line + line));
  const fixed = d.fixes.flatMap((fix) => fix.edits.map((e) => position(e.span.source, e.span.end).line));
  return Math.max(1, ...[...numbers, ...fixed].map((n) => String(n).length));
}

// — help and fixes —

function note(word: string, text: string, gap: string, palette: Palette): readonly string[] {
  const head = `${gap}${palette.frame("=")} ${palette.help(`${word}:`)} `;
  const [first = "", ...rest] = text.split("\n");
  return [head + first, ...rest.map((l) => `${gap}${" ".repeat(word.length + 4)}${l}`)];
}

/** A fix by its title and the lines it leaves, with what it writes marked. */
function renderFix(fix: Fix, margin: number, palette: Palette): readonly string[] {
  const gap = " ".repeat(margin + 1);
  const rows = [...note("fix", fix.title, gap, palette)];
  for (const edits of editsByLine(fix)) {
    const mended = mend(edits, palette.inserted);
    if (mended !== undefined) rows.push(palette.frame(`${gap}|`), ...excerpt(mended.source, mended.marks, margin, palette));
  }
  return rows;
}

/** Edits in order, those that touch a common line together. */
function editsByLine(fix: Fix): readonly (readonly Edit[])[] {
  const groups: Edit[][] = [];
  for (const edit of [...fix.edits].sort((a, b) => a.span.start - b.span.start)) {
    const last = groups.at(-1)?.at(-1);
    const joins = last !== undefined && last.span.source === edit.span.source && lineIndex(edit.span.source, last.span.end) >= lineIndex(edit.span.source, edit.span.start);
    if (joins) groups.at(-1)?.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

/** The touched lines after the edits, as a source of their own that begins at the line where they stand. */
function mend(edits: readonly Edit[], paint: Paint): Excerpt | undefined {
  const [first] = edits;
  const last = edits.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const { source } = first.span;
  const start = source.lineStarts[lineIndex(source, first.span.start)] ?? 0;
  let text = "";
  let at = start;
  const marks: Mark[] = [];
  for (const { span, text: written } of edits) {
    text += source.text.slice(at, span.start);
    const sign = span.end > span.start ? "~" : "+";
    marks.push({ start: text.length, end: text.length + written.trimEnd().length, sign, message: "", paint });
    text += written;
    at = span.end;
  }
  text += source.text.slice(at, lineEnd(source, last.span.end));
  return { source: makeSource(source.name, text, { origin: { line: position(source, start).line, column: 1 } }), marks };
}

function lineEnd(source: Source, offset: number): number {
  const line = lineIndex(source, offset);
  return (source.lineStarts[line] ?? 0) + lineText(source, line).length;
}
