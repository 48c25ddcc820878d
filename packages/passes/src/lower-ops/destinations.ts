// Destination passing: a value that a block yields (or the function returns) is computed directly in the buffer where it will
// live, if that buffer's old content is dead by then. `acc = matmul_acc(acc, a, b)` so runs in place.

import type { For, If, Seq, VarLike, While } from "@tilefoundry/ir";
import { arrayVar, yielded } from "./handles.ts";
import type { Destination, Lowering } from "./state.ts";

/** Where the values of a block's yield should live, by position; undefined for scalars and handles that need no place. */
export type Wanted = readonly (Destination | undefined)[];

/** Registers the destinations of a block's yields with the statements that make the values. */
export function claimYields(l: Lowering, block: Seq, values: readonly (VarLike | undefined)[], wanted: Wanted): void {
  for (const [i, value] of values.entries()) {
    const destination = wanted[i];
    if (value !== undefined && destination !== undefined) claim(l, block, l.handles.root(value), destination);
  }
}

function claim(l: Lowering, block: Seq, root: VarLike, destination: Destination): boolean {
  const at = l.uses.definition(block, root);
  const stmt = at === undefined ? undefined : block.stmts[at];
  if (at === undefined || stmt === undefined || l.destinations.has(root)) return false;
  const { old } = destination;
  if (old !== undefined && l.uses.last(block, old) > at) return false;
  if ((stmt.kind === "For" || stmt.kind === "While") && !claimLoop(l, block, stmt, root, destination)) return false;
  l.destinations.set(root, destination);
  return true;
}

/** The loop's carry lives in the destination: the old content may enter it as that carry's `init`, and in no other way. */
function claimLoop(l: Lowering, block: Seq, loop: For | While, root: VarLike, destination: Destination): boolean {
  const { old } = destination;
  const position = loop.carries.findIndex((carry) => carry === root);
  const init = initRoot(l, loop, position);
  const touchedBeside = (array: VarLike): boolean =>
    l.uses.touchedIn(loop.body).has(array) || loop.carries.some((_, i) => i !== position && initRoot(l, loop, i) === array);
  if (old !== undefined && touchedBeside(old)) return false;
  if (init !== undefined && init !== old && diesAsInit(l, block, loop, position)) claim(l, block, init, destination);
  return true;
}

function initRoot(l: Lowering, loop: For | While, position: number): VarLike | undefined {
  const init = arrayVar(loop.carries[position]?.init);
  return init && l.handles.root(init);
}

/** Whether the value a carry starts from is made in this block and read by nobody but this carry: the carry may take its buffer over. */
export function diesAsInit(l: Lowering, block: Seq, loop: For | While, position: number): boolean {
  const init = initRoot(l, loop, position);
  if (init === undefined || l.uses.definition(block, init) === undefined) return false;
  const at = l.uses.position(block, loop);
  if (l.uses.last(block, init) !== at || l.uses.touchedIn(loop.body).has(init)) return false;
  return loop.carries.every((_, i) => i === position || initRoot(l, loop, i) !== init);
}

/** A value made in this block that a branch passes on unchanged and nobody reads later: the result may take its buffer over. */
export function diesInBranch(l: Lowering, block: Seq, stmt: If, position: number): VarLike | undefined {
  const at = l.uses.position(block, stmt);
  for (const branch of [stmt.then, stmt.else]) {
    const value = arrayVar(branch && yielded(branch)[position]);
    if (value === undefined) continue;
    const root = l.handles.root(value);
    const passes = l.uses.definition(block, root) !== undefined && l.uses.last(block, root) === at;
    if (passes && timesYielded(l, stmt, root) === 1) return root;
  }
  return undefined;
}

/** By how many positions of an `if` a buffer leaves: if by several, they may not share it. */
function timesYielded(l: Lowering, stmt: If, root: VarLike): number {
  const positions = stmt.results.filter((_, i) =>
    [stmt.then, stmt.else].some((branch) => {
      const array = arrayVar(branch && yielded(branch)[i]);
      return array !== undefined && l.handles.root(array) === root;
    }),
  );
  return positions.length;
}
