// Text → surface tree. Never throws on what is written: errors come with the tree, and the tree holds all of the text.

import { diagnostic, span, type Diagnostic, type Outcome, type Source } from "@tilefoundry/text";
import type { SModule } from "./ast.ts";
import { Grammar } from "./grammar.ts";
import { lex, type HoleRange } from "./lexer.ts";
import { ERROR_LIMIT } from "./limits.ts";

let grammar: Grammar | undefined;

/** The parser is built once, at the first text. */
function theGrammar(): Grammar {
  return (grammar ??= new Grammar({ skipValidations: true }));
}

/** Reads a text. With `holes`, even none, it is a template's: it may be indented as a whole. */
export function parse(source: Source, holes?: readonly HoleRange[]): Outcome<SModule> {
  const lexed = lex(source, holes);
  const { body, diagnostics } = theGrammar().read(source, lexed);
  const value: SModule = { kind: "SModule", body, span: span(source, 0, source.text.length) };
  return { value, diagnostics: limited([...lexed.diagnostics, ...diagnostics]) };
}

/** In the order of the text, with a last word if there are too many. */
function limited(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const sorted = [...diagnostics].sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
  if (sorted.length < ERROR_LIMIT) return sorted;
  const shown = sorted.slice(0, ERROR_LIMIT);
  return [...shown, diagnostic("TF1014", shown[ERROR_LIMIT - 1]?.span, { limit: ERROR_LIMIT })];
}
