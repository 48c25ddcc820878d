// The stages of loop-form.md and which node kinds each admits. A stage type is deep: it narrows all the way down and still
// widens to `Stmt` for shared walkers, so that an emitter cannot meet what its stage excludes.

import type { Expr, FunctionNode, ModuleNode, Node, Stmt } from "./nodes.ts";

export const STAGES = ["parsed", "ssa", "outlined", "lowered", "mapped", "placed"] as const;
export type Stage = (typeof STAGES)[number];

/** Kinds that may stand at each stage. `Graph` bodies stand at `parsed` only. */
export const STAGE_KINDS = {
  parsed: ["Var", "IterArg", "Const", "Prim", "Tuple", "TupleGet", "Call", "FunctionCall", "Assign", "Eval", "If", "For", "While", "Nest", "Scope", "Return", "Yield", "Break", "Continue", "Seq"],
  ssa: ["Var", "IterArg", "Const", "Prim", "Tuple", "TupleGet", "Call", "FunctionCall", "Assign", "Eval", "If", "For", "While", "Nest", "Scope", "Return", "Yield", "Seq"],
  outlined: ["Var", "IterArg", "Const", "Prim", "Tuple", "TupleGet", "Call", "FunctionCall", "Assign", "Eval", "If", "For", "While", "Nest", "Scope", "Return", "Yield", "Seq"],
  lowered: ["Var", "IterArg", "Const", "Prim", "Assign", "Eval", "If", "For", "While", "Nest", "Return", "Yield", "Seq"],
  mapped: ["Var", "IterArg", "Const", "Prim", "Assign", "Eval", "If", "For", "While", "Return", "Yield", "Seq"],
  placed: ["Var", "IterArg", "Const", "Prim", "Assign", "Eval", "If", "For", "While", "Return", "Yield", "Seq"],
} as const satisfies Readonly<Record<Stage, readonly Node["kind"][]>>;

export type KindAt<S extends Stage> = (typeof STAGE_KINDS)[S][number];

type At<N, S> = N extends { readonly kind: infer K } ? (K extends S ? { readonly [F in keyof N]: AtField<N[F], S> } : K extends Node["kind"] ? never : N) : N;
type AtField<F, S> = F extends readonly (infer E)[] ? readonly At<E, S>[] : At<F, S>;

/** A statement, expression, function or module of which every part may stand at the stage. */
export type StmtAt<S extends Stage> = At<Stmt, KindAt<S>>;
export type ExprAt<S extends Stage> = At<Expr, KindAt<S>>;
export type FunctionAt<S extends Stage> = Omit<FunctionNode, "body"> & { readonly body: Extract<StmtAt<S>, { readonly kind: "Seq" }> };
export type ModuleAt<S extends Stage> = Omit<ModuleNode, "functions"> & { readonly functions: readonly FunctionAt<S>[] };
