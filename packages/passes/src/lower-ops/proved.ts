// One proof that most of lowering asks for.

import { isStatic, proveLessEqual, type Dim } from "@tilefoundry/ir";
import type { Lowering } from "./state.ts";

/** Whether `a <= b` is proved from what is known at this place. */
export function provedLessEqual(l: Lowering, a: Dim, b: Dim): boolean {
  if (isStatic(a) && isStatic(b)) return a <= b;
  return proveLessEqual(l.facts, l.facts.expand(a), l.facts.expand(b)) === true;
}
