// Text → logical lines of tokens. Indentation, joined lines and brackets are read here, so that the grammar is free of context.
// Tabs go to the next multiple of eight, as in Python. Lines are made one at a time: their tokens need not outlive them.
//
// An unclosed bracket ends where its statement seems to end. A line whose error is reported here is marked, and the parser says
// nothing more about it.

import { Reporter, span, type Source } from "@tilefoundry/text";
import type { Comment } from "./ast.ts";
import * as Ch from "./characters.ts";
import { Layout, type Trivia } from "./layout.ts";
import { BRACKET_LIMIT, NESTING_LIMIT } from "./limits.ts";
import { CLOSERS } from "./operators.ts";
import { become, type HoleRange, Scanner, type Scope } from "./scanner.ts";
import * as T from "./tokens.ts";

/** A comment inside brackets, and where its physical line begins. */
export interface InnerComment {
  readonly comment: Comment;
  readonly lineStart: number;
}

/** A logical line. */
export interface Line {
  /** At least one, then a newline. */
  readonly tokens: T.Token[];
  /** Comments inside its brackets. */
  readonly inner: readonly InnerComment[];
  /** Comments and blank lines above it. */
  readonly above: Trivia;
  /** The comment behind it. */
  readonly trailing: Comment | undefined;
  /** Its error is reported. */
  readonly marked: boolean;
  /** It begins a block. */
  readonly opens: boolean;
  /** The blocks that end before it, innermost first, each with the comments at its tail. */
  readonly closed: readonly (readonly Comment[])[];
}

/** What stands behind the last line. */
export interface TextEnd {
  readonly closed: readonly (readonly Comment[])[];
  readonly trailing: readonly Comment[];
  /** Where reading stopped; the end of the text unless there were too many errors. */
  readonly at: number;
}

/** Where a logical line ends if its brackets turn out never to be closed. */
interface Cut {
  readonly offset: number;
  readonly tokens: number;
  readonly inner: number;
  /** End of the last token before it. */
  readonly end: number;
  readonly open: Scope | undefined;
}

/** Words that begin a statement and never stand inside brackets, and those that do both. */
const STATEMENT_WORDS = new Set(
  "def class while return import from with pass break continue try except finally raise assert del global nonlocal elif".split(" "),
);
const TWO_WAY_WORDS = new Set(["for", "if", "else", "async"]);

const COMPOUND = new Set([T.Def, T.Class, T.While, T.For, T.If, T.Elif, T.Else, T.With, T.Try, T.Except, T.Finally, T.Async].map((k) => k.tokenTypeIdx));

/** What may follow `match` as a statement. */
const SUBJECTS = new Set(
  [T.Name, T.Number, T.String, T.Hole, T.LParen, T.LSquare, T.LCurly, T.Sign, T.Tilde, T.Star, T.Not, T.Lambda, T.Await, T.Constant, T.Bad].map(
    (k) => k.tokenTypeIdx,
  ),
);

export class Lexer extends Scanner {
  private readonly layout: Layout;
  private inner: InnerComment[] = [];
  /** Where the physical line begins. */
  private physical = 0;
  /** Where the logical line begins. */
  private begin = 0;
  private cut: Cut | undefined;
  private trailing: Comment | undefined;
  private opensBlock = false;
  /** Characters read more than once because of brackets that are never closed. */
  private wasted = 0;

  constructor(source: Source, holes: readonly HoleRange[] | undefined, reporter: Reporter) {
    super(source, holes ?? [], reporter);
    this.layout = new Layout(holes !== undefined);
    if (this.text.charCodeAt(0) === 0xfeff) this.pos = 1;
  }

  /** The next logical line, or undefined at the end of the text. */
  next(): Line | undefined {
    while (this.pos < this.text.length) {
      this.physical = this.pos;
      const column = this.indentation();
      const c = this.text.charCodeAt(this.pos);
      if (c === Ch.LF || c === Ch.CR) {
        this.layout.blankLine();
        this.pos = Ch.afterBreak(this.text, this.pos);
      } else if (c === Ch.HASH) {
        this.layout.comment(this.comment(), column);
        this.pos = Ch.afterBreak(this.text, this.pos);
      } else if (c === Ch.BACKSLASH && Ch.lineEnd(this.text, this.pos) === this.pos + 1) {
        this.pos = Ch.afterBreak(this.text, this.pos + 1);
      } else if (this.pos < this.text.length) return this.line(column);
    }
    return undefined;
  }

  /** Ends all blocks. */
  end(): TextEnd {
    return { closed: this.layout.end(), trailing: this.layout.trivia().comments, at: this.pos };
  }

  private line(column: number): Line {
    const at = this.pos;
    this.tokens = [];
    if (this.inner.length > 0) this.inner = [];
    this.column = column;
    this.begin = at;
    this.flagged = this.colon = false;
    this.cut = this.trailing = undefined;
    if (this.brackets.length > 0) this.brackets.length = 0;
    this.lineScope.target = false;
    const { closed, opens, fault } = this.layout.line(column, this.opensBlock);
    if (fault !== undefined) this.report(fault === "indent" ? "TF1003" : "TF1004", this.physical, at, {});
    this.flagged = false; // the line itself may be faultless or not
    if (this.layout.depth > NESTING_LIMIT) this.tooDeep(at, column - 1, NESTING_LIMIT);
    else this.restOfLine();
    return this.endLine(closed, opens);
  }

  /** Tokens up to the end of the logical line. */
  private restOfLine(): void {
    const { text } = this;
    for (;;) {
      const c = text.charCodeAt(this.pos);
      if (c === 32 || c === 9 || c === 12) this.pos++;
      else if (c === Ch.LF || c === Ch.CR) {
        if (this.brackets.length === 0) break;
        this.pos = Ch.afterBreak(text, this.pos);
        if (this.lineInBrackets()) return this.unclosed();
      } else if (c === Ch.HASH) this.commentInLine();
      else if (this.pos >= text.length) {
        if (this.brackets.length > 0) return this.unclosed();
        break;
      } else if (c === Ch.BACKSLASH) this.continuation();
      else if (this.token(c)) return;
    }
    this.pos = Math.min(Ch.afterBreak(text, this.pos), text.length);
  }

  private endLine(closed: Line["closed"], opens: boolean): Line {
    const { tokens } = this;
    const head = tokens[0];
    const last = tokens[tokens.length - 1];
    if (head !== undefined) this.retag(head, last);
    this.opensBlock = last?.tokenType === T.Colon || (COMPOUND.has(head?.tokenTypeIdx ?? -1) && !this.colon);
    this.push(T.Newline, "", this.lastEnd, this.lastEnd);
    return { tokens, inner: this.inner, above: this.layout.trivia(), trailing: this.trailing, marked: this.flagged, opens, closed };
  }

  /** `match` and `type` are words of a statement only where their line has its shape. */
  private retag(head: T.Token, last: T.Token | undefined): void {
    if (head.tokenTypeIdx !== T.Name.tokenTypeIdx) return;
    if (head.image === "match") {
      if (last?.tokenType === T.Colon && SUBJECTS.has(this.tokens[1]?.tokenTypeIdx ?? -1)) become(head, T.Match);
    } else if (head.image === "type" && this.tokens[1]?.tokenType === T.Name) become(head, T.Type);
  }

  private commentInLine(): void {
    if (this.brackets.length === 0) this.trailing = this.comment();
    else this.inner.push({ comment: this.comment(), lineStart: this.physical });
  }

  // — brackets —

  protected open(image: string, at: number): boolean {
    this.brackets.push({ image, at, comprehension: false, target: false });
    const limit = Math.min(BRACKET_LIMIT, NESTING_LIMIT - this.layout.depth);
    if (this.brackets.length <= limit) return false;
    if (this.cut === undefined) this.tooDeep(at, this.column, limit);
    else this.unclosed();
    return true;
  }

  protected close(image: string, at: number): void {
    const { brackets } = this;
    const top = brackets.pop();
    if (top === undefined) return this.report("TF1007", at, at + 1, { closer: `\`${image}\`` }, this.removal(at, at + 1));
    const closer = CLOSERS[top.image];
    if (closer === image) return;
    const related = [{ message: "opened here", span: span(this.source, top.at, top.at + 1) }];
    const matching = brackets.findLastIndex((open) => CLOSERS[open.image] === image);
    if (matching < 0) return this.report("TF1002", at, at + 1, { expected: `\`${closer}\``, found: `\`${image}\`` }, { related });
    brackets.length = matching;
    this.report("TF1006", top.at, top.at + 1, { opener: `\`${top.image}\``, closer: `\`${closer}\`` });
  }

  /** A physical line begins inside brackets. True if it cannot belong to them. */
  private lineInBrackets(): boolean {
    this.physical = this.pos;
    const column = this.indentation();
    const c = this.text.charCodeAt(this.pos);
    if (c === Ch.LF || c === Ch.CR || c === Ch.HASH || this.pos >= this.text.length) return false;
    const closes = c === 41 || c === 93 || c === 125;
    const header = this.tokens[this.tokens.length - 1]?.tokenType === T.Colon && COMPOUND.has(this.tokens[0]?.tokenTypeIdx ?? -1);
    const word = Ch.CLASS[c] === Ch.LETTER ? this.text.slice(this.pos, Ch.nameEnd(this.text, this.pos)) : "";
    const statement = STATEMENT_WORDS.has(word);
    if (statement || header || (column <= this.column && !closes)) this.cut ??= this.cutAt(this.physical);
    // once that much was read twice, the first line that may be another statement is taken for one
    if (this.cut !== undefined && this.wasted > this.text.length) return true;
    return statement || (column <= this.column && TWO_WAY_WORDS.has(word) && this.endsWithColon());
  }

  private cutAt(offset: number): Cut {
    return { offset, tokens: this.tokens.length, inner: this.inner.length, end: this.lastEnd, open: this.brackets[this.brackets.length - 1] };
  }

  private endsWithColon(): boolean {
    return /:\s*(?:#.*)?$/.test(this.text.slice(this.pos, Ch.lineEnd(this.text, this.pos)));
  }

  /** The brackets of this line are never closed: it ends at its cut, and reading goes on there. */
  private unclosed(): void {
    const cut = this.cut ?? this.cutAt(this.text.length);
    this.wasted += this.pos - cut.offset;
    this.tokens.length = cut.tokens;
    this.inner.length = cut.inner;
    this.pos = cut.offset;
    this.lastEnd = cut.end;
    this.colon = this.tokens[cut.tokens - 1]?.tokenType === T.Colon;
    this.trailing = undefined;
    while (this.hole > 0 && (this.holes[this.hole - 1]?.start ?? 0) >= cut.offset) this.hole--;
    // what was said about lines behind the cut is said again when they are read
    const { diagnostics } = this.reporter;
    while ((diagnostics[diagnostics.length - 1]?.span?.start ?? 0) >= cut.offset) diagnostics.pop();
    const open = cut.open;
    if (open !== undefined) {
      this.flagged &&= this.faultAt < cut.offset;
      this.report("TF1006", open.at, open.at + 1, { opener: `\`${open.image}\``, closer: `\`${CLOSERS[open.image]}\`` });
    }
    this.flagged = true;
  }

  /** Reports the depth and keeps this logical line, or all lines deeper than `column`, as one piece of bad text. */
  private tooDeep(at: number, column: number, limit: number): void {
    const { text } = this;
    this.report("TF1011", at, Math.min(at + 1, text.length), { limit });
    let end = Ch.lineEnd(text, this.pos);
    for (let next = end; next < text.length; ) {
      this.pos = Ch.afterBreak(text, next);
      const deeper = this.indentation() > column;
      next = Ch.lineEnd(text, this.pos);
      const closes = ")]}".includes(text.charAt(this.pos));
      if (next > this.pos) {
        if (!deeper && !closes) break;
        end = next;
      }
    }
    while (this.hole < this.holes.length && (this.holes[this.hole]?.start ?? 0) < end) this.hole++;
    this.tokens.length = 0;
    this.push(T.Bad, "", this.begin, end);
    this.pos = Ch.afterBreak(text, end);
  }
}
