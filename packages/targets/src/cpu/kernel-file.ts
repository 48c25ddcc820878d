// State of the file that is being written: functions of parallel loops come before the entry that starts them.

import type { FunctionNode, VarLike } from "@tilefoundry/ir";
import { liveVariables } from "./live.ts";

export class KernelFile {
  /** Texts of the functions made of parallel loops, in order. */
  readonly functions: string[] = [];
  readonly fn: FunctionNode;
  /** The function's name in C. */
  readonly name: string;
  /** Parameters and symbols, which every function reads from the arguments. */
  readonly shared: ReadonlySet<VarLike>;
  /** What is written; the rest has no effect. */
  readonly live: ReadonlySet<VarLike>;
  insideParallel = false;
  usesArena = false;

  constructor(fn: FunctionNode, name: string) {
    this.fn = fn;
    this.name = name;
    this.live = liveVariables(fn);
    this.shared = new Set<VarLike>([...fn.params.map((p) => p.var), ...fn.symbols.map((s) => s.var)]);
  }
}
