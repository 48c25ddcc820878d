// What a block with a yield at its end gives to the loop or `if` around it.

import type { Expr } from "@tilefoundry/ir";
import type { Span } from "@tilefoundry/text";

export interface ResultName {
  readonly name: string;
  readonly span: Span;
}

export interface Yielded {
  readonly names: readonly ResultName[];
  /** As many as names; undefined where one is erroneous. */
  readonly values: readonly Expr[] | undefined;
  readonly span: Span;
}

export interface YieldSlot {
  found: Yielded | undefined;
  /** There is a yield, but what is wrong with it is reported. */
  failed: boolean;
}

export const yieldSlot = (): YieldSlot => ({ found: undefined, failed: false });
