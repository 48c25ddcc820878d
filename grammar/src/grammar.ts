// The grammar of one logical line: simple statements, a header, a decorator. `read.ts` hands it the lines of a text and nests what
// they say. Chevrotain's own recovery is off: of a line at fault it says why, and that is all.

import { isRecognitionException, type IRecognitionException } from "chevrotain";
import { diagnostic, invariant, type Diagnostic, type Source } from "@tilefoundry/text";
import type { Comment, SExpr, SStmt } from "./ast.ts";
import { expected, found } from "./describe.ts";
import { NO_LINE, NO_SOURCE } from "./grammar-base.ts";
import { type Head, HeaderGrammar } from "./headers.ts";
import type { Line } from "./lexer.ts";
import * as T from "./tokens.ts";

/** What a line says. `inner` are comments in its brackets that stand at no element. */
export type Reading =
  | { readonly kind: "simples"; readonly stmts: readonly SStmt[] }
  | { readonly kind: "header"; readonly head: Head; readonly stmts: readonly SStmt[] | undefined; readonly inner: readonly Comment[] }
  | { readonly kind: "decorator"; readonly value: SExpr; readonly inner: readonly Comment[] }
  | { readonly kind: "fault"; readonly why: Diagnostic };

export class Grammar extends HeaderGrammar {
  /** What the line says, once it was read to its end. */
  private reading: Reading | undefined;

  constructor(options: { readonly skipValidations: boolean }) {
    super(options.skipValidations);
    this.performSelfAnalysis();
    // the recording has left traces
    this.restart();
  }

  private restart(): void {
    this.fold.reset();
    this.endLists();
    this.depth = 0;
  }

  read(source: Source, line: Line): Reading {
    this.source = source;
    this.logical = line;
    this.inner.load(line.inner);
    this.reading = undefined;
    this.input = line.tokens;
    this.line();
    if (this.reading !== undefined) return this.reading;
    this.restart();
    return { kind: "fault", why: this.explain() };
  }

  /** Lets go of the text: the parser outlives it. */
  release(): void {
    this.source = NO_SOURCE;
    this.logical = NO_LINE;
    this.inner.load([]);
    this.input = [];
    this.releaseLists();
    this.reading = undefined;
  }

  private readonly line = this.RULE("line", (): void => {
    const reading = this.OR(this.lines);
    this.CONSUME(T.Newline);
    this.reading = reading;
  });

  private readonly lines = [
    { ALT: (): Reading => ({ kind: "simples", stmts: this.SUBRULE(this.simples) }) },
    { ALT: (): Reading => this.headerLine() },
    { ALT: (): Reading => this.decoratorLine() },
  ];

  /** A header, and behind its colon the end of the line or statements. */
  private headerLine(): Reading {
    const head = this.SUBRULE(this.header);
    const inner = this.inner.before(this.end());
    this.CONSUME(T.Colon);
    const stmts = this.OPTION(() => this.SUBRULE1(this.simples));
    return { kind: "header", head, stmts, inner };
  }

  private decoratorLine(): Reading {
    this.CONSUME(T.At);
    const value = this.SUBRULE(this.expression);
    return { kind: "decorator", value, inner: this.inner.before(this.end()) };
  }

  /** Why the line could not be read to its end. */
  private explain(): Diagnostic {
    const { fault } = this;
    this.fault = undefined;
    if (fault !== undefined) return fault;
    const error = this.errors[0];
    invariant(error !== undefined && isRecognitionException(error), () => "a line at fault without an error");
    const { message, token } = error;
    const previous = previousOf(error) ?? token;
    const what = { expected: expected(message, previous), found: found(token) };
    if (message !== T.Colon.LABEL || token.tokenType !== T.Newline) return diagnostic("TF1002", this.spanOf(token), what);
    const fix = { title: "add `:`", edits: [{ span: this.spanOf(token), text: ":" }] };
    return diagnostic("TF1002", this.spanOf(token), what, { fixes: [fix] });
  }
}

/** All exceptions of Chevrotain's but one for input left over have it; the types do not say so. */
function previousOf(error: IRecognitionException): T.Token | undefined {
  return (error as { readonly previousToken?: T.Token }).previousToken;
}
