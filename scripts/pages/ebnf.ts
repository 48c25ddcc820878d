// EBNF as data and as text. A rule is written as
//   name = "word" TOKEN rule [ optional ] { repeated } ( a | b )
// and read from that notation where the pages refine what the parser has recorded.

import type { Production } from "@tilefoundry/grammar/rules";

export type Rules = ReadonlyMap<string, Production>;

// — notation → production —

const SYMBOL = /\s*(?:"((?:[^"\\]|\\.)*)"|([A-Za-z]\w*)|([[\]{}()|]))/y;

interface Reading {
  readonly text: string;
  at: number;
}

interface Symbol {
  readonly word?: string;
  readonly name?: string;
  readonly sign?: string;
}

/** The production of a right side. Throws on wrong notation, which is our own. */
export function readNotation(text: string): Production {
  const reading: Reading = { text, at: 0 };
  const production = choice(reading);
  if (text.slice(reading.at).trim() !== "") throw new Error(`EBNF: ${text.slice(reading.at)}`);
  return production;
}

function peek({ text, at }: Reading): (Symbol & { readonly end: number }) | undefined {
  SYMBOL.lastIndex = at;
  const found = SYMBOL.exec(text);
  if (found === null) return undefined;
  const [, word, name, sign] = found;
  const symbol = word !== undefined ? { word } : name !== undefined ? { name } : { sign: sign ?? "" };
  return { ...symbol, end: SYMBOL.lastIndex };
}

function take(r: Reading, sign: string): boolean {
  const next = peek(r);
  if (next?.sign !== sign) return false;
  r.at = next.end;
  return true;
}

function choice(r: Reading): Production {
  const parts = [sequence(r)];
  while (take(r, "|")) parts.push(sequence(r));
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: "choice", parts };
}

function sequence(r: Reading): Production {
  const parts: Production[] = [];
  for (let next = peek(r); next !== undefined && !/^[|\])}]$/.test(next.sign ?? ""); next = peek(r)) parts.push(item(r, next));
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: "sequence", parts };
}

function item(r: Reading, { word, name, sign, end }: NonNullable<ReturnType<typeof peek>>): Production {
  r.at = end;
  if (word !== undefined) return { kind: "word", text: word };
  if (name !== undefined) return /^[A-Z]+$/.test(name) ? { kind: "token", name } : { kind: "rule", name };
  const part = choice(r);
  const closer = sign === "[" ? "]" : sign === "{" ? "}" : ")";
  if (!take(r, closer)) throw new Error(`EBNF: ${closer} is missing before ${r.text.slice(r.at)}`);
  if (sign === "[") return { kind: "optional", part };
  return sign === "{" ? { kind: "repeat", part, separator: undefined, atLeastOne: false } : part;
}

// — production → notation —

/** A production as the right side of a rule. */
export function notation(p: Production): string {
  switch (p.kind) {
    case "word": return JSON.stringify(p.text);
    case "token": return p.name;
    case "rule": return p.name;
    case "optional": return `[ ${notation(p.part)} ]`;
    case "choice": return p.parts.map(notation).join(" | ");
    case "sequence": return p.parts.map(grouped).join(" ");
    case "repeat": return repeated(p);
  }
}

function repeated({ part, separator, atLeastOne }: Extract<Production, { kind: "repeat" }>): string {
  const again = `{ ${separator === undefined ? "" : `${notation(separator)} `}${separator === undefined ? notation(part) : grouped(part)} }`;
  if (!atLeastOne && separator === undefined) return again;
  return atLeastOne ? `${grouped(part)} ${again}` : `[ ${grouped(part)} ${again} ]`;
}

const grouped = (p: Production): string => (p.kind === "choice" ? `( ${notation(p)} )` : notation(p));

/** Names of the rules that a production uses, in order. */
export function rulesIn(p: Production): readonly string[] {
  if (p.kind === "rule") return [p.name];
  if (p.kind === "sequence" || p.kind === "choice") return p.parts.flatMap(rulesIn);
  return p.kind === "optional" || p.kind === "repeat" ? rulesIn(p.part) : [];
}
