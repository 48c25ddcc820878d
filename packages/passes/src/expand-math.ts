// Expands math functions into the other primitives.

import type { Pass } from "./pass.ts";

export const expandMath = {
  name: "expand-math",
  from: "mapped",
  to: "mapped",
  doc: "Expands math functions into the other primitives.",
  run: (module) => ({ value: module, diagnostics: [] }),
} as const satisfies Pass;
