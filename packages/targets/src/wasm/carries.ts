// Carries of loops in locals: their start, their simultaneous update, and what their names are afterwards.

import { invariant } from "@tilefoundry/text";
import { walk, type Expr, type IterArg, type Var, type VarLike } from "@tilefoundry/ir";
import type { Frame } from "./frame.ts";
import { asWidth } from "./integers.ts";
import { childrenOf, get, set, type Local, type Tree } from "./tree.ts";

/** Where the values of a yield go: the locals of each carry or result. */
export type Targets = readonly (readonly Local[])[];

/** Sets the carries to their starts. */
export function startCarries(carries: readonly IterArg[], frame: Frame, out: Tree[]): void {
  for (const carry of carries) {
    const parts = frame.value(carry.init);
    setAll(frame.declareInLoop(carry), parts, out);
  }
}

/** After a loop its results are what the carries hold. */
export function nameResults(carries: readonly IterArg[], results: readonly VarLike[], frame: Frame): void {
  for (const [i, result] of results.entries()) {
    const carry = carries[i];
    if (carry !== undefined) frame.alias(result, frame.locals(carry));
  }
}

interface Update {
  readonly local: Local;
  readonly tree: Tree;
}

/** All targets change at once: a value for one that a later value still reads waits in a temporary. */
export function assignAll(targets: Targets, values: readonly Expr[], frame: Frame, out: Tree[]): void {
  const updates: Update[] = [];
  for (const [i, locals] of targets.entries()) {
    const value = values[i];
    if (value !== undefined) addUpdates(locals, frame.value(value), updates);
  }
  const late: Tree[] = [];
  for (const [i, { local, tree }] of updates.entries()) {
    if (!isReadAfter(i, updates)) out.push(set(local, tree));
    else {
      const waiting = frame.temporary(local.type);
      late.push(set(local, get(waiting)));
      out.push(set(waiting, tree));
    }
  }
  out.push(...late);
}

function addUpdates(locals: readonly Local[], parts: readonly Tree[], updates: Update[]): void {
  for (const [k, local] of locals.entries()) {
    const tree = parts[k];
    if (tree !== undefined && !isRead(tree, local)) updates.push({ local, tree: fitted(tree, local) });
  }
}

function isReadAfter(at: number, updates: readonly Update[]): boolean {
  const changed = updates[at]?.local;
  for (let later = at + 1; later < updates.length; later++) if (reads((updates[later] as Update).tree, changed)) return true; // within the length
  return false;
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

function reads(tree: Tree, local: Local | undefined): boolean {
  if (tree.kind === "get") return tree.local === local;
  for (const child of childrenOf(tree)) if (reads(child, local)) return true;
  return false;
}

/** Sets locals to the parts of a value. */
export function setAll(locals: readonly Local[], parts: readonly Tree[], out: Tree[]): void {
  invariant(locals.length === parts.length, () => `${parts.length} parts for ${locals.length} locals`);
  for (const [i, local] of locals.entries()) {
    const tree = parts[i] as Tree; // as many as locals
    if (!isRead(tree, local)) out.push(set(local, fitted(tree, local)));
  }
}

/** An `index` value in the width of the local. */
const fitted = (tree: Tree, { type }: Local): Tree => (type === "i32" || type === "i64" ? asWidth(tree, type) : tree);

const isRead = (tree: Tree, local: Local): boolean => tree.kind === "get" && tree.local === local;
