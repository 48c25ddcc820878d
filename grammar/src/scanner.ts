// Characters → tokens: names, numbers, strings, operators, comments, holes. What is no token becomes `Bad`, its error reported.
// Lines, indentation and brackets are the lexer's, which extends this.

import { Reporter, span, type Code, type CodeParams, type DiagnosticExtras, type Source } from "@tilefoundry/text";
import type { Comment } from "./ast.ts";
import * as Ch from "./characters.ts";
import { ERROR_LIMIT } from "./limits.ts";
import { numberEnd, plainIntegerEnd } from "./numbers.ts";
import { OPERATORS, type Operator } from "./operators.ts";
import { isStringPrefix, stringEnd } from "./strings.ts";
import * as T from "./tokens.ts";

/** A hole of a template: offsets of the `${…}` that stands for it. */
export interface HoleRange {
  readonly start: number;
  readonly end: number;
}

/** An open bracket, or the line outside of brackets. */
export interface Scope {
  readonly image: string;
  readonly at: number;
  /** Whether `for` stood directly inside. */
  comprehension: boolean;
  /** Whether the targets of a `for` are being read. */
  target: boolean;
}

const MEANINGS = new Set([T.For, T.If, T.In]);

/** What ends a run of stray characters though it begins no token. */
const STRAY_ENDS = new Set([Ch.LF, Ch.CR, Ch.HASH, Ch.BACKSLASH, Ch.DOLLAR]);

export abstract class Scanner {
  protected readonly source: Source;
  protected readonly text: string;
  protected readonly holes: readonly HoleRange[];
  protected readonly reporter: Reporter;
  /** Tokens of the logical line. */
  protected tokens: T.Token[] = [];
  protected pos = 0;
  /** Index of the next hole. */
  protected hole = 0;
  /** End of the last token. */
  protected lastEnd = 0;
  /** An error of this logical line was reported, the last one at `faultAt`. */
  protected flagged = false;
  protected faultAt = 0;
  /** Indentation of the logical line. */
  protected column = 0;
  /** A colon outside brackets was seen. */
  protected colon = false;
  protected readonly brackets: Scope[] = [];
  protected readonly lineScope: Scope = { image: "", at: 0, comprehension: false, target: false };
  /** No f-string that begins before this offset is tried with quotes inside its fields again. */
  private plainBefore = 0;

  protected constructor(source: Source, holes: readonly HoleRange[], reporter: Reporter) {
    this.source = source;
    this.text = source.text;
    this.holes = holes;
    this.reporter = reporter;
  }

  /** True if the logical line ends with the bracket. */
  protected abstract open(image: string, at: number): boolean;
  protected abstract close(image: string, at: number): void;

  /** Moves to the first character that is no blank and returns its column. */
  protected indentation(): number {
    let column = 0;
    for (; ; this.pos++) {
      const c = this.text.charCodeAt(this.pos);
      if (c === 32) column++;
      else if (c === 9) column += 8 - (column % 8);
      else if (c === 12) column = 0;
      else return column;
    }
  }

  // — comments, continuations, holes —

  /** The comment at `pos`, which moves to the end of its line. */
  protected comment(): Comment {
    const start = this.pos;
    this.pos = Ch.lineEnd(this.text, start);
    if (this.hole < this.holes.length) this.holesInside(this.pos, "inside a comment");
    const from = this.text.charCodeAt(start + 1) === 32 ? start + 2 : start + 1;
    return { text: this.text.slice(from, this.pos).trimEnd(), span: span(this.source, start, this.pos) };
  }

  protected continuation(): void {
    const next = this.text.charCodeAt(this.pos + 1);
    if (next === Ch.LF || next === Ch.CR) this.pos = Ch.afterBreak(this.text, this.pos + 1);
    else this.badCharacters();
  }

  /** Passes the holes up to `end`; reports the first, unless something worse was said. */
  private holesInside(end: number, where: string | undefined): boolean {
    let any = false;
    for (let hole = this.holes[this.hole]; hole !== undefined && hole.start < end; hole = this.holes[++this.hole]) {
      if (!any && where !== undefined) this.report("TF1013", hole.start, hole.end, { where });
      any = true;
    }
    return any;
  }

  private holeToken({ start, end }: HoleRange): void {
    const before = this.lastEnd === start && start > 0 && Ch.isNamePart(this.text, start - 1);
    const glued = before || Ch.isNamePart(this.text, end) || Ch.CLASS[this.text.charCodeAt(end)] === Ch.QUOTES;
    if (glued) this.report("TF1013", start, end, { where: `glued to ${before ? "the name before it" : "what follows it"}` });
    this.push(T.Hole, "${…}", start, end).hole = this.hole;
    this.hole++;
    this.pos = end;
  }

  // — tokens —

  /** Reads one token. True if the logical line ended with it. */
  protected token(c: number): boolean {
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
    const end = found.closed ? found.end : this.unclosedString(start, at, found.end);
    const holed = this.hole < this.holes.length && this.holesInside(end, found.closed ? "inside a string" : undefined);
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
    this.report("TF1010", start, start + first, { text: Ch.shown(text, start) }, this.removal(start, this.pos));
    this.push(T.Bad, text.slice(start, this.pos), start, this.pos);
  }

  private isStray(): boolean {
    const c = this.text.charCodeAt(this.pos);
    if (c >= 128) return Ch.nameEnd(this.text, this.pos) === this.pos;
    return Ch.CLASS[c] === Ch.OTHER && OPERATORS[c] === undefined && !STRAY_ENDS.has(c);
  }

  protected removal(start: number, end: number): DiagnosticExtras {
    return { fixes: [{ title: "remove it", edits: [{ span: span(this.source, start, end), text: "" }] }] };
  }

  protected push(kind: T.Kind, image: string, start: number, end: number): T.Token {
    const made = new T.Token(kind, image, start, end);
    this.tokens.push(made);
    this.lastEnd = end;
    return made;
  }

  /** Of one logical line only the first error is reported. */
  protected report<C extends Code>(code: C, start: number, end: number, params: CodeParams<C>, extras?: DiagnosticExtras): void {
    if (this.flagged && code !== "TF1013") return;
    this.flagged = true;
    this.faultAt = start;
    if (this.reporter.diagnostics.length < ERROR_LIMIT) this.reporter.report(code, span(this.source, start, end), params, extras);
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

export function become(token: T.Token, kind: T.Kind): void {
  token.tokenTypeIdx = kind.tokenTypeIdx;
}
