// Text → tokens. Lines, indentation and brackets are read here: the lexer pushes INDENT, DEDENT and NEWLINE, so that the grammar
// is free of context. Tabs go to the next multiple of eight, as in Python. Comments and blank lines become trivia of tokens.
//
// A faulty token becomes `Bad`, an unclosed bracket ends where its statement seems to end; the newline of such a line is marked,
// and the parser says nothing more about it.

import { Reporter, span, type Code, type CodeParams, type Diagnostic, type DiagnosticExtras, type Source } from "@tilefoundry/text";
import type { Comment } from "./ast.ts";
import * as Ch from "./characters.ts";
import { Layout } from "./layout.ts";
import { BRACKET_LIMIT, ERROR_LIMIT, NESTING_LIMIT } from "./limits.ts";
import { numberEnd, plainIntegerEnd } from "./numbers.ts";
import { CLOSERS, OPERATORS, type Operator } from "./operators.ts";
import { isStringPrefix, stringEnd } from "./strings.ts";
import * as T from "./tokens.ts";

/** A hole of a template: offsets of the `${…}` that stands for it. */
export interface HoleRange {
  readonly start: number;
  readonly end: number;
}

/** A comment inside brackets, and where its physical line begins. */
export interface InnerComment {
  readonly comment: Comment;
  readonly lineStart: number;
}

export interface Lexed {
  readonly tokens: T.Token[];
  readonly inner: readonly InnerComment[];
  readonly diagnostics: readonly Diagnostic[];
}

export function lex(source: Source, holes?: readonly HoleRange[]): Lexed {
  return new Lexer(source, holes).run();
}

/** An open bracket, or the line outside of brackets. */
interface Open {
  readonly image: string;
  readonly at: number;
  /** Whether `for` stood directly inside. */
  comprehension: boolean;
  /** Whether the targets of a `for` are being read. */
  target: boolean;
}

const MEANINGS = new Set([T.For, T.If, T.In]);

/** Where a logical line ends if its brackets turn out never to be closed. */
interface Cut {
  readonly offset: number;
  readonly tokens: number;
  readonly inner: number;
  /** End of the last token before it. */
  readonly end: number;
  readonly open: Open | undefined;
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

/** What ends a run of stray characters though it begins no token. */
const STRAY_ENDS = new Set([Ch.LF, Ch.CR, Ch.HASH, Ch.BACKSLASH, Ch.DOLLAR]);

class Lexer {
  private readonly source: Source;
  private readonly text: string;
  private readonly holes: readonly HoleRange[];
  private readonly layout: Layout;
  private readonly reporter = new Reporter();
  private readonly tokens: T.Token[] = [];
  private readonly inner: InnerComment[] = [];
  private pos = 0;
  private hole = 0;
  /** Where the physical line begins. */
  private physical = 0;
  /** End of the last token. */
  private lastEnd = 0;
  private stopped = false;
  private opensBlock = false;
  /** No f-string that begins before this offset is tried with quotes inside its fields again. */
  private plainBefore = 0;

  // — the logical line being read —
  private first = 0;
  private begin = 0;
  private column = 0;
  private flagged = false;
  private faultAt = 0;
  /** A colon outside brackets was seen. */
  private colon = false;
  private readonly brackets: Open[] = [];
  private readonly lineScope: Open = { image: "", at: 0, comprehension: false, target: false };
  private cut: Cut | undefined;
  private trailing: Comment | undefined;

  constructor(source: Source, holes: readonly HoleRange[] | undefined) {
    this.source = source;
    this.text = source.text;
    this.holes = holes ?? [];
    this.layout = new Layout(holes !== undefined);
  }

  run(): Lexed {
    if (this.text.charCodeAt(0) === 0xfeff) this.pos = 1;
    while (this.pos < this.text.length && !this.stopped) this.line();
    this.finish();
    return { tokens: this.tokens, inner: this.inner, diagnostics: this.reporter.diagnostics };
  }

  // — lines —

  private line(): void {
    this.physical = this.pos;
    const column = this.indentation();
    const c = this.text.charCodeAt(this.pos);
    if (c === Ch.LF || c === Ch.CR) {
      this.layout.blankLine();
      this.pos = Ch.afterBreak(this.text, this.pos);
    } else if (c === Ch.HASH) {
      this.layout.comment(this.comment(), column);
      this.pos = Ch.afterBreak(this.text, this.pos);
    } else if (this.pos < this.text.length) {
      this.beginLine(column);
      if (this.layout.depth > NESTING_LIMIT) this.tooDeep(column - 1, NESTING_LIMIT);
      else this.restOfLine();
      this.endLine();
    }
  }

  /** Moves to the first character that is no blank and returns its column. */
  private indentation(): number {
    let column = 0;
    for (; ; this.pos++) {
      const c = this.text.charCodeAt(this.pos);
      if (c === 32) column++;
      else if (c === 9) column += 8 - (column % 8);
      else if (c === 12) column = 0;
      else return column;
    }
  }

  private beginLine(column: number): void {
    const at = this.pos;
    this.column = column;
    this.begin = at;
    this.flagged = this.colon = false;
    this.cut = this.trailing = undefined;
    this.brackets.length = 0;
    this.lineScope.target = false;
    const { closed, opens, fault } = this.layout.line(column, this.opensBlock);
    for (const trivia of closed) this.push(T.Dedent, "", this.lastEnd, this.lastEnd).trivia = trivia;
    if (opens) this.push(T.Indent, "", at, at);
    this.first = this.tokens.length;
    if (fault === undefined) return;
    this.report(fault === "indent" ? "TF1003" : "TF1004", this.physical, at, {});
    this.flagged = false; // the line itself may be faultless or not
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
    this.pos = Ch.afterBreak(text, this.pos);
  }

  private endLine(): void {
    const { tokens, first } = this;
    const head = tokens[first];
    if (head === undefined) return;
    this.retag(head);
    const last = tokens[tokens.length - 1];
    this.opensBlock = last?.tokenType === T.Colon || (COMPOUND.has(head.tokenTypeIdx) && !this.colon);
    head.trivia = this.layout.trivia();
    const newline = this.push(T.Newline, "", this.lastEnd, this.lastEnd);
    if (this.flagged) newline.mark = 1;
    if (this.trailing !== undefined) newline.trivia = { comments: [this.trailing], blankLines: 0 };
  }

  /** `match` and `type` are words of a statement only where their line has its shape. */
  private retag(head: T.Token): void {
    if (head.tokenType !== T.Name) return;
    const second = this.tokens[this.first + 1]?.tokenType;
    const last = this.tokens[this.tokens.length - 1];
    if (head.image === "match" && last?.tokenType === T.Colon && SUBJECTS.has(second?.tokenTypeIdx ?? -1)) become(head, T.Match);
    if (head.image === "type" && second === T.Name) become(head, T.Type);
  }

  private finish(): void {
    const at = this.text.length;
    const rest = this.stopped && /\S/.test(this.text.slice(this.pos));
    for (const trivia of this.layout.end()) this.push(T.Dedent, "", this.lastEnd, this.lastEnd).trivia = trivia;
    if (rest) {
      this.push(T.Bad, "", this.pos, at);
      this.push(T.Newline, "", at, at).mark = 1;
    }
    this.push(T.End, "", at, at).trivia = this.layout.trivia();
  }

  // — brackets —

  private open(image: string, at: number): boolean {
    this.brackets.push({ image, at, comprehension: false, target: false });
    const limit = Math.min(BRACKET_LIMIT, NESTING_LIMIT - this.layout.depth);
    if (this.brackets.length <= limit) return false;
    if (this.cut === undefined) this.tooDeep(this.column, limit);
    else this.unclosed();
    return true;
  }

  private close(image: string, at: number): void {
    const { brackets } = this;
    const top = brackets.pop();
    if (top === undefined) return this.report("TF1007", at, at + 1, { closer: `\`${image}\`` });
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
    const header = this.tokens[this.tokens.length - 1]?.tokenType === T.Colon && COMPOUND.has(this.tokens[this.first]?.tokenTypeIdx ?? -1);
    const word = Ch.CLASS[c] === Ch.LETTER ? this.text.slice(this.pos, Ch.nameEnd(this.text, this.pos)) : "";
    const statement = STATEMENT_WORDS.has(word);
    if (statement || header || (column <= this.column && !closes)) this.cut ??= this.cutAt(this.physical);
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
  private tooDeep(column: number, limit: number): void {
    const { text } = this;
    this.report("TF1011", this.pos, Math.min(this.pos + 1, text.length), { limit });
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
    this.tokens.length = this.first;
    this.push(T.Bad, "", this.begin, end);
    this.pos = Ch.afterBreak(text, end);
  }

  // — comments, continuations, holes —

  /** The comment at `pos`, which moves to the end of its line. */
  private comment(): Comment {
    const start = this.pos;
    this.pos = Ch.lineEnd(this.text, start);
    if (this.hole < this.holes.length) this.holesInside(this.pos, "inside a comment");
    const from = this.text.charCodeAt(start + 1) === 32 ? start + 2 : start + 1;
    return { text: this.text.slice(from, this.pos).trimEnd(), span: span(this.source, start, this.pos) };
  }

  private commentInLine(): void {
    if (this.brackets.length === 0) this.trailing = this.comment();
    else this.inner.push({ comment: this.comment(), lineStart: this.physical });
  }

  private continuation(): void {
    const next = this.text.charCodeAt(this.pos + 1);
    if (next === Ch.LF || next === Ch.CR) this.pos = Ch.afterBreak(this.text, this.pos + 1);
    else this.badCharacters();
  }

  /** Reports the holes up to `end` and passes them. */
  private holesInside(end: number, where: string): boolean {
    let any = false;
    for (let hole = this.holes[this.hole]; hole !== undefined && hole.start < end; hole = this.holes[++this.hole]) {
      if (!any) this.report("TF1013", hole.start, hole.end, { where });
      any = true;
    }
    return any;
  }

  private holeToken({ start, end }: HoleRange): void {
    const before = this.lastEnd === start && start > 0 && Ch.isNamePart(this.text, start - 1);
    const glued = before || Ch.isNamePart(this.text, end) || Ch.CLASS[this.text.charCodeAt(end)] === Ch.QUOTES;
    if (glued) this.report("TF1013", start, end, { where: `glued to ${before ? "the name before it" : "what follows it"}` });
    this.push(T.Hole, "${…}", start, end).mark = this.hole;
    this.hole++;
    this.pos = end;
  }

  // — tokens —

  /** Reads one token. True if the logical line ended with it. */
  private token(c: number): boolean {
    const k = c < 128 ? Ch.CLASS[c] : Ch.OTHER;
    if (k === Ch.LETTER || c >= 128) this.word(c);
    else if (k === Ch.DIGIT || (c === Ch.DOT && Ch.isDigit(this.text.charCodeAt(this.pos + 1)))) this.number();
    else if (k === Ch.QUOTES) this.string(this.pos, "");
    else return this.operator(c);
    return false;
  }

  private word(c: number): void {
    const { text } = this;
    const start = this.pos;
    const end = Ch.nameEnd(text, start);
    if (end === start) return this.badCharacters();
    const image = text.slice(start, end);
    if (image.length <= 2 && Ch.CLASS[text.charCodeAt(end)] === Ch.QUOTES && isStringPrefix(image)) return this.string(start, image);
    this.pos = end;
    const kind = image.length <= 8 && c < 128 ? T.KEYWORDS.get(image) : undefined;
    if (kind === undefined) this.push(T.Name, c < 128 ? image : image.normalize("NFKC"), start, end);
    else this.push(MEANINGS.has(kind) ? this.meaning(kind) : kind, image, start, end);
    if (kind === T.In || kind === T.Not) this.merge();
  }

  /** `in` belongs to the `for` before it, else it compares; `if` behind a `for` in the same brackets is a comprehension's. */
  private meaning(kind: T.Kind): T.Kind {
    const scope = this.brackets[this.brackets.length - 1] ?? this.lineScope;
    if (kind === T.For) scope.target = scope.comprehension = true;
    else if (kind === T.If) return scope.comprehension && scope !== this.lineScope ? T.CompIf : T.If;
    else if (kind === T.In) {
      if (!scope.target) return T.Comparison;
      scope.target = false;
    }
    return kind;
  }

  /** `not in` and `is not` are one token. */
  private merge(): void {
    const { tokens } = this;
    const last = tokens[tokens.length - 1];
    const before = tokens[tokens.length - 2];
    if (last === undefined || before === undefined) return;
    const pair = `${before.image} ${last.image}`;
    if (pair !== "not in" && pair !== "is not") return;
    become(before, T.Comparison);
    before.image = pair;
    before.end = last.end;
    tokens.pop();
  }

  private number(): void {
    const start = this.pos;
    const plain = plainIntegerEnd(this.text, start);
    if (plain >= 0) {
      this.pos = plain;
      this.push(T.Number, this.text.slice(start, plain), start, plain);
      return;
    }
    const { end, good } = numberEnd(this.text, start);
    this.pos = end;
    const image = this.text.slice(start, end);
    if (!good) this.report("TF1009", start, end, { text: `\`${image}\`` });
    this.push(good ? T.Number : T.Bad, image, start, end);
  }

  private string(start: number, prefix: string): void {
    const { text } = this;
    const at = start + prefix.length;
    let found = stringEnd(text, at, start >= this.plainBefore && /f/i.test(prefix));
    if (!found.closed && prefix !== "") {
      this.plainBefore = Ch.lineEnd(text, found.end);
      found = stringEnd(text, at, false);
    }
    const holed = this.hole < this.holes.length && this.holesInside(found.end, "inside a string");
    const end = found.closed ? found.end : this.unclosedString(start, at, found.end);
    this.pos = end;
    this.push(found.closed && !holed ? T.String : T.Bad, text.slice(start, end), start, end);
  }

  /** A string that is never closed: to the end of its line; a triple one to the next definition further out, if there is one. */
  private unclosedString(start: number, at: number, end: number): number {
    const { text } = this;
    const triple = text.startsWith(text.charAt(at).repeat(3), at);
    this.report("TF1008", start, at + (triple ? 3 : 1), {});
    if (!triple) return end;
    const definition = /^[ \t]*(?:@|(?:def|class|async def)\b)/gm;
    definition.lastIndex = at;
    for (let found = definition.exec(text); found !== null; found = definition.exec(text)) {
      this.pos = found.index;
      if (this.indentation() < Math.max(this.column, 1)) {
        this.brackets.length = 0;
        return found.index - 1;
      }
    }
    return end;
  }

  private operator(c: number): boolean {
    const { text } = this;
    const start = this.pos;
    const found = operatorAt(text, start, c);
    if (found === undefined) {
      const hole = this.holes[this.hole];
      if (hole?.start === start) this.holeToken(hole);
      else this.badCharacters();
      return false;
    }
    const { image, kind } = found;
    this.pos = start + image.length;
    this.push(kind, image, start, this.pos);
    if (kind === T.LParen || kind === T.LSquare || kind === T.LCurly) return this.open(image, start);
    if (kind === T.RParen || kind === T.RSquare || kind === T.RCurly) this.close(image, start);
    else if (kind === T.Colon && this.brackets.length === 0) this.colon = true;
    return false;
  }

  /** A run of characters that begin no token becomes one piece of bad text. */
  private badCharacters(): void {
    const { text } = this;
    const start = this.pos;
    const first = (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
    this.pos = start + first;
    while (this.isStray()) this.pos++;
    this.report("TF1010", start, start + first, { text: Ch.shown(text, start) });
    this.push(T.Bad, text.slice(start, this.pos), start, this.pos);
  }

  private isStray(): boolean {
    const c = this.text.charCodeAt(this.pos);
    if (c >= 128) return Ch.nameEnd(this.text, this.pos) === this.pos;
    return Ch.CLASS[c] === Ch.OTHER && OPERATORS[c] === undefined && !STRAY_ENDS.has(c);
  }

  private push(kind: T.Kind, image: string, start: number, end: number): T.Token {
    const made = new T.Token(kind, image, start, end);
    this.tokens.push(made);
    this.lastEnd = end;
    return made;
  }

  /** Of one logical line only the first error is reported. */
  private report<C extends Code>(code: C, start: number, end: number, params: CodeParams<C>, extras?: DiagnosticExtras): void {
    if (this.flagged && code !== "TF1013") return;
    this.flagged = true;
    this.faultAt = start;
    if (this.reporter.diagnostics.length < ERROR_LIMIT) this.reporter.report(code, span(this.source, start, end), params, extras);
    else this.stopped = true;
  }
}

function operatorAt(text: string, start: number, c: number): Operator | undefined {
  const candidates = OPERATORS[c];
  if (candidates === undefined) return undefined;
  for (const candidate of candidates) {
    if (candidate.image.length === 1 || text.startsWith(candidate.image, start)) return candidate;
  }
  return undefined;
}

function become(token: T.Token, kind: T.Kind): void {
  token.tokenTypeIdx = kind.tokenTypeIdx;
}
