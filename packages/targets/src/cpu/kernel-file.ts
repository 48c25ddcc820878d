// State of the file that is being written: functions of parallel loops come before the entry that starts them.

import { bodyOf, dimVars, eachOperand, eachStmt, walk, type FunctionNode, type VarLike } from "@tilefoundry/ir";

export class KernelFile {
  /** Texts of the functions made of parallel loops, in order. */
  readonly functions: string[] = [];
  readonly fn: FunctionNode;
  /** The function's name in C. */
  readonly name: string;
  /** Parameters and symbols, which every function reads from the arguments. */
  readonly shared: ReadonlySet<VarLike>;
  /** What is read anywhere; C compilers warn of a local that is not. */
  readonly read: ReadonlySet<VarLike>;
  insideParallel = false;
  usesArena = false;

  constructor(fn: FunctionNode, name: string) {
    this.fn = fn;
    this.name = name;
    this.read = readIn(fn);
    this.shared = new Set<VarLike>([...fn.params.map((p) => p.var), ...fn.symbols.map((s) => s.var)]);
  }
}

/** Every variable that an operand, the extents of an accessed buffer or an offset reads. */
function readIn(fn: FunctionNode): ReadonlySet<VarLike> {
  const read = new Set<VarLike>();
  const body = bodyOf(fn);
  if (body === undefined) return read;
  const add = (v: VarLike): unknown => read.add(v);
  eachStmt(body, (stmt) =>
    eachOperand(stmt, (e) =>
      walk(e, (node) => {
        if (node.kind === "Var" || node.kind === "IterArg") add(node);
        if (node.kind !== "Prim") return;
        const [buffer] = node.args;
        if (buffer?.type.kind === "Tensor") for (const d of buffer.type.shape) dimVars(d, add);
        if (node.attrs.offset !== undefined) dimVars(node.attrs.offset, add);
      }),
    ),
  );
  return read;
}
