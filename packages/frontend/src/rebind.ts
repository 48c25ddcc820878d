// The name of an Out parameter may only be rebound to newer handles of its buffer: anything else would write nothing to the caller.

import type { Type } from "@tilefoundry/ir";
import type { Span } from "@tilefoundry/text";
import { place as placeOf } from "./complaints.ts";
import type { Buffer } from "./env.ts";
import type { Place } from "./place.ts";

export function mayRebind(name: string, type: Type, root: Buffer | undefined, span: Span, place: Place): boolean {
  const param = place.fn.params.find((p) => p.var.hint === name);
  if (param?.wrapper !== "out" || param.var.type.kind !== "Tensor") return true;
  if (root !== undefined && root.param === param.var) return true;
  const zeros = param.var.type.shape.map(() => "0").join(", ");
  const isTile = type.kind === "Tensor" && type.domain === "tile";
  const help = isTile ? `write through it: \`pl.store(…, [${zeros}], ${name})\`` : "write through it, as with `pl.store`";
  place.reporter.report("TF4201", span, { name }, { help, related: placeOf("it is declared here", param.var.meta.span) });
  return false;
}
