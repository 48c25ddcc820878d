// Whether a body provably writes every element of a parameter: one unconditional `store` or `write` whose windows, over the loops
// around it, tile the whole shape. Conservative: what is not of this form counts as not covering.

import { dimsEqual, isStatic, toDim, type Call, type Dim, type Expr, type For, type Seq, type Stmt, type Var } from "@tilefoundry/ir";
import type { Handles } from "@tilefoundry/ops";

export function writesEveryElement(body: Seq, param: Var, handles: Handles): boolean {
  return covers(body, [], param, handles);
}

function covers(block: Seq, loops: readonly For[], param: Var, handles: Handles): boolean {
  for (const s of block.stmts) {
    if (isJump(s) || s.kind === "While") return false;
    if (s.kind === "Scope" && covers(s.body, loops, param, handles)) return true;
    if (s.kind === "For" && covers(s.body, [...loops, s], param, handles)) return true;
    if (s.kind === "If" && mayLeave(s.then, s.else)) return false;
    const call = s.kind === "Eval" ? s.expr : s.kind === "Assign" ? s.value : undefined;
    if (call?.kind === "Call" && tiles(call, loops, param, handles)) return true;
  }
  return false;
}

const mayLeave = (...blocks: readonly (Seq | undefined)[]): boolean =>
  blocks.some((b) => b?.stmts.some((s) => isJump(s) || (s.kind === "If" && mayLeave(s.then, s.else))) === true);

const isJump = (s: Stmt): boolean => s.kind === "Return" || s.kind === "Break" || s.kind === "Continue";

/** Windows of the ops that write one: where they begin, how large they are, what they write. */
const WINDOWS: Readonly<Record<string, (call: Call) => Window | undefined>> = {
  store: ({ args: [tile, offsets, output] }) => {
    if (tile?.type.kind !== "Tensor" || offsets?.kind !== "Tuple" || output === undefined) return undefined;
    return { output, offsets: offsets.elements, sizes: tile.type.shape };
  },
  write: ({ args: [output, indices] }) => {
    if (indices?.kind !== "Tuple" || output === undefined) return undefined;
    return { output, offsets: indices.elements, sizes: indices.elements.map(() => 1) };
  },
};

interface Window {
  readonly output: Expr;
  readonly offsets: readonly Expr[];
  readonly sizes: readonly Dim[];
}

function tiles(call: Call, loops: readonly For[], param: Var, handles: Handles): boolean {
  const { name } = call.callee;
  const window = Object.hasOwn(WINDOWS, name) ? WINDOWS[name]?.(call) : undefined;
  if (window === undefined || param.type.kind !== "Tensor") return false;
  const { output, offsets, sizes } = window;
  const written = output.kind === "Var" || output.kind === "IterArg" ? handles.paramsOf(output) : undefined;
  if (written?.size !== 1 || !written.has(param)) return false;
  const used = new Set<For>();
  return param.type.shape.every((extent, axis) => coversAxis(extent, offsets[axis], sizes[axis], loops, used));
}

function coversAxis(extent: Dim, offset: Expr | undefined, size: Dim | undefined, loops: readonly For[], used: Set<For>): boolean {
  if (offset === undefined || size === undefined || !isStatic(size)) return false;
  if (offset.kind === "Const" && offset.value === 0n) return isStatic(extent) && size >= extent;
  const loop = loops.find((l) => l.loopVar === offset);
  if (loop === undefined || used.has(loop)) return false;
  used.add(loop);
  const [start, stop, step] = [loop.start, loop.stop, loop.step].map(toDim);
  return start === 0 && stop !== undefined && typeof step === "number" && step > 0 && step <= size && dimsEqual(stop, extent);
}
