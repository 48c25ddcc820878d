// The formatter: reads a text and prints what it read. Comments, blank lines, spellings of literals and holes stay.

import { parse, type HoleRange } from "@tilefoundry/grammar";
import { hasErrors, type Outcome, type Source } from "@tilefoundry/text";
import { print } from "./print.ts";

/** The text in its one layout; a text that cannot be read comes back as it is, with what is wrong with it. */
export function format(source: Source, holes: readonly HoleRange[] = []): Outcome<string> {
  const { value, diagnostics } = parse(source, holes);
  return { value: hasErrors(diagnostics) ? source.text : print(value), diagnostics };
}
