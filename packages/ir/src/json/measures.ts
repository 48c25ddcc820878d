// How deep and how large what is read from JSON is when it is walked as a tree. Sharing makes a short file an endless tree, and the
// walkers of types, expressions and blocks recurse: what they would not come through is refused while it is read.

import type { Entry, Kind } from "./codec.ts";
import { codecOf } from "./rows.ts";

/** What is walked together; a level of one does not add to the height of another. */
type Sort = "type" | "value" | "statement" | "module";

const SORT_OF: { readonly [K in Kind]: Sort } = {
  Scalar: "type", Vec: "type", Tensor: "type", TupleType: "type", Unit: "type", Unknown: "type", sum: "type",
  Var: "value", IterArg: "value", Const: "value", Prim: "value", Tuple: "value", TupleGet: "value", Call: "value", FunctionCall: "value",
  Assign: "statement", Eval: "statement", If: "statement", For: "statement", While: "statement", Nest: "statement", Scope: "statement",
  Return: "statement", Yield: "statement", Break: "statement", Continue: "statement", Seq: "statement",
  Graph: "module", Function: "module", Module: "module",
};

/** Values are bounded where a statement holds them: those of a graph may be thousands deep, and are walked without recursion. */
const LIMITS: Readonly<Record<Sort, number>> = { type: 64, value: 1000, statement: 500, module: 64 };
/** Nodes of one type, spelt out. */
const TYPE_SIZE_LIMIT = 10_000;
/** Nodes of a module, spelt out: so many, or so many times the nodes of the file. */
const SIZE_LIMIT = 1_000_000;
const SHARING_LIMIT = 16;

/** How a module of a file of so many lines is too large, if it is. */
export function tooLarge(size: number, lines: number): Excess | undefined {
  const limit = Math.max(SIZE_LIMIT, lines * SHARING_LIMIT);
  return size > limit ? { code: "TF5056", size, limit } : undefined;
}

/** Too deep (TF5055) or too large (TF5056). */
export interface Excess {
  readonly code: "TF5055" | "TF5056";
  readonly size: number;
  readonly limit: number;
}

interface Measure {
  readonly height: number;
  readonly size: number;
}

const LEAF: Measure = { height: 1, size: 1 };

export class Measures {
  private readonly measures = new Map<Entry, Measure>();
  /** Sizes of what stands behind variables, walked where they are bound. */
  private hidden = 0;

  /** Measures an entry whose parts are measured; says how it is too deep or too large, if it is. */
  add(entry: Entry): Excess | undefined {
    const sort = SORT_OF[entry.kind];
    let height = 0;
    let size = 1;
    let held = 0;
    codecOf(entry.kind).refs(entry, (part) => {
      const { height: partHeight, size: partSize } = this.measures.get(part) ?? LEAF;
      const partSort = SORT_OF[part.kind];
      if (partSort === sort) height = Math.max(height, partHeight);
      else if (partSort === "value") held = Math.max(held, partHeight);
      if (sort === "type" || partSort !== "type") size += partSize;
    });
    const isLeaf = entry.kind === "Var" || entry.kind === "IterArg" || entry.kind === "Graph";
    if (entry.kind === "IterArg") this.hidden += size;
    this.measures.set(entry, isLeaf ? { height: height + 1, size: 1 } : { height: height + 1, size });
    if (sort !== "value" && height + 1 > LIMITS[sort]) return { code: "TF5055", size: height + 1, limit: LIMITS[sort] };
    if (sort === "statement" && held > LIMITS.value) return { code: "TF5055", size: held, limit: LIMITS.value };
    return sort === "type" && size > TYPE_SIZE_LIMIT ? { code: "TF5056", size, limit: TYPE_SIZE_LIMIT } : undefined;
  }

  sizeOf(entry: Entry): number {
    return (this.measures.get(entry)?.size ?? 1) + this.hidden;
  }
}
