// Turns catalog ops into nests over buffers.

import type { Pass } from "./pass.ts";

export const lowerOps = {
  name: "lower-ops",
  from: "outlined",
  to: "lowered",
  doc: "Turns catalog ops into nests over buffers.",
  run: (module) => ({ value: module, diagnostics: [] }),
} as const satisfies Pass;
