// The surface tree: Python's own syntax as the language reads it, with spans and comments. Nothing is judged here: what the
// language refuses (`try`, `lambda`, …) is a node, and the frontend refuses it by name.

import type { Span } from "@tilefoundry/text";

interface Base {
  readonly span: Span;
}

/** A `#` comment; `text` is without `#` and the blank after it. */
export interface Comment {
  readonly text: string;
  readonly span: Span;
}

/** Comments of an element inside brackets, which force it on its own line. */
export interface ElementComments {
  readonly leading: readonly Comment[];
  readonly trailing?: Comment;
}

interface Element extends Base {
  readonly comments?: ElementComments;
}

/** Comments between the last element and the closing bracket. */
interface Bracketed extends Element {
  readonly trailing?: readonly Comment[];
}

// — expressions —

export type SExpr =
  | Name | Hole | Num | Str | Keyword | TupleDisplay | ListDisplay | SetDisplay | DictDisplay | Comprehension | Lambda | Ternary
  | Unary | Binary | BoolOp | Compare | CallExpr | Subscript | Slice | Attribute | Starred | Await | YieldExpr | Walrus | Paren | BadExpr;

export interface Name extends Element { readonly kind: "Name"; readonly name: string }
/** `${…}` of a template; `index` counts the holes from 0. */
export interface Hole extends Element { readonly kind: "Hole"; readonly index: number }
/** `text` as written. Integers of any size; `imaginary` is parsed and refused later. */
export interface Num extends Element { readonly kind: "Num"; readonly text: string; readonly form: "int" | "float" | "imaginary"; readonly value: bigint | number }
/** Adjacent literals are one node; `value` is undefined for an f-string with replacement fields and for bytes. */
export interface Str extends Element { readonly kind: "Str"; readonly parts: readonly StrPart[]; readonly value: string | undefined }
export interface StrPart { readonly text: string; readonly prefix: string; readonly span: Span }
export interface Keyword extends Element { readonly kind: "Keyword"; readonly word: "True" | "False" | "None" | "..." }
export interface TupleDisplay extends Bracketed { readonly kind: "TupleDisplay"; readonly items: readonly SExpr[]; readonly parenthesized: boolean }
export interface ListDisplay extends Bracketed { readonly kind: "ListDisplay"; readonly items: readonly SExpr[] }
export interface SetDisplay extends Bracketed { readonly kind: "SetDisplay"; readonly items: readonly SExpr[] }
/** A `key` of undefined is `**value`. */
export interface DictDisplay extends Bracketed { readonly kind: "DictDisplay"; readonly entries: readonly DictEntry[] }
export interface DictEntry { readonly key: SExpr | undefined; readonly value: SExpr; readonly comments?: ElementComments }
export interface Comprehension extends Bracketed { readonly kind: "Comprehension"; readonly form: "list" | "set" | "dict" | "generator"; readonly key: SExpr | undefined; readonly element: SExpr; readonly clauses: readonly CompClause[] }
export interface CompClause { readonly async: boolean; readonly target: SExpr; readonly iterable: SExpr; readonly conditions: readonly SExpr[] }
export interface Lambda extends Element { readonly kind: "Lambda"; readonly params: readonly SParam[]; readonly body: SExpr }
export interface Ternary extends Element { readonly kind: "Ternary"; readonly cond: SExpr; readonly then: SExpr; readonly else: SExpr }
export interface Unary extends Element { readonly kind: "Unary"; readonly op: "-" | "+" | "~" | "not"; readonly operand: SExpr }
export type BinaryOp = "+" | "-" | "*" | "/" | "//" | "%" | "@" | "**" | "<<" | ">>" | "&" | "|" | "^";
export interface Binary extends Element { readonly kind: "Binary"; readonly op: BinaryOp; readonly left: SExpr; readonly right: SExpr; readonly opSpan: Span }
export interface BoolOp extends Element { readonly kind: "BoolOp"; readonly op: "and" | "or"; readonly left: SExpr; readonly right: SExpr }
export type CompareOp = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in" | "is" | "is not";
/** A chain has several ops; `operands` is one longer than `ops`. */
export interface Compare extends Element { readonly kind: "Compare"; readonly ops: readonly CompareOp[]; readonly operands: readonly SExpr[] }
export interface CallExpr extends Bracketed { readonly kind: "Call"; readonly callee: SExpr; readonly args: readonly Arg[] }
/** `star` is `*x`, `doubleStar` is `**x`. */
export interface Arg { readonly name: { readonly text: string; readonly span: Span } | undefined; readonly star: "" | "*" | "**"; readonly value: SExpr; readonly comments?: ElementComments }
/** `index` is a `TupleDisplay` without parentheses where several items stand. */
export interface Subscript extends Bracketed { readonly kind: "Subscript"; readonly value: SExpr; readonly index: SExpr }
export interface Slice extends Element { readonly kind: "Slice"; readonly lower: SExpr | undefined; readonly upper: SExpr | undefined; readonly step: SExpr | undefined }
export interface Attribute extends Element { readonly kind: "Attribute"; readonly value: SExpr; readonly name: string; readonly nameSpan: Span }
export interface Starred extends Element { readonly kind: "Starred"; readonly value: SExpr }
export interface Await extends Element { readonly kind: "Await"; readonly value: SExpr }
export interface YieldExpr extends Element { readonly kind: "YieldExpr"; readonly from: boolean; readonly value: SExpr | undefined }
export interface Walrus extends Element { readonly kind: "Walrus"; readonly target: SExpr; readonly value: SExpr }
/** Authored parentheses. The printer of the IR never makes one (`print` adds what precedence needs); the formatter drops idle ones of no other use. */
export interface Paren extends Bracketed { readonly kind: "Paren"; readonly value: SExpr }
/** Stands where an expression was expected; its error is already reported. */
export interface BadExpr extends Element { readonly kind: "BadExpr" }

// — statements —

export type SStmt =
  | ExprStmt | AssignStmt | AugAssign | AnnAssign | ReturnStmt | Pass | BreakStmt | ContinueStmt | IfStmt | ForStmt | WhileStmt | WithStmt
  | FunctionDef | ClassDef | Import | ImportFrom | Delete | Assert | Raise | Try | Global | Match | TypeAlias | BadStmt;

interface StmtBase extends Base {
  /** Comment lines directly above, in order. */
  readonly leading: readonly Comment[];
  /** Comment on the last line of a simple statement, or on the header line of a compound one. */
  readonly trailing: Comment | undefined;
  /** Number of blank lines above its leading comments (or itself) in the source. */
  readonly blankLines: number;
}

export interface Block {
  readonly stmts: readonly SStmt[];
  /** Comments after the last statement at the indentation of the block. */
  readonly trailingComments: readonly Comment[];
  /** Of the block of an `else:` or `finally:`: comments above that line and on it. */
  readonly header?: { readonly leading: readonly Comment[]; readonly trailing: Comment | undefined };
  readonly span: Span;
}

export interface ExprStmt extends StmtBase { readonly kind: "ExprStmt"; readonly value: SExpr }
export interface AssignStmt extends StmtBase { readonly kind: "AssignStmt"; readonly targets: readonly SExpr[]; readonly value: SExpr }
export interface AugAssign extends StmtBase { readonly kind: "AugAssign"; readonly target: SExpr; readonly op: string; readonly value: SExpr }
export interface AnnAssign extends StmtBase { readonly kind: "AnnAssign"; readonly target: SExpr; readonly annotation: SExpr; readonly value: SExpr | undefined }
export interface ReturnStmt extends StmtBase { readonly kind: "ReturnStmt"; readonly value: SExpr | undefined }
export interface Pass extends StmtBase { readonly kind: "Pass" }
export interface BreakStmt extends StmtBase { readonly kind: "BreakStmt" }
export interface ContinueStmt extends StmtBase { readonly kind: "ContinueStmt" }
/** `elif` is an `IfStmt` as the only statement of `orelse` with `elif` set. */
export interface IfStmt extends StmtBase { readonly kind: "IfStmt"; readonly cond: SExpr; readonly body: Block; readonly orelse: Block | undefined; readonly elif: boolean }
export interface ForStmt extends StmtBase { readonly kind: "ForStmt"; readonly async: boolean; readonly target: SExpr; readonly iterable: SExpr; readonly body: Block; readonly orelse: Block | undefined }
export interface WhileStmt extends StmtBase { readonly kind: "WhileStmt"; readonly cond: SExpr; readonly body: Block; readonly orelse: Block | undefined }
export interface WithStmt extends StmtBase { readonly kind: "WithStmt"; readonly async: boolean; readonly items: readonly WithItem[]; readonly body: Block }
export interface WithItem { readonly context: SExpr; readonly alias: SExpr | undefined }
interface Definition extends StmtBase {
  readonly decorators: readonly Decorator[];
  readonly name: string;
  readonly nameSpan: Span;
  /** `[T, *Ts, **P]`; a bound is the annotation. */
  readonly typeParams?: readonly SParam[];
  /** Comments between the last decorator and the line that begins with `def` or `class`. */
  readonly aboveDef?: readonly Comment[];
  /** Comments before the closing parenthesis of the parameters or arguments. */
  readonly listTrailing?: readonly Comment[];
  readonly body: Block;
}

export interface FunctionDef extends Definition { readonly kind: "FunctionDef"; readonly async: boolean; readonly params: readonly SParam[]; readonly returns: SExpr | undefined }
export interface Decorator extends Base { readonly value: SExpr; readonly leading: readonly Comment[]; readonly trailing: Comment | undefined }
/** `star`: `*args`, `**kwargs`, a bare `*` (empty name) or a bare `/` (name "/"). */
export interface SParam extends Base { readonly name: string; readonly nameSpan: Span; readonly star: "" | "*" | "**"; readonly annotation: SExpr | undefined; readonly default: SExpr | undefined; readonly comments?: ElementComments }
export interface ClassDef extends Definition { readonly kind: "ClassDef"; readonly args: readonly Arg[] }
export interface Import extends StmtBase { readonly kind: "Import"; readonly names: readonly ImportName[] }
export interface ImportName { readonly path: string; readonly alias: string | undefined }
export interface ImportFrom extends StmtBase { readonly kind: "ImportFrom"; readonly level: number; readonly module: string; readonly names: readonly ImportName[] | "*" }
export interface Delete extends StmtBase { readonly kind: "Delete"; readonly targets: readonly SExpr[] }
export interface Assert extends StmtBase { readonly kind: "Assert"; readonly test: SExpr; readonly message: SExpr | undefined }
export interface Raise extends StmtBase { readonly kind: "Raise"; readonly value: SExpr | undefined; readonly cause: SExpr | undefined }
export interface Try extends StmtBase { readonly kind: "Try"; readonly body: Block; readonly handlers: readonly Handler[]; readonly orelse: Block | undefined; readonly finally: Block | undefined }
export interface Handler { readonly star: boolean; readonly type: SExpr | undefined; readonly name: string | undefined; readonly body: Block; readonly leading: readonly Comment[]; readonly trailing: Comment | undefined }
export interface Global extends StmtBase { readonly kind: "Global"; readonly word: "global" | "nonlocal"; readonly names: readonly string[] }
/** Kept as its header and the raw text of its cases: the language has no `match`. */
export interface Match extends StmtBase { readonly kind: "Match"; readonly subject: SExpr; readonly text: string }
export interface TypeAlias extends StmtBase { readonly kind: "TypeAlias"; readonly name: string; readonly typeParams?: readonly SParam[]; readonly value: SExpr }
/**
 * A logical line that could not be read; its error is already reported. `text` is what was written, with the block below the
 * line if it has one; `body` is that block, read for its own errors and for the names it binds.
 */
export interface BadStmt extends StmtBase { readonly kind: "BadStmt"; readonly text: string; readonly body?: Block }

/** A whole text. `blankLines` above the first statement count from the start of the text. */
export interface SModule {
  readonly kind: "SModule";
  readonly body: Block;
  readonly span: Span;
}
