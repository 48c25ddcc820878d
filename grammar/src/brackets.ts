// The grammar of what stands in brackets: tuples, lists, sets, dictionaries, comprehensions, arguments, subscripts. All of it is
// read inside the one rule `expression` (rules would triple the depth of the stack), hence the numbers: within a rule each use of
// an element of the grammar has its own.

import type { IToken, ParserMethod } from "chevrotain";
import type { Span } from "@tilefoundry/text";
import type { Arg, Comment, CompClause, DictEntry, ElementComments, SExpr } from "./ast.ts";
import { BAD, GrammarBase } from "./grammar-base.ts";
import { Listings, type Listing } from "./listing.ts";
import * as T from "./tokens.ts";

/** One item of a pair of braces. */
interface BraceItem extends DictEntry {
  readonly dict: boolean;
  readonly span: Span;
}

/** Nodes that may have comments before their closing bracket. */
type Closed = Extract<SExpr, { readonly trailing?: readonly Comment[] }>;

const BEGINS_CLAUSE = new Set([T.For, T.Async].map((k) => k.tokenTypeIdx));

export const CLOSE_PAREN = { ERR_MSG: "`,` or `)`" };
export const CLOSE_SQUARE = { ERR_MSG: "`,` or `]`" };
export const CLOSE_CURLY = { ERR_MSG: "`,` or `}`" };

export abstract class BracketGrammar extends GrammarBase {
  protected left: SExpr = BAD;
  protected leftStart = 0;
  protected leftHeight = 0;

  protected abstract readonly expression: ParserMethod<[], SExpr>;

  private readonly lists = new Listings<SExpr>();
  private readonly entries = new Listings<BraceItem>();
  private readonly argLists = new Listings<Arg>();

  /** Ends all lists; an error leaves some open. */
  protected endLists(): void {
    for (const each of [this.lists, this.entries, this.argLists]) each.reset();
  }

  protected releaseLists(): void {
    for (const each of [this.lists, this.entries, this.argLists]) each.release();
  }

  // — atoms —

  protected parens(): SExpr {
    const start = this.start();
    this.CONSUME(T.LParen);
    const list = this.lists.open();
    this.MANY_SEP1(this.itemsIn[1]);
    const clauses = this.clausesOf(list, 1, list.first?.kind === "Starred");
    const trailing = this.rest();
    this.CONSUME(T.RParen, CLOSE_PAREN);
    this.lists.close();
    if (this.RECORDING_PHASE) return BAD;
    const { first, comma } = list;
    this.height = list.height + 1;
    const span = this.spanFrom(start);
    if (first === undefined || comma) return closing({ kind: "TupleDisplay", items: list.items(), parenthesized: true, span }, trailing);
    if (clauses === undefined) return closing({ kind: "Paren", value: first, span }, trailing);
    return closing({ kind: "Comprehension", form: "generator", key: undefined, element: first, clauses, span }, trailing);
  }

  protected list(): SExpr {
    const start = this.start();
    this.CONSUME(T.LSquare);
    const list = this.lists.open();
    this.MANY_SEP2(this.itemsIn[2]);
    const clauses = this.clausesOf(list, 2, list.first?.kind === "Starred");
    const trailing = this.rest();
    this.CONSUME(T.RSquare, CLOSE_SQUARE);
    this.lists.close();
    if (this.RECORDING_PHASE) return BAD;
    const { first } = list;
    this.height = list.height + 1;
    const span = this.spanFrom(start);
    if (clauses === undefined || first === undefined) return closing({ kind: "ListDisplay", items: list.items(), span }, trailing);
    return closing({ kind: "Comprehension", form: "list", key: undefined, element: first, clauses, span }, trailing);
  }

  protected braces(): SExpr {
    const start = this.start();
    this.CONSUME(T.LCurly);
    const list = this.entries.open();
    this.MANY_SEP3(this.entriesIn);
    const { first } = list;
    const starred = first?.value.kind === "Starred" || (first?.dict === true && first.key === undefined);
    const clauses = this.clausesOf(list, 3, starred);
    const trailing = this.rest();
    this.CONSUME(T.RCurly, CLOSE_CURLY);
    this.entries.close();
    if (this.RECORDING_PHASE) return BAD;
    this.height = list.height + 1;
    return closing(this.display(list.items(), clauses, this.spanFrom(start)), trailing);
  }

  // — items: a list of each place of the grammar ends in its last comma or without one —

  private readonly itemsIn = [
    { SEP: T.Comma, DEF: (): void => this.item(0) }, { SEP: T.Comma, DEF: (): void => this.item(1) }, { SEP: T.Comma, DEF: (): void => this.item(2) },
  ] as const;
  private readonly entriesIn = { SEP: T.Comma, DEF: (): void => this.braceItem() };
  private readonly argsIn = { SEP: T.Comma, DEF: (): void => this.arg() };
  private readonly indicesIn = { SEP: T.Comma, DEF: (): void => this.index() };

  private item(i: 0 | 1 | 2): void {
    const list = this.lists.top;
    if (this.another(list)) return;
    const above = this.leading();
    const start = this.start();
    const star = this.option(i, this.starAt[i]);
    let value = this.subrule(i, this.expression);
    if (star !== undefined) value = { kind: "Starred", value, span: this.spanFrom(start) };
    list.add(this.element(value, above), this.height);
  }

  protected readonly star = (): IToken => this.CONSUME8(T.Star);
  private readonly starAt = [
    (): IToken => this.consume(20, T.Star), (): IToken => this.consume(21, T.Star), (): IToken => this.consume(22, T.Star),
  ] as const;

  private readonly stars = (): IToken => this.OR8([{ ALT: () => this.CONSUME9(T.Star) }, { ALT: () => this.CONSUME9(T.DoubleStar) }]);
  private readonly argStars = (): IToken => this.OR9([{ ALT: () => this.CONSUME7(T.Star) }, { ALT: () => this.CONSUME7(T.DoubleStar) }]);

  /** Called where an item may begin. True if there is none: the comma before was the last. */
  private another<N>(list: Listing<N>): boolean {
    if (list.size > 0) list.comma = true;
    return list.comma && this.atEnd();
  }

  private braceItem(): void {
    const list = this.entries.top;
    if (this.another(list)) return;
    const above = this.leading();
    const start = this.start();
    const stars = this.OPTION8(this.stars);
    const first = this.subrule(3, this.expression);
    const { height } = this;
    const second = this.OPTION7(this.entryValue);
    if (this.RECORDING_PHASE) return;
    this.height = Math.max(height, this.height) + (stars === undefined ? 0 : 1);
    const span = this.spanFrom(start);
    if (stars !== undefined && second !== undefined) this.fail("TF1002", span, { expected: "an entry without stars", found: `\`${stars.image}\`` });
    const item = braceEntry(stars?.image, first, second, span);
    list.add(this.element({ ...item, span }, above), this.height);
  }

  private readonly entryValue = (): SExpr => {
    this.CONSUME8(T.Colon);
    return this.subrule(4, this.expression);
  };

  private display(entries: readonly BraceItem[], clauses: readonly CompClause[] | undefined, span: Span): Closed {
    const [first] = entries;
    const dict = first === undefined || first.dict;
    const stray = entries.find((e) => e.dict !== dict);
    if (stray !== undefined) {
      this.fail("TF1002", stray.span, dict ? { expected: "`key: value`", found: "a value alone" } : { expected: "a value alone", found: "`key: value`" });
    }
    if (first !== undefined && clauses !== undefined) {
      const { key, value, comments } = first;
      // Of an entry's comments, those above stand at its key and the one behind at its value.
      const parts = key === undefined || comments === undefined
        ? { key, element: commented(value, comments) }
        : { key: commented(key, { leading: comments.leading }), element: commented(value, { ...comments, leading: [] }) };
      return { kind: "Comprehension", form: dict ? "dict" : "set", ...parts, clauses, span };
    }
    if (dict) return { kind: "DictDisplay", entries: entries.map(({ key, value, comments }) => commented({ key, value }, comments)), span };
    return { kind: "SetDisplay", items: entries.map(({ value, comments }) => commented(value, comments)), span };
  }

  /** The clauses of a comprehension behind its one item. */
  private clausesOf<N>(list: Listing<N>, i: number, starred = false): readonly CompClause[] | undefined {
    const first = this.LA(1);
    if (!BEGINS_CLAUSE.has(first.tokenTypeIdx) && !this.RECORDING_PHASE) return undefined;
    const clauses: CompClause[] = [];
    this.many(i, () => {
      clauses.push(this.subrule(i, this.compClause));
      if (this.height > list.height) list.height = this.height;
    });
    if (this.RECORDING_PHASE) return clauses;
    if (starred) this.fail("TF1002", this.spanOf(first), { expected: "an item without stars before a comprehension's `for`", found: "stars" });
    if (list.size === 1 && !list.comma) return clauses;
    return this.fail("TF1002", this.spanOf(first), { expected: "one item before a comprehension's `for`", found: list.comma ? "several" : "none" });
  }

  private readonly compClause = this.RULE("compClause", (): CompClause => {
    const async = this.OPTION(() => this.CONSUME(T.Async)) !== undefined;
    this.CONSUME(T.For);
    const target = this.SUBRULE(this.targets);
    this.CONSUME(T.In);
    const iterable = this.SUBRULE(this.expression);
    let { height } = this;
    const conditions: SExpr[] = [];
    this.MANY(() => {
      this.CONSUME(T.CompIf);
      conditions.push(this.SUBRULE1(this.expression));
      height = Math.max(height, this.height);
    });
    this.height = height;
    if (!this.RECORDING_PHASE) [iterable, ...conditions].forEach((e) => this.closed(e));
    return { async, target, iterable, conditions };
  });

  /** What `for` binds. The lexer knows its `in` from one that compares. */
  protected readonly targets = this.RULE("targets", (): SExpr => {
    const start = this.start();
    const list = this.lists.open();
    this.AT_LEAST_ONE_SEP(this.itemsIn[1]);
    this.lists.close();
    if (this.RECORDING_PHASE) return BAD;
    const value = this.bareTuple(list, start);
    this.assignable(value);
    return value;
  });

  /** Items without brackets: one, or a tuple. */
  protected readonly items = this.RULE("items", (): SExpr => {
    const start = this.start();
    const list = this.lists.open();
    this.AT_LEAST_ONE_SEP(this.itemsIn[1]);
    this.lists.close();
    return this.RECORDING_PHASE ? BAD : this.bareTuple(list, start);
  });

  /** Of a list that is read but not yet written over. */
  private bareTuple(list: Listing<SExpr>, start: number): SExpr {
    const { first = BAD, comma } = list;
    this.height = comma ? list.height + 1 : list.height;
    return comma ? { kind: "TupleDisplay", items: list.items(), parenthesized: false, span: this.spanFrom(start) } : first;
  }

  // — postfixes: `left` is what stands before them —

  /** Makes `value`, which begins at `start` and holds a part of that height, the left side of what follows. */
  protected grown(value: SExpr, start: number, height: number): void {
    this.left = value;
    this.leftStart = start;
    this.leftHeight = height + 1;
  }

  protected call(): void {
    const { left: callee, leftStart: start, leftHeight } = this;
    this.CONSUME1(T.LParen);
    const list = this.argLists.open();
    this.MANY_SEP4(this.argsIn);
    const trailing = this.rest();
    this.CONSUME1(T.RParen, CLOSE_PAREN);
    this.argLists.close();
    this.checkGenerator(list);
    const node = closing({ kind: "Call", callee, args: list.items(), span: this.spanFrom(start) }, trailing);
    this.grown(node, start, Math.max(leftHeight, list.height));
  }

  /** The arguments of a class. */
  protected readonly args = this.RULE("args", (): readonly Arg[] => {
    const list = this.argLists.open();
    this.MANY_SEP(this.argsIn);
    this.argLists.close();
    this.checkGenerator(list);
    return list.items();
  });

  /** `value`, `*value`, `**value`, `name=value` or the inside of a generator. */
  private arg(): void {
    const list = this.argLists.top;
    if (this.another(list)) return;
    const above = this.leading();
    const start = this.start();
    const stars = this.OPTION6(this.argStars);
    const first = this.subrule(5, this.expression);
    const inside = this.lists.open();
    inside.add(first, this.height);
    const next = this.LA(1);
    const second = this.OPTION5(this.namedValue);
    if (this.height > inside.height) inside.height = this.height;
    const clauses = this.clausesOf(inside, 5);
    this.lists.close();
    if (this.RECORDING_PHASE) return;
    this.height = inside.height;
    if (stars !== undefined || second !== undefined) {
      const named = second === undefined ? undefined : first;
      if (clauses !== undefined || (named !== undefined && (stars !== undefined || named.kind !== "Name"))) {
        this.fail("TF1002", this.spanOf(next), { expected: "`,` or `)`", found: `\`${next.image}\`` });
      }
    } else if (clauses !== undefined) this.height++;
    const arg = argument(stars?.image, first, second, clauses, clauses === undefined ? first.span : this.spanFrom(start));
    if (clauses !== undefined) list.generator = arg.value.span;
    list.add(this.element(arg, above), this.height);
  }

  private readonly namedValue = (): SExpr => {
    this.CONSUME8(T.Assign);
    return this.subrule(6, this.expression);
  };

  /** A generator without parentheses is the only argument. */
  private checkGenerator({ generator, comma }: Listing<Arg>): void {
    if (generator === undefined || !comma) return;
    const expected = "parentheses around a generator beside other arguments";
    this.fail("TF1002", { ...generator, end: generator.start + 1 }, { expected, found: "none" });
  }

  protected subscript(): void {
    const { left: value, leftStart: start, leftHeight } = this;
    this.CONSUME1(T.LSquare);
    const list = this.lists.open();
    const from = this.start();
    this.AT_LEAST_ONE_SEP1(this.indicesIn);
    this.lists.close();
    if (list.first?.kind === "Starred") list.comma = true;
    const index = this.bareTuple(list, from);
    const trailing = this.rest();
    this.CONSUME1(T.RSquare, CLOSE_SQUARE);
    this.grown(closing({ kind: "Subscript", value, index, span: this.spanFrom(start) }, trailing), start, Math.max(leftHeight, this.height));
  }

  private index(): void {
    const list = this.lists.top;
    if (list.size > 0) list.comma = true;
    if (list.comma && this.LA(1).tokenTypeIdx === T.RSquare.tokenTypeIdx) return;
    const above = this.leading();
    const start = this.start();
    const star = this.OPTION4(this.star);
    this.indexStart = start;
    const value = this.OR7<SExpr>(this.indexForms);
    const item: SExpr = star === undefined ? value : { kind: "Starred", value, span: this.spanFrom(start) };
    list.add(this.element(item, above), this.height);
  }

  /** Where the index begins that is read next. */
  private indexStart = 0;

  private readonly indexForms = [
    { ALT: (): SExpr => this.slice(undefined, this.indexStart, 0) },
    {
      ALT: (): SExpr => {
        const start = this.indexStart;
        const first = this.subrule(7, this.expression);
        if (this.LA(1).tokenTypeIdx !== T.Colon.tokenTypeIdx && !this.RECORDING_PHASE) return first; // most are no slices
        return this.OPTION3(() => this.slice(first, start, 1)) ?? first;
      },
    },
  ];

  /** A slice from its first colon on. `i` tells the two places apart where one may stand. */
  private slice(lower: SExpr | undefined, start: number, i: 0 | 1): SExpr {
    let height = lower === undefined ? 0 : this.height;
    const part = (value: SExpr): SExpr => {
      height = Math.max(height, this.height);
      return value;
    };
    this.consume(30 + i, T.Colon);
    const upper = this.option(30 + i, () => part(this.subrule(30 + i, this.expression)));
    const step = this.option(32 + i, () => {
      this.consume(32 + i, T.Colon);
      return this.option(34 + i, () => part(this.subrule(32 + i, this.expression)));
    });
    this.height = height + 1;
    return { kind: "Slice", lower, upper, step, span: this.spanFrom(start) };
  }
}

function closing(node: Closed, trailing: readonly Comment[] | undefined): SExpr {
  return trailing === undefined ? node : { ...node, trailing };
}

function commented<N>(node: N, comments: ElementComments | undefined): N {
  return comments === undefined ? node : { ...node, comments };
}

function argument(stars: string | undefined, first: SExpr, second: SExpr | undefined, clauses: readonly CompClause[] | undefined, span: Span): Arg {
  if (second !== undefined && first.kind === "Name") return { name: { text: first.name, span: first.span }, star: "", value: second };
  const star = stars === undefined ? "" : stars === "*" ? "*" : "**";
  if (clauses === undefined) return { name: undefined, star, value: first };
  return { name: undefined, star, value: { kind: "Comprehension", form: "generator", key: undefined, element: first, clauses, span } };
}

function braceEntry(stars: string | undefined, first: SExpr, second: SExpr | undefined, span: Span): Omit<BraceItem, "span"> {
  if (stars === "**") return { dict: true, key: undefined, value: first };
  if (stars === "*") return { dict: false, key: undefined, value: { kind: "Starred", value: first, span } };
  return second === undefined ? { dict: false, key: undefined, value: first } : { dict: true, key: first, value: second };
}
