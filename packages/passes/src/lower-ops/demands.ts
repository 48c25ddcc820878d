// What is known of the demand for each array: declared apart from what notes it (demand.ts), since the state of lowering holds it.

import type { Dim, Expr, Var, VarLike } from "@tilefoundry/ir";

/** What an axis of a nest runs over: an axis of the value that the nest computes, or an extent. */
export type AxisOrigin = { readonly target: VarLike; readonly axis: number } | { readonly extent: Expr };

export interface AxisDemand {
  /** Everything may be read. */
  all: boolean;
  /** Extents up to which it is read, in variables of the source. */
  readonly extents: Dim[];
  /** Values whose demand along an axis is this one's too. */
  readonly links: { readonly target: VarLike; readonly axis: number }[];
}

export interface Demands {
  readonly axes: Map<VarLike, AxisDemand[]>;
  readonly origins: Map<Var, AxisOrigin>;
}

export const noDemands = (): Demands => ({ axes: new Map(), origins: new Map() });
