// Which buffer a name is a handle of. Writing ops give newer handles of what they write, another name for a handle is a handle of
// the same buffer, and every other array is a buffer of its own.

import type { Expr } from "@tilefoundry/ir";
import { writtenInput } from "@tilefoundry/ops";
import { peek, type Buffer, type Env } from "./env.ts";
import type { Place } from "./place.ts";

/** The buffer an expression is a handle of; undefined for what is no array. */
export function bufferOf(expr: Expr, env: Env, place: Place): Buffer | undefined {
  if (expr.type.kind !== "Tensor") return undefined;
  if (expr.kind === "Var" || expr.kind === "IterArg") {
    const binding = peek(env, expr.hint);
    if (binding?.kind === "bound" && binding.value === expr && binding.root !== undefined) return binding.root;
  }
  const written = expr.kind === "Call" ? writtenArgument(expr, place) : undefined;
  return written === undefined ? { param: undefined, env } : bufferOf(written, env, place);
}

/** The argument that a catalog call writes. */
export function writtenArgument(call: Extract<Expr, { readonly kind: "Call" }>, { module }: Pick<Place, "module">): Expr | undefined {
  const record = module.ops.byName(call.callee.name);
  return record && writtenInput(record, call);
}
