// The text of a template: its raw strings with `${…}` for each hole between them.

import { makeSource, type Position, type Source } from "@tilefoundry/text";
import type { HoleRange } from "./scanner.ts";

const PLACEHOLDER = "${…}";

/** `raw` are the template's raw strings: `` \` `` and `\${` in them stand for what they escape. */
export function templateSource(
  raw: readonly string[],
  name: string,
  options: { readonly origin?: Position; readonly exactColumns?: boolean } = {},
): { readonly source: Source; readonly holes: readonly HoleRange[] } {
  const holes: HoleRange[] = [];
  let text = "";
  raw.forEach((part, i) => {
    if (i > 0) {
      holes.push({ start: text.length, end: text.length + PLACEHOLDER.length });
      text += PLACEHOLDER;
    }
    text += part.replace(/\\(`|\$\{)/g, "$1");
  });
  return { source: makeSource(name, text, options), holes };
}
