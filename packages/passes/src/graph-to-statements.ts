// Turns the values of graph functions into statements.

import type { Pass } from "./pass.ts";

export const graphToStatements = {
  name: "graph-to-statements",
  from: "parsed",
  to: "parsed",
  doc: "Turns the values of graph functions into statements.",
  run: (module) => ({ value: module, diagnostics: [] }),
} as const satisfies Pass;
