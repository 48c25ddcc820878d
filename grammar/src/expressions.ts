// The grammar of expressions. One rule reads operands and operators in a row, the fold gives them their shape. Closures of the
// busiest places are made once and kept in fields.

import type { IToken } from "chevrotain";
import type { Span } from "@tilefoundry/text";
import type { Keyword, SExpr, SParam, StrPart } from "./ast.ts";
import { BracketGrammar, CLOSE_SQUARE } from "./brackets.ts";
import { found } from "./describe.ts";
import { BAD } from "./grammar-base.ts";
import { HEIGHT_LIMIT, NESTING_LIMIT } from "./limits.ts";
import { numberValue } from "./numbers.ts";
import { stringValue } from "./strings.ts";
import * as T from "./tokens.ts";

const ATTRIBUTE = { ERR_MSG: "a name after `.`" };

export abstract class ExpressionGrammar extends BracketGrammar {
  protected readonly expression = this.RULE("expression", (): SExpr => {
    const start = this.start();
    if (++this.depth > NESTING_LIMIT + 1) this.fail("TF1011", this.nextSpan(), { limit: NESTING_LIMIT });
    const outer = this.fold.begin();
    this.AT_LEAST_ONE_SEP2(this.operandsInRow);
    if (this.RECORDING_PHASE) {
      this.OPTION(this.tail);
      return BAD;
    }
    let value = this.fold.end(outer);
    this.height = this.fold.ended;
    if (this.height > HEIGHT_LIMIT) this.fail("TF1011", { ...value.span, end: start + 1 }, { limit: HEIGHT_LIMIT });
    const tail = this.OPTION(this.tail);
    if (tail !== undefined) value = tail(value, start);
    this.depth--;
    return value;
  });

  /** `if … else …` or `:= …`. */
  private readonly tail = (): ((value: SExpr, start: number) => SExpr) =>
    this.OR6([
      {
        ALT: () => {
          const { height } = this;
          this.CONSUME(T.If);
          const cond = this.subrule(13, this.expression);
          if (!this.RECORDING_PHASE) this.closed(cond);
          this.CONSUME(T.Else);
          const other = this.subrule(14, this.expression);
          this.height = Math.max(height, this.height) + 1;
          return (then: SExpr, start: number): SExpr => ({ kind: "Ternary", cond, then, else: other, span: this.spanFrom(start) });
        },
      },
      {
        ALT: () => {
          const sign = this.CONSUME(T.Walrus);
          const value = this.subrule(15, this.expression);
          return (target: SExpr, start: number): SExpr => {
            if (target.kind !== "Name") this.fail("TF1002", this.spanOf(sign), { expected: "a name before `:=`", found: "an expression" });
            return { kind: "Walrus", target, value, span: this.spanFrom(start) };
          };
        },
      },
    ]);

  // — operands —

  /** `-x.y`, `f(x)[i]`: prefixes, an atom, postfixes. */
  private readonly operandsInRow = {
    SEP: T.Operator,
    DEF: (): void => {
      if (!this.RECORDING_PHASE) this.operatorBefore();
      this.MANY6(this.prefix);
      const start = this.start();
      const atom = this.OR(this.atoms);
      this.left = atom;
      this.leftStart = start;
      this.leftHeight = this.height;
      this.MANY7(this.postfix);
      if (!this.RECORDING_PHASE) this.fold.operand(this.left, this.leftHeight);
    },
  };

  private operatorBefore(): void {
    if (!this.fold.fresh) {
      const operator = this.LA(0);
      this.fold.between(operator.image, this.spanOf(operator));
    }
    this.fold.fresh = false;
  }

  private readonly prefix = (): void => {
    const token = this.OR1(this.prefixes);
    if (this.RECORDING_PHASE || this.fold.prefix(token.image, this.spanOf(token))) return;
    this.fail("TF1002", this.spanOf(token), { expected: "an operand", found: "`not` (write `(not …)`)" });
  };

  private readonly prefixes = [
    { ALT: (): IToken => this.CONSUME3(T.Sign) },
    { ALT: (): IToken => this.CONSUME(T.Tilde) },
    { ALT: (): IToken => this.CONSUME(T.Not) },
    { ALT: (): IToken => this.CONSUME(T.Await) },
  ];

  private readonly atoms = [
    { ALT: (): SExpr => this.name(this.CONSUME(T.Name)) },
    { ALT: (): SExpr => this.number(this.CONSUME(T.Number)) },
    { ALT: (): SExpr => this.parens() },
    { ALT: (): SExpr => this.list() },
    { ALT: (): SExpr => this.string() },
    { ALT: (): SExpr => this.constant(this.CONSUME(T.Constant)) },
    { ALT: (): SExpr => this.hole(this.CONSUME(T.Hole)) },
    { ALT: (): SExpr => this.braces() },
    { ALT: (): SExpr => this.lambda() },
    { ALT: (): SExpr => this.yieldExpr() },
    { ALT: (): SExpr => this.bad(this.CONSUME(T.Bad)) },
  ];

  private readonly postfix = (): void => this.OR2(this.postfixes);

  private readonly postfixes = [
    {
      ALT: (): void => {
        this.CONSUME(T.Dot);
        const name = this.CONSUME1(T.Name, ATTRIBUTE);
        const { left: value, leftStart: start } = this;
        this.left = { kind: "Attribute", value, name: name.image, nameSpan: this.spanOf(name), span: this.spanFrom(start) };
        this.leftHeight++;
      },
    },
    { ALT: () => this.call() },
    { ALT: () => this.subscript() },
  ];

  private name(token: IToken): SExpr {
    this.height = 1;
    return { kind: "Name", name: token.image, span: this.spanOf(token) };
  }

  private number(token: IToken): SExpr {
    this.height = 1;
    if (this.RECORDING_PHASE) return BAD;
    const { form, value } = numberValue(token.image);
    return { kind: "Num", text: token.image, form, value, span: this.spanOf(token) };
  }

  private constant(token: IToken): SExpr {
    this.height = 1;
    return { kind: "Keyword", word: token.image as Keyword["word"], span: this.spanOf(token) }; // the lexer makes a Constant of these only
  }

  private hole(token: IToken): SExpr {
    this.height = 1;
    return { kind: "Hole", index: (token as T.Token).hole, span: this.spanOf(token) };
  }

  private bad(token: IToken): SExpr {
    this.height = 1;
    return { kind: "BadExpr", span: this.spanOf(token) };
  }

  private string(): SExpr {
    const start = this.start();
    const parts: StrPart[] = [];
    let value: string | undefined = "";
    this.AT_LEAST_ONE(() => {
      const token = this.CONSUME(T.String);
      if (this.RECORDING_PHASE) return;
      const prefix = /^[a-zA-Z]*/.exec(token.image)?.[0] ?? "";
      const own = stringValue(token.image, prefix);
      value = value === undefined || own === undefined ? undefined : value + own;
      parts.push({ text: token.image, prefix, span: this.spanOf(token) });
    });
    this.height = 1;
    return { kind: "Str", parts, value, span: this.spanFrom(start) };
  }

  // — lambda, yield, parameters —

  private lambda(): SExpr {
    const start = this.start();
    this.alone(this.CONSUME(T.Lambda));
    const params: SParam[] = [];
    this.MANY_SEP5({
      SEP: T.Comma,
      DEF: () => {
        if (params.length > 0 && this.atEnd()) return;
        const from = this.start();
        const name = this.SUBRULE(this.paramName);
        const value = this.option(12, () => {
          this.CONSUME2(T.Assign);
          return this.subrule(18, this.expression);
        });
        params.push(this.paramNode(name, from, undefined, value));
      },
    });
    this.CONSUME2(T.Colon);
    const body = this.subrule(17, this.expression);
    this.height++;
    return { kind: "Lambda", params, body, span: this.spanFrom(start) };
  }

  private yieldExpr(): SExpr {
    const start = this.start();
    this.alone(this.CONSUME(T.Yield));
    const from = this.option(10, () => this.CONSUME(T.From)) !== undefined;
    const value = this.option(11, () => this.SUBRULE(this.items));
    if (from && value === undefined) this.fail("TF1002", this.nextSpan(), { expected: "an expression after `from`", found: "nothing" });
    if (value === undefined && !this.RECORDING_PHASE) this.bareYield();
    this.height++;
    return { kind: "YieldExpr", from, value, span: this.spanFrom(start) };
  }

  /** A yield of nothing is no operand: neither an operator, nor `.`, nor the `if` of a conditional goes on with it. */
  private bareYield(): void {
    const { tokenType } = this.LA(1) as T.Token; // the lexer makes all tokens
    if (tokenType !== T.Dot && tokenType !== T.If && tokenType !== T.Walrus && !T.Operator.categoryMatches?.includes(tokenType.tokenTypeIdx)) return;
    this.fail("TF1002", this.nextSpan(), { expected: "an expression after `yield`", found: found(this.LA(1)) });
  }

  /** `lambda` and `yield` take all that follows, so no operator may wait for them. */
  private alone(word: IToken): void {
    if (this.RECORDING_PHASE || !this.fold.waits) return;
    this.fail("TF1002", this.spanOf(word), { expected: "an operand", found: `\`${word.image}\` (write \`(${word.image} …)\`)` });
  }

  /** `x`, `*x`, `**x`, a bare `*` or `/`. */
  private readonly paramName = this.RULE("paramName", (): ParamName =>
    this.OR<ParamName>([
      { ALT: () => ({ star: "", name: this.CONSUME(T.Name) }) },
      {
        ALT: () => {
          this.CONSUME(T.Star);
          return { star: "*", name: this.OPTION(() => this.CONSUME1(T.Name)) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.DoubleStar);
          return { star: "**", name: this.CONSUME2(T.Name) };
        },
      },
      {
        ALT: () => {
          const slash = this.CONSUME(T.Product);
          if (!this.RECORDING_PHASE && slash.image !== "/") {
            this.fail("TF1002", this.spanOf(slash), { expected: "a parameter", found: `\`${slash.image}\`` });
          }
          return { star: "", name: slash };
        },
      },
    ]),
  );

  private paramNode({ star, name }: ParamName, start: number, annotation: SExpr | undefined, value: SExpr | undefined): SParam {
    const nameSpan: Span = name === undefined ? { source: this.source, start, end: start } : this.spanOf(name);
    return { name: name?.image ?? "", nameSpan, star, annotation, default: value, span: this.spanFrom(start) };
  }

  /** The parameters of a function, or type parameters. */
  protected readonly params = this.RULE("params", (): readonly SParam[] => {
    const params: SParam[] = [];
    this.MANY_SEP({
      SEP: T.Comma,
      DEF: () => {
        if (params.length > 0 && this.atEnd()) return;
        const above = this.leading();
        const start = this.start();
        const name = this.SUBRULE(this.paramName);
        const annotation = this.OPTION(() => {
          this.CONSUME(T.Colon);
          return this.SUBRULE(this.annotation);
        });
        const value = this.OPTION1(() => {
          this.CONSUME(T.Assign);
          return this.SUBRULE1(this.expression);
        });
        params.push(this.element(this.paramNode(name, start, annotation, value), above));
      },
    });
    return params;
  });

  /** An expression; that of `*args` may have a star of its own. */
  private readonly annotation = this.RULE("annotation", (): SExpr => {
    const start = this.start();
    const star = this.OPTION(this.star);
    const value = this.SUBRULE(this.expression);
    return star === undefined ? value : { kind: "Starred", value, span: this.spanFrom(start) };
  });

  protected readonly typeParams = this.RULE("typeParams", (): readonly SParam[] => {
    this.CONSUME(T.LSquare);
    const params = this.SUBRULE(this.params);
    this.CONSUME(T.RSquare, CLOSE_SQUARE);
    return params;
  });
}

interface ParamName {
  readonly star: SParam["star"];
  readonly name: IToken | undefined;
}
