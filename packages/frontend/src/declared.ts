// What the decorator of a function says.

import type { FunctionKind } from "@tilefoundry/ir";

export interface Declared {
  readonly kind: FunctionKind;
  readonly target: string | undefined;
  readonly contract: boolean;
  readonly entry: boolean;
}
