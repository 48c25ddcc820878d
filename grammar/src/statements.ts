// The grammar of simple statements, and the line they stand on. Compound statements are in `compound.ts`.

import type { IToken } from "chevrotain";
import type { Comment, ImportName, SExpr, SStmt } from "./ast.ts";
import { BracketGrammar } from "./brackets.ts";
import { NO_COMMENTS } from "./grammar-base.ts";
import * as T from "./tokens.ts";

/** What stands around a statement. */
export interface Around {
  readonly leading: readonly Comment[];
  readonly trailing: Comment | undefined;
  readonly blankLines: number;
}

/** A statement without what stands around it. */
type Core = SStmt extends infer S ? (S extends SStmt ? Omit<S, keyof Around | "span"> : never) : never;

export abstract class StatementGrammar extends BracketGrammar {
  /** The statements of the block that is read. */
  protected into: SStmt[] = [];

  protected readonly simpleLine = this.RULE("simpleLine", (): void => {
    this.SUBRULE(this.simple);
    this.MANY({
      GATE: this.hasMore,
      DEF: () => {
        this.CONSUME(T.Semicolon);
        this.SUBRULE1(this.simple);
      },
    });
    this.OPTION(this.lastSemicolon);
    this.CONSUME(T.Newline);
  });

  private readonly lastSemicolon = (): IToken => this.CONSUME1(T.Semicolon);

  private readonly simple = this.RULE("simple", (): void => {
    const first = this.LA(1);
    const core = this.OR(this.simples);
    if (!this.RECORDING_PHASE) this.into.push(this.finished(core, first));
  });

  private finished(core: Core, first: IToken): SStmt {
    const { leading, trailing, blankLines } = this.around(first);
    return { ...core, leading, trailing, blankLines, span: this.spanFrom(first.startOffset) } as SStmt; // Core lacks exactly these
  }

  /** Comments and blank lines above a simple statement's first token, and the comment behind it if it is the last of its line. */
  private around(first: IToken): Around {
    const { trivia } = first as T.Token;
    const inner = this.inner.next === Infinity ? NO_COMMENTS : this.inner.before(this.end());
    const next = this.LA(1).tokenType === T.Semicolon ? this.LA(2) : this.LA(1);
    const trailing = next.tokenType === T.Newline ? (next as T.Token).trivia?.comments[0] : undefined;
    const above = trivia?.comments ?? NO_COMMENTS;
    return { leading: inner.length === 0 ? above : [...above, ...inner], trailing, blankLines: trivia?.blankLines ?? 0 };
  }

  private readonly simples = [
    { ALT: (): Core => this.SUBRULE(this.expressionStatement) },
    { ALT: (): Core => this.SUBRULE(this.returnStatement) },
    { ALT: (): Core => this.bareWord("Pass", this.CONSUME(T.Pass)) },
    { ALT: (): Core => this.bareWord("BreakStmt", this.CONSUME(T.Break)) },
    { ALT: (): Core => this.bareWord("ContinueStmt", this.CONSUME(T.Continue)) },
    { ALT: (): Core => this.SUBRULE(this.importStatement) },
    { ALT: (): Core => this.SUBRULE(this.fromStatement) },
    { ALT: (): Core => this.SUBRULE(this.delStatement) },
    { ALT: (): Core => this.SUBRULE(this.assertStatement) },
    { ALT: (): Core => this.SUBRULE(this.raiseStatement) },
    { ALT: (): Core => this.SUBRULE(this.globalStatement) },
    { ALT: (): Core => this.SUBRULE(this.typeStatement) },
  ];

  private bareWord(kind: "Pass" | "BreakStmt" | "ContinueStmt", _: IToken): Core {
    return { kind };
  }

  // — expressions and assignments —

  private readonly expressionStatement = this.RULE("expressionStatement", (): Core => {
    const left = this.SUBRULE(this.value);
    return this.OR<Core>([
      {
        ALT: () => {
          const op = this.CONSUME(T.AugAssign).image;
          const value = this.SUBRULE1(this.value);
          this.single(left);
          return { kind: "AugAssign", target: left, op, value };
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.Colon);
          const annotation = this.SUBRULE(this.expression);
          const value = this.OPTION(() => {
            this.CONSUME(T.Assign);
            return this.SUBRULE2(this.value);
          });
          this.single(left);
          return { kind: "AnnAssign", target: left, annotation, value };
        },
      },
      { ALT: () => this.assignment(left) },
    ]);
  });

  /** `a = b = c`, or an expression alone. */
  private assignment(left: SExpr): Core {
    let value = left;
    let targets: SExpr[] | undefined;
    this.MANY(() => {
      this.CONSUME1(T.Assign);
      if (!this.RECORDING_PHASE) this.assignable(value);
      (targets ??= []).push(value);
      value = this.SUBRULE3(this.value);
    });
    return targets === undefined ? { kind: "ExprStmt", value } : { kind: "AssignStmt", targets, value };
  }

  /** The target of `+=` and of an annotation is one thing. */
  private single(target: SExpr): void {
    if (this.RECORDING_PHASE) return;
    const what = target.kind === "TupleDisplay" ? "a tuple" : target.kind === "ListDisplay" ? "a list" : undefined;
    if (what !== undefined) this.fail("TF1017", target.span, { what });
    this.assignable(target);
  }

  /** What stands at either side of `=`. */
  protected readonly value = this.RULE("value", (): SExpr =>
    this.OR([{ ALT: () => this.bare(this.SUBRULE(this.items)) }, { ALT: () => this.SUBRULE(this.yieldExpr) }]),
  );

  private readonly returnStatement = this.RULE("returnStatement", (): Core => {
    this.CONSUME(T.Return);
    return { kind: "ReturnStmt", value: this.OPTION(() => this.bare(this.SUBRULE(this.items))) };
  });

  // — imports —

  private readonly importStatement = this.RULE("importStatement", (): Core => {
    this.CONSUME(T.Import);
    const names: ImportName[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: T.Comma,
      DEF: () => {
        const path = this.SUBRULE(this.dottedName);
        names.push({ path, alias: this.OPTION(() => this.alias()) });
      },
    });
    return { kind: "Import", names };
  });

  private alias(): string {
    this.CONSUME(T.As);
    return this.CONSUME1(T.Name).image;
  }

  private readonly dottedName = this.RULE("dottedName", (): string => {
    let path = "";
    this.AT_LEAST_ONE_SEP({
      SEP: T.Dot,
      DEF: () => {
        const part = this.CONSUME(T.Name).image;
        path = path === "" ? part : `${path}.${part}`;
      },
    });
    return path;
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
          this.CONSUME(T.RParen, { ERR_MSG: "`,` or `)`" });
          return listed;
        },
      },
      { ALT: () => this.SUBRULE1(this.importNames) },
    ]);
    return { kind: "ImportFrom", level, module, names };
  });

  private readonly importNames = this.RULE("importNames", (): readonly ImportName[] => {
    const names = [this.SUBRULE(this.importName)];
    this.MANY({
      GATE: this.hasMore,
      DEF: () => {
        this.CONSUME(T.Comma);
        names.push(this.SUBRULE1(this.importName));
      },
    });
    this.OPTION(() => this.CONSUME1(T.Comma));
    return names;
  });

  private readonly importName = this.RULE("importName", (): ImportName => {
    const path = this.CONSUME(T.Name).image;
    return { path, alias: this.OPTION(() => this.alias()) };
  });

  // — the others —

  private readonly delStatement = this.RULE("delStatement", (): Core => {
    this.CONSUME(T.Del);
    const targets = this.SUBRULE(this.items).items;
    if (!this.RECORDING_PHASE) targets.forEach((target) => this.assignable(target));
    return { kind: "Delete", targets };
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
    let cause: SExpr | undefined;
    const value = this.OPTION(() => {
      const raised = this.SUBRULE(this.expression);
      cause = this.OPTION1(() => {
        this.CONSUME(T.From);
        return this.SUBRULE1(this.expression);
      });
      return raised;
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
