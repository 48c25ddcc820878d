// Source texts and spans. Offsets are UTF-16 code units into `Source.text`; lines and columns count code points from 1.

/** One text that diagnostics may point into: a file, or the text of a template (each hole shown as `${…}`). */
export interface Source {
  readonly name: string;
  readonly text: string;
  /** Where the text begins in `name`: line and column of its first character, 1-based. A file begins at 1:1. */
  readonly origin: Position;
  /** False if columns on the first line and after a hole are relative to the template, because the file could not be read. */
  readonly exactColumns: boolean;
  /** The file that holds the text, where that is known: places in the text are shown there. */
  readonly within: Within | undefined;
  readonly lineStarts: readonly number[];
}

/** A file, and the offset in it of each offset of a text that it holds. */
export interface Within {
  readonly file: Source;
  readonly offsetOf: (offset: number) => number;
}

/** Line and column, counting code points from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A half-open range of a source. */
export interface Span {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

export interface SourceOptions {
  readonly origin?: Position;
  readonly exactColumns?: boolean;
  readonly within?: Within;
}

export function makeSource(name: string, text: string, options: SourceOptions = {}): Source {
  const lineStarts = [0];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 10 || (c === 13 && text.charCodeAt(i + 1) !== 10)) lineStarts.push(i + 1);
  }
  return { name, text, origin: options.origin ?? { line: 1, column: 1 }, exactColumns: options.exactColumns ?? true, within: options.within, lineStarts };
}

export function span(source: Source, start: number, end: number): Span {
  return { source, start, end };
}

/** The place in the file that holds the text, where that is known, else the span itself. */
export function inFile(at: Span): Span {
  const { within } = at.source;
  return within === undefined ? at : { source: within.file, start: within.offsetOf(at.start), end: within.offsetOf(at.end) };
}

/** The smallest span that covers both; they must be of one source, else `a` is kept. */
export function cover(a: Span, b: Span): Span {
  if (a.source !== b.source) return a;
  return { source: a.source, start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** Zero-based index of the line of `text` that holds the offset. */
export function lineIndex(source: Source, offset: number): number {
  const starts = source.lineStarts;
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Text of a line by zero-based index, without its line break. */
export function lineText(source: Source, index: number): string {
  const start = source.lineStarts[index] ?? source.text.length;
  const end = source.lineStarts[index + 1] ?? source.text.length;
  return source.text.slice(start, end).replace(/[\r\n]+$/, "");
}

/** Position of an offset in the file that the source names. */
export function position(source: Source, offset: number): Position {
  const { within } = source;
  if (within !== undefined) return position(within.file, within.offsetOf(offset));
  const index = lineIndex(source, offset);
  // a byte order mark stands in no column
  const start = index === 0 && source.text.charCodeAt(0) === 0xfeff ? 1 : (source.lineStarts[index] ?? 0);
  const column = codePoints(source.text, start, offset) + 1;
  return {
    line: source.origin.line + index,
    column: index === 0 ? source.origin.column + column - 1 : column,
  };
}

/** Number of code points between two offsets. */
export function codePoints(text: string, start: number, end: number): number {
  let count = 0;
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i);
    if (c >= 0xd800 && c < 0xdc00 && i + 1 < end) i++;
    count++;
  }
  return count;
}
