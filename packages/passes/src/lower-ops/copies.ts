// Copies between buffers at the ends of blocks. They happen at once: what a copy overwrites while another still needs it is saved first.

import { assign, evaluate, load, nest, prim, seq, store, toExpr, variable, type Var } from "@tilefoundry/ir";
import { freshAxes } from "./context.ts";
import { emit, type ArrayValue, type Lowering } from "./state.ts";

export interface Copy {
  readonly from: ArrayValue;
  readonly to: Var;
}

export function emitCopies(l: Lowering, copies: readonly Copy[]): void {
  const moving = copies.filter((c) => c.from.buffer !== c.to);
  const sources = moving.map(({ from }, i) => (moving.slice(0, i).some((before) => before.to === from.buffer) ? save(l, from) : from));
  for (const [i, { to, from }] of moving.entries()) emitCopy(l, sources[i] ?? from, to);
}

function save(l: Lowering, from: ArrayValue): ArrayValue {
  const { type, hint } = from.buffer;
  const buffer = variable(l.names.fresh(hint), type);
  if (type.kind === "Tensor") emit(l, assign(buffer, prim("alloc_tensor", [], { type })));
  emitCopy(l, from, buffer);
  return { buffer, extents: from.extents };
}

export function emitCopy(l: Lowering, from: ArrayValue, to: Var): void {
  const axes = freshAxes(l, from.extents.length);
  const stored = evaluate(store(to, axes, load(from.buffer, axes)));
  emit(l, axes.length === 0 ? stored : nest(axes, from.extents.map(toExpr), seq([stored])));
}
