// The grammar as data, for the pages that describe it and the laws that hold them to the parser: the rules that Chevrotain has
// recorded, how tokens are spelt, how tightly operators bind, and whether one line of tokens is read.

import { Alternation, type Alternative, NonTerminal, Option, Repetition, RepetitionMandatory, RepetitionMandatoryWithSeparator, RepetitionWithSeparator, Terminal, type Rule, type IProduction } from "chevrotain";
import { makeSource, Reporter } from "@tilefoundry/text";
import type { Comment } from "./ast.ts";
import { BETWEEN, PREFIX } from "./fold.ts";
import { Grammar } from "./grammar.ts";
import { Lexer } from "./lexer.ts";
import { SPELLINGS } from "./operators.ts";
import * as T from "./tokens.ts";

/** A production. `words` are the spellings of one kind of token; a token of many spellings (a name, a number) is named. */
export type Production =
  | { readonly kind: "sequence"; readonly parts: readonly Production[] }
  | { readonly kind: "choice"; readonly parts: readonly Production[] }
  | { readonly kind: "optional"; readonly part: Production }
  | { readonly kind: "repeat"; readonly part: Production; readonly separator: Production | undefined; readonly atLeastOne: boolean }
  | { readonly kind: "rule"; readonly name: string }
  | { readonly kind: "token"; readonly name: string }
  | { readonly kind: "word"; readonly text: string };

let recorded: Grammar | undefined;
const grammar = (): Grammar => (recorded ??= new Grammar({ skipValidations: true }));

/** Every rule of the parser, in its own order, as it is recorded: checks that it makes in code are not in them. */
export function recordedRules(): ReadonlyMap<string, Production> {
  const rules = grammar().getGAstProductions() as Readonly<Record<string, Rule>>; // the types leave open what the record holds
  return new Map(Object.entries(rules).map(([name, { definition }]) => [name, sequence(definition)]));
}

function sequence(parts: readonly IProduction[]): Production {
  const [only, ...rest] = parts.map(production);
  return only !== undefined && rest.length === 0 ? only : { kind: "sequence", parts: parts.map(production) };
}

function production(p: IProduction): Production {
  if (p instanceof NonTerminal) return { kind: "rule", name: p.nonTerminalName };
  if (p instanceof Terminal) return terminal(p.terminalType as T.Kind); // the grammar knows no others
  if (p instanceof Alternation) return { kind: "choice", parts: p.definition.map((each) => sequence((each as Alternative).definition)) }; // an alternation holds these
  if (p instanceof Option) return { kind: "optional", part: sequence(p.definition) };
  if (p instanceof Repetition || p instanceof RepetitionMandatory) {
    return { kind: "repeat", part: sequence(p.definition), separator: undefined, atLeastOne: p instanceof RepetitionMandatory };
  }
  if (p instanceof RepetitionWithSeparator || p instanceof RepetitionMandatoryWithSeparator) {
    const separator = terminal(p.separator as T.Kind); // as above
    return { kind: "repeat", part: sequence(p.definition), separator, atLeastOne: p instanceof RepetitionMandatoryWithSeparator };
  }
  return { kind: "sequence", parts: [] };
}

/** Spellings by kind of token; kinds without any are those whose tokens are all different. */
export const TOKEN_WORDS: ReadonlyMap<T.Kind, readonly string[]> = wordsByKind();

function wordsByKind(): ReadonlyMap<T.Kind, readonly string[]> {
  const words = new Map<T.Kind, string[]>();
  const add = (kind: T.Kind, spelled: readonly string[]): unknown => words.set(kind, [...(words.get(kind) ?? []), ...spelled]);
  for (const [kind, images] of SPELLINGS) add(kind, images.split(" "));
  for (const [word, kind] of T.KEYWORDS) add(kind, [word]);
  add(T.Comparison, ["in", "not in", "is not"]);
  for (const [kind, word] of [[T.CompIf, "if"], [T.Match, "match"], [T.Type, "type"]] as const) add(kind, [word]);
  add(T.Operator, [...BETWEEN.keys()]);
  return words;
}

function terminal(kind: T.Kind): Production {
  const parts = (TOKEN_WORDS.get(kind) ?? []).map((text): Production => ({ kind: "word", text }));
  const [only, ...rest] = parts;
  if (only === undefined) return { kind: "token", name: kind.name.toUpperCase() };
  return rest.length === 0 ? only : { kind: "choice", parts };
}

/** Operators between operands and before one, by how tightly they bind, loosest first. */
export function precedences(): readonly { readonly precedence: number; readonly between: readonly string[]; readonly before: readonly string[] }[] {
  const levels = [...new Set([...BETWEEN.values(), ...PREFIX.values()])].sort((a, b) => a - b);
  const at = (table: ReadonlyMap<string, number>, level: number): readonly string[] => [...table].flatMap(([op, p]) => (p === level ? [op] : []));
  return levels.map((precedence) => ({ precedence, between: at(BETWEEN, precedence), before: at(PREFIX, precedence) }));
}

/** Words that are never names, and words that are names except where a statement begins with them. */
export const HARD_KEYWORDS: readonly string[] = [...T.KEYWORDS.keys()].sort();
export const SOFT_KEYWORDS: readonly string[] = [T.Match, T.Type].flatMap((kind) => TOKEN_WORDS.get(kind) ?? []);
/** Keywords that are values. */
export const CONSTANTS: readonly string[] = [...T.KEYWORDS].flatMap(([word, kind]) => (kind === T.Constant ? [word] : []));

export interface Piece {
  /** The name of a kind of token, or COMMENT. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** Every token and comment of a text, in order. */
export function piecesOf(text: string): readonly Piece[] {
  const lexer = new Lexer(makeSource("text", text), undefined, new Reporter());
  const pieces: Piece[] = [];
  const comment = ({ span: { start, end } }: Comment): unknown => pieces.push({ kind: "COMMENT", start, end });
  for (let line = lexer.next(); line !== undefined; line = lexer.next()) {
    for (const { tokenType, startOffset: start, end } of line.tokens) if (end > start) pieces.push({ kind: tokenType.name.toUpperCase(), start, end });
    [...line.above.comments, ...line.closed.flat(), ...line.inner.map((c) => c.comment), ...(line.trailing ? [line.trailing] : [])].forEach(comment);
  }
  const { closed, trailing } = lexer.end();
  [...closed.flat(), ...trailing].forEach(comment);
  return pieces.sort((a, b) => a.start - b.start);
}

export interface LineReading {
  /** The line by token: its image, and the name of its kind. */
  readonly tokens: readonly { readonly image: string; readonly kind: string }[];
  readonly accepted: boolean;
}

/** The one logical line of a text, and whether the parser reads it; undefined if the lexer finds fault with it, or the text has several. */
export function readLine(text: string): LineReading | undefined {
  const source = makeSource("line", text);
  const reporter = new Reporter();
  const lexer = new Lexer(source, undefined, reporter);
  const line = lexer.next();
  if (line === undefined || lexer.next() !== undefined || reporter.diagnostics.length > 0) return undefined;
  const accepted = grammar().read(source, line).kind !== "fault";
  return { tokens: line.tokens.map((t) => ({ image: t.image, kind: t.tokenType.name.toUpperCase() })), accepted };
}
