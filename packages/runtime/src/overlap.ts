// Two arguments may not overlap if either is written.

import { diagnostic, type Diagnostic } from "@tilefoundry/text";
import type { BoundArgument } from "./arguments.ts";

type ArrayArgument = Extract<BoundArgument, { readonly kind: "array" }>;

export function overlapFaults(args: readonly BoundArgument[]): readonly Diagnostic[] {
  const arrays = args.flatMap((a) => (a.kind === "array" ? [a] : []));
  const faults: Diagnostic[] = [];
  for (const [i, a] of arrays.entries()) {
    for (const b of arrays.slice(i + 1)) {
      const written = [a, b].find((x) => x.param.direction !== "in");
      if (written === undefined || !overlap(a, b)) continue;
      faults.push(diagnostic("TF6049", written.param.var.meta.span, { a: a.param.name, b: b.param.name, written: written.param.name }));
    }
  }
  return faults;
}

function overlap(a: ArrayArgument, b: ArrayArgument): boolean {
  const [x, y] = [a.array.data, b.array.data];
  return x.buffer === y.buffer && x.byteOffset < y.byteOffset + y.byteLength && y.byteOffset < x.byteOffset + x.byteLength;
}
