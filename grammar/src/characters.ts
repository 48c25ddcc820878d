// Classes of characters: a table for ASCII, Unicode's identifier properties beyond.

export const LF = 10;
export const CR = 13;
export const HASH = 35;
export const DOLLAR = 36;
export const DOUBLE_QUOTE = 34;
export const QUOTE = 39;
export const DOT = 46;
export const BACKSLASH = 92;
export const OPEN_CURLY = 123;
export const CLOSE_CURLY = 125;

/** Values of `CLASS`. */
export const OTHER = 0;
export const LETTER = 1;
export const DIGIT = 2;
export const QUOTES = 3;
export const BLANK = 4;

/** By ASCII code: letters and `_`, digits, quotes, blanks (no line breaks), the rest. */
export const CLASS = new Uint8Array(128);
for (let c = 65; c <= 90; c++) CLASS[c] = CLASS[c + 32] = LETTER;
for (let c = 48; c <= 57; c++) CLASS[c] = DIGIT;
CLASS[95] = LETTER;
CLASS[DOUBLE_QUOTE] = CLASS[QUOTE] = QUOTES;
CLASS[32] = CLASS[9] = CLASS[12] = BLANK;

const NAME_START = /\p{ID_Start}/u;
const NAME_PART = /\p{ID_Continue}/u;

/** The end of the name that begins at `start`, or `start` if none does. */
export function nameEnd(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c >= 128) return wideNameEnd(text, start, at);
    const k = CLASS[c];
    if (k !== LETTER && (k !== DIGIT || at === start)) break;
  }
  return at;
}

function wideNameEnd(text: string, start: number, from: number): number {
  let at = from;
  while (at < text.length) {
    const point = text.codePointAt(at) ?? 0;
    if (!(at === start ? NAME_START : NAME_PART).test(String.fromCodePoint(point))) break;
    at += point > 0xffff ? 2 : 1;
  }
  return at;
}

export function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}

/** Whether a name may go on with the character at `at`. */
export function isNamePart(text: string, at: number): boolean {
  const c = text.charCodeAt(at);
  if (c < 128) return CLASS[c] === LETTER || CLASS[c] === DIGIT;
  return at < text.length && NAME_PART.test(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

/** The offset after the line break at `at`: `\n`, `\r\n` or `\r`. */
export function afterBreak(text: string, at: number): number {
  return text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
}

export function lineEnd(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === LF || c === CR) break;
  }
  return at;
}

/** A character as messages show it. */
export function shown(text: string, at: number): string {
  const point = text.codePointAt(at) ?? 0;
  const character = String.fromCodePoint(point);
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? `\`${character}\`` : `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}
