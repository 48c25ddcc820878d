// What the parts of the emitter share while one function is written. Rules see expressions only through `value` and `scalar`, so
// that no table needs to import what dispatches to it.

import type { Expr, VarLike } from "@tilefoundry/ir";
import type { Ranges } from "../ranges.ts";
import type { HelperName } from "./support.ts";
import type { ValueType } from "./opcodes.ts";
import { get, set, tee, type Local, type Tree, type WasmFunction } from "./tree.ts";

/** A value in registers: one tree for a scalar, one a part for a vector. */
export type Parts = readonly Tree[];

/** So many parts, made in order. */
export function partsOf(count: number, make: (part: number) => Tree): Parts {
  const parts: Tree[] = [];
  for (let part = 0; part < count; part++) parts.push(make(part));
  return parts;
}

export interface Emit {
  readonly ranges: Ranges;
  /** Parts of a value of scalar or vector type. */
  value(e: Expr): Parts;
  /** A scalar. An `index` or `i64` value may come as an i32 where its range allows. */
  scalar(e: Expr): Tree;
  /** Locals that hold a variable. */
  locals(variable: VarLike): readonly Local[];
  /** Address of a buffer's first element. */
  pointer(buffer: Expr): Tree;
  /** What stands for a variable that is written inside its use. */
  unfolded(e: Expr): Expr;
  /** How many loops, from outside, change what the tree reads. */
  depthOf(tree: Tree): number;
  /** The value computed before the loop inside of that depth, if there is one; it belongs to a buffer's address. */
  hoisted(tree: Tree, depth: number, buffer: Expr): Tree;
  /** A local that lives until the end of the statement. */
  temporary(type: ValueType): Local;
  /** A function of the module beside the kernel, added when first asked for. */
  helper(name: HelperName): WasmFunction;
  /** Reports what the target cannot do, and stands in for it. */
  refuse(e: Expr, what: string, reason: string): Parts;
}

/** Whether a tree may be written several times as it is. */
const isFree = (tree: Tree): boolean => tree.kind === "get" || tree.kind === "const" || tree.kind === "lanes";

/** A tree to be written several times: computed at the first, read again at the others. To be asked in the order of evaluation. */
export function reuse(tree: Tree, c: Emit): () => Tree {
  if (isFree(tree) || tree.type === undefined) return () => tree;
  const local = c.temporary(tree.type);
  let first = true;
  return () => {
    if (!first) return get(local);
    first = false;
    return tee(local, tree);
  };
}

/** A tree that can be read anywhere after the statement that computes it; many need none. */
export interface Held {
  readonly before: readonly Tree[];
  readonly read: Tree;
}

export const held = (tree: Tree): Held => ({ before: [], read: tree });

export function hold(tree: Tree, c: Emit): Held {
  if (isFree(tree) || tree.type === undefined) return held(tree);
  const local = c.temporary(tree.type);
  return { before: [set(local, tree)], read: get(local) };
}
