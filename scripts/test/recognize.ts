// Whether rules of EBNF derive a line of tokens, and sentences that they derive: what the law of the grammar page is made of.

import type { LineReading, Production } from "@tilefoundry/grammar/rules";
import type { Rules } from "../pages/ebnf.ts";
import { WORD_CLASSES } from "../pages/language.ts";

type Tokens = LineReading["tokens"];

/** Whether a production derives all of the tokens. Rules do not begin with themselves, so that trying them ends. */
export function derives(rules: Rules, start: Production, tokens: Tokens): boolean {
  const known = new Map<string, ReadonlySet<number>>();
  const ends = (p: Production, at: number): ReadonlySet<number> => {
    switch (p.kind) {
      case "word": return new Set(tokens[at]?.image === p.text && !VALUES.has(tokens[at]?.kind ?? "") ? [at + 1] : []);
      case "token": return new Set(isToken(p.name, tokens[at]) ? [at + 1] : []);
      case "rule": return ofRule(p.name, at);
      case "optional": return new Set([at, ...ends(p.part, at)]);
      case "choice": return new Set(p.parts.flatMap((part) => [...ends(part, at)]));
      case "sequence": return p.parts.reduce<ReadonlySet<number>>((from, part) => new Set([...from].flatMap((i) => [...ends(part, i)])), new Set([at]));
      case "repeat": return ofRepeat(p, at);
    }
  };
  const ofRule = (name: string, at: number): ReadonlySet<number> => {
    const key = `${name} ${at}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const rule = rules.get(name);
    const made = rule === undefined ? new Set<number>() : ends(rule, at);
    known.set(key, made);
    return made;
  };
  const ofRepeat = ({ part, separator, atLeastOne }: Extract<Production, { kind: "repeat" }>, at: number): ReadonlySet<number> => {
    const all = new Set<number>(atLeastOne ? [] : [at]);
    let from: readonly number[] = [...ends(part, at)];
    while (from.length > 0) {
      from.forEach((i) => all.add(i));
      const next = separator === undefined ? from : from.flatMap((i) => [...ends(separator, i)]);
      from = [...new Set(next.flatMap((i) => [...ends(part, i)]))].filter((i) => !all.has(i));
    }
    return all;
  };
  return ends(start, 0).has(tokens.length);
}

const VALUES = new Set(["NAME", "NUMBER", "STRING"]);

function isToken(name: string, token: Tokens[number] | undefined): boolean {
  if (token === undefined) return false;
  return WORD_CLASSES[name]?.includes(token.image) ?? token.kind === name;
}

export interface Choose {
  below(n: number): number;
}

/** What a token that stands for many is written as. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  NAME: ["x", "_y1", "match", "größe"], NUMBER: ["0", "1_000", "0xff", "1.5e-3", ".5", "2j"], STRING: ['"s"', "'t'", 'r"\\d"', 'f"{x}"', '"""u"""'],
  ...WORD_CLASSES,
};

/** A sentence of a production, as words; `NEWLINE`, `INDENT` and `DEDENT` stand for themselves. Ends soon once `fuel` is spent. */
export function sentence(rules: Rules, start: Production, choose: Choose, fuel: { left: number }): readonly string[] {
  const write = (p: Production): readonly string[] => {
    fuel.left--;
    switch (p.kind) {
      case "word": return [p.text];
      case "token": return [pick(EXAMPLES[p.name] ?? [p.name], choose)];
      case "rule": return write(rules.get(p.name) ?? { kind: "word", text: p.name });
      case "optional": return more(fuel, choose) ? write(p.part) : [];
      case "choice": return write(fuel.left > 0 ? pick(p.parts, choose) : shortest(rules, p.parts));
      case "sequence": return p.parts.flatMap(write);
      case "repeat": {
        const words = [...(p.atLeastOne || more(fuel, choose) ? write(p.part) : [])];
        while (words.length > 0 && more(fuel, choose)) words.push(...(p.separator === undefined ? [] : write(p.separator)), ...write(p.part));
        return words;
      }
    }
  };
  return write(start);
}

const pick = <T>(list: readonly T[], choose: Choose): T => list[choose.below(list.length)] as T; // lists are never empty
const more = (fuel: { readonly left: number }, choose: Choose): boolean => fuel.left > 0 && choose.below(2) === 0;

/** The alternative with the fewest words. */
function shortest(rules: Rules, parts: readonly Production[]): Production {
  return parts.reduce((best, part) => (length(rules, part, 12) < length(rules, best, 12) ? part : best));
}

function length(rules: Rules, p: Production, depth: number): number {
  if (depth === 0) return Infinity;
  switch (p.kind) {
    case "word":
    case "token": return 1;
    case "rule": return length(rules, rules.get(p.name) ?? { kind: "sequence", parts: [] }, depth - 1);
    case "optional": return 0;
    case "repeat": return p.atLeastOne ? length(rules, p.part, depth) : 0;
    case "choice": return Math.min(...p.parts.map((part) => length(rules, part, depth)));
    case "sequence": return p.parts.reduce((sum, part) => sum + length(rules, part, depth), 0);
  }
}

/** Words as a text: lines, indented by their blocks. `RAW` is what a `match` holds. */
export function layOut(words: readonly string[]): string {
  let [text, line, depth] = ["", "", 0];
  for (const word of words) {
    if (word === "INDENT") depth++;
    else if (word === "DEDENT") depth--;
    else if (word === "NEWLINE") {
      text += `${"    ".repeat(depth)}${line}\n`;
      line = "";
    } else if (word === "RAW") text += `${"    ".repeat(depth)}case 1: pass\n`;
    else line += line === "" ? word : ` ${word}`;
  }
  return text + line;
}
