// Reading the statements of a text or class: where they stand, and what waits for the next of them.

import type { SStmt } from "@tilefoundry/grammar";
import { NO_FACTS } from "@tilefoundry/ir";
import type { ExprContext, ModuleContext } from "./context.ts";
import { moduleName, unknownName } from "./lookup.ts";
import { knownValue, type Value } from "./value.ts";

export interface ModuleState {
  readonly module: ModuleContext;
  readonly place: ExprContext;
  /** Reads a statement; `value` is what an assignment assigns, if that is known already. */
  readonly read: (s: SStmt, state: ModuleState, value?: Value) => void;
  /** Comments that wait for the next function. */
  pending: readonly string[];
}

/** Where constants are computed: only the module's own names are visible. */
export function modulePlace(module: ModuleContext): ExprContext {
  return {
    module,
    reporter: module.reporter,
    dialect: undefined,
    facts: NO_FACTS,
    lookup: (name, span) => moduleName(name, span, module) ?? unknownName(name, () => module.constants.keys(), span, module),
    lookupExtent: (dim, span) => knownValue({ kind: "extent", dim }, span),
    binds: () => false,
    isPure: true,
    isSymbol: () => true,
  };
}
