// The grammar of compound statements and blocks, and what happens to a line that is none of the language. The logical line at
// fault becomes one `BadStmt`, with the block below it; reading goes on behind it in the same block, so that nothing is read twice.

import { isRecognitionException, type IRecognitionException, type IToken } from "chevrotain";
import { diagnostic, type Diagnostic, type Source } from "@tilefoundry/text";
import type { Arg, BadStmt, Block, Comment, Decorator, Handler, IfStmt, SExpr, SStmt, WithItem } from "./ast.ts";
import { CommentQueue } from "./comments.ts";
import { expected, found } from "./describe.ts";
import { BAD, NO_COMMENTS, NO_SOURCE } from "./grammar-base.ts";
import type { Lexed } from "./lexer.ts";
import { ERROR_LIMIT, NESTING_LIMIT } from "./limits.ts";
import { type Around, StatementGrammar } from "./statements.ts";
import * as T from "./tokens.ts";

/** The colon of a header and what follows it. */
interface Suite {
  readonly body: Block;
  /** The comment behind the colon. */
  readonly trailing: Comment | undefined;
  /** Comments in the header's brackets that stand at no element. */
  readonly inner: readonly Comment[];
}

/** One `elif` until it becomes an `if` inside the `else` of the one before. */
interface Branch {
  readonly first: T.Token;
  readonly cond: SExpr;
  readonly suite: Suite;
}

/** What stands before the `def` or `class` of a definition. */
interface Prefix {
  readonly first: T.Token;
  readonly decorators: readonly Decorator[];
}

const CLAUSES = new Set<unknown>([T.Elif, T.Else, T.Except, T.Finally]);
const HEADERS = new Set<unknown>([...CLAUSES, T.If, T.For, T.While, T.Try, T.Async]);

export class Grammar extends StatementGrammar {
  private diagnostics: Diagnostic[] = [];
  private stopped = false;

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
    this.into = [];
    this.stopped = false;
    this.depth = 0;
    this.input = tokens;
    const body = this.file();
    const { diagnostics } = this;
    this.input = [];
    this.source = NO_SOURCE;
    return { body, diagnostics };
  }

  // — blocks —

  private readonly file = this.RULE("file", (): Block => {
    this.into = [];
    const start = this.start();
    this.statements();
    const stmts = this.into;
    const end = this.CONSUME(T.End) as T.Token;
    return { stmts, trailingComments: end.trivia?.comments ?? NO_COMMENTS, span: this.spanFrom(start) };
  });

  /** Statements up to a dedent or the end of the text. */
  private statements(): void {
    do this.MANY(this.oneStatement);
    while (!this.RECORDING_PHASE && this.noStatement());
  }

  private readonly oneStatement = (): void => this.SUBRULE(this.statement);

  /** Where no statement begins: the line becomes a `BadStmt`. False at the end of the block. */
  private noStatement(): boolean {
    const next = this.LA(1) as T.Token;
    if (next.tokenType === T.Dedent || next.tokenType === T.End) return false;
    const params = { expected: "a statement", found: found(next) };
    this.badLine(next, diagnostic("TF1002", this.spanOf(next), params));
    return true;
  }

  private readonly indented = this.RULE("indented", (): Block => {
    const outer = this.into;
    const stmts: SStmt[] = [];
    this.into = stmts;
    this.depth++;
    this.CONSUME(T.Indent);
    const start = this.start();
    this.statements();
    this.depth--;
    this.into = outer;
    const end = this.stopped ? undefined : (this.CONSUME(T.Dedent) as T.Token);
    return { stmts, trailingComments: end?.trivia?.comments ?? NO_COMMENTS, span: this.spanFrom(start) };
  });

  /** `owner` is the word of the header, for the message about a missing block. */
  private readonly suite = this.RULE("suite", (owner = ""): Suite => {
    this.CONSUME(T.Colon);
    return this.OR([{ ALT: () => this.lineSuite() }, { ALT: () => this.blockSuite(owner) }]);
  });

  private lineSuite(): Suite {
    const inner = this.inner.before(this.start());
    const outer = this.into;
    const stmts: SStmt[] = [];
    const start = this.start();
    this.into = stmts;
    this.SUBRULE(this.simpleLine);
    this.into = outer;
    return { body: { stmts, trailingComments: NO_COMMENTS, span: this.spanFrom(start) }, trailing: undefined, inner };
  }

  private blockSuite(owner: string): Suite {
    const newline = this.CONSUME(T.Newline) as T.Token;
    const trailing = newline.trivia?.comments[0];
    const inner = this.inner.before(newline.startOffset);
    const body = this.OPTION(() => this.SUBRULE(this.indented));
    if (body !== undefined) return { body, trailing, inner };
    const span = { source: this.source, start: newline.end - 1, end: newline.end };
    if (newline.mark === 0) this.report(diagnostic("TF1005", span, { what: owner }));
    return { body: { stmts: [], trailingComments: NO_COMMENTS, span }, trailing, inner };
  }

  // — statements —

  private readonly statement = this.RULE("statement", (): void => {
    const { into, depth } = this;
    const first = this.LA(1) as T.Token;
    try {
      this.OR(this.alternatives);
    } catch (error) {
      if (this.RECORDING_PHASE || !isRecognition(error)) throw error;
      this.into = into;
      this.depth = depth;
      this.badLine(first, this.explain(error));
    }
  });

  private readonly alternatives = [
    { ALT: (): void => this.SUBRULE(this.simpleLine) },
    { ALT: (): void => this.keep(this.SUBRULE(this.ifStatement)) },
    { ALT: (): void => this.keep(this.SUBRULE(this.forStatement)) },
    { ALT: (): void => this.keep(this.SUBRULE(this.whileStatement)) },
    { ALT: (): void => this.keep(this.SUBRULE(this.withStatement)) },
    { ALT: (): void => this.keep(this.SUBRULE(this.functionDef)) },
    { ALT: (): void => this.keep(this.SUBRULE(this.decorated)) },
    { ALT: (): void => this.keep(this.SUBRULE(this.classDef)) },
    { ALT: (): void => this.keep(this.SUBRULE(this.asyncStatement)) },
    { ALT: (): void => this.keep(this.SUBRULE(this.tryStatement)) },
    { ALT: (): void => this.keep(this.SUBRULE(this.matchStatement)) },
  ];

  private keep(stmt: SStmt): void {
    if (!this.RECORDING_PHASE) this.into.push(stmt);
  }

  private aroundHeader(first: T.Token, { trailing, inner }: Suite): Around {
    if (this.RECORDING_PHASE) return BARE;
    const above = first.trivia?.comments ?? NO_COMMENTS;
    return { leading: inner.length === 0 ? above : [...above, ...inner], trailing, blankLines: first.trivia?.blankLines ?? 0 };
  }

  // — if, for, while, with —

  private readonly ifStatement = this.RULE("ifStatement", (): SStmt => {
    const first = this.LA(1) as T.Token;
    this.CONSUME(T.If);
    const cond = this.SUBRULE(this.expression);
    const suite = this.SUBRULE(this.suite, { ARGS: ["`if`"] });
    const branches: Branch[] = [];
    this.MANY(() => branches.push(this.SUBRULE(this.elifClause)));
    const last = this.OPTION(() => this.SUBRULE(this.elseClause));
    if (this.RECORDING_PHASE) return NO_STATEMENT;
    return this.ifNode(first, cond, suite, this.chain(branches, last), false);
  });

  private ifNode(first: T.Token, cond: SExpr, suite: Suite, orelse: Block | undefined, elif: boolean): IfStmt {
    const span = { source: this.source, start: first.startOffset, end: (orelse ?? suite.body).span.end };
    return { kind: "IfStmt", cond, body: suite.body, orelse, elif, ...this.aroundHeader(first, suite), span };
  }

  /** `elif`s from the last to the first; those beyond the limit are kept as bad text. */
  private chain(branches: readonly Branch[], last: Block | undefined): Block | undefined {
    let orelse = last;
    const over = branches[NESTING_LIMIT];
    if (over !== undefined) {
      this.report(diagnostic("TF1011", this.spanOf(over.first), { limit: NESTING_LIMIT }));
      orelse = blockOf(this.badStmt(over.first, undefined));
    }
    for (const { first, cond, suite } of branches.slice(0, NESTING_LIMIT).reverse()) {
      orelse = blockOf(this.ifNode(first, cond, suite, orelse, true));
    }
    return orelse;
  }

  private readonly elifClause = this.RULE("elifClause", (): Branch => {
    const first = this.LA(1) as T.Token;
    this.CONSUME(T.Elif);
    let cond = BAD;
    const suite = this.clause(first, () => {
      cond = this.SUBRULE(this.expression);
      return this.SUBRULE(this.suite, { ARGS: ["`elif`"] });
    });
    return { first, cond, suite };
  });

  private readonly elseClause = this.RULE("elseClause", (): Block => {
    const first = this.LA(1) as T.Token;
    this.CONSUME(T.Else);
    return this.headed(first, this.clause(first, () => this.SUBRULE(this.suite, { ARGS: ["`else`"] })));
  });

  /** The block of an `else` or `finally`, with the comments at that line. */
  private headed(first: T.Token, { body, trailing, inner }: Suite): Block {
    const leading = [...(first.trivia?.comments ?? NO_COMMENTS), ...inner];
    return leading.length === 0 && trailing === undefined ? body : { ...body, header: { leading, trailing } };
  }

  private readonly forStatement = this.RULE("forStatement", (async?: T.Token): SStmt => {
    const first = async ?? (this.LA(1) as T.Token);
    this.CONSUME(T.For);
    const target = this.SUBRULE(this.targets);
    this.CONSUME(T.In);
    const iterable = this.bare(this.SUBRULE(this.items));
    const suite = this.SUBRULE(this.suite, { ARGS: ["`for`"] });
    const orelse = this.OPTION(() => this.SUBRULE(this.elseClause));
    return {
      kind: "ForStmt", async: async !== undefined, target, iterable, body: suite.body, orelse,
      ...this.aroundHeader(first, suite), span: this.spanFrom(first.startOffset),
    };
  });

  private readonly whileStatement = this.RULE("whileStatement", (): SStmt => {
    const first = this.LA(1) as T.Token;
    this.CONSUME(T.While);
    const cond = this.SUBRULE(this.expression);
    const suite = this.SUBRULE(this.suite, { ARGS: ["`while`"] });
    const orelse = this.OPTION(() => this.SUBRULE(this.elseClause));
    const around = this.aroundHeader(first, suite);
    return { kind: "WhileStmt", cond, body: suite.body, orelse, ...around, span: this.spanFrom(first.startOffset) };
  });

  private readonly withStatement = this.RULE("withStatement", (async?: T.Token): SStmt => {
    const first = async ?? (this.LA(1) as T.Token);
    this.CONSUME(T.With);
    const items: WithItem[] = [];
    this.OR([
      { GATE: this.itemsInParens, IGNORE_AMBIGUITIES: true, ALT: () => this.parenthesizedItems(items) },
      {
        ALT: () => {
          items.push(this.SUBRULE2(this.withItem));
          this.MANY1(() => {
            this.CONSUME2(T.Comma);
            items.push(this.SUBRULE3(this.withItem));
          });
        },
      },
    ]);
    const suite = this.SUBRULE(this.suite, { ARGS: ["`with`"] });
    const around = this.aroundHeader(first, suite);
    return { kind: "WithStmt", async: async !== undefined, items, body: suite.body, ...around, span: this.spanFrom(first.startOffset) };
  });

  private parenthesizedItems(items: WithItem[]): void {
    this.CONSUME(T.LParen);
    items.push(this.SUBRULE(this.withItem));
    this.MANY({
      GATE: this.hasMore,
      DEF: () => {
        this.CONSUME(T.Comma);
        items.push(this.SUBRULE1(this.withItem));
      },
    });
    this.OPTION(() => this.CONSUME1(T.Comma));
    this.CONSUME(T.RParen);
  }

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
      if (kind === T.Newline || kind === T.End) return false;
    }
  };

  private readonly withItem = this.RULE("withItem", (): WithItem => {
    const context = this.SUBRULE(this.expression);
    const alias = this.OPTION(() => {
      this.CONSUME(T.As);
      return this.SUBRULE(this.target);
    });
    if (alias !== undefined && !this.RECORDING_PHASE) this.assignable(alias);
    return { context, alias };
  });

  // — definitions —

  private readonly decorated = this.RULE("decorated", (): SStmt => {
    const first = this.LA(1) as T.Token;
    const decorators: Decorator[] = [];
    this.AT_LEAST_ONE(() => decorators.push(this.SUBRULE(this.decorator, { ARGS: [decorators.length === 0] })));
    const prefix: Prefix = { first, decorators };
    const definition = this.OPTION(() =>
      this.OR([
        { ALT: () => this.SUBRULE(this.functionDef, { ARGS: [prefix] }) },
        { ALT: () => this.SUBRULE(this.classDef, { ARGS: [prefix] }) },
        {
          ALT: () => {
            const async = this.CONSUME(T.Async) as T.Token;
            return this.SUBRULE1(this.functionDef, { ARGS: [prefix, async] });
          },
        },
      ]),
    );
    if (definition !== undefined) return definition;
    const next = this.LA(1);
    this.report(diagnostic("TF1002", this.spanOf(next), { expected: "`def` or `class` below the decorator", found: found(next) }));
    return this.badStmt(first, undefined);
  });

  private readonly decorator = this.RULE("decorator", (isFirst = false): Decorator => {
    const first = this.LA(1) as T.Token;
    const { depth, into } = this;
    this.CONSUME(T.At);
    let value = BAD;
    let newline: IToken;
    try {
      value = this.SUBRULE(this.expression);
      newline = this.CONSUME(T.Newline);
    } catch (error) {
      if (this.RECORDING_PHASE || !isRecognition(error)) throw error;
      this.depth = depth;
      this.into = into;
      const why = this.explain(error);
      newline = this.skipLine(why);
      value = { kind: "BadExpr", span: this.spanFrom(first.end) };
    }
    const inner = this.inner.before(this.end());
    const above = isFirst ? inner : [...(first.trivia?.comments ?? NO_COMMENTS), ...inner];
    return { value, leading: above, trailing: (newline as T.Token).trivia?.comments[0], span: this.spanFrom(first.startOffset) };
  });

  private readonly functionDef = this.RULE("functionDef", (prefix?: Prefix, async?: T.Token): SStmt => {
    const head = async ?? (this.LA(1) as T.Token);
    this.CONSUME(T.Def);
    const name = this.CONSUME(T.Name);
    const typeParams = this.OPTION(() => this.SUBRULE(this.typeParams));
    this.CONSUME(T.LParen);
    const params = this.SUBRULE(this.params);
    const rest = this.rest().trailing;
    this.CONSUME(T.RParen, { ERR_MSG: "`,` or `)`" });
    const returns = this.OPTION1(() => {
      this.CONSUME(T.Arrow);
      return this.bare(this.SUBRULE(this.items));
    });
    const suite = this.SUBRULE(this.suite, { ARGS: ["`def`"] });
    return {
      kind: "FunctionDef", async: async !== undefined, ...this.definition(prefix, head, name, suite), params, returns,
      ...(typeParams === undefined ? {} : { typeParams }), ...(rest === undefined ? {} : { listTrailing: rest }),
    };
  });

  private readonly classDef = this.RULE("classDef", (prefix?: Prefix): SStmt => {
    const head = this.LA(1) as T.Token;
    this.CONSUME(T.Class);
    const name = this.CONSUME(T.Name);
    const typeParams = this.OPTION(() => this.SUBRULE(this.typeParams));
    let rest: readonly Comment[] | undefined;
    const args = this.OPTION1((): readonly Arg[] => {
      this.CONSUME(T.LParen);
      const listed = this.SUBRULE(this.args);
      rest = this.rest().trailing;
      this.CONSUME(T.RParen, { ERR_MSG: "`,` or `)`" });
      return listed;
    });
    const suite = this.SUBRULE(this.suite, { ARGS: ["`class`"] });
    return {
      kind: "ClassDef", ...this.definition(prefix, head, name, suite), args: args ?? [],
      ...(typeParams === undefined ? {} : { typeParams }), ...(rest === undefined ? {} : { listTrailing: rest }),
    };
  });

  /** What functions and classes share. */
  private definition(prefix: Prefix | undefined, head: T.Token, name: IToken, suite: Suite) {
    const first = prefix?.first ?? head;
    const above = prefix === undefined ? NO_COMMENTS : (head.trivia?.comments ?? NO_COMMENTS);
    return {
      decorators: prefix?.decorators ?? [], name: name.image, nameSpan: this.spanOf(name), body: suite.body,
      ...(above.length === 0 ? {} : { aboveDef: above }), ...this.aroundHeader(first, suite), span: this.spanFrom(first.startOffset),
    };
  }

  private readonly asyncStatement = this.RULE("asyncStatement", (): SStmt => {
    const async = this.CONSUME(T.Async) as T.Token;
    return this.OR([
      { ALT: () => this.SUBRULE(this.functionDef, { ARGS: [undefined, async] }) },
      { ALT: () => this.SUBRULE(this.forStatement, { ARGS: [async] }) },
      { ALT: () => this.SUBRULE(this.withStatement, { ARGS: [async] }) },
    ]);
  });

  // — try, match —

  private readonly tryStatement = this.RULE("tryStatement", (): SStmt => {
    const first = this.LA(1) as T.Token;
    this.CONSUME(T.Try);
    const suite = this.SUBRULE(this.suite, { ARGS: ["`try`"] });
    const handlers: Handler[] = [];
    this.MANY(() => handlers.push(this.SUBRULE(this.exceptClause)));
    const orelse = this.OPTION(() => this.SUBRULE(this.elseClause));
    const last = this.OPTION1(() => {
      const head = this.LA(1) as T.Token;
      this.CONSUME(T.Finally);
      return this.headed(head, this.clause(head, () => this.SUBRULE1(this.suite, { ARGS: ["`finally`"] })));
    });
    const around = this.aroundHeader(first, suite);
    return { kind: "Try", body: suite.body, handlers, orelse, finally: last, ...around, span: this.spanFrom(first.startOffset) };
  });

  private readonly exceptClause = this.RULE("exceptClause", (): Handler => {
    const first = this.LA(1) as T.Token;
    this.CONSUME(T.Except);
    let star = false;
    let type: SExpr | undefined;
    let name: string | undefined;
    const suite = this.clause(first, () => {
      star = this.OPTION(() => this.CONSUME(T.Star)) !== undefined;
      type = this.OPTION1(() => this.bare(this.SUBRULE(this.items)));
      name = this.OPTION2(() => {
        this.CONSUME(T.As);
        return this.CONSUME(T.Name).image;
      });
      return this.SUBRULE(this.suite, { ARGS: ["`except`"] });
    });
    return { star, type, name, body: suite.body, leading: [...(first.trivia?.comments ?? NO_COMMENTS), ...suite.inner], trailing: suite.trailing };
  });

  /** The cases are not read: the language has no `match`. */
  private readonly matchStatement = this.RULE("matchStatement", (): SStmt => {
    const first = this.LA(1) as T.Token;
    this.CONSUME(T.Match);
    const subject = this.bare(this.SUBRULE(this.items));
    this.CONSUME(T.Colon);
    const newline = this.CONSUME(T.Newline) as T.Token;
    const inner = this.inner.before(newline.startOffset);
    this.CONSUME(T.Indent);
    const start = (this.LA(1) as T.Token).trivia?.comments[0]?.span.start ?? this.start();
    const lastComment = this.ACTION(() => this.skipBlock());
    this.CONSUME(T.Dedent);
    this.inner.before(this.end());
    const text = this.source.text.slice(start, Math.max(this.end(), lastComment));
    const body = { stmts: [], trailingComments: NO_COMMENTS, span: this.spanFrom(start) };
    const around = this.aroundHeader(first, { body, trailing: newline.trivia?.comments[0], inner });
    return { kind: "Match", subject, text, ...around, span: this.spanFrom(first.startOffset) };
  });

  /** Moves to the dedent that ends the block; says where its last comment on a line of its own ends. */
  private skipBlock(): number {
    let lastComment = 0;
    for (let depth = 0; ; this.SKIP_TOKEN()) {
      const next = this.LA(1) as T.Token;
      const kind = next.tokenType;
      if (kind === T.End) return lastComment;
      lastComment = Math.max(lastComment, next.trivia?.comments.at(-1)?.span.end ?? 0);
      if (kind === T.Indent) depth++;
      else if (kind === T.Dedent && --depth < 0) return lastComment;
    }
  }

  // — lines at fault —

  /** A clause of a statement: if its line is at fault, the statement stands and the clause holds the bad line. */
  private clause(first: T.Token, read: () => Suite): Suite {
    const { into, depth } = this;
    try {
      const suite = read();
      return this.RECORDING_PHASE ? NO_SUITE : suite;
    } catch (error) {
      if (this.RECORDING_PHASE || !isRecognition(error)) throw error;
      this.depth = depth;
      const stmts: SStmt[] = [];
      this.into = stmts;
      this.badLine(first, this.explain(error));
      this.into = into;
      return { body: { stmts, trailingComments: NO_COMMENTS, span: this.spanFrom(first.startOffset) }, trailing: undefined, inner: NO_COMMENTS };
    }
  }

  private explain(error: IRecognitionException): Diagnostic {
    const { fault } = this;
    this.fault = undefined;
    if (fault !== undefined) return fault;
    const at = error.token;
    return diagnostic("TF1002", this.spanOf(at), { expected: expected(error.message, this.LA(0)), found: found(at) });
  }

  /** Keeps the logical line that `first` begins, with the block and the clauses below it, as one bad statement. */
  private badLine(first: T.Token, why: Diagnostic): void {
    const newline = this.skipLine(why);
    const stmts: SStmt[] = [];
    const comments: Comment[] = [];
    const below = (): void => {
      if (this.LA(1).tokenType !== T.Indent) return;
      const block = this.SUBRULE9(this.indented);
      stmts.push(...block.stmts);
      comments.push(...block.trailingComments);
    };
    below();
    while (HEADERS.has(first.tokenType) && CLAUSES.has(this.LA(1).tokenType)) {
      this.skipLine(undefined);
      below();
    }
    const [begin] = stmts;
    const body = begin === undefined ? undefined : { stmts, trailingComments: comments, span: this.spanFrom(begin.span.start) };
    const bad = this.badStmt(first, body);
    this.into.push({ ...bad, trailing: body === undefined ? newline.trivia?.comments[0] : undefined });
  }

  /** Moves behind the end of the logical line and reports why, unless the lexer has said what is wrong with this line. */
  private skipLine(why: Diagnostic | undefined): T.Token {
    this.fold.reset();
    while (this.LA(1).tokenType !== T.Newline && this.LA(1).tokenType !== T.End) this.SKIP_TOKEN();
    const newline = this.LA(1) as T.Token;
    if (newline.tokenType === T.Newline) this.SKIP_TOKEN();
    this.inner.before(newline.startOffset);
    if (why !== undefined && newline.mark === 0) this.report(why);
    return newline;
  }

  private badStmt(first: T.Token, body: Block | undefined): BadStmt {
    const span = this.spanFrom(first.startOffset);
    const around = { leading: first.trivia?.comments ?? NO_COMMENTS, trailing: undefined, blankLines: first.trivia?.blankLines ?? 0 };
    const text = this.source.text.slice(span.start, span.end);
    return { kind: "BadStmt", text, ...(body === undefined ? {} : { body }), ...around, span };
  }

  /** At the limit reading stops: the rest of the text belongs to the statement at fault. */
  private report(why: Diagnostic): void {
    this.diagnostics.push(why);
    if (this.diagnostics.length < ERROR_LIMIT) return;
    this.stopped = true;
    while (this.LA(1).tokenType !== T.End) this.SKIP_TOKEN();
    this.inner.before(Infinity);
  }
}

function blockOf(stmt: SStmt): Block {
  return { stmts: [stmt], trailingComments: NO_COMMENTS, span: stmt.span };
}

function isRecognition(error: unknown): error is IRecognitionException {
  return error instanceof Error && isRecognitionException(error);
}

// what the recording of the grammar meets instead of what is read
const BARE: Around = { leading: NO_COMMENTS, trailing: undefined, blankLines: 0 };
const NO_STATEMENT: SStmt = { kind: "Pass", ...BARE, span: BAD.span };
const NO_SUITE: Suite = { body: { stmts: [], trailingComments: NO_COMMENTS, span: BAD.span }, trailing: undefined, inner: NO_COMMENTS };
