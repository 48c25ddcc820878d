// Simplification changes no types: what stands for an expression has the very type of it, so that the types of all that is made of
// it stay right. `i64` and `index` mix, and arrays are stored in many places, but nodes state which it is.

import { isRegister, type Expr, type Type } from "@tilefoundry/ir";

/** The expression as one of the type, if it can be. */
export function ofType(e: Expr, type: Type): Expr | undefined {
  if (e.type === type) return e;
  if (type.kind === "Tensor") return e.type.kind === "Tensor" && e.type.storage === type.storage ? e : undefined;
  if (!isRegister(type)) return e;
  return e.kind === "Const" ? { ...e, type } : undefined;
}
