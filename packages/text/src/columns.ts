// How a line of source looks in a terminal: tabs and control characters made visible, wide characters counted as two columns.

/** Columns between tab stops in an excerpt. */
const TAB = 4;

/** First and last code points of what takes two columns in a terminal: East Asian wide and fullwidth, emoji. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f], [0x231a, 0x231b], [0x2329, 0x232a], [0x23e9, 0x23ec], [0x2614, 0x2615], [0x26a1, 0x26a1], [0x2705, 0x2705],
  [0x2728, 0x2728], [0x274c, 0x274c], [0x2753, 0x2755], [0x2795, 0x2797], [0x2b50, 0x2b50], [0x2e80, 0x303e], [0x3041, 0x33ff],
  [0x3400, 0x4dbf], [0x4e00, 0x9fff], [0xa000, 0xa4cf], [0xa960, 0xa97f], [0xac00, 0xd7a3], [0xf900, 0xfaff], [0xfe30, 0xfe6f],
  [0xff00, 0xff60], [0xffe0, 0xffe6], [0x1f300, 0x1f64f], [0x1f680, 0x1f6ff], [0x1f7e0, 0x1f7eb], [0x1f900, 0x1f9ff], [0x1fa70, 0x1faff],
  [0x20000, 0x3fffd],
];

const isWide = (c: number): boolean => c >= 0x1100 && WIDE.some(([first, last]) => c >= first && c <= last);

/** Combining marks, joiners and variation selectors stand on the character before them. */
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** One character as it is shown. */
interface Cell {
  readonly text: string;
  readonly width: number;
}

function cellOf(char: string, column: number): Cell {
  const c = char.codePointAt(0) ?? 0;
  if (c === 9) return { text: " ".repeat(TAB - (column % TAB)), width: TAB - (column % TAB) };
  if (c < 0x20) return { text: String.fromCodePoint(0x2400 + c), width: 1 }; // the Unicode pictures of control characters
  if (c < 0x7f) return { text: char, width: 1 };
  if (c < 0xa0 || (c >= 0xd800 && c < 0xe000) || c === 0x2028 || c === 0x2029) return { text: "\ufffd", width: 1 };
  if (ZERO_WIDTH.test(char)) return { text: char, width: 0 };
  return { text: char, width: isWide(c) ? 2 : 1 };
}

/** A line laid out: what is shown, and the column at which each offset begins. */
export interface ShownLine {
  readonly cells: readonly Cell[];
  readonly width: number;
  /** Column of an offset into the line; the end of the line and beyond is `width`. */
  columnAt(offset: number): number;
}

export function showLine(line: string): ShownLine {
  const cells: Cell[] = [];
  const columns: number[] = [];
  let width = 0;
  for (const char of line) {
    const cell = cellOf(char, width);
    for (let i = 0; i < char.length; i++) columns.push(width);
    cells.push(cell);
    width += cell.width;
  }
  return { cells, width, columnAt: (offset) => columns[offset] ?? width };
}

/** The part of a line between two columns, with `…` where something is cut off. */
export function clipLine({ cells, width }: ShownLine, from: number, to: number): string {
  // The marks take one column at either end.
  const first = from > 0 ? from + 1 : 0;
  const last = to < width ? to - 1 : to;
  let text = from > 0 ? "…" : "";
  let column = 0;
  for (const cell of cells) {
    const end = column + cell.width;
    if (column >= first && end <= last) text += cell.text;
    else if (column < first && end > first) text += " ".repeat(end - first); // the right half of what is cut through
    column = end;
  }
  return to < width ? `${text}…` : text;
}
