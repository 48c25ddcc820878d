// The rules of the whole language. Those of the parser stand as it has recorded them, where it checks nothing else in code; the others
// are refined here to what it accepts. The law of the pages compares both with the parser, word for word, so none can go stale.

import { recordedRules, TOKEN_WORDS, type Production } from "@tilefoundry/grammar/rules";
import { readNotation, rulesIn, type Rules } from "./ebnf.ts";

/** Rules of blocks: the parser reads lines, and `outline.ts` puts them together. */
const BLOCKS: Readonly<Record<string, string>> = {
  text: "{ statement }",
  statement: "simpleLine | ifStatement | whileStatement | forStatement | tryStatement | withStatement | definition | matchStatement",
  simpleLine: '( simple | typeStatement ) { ";" simple } [ ";" ] NEWLINE',
  block: "simples NEWLINE | NEWLINE INDENT statement { statement } DEDENT",
  ifStatement: '"if" expression ":" block { "elif" expression ":" block } [ "else" ":" block ]',
  whileStatement: '"while" expression ":" block [ "else" ":" block ]',
  forStatement: '[ "async" ] forHeader ":" block [ "else" ":" block ]',
  tryStatement: '"try" ":" block [ exceptHeader ":" block { exceptHeader ":" block } [ "else" ":" block ] ] [ "finally" ":" block ]',
  withStatement: '[ "async" ] withHeader ":" block',
  definition: '{ decorator } ( [ "async" ] defHeader | classHeader ) ":" block',
  decorator: '"@" expression NEWLINE',
  matchStatement: '"match" subject ":" NEWLINE INDENT RAW DEDENT',
};

/** Rules of one line whose recording says more, or less, than the parser accepts. */
const REFINED: Readonly<Record<string, string>> = {
  simples: 'simple { ";" simple } [ ";" ]',
  simple: 'expressionStatement | assignment | "return" [ items ] | "pass" | "break" | "continue" | importStatement | fromStatement | delStatement | assertStatement | raiseStatement | globalStatement',
  expressionStatement: "items",
  assignment: 'targets "=" { targets "=" } items | target AUGASSIGN items | target ":" expression [ "=" items ]',
  targets: 'anyTarget { "," anyTarget } [ "," ]',
  anyTarget: '[ "*" ] plainTarget',
  plainTarget: 'reference | "(" [ targets ] ")" | "[" [ targets ] "]"',
  target: 'reference | "(" anyTarget ")" | "*" plainTarget',
  reference: 'NAME | atom { postfix } ( "." NAME | subscript )',
  items: 'item { "," item } [ "," ]',
  item: '[ "*" ] expression',
  fromStatement: '"from" ( { "." | "..." } dottedName | ( "." | "..." ) { "." | "..." } ) "import" ( "*" | "(" importNames [ "," ] ")" | importNames )',
  delStatement: '"del" targets',
  forHeader: '"for" targets "in" items',
  withHeader: '"with" ( withItem { "," withItem } | "(" value [ "as" plainTarget ] { "," withItem } [ "," ] ")" )',
  withItem: 'expression [ "as" plainTarget ]',
  exceptHeader: '"except" [ "*" ] ( [ items ] | [ item { "," item } ] "as" NAME )',
  params: '[ param { "," param } [ "," ] ]',
  param: 'paramName [ ":" annotation ] [ "=" expression ]',
  expression: "yieldExpression | value",
  value: 'lambda | NAME ":=" expression | operation [ "if" operation "else" expression ]',
  yieldExpression: '"yield" ( [ item { "," item } ] | "from" item { "," item } )',
  lambda: '"lambda" [ lambdaParam { "," lambdaParam } [ "," ] ] ":" expression',
  lambdaParam: 'paramName [ "=" expression ]',
  paramName: 'NAME | "*" [ NAME ] | "**" NAME | "/"',
  operation: 'negation { ( "and" | "or" ) negation }',
  negation: '{ "not" } operand { OPERATOR operand }',
  operand: '{ "-" | "+" | "~" | "await" } atom { postfix }',
  atom: 'NAME | NUMBER | STRING { STRING } | "True" | "False" | "None" | "..." | HOLE | parens | listDisplay | braces',
  parens: '"(" [ items ] ")" | "(" expression comprehension ")"',
  listDisplay: '"[" [ items ] "]" | "[" expression comprehension "]"',
  braces: '"{" [ entry { "," entry } [ "," ] ] "}" | "{" items "}" | "{" expression [ ":" expression ] comprehension "}"',
  entry: 'expression ":" expression | "**" expression',
  comprehension: "compClause { compClause }",
  compClause: '[ "async" ] "for" targets "in" operation { "if" operation }',
  postfix: '"." NAME | "(" args ")" | subscript',
  args: '[ arg { "," arg } [ "," ] | expression comprehension ]',
  arg: '[ "*" | "**" ] expression | NAME "=" expression',
  subscript: '"[" index { "," index } [ "," ] "]"',
  index: '[ "*" ] ( expression | slice )',
  slice: '[ expression ] ":" [ expression ] [ ":" [ expression ] ]',
  subject: '( value | "*" expression ) [ "," [ items ] ]',
};

/** Rules of the parser that the ones above replace whole. */
const REPLACED: readonly string[] = ["line", "header", "ifHeader", "matchHeader", "withItems"];

/** The words of a token that stands for several. */
export const WORD_CLASSES: Readonly<Record<string, readonly string[]>> = {
  AUGASSIGN: wordsOf("AugAssign"),
  OPERATOR: wordsOf("Operator").filter((word) => word !== "and" && word !== "or"),
};

function wordsOf(kind: string): readonly string[] {
  const found = [...TOKEN_WORDS].find(([k]) => k.name === kind);
  return found?.[1] ?? [];
}

/** Every rule, those of blocks first, each rule before what it uses. */
export function languageRules(): Rules {
  const recorded = recordedRules();
  const written = new Map<string, Production>(Object.entries({ ...BLOCKS, ...REFINED }).map(([name, text]) => [name, readNotation(text)]));
  const all = new Map<string, Production>();
  for (const open = ["text"]; open.length > 0; ) {
    const name = open.pop() ?? "";
    const rule = written.get(name) ?? recorded.get(name);
    if (all.has(name)) continue;
    if (rule === undefined) throw new Error(`no rule ${name}`);
    all.set(name, rule);
    open.push(...[...rulesIn(rule)].reverse());
  }
  const unknown = [...recorded.keys()].filter((name) => !all.has(name) && !REPLACED.includes(name));
  if (unknown.length > 0) throw new Error(`rules of the parser that no page shows: ${unknown.join(", ")}`);
  return all;
}

/** Rules that stand as the parser has recorded them. */
export const isRecorded = (name: string): boolean => !(name in BLOCKS) && !(name in REFINED);

/** Sorts of lines that the parser reads, for the laws: what a line may be, as the start of a derivation. */
export const LINE: Production = readNotation(
  'simpleLine | decorator | ( "if" expression | "elif" expression | "while" expression | [ "async" ] ( forHeader | withHeader | defHeader ) | classHeader | exceptHeader | "else" | "try" | "finally" ) ":" [ simples ] NEWLINE | "match" subject ":" NEWLINE',
);
