// A parallel loop carries handles and nothing else: a value that one iteration leaves for another would make an order.

import type { For, IterArg, VarLike } from "@tilefoundry/ir";
import type { Reporter } from "@tilefoundry/text";
import type { Flow } from "./flow.ts";

export function checkParallel(loop: For, carried: readonly VarLike[], flow: Flow, isHandle: (v: VarLike) => boolean, reporter: Reporter): void {
  if (loop.mode !== "parallel") return;
  const values: readonly (VarLike | IterArg)[] = [
    ...loop.carries.filter((carry) => carry.type.kind !== "Tensor"),
    ...carried.filter((v) => flow.rebound.get(v) !== "written" && !isHandle(v)),
  ];
  for (const v of values) {
    const related = v.meta.span === undefined ? [] : [{ message: `\`${v.hint}\` is defined here`, span: v.meta.span }];
    reporter.report("TF4116", loop.meta.span, { name: v.hint }, { related });
  }
}
