// The grammar of what stands in brackets: tuples, lists, sets, dictionaries, comprehensions, arguments, subscripts.

import type { Arg, CompClause, DictEntry, SExpr } from "./ast.ts";
import type { Span } from "@tilefoundry/text";
import { CLOSE_PAREN, CLOSE_SQUARE, ExpressionGrammar } from "./expressions.ts";
import { BAD, type Trailing } from "./grammar-base.ts";
import * as T from "./tokens.ts";

/** What stands in a pair of brackets, or bare. */
interface Items {
  readonly items: readonly SExpr[];
  readonly comma: boolean;
  readonly clauses: readonly CompClause[] | undefined;
}

/** One item of a pair of braces. */
interface BraceItem extends DictEntry {
  readonly dict: boolean;
  readonly span: Span;
}

const CLOSE_CURLY = { ERR_MSG: "`,` or `}`" };

export abstract class BracketGrammar extends ExpressionGrammar {
  // — brackets —

  protected readonly parens = this.RULE("parens", (): SExpr => {
    const start = this.start();
    this.CONSUME(T.LParen);
    this.height = 0;
    const inside = this.OPTION(() =>
      this.OR<Items>([
        {
          ALT: () => {
            const comments = this.leading();
            return { items: [this.element(this.SUBRULE(this.yieldExpr), comments)], comma: false, clauses: undefined };
          },
        },
        { ALT: () => this.SUBRULE(this.items) },
      ]),
    );
    const trailing = this.rest();
    this.CONSUME(T.RParen, CLOSE_PAREN);
    this.height++;
    const span = this.spanFrom(start);
    if (this.RECORDING_PHASE) return BAD;
    const [first] = inside?.items ?? [];
    if (first === undefined || inside?.comma === true) return { kind: "TupleDisplay", items: inside?.items ?? [], parenthesized: true, span, ...trailing };
    const clauses = inside?.clauses;
    if (clauses === undefined) return { kind: "Paren", value: first, span, ...trailing };
    return { kind: "Comprehension", form: "generator", key: undefined, element: first, clauses, span, ...trailing };
  });

  protected readonly list = this.RULE("list", (): SExpr => {
    const start = this.start();
    this.CONSUME(T.LSquare);
    this.height = 0;
    const inside = this.OPTION(() => this.SUBRULE(this.items));
    const trailing = this.rest();
    this.CONSUME(T.RSquare, CLOSE_SQUARE);
    this.height++;
    const span = this.spanFrom(start);
    if (this.RECORDING_PHASE) return BAD;
    const [first] = inside?.items ?? [];
    const clauses = inside?.clauses;
    if (clauses === undefined || first === undefined) return { kind: "ListDisplay", items: inside?.items ?? [], span, ...trailing };
    return { kind: "Comprehension", form: "list", key: undefined, element: first, clauses, span, ...trailing };
  });

  /** Items with commas between them and maybe one at the end, or one item and the clauses of a comprehension. */
  protected readonly items = this.RULE("items", (): Items => {
    const items: SExpr[] = [];
    let comma = false;
    let clauses: readonly CompClause[] | undefined;
    items.push(this.SUBRULE(this.item));
    let height = this.height;
    this.OR([
      { ALT: () => (clauses = this.SUBRULE(this.compClauses)) },
      {
        ALT: () => {
          this.MANY({
            GATE: this.hasMore,
            DEF: () => {
              comma = true;
              this.CONSUME(T.Comma);
              items.push(this.SUBRULE1(this.item));
              if (this.height > height) height = this.height;
            },
          });
          this.OPTION(() => {
            this.CONSUME1(T.Comma);
            comma = true;
          });
        },
      },
    ]);
    this.height = Math.max(height, this.height);
    return { items, comma, clauses };
  });

  protected readonly item = this.RULE("item", (): SExpr => {
    const comments = this.leading();
    const start = this.start();
    const value = this.OR<SExpr>([
      {
        ALT: () => {
          this.CONSUME(T.Star);
          const value = this.SUBRULE(this.expression);
          this.height++;
          return { kind: "Starred", value, span: this.spanFrom(start) };
        },
      },
      { ALT: () => this.SUBRULE1(this.expression) },
    ]);
    return this.element(value, comments);
  });

  private readonly compClauses = this.RULE("compClauses", (): readonly CompClause[] => {
    const clauses: CompClause[] = [];
    let { height } = this;
    const taller = (): void => void (height = Math.max(height, this.height));
    this.AT_LEAST_ONE(() => {
      const async = this.OPTION(() => this.CONSUME(T.Async)) !== undefined;
      this.CONSUME(T.For);
      const target = this.SUBRULE(this.targets);
      this.CONSUME(T.In);
      const iterable = this.SUBRULE(this.operation);
      taller();
      const conditions: SExpr[] = [];
      this.MANY(() => {
        this.CONSUME(T.CompIf);
        conditions.push(this.SUBRULE1(this.operation));
        taller();
      });
      clauses.push({ async, target, iterable, conditions });
    });
    this.height = height;
    return clauses;
  });

  /** What `for` binds: no operators, so that `in` ends it. */
  protected readonly targets = this.RULE("targets", (): SExpr => {
    const start = this.start();
    const items = [this.SUBRULE(this.target)];
    let comma = false;
    this.MANY({
      GATE: this.hasMore,
      DEF: () => {
        comma = true;
        this.CONSUME(T.Comma);
        items.push(this.SUBRULE1(this.target));
      },
    });
    this.OPTION(() => {
      this.CONSUME1(T.Comma);
      comma = true;
    });
    const [first = BAD] = items;
    const value: SExpr = comma ? { kind: "TupleDisplay", items, parenthesized: false, span: this.spanFrom(start) } : first;
    if (!this.RECORDING_PHASE) this.assignable(value);
    return value;
  });

  protected readonly target = this.RULE("target", (): SExpr => {
    const start = this.start();
    const star = this.OPTION(() => this.CONSUME(T.Star));
    const outer = this.fold.begin();
    this.fold.operand(this.SUBRULE(this.operand), this.height);
    if (this.RECORDING_PHASE) return BAD;
    const value = this.fold.end(outer);
    return star === undefined ? value : { kind: "Starred", value, span: this.spanFrom(start) };
  });

  protected readonly braces = this.RULE("braces", (): SExpr => {
    const start = this.start();
    this.CONSUME(T.LCurly);
    this.height = 0;
    const entries: BraceItem[] = [];
    let clauses: readonly CompClause[] | undefined;
    let height = 0;
    this.OPTION(() => {
      entries.push(this.SUBRULE(this.braceItem));
      height = this.height;
      this.OR([
        { ALT: () => (clauses = this.SUBRULE(this.compClauses)) },
        {
          ALT: () => {
            this.MANY({
              GATE: this.hasMore,
              DEF: () => {
                this.CONSUME(T.Comma);
                entries.push(this.SUBRULE1(this.braceItem));
                height = Math.max(height, this.height);
              },
            });
            this.OPTION1(() => this.CONSUME1(T.Comma));
          },
        },
      ]);
    });
    const trailing = this.rest();
    this.CONSUME(T.RCurly, CLOSE_CURLY);
    this.height = Math.max(height, this.height) + 1;
    const span = this.spanFrom(start);
    return this.RECORDING_PHASE ? BAD : this.display(entries, clauses, span, trailing);
  });

  private display(entries: readonly BraceItem[], clauses: readonly CompClause[] | undefined, span: Span, trailing: Trailing): SExpr {
    const [first] = entries;
    const dict = first === undefined || first.dict;
    const stray = entries.find((e) => e.dict !== dict);
    if (stray !== undefined) {
      const found = stray.dict ? "`:`" : "a value without key";
      this.fail("TF1002", stray.span, { expected: dict ? "`key: value`" : "`,` or `}`", found });
    }
    if (first !== undefined && clauses !== undefined) {
      const { key, value } = first;
      const comments = first.comments === undefined ? {} : { comments: first.comments };
      // The comments of an entry stand at what it begins with.
      const parts = key === undefined ? { key, element: { ...value, ...comments } } : { key: { ...key, ...comments }, element: value };
      return { kind: "Comprehension", form: dict ? "dict" : "set", ...parts, clauses, span, ...trailing };
    }
    if (!dict) return { kind: "SetDisplay", items: entries.map((e) => (e.comments === undefined ? e.value : { ...e.value, comments: e.comments })), span, ...trailing };
    const plain = entries.map(({ key, value, comments }): DictEntry => (comments === undefined ? { key, value } : { key, value, comments }));
    return { kind: "DictDisplay", entries: plain, span, ...trailing };
  }

  private readonly braceItem = this.RULE("braceItem", (): BraceItem => {
    const comments = this.leading();
    const start = this.start();
    const item = this.OR<Omit<BraceItem, "span">>([
      {
        ALT: () => {
          this.CONSUME(T.DoubleStar);
          return { dict: true, key: undefined, value: this.SUBRULE(this.expression) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.Star);
          const value = this.SUBRULE1(this.expression);
          this.height++;
          return { dict: false, key: undefined, value: { kind: "Starred", value, span: this.spanFrom(start) } };
        },
      },
      {
        ALT: () => {
          const first = this.SUBRULE2(this.expression);
          const { height } = this;
          const second = this.OPTION(() => {
            this.CONSUME(T.Colon);
            return this.SUBRULE3(this.expression);
          });
          this.height = Math.max(height, this.height);
          return second === undefined ? { dict: false, key: undefined, value: first } : { dict: true, key: first, value: second };
        },
      },
    ]);
    return this.element({ ...item, span: this.spanFrom(start) }, comments);
  });

  protected readonly args = this.RULE("args", (): readonly Arg[] => {
    const args: Arg[] = [];
    let height = 0;
    this.height = 0;
    this.OPTION(() => {
      args.push(this.SUBRULE(this.arg));
      height = this.height;
      this.MANY({
        GATE: this.hasMore,
        DEF: () => {
          this.CONSUME(T.Comma);
          args.push(this.SUBRULE1(this.arg));
          if (this.height > height) height = this.height;
        },
      });
      this.OPTION1(() => this.CONSUME1(T.Comma));
    });
    this.height = height;
    return args;
  });

  private readonly arg = this.RULE("arg", (): Arg => {
    const comments = this.leading();
    const value = this.OR<Arg>([
      {
        ALT: () => {
          this.CONSUME(T.Star);
          return { name: undefined, star: "*", value: this.SUBRULE(this.expression) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.DoubleStar);
          return { name: undefined, star: "**", value: this.SUBRULE1(this.expression) };
        },
      },
      { ALT: () => this.plainArg() },
    ]);
    return this.element(value, comments);
  });

  /** `value`, `name=value` or the inside of a generator. */
  private plainArg(): Arg {
    const start = this.start();
    const first = this.SUBRULE2(this.expression);
    let arg: Arg = { name: undefined, star: "", value: first };
    this.OPTION(() =>
      this.OR1([
        {
          ALT: () => {
            const sign = this.CONSUME(T.Assign);
            const value = this.SUBRULE3(this.expression);
            if (this.RECORDING_PHASE) return;
            if (first.kind !== "Name") this.fail("TF1002", this.spanOf(sign), { expected: "`,` or `)`", found: "`=`" });
            arg = { name: { text: first.name, span: first.span }, star: "", value };
          },
        },
        {
          ALT: () => {
            const clauses = this.SUBRULE(this.compClauses);
            this.height++;
            const value: SExpr = { kind: "Comprehension", form: "generator", key: undefined, element: first, clauses, span: this.spanFrom(start) };
            arg = { name: undefined, star: "", value };
          },
        },
      ]),
    );
    return arg;
  }

  protected readonly subscripts = this.RULE("subscripts", (): SExpr => {
    const start = this.start();
    const first = this.SUBRULE(this.subscript);
    let items: SExpr[] | undefined;
    let { height } = this;
    this.MANY({
      GATE: this.hasMoreSubscripts,
      DEF: () => {
        this.CONSUME(T.Comma);
        (items ??= [first]).push(this.SUBRULE1(this.subscript));
        if (this.height > height) height = this.height;
      },
    });
    this.OPTION(() => {
      this.CONSUME1(T.Comma);
      items ??= [first];
    });
    if (first.kind === "Starred") items ??= [first];
    this.height = items === undefined ? height : height + 1;
    return items === undefined ? first : { kind: "TupleDisplay", items, parenthesized: false, span: this.spanFrom(start) };
  });

  private readonly subscript = this.RULE("subscript", (): SExpr => {
    const comments = this.leading();
    const start = this.start();
    const value = this.OR<SExpr>([
      { ALT: () => this.SUBRULE(this.sliceRest, { ARGS: [undefined, start] }) },
      {
        ALT: () => {
          this.CONSUME(T.Star);
          return { kind: "Starred", value: this.SUBRULE(this.expression), span: this.spanFrom(start) };
        },
      },
      {
        ALT: () => {
          const lower = this.SUBRULE1(this.expression);
          return this.OPTION(() => this.SUBRULE1(this.sliceRest, { ARGS: [lower, start] })) ?? lower;
        },
      },
    ]);
    return this.element(value, comments);
  });

  private readonly sliceRest = this.RULE("sliceRest", (lower?: SExpr, start?: number): SExpr => {
    let { height } = this;
    if (lower === undefined) height = 0;
    this.CONSUME(T.Colon);
    const upper = this.OPTION(() => this.SUBRULE(this.expression));
    if (upper !== undefined) height = Math.max(height, this.height);
    const step = this.OPTION1(() => {
      this.CONSUME1(T.Colon);
      return this.OPTION2(() => this.SUBRULE1(this.expression));
    });
    this.height = Math.max(height, this.height) + 1;
    return { kind: "Slice", lower, upper, step, span: this.spanFrom(start ?? 0) };
  });

  protected readonly yieldExpr = this.RULE("yieldExpr", (): SExpr => {
    const start = this.start();
    this.CONSUME(T.Yield);
    const from = this.OPTION(() => this.CONSUME(T.From)) !== undefined;
    const value = this.OPTION1(() => this.bare(this.SUBRULE(this.items)));
    if (from && value === undefined && !this.RECORDING_PHASE) {
      this.fail("TF1002", this.nextSpan(), { expected: "an expression after `from`", found: "nothing" });
    }
    this.height++;
    return { kind: "YieldExpr", from, value, span: this.spanFrom(start) };
  });

  /** Items outside brackets: one, or a tuple without parentheses. */
  protected bare({ items, comma, clauses }: Items): SExpr {
    if (this.RECORDING_PHASE) return BAD;
    const [first = BAD] = items;
    if (clauses !== undefined) this.fail("TF1002", clauses[0]?.target.span ?? first.span, { expected: "brackets around a comprehension", found: "`for`" });
    if (!comma) return first;
    this.height++;
    return { kind: "TupleDisplay", items, parenthesized: false, span: this.spanFrom(first.span.start) };
  }
}
