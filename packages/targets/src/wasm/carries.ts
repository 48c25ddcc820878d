// Carries of loops in locals: their start, their simultaneous update, and what their names are afterwards.

import { invariant } from "@tilefoundry/text";
import type { Expr, IterArg, VarLike } from "@tilefoundry/ir";
import type { Frame } from "./frame.ts";
import { asWidth } from "./integers.ts";
import { get, set, type Local, type Tree } from "./tree.ts";

/** The carries of a loop: how they start, and the body that ends in their update. */
export interface CarryLoop {
  readonly before: readonly Tree[];
  body(): readonly Tree[];
}

/** Sets the carries to their starts. */
export function startCarries(carries: readonly IterArg[], frame: Frame): readonly Tree[] {
  return carries.flatMap((carry) => {
    const parts = frame.value(carry.init);
    return setAll(frame.declareInLoop(carry), parts);
  });
}

/** After a loop its results are what the carries hold. */
export function nameResults(carries: readonly IterArg[], results: readonly VarLike[], frame: Frame): void {
  for (const [i, result] of results.entries()) {
    const carry = carries[i];
    if (carry !== undefined) frame.alias(result, frame.locals(carry));
  }
}

/** All carries change at once: one that a later value still reads waits in a temporary. */
export function updateCarries(carries: readonly IterArg[], values: readonly Expr[], frame: Frame): readonly Tree[] {
  const updates = carries.flatMap((carry, i) => {
    const value = values[i];
    const parts = value === undefined ? [] : frame.value(value);
    return frame.locals(carry).flatMap((local, k) => {
      const tree = parts[k];
      return tree === undefined || isRead(tree, local) ? [] : [{ local, tree: fitted(tree, local) }];
    });
  });
  const late: Tree[] = [];
  const now = updates.map(({ local, tree }, i) => {
    if (!updates.slice(i + 1).some((later) => reads(later.tree, local))) return set(local, tree);
    const waiting = frame.temporary(local.type);
    late.push(set(local, get(waiting)));
    return set(waiting, tree);
  });
  return [...now, ...late];
}

function reads(tree: Tree, local: Local): boolean {
  switch (tree.kind) {
    case "get": return tree.local === local;
    case "op":
    case "select":
    case "call": return tree.operands.some((o) => reads(o, local));
    case "set":
    case "tee": return reads(tree.value, local);
    case "sequence": return tree.body.some((t) => reads(t, local));
    case "if": return [tree.cond, ...tree.then, ...tree.else].some((t) => reads(t, local));
    default: return false;
  }
}

/** Sets locals to the parts of a value. */
export function setAll(locals: readonly Local[], parts: readonly Tree[]): readonly Tree[] {
  invariant(locals.length === parts.length, () => `${parts.length} parts for ${locals.length} locals`);
  return parts.flatMap((tree, i) => {
    const local = locals[i];
    return local === undefined || isRead(tree, local) ? [] : [set(local, fitted(tree, local))];
  });
}

/** An `index` value in the width of the local. */
const fitted = (tree: Tree, { type }: Local): Tree => (type === "i32" || type === "i64" ? asWidth(tree, type) : tree);

const isRead = (tree: Tree, local: Local): boolean => tree.kind === "get" && tree.local === local;
