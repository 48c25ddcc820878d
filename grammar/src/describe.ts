// What a message of the parser says: what was expected, in words, and what stands there instead.

import type { IParserErrorMessageProvider, IToken, TokenType } from "chevrotain";
import * as T from "./tokens.ts";

/** What a rule begins with, where the grammar finds none of its alternatives. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  expression: "an expression",
  line: "a statement",
  simples: "a statement",
  header: "`def`, `for` or `with`",
  paramName: "a parameter",
  params: "a parameter",
  dottedName: "a name",
  importStatement: "a name",
  importNames: "a name",
  fromStatement: "a name",
  globalStatement: "a name",
};

/** Chevrotain asks for a message; ours is only what was expected, the rest is added where the error is reported. */
export const EXPECTED: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected }: { expected: TokenType }) => expected.LABEL ?? expected.name,
  buildNotAllInputParsedMessage: () => "end of text",
  buildNoViableAltMessage: ({ ruleName }: { ruleName: string }) => BEGINNINGS[ruleName] ?? "an expression",
  buildEarlyExitMessage: ({ ruleName }: { ruleName: string }) => BEGINNINGS[ruleName] ?? "an expression",
};

/** Tokens that say nothing about what is missing behind them. */
const SILENT = new Set<TokenType>([T.Newline, T.Name, T.Number, T.String, T.Hole, T.Bad, T.Constant, T.RParen, T.RSquare, T.RCurly]);
const OPENERS = new Set<TokenType>([T.LParen, T.LSquare, T.LCurly]);

export function expected(message: string, previous: IToken): string {
  const kind = previous.tokenType;
  const closes = /^`,` or (`.`)$/.exec(message)?.[1];
  if (closes !== undefined && kind === T.Comma) return `an expression or ${closes} after \`,\``;
  if (closes !== undefined && OPENERS.has(kind)) return `an expression or ${closes}`;
  if (message === T.Newline.LABEL && !SILENT.has(kind)) return "the end of the line";
  if (message === T.Newline.LABEL) return "an operator or the end of the line";
  if (/^an? /.test(message) && !message.includes(" after ") && !SILENT.has(kind)) return `${message} after \`${previous.image}\``;
  return message;
}

const WORDS = new Map<TokenType, string>([
  [T.Newline, "end of line"],
  [T.String, "a string"],
  [T.Hole, "a hole"],
]);

export function found(token: IToken): string {
  return WORDS.get(token.tokenType) ?? `\`${token.image}\``;
}
