// Number literals: where they end, and what they are worth.

import type { Num } from "./ast.ts";
import { isDigit, isNamePart, nameEnd } from "./characters.ts";

const digits = "[0-9](?:_?[0-9])*";
const exponent = `(?:[eE][+-]?${digits})`;
const LITERAL = new RegExp(
  `0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:${digits}\\.(?:${digits})?|\\.${digits})${exponent}?[jJ]?|${digits}${exponent}?[jJ]?`,
  "y",
);

/** Words that may follow a number without a blank: `1if x else 2`. */
const WORDS = new Set(["and", "else", "for", "if", "in", "is", "not", "or"]);

/** `0777` is no number; `0` and `00` are. */
const LEADING_ZERO = /^0[0-9_]*[1-9][0-9_]*$/;

export interface NumberEnd {
  readonly end: number;
  readonly good: boolean;
}

/** The end of the literal that begins at `start`, a digit or the point before one; a bad one is taken as far as it looks like a number. */
export function numberEnd(text: string, start: number): NumberEnd {
  LITERAL.lastIndex = start;
  const end = LITERAL.test(text) ? LITERAL.lastIndex : start + 1;
  if (isNamePart(text, end)) {
    const stop = nameEnd(text, end);
    if (!WORDS.has(text.slice(end, stop))) return { end: badEnd(text, end), good: false };
  }
  return { end, good: !LEADING_ZERO.test(text.slice(start, end)) };
}

/** End of a plain decimal integer, the usual case; -1 if the literal is anything else. */
export function plainIntegerEnd(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  if (text.charCodeAt(at) === 46 || isNamePart(text, at)) return -1;
  return text.charCodeAt(start) === 48 && at > start + 1 ? -1 : at;
}

function badEnd(text: string, from: number): number {
  let at = from;
  while (isNamePart(text, at)) at++;
  return at;
}

const SMALL = Array.from({ length: 1025 }, (_, i) => BigInt(i));

export function numberValue(text: string): Pick<Num, "form" | "value"> {
  const last = text.charCodeAt(text.length - 1) | 32;
  const prefix = text.charCodeAt(1) | 32;
  const based = text.charCodeAt(0) === 48 && (prefix === 120 || prefix === 111 || prefix === 98);
  if (!based && last === 106) return { form: "imaginary", value: Number(plain(text.slice(0, -1))) };
  if (!based && /[.eE]/.test(text)) return { form: "float", value: Number(plain(text)) };
  if (text.length <= 3) {
    const small = SMALL[Number(text)];
    if (small !== undefined) return { form: "int", value: small };
  }
  return { form: "int", value: BigInt(plain(text)) };
}

function plain(text: string): string {
  return text.includes("_") ? text.replaceAll("_", "") : text;
}
