// The grammar of expressions outside brackets. One rule reads operands and operators in a row, the fold gives them their shape.
// Closures of the busiest rules are made once and kept in fields.

import type { IToken, ParserMethod } from "chevrotain";
import type { Span } from "@tilefoundry/text";
import type { Arg, Keyword, Lambda, SExpr, SParam, StrPart } from "./ast.ts";
import { BAD, GrammarBase } from "./grammar-base.ts";
import { HEIGHT_LIMIT, NESTING_LIMIT } from "./limits.ts";
import { numberValue } from "./numbers.ts";
import { stringValue } from "./strings.ts";
import * as T from "./tokens.ts";

export const CLOSE_PAREN = { ERR_MSG: "`,` or `)`" };
export const CLOSE_SQUARE = { ERR_MSG: "`,` or `]`" };
const ATTRIBUTE = { ERR_MSG: "a name after `.`" };

export abstract class ExpressionGrammar extends GrammarBase {
  // `brackets.ts` has these rules
  protected abstract readonly item: ParserMethod<[], SExpr>;
  protected abstract readonly parens: ParserMethod<[], SExpr>;
  protected abstract readonly list: ParserMethod<[], SExpr>;
  protected abstract readonly braces: ParserMethod<[], SExpr>;
  protected abstract readonly args: ParserMethod<[], readonly Arg[]>;
  protected abstract readonly subscripts: ParserMethod<[], SExpr>;

  // — operators —

  protected readonly expression = this.RULE("expression", (): SExpr => {
    const start = this.start();
    if (++this.depth > NESTING_LIMIT + 10) this.fail("TF1011", this.nextSpan(), { limit: NESTING_LIMIT });
    let value = this.operatorsInRow();
    const tail = this.OPTION(this.expressionTail);
    if (tail !== undefined) value = this.RECORDING_PHASE ? value : tail(value, start);
    this.depth--;
    return value;
  });

  /** What a conditional, an iterable of a comprehension and its conditions are: no `if … else`, no `:=`. */
  protected readonly operation = this.RULE("operation", (): SExpr => this.operatorsInRow());

  private operatorsInRow(): SExpr {
    const outer = this.fold.begin();
    this.fold.operand(this.SUBRULE(this.operand), this.height);
    this.MANY(this.operatorAndOperand);
    if (this.RECORDING_PHASE) return BAD;
    const value = this.fold.end(outer);
    this.height = this.fold.ended;
    if (this.height > HEIGHT_LIMIT) this.fail("TF1011", value.span, { limit: HEIGHT_LIMIT });
    return value;
  }

  private readonly operatorAndOperand = (): void => {
    this.OR(this.operatorsBetween);
    this.fold.operand(this.SUBRULE1(this.operand), this.height);
  };

  private readonly operatorsBetween = [
    { ALT: () => this.between(this.CONSUME(T.Sign)) },
    { ALT: () => this.between(this.CONSUME(T.Star)) },
    { ALT: () => this.between(this.CONSUME(T.Product)) },
    { ALT: () => this.between(this.CONSUME(T.Comparison)) },
    { ALT: () => this.between(this.CONSUME(T.And)) },
    { ALT: () => this.between(this.CONSUME(T.Or)) },
    { ALT: () => this.between(this.CONSUME(T.Bitwise)) },
    { ALT: () => this.between(this.CONSUME(T.DoubleStar)) },
    { ALT: () => this.between(this.CONSUME(T.At)) },
    { ALT: () => this.between(this.CONSUME(T.In)) },
    {
      ALT: () => {
        const not = this.CONSUME(T.Not);
        this.CONSUME1(T.In);
        this.between(not, "not in");
      },
    },
    {
      ALT: () => {
        const is = this.CONSUME(T.Is);
        const not = this.OPTION1(() => this.CONSUME1(T.Not));
        this.between(is, not === undefined ? "is" : "is not");
      },
    },
  ];

  private between(token: IToken, op = token.image): void {
    if (!this.RECORDING_PHASE) this.fold.between(op, this.spanFrom(token.startOffset));
  }

  private readonly expressionTail = (): ((value: SExpr, start: number) => SExpr) =>
    this.OR1([
      {
        ALT: () => {
          this.CONSUME(T.If);
          const cond = this.SUBRULE(this.operation);
          this.CONSUME(T.Else);
          const other = this.SUBRULE(this.expression);
          return (then: SExpr, start: number): SExpr => ({ kind: "Ternary", cond, then, else: other, span: this.spanFrom(start) });
        },
      },
      {
        ALT: () => {
          const sign = this.CONSUME(T.Walrus);
          const value = this.SUBRULE1(this.expression);
          return (target: SExpr, start: number): SExpr => {
            if (target.kind !== "Name") this.fail("TF1002", this.spanOf(sign), { expected: "a name before `:=`", found: "an expression" });
            return { kind: "Walrus", target, value, span: this.spanFrom(start) };
          };
        },
      },
    ]);

  // — operands —

  protected readonly operand = this.RULE("operand", (): SExpr => {
    this.MANY(this.prefixes);
    const start = this.start();
    let value: SExpr = this.OR1(this.atoms);
    let height = this.height;
    this.MANY1(() => {
      const apply = this.OR2(this.postfixes);
      if (!this.RECORDING_PHASE) value = apply(value, start);
      height = Math.max(height, this.height) + 1;
    });
    this.height = height;
    return value;
  });

  private readonly prefixes = (): void => {
    const token = this.OR([
      { ALT: () => this.CONSUME(T.Sign) },
      { ALT: () => this.CONSUME(T.Tilde) },
      { ALT: () => this.CONSUME(T.Not) },
      { ALT: () => this.CONSUME(T.Await) },
    ]);
    if (this.RECORDING_PHASE || this.fold.prefix(token.image, this.spanOf(token))) return;
    const before = "an operand (write `(not …)`)";
    this.fail("TF1002", this.spanOf(token), { expected: before, found: "`not`" });
  };

  private readonly atoms = [
    { ALT: (): SExpr => this.name(this.CONSUME(T.Name)) },
    { ALT: (): SExpr => this.number(this.CONSUME(T.Number)) },
    { ALT: (): SExpr => this.SUBRULE(this.parens) },
    { ALT: (): SExpr => this.SUBRULE(this.list) },
    { ALT: (): SExpr => this.SUBRULE(this.strings) },
    { ALT: (): SExpr => this.constant(this.CONSUME(T.Constant)) },
    { ALT: (): SExpr => this.hole(this.CONSUME(T.Hole)) },
    { ALT: (): SExpr => this.SUBRULE(this.braces) },
    { ALT: (): SExpr => this.SUBRULE(this.lambda) },
    { ALT: (): SExpr => this.bad(this.CONSUME(T.Bad)) },
  ];

  private readonly postfixes = [
    {
      ALT: () => {
        this.CONSUME(T.Dot);
        const name = this.CONSUME1(T.Name, ATTRIBUTE);
        this.height = 0;
        return (value: SExpr, start: number): SExpr => ({
          kind: "Attribute", value, name: name.image, nameSpan: this.spanOf(name), span: this.spanFrom(start),
        });
      },
    },
    {
      ALT: () => {
        this.CONSUME(T.LParen);
        const args = this.SUBRULE(this.args);
        const trailing = this.rest();
        this.CONSUME(T.RParen, CLOSE_PAREN);
        return (callee: SExpr, start: number): SExpr => ({ kind: "Call", callee, args, span: this.spanFrom(start), ...trailing });
      },
    },
    {
      ALT: () => {
        this.CONSUME(T.LSquare);
        const index = this.SUBRULE(this.subscripts);
        const trailing = this.rest();
        this.CONSUME(T.RSquare, CLOSE_SQUARE);
        return (value: SExpr, start: number): SExpr => ({ kind: "Subscript", value, index, span: this.spanFrom(start), ...trailing });
      },
    },
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
    return { kind: "Hole", index: (token as T.Token).mark, span: this.spanOf(token) };
  }

  private bad(token: IToken): SExpr {
    this.height = 1;
    return { kind: "BadExpr", span: this.spanOf(token) };
  }

  private readonly strings = this.RULE("strings", (): SExpr => {
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
  });

  private readonly lambda = this.RULE("lambda", (): Lambda => {
    const start = this.start();
    this.CONSUME(T.Lambda);
    const params: SParam[] = [];
    this.OPTION(() => {
      params.push(this.SUBRULE(this.lambdaParam));
      this.MANY({
        GATE: this.hasMore,
        DEF: () => {
          this.CONSUME(T.Comma);
          params.push(this.SUBRULE1(this.lambdaParam));
        },
      });
      this.OPTION1(() => this.CONSUME1(T.Comma));
    });
    this.CONSUME(T.Colon);
    const body = this.SUBRULE(this.expression);
    this.height++;
    return { kind: "Lambda", params, body, span: this.spanFrom(start) };
  });

  private readonly lambdaParam = this.RULE("lambdaParam", (): SParam => {
    const start = this.start();
    const { star, name } = this.SUBRULE(this.paramName);
    const value = this.OPTION(() => {
      this.CONSUME(T.Assign);
      return this.SUBRULE(this.expression);
    });
    return { name: name?.image ?? "", nameSpan: this.nameSpan(name, start), star, annotation: undefined, default: value, span: this.spanFrom(start) };
  });

  /** `x`, `*x`, `**x`, a bare `*` or `/`. */
  protected readonly paramName = this.RULE("paramName", (): { readonly star: SParam["star"]; readonly name: IToken | undefined } =>
    this.OR<{ readonly star: SParam["star"]; readonly name: IToken | undefined }>([
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

  /** A parameter of a function, or a type parameter. */
  private readonly param = this.RULE("param", (): SParam => {
    const above = this.leading();
    const start = this.start();
    const { star, name } = this.SUBRULE(this.paramName);
    const annotation = this.OPTION(() => {
      this.CONSUME(T.Colon);
      return this.SUBRULE(this.item);
    });
    const value = this.OPTION1(() => {
      this.CONSUME(T.Assign);
      return this.SUBRULE(this.expression);
    });
    const param = { name: name?.image ?? "", nameSpan: this.nameSpan(name, start), star, annotation, default: value, span: this.spanFrom(start) };
    return this.element<SParam>(param, above);
  });

  protected readonly params = this.RULE("params", (): readonly SParam[] => {
    const params: SParam[] = [];
    this.OPTION(() => {
      params.push(this.SUBRULE(this.param));
      this.MANY({
        GATE: this.hasMore,
        DEF: () => {
          this.CONSUME(T.Comma);
          params.push(this.SUBRULE1(this.param));
        },
      });
      this.OPTION1(() => this.CONSUME1(T.Comma));
    });
    return params;
  });

  protected readonly typeParams = this.RULE("typeParams", (): readonly SParam[] => {
    this.CONSUME(T.LSquare);
    const params = this.SUBRULE(this.params);
    this.CONSUME(T.RSquare, CLOSE_SQUARE);
    return params;
  });

  protected nameSpan(name: IToken | undefined, start: number): Span {
    return name === undefined ? { source: this.source, start, end: start } : this.spanOf(name);
  }
}
