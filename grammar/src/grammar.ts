// The grammar of a text: logical lines and the indentation between them. The line at fault becomes one `BadStmt` with the block
// below it and reading goes on behind it, so that nothing is read twice; Chevrotain's own recovery is off.

import { isRecognitionException, type IRecognitionException } from "chevrotain";
import { diagnostic, type Diagnostic, type Source } from "@tilefoundry/text";
import type { Block, SExpr, SStmt } from "./ast.ts";
import { CommentQueue } from "./comments.ts";
import { expected, found } from "./describe.ts";
import { BAD, NO_COMMENTS, NO_SOURCE } from "./grammar-base.ts";
import { type Head, HeaderGrammar } from "./headers.ts";
import type { Lexed } from "./lexer.ts";
import { ERROR_LIMIT } from "./limits.ts";
import { Outline } from "./outline.ts";
import * as T from "./tokens.ts";

/** Words that open a block or go on with a statement that has one. */
const COMPOUND = new Set<unknown>([
  T.If, T.Elif, T.Else, T.For, T.While, T.With, T.Def, T.Class, T.Try, T.Except, T.Finally, T.Async, T.Match,
]);

export class Grammar extends HeaderGrammar {
  private outline = new Outline(NO_SOURCE, () => undefined);
  private diagnostics: Diagnostic[] = [];

  constructor(options: { readonly skipValidations: boolean }) {
    super(options.skipValidations);
    this.performSelfAnalysis();
    this.fold.reset();
  }

  /** Reads a whole text. */
  read(source: Source, { tokens, inner }: Lexed): { readonly body: Block; readonly diagnostics: readonly Diagnostic[] } {
    this.source = source;
    this.inner = new CommentQueue(inner);
    this.diagnostics = [];
    this.outline = new Outline(source, (why) => this.report(why));
    this.input = tokens;
    const body = this.file();
    const { diagnostics } = this;
    // the parser outlives the text
    this.input = [];
    this.source = NO_SOURCE;
    this.inner = new CommentQueue([]);
    this.outline = new Outline(NO_SOURCE, () => undefined);
    return { body, diagnostics };
  }

  private readonly file = this.RULE("file", (): Block => {
    do this.MANY(this.lineOrIndentation);
    while (!this.RECORDING_PHASE && this.noLine());
    const end = this.CONSUME(T.End) as T.Token;
    return this.outline.finish(end.trivia?.comments ?? NO_COMMENTS);
  });

  private readonly lineOrIndentation = (): void =>
    this.OR([
      { ALT: () => this.SUBRULE(this.line) },
      {
        ALT: () => {
          this.CONSUME(T.Indent);
          this.outline.indent(this.start());
        },
      },
      {
        ALT: () => {
          const { trivia } = this.CONSUME(T.Dedent) as T.Token;
          this.outline.dedent(trivia?.comments ?? NO_COMMENTS);
        },
      },
    ]);

  /** Where no statement begins: the line is at fault. False at the end of the text. */
  private noLine(): boolean {
    const next = this.LA(1) as T.Token;
    if (next.tokenType === T.End) return false;
    this.badLine(next, diagnostic("TF1002", this.spanOf(next), { expected: "a statement", found: found(next) }));
    return true;
  }

  private readonly line = this.RULE("line", (): void => {
    const first = this.LA(1) as T.Token;
    try {
      this.OR(this.lines);
    } catch (error) {
      if (this.RECORDING_PHASE || !isRecognition(error)) throw error;
      this.badLine(first, this.explain(error));
    }
  });

  private readonly lines = [
    {
      ALT: (): void => {
        const stmts = this.SUBRULE(this.simples);
        this.CONSUME(T.Newline);
        if (!this.RECORDING_PHASE) this.outline.simple(stmts);
      },
    },
    { ALT: (): void => this.headerLine() },
    { ALT: (): void => this.decoratorLine() },
  ];

  /** A header, and behind its colon the end of the line or statements. */
  private headerLine(): void {
    const first = this.LA(1) as T.Token;
    const head = this.SUBRULE(this.header);
    const inner = this.inner.before(this.end());
    this.CONSUME(T.Colon);
    const start = this.start();
    const stmts = this.OPTION(() => this.SUBRULE1(this.simples));
    const newline = this.CONSUME1(T.Newline) as T.Token;
    if (this.RECORDING_PHASE) return;
    const span = { source: this.source, start: first.startOffset, end: newline.startOffset };
    const trailing = stmts === undefined ? newline.trivia?.comments[0] : undefined;
    const body = stmts === undefined ? this.blockBelow(first, head, newline) : this.blockOf(stmts, start);
    const { leading, blankLines } = this.above(first, inner);
    this.outline.header({ head, leading, trailing, blankLines, span, body });
  }

  private blockOf(stmts: readonly SStmt[], start: number): Block {
    return { stmts, trailingComments: NO_COMMENTS, span: this.spanFrom(start) };
  }

  /** What stands for the block until it is read; for the cases of a `match`, their text alone. */
  private blockBelow(first: T.Token, head: Head, newline: T.Token): Block {
    const below = this.LA(1).tokenType === T.Indent;
    const colon = { source: this.source, start: newline.end - 1, end: newline.end };
    if (below && head.kind === "match") return this.cases();
    if (!below && newline.mark === 0) this.report(diagnostic("TF1005", colon, { what: `\`${first.image}\`` }));
    return { stmts: [], trailingComments: NO_COMMENTS, span: { ...colon, start: newline.end } };
  }

  /** The language has no `match`: its cases are passed as they are, from the first comment to the last. */
  private cases(): Block {
    this.SKIP_TOKEN();
    const start = (this.LA(1) as T.Token).trivia?.comments[0]?.span.start ?? this.start();
    let lastComment = 0;
    for (let depth = 0; this.LA(1).tokenType !== T.End; this.SKIP_TOKEN()) {
      const next = this.LA(1) as T.Token;
      lastComment = Math.max(lastComment, next.trivia?.comments.at(-1)?.span.end ?? 0);
      if (next.tokenType === T.Indent) depth++;
      else if (next.tokenType === T.Dedent && --depth < 0) break;
    }
    const span = { source: this.source, start, end: Math.max(this.end(), lastComment) };
    this.SKIP_TOKEN();
    this.inner.before(span.end);
    return { stmts: [], trailingComments: NO_COMMENTS, span };
  }

  private decoratorLine(): void {
    const first = this.LA(1) as T.Token;
    this.CONSUME(T.At);
    let value: SExpr = BAD;
    let newline: T.Token;
    try {
      value = this.SUBRULE(this.expression);
      newline = this.CONSUME2(T.Newline) as T.Token;
    } catch (error) {
      if (this.RECORDING_PHASE || !isRecognition(error)) throw error;
      newline = this.skipLine(this.explain(error));
      value = { kind: "BadExpr", span: this.spanFrom(first.end) };
    }
    const inner = this.inner.before(this.end());
    const { leading, blankLines } = this.above(first, inner);
    const decorator = { value, leading: NO_COMMENTS, trailing: newline.trivia?.comments[0], span: this.spanFrom(first.startOffset) };
    if (!this.RECORDING_PHASE) this.outline.decorator({ decorator, leading, blankLines });
  }

  // — lines at fault —

  private explain(error: IRecognitionException): Diagnostic {
    const { fault } = this;
    this.fault = undefined;
    if (fault !== undefined) return fault;
    const at = error.token;
    return diagnostic("TF1002", this.spanOf(at), { expected: expected(error.message, this.LA(0)), found: found(at) });
  }

  private badLine(first: T.Token, why: Diagnostic): void {
    const newline = this.skipLine(why);
    const trailing = newline.trivia?.comments[0];
    const span = { source: this.source, start: first.startOffset, end: Math.max(first.end, newline.startOffset) };
    const head: Head = { kind: "bad", compound: COMPOUND.has(first.tokenType) };
    const { leading, blankLines } = this.above(first, NO_COMMENTS);
    this.outline.header({ head, leading, trailing, blankLines, span, body: this.blockOf([], span.end) });
  }

  /** Moves behind the end of the logical line and reports why, unless the lexer has said what is wrong with it. */
  private skipLine(why: Diagnostic): T.Token {
    this.fold.reset();
    this.depth = 0;
    while (this.LA(1).tokenType !== T.Newline && this.LA(1).tokenType !== T.End) this.SKIP_TOKEN();
    const newline = this.LA(1) as T.Token;
    if (newline.tokenType === T.Newline) this.SKIP_TOKEN();
    this.inner.before(newline.startOffset);
    if (newline.mark === 0) this.report(why);
    return newline;
  }

  /** At the limit reading stops: the rest of the text belongs to the line at fault. */
  private report(why: Diagnostic): void {
    this.diagnostics.push(why);
    if (this.diagnostics.length < ERROR_LIMIT) return;
    while (this.LA(1).tokenType !== T.End) this.SKIP_TOKEN();
    this.inner.before(Infinity);
  }
}

function isRecognition(error: unknown): error is IRecognitionException {
  return error instanceof Error && isRecognitionException(error);
}
