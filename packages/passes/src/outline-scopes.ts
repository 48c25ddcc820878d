// Scopes to functions with calls. The language has no scopes yet, so that every program is outlined as it stands.

import type { Pass } from "./pass.ts";

export const outlineScopes = {
  name: "outline-scopes",
  from: "ssa",
  to: "outlined",
  doc: "Turns scopes into functions of their own.",
  run: (module) => ({ value: module, diagnostics: [] }),
} as const satisfies Pass;
