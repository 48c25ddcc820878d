// What the emitter knows while it writes one function: names, what to declare first, ranges of index variables, mask widths.

import { NO_FACTS, rangeOf, toDim, toExpr, withBounds, type Bounds, type Dim, type Expr, type Facts, type FunctionNode, type Prim, type VarLike } from "@tilefoundry/ir";
import { Writer } from "../writer.ts";
import { Names } from "./names.ts";
import type { Prelude } from "./prelude.ts";

/** C text of an expression; `level` is its precedence class, 0 for what never needs parentheses. */
export interface CText {
  readonly text: string;
  readonly level: number;
}

/** Precedence classes that are written without parentheses inside each other; everything else gets them. */
export const LEVEL = { atom: 0, unary: 1, mul: 2, add: 3, compare: 4, logic: 5, ternary: 6 } as const;

export const atom = (text: string): CText => ({ text, level: LEVEL.atom });

export class Scope {
  readonly names: Names;
  readonly prelude: Prelude;
  /** How primitives are written: the table, handed in so that expressions and primitives need not import each other. */
  readonly primitive: (p: Prim, scope: Scope) => CText;
  writer = new Writer();
  /** Bits of a lane of mask variables. */
  readonly maskBits = new Map<VarLike, number>();
  /** Values written inside their only use. */
  readonly inlined = new Map<VarLike, Expr>();
  #facts: Facts;
  #pending: string[] = [];

  constructor(fn: FunctionNode, prelude: Prelude, primitive: Scope["primitive"], facts: Facts = NO_FACTS) {
    this.names = new Names(fn);
    this.prelude = prelude;
    this.primitive = primitive;
    this.#facts = facts;
  }

  learn(variable: VarLike, bounds: Bounds): void {
    this.#facts = withBounds(this.#facts, variable, bounds);
  }

  get facts(): Facts {
    return this.#facts;
  }

  /** Numeric bounds of an index expression, as far as they are known. */
  range(e: Expr): { readonly lo: number; readonly hi: number } {
    const dim = toDim(e);
    const { lo, hi } = dim === undefined ? { lo: undefined, hi: undefined } : rangeOf(this.#facts, dim);
    return { lo: lo ?? -Infinity, hi: hi ?? Infinity };
  }

  /** An extent as an expression. */
  extentExpr(extent: Dim): Expr {
    return toExpr(extent);
  }

  /** Declares a local before the statement that is being written. */
  declare(type: string, hint: string, value: string): string {
    const name = this.names.fresh(hint);
    this.#pending.push(`const ${type} ${name} = ${value};`);
    return name;
  }

  /** A statement that comes before the one that is being written. */
  before(text: string): void {
    this.#pending.push(text);
  }

  /** Writes what was declared, then the statement. */
  statement(make: () => string): void {
    const text = make();
    for (const line of this.takePending()) this.writer.line(line);
    this.writer.line(text);
  }

  takePending(): readonly string[] {
    const pending = this.#pending;
    this.#pending = [];
    return pending;
  }
}

/** The words of a text but for its comments: which names it uses. */
export const namesIn = (text: string): ReadonlySet<string> => new Set(text.replace(/\/\/.*$/gm, "").match(/\w+/g) ?? []);
