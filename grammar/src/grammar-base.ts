// What all rules of the grammar share: the state of one parse, comments of elements, checks, positions. Spans come from tokens,
// so that the recording of the grammar, which calls every rule without a text, meets no node.

import { EmbeddedActionsParser, MismatchedTokenException, type IToken } from "chevrotain";
import { diagnostic, makeSource, type Code, type CodeParams, type Diagnostic, type Source, type Span } from "@tilefoundry/text";
import type { Comment, ElementComments, SExpr } from "./ast.ts";
import { CommentQueue, elementComments } from "./comments.ts";
import { EXPECTED } from "./describe.ts";
import { Fold } from "./fold.ts";
import { NO_TRIVIA } from "./layout.ts";
import type { Line } from "./lexer.ts";
import { OneToken } from "./lookahead.ts";
import * as T from "./tokens.ts";

export const NO_COMMENTS: readonly Comment[] = [];
export const NO_SOURCE = makeSource("", "");

/** What rules return while the grammar is recorded, where an expression must be. */
export const BAD: SExpr = { kind: "BadExpr", span: { source: NO_SOURCE, start: 0, end: 0 } };

/** Kinds that end a list. */
const ENDS = new Uint8Array(1024);
for (const k of [T.RParen, T.RSquare, T.RCurly, T.Colon, T.Assign, T.AugAssign, T.Newline, T.Semicolon, T.In, T.Arrow]) {
  ENDS[k.tokenTypeIdx] = 1;
}

const UNASSIGNABLE: Readonly<Partial<Record<SExpr["kind"], string>>> = {
  Hole: "a hole", Num: "a number", Str: "a string", Keyword: "a constant", SetDisplay: "a set", DictDisplay: "a dictionary",
  Comprehension: "a comprehension", Lambda: "a lambda", Ternary: "a conditional expression", Unary: "an expression", Binary: "an expression",
  BoolOp: "an expression", Compare: "a comparison", Call: "a call", Await: "an expression", YieldExpr: "a yield", Walrus: "an expression",
};

const OPEN: Readonly<Partial<Record<SExpr["kind"], string>>> = {
  Ternary: "a conditional expression", Lambda: "a lambda", Walrus: "`:=`", YieldExpr: "a yield",
};

export const NO_LINE: Line = {
  tokens: [], inner: [], above: NO_TRIVIA, trailing: undefined, marked: false, opens: false, closed: [],
};

export abstract class GrammarBase extends EmbeddedActionsParser {
  protected source: Source = NO_SOURCE;
  /** The line that is read. */
  protected logical: Line = NO_LINE;
  protected readonly inner = new CommentQueue();
  protected readonly fold = new Fold();
  /** Expressions and blocks around the place that is read. */
  protected depth = 0;
  /** Height of the expression read last. */
  protected height = 0;
  /** Why the exception on its way was thrown, if not by the grammar itself. */
  protected fault: Diagnostic | undefined;

  protected constructor(skipValidations: boolean) {
    super([...T.KINDS], { recoveryEnabled: false, maxLookahead: 1, lookaheadStrategy: new OneToken(), skipValidations, errorMessageProvider: EXPECTED });
  }

  // — comments of elements —

  /** Comments above the element that begins. */
  protected leading(): readonly Comment[] {
    return this.inner.next === Infinity ? NO_COMMENTS : this.inner.before(this.start());
  }

  /** Gives an element the comments above it, inside it where no smaller element has claimed them, and behind it. */
  protected element<N extends { readonly comments?: ElementComments }>(node: N, above: readonly Comment[]): N {
    const { inner } = this;
    if (above.length === 0 && inner.next === Infinity) return node;
    const end = this.end();
    const inside = inner.before(end);
    const next = this.LA(1).tokenTypeIdx === T.Comma.tokenTypeIdx ? this.LA(2) : this.LA(1);
    const behind = inner.behind(end, next.startOffset);
    if (above.length === 0 && inside.length === 0 && behind === undefined) return node;
    return { ...node, comments: elementComments([...above, ...inside], behind) };
  }

  /** Comments before the bracket that closes now. */
  protected rest(): readonly Comment[] | undefined {
    if (this.inner.next === Infinity) return undefined;
    const trailing = this.inner.before(this.start());
    return trailing.length === 0 ? undefined : trailing;
  }

  // — checks —

  protected assignable(target: SExpr): void {
    if (target.kind === "TupleDisplay" || target.kind === "ListDisplay") return target.items.forEach((item) => this.assignable(item));
    if (target.kind === "Starred" || target.kind === "Paren") return this.assignable(target.value);
    const what = UNASSIGNABLE[target.kind];
    if (what !== undefined) this.fail("TF1016", target.span, { what });
  }

  /** What a comprehension iterates over and its conditions have no `if … else`, `lambda` or `:=` outside brackets; nor has a conditional's condition. */
  protected closed(e: SExpr): void {
    const what = OPEN[e.kind];
    if (what !== undefined) this.fail("TF1002", e.span, { expected: `parentheses around ${what}`, found: "none" });
  }

  /** Whether what comes ends a list: then the comma before it was the last. */
  protected atEnd(): boolean {
    return ENDS[this.LA(1).tokenTypeIdx] === 1;
  }

  /** Ends the logical line with a message of our own. */
  protected fail<C extends Code>(code: C, span: Span, params: CodeParams<C>): never {
    this.fault = diagnostic(code, span, params);
    throw new MismatchedTokenException(code, this.LA(1), this.LA(0));
  }

  // — positions —

  protected start(): number {
    return this.LA(1).startOffset;
  }

  protected end(): number {
    return (this.LA(0) as T.Token).end;
  }

  protected spanFrom(start: number): Span {
    return { source: this.source, start, end: this.end() };
  }

  protected spanOf(token: IToken): Span {
    return { source: this.source, start: token.startOffset, end: (token as T.Token).end };
  }

  protected nextSpan(): Span {
    return this.spanOf(this.LA(1));
  }
}

