// What lowering remembers of scalars and loops, for proofs that look through them (products.ts).

import type { Expr, VarLike } from "@tilefoundry/ir";

/** What scalars are defined as, and where loops end. */
export interface Definitions {
  readonly values: Map<VarLike, Expr>;
  /** Loops that start at 0 or above. */
  readonly stops: Map<VarLike, Expr>;
}

export const noDefinitions = (): Definitions => ({ values: new Map(), stops: new Map() });
