// The formatter: reads a text and prints what it read. Comments, blank lines, spellings of literals and holes stay.

import { parse, type HoleRange } from "@tilefoundry/grammar";
import { hasErrors, type Outcome, type Source } from "@tilefoundry/text";
import { print } from "./print.ts";
import { startOf } from "./statements.ts";

/** The text in its one layout; a text that cannot be read comes back as it is, with what is wrong with it. */
export function format(source: Source, holes: readonly HoleRange[] = []): Outcome<string> {
  const { value, diagnostics } = parse(source, holes);
  return { value: hasErrors(diagnostics) ? source.text : print(value), diagnostics };
}

/**
 * The text of a template, raw strings and holes as they are written, in its one layout. It stays where it stands: as far in as its first
 * statement, and its first and last line break as they are. Lines are as long as in any text, margin included.
 */
export function formatTemplate(source: Source, holes: readonly HoleRange[]): Outcome<string> {
  const { text } = source;
  const { value: tree, diagnostics } = parse(source, holes);
  const [stmt] = tree.body.stmts;
  const first = stmt === undefined ? tree.body.trailingComments[0]?.span : startOf(stmt);
  if (hasErrors(diagnostics) || first === undefined) return { value: text, diagnostics };
  const margin = /[ \t]*$/.exec(text.slice(0, first.start))?.[0] ?? "";
  const begin = /^\s*[\r\n]/.test(text) ? "\n" : "";
  const end = /[\r\n]([^\S\r\n]*)$/.exec(text);
  const printed = `${begin}${print(tree, margin)}${end?.[1] ?? ""}`;
  const whole = end === null ? printed.trimEnd() : printed;
  return { value: text.includes("\r\n") ? whole.replaceAll("\n", "\r\n") : whole, diagnostics };
}
