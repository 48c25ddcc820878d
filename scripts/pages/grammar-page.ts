// grammar/GRAMMAR.md: the language as EBNF, with its words, tokens and operators.

import { CONSTANTS, HARD_KEYWORDS, precedences, SOFT_KEYWORDS, type Production } from "@tilefoundry/grammar/rules";
import { BRACKET_LIMIT, HEIGHT_LIMIT, NESTING_LIMIT } from "@tilefoundry/grammar";
import { notation } from "./ebnf.ts";
import { isRecorded, languageRules, WORD_CLASSES } from "./language.ts";

const code = (text: string): string => `\`${text}\``;
const words = (list: readonly string[]): string => list.map(code).join(" ");
/** In a table, where a bar ends a cell. */
const cell = (list: readonly string[]): string => words(list).replaceAll("|", "\\|");

/** Longest line of a rule; a longer choice stands on a line for each alternative. */
const WIDTH = 110;

function ruleText(name: string, rule: Production): string {
  const line = `${name} = ${notation(rule)}`;
  if (line.length <= WIDTH || rule.kind !== "choice") return line;
  return `${name} =\n${rule.parts.map((part, i) => `  ${i === 0 ? " " : "|"} ${notation(part)}`).join("\n")}`;
}

function operatorRows(): string {
  return precedences()
    .map(({ between, before }, i) => `| ${i + 1} | ${cell(between)} | ${cell(before)} |`)
    .join("\n");
}

export function grammarPage(): string {
  const rules = languageRules();
  const recorded = [...rules.keys()].filter(isRecorded);
  return `# Grammar

The kernel language is written like Python. This page is made from the parser by \`npm run pages\`; a test reads thousands of sentences of these
rules, and damaged ones, and holds that the parser accepts what the rules derive, and nothing else. What the rules admit and the language does not
have (\`try\`, \`lambda\`, \`yield\`, …) is read so that it can be refused by name. [railroad.html](railroad.html) draws the same rules.

\`[ a ]\` is an option, \`{ a }\` any number of repetitions, \`|\` a choice; words stand in quotes, tokens in capitals.

## Rules

\`\`\`ebnf
${[...rules].map(([name, rule]) => ruleText(name, rule)).join("\n")}
\`\`\`

These are as the parser has recorded them: ${words(recorded)}.
The others say what it accepts after the checks that it makes in code, and
how lines make blocks. How far a \`yield\` reaches among commas is left open.

## Operators

An \`operation\` is a row of operands and operators; this table gives it its shape, the loosest first. Comparisons chain, \`**\` binds to the right, all
others to the left.

| level | between operands | before one |
|--:|---|---|
${operatorRows()}

## Tokens

| token | is |
|---|---|
| \`NAME\` | a letter or \`_\`, then letters, digits and \`_\`, by Unicode's identifier rules; not a keyword |
| \`NUMBER\` | decimal, \`0x\`, \`0o\`, \`0b\`, with \`_\` between digits; floats with a point or an exponent; \`j\` is read and refused |
| \`STRING\` | \`'…'\`, \`"…"\`, or three of either quote over several lines; prefixes \`r b u f br rb fr rf\` in any case |
| \`HOLE\` | \`\${…}\` of a template; nothing in a file |
| \`AUGASSIGN\` | ${cell(WORD_CLASSES["AUGASSIGN"] ?? [])} |
| \`OPERATOR\` | ${cell(WORD_CLASSES["OPERATOR"] ?? [])} |
| \`NEWLINE\` | the end of a line outside brackets and not behind \`\\\`; blank lines and comments make none |
| \`INDENT\`, \`DEDENT\` | the beginning and the end of a block: a line that is indented more than the one above it, and the first that is less again |
| \`RAW\` | the lines of a block as they are |

A comment runs from \`#\` to the end of its line. Tabs go to the next multiple of eight columns.

## Words

Keywords: ${words(HARD_KEYWORDS)}. Of these ${words(CONSTANTS)} are values.

Words only where a line begins with a statement of theirs, and names elsewhere: ${words(SOFT_KEYWORDS)}. \`match\` begins one where its line ends in
\`:\`, \`type\` where a name follows.

## Limits

At most ${BRACKET_LIMIT} brackets around one place, ${NESTING_LIMIT} blocks and brackets around one, and ${HEIGHT_LIMIT} levels in one expression.
`;
}
