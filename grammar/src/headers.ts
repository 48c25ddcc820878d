// The grammar of the lines that open a block, each from its first word to the colon. `outline.ts` makes statements of them.

import type { IToken } from "chevrotain";
import type { Arg, Comment, SExpr, SParam, WithItem } from "./ast.ts";
import { CLOSE_PAREN } from "./brackets.ts";
import { SimpleGrammar } from "./simple.ts";
import * as T from "./tokens.ts";
import type { Span } from "@tilefoundry/text";

/** What a header says. `bad` stands for a line that could not be read; `compound` if it begins like one that opens a block. */
export type Head =
  | { readonly kind: "if"; readonly cond: SExpr }
  | { readonly kind: "elif"; readonly cond: SExpr }
  | { readonly kind: "while"; readonly cond: SExpr }
  | { readonly kind: "else" }
  | { readonly kind: "try" }
  | { readonly kind: "finally" }
  | { readonly kind: "bad"; readonly compound: boolean }
  | { readonly kind: "for"; readonly async: boolean; readonly target: SExpr; readonly iterable: SExpr }
  | { readonly kind: "with"; readonly async: boolean; readonly items: readonly WithItem[] }
  | (Named & { readonly kind: "def"; readonly async: boolean; readonly params: readonly SParam[]; readonly returns: SExpr | undefined })
  | (Named & { readonly kind: "class"; readonly args: readonly Arg[] })
  | { readonly kind: "except"; readonly star: boolean; readonly type: SExpr | undefined; readonly name: string | undefined }
  | { readonly kind: "match"; readonly subject: SExpr };

export type HeadOf<K extends Head["kind"]> = Extract<Head, { readonly kind: K }>;

interface Named {
  readonly name: string;
  readonly nameSpan: Span;
  readonly typeParams?: readonly SParam[];
  readonly listTrailing?: readonly Comment[];
}

export abstract class HeaderGrammar extends SimpleGrammar {
  protected readonly header = this.RULE("header", (): Head => this.OR(this.headers));

  private readonly headers = [
    { ALT: (): Head => this.SUBRULE(this.ifHeader) },
    { ALT: (): Head => this.SUBRULE(this.forHeader) },
    { ALT: (): Head => this.SUBRULE(this.defHeader) },
    { ALT: (): Head => this.SUBRULE(this.withHeader) },
    { ALT: (): Head => this.only("else", this.CONSUME(T.Else)) },
    { ALT: (): Head => this.SUBRULE(this.classHeader) },
    { ALT: (): Head => this.only("try", this.CONSUME(T.Try)) },
    { ALT: (): Head => this.only("finally", this.CONSUME(T.Finally)) },
    { ALT: (): Head => this.SUBRULE(this.exceptHeader) },
    { ALT: (): Head => this.SUBRULE(this.matchHeader) },
    {
      ALT: (): Head => {
        this.CONSUME(T.Async);
        const head = this.OR1<Head>([
          { ALT: () => this.SUBRULE1(this.defHeader) },
          { ALT: () => this.SUBRULE1(this.forHeader) },
          { ALT: () => this.SUBRULE1(this.withHeader) },
        ]);
        return "async" in head ? { ...head, async: true } : head;
      },
    },
  ];

  private only(kind: "else" | "try" | "finally", _: IToken): Head {
    return { kind };
  }

  /** `if`, `elif` and `while`. */
  private readonly ifHeader = this.RULE("ifHeader", (): Head => {
    const kind = this.OR<"if" | "elif" | "while">([
      { ALT: () => this.kind("if", this.CONSUME(T.If)) },
      { ALT: () => this.kind("while", this.CONSUME(T.While)) },
      { ALT: () => this.kind("elif", this.CONSUME(T.Elif)) },
    ]);
    return { kind, cond: this.SUBRULE(this.expression) };
  });

  private kind<K extends string>(kind: K, _: IToken): K {
    return kind;
  }

  private readonly forHeader = this.RULE("forHeader", (): Head => {
    this.CONSUME(T.For);
    const target = this.SUBRULE(this.targets);
    this.CONSUME(T.In);
    return { kind: "for", async: false, target, iterable: this.SUBRULE(this.items) };
  });

  private readonly defHeader = this.RULE("defHeader", (): Head => {
    this.CONSUME(T.Def);
    const name = this.CONSUME(T.Name);
    const typeParams = this.OPTION(() => this.SUBRULE(this.typeParams));
    this.CONSUME(T.LParen);
    const params = this.SUBRULE(this.params);
    const trailing = this.rest();
    this.CONSUME(T.RParen, CLOSE_PAREN);
    const returns = this.OPTION1(() => {
      this.CONSUME(T.Arrow);
      return this.SUBRULE(this.items);
    });
    return { kind: "def", async: false, params, returns, ...this.named(name, typeParams, trailing) };
  });

  private readonly classHeader = this.RULE("classHeader", (): Head => {
    this.CONSUME(T.Class);
    const name = this.CONSUME(T.Name);
    const typeParams = this.OPTION(() => this.SUBRULE(this.typeParams));
    let trailing: readonly Comment[] | undefined;
    const args = this.OPTION1(() => {
      this.CONSUME(T.LParen);
      const listed = this.SUBRULE(this.args);
      trailing = this.rest();
      this.CONSUME(T.RParen, CLOSE_PAREN);
      return listed;
    });
    return { kind: "class", args: args ?? [], ...this.named(name, typeParams, trailing) };
  });

  private named(name: IToken, typeParams: readonly SParam[] | undefined, listTrailing: readonly Comment[] | undefined): Named {
    const known = { name: name.image, nameSpan: this.spanOf(name) };
    return { ...known, ...(typeParams === undefined ? {} : { typeParams }), ...(listTrailing === undefined ? {} : { listTrailing }) };
  }

  private readonly withHeader = this.RULE("withHeader", (): Head => {
    this.CONSUME(T.With);
    const items = this.OR<readonly WithItem[]>([
      {
        GATE: this.itemsInParens,
        IGNORE_AMBIGUITIES: true,
        ALT: () => {
          this.CONSUME(T.LParen);
          const inside = this.SUBRULE(this.withItems);
          this.CONSUME(T.RParen, CLOSE_PAREN);
          return inside;
        },
      },
      { ALT: () => this.SUBRULE1(this.withItems) },
    ]);
    return { kind: "with", async: false, items };
  });

  private readonly withItems = this.RULE("withItems", (): readonly WithItem[] => {
    const items: WithItem[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: T.Comma,
      DEF: () => {
        if (items.length > 0 && this.LA(1).tokenType === T.RParen) return;
        const context = this.SUBRULE(this.expression);
        const alias = this.OPTION(() => {
          this.CONSUME(T.As);
          return this.SUBRULE1(this.expression);
        });
        if (alias !== undefined && !this.RECORDING_PHASE) this.assignable(alias);
        items.push({ context, alias });
      },
    });
    return items;
  });

  /** Whether parentheses hold the items, as in `with (a as b, c):`, and are no part of an expression. */
  private readonly itemsInParens = (): boolean => {
    if (this.LA(1).tokenType !== T.LParen || this.LA(2).tokenType === T.Yield) return false;
    let depth = 0;
    let several = false;
    for (let n = 1; ; n++) {
      const kind = this.LA(n).tokenType;
      if (kind === T.LParen || kind === T.LSquare || kind === T.LCurly) depth++;
      else if (kind === T.RParen || kind === T.RSquare || kind === T.RCurly) depth--;
      else if (kind === T.For && depth === 1) return false;
      else if ((kind === T.As || kind === T.Comma) && depth === 1) several = true;
      if (depth === 0) return several && this.LA(n + 1).tokenType === T.Colon;
      if (kind === T.Newline) return false;
    }
  };

  private readonly exceptHeader = this.RULE("exceptHeader", (): Head => {
    this.CONSUME(T.Except);
    const star = this.OPTION(() => this.CONSUME(T.Star)) !== undefined;
    const type = this.OPTION1(() => this.SUBRULE(this.items));
    const name = this.OPTION2(() => {
      this.CONSUME(T.As);
      return this.CONSUME(T.Name).image;
    });
    return { kind: "except", star, type, name };
  });

  private readonly matchHeader = this.RULE("matchHeader", (): Head => {
    this.CONSUME(T.Match);
    return { kind: "match", subject: this.SUBRULE(this.items) };
  });
}
