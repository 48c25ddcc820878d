// Who prints: what every printer of IR nodes needs to know, and the words of types, spaces and loops in each tradition.

import { make, type SExpr } from "@tilefoundry/grammar";
import { DTYPES, type Dialect, type DType, type Expr, type FunctionKind, type LoopMode, type Storage } from "@tilefoundry/ir";
import type { Ops } from "@tilefoundry/ops";

export interface Printing {
  readonly ops: Ops;
  readonly dialect: Dialect;
  /** Prints an expression: by its name if it has one. */
  readonly expr: (e: Expr) => SExpr;
  /** What stands before the name of a called function: `self.` in the methods of a program. */
  readonly owner: "" | "self.";
  /** In graph form: values that an assignment names, so that they are printed as that name. */
  readonly named: ReadonlyMap<Expr, string>;
}

/** `pl.FP32` or `"f32"`. */
export const dtypeExpr = (dtype: DType, dialect: Dialect): SExpr =>
  dialect === "pl" ? make.dotted(`pl.${DTYPES[dtype].pl}`) : make.text(dtype);

/** PyPTO's memory spaces; the others are strings in both traditions. */
export const PL_SPACES: { readonly [S in Storage]?: string } = {
  gmem: "DDR",
  vec: "Vec",
  mat: "Mat",
  left: "Left",
  right: "Right",
  acc: "Acc",
  bias: "Bias",
};

/** `pl.Mem.Acc` or `"acc"`. */
export function storageExpr(storage: Storage, dialect: Dialect): SExpr {
  const space = dialect === "pl" ? PL_SPACES[storage] : undefined;
  return space === undefined ? make.text(storage) : make.dotted(`pl.Mem.${space}`);
}

/** A list in pl functions, a tuple in tf functions. */
export const listExpr = (items: readonly SExpr[], dialect: Dialect): SExpr => (dialect === "pl" ? make.listOf(items) : make.tupleOf(items));

/** What follows `pl.` or `T.` in the header of a loop. */
export const LOOP_WORDS = {
  sequential: "range",
  parallel: "parallel",
  unroll: "unroll",
  pipeline: "pipeline",
  vector: "vector",
} as const satisfies Readonly<Record<LoopMode, string>>;

/** Decorator of a function kind, and PyPTO's function type where it is an argument of the decorator. */
export const DECORATORS = {
  graph: { name: "func" },
  prim: { name: "prim_func" },
  opaque: { name: "pl.function" },
  orchestration: { name: "pl.function", type: "Orchestration" },
  incore: { name: "pl.function", type: "InCore" },
  inline: { name: "pl.function", type: "Inline" },
  group: { name: "pl.function", type: "Group" },
  spmd: { name: "pl.function", type: "Spmd" },
} as const satisfies Readonly<Record<FunctionKind, { readonly name: string; readonly type?: string }>>;
