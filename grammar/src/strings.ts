// String literals: where they end, and what they stand for.

import { afterBreak, BACKSLASH, CLOSE_CURLY, CR, DOUBLE_QUOTE, LF, OPEN_CURLY, QUOTE } from "./characters.ts";

const PREFIX = /^(?:[rbuf]|br|rb|fr|rf)$/i;

export function isStringPrefix(word: string): boolean {
  return word.length <= 2 && PREFIX.test(word);
}

export interface StringEnd {
  readonly end: number;
  readonly closed: boolean;
}

/**
 * The end of the literal whose quote stands at `at`; one that is never closed ends with its line or, if triple, with the text.
 * With `fields`, replacement fields of a single-quoted f-string may hold the quote itself, as Python 3.12 allows.
 */
export function stringEnd(text: string, at: number, fields: boolean): StringEnd {
  const quote = text.charAt(at);
  const closing = quote.repeat(3);
  return text.startsWith(closing, at) ? tripleEnd(text, at + 3, closing) : lineStringEnd(text, at, fields);
}

function tripleEnd(text: string, from: number, closing: string): StringEnd {
  const q = closing.charCodeAt(0);
  let i = from;
  while (i < text.length) {
    const c = text.charCodeAt(i);
    if (c === q && text.startsWith(closing, i)) return { end: i + 3, closed: true };
    i = c === BACKSLASH ? afterBreak(text, i + 1) : i + 1;
  }
  return { end: text.length, closed: false };
}

function lineStringEnd(text: string, at: number, fields: boolean): StringEnd {
  const quote = text.charCodeAt(at);
  let i = at + 1;
  while (i < text.length) {
    const c = text.charCodeAt(i);
    if (c === quote) return { end: i + 1, closed: true };
    if (c === LF || c === CR) break;
    if (c === BACKSLASH) i = afterBreak(text, i + 1);
    else if (!fields || c !== OPEN_CURLY) i++;
    else if (text.charCodeAt(i + 1) === OPEN_CURLY) i += 2;
    else {
      const next = fieldEnd(text, i + 1);
      if (next < 0) return { end: i, closed: false };
      i = next;
    }
  }
  return { end: Math.min(i, text.length), closed: false };
}

/** The offset after the `}` that ends a replacement field on its line, or -1. */
function fieldEnd(text: string, from: number): number {
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === LF || c === CR) return -1;
    if (c === OPEN_CURLY) depth++;
    else if (c === CLOSE_CURLY && --depth === 0) return i + 1;
    else if (c === DOUBLE_QUOTE || c === QUOTE) {
      const inner = lineStringEnd(text, i, false);
      if (!inner.closed) return -1;
      i = inner.end - 1;
    }
  }
  return -1;
}

/** What a literal stands for: undefined for bytes, for an f-string with replacement fields, for `\\N{…}`, whose names we do not carry. */
export function stringValue(literal: string, prefix: string): string | undefined {
  const marks = prefix.toLowerCase();
  if (marks.includes("b")) return undefined;
  const body = literal.slice(prefix.length);
  const size = body.length >= 6 && body.startsWith(body.charAt(0).repeat(3)) ? 3 : 1;
  let content = body.slice(size, -size);
  if (content.includes("\r")) content = content.replace(/\r\n?/g, "\n");
  if (marks.includes("f")) {
    if (/[{}]/.test(content.replace(/\{\{|\}\}/g, ""))) return undefined;
    content = content.replace(/\{\{/g, "{").replace(/\}\}/g, "}");
  }
  if (marks.includes("r") || !content.includes("\\")) return content;
  return NAMED.test(content) ? undefined : unescaped(content);
}

const SIMPLE: Readonly<Record<string, string>> = {
  "\n": "", "\\": "\\", "'": "'", '"': '"', a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v",
};

const ESCAPE = /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([^]))/g;

const NAMED = /(?:^|[^\\])(?:\\\\)*\\N\{/;

/** Escapes that Python does not know stay as they are written. */
function unescaped(content: string): string {
  return content.replace(ESCAPE, (whole, octal?: string, x?: string, u?: string, U?: string, other?: string) => {
    if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8));
    const hex = x ?? u ?? U;
    if (hex !== undefined) {
      const point = parseInt(hex, 16);
      return point > 0x10ffff ? whole : String.fromCodePoint(point);
    }
    return SIMPLE[other ?? ""] ?? whole;
  });
}
