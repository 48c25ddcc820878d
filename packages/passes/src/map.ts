// Binds nests to loops, vectors and registers of one machine.

import type { Pass } from "./pass.ts";

export const map = {
  name: "map",
  from: "lowered",
  to: "mapped",
  doc: "Binds nests to loops, vectors and registers of one machine.",
  run: (module) => ({ value: module, diagnostics: [] }),
} as const satisfies Pass;
