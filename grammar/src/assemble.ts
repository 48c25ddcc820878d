// The clauses of a compound statement → its node, by the kind of the first.

import type { Block, Handler, IfStmt, SStmt } from "./ast.ts";
import type { HeadOf } from "./headers.ts";
import type { Clause, Compound } from "./outline.ts";

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
  def: (first, _, compound) => ({ ...first.head, kind: "FunctionDef", body: first.body, ...decorated(first, compound) }),
  class: (first, _, compound) => ({ ...first.head, kind: "ClassDef", body: first.body, ...decorated(first, compound) }),
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

function decorated(first: Omit<Clause, "head">, { decorators }: Compound) {
  const [top] = decorators;
  // The comments above the first decorator are those of the statement.
  const below = decorators.slice(1).map(({ decorator, leading }) => ({ ...decorator, leading }));
  const own = { decorators: top === undefined ? [] : [top.decorator, ...below], ...around(first, []) };
  if (top === undefined) return own;
  const span = { ...own.span, start: top.decorator.span.start };
  const above = first.leading.length === 0 ? {} : { aboveDef: first.leading };
  return { ...own, ...above, leading: top.leading, blankLines: top.blankLines, span };
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

