// Gives every buffer its place in the arena.

import type { Pass } from "./pass.ts";

export const place = {
  name: "place",
  from: "mapped",
  to: "placed",
  doc: "Gives every buffer its place in the arena.",
  run: (module) => ({ value: module, diagnostics: [] }),
} as const satisfies Pass;
