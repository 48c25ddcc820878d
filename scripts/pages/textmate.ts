// grammar/tilefoundry.tmLanguage.json: colours for editors. Its words are those of the lexer, the frontend and the op records.

import { LOOP_WORDS, DTYPE_SPELLINGS, NAMESPACES, PRIM_NAMES, SPACE_WORDS, TYPE_WORDS } from "@tilefoundry/frontend/words";
import { CONSTANTS, HARD_KEYWORDS, SOFT_KEYWORDS, TOKEN_WORDS } from "@tilefoundry/grammar/rules";
import { builtinOps } from "@tilefoundry/ops";

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const NAME = "[^\\W\\d]\\w*";

/** One of the words, the longest first, so that `<<=` is not read as `<`. */
const anyOf = (words: Iterable<string>): string => [...new Set(words)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).map(escaped).join("|");

/** Words as whole names. Names and attributes are read whole, so that none begins within another. */
const wholeWords = (words: Iterable<string>): string => `(?:${anyOf(words)})(?!\\w)`;

const LOGIC = ["and", "or", "not", "in", "is"];
const DECLARING = ["def", "class", "lambda", "global", "nonlocal", "async"];

const kindWords = (...kinds: readonly string[]): readonly string[] => [...TOKEN_WORDS].flatMap(([kind, words]) => (kinds.includes(kind.name) ? words : []));

/** Members of `pl` and `tf` that are ops, and what else is called after them. */
const OPS = ["pl", "tf"].flatMap((namespace) => builtinOps.spellings(namespace === "pl" ? "pl" : "tf"));

const capture = (name: string): object => ({ name: `${name}.tilefoundry` });

interface Pattern {
  readonly name?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly captures?: Readonly<Record<string, object>>;
  readonly beginCaptures?: Readonly<Record<string, object>>;
  readonly patterns?: readonly Pattern[];
  readonly include?: string;
}

const matching = (name: string, match: string): Pattern => ({ name: `${name}.tilefoundry`, match });

const PREFIX = "(?i:[rbuf]|br|rb|fr|rf)?";
const ESCAPES: readonly Pattern[] = [matching("constant.character.escape", "\\\\(?:[0-7]{1,3}|x\\h{2}|u\\h{4}|U\\h{8}|.|$)")];

/** A string of one line ends with it, if it is never closed. */
function stringPatterns(): readonly Pattern[] {
  return ['"""', "'''", '"', "'"].map((quote) => ({
    name: `string.quoted.${quote.length === 3 ? "triple" : quote === '"' ? "double" : "single"}.tilefoundry`,
    begin: `${PREFIX}${quote}`,
    end: quote.length === 3 ? quote : `${quote}|(?<!\\\\)$`,
    patterns: ESCAPES,
  }));
}

const NUMBER = "0[xX](?:_?\\h)+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\\d(?:_?\\d)*\\.(?:\\d(?:_?\\d)*)?|\\.\\d(?:_?\\d)*)(?:[eE][+-]?\\d(?:_?\\d)*)?[jJ]?|\\d(?:_?\\d)*(?:[eE][+-]?\\d(?:_?\\d)*)?[jJ]?";

function repository(): Readonly<Record<string, { readonly patterns: readonly Pattern[] }>> {
  const control = HARD_KEYWORDS.filter((w) => !CONSTANTS.includes(w) && !LOGIC.includes(w) && !DECLARING.includes(w));
  const members = `(${anyOf(NAMESPACES)})(\\.)`;
  const member = (name: string, words: Iterable<string>): Pattern => ({
    match: `${members}(${anyOf(words)})(?![\\w.])`,
    captures: { 1: capture("support.module"), 2: capture("punctuation.accessor"), 3: capture(name) },
  });
  const all: Readonly<Record<string, readonly Pattern[]>> = {
    comment: [matching("comment.line.number-sign", "#.*$")],
    string: stringPatterns(),
    number: [matching("constant.numeric", `(?:${NUMBER})(?!\\w)|(?:${NUMBER})(?=and|else|for|if|in|is|not|or)`)],
    attribute: [{ match: `(\\.)\\s*((?!${wholeWords(HARD_KEYWORDS)})${NAME})`, captures: { 1: capture("punctuation.accessor"), 2: capture("variable.other.member") } }],
    name: [{ match: NAME }],
    decorator: [{ match: `^\\s*(@)\\s*((?!${wholeWords(HARD_KEYWORDS)})${NAME}(?:\\.${NAME})*)?`, captures: { 1: capture("punctuation.definition.decorator"), 2: capture("entity.name.function.decorator") } }],
    definition: [
      { match: "(def)\\s+(\\w+)", captures: { 1: capture("storage.type.function"), 2: capture("entity.name.function") } },
      { match: "(class)\\s+(\\w+)", captures: { 1: capture("storage.type.class"), 2: capture("entity.name.type.class") } },
    ],
    member: [
      member("support.type.dtype", DTYPE_SPELLINGS),
      member("support.class.type", [...TYPE_WORDS, "Out", "InOut"]),
      member("keyword.control.loop", [...Object.values(LOOP_WORDS), "nest", "while_", "cond", "yield_"]),
      member("support.function.op", [...OPS, ...PRIM_NAMES]),
      { match: `(pl)(\\.)(Mem)(\\.)(${anyOf(SPACE_WORDS)})(?!\\w)`, captures: { 1: capture("support.module"), 2: capture("punctuation.accessor"), 3: capture("support.class"), 4: capture("punctuation.accessor"), 5: capture("constant.other.space") } },
      { match: `${members}(${NAME})`, captures: { 1: capture("support.module"), 2: capture("punctuation.accessor"), 3: capture("variable.other.member") } },
    ],
    soft: [
      { match: `^\\s*(match)(?=\\s+[^=:,.\\s].*:\\s*(?:#.*)?$|\\s*[(\\[{'"].*:\\s*(?:#.*)?$)`, captures: { 1: capture("keyword.control") } },
      { match: "^\\s*(type)(?=\\s+(?!(?:in|is|and|or|not|if|else|for)\\b)[^\\W\\d]\\w*)", captures: { 1: capture("storage.type") } },
    ],
    constant: [matching("constant.language", wholeWords(CONSTANTS)), matching("constant.language.ellipsis", "\\.\\.\\.")],
    word: [matching("keyword.operator.word", wholeWords(LOGIC)), matching("storage.type", wholeWords(DECLARING)), matching("keyword.control", wholeWords(control))],
    type: [matching("support.class.type", `(?:${anyOf([...TYPE_WORDS, "Out", "InOut"])})(?=\\s*\\[)`)],
    operator: [
      matching("keyword.operator.assignment", `${anyOf(kindWords("AugAssign"))}|:=`),
      matching("keyword.operator", anyOf([...kindWords("Arrow", "Tilde", "Operator")].filter((op) => !/\w/.test(op)))),
      matching("keyword.operator.assignment", "="),
    ],
    argument: [{ match: `(?<=[(,])\\s*(${NAME})\\s*(?==[^=])`, captures: { 1: capture("variable.parameter") } }],
  };
  return Object.fromEntries(Object.entries(all).map(([name, patterns]) => [name, { patterns }]));
}

/** Patterns in the order in which they are tried where several begin at one place. */
const ORDER = ["comment", "string", "decorator", "definition", "soft", "argument", "member", "constant", "number", "attribute", "word", "type", "name", "operator"];

export function textMateGrammar(): string {
  const grammar = {
    $schema: "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
    name: "TileFoundry",
    scopeName: "source.tilefoundry",
    fileTypes: ["tf"],
    comment: `Made by npm run pages from the tables of the lexer, the frontend and the ops. Soft keywords: ${SOFT_KEYWORDS.join(", ")}.`,
    patterns: ORDER.map((name) => ({ include: `#${name}` })),
    repository: repository(),
  };
  return `${JSON.stringify(grammar, null, 2)}\n`;
}
