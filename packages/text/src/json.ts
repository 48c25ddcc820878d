// JSON with places: a reader of untrusted text that knows where each value stands, and never throws. Stricter than `JSON.parse` in
// two points: a key may stand once in an object, and nesting is bounded.

import { diagnostic, type Diagnostic, type Outcome } from "./diagnostic.ts";
import { span, type Source } from "./source.ts";

interface Base {
  readonly start: number;
  readonly end: number;
}

export type Json = JsonObject | JsonArray | JsonString | JsonNumber | JsonLiteral;

export interface JsonObject extends Base { readonly kind: "object"; readonly members: ReadonlyMap<string, Json> }
export interface JsonArray extends Base { readonly kind: "array"; readonly items: readonly Json[] }
export interface JsonString extends Base { readonly kind: "string"; readonly value: string }
/** `text` is the number as written: `value` may have lost digits of it. */
export interface JsonNumber extends Base { readonly kind: "number"; readonly value: number; readonly text: string }
export interface JsonLiteral extends Base { readonly kind: "literal"; readonly value: boolean | null }

/** Objects and arrays around one value. */
export const JSON_DEPTH_LIMIT = 64;

/** The value that a text is, or the first fault. */
export function parseJson(source: Source): Outcome<Json | undefined> {
  const reading: Reading = { source, text: source.text, at: 0, depth: 0, fault: undefined };
  const value = readValue(reading);
  skipBlanks(reading);
  if (reading.fault === undefined && reading.at < reading.text.length) failAt(reading, reading.at, "the end of the text");
  return reading.fault === undefined ? { value, diagnostics: [] } : { value: undefined, diagnostics: [reading.fault] };
}

interface Reading {
  readonly source: Source;
  readonly text: string;
  at: number;
  depth: number;
  fault: Diagnostic | undefined;
}

function failAt(r: Reading, at: number, expected: string, found = foundAt(r, at)): undefined {
  r.fault ??= diagnostic("TF1030", span(r.source, at, Math.min(at + 1, r.text.length)), { expected, found });
  return undefined;
}

function foundAt({ text }: Reading, at: number): string {
  const point = text.codePointAt(at);
  return point === undefined ? "the end of the text" : `\`${String.fromCodePoint(point)}\``;
}

const BLANK = /[ \t\r\n]*/y;

function skipBlanks(r: Reading): void {
  BLANK.lastIndex = r.at;
  BLANK.test(r.text);
  r.at = BLANK.lastIndex;
}

/** Whether the character comes next; it is taken. */
function take(r: Reading, character: string): boolean {
  skipBlanks(r);
  if (r.text[r.at] !== character) return false;
  r.at++;
  return true;
}

function readValue(r: Reading): Json | undefined {
  skipBlanks(r);
  switch (r.text[r.at]) {
    case "{": return nested(r, readObject);
    case "[": return nested(r, readArray);
    case '"': return readString(r);
    default: return readNumber(r) ?? readLiteral(r) ?? failAt(r, r.at, "a value");
  }
}

function nested(r: Reading, read: (r: Reading) => Json | undefined): Json | undefined {
  if (r.depth === JSON_DEPTH_LIMIT) {
    r.fault ??= diagnostic("TF1011", span(r.source, r.at, r.at + 1), { limit: JSON_DEPTH_LIMIT }, { help: "no JSON that is read here is nested so deeply" });
    return undefined;
  }
  r.depth++;
  const value = read(r);
  r.depth--;
  return value;
}

function readObject(r: Reading): Json | undefined {
  const start = r.at++;
  const members = new Map<string, Json>();
  if (take(r, "}")) return { kind: "object", members, start, end: r.at };
  for (;;) {
    skipBlanks(r);
    const key = r.text[r.at] === '"' ? readString(r) : failAt(r, r.at, 'a key in `"`');
    if (key === undefined) return undefined;
    if (members.has(key.value)) return failAt(r, key.start, "a key that the object does not have yet", `\`${key.value}\` again`);
    if (!take(r, ":")) return failAt(r, r.at, "`:`");
    const value = readValue(r);
    if (value === undefined) return undefined;
    members.set(key.value, value);
    if (take(r, "}")) return { kind: "object", members, start, end: r.at };
    if (!take(r, ",")) return failAt(r, r.at, "`,` or `}`");
  }
}

function readArray(r: Reading): Json | undefined {
  const start = r.at++;
  const items: Json[] = [];
  if (take(r, "]")) return { kind: "array", items, start, end: r.at };
  for (;;) {
    const value = readValue(r);
    if (value === undefined) return undefined;
    items.push(value);
    if (take(r, "]")) return { kind: "array", items, start, end: r.at };
    if (!take(r, ",")) return failAt(r, r.at, "`,` or `]`");
  }
}

function readString(r: Reading): JsonString | undefined {
  const start = r.at;
  const end = stringEnd(r.text, start + 1);
  if (r.text[end] !== '"') return failAt(r, end, r.text[end] === "\\" ? "an escape that JSON knows" : "a character of the string, or `\"`");
  r.at = end + 1;
  const value = JSON.parse(r.text.slice(start, r.at)) as string; // what has this form is a string to JSON.parse
  return { kind: "string", value, start, end: r.at };
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The closing quote, or what may not stand in a string: a control character, a wrong escape, the end of the text. */
function stringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 34 || c < 32) return at;
    if (c !== 92) continue;
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text)) return at;
    at = ESCAPE.lastIndex - 1;
  }
  return text.length;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;

function readNumber(r: Reading): Json | undefined {
  const start = r.at;
  NUMBER.lastIndex = start;
  if (!NUMBER.test(r.text)) return undefined;
  r.at = NUMBER.lastIndex;
  const text = r.text.slice(start, r.at);
  return { kind: "number", value: Number(text), text, start, end: r.at };
}

const LITERALS = [["true", true], ["false", false], ["null", null]] as const;

function readLiteral(r: Reading): Json | undefined {
  const start = r.at;
  const found = LITERALS.find(([word]) => r.text.startsWith(word, start));
  if (found === undefined) return undefined;
  r.at = start + found[0].length;
  return { kind: "literal", value: found[1], start, end: r.at };
}
