// A whole text: its lines one by one, from the lexer through the grammar into the outline. A line at fault becomes one `BadStmt`
// with the block below it, and reading goes on behind it, so that nothing is read twice.

import { diagnostic, unreachable, type Diagnostic, type Reporter, type Source, type Span } from "@tilefoundry/text";
import type { Block, Comment, SExpr, SStmt } from "./ast.ts";
import * as Ch from "./characters.ts";
import { Grammar, type Reading } from "./grammar.ts";
import { NO_COMMENTS } from "./grammar-base.ts";
import type { Head } from "./headers.ts";
import { Lexer, type Line, type TextEnd } from "./lexer.ts";
import { ERROR_LIMIT } from "./limits.ts";
import { Outline } from "./outline.ts";
import type { HoleRange } from "./scanner.ts";
import * as T from "./tokens.ts";

let grammar: Grammar | undefined;

/** The parser is built once, at the first text. */
function theGrammar(): Grammar {
  return (grammar ??= new Grammar({ skipValidations: true }));
}

/** Words that open a block or go on with a statement that has one. */
const COMPOUND: ReadonlySet<T.Kind> = new Set([
  T.If, T.Elif, T.Else, T.For, T.While, T.With, T.Def, T.Class, T.Try, T.Except, T.Finally, T.Async, T.Match,
]);

export function readText(source: Source, holes: readonly HoleRange[] | undefined, reporter: Reporter): Block {
  const block = new TextReader(source, holes, reporter).read();
  theGrammar().release();
  return block;
}

class TextReader {
  private readonly source: Source;
  private readonly reporter: Reporter;
  private readonly lexer: Lexer;
  private readonly outline: Outline;
  /** The header that waits for its block: where the message belongs if none follows, and whose it is. */
  private awaited: { readonly span: Span; readonly head: Head; readonly word: string; readonly marked: boolean } | undefined;
  private ending: TextEnd | undefined;

  constructor(source: Source, holes: readonly HoleRange[] | undefined, reporter: Reporter) {
    this.source = source;
    this.reporter = reporter;
    this.lexer = new Lexer(source, holes, reporter);
    this.outline = new Outline(source, (why) => this.report(why));
  }

  read(): Block {
    const parser = theGrammar();
    let line = this.next();
    while (line !== undefined) {
      if (line.opens && this.awaited?.head.kind === "match") line = this.cases(line);
      else {
        this.indentation(line);
        this.take(line, parser.read(this.source, line));
        line = this.next();
      }
    }
    return this.finish();
  }

  private next(): Line | undefined {
    return this.full ? undefined : this.lexer.next();
  }

  private get full(): boolean {
    return this.reporter.diagnostics.length >= ERROR_LIMIT;
  }

  private report(why: Diagnostic): void {
    if (!this.full) this.reporter.diagnostics.push(why);
  }

  private indentation({ closed, opens, tokens }: Line): void {
    if (!opens) this.missingBlock();
    this.awaited = undefined;
    for (const comments of closed) this.outline.dedent(comments);
    if (opens) this.outline.indent(tokens[0]?.startOffset ?? 0);
  }

  private missingBlock(): void {
    const { awaited } = this;
    if (awaited === undefined || awaited.marked) return;
    this.report(diagnostic("TF1005", awaited.span, { what: `\`${awaited.word}\`` }));
  }

  // — what lines say —

  private take(line: Line, reading: Reading): void {
    switch (reading.kind) {
      case "simples":
        return this.outline.simple(reading.stmts);
      case "header":
        return this.header(line, reading.head, reading.stmts, reading.inner);
      case "decorator":
        return this.decorator(line, reading.value, reading.inner);
      case "fault":
        return this.fault(line, reading.why);
      default:
        return unreachable(reading);
    }
  }

  private header(line: Line, head: Head, stmts: readonly SStmt[] | undefined, inner: readonly Comment[]): void {
    const span = this.spanOf(line);
    const { comments, blankLines } = line.above;
    const leading = inner.length === 0 ? comments : [...comments, ...inner];
    const colon = { ...span, start: span.end - 1 };
    if (stmts !== undefined) {
      const block = { stmts, trailingComments: NO_COMMENTS, span: { ...span, start: stmts[0]?.span.start ?? span.end } };
      this.outline.header({ head, leading, trailing: undefined, blankLines, span, body: block });
      return;
    }
    this.awaited = { span: colon, head, word: line.tokens[0]?.image ?? "", marked: line.marked };
    this.outline.header({ head, leading, trailing: line.trailing, blankLines, span, body: emptyBlock(span) });
  }

  private decorator(line: Line, value: SExpr, inner: readonly Comment[]): void {
    const { comments, blankLines } = line.above;
    const leading = inner.length === 0 ? comments : [...comments, ...inner];
    const decorator = { value, leading: NO_COMMENTS, trailing: line.trailing, span: this.spanOf(line) };
    this.outline.decorator({ decorator, leading, blankLines });
  }

  /** The lexer may have said already what is wrong with the line. */
  private fault(line: Line, why: Diagnostic): void {
    if (!line.marked) this.report(why);
    const span = this.spanOf(line);
    const first = line.tokens[0];
    if (first?.tokenType === T.At) return this.decorator(line, { kind: "BadExpr", span: { ...span, start: first.end } }, NO_COMMENTS);
    const head: Head = { kind: "bad", compound: first !== undefined && COMPOUND.has(first.tokenType) };
    const { comments: leading, blankLines } = line.above;
    this.outline.header({ head, leading, trailing: line.trailing, blankLines, span, body: emptyBlock(span) });
  }

  /** From the first token to the last. */
  private spanOf({ tokens }: Line): Span {
    return { source: this.source, start: tokens[0]?.startOffset ?? 0, end: tokens[tokens.length - 1]?.end ?? 0 };
  }

  // — what is not read —

  /** The language has no `match`: its cases are passed as they are, from the first comment to the last. Returns the line behind. */
  private cases(first: Line): Line | undefined {
    const start = first.above.comments[0]?.span.start ?? this.spanOf(first).start;
    let line: Line | undefined = first;
    let end = start;
    for (let depth = 1; ; ) {
      if (line !== undefined) end = Math.max(this.spanOf(line).end, line.trailing?.span.end ?? 0);
      line = this.next();
      const closed: Line["closed"] = line?.closed ?? (this.ending = this.lexer.end()).closed;
      for (const comments of closed.slice(0, depth)) end = Math.max(end, comments.at(-1)?.span.end ?? 0);
      const rest = closed.slice(depth);
      depth -= closed.length;
      if (depth <= 0 || line === undefined) {
        this.outline.raw({ source: this.source, start, end });
        this.awaited = undefined;
        if (this.ending !== undefined) this.ending = { ...this.ending, closed: rest };
        return line === undefined ? undefined : { ...line, closed: rest };
      }
      if (line.opens) depth++;
    }
  }

  /** Ends the text; what was not read because of too many errors is kept as it is. */
  private finish(): Block {
    const { closed, trailing, at } = this.ending ?? this.lexer.end();
    this.missingBlock();
    for (const comments of closed) this.outline.dedent(comments);
    const { text } = this.source;
    const rest = text.slice(at).trim();
    if (rest === "") return this.outline.finish(trailing);
    const start = text.indexOf(rest, at);
    const span = { source: this.source, start, end: start + rest.length };
    this.reporter.report("TF1014", { ...span, end: Ch.lineEnd(text, start) }, { limit: ERROR_LIMIT });
    this.outline.simple([{ kind: "BadStmt", text: rest, leading: trailing, trailing: undefined, blankLines: 0, span }]);
    return this.outline.finish(NO_COMMENTS);
  }
}

/** Stands for a block until it is read. */
function emptyBlock({ source, end }: Span): Block {
  return { stmts: [], trailingComments: NO_COMMENTS, span: { source, start: end, end } };
}
