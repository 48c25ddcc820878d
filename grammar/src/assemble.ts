// The clauses of a compound statement → its node, by the kind of the first.

import type { Span } from "@tilefoundry/text";
import type { Block, ClassDef, Comment, Decorator, FunctionDef, Handler, IfStmt, SStmt } from "./ast.ts";
import { NO_COMMENTS } from "./grammar-base.ts";
import type { Head, HeadOf } from "./headers.ts";
/** A line that opens a block, with that block: a statement or a clause of the one before it. */
export interface Clause {
  readonly head: Head;
  readonly leading: readonly Comment[];
  readonly trailing: Comment | undefined;
  readonly blankLines: number;
  /** From the first word to the end of the line. */
  readonly span: Span;
  /** Empty until the block below the line is read. */
  body: Block;
}

export interface DecoratorLine {
  readonly decorator: Decorator;
  readonly leading: readonly Comment[];
  readonly blankLines: number;
}

/** A compound statement: its clauses so far. */
export interface Compound {
  readonly decorators: readonly DecoratorLine[];
  readonly clauses: readonly Clause[];
}

type Of<K extends Clause["head"]["kind"]> = Omit<Clause, "head"> & { readonly head: HeadOf<K> };

/** The statement, or undefined if its first line could not be read. */
export function assemble(compound: Compound): SStmt | undefined {
  const [first, ...rest] = compound.clauses;
  if (first === undefined) return undefined;
  const make = MAKE[first.head.kind] as Maker<Clause["head"]["kind"]> | undefined; // the key fixes the kind
  return make?.(first as Of<Clause["head"]["kind"]>, rest, compound); // as above
}

type Maker<K extends Clause["head"]["kind"]> = (first: Of<K>, rest: readonly Clause[], compound: Compound) => SStmt;

const MAKE: { readonly [K in Clause["head"]["kind"]]?: Maker<K> } = {
  if: (first, rest) => ifStatement(first, rest),
  while: (first, rest) => ({ kind: "WhileStmt", cond: first.head.cond, body: first.body, orelse: elseOf(rest), ...around(first, rest) }),
  for: (first, rest) => {
    const { async, target, iterable } = first.head;
    return { kind: "ForStmt", async, target, iterable, body: first.body, orelse: elseOf(rest), ...around(first, rest) };
  },
  with: (first, rest) => ({ kind: "WithStmt", async: first.head.async, items: first.head.items, body: first.body, ...around(first, rest) }),
  def: (first, _, { decorators }) => {
    const { async, name, nameSpan, params, returns } = first.head;
    const { leading, trailing, blankLines, span } = aroundDefinition(first, decorators);
    const node: FunctionDef = {
      kind: "FunctionDef", async, decorators: decoratorsOf(decorators), name, nameSpan, params, returns, body: first.body,
      leading, trailing, blankLines, span,
    };
    return withRarities(node, first.head, decorators.length > 0 ? first.leading : NO_COMMENTS);
  },
  class: (first, _, { decorators }) => {
    const { name, nameSpan, args } = first.head;
    const own = { decorators: decoratorsOf(decorators), name, nameSpan, args, body: first.body };
    const node: ClassDef = { kind: "ClassDef", ...own, ...aroundDefinition(first, decorators) };
    return withRarities(node, first.head, decorators.length > 0 ? first.leading : NO_COMMENTS);
  },
  try: (first, rest) => ({
    kind: "Try", body: first.body, handlers: rest.flatMap(handler), orelse: elseOf(rest), finally: blockOf(rest, "finally"), ...around(first, rest),
  }),
  match: (first, rest) => {
    const { source, start, end } = first.body.span;
    return { kind: "Match", subject: first.head.subject, text: source.text.slice(start, end), ...around(first, rest) };
  },
};

function around(first: Omit<Clause, "head">, rest: readonly Clause[]) {
  const last = rest[rest.length - 1] ?? first;
  const span = { ...first.span, end: Math.max(last.span.end, last.body.span.end) };
  return { leading: first.leading, trailing: first.trailing, blankLines: first.blankLines, span };
}

/** What stands around a definition stands around its first decorator. */
function aroundDefinition(first: Omit<Clause, "head">, [top]: readonly DecoratorLine[]) {
  const own = around(first, []);
  if (top === undefined) return own;
  return { leading: top.leading, trailing: own.trailing, blankLines: top.blankLines, span: { ...own.span, start: top.decorator.span.start } };
}

/** The comments above the first decorator are those of the statement. */
function decoratorsOf(lines: readonly DecoratorLine[]): readonly Decorator[] {
  return lines.map(({ decorator, leading }, i) => (i === 0 || leading.length === 0 ? decorator : { ...decorator, leading }));
}

/** Adds the fields that few definitions have. */
function withRarities<D extends FunctionDef | ClassDef>(node: D, head: HeadOf<"def" | "class">, aboveDef: readonly Comment[]): D {
  const { typeParams, listTrailing } = head;
  if (typeParams === undefined && listTrailing === undefined && aboveDef.length === 0) return node;
  return {
    ...node, ...(typeParams === undefined ? {} : { typeParams }), ...(listTrailing === undefined ? {} : { listTrailing }),
    ...(aboveDef.length === 0 ? {} : { aboveDef }),
  };
}

/** Each `elif` is an `if` in the `else` of the one before. */
function ifStatement(first: Of<"if" | "elif">, rest: readonly Clause[]): IfStmt {
  let orelse = elseOf(rest);
  const branches = rest.filter(isBranch).reverse();
  for (const branch of branches) {
    const nested = ifNode(branch, orelse);
    orelse = { stmts: [nested], trailingComments: [], span: nested.span };
  }
  return ifNode(first, orelse);
}

function ifNode(clause: Of<"if" | "elif">, orelse: Block | undefined): IfStmt {
  const { head, body } = clause;
  const own = around(clause, []);
  const span = { ...own.span, end: Math.max(own.span.end, orelse?.span.end ?? 0) };
  return { kind: "IfStmt", cond: head.cond, body, orelse, elif: head.kind === "elif", ...own, span };
}

function isBranch(clause: Clause): clause is Clause & Of<"elif"> {
  return clause.head.kind === "elif";
}

function elseOf(clauses: readonly Clause[]): Block | undefined {
  return blockOf(clauses, "else");
}

/** The block of an `else` or `finally`, with the comments at that line. */
function blockOf(clauses: readonly Clause[], kind: "else" | "finally"): Block | undefined {
  const found = clauses.find((clause) => clause.head.kind === kind);
  if (found === undefined) return undefined;
  const { body, leading, trailing } = found;
  return leading.length === 0 && trailing === undefined ? body : { ...body, header: { leading, trailing } };
}

function handler({ head, body, leading, trailing }: Clause): readonly Handler[] {
  if (head.kind !== "except") return [];
  const { star, type, name } = head;
  return [{ star, type, name, body, leading, trailing }];
}

