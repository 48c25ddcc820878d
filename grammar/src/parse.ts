// Text → surface tree. Never throws on what is written: errors come with the tree, and the tree holds all of the text.

import { Reporter, span, type Outcome, type Source } from "@tilefoundry/text";
import type { SModule } from "./ast.ts";
import { readText } from "./read.ts";
import type { HoleRange } from "./scanner.ts";

/** Reads a text. With `holes`, even none, it is a template's: it may be indented as a whole. */
export function parse(source: Source, holes?: readonly HoleRange[]): Outcome<SModule> {
  const reporter = new Reporter();
  const body = readText(source, holes, reporter);
  // a block's end and an unclosed bracket are noticed late
  const diagnostics = reporter.diagnostics.sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
  return { value: { kind: "SModule", body, span: span(source, 0, source.text.length) }, diagnostics };
}
