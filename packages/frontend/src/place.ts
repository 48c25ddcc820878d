// What statements and expressions of a function know of where they stand: one record for the function, one place for a block.

import type { Block, FunctionDef } from "@tilefoundry/grammar";
import type { Dialect, Expr, FunctionCall, FunctionKind, Level, Names, Param, Seq, SymbolDef, Type, Var } from "@tilefoundry/ir";
import type { OutsideFault } from "@tilefoundry/ops";
import type { Reporter, Span } from "@tilefoundry/text";
import type { ExprContext, ModuleContext } from "./context.ts";
import type { Binding, Env } from "./env.ts";
import type { Locals } from "./locals.ts";
import type { YieldSlot } from "./yield-slot.ts";

export interface FunctionScope {
  readonly module: ModuleContext;
  readonly reporter: Reporter;
  readonly dialect: Dialect;
  readonly kind: FunctionKind;
  readonly def: FunctionDef;
  readonly symbols: Symbols;
  readonly params: readonly ParamScope[];
  readonly locals: Locals;
  /** Names that the body assigns, with the first place and how often. */
  readonly assigned: ReadonlyMap<string, Assigned>;
  readonly names: Names;
  /** Variables that hold all that a call of a function gives. */
  readonly calls: Map<Var, FunctionCall>;
  /** Meshes around the place, by alias. */
  readonly meshes: Map<string, MeshAlias>;
  /** Loops over blocks around the place, outermost first. */
  readonly blocks: { readonly index: Expr; readonly count: Expr }[];
  /** Block index and count that the function takes from whoever calls it, if its body asks for them outside of such a loop. */
  readonly asked: Map<string, Var>;
  /** Accesses that are provably outside of their arrays. */
  readonly outside: OutsideFault[];
  /** What the first return gives. */
  returned: { readonly types: readonly Type[]; readonly span: Span } | undefined;
}

export interface MeshAlias {
  readonly axes: readonly { readonly name: string; readonly extent: number; readonly level: Level }[];
  /** Of a slice: what it is one of. */
  readonly partOf?: string;
}

/** A parameter and the wrapper its author gave it. */
export interface ParamScope {
  readonly var: Param["var"];
  readonly wrapper: "out" | "inout" | undefined;
}

export interface Assigned {
  readonly first: Span;
  readonly count: number;
}

/** The symbolic extents of a signature, in order of first appearance. */
export interface Symbols {
  readonly all: SymbolDef[];
  readonly byName: Map<string, SymbolDef>;
}

/** The innermost loop around a place, for `break`, `continue` and `return`. */
export interface LoopFrame {
  /** As in "the pl.parallel loop". */
  readonly word: string;
  readonly span: Span;
  /** Why `break` and `continue` may not leave it. */
  readonly fixed: string | undefined;
  /** The scope of its body; its parent is that around the loop. */
  readonly body: Env;
  readonly breaks: ReadonlyMap<string, Binding>[];
  readonly continues: ReadonlyMap<string, Binding>[];
}

export interface Place extends ExprContext {
  readonly fn: FunctionScope;
  readonly dialect: Dialect;
  readonly env: Env;
  readonly loop: LoopFrame | undefined;
}

/** Reads a block; `slot` takes the values of a yield at its end. */
export type LowerBlock = (syntax: Block, place: Place, slot?: YieldSlot) => Seq;
