// Excerpts of source with marks under places: which lines are shown, and the rows of marks below each.

import { clipLine, showLine, type ShownLine } from "./columns.ts";
import type { Paint, Palette } from "./palette.ts";
import { lineIndex, lineText, type Source } from "./source.ts";

/** A place to mark, as offsets into the source. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  /** What the row is drawn with, and what is said behind it. */
  readonly sign: "^" | "-" | "~" | "+";
  readonly message: string;
  readonly paint: Paint;
}

/** Columns of source in an excerpt; longer lines are cut around the mark. */
const WIDTH = 120;
/** Columns kept before a mark in a line that is cut. */
const BEFORE = 30;
/** Longer lines are laid out around their marks only. */
const LONG = 4096;
/** A place of more lines than this shows its first and last only. */
const WHOLE = 4;

/** Lines that the marks need, in order, by index. */
export function linesOf(source: Source, marks: readonly Mark[]): readonly number[] {
  const lines = new Set<number>();
  for (const mark of marks) {
    const [first, last] = linesOfMark(source, mark);
    for (let line = first; line <= last; line++) {
      if (last - first < WHOLE || line === first || line === last) lines.add(line);
    }
  }
  const sorted = [...lines].sort((a, b) => a - b);
  // A single line between two shown ones is shown rather than left out.
  return sorted.flatMap((line, i) => (sorted[i + 1] === line + 2 ? [line, line + 1] : [line]));
}

/** First and last line of a mark; a place that ends with a line break does not reach the next line. */
export function linesOfMark(source: Source, { start, end }: Mark): readonly [number, number] {
  const first = lineIndex(source, start);
  return [first, end > start ? Math.max(first, lineIndex(source, end - 1)) : first];
}

/** The rows of an excerpt: a margin of line numbers, source lines, marks below them. `...` stands for left-out lines. */
export function excerpt(source: Source, marks: readonly Mark[], margin: number, palette: Palette): readonly string[] {
  const rows: string[] = [];
  let previous: number | undefined;
  for (const line of linesOf(source, marks)) {
    if (previous !== undefined && line > previous + 1) rows.push(palette.frame("..."));
    rows.push(...lineRows(source, line, marks, margin, palette));
    previous = line;
  }
  return rows;
}

function lineRows(source: Source, line: number, marks: readonly Mark[], margin: number, palette: Palette): readonly string[] {
  const text = lineText(source, line);
  const start = source.lineStarts[line] ?? 0;
  const parts = marks.flatMap((mark) => partOnLine(source, mark, line, start, text));
  const number = palette.frame(`${String(source.origin.line + line).padStart(margin)} |`);
  const bar = palette.frame(`${" ".repeat(margin)} |`);
  return viewsOf(text, parts).flatMap(({ shown, from, to, parts: seen }) => [
    `${number} ${clipLine(shown, from, to)}`.trimEnd(),
    ...seen.map((part) => `${bar} ${markRow(part, shown, from, to)}`),
  ]);
}

/** Columns of a line with the marks that begin in them. */
interface View {
  readonly shown: ShownLine;
  readonly from: number;
  readonly to: number;
  readonly parts: readonly Part[];
}

/** A line is shown once, and again for marks that are too far from the first one. */
function viewsOf(text: string, parts: readonly Part[]): readonly View[] {
  const first = parts.reduce((least, p) => Math.min(least, p.start), text.length);
  const begin = parts.length > 0 && first > LONG ? first - LONG / 2 : 0;
  const shown = showLine(text.slice(begin, begin + LONG));
  const moved = parts.map((p) => ({ ...p, start: p.start - begin, end: p.end - begin }));
  const [from, to] = windowOf(shown, parts.length === 0 ? undefined : shown.columnAt(first - begin));
  const seen = moved.map((p) => to === shown.width || p.start === first - begin || shown.columnAt(p.start) < to);
  const later = parts.filter((_, i) => !seen[i]);
  const view: View = { shown, from, to, parts: moved.filter((_, i) => seen[i]) };
  return later.length === 0 ? [view] : [view, ...viewsOf(text, later)];
}

interface Part {
  readonly start: number;
  readonly end: number;
  readonly mark: Mark;
  /** Whether the message stands here: on the last line of the place. */
  readonly last: boolean;
}

/** What a mark covers of a line, without the indentation of a line that it only passes through. */
function partOnLine(source: Source, mark: Mark, line: number, lineStart: number, text: string): readonly Part[] {
  const [first, last] = linesOfMark(source, mark);
  if (line < first || line > last) return [];
  const indentation = text.length - text.trimStart().length;
  const start = line === first ? mark.start - lineStart : indentation;
  const end = Math.min(line === last ? mark.end - lineStart : text.length, Math.max(text.length, start + 1));
  return line > first && line < last && text.trim() === "" ? [] : [{ start, end, mark, last: line === last }];
}

/** Which columns of a line are shown: all that fit, else those around the first mark. */
function windowOf({ width }: ShownLine, firstMark: number | undefined): readonly [number, number] {
  if (width <= WIDTH) return [0, width];
  const from = firstMark === undefined ? 0 : Math.max(0, Math.min(firstMark - BEFORE, width - WIDTH));
  return [from, from + WIDTH];
}

function markRow({ start, end, mark, last }: Part, shown: ShownLine, from: number, to: number): string {
  const left = Math.max(from, shown.columnAt(start));
  const right = Math.min(to, Math.max(left + 1, shown.columnAt(end)));
  const signs = mark.sign.repeat(Math.max(1, right - left));
  const message = last && mark.message !== "" ? ` ${mark.message}` : "";
  return " ".repeat(left - from) + mark.paint(signs + message);
}
