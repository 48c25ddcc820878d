// Reading the statements of a text or class: where they stand, and what waits for the next of them.

import type { SStmt } from "@tilefoundry/grammar";
import { NO_FACTS } from "@tilefoundry/ir";
import type { Span } from "@tilefoundry/text";
import type { ExprContext, ModuleContext } from "./context.ts";
import { isPythons, onTrial, reportHost } from "./host.ts";
import { moduleName, unknownName } from "./lookup.ts";
import { knownValue, poison, type Value } from "./value.ts";

export interface ModuleState {
  readonly module: ModuleContext;
  readonly place: ExprContext;
  /** Made by `trialPlace` when it is first needed. */
  trial: ExprContext | undefined;
  /** Reads a statement; `value` is what an assignment assigns, if that is known already. */
  readonly read: (s: SStmt, state: ModuleState, value?: Value) => void;
  /** Comments that wait for the next function. */
  pending: readonly string[];
}

export const openState = (module: ModuleContext, read: ModuleState["read"]): ModuleState =>
  ({ module, place: modulePlace(module), trial: undefined, pending: [], read });

/** Where constants are tried: what only the host can compute waits until a kernel needs it. In templates and modules nothing waits. */
export function trialPlace(state: ModuleState): ExprContext {
  const { module, place } = state;
  return (state.trial ??= module.host === "refused" || module.owner.form !== "text" ? place : modulePlace(onTrial(module)));
}

/** Where constants are computed: only the module's own names are visible. */
export function modulePlace(module: ModuleContext): ExprContext {
  return {
    module,
    reporter: module.reporter,
    dialect: undefined,
    facts: NO_FACTS,
    lookup: (name, span) => moduleName(name, span, module) ?? notDefined(name, span, module),
    lookupExtent: (dim, span) => knownValue({ kind: "extent", dim }, span),
    binds: () => false,
    isPure: true,
    isSymbol: () => true,
  };
}

function notDefined(name: string, span: Span, module: ModuleContext): Value {
  if (module.host === "refused" || !isPythons(name)) return unknownName(name, () => module.constants.keys(), span, module);
  reportHost(name, {}, span, module);
  return poison(span);
}
