// Makers of surface nodes that come from no text: what `toSurface` and tests build trees with. All of them share one empty
// span. Nothing is parenthesised here: the printer adds the parentheses that precedence needs.

import { makeSource, span, type Span } from "@tilefoundry/text";
import type {
  AnnAssign, Arg, AssignStmt, Attribute, Binary, BinaryOp, Block, BoolOp, BreakStmt, CallExpr, ClassDef, Comment, Compare, CompareOp, ContinueStmt,
  Decorator, ExprStmt, ForStmt, FunctionDef, IfStmt, Keyword, ListDisplay, Name, Num, Pass, ReturnStmt, SExpr, SModule, SParam, SStmt,
  Str, Subscript, TupleDisplay, Unary, WhileStmt, WithStmt,
} from "./ast.ts";

/** The span of every made node: an empty one, in a source without text. */
export const MADE: Span = span(makeSource("made", ""), 0, 0);

// — expressions —

export const name = (text: string): Name => ({ kind: "Name", name: text, span: MADE });

/** A dotted name: `dotted("pl.FunctionType.InCore")`. */
export function dotted(path: string): SExpr {
  const [first = "", ...rest] = path.split(".");
  return rest.reduce<SExpr>((value, part) => attribute(value, part), name(first));
}

export function attribute(value: SExpr, member: string): Attribute {
  return { kind: "Attribute", value, name: member, nameSpan: MADE, span: MADE };
}

/** An integer; a negative one is the minus sign before a literal, as Python reads it. */
export function integer(value: bigint | number): SExpr {
  const size = BigInt(value);
  if (size < 0n) return unary("-", integer(-size));
  return { kind: "Num", text: String(size), form: "int", value: size, span: MADE } satisfies Num;
}

/** A float by its digits, which hold a point or an exponent; a leading `-` becomes the operator. */
export function float(digits: string): SExpr {
  if (digits.startsWith("-")) return unary("-", float(digits.slice(1)));
  return { kind: "Num", text: digits, form: "float", value: Number(digits), span: MADE } satisfies Num;
}

export function text(value: string): Str {
  // JSON's escapes are a subset of Python's.
  return { kind: "Str", parts: [{ text: JSON.stringify(value), prefix: "", span: MADE }], value, span: MADE };
}

export const word = (value: Keyword["word"]): Keyword => ({ kind: "Keyword", word: value, span: MADE });

export const truth = (value: boolean): Keyword => word(value ? "True" : "False");

/** `(a, b)`; without parentheses it is what stands in `return a, b` and in a subscript. */
export function tupleOf(items: readonly SExpr[], parenthesized = true): TupleDisplay {
  return { kind: "TupleDisplay", items, parenthesized, span: MADE };
}

export const listOf = (items: readonly SExpr[]): ListDisplay => ({ kind: "ListDisplay", items, span: MADE });

export const unary = (op: Unary["op"], operand: SExpr): Unary => ({ kind: "Unary", op, operand, span: MADE });

export function binary(op: BinaryOp, left: SExpr, right: SExpr): Binary {
  return { kind: "Binary", op, left, right, opSpan: MADE, span: MADE };
}

export const boolOp = (op: BoolOp["op"], left: SExpr, right: SExpr): BoolOp => ({ kind: "BoolOp", op, left, right, span: MADE });

export function compare(op: CompareOp, left: SExpr, right: SExpr): Compare {
  return { kind: "Compare", ops: [op], operands: [left, right], span: MADE };
}

export const positional = (value: SExpr): Arg => ({ name: undefined, star: "", value });

export const keyword = (key: string, value: SExpr): Arg => ({ name: { text: key, span: MADE }, star: "", value });

export function call(callee: SExpr, args: readonly SExpr[], keywords: readonly Arg[] = []): CallExpr {
  return { kind: "Call", callee, args: [...args.map(positional), ...keywords], span: MADE };
}

/** `value[a, b]`. */
export function subscript(value: SExpr, items: readonly SExpr[]): Subscript {
  const [only] = items;
  return { kind: "Subscript", value, index: items.length === 1 && only !== undefined ? only : tupleOf(items, false), span: MADE };
}

// — statements —

export const comment = (line: string): Comment => ({ text: line, span: MADE });

/** What stands around a statement. */
export interface Surroundings {
  readonly comments?: readonly string[];
  readonly blankLines?: number;
}

function around({ comments = [], blankLines = 0 }: Surroundings) {
  return { leading: comments.map(comment), trailing: undefined, blankLines, span: MADE };
}

export const exprStmt = (value: SExpr, s: Surroundings = {}): ExprStmt => ({ kind: "ExprStmt", value, ...around(s) });

export function assignStmt(target: SExpr, value: SExpr, s: Surroundings = {}): AssignStmt {
  return { kind: "AssignStmt", targets: [target], value, ...around(s) };
}

export function annAssign(target: SExpr, annotation: SExpr, value: SExpr, s: Surroundings = {}): AnnAssign {
  return { kind: "AnnAssign", target, annotation, value, ...around(s) };
}

export const returnStmt = (value: SExpr | undefined, s: Surroundings = {}): ReturnStmt => ({ kind: "ReturnStmt", value, ...around(s) });
export const pass = (s: Surroundings = {}): Pass => ({ kind: "Pass", ...around(s) });
export const breakStmt = (s: Surroundings = {}): BreakStmt => ({ kind: "BreakStmt", ...around(s) });
export const continueStmt = (s: Surroundings = {}): ContinueStmt => ({ kind: "ContinueStmt", ...around(s) });

/** An `elif` is an `orelse` of one `IfStmt` made with `elif`. */
export function ifStmt(cond: SExpr, body: Block, orelse: Block | undefined, s: Surroundings = {}, elif = false): IfStmt {
  return { kind: "IfStmt", cond, body, orelse, elif, ...around(s) };
}

export function forStmt(target: SExpr, iterable: SExpr, body: Block, s: Surroundings = {}): ForStmt {
  return { kind: "ForStmt", async: false, target, iterable, body, orelse: undefined, ...around(s) };
}

export function withStmt(context: SExpr, body: Block, s: Surroundings = {}): WithStmt {
  return { kind: "WithStmt", async: false, items: [{ context, alias: undefined }], body, ...around(s) };
}

export function whileStmt(cond: SExpr, body: Block, s: Surroundings = {}): WhileStmt {
  return { kind: "WhileStmt", cond, body, orelse: undefined, ...around(s) };
}

export function param(key: string, annotation: SExpr | undefined): SParam {
  return { name: key, nameSpan: MADE, star: "", annotation, default: undefined, span: MADE };
}

export const decorator = (value: SExpr): Decorator => ({ value, leading: [], trailing: undefined, span: MADE });

export interface FunctionParts {
  readonly decorators: readonly SExpr[];
  readonly name: string;
  readonly params: readonly SParam[];
  readonly returns: SExpr | undefined;
  readonly body: Block;
}

export function functionDef(parts: FunctionParts, s: Surroundings = {}): FunctionDef {
  const { decorators, name: title, params, returns, body } = parts;
  return { kind: "FunctionDef", async: false, decorators: decorators.map(decorator), name: title, nameSpan: MADE, params, returns, body, ...around(s) };
}

export function classDef(title: string, decorators: readonly SExpr[], body: Block, s: Surroundings = {}): ClassDef {
  return { kind: "ClassDef", decorators: decorators.map(decorator), name: title, nameSpan: MADE, args: [], body, ...around(s) };
}

/** A block is never empty: without statements it is `pass`. */
export function block(stmts: readonly SStmt[], comments: readonly string[] = []): Block {
  return { stmts: stmts.length === 0 ? [pass()] : stmts, trailingComments: comments.map(comment), span: MADE };
}

export function moduleOf(stmts: readonly SStmt[], comments: readonly string[] = []): SModule {
  return { kind: "SModule", body: { stmts, trailingComments: comments.map(comment), span: MADE }, span: MADE };
}
