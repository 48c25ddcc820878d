// Carries of loops in locals: their start, their simultaneous update, and what their names are afterwards.

import { invariant } from "@tilefoundry/text";
import { walk, type Expr, type IterArg, type Var, type VarLike } from "@tilefoundry/ir";
import type { Frame } from "./frame.ts";
import { asWidth } from "./integers.ts";
import { get, set, type Local, type Tree } from "./tree.ts";

/** Where the values of a yield go: the locals of each carry or result. */
export type Targets = readonly (readonly Local[])[];

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

/** All targets change at once: a value for one that a later value still reads waits in a temporary. */
export function assignAll(targets: Targets, values: readonly Expr[], frame: Frame): readonly Tree[] {
  const updates = targets.flatMap((locals, i) => {
    const value = values[i];
    const parts = value === undefined ? [] : frame.value(value);
    return locals.flatMap((local, k) => {
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

/**
 * The results of an `if` that its block yields at once get the locals of the targets: the branches then set these. Not if a value
 * yielded beside them would read what a branch has already changed.
 */
export function forwardResults(results: readonly Var[], values: readonly Expr[], targets: Targets, frame: Frame): void {
  const places = results.map((r) => values.flatMap((v, i) => (v === r ? [i] : [])));
  if (!places.every((at) => at.length === 1)) return;
  const forwarded = places.flat();
  const changed = new Set(forwarded.flatMap((i) => targets[i] ?? []));
  const beside = values.filter((_, i) => !forwarded.includes(i));
  if (beside.some((v) => readsAny(v, changed, new Set(results), frame))) return;
  for (const [k, result] of results.entries()) frame.alias(result, targets[forwarded[k] ?? -1] ?? []);
}

function readsAny(value: Expr, changed: ReadonlySet<Local>, results: ReadonlySet<VarLike>, frame: Frame): boolean {
  let found = false;
  walk(value, (node) => {
    if (node.kind !== "Var" && node.kind !== "IterArg") return;
    const inside = frame.unfolded(node);
    if (inside !== node) found ||= readsAny(inside, changed, results, frame);
    else if (node.type.kind !== "Tensor") found ||= results.has(node) || frame.locals(node).some((l) => changed.has(l));
  });
  return found;
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
