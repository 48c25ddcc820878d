// The grammar of simple statements.

import type { IToken } from "chevrotain";
import type { Comment, ImportName, SExpr, SStmt } from "./ast.ts";
import { CLOSE_PAREN } from "./brackets.ts";
import { found } from "./describe.ts";
import { ExpressionGrammar } from "./expressions.ts";
import { NO_COMMENTS } from "./grammar-base.ts";
import { NO_TRIVIA } from "./layout.ts";
import * as T from "./tokens.ts";

/** What stands around a statement. */
export interface Around {
  readonly leading: readonly Comment[];
  readonly trailing: Comment | undefined;
  readonly blankLines: number;
}

/** A statement without what stands around it. */
type Core = SStmt extends infer S ? (S extends SStmt ? Omit<S, keyof Around | "span"> : never) : never;

const ALIAS = { ERR_MSG: "a name after `as`" };

export abstract class SimpleGrammar extends ExpressionGrammar {
  /** `a; b; c;` */
  protected readonly simples = this.RULE("simples", (): readonly SStmt[] => {
    const stmts: SStmt[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: T.Semicolon,
      DEF: () => {
        if (stmts.length > 0 && this.LA(1).tokenTypeIdx === T.Newline.tokenTypeIdx) return;
        const first = this.LA(1) as T.Token;
        const core = this.OR(this.alternatives);
        if (!this.RECORDING_PHASE) stmts.push(this.finished(core, first));
      },
    });
    return stmts;
  });

  private finished(core: Core, first: T.Token): SStmt {
    const inner = this.inner.next === Infinity ? NO_COMMENTS : this.inner.before(this.end());
    const next = this.LA(1).tokenTypeIdx === T.Semicolon.tokenTypeIdx ? this.LA(2) : this.LA(1);
    const trailing = next.tokenTypeIdx === T.Newline.tokenTypeIdx ? this.logical.trailing : undefined;
    const above = first === this.logical.tokens[0] ? this.logical.above : NO_TRIVIA;
    const leading = inner.length === 0 ? above.comments : [...above.comments, ...inner];
    const { blankLines } = above;
    const span = this.spanFrom(first.startOffset);
    // the two usual ones by hand: spreading takes longer than all the rest
    if (core.kind === "AssignStmt") return { kind: "AssignStmt", targets: core.targets, value: core.value, leading, trailing, blankLines, span };
    if (core.kind === "ExprStmt") return { kind: "ExprStmt", value: core.value, leading, trailing, blankLines, span };
    return { ...core, leading, trailing, blankLines, span } as SStmt; // Core lacks exactly these
  }

  private readonly alternatives = [
    { ALT: (): Core => this.expressionStatement() },
    { ALT: (): Core => this.returnStatement() },
    { ALT: (): Core => this.word("Pass", this.CONSUME(T.Pass)) },
    { ALT: (): Core => this.word("BreakStmt", this.CONSUME(T.Break)) },
    { ALT: (): Core => this.word("ContinueStmt", this.CONSUME(T.Continue)) },
    { ALT: (): Core => this.SUBRULE(this.importStatement) },
    { ALT: (): Core => this.SUBRULE(this.fromStatement) },
    { ALT: (): Core => this.SUBRULE(this.delStatement) },
    { ALT: (): Core => this.SUBRULE(this.assertStatement) },
    { ALT: (): Core => this.SUBRULE(this.raiseStatement) },
    { ALT: (): Core => this.SUBRULE(this.globalStatement) },
    { ALT: (): Core => this.SUBRULE(this.typeStatement) },
  ];

  private word(kind: "Pass" | "BreakStmt" | "ContinueStmt", _: IToken): Core {
    return { kind };
  }

  // — expressions and assignments —

  private expressionStatement(): Core {
    const left = this.SUBRULE(this.items);
    const make = this.OR1<(left: SExpr) => Core>(this.assignments);
    return this.RECORDING_PHASE ? NO_CORE : make(left);
  }

  private readonly assignments = [
    {
      ALT: () => {
        const op = this.CONSUME(T.AugAssign).image;
        const value = this.SUBRULE1(this.items);
        return (target: SExpr): Core => ({ kind: "AugAssign", target: this.single(target), op, value });
      },
    },
    {
      ALT: () => {
        this.CONSUME(T.Colon);
        const annotation = this.SUBRULE(this.expression);
        const value = this.OPTION(() => {
          this.CONSUME1(T.Assign);
          return this.SUBRULE2(this.items);
        });
        return (target: SExpr): Core => ({ kind: "AnnAssign", target: this.single(target), annotation, value });
      },
    },
    {
      ALT: () => {
        let rest: SExpr[] | undefined;
        this.MANY(() => {
          this.CONSUME(T.Assign);
          (rest ??= []).push(this.SUBRULE3(this.items));
        });
        return (left: SExpr): Core => (rest === undefined ? { kind: "ExprStmt", value: left } : this.assignment(left, rest));
      },
    },
  ];

  /** `a = b = c`: all but the last are targets. */
  private assignment(left: SExpr, rest: readonly SExpr[]): Core {
    const targets = [left, ...rest];
    const value = targets.pop() ?? left;
    for (const target of targets) this.assignable(target);
    return { kind: "AssignStmt", targets, value };
  }

  /** The target of `+=` and of an annotation is one thing. */
  private single(target: SExpr): SExpr {
    const what = target.kind === "TupleDisplay" ? "a tuple" : target.kind === "ListDisplay" ? "a list" : undefined;
    if (what !== undefined) this.fail("TF1017", target.span, { what });
    this.assignable(target);
    return target;
  }

  private returnStatement(): Core {
    this.CONSUME(T.Return);
    return { kind: "ReturnStmt", value: this.OPTION1(() => this.SUBRULE4(this.items)) };
  }

  // — imports —

  private readonly importStatement = this.RULE("importStatement", (): Core => {
    this.CONSUME(T.Import);
    const names: ImportName[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: T.Comma,
      DEF: () => {
        const path = this.SUBRULE(this.dottedName);
        names.push({ path, alias: this.OPTION(this.alias) });
      },
    });
    return { kind: "Import", names };
  });

  private readonly alias = (): string => {
    this.CONSUME(T.As);
    return this.CONSUME1(T.Name, ALIAS).image;
  };

  private readonly dottedName = this.RULE("dottedName", (): string => {
    const parts: string[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: T.Dot, DEF: () => parts.push(this.CONSUME(T.Name).image) });
    return parts.join(".");
  });

  private readonly fromStatement = this.RULE("fromStatement", (): Core => {
    this.CONSUME(T.From);
    let level = 0;
    this.MANY(() => {
      const dots = this.OR([{ ALT: () => this.CONSUME(T.Dot) }, { ALT: () => this.CONSUME(T.Constant) }]);
      if (this.RECORDING_PHASE) return;
      if (!dots.image.startsWith(".")) this.fail("TF1002", this.spanOf(dots), { expected: "the name of a module", found: `\`${dots.image}\`` });
      level += dots.image.length;
    });
    const module = this.OPTION(() => this.SUBRULE(this.dottedName)) ?? "";
    if (level === 0 && module === "" && !this.RECORDING_PHASE) {
      this.fail("TF1002", this.nextSpan(), { expected: "the name of a module", found: found(this.LA(1)) });
    }
    this.CONSUME(T.Import);
    const names = this.OR1<readonly ImportName[] | "*">([
      {
        ALT: () => {
          this.CONSUME(T.Star);
          return "*";
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.LParen);
          const listed = this.SUBRULE(this.importNames);
          this.CONSUME(T.RParen, CLOSE_PAREN);
          return listed;
        },
      },
      { ALT: () => this.SUBRULE1(this.importNames) },
    ]);
    return { kind: "ImportFrom", level, module, names };
  });

  private readonly importNames = this.RULE("importNames", (): readonly ImportName[] => {
    const names: ImportName[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: T.Comma,
      DEF: () => {
        if (names.length > 0 && this.LA(1).tokenType === T.RParen) return;
        const path = this.CONSUME(T.Name).image;
        names.push({ path, alias: this.OPTION(this.alias) });
      },
    });
    return names;
  });

  // — the others —

  private readonly delStatement = this.RULE("delStatement", (): Core => {
    this.CONSUME(T.Del);
    const listed = this.SUBRULE(this.items);
    if (this.RECORDING_PHASE) return NO_CORE;
    this.assignable(listed);
    return { kind: "Delete", targets: listed.kind === "TupleDisplay" && !listed.parenthesized ? listed.items : [listed] };
  });

  private readonly assertStatement = this.RULE("assertStatement", (): Core => {
    this.CONSUME(T.Assert);
    const test = this.SUBRULE(this.expression);
    const message = this.OPTION(() => {
      this.CONSUME(T.Comma);
      return this.SUBRULE1(this.expression);
    });
    return { kind: "Assert", test, message };
  });

  private readonly raiseStatement = this.RULE("raiseStatement", (): Core => {
    this.CONSUME(T.Raise);
    const value = this.OPTION(() => this.SUBRULE(this.expression));
    const cause = this.OPTION1(() => {
      this.CONSUME(T.From);
      return this.SUBRULE1(this.expression);
    });
    return { kind: "Raise", value, cause };
  });

  private readonly globalStatement = this.RULE("globalStatement", (): Core => {
    const word = this.CONSUME(T.Global).image === "global" ? "global" : "nonlocal";
    const names: string[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: T.Comma, DEF: () => names.push(this.CONSUME(T.Name).image) });
    return { kind: "Global", word, names };
  });

  private readonly typeStatement = this.RULE("typeStatement", (): Core => {
    this.CONSUME(T.Type);
    const name = this.CONSUME(T.Name).image;
    const typeParams = this.OPTION(() => this.SUBRULE(this.typeParams));
    this.CONSUME(T.Assign);
    const value = this.SUBRULE(this.expression);
    return typeParams === undefined ? { kind: "TypeAlias", name, value } : { kind: "TypeAlias", name, typeParams, value };
  });
}

/** What the recording of the grammar meets instead of a statement. */
const NO_CORE: Core = { kind: "Pass" };
