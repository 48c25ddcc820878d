// Statements as lines: a header document a kind, its blocks below it, comments and blank lines around it.

import type { Block, Comment, Handler, ImportName, SExpr, SParam, SStmt } from "@tilefoundry/grammar";
import type { Span } from "@tilefoundry/text";
import { argumentList, bareTuple, expression, lineExpression, parameter, unbroken } from "./expressions.ts";
import { blankLinesAbove, closingComments, commentText } from "./comments.ts";
import { bracketed, ifBreak, indent, join, layOut, line, group, softline, INDENT, type Doc } from "./docs.ts";
import { EXPRESSION, LEVEL, NAMED } from "./precedence.ts";

type Of<K extends SStmt["kind"]> = Extract<SStmt, { readonly kind: K }>;

/** Where a statement stands: how deep, and in what kind of block. */
interface Place {
  readonly depth: number;
  readonly block: "module" | "class" | "body";
}

/** Collects the lines of a text, all of which stand behind a margin. */
interface Lines {
  readonly text: string[];
  readonly margin: string;
}

export const MODULE: Place = { depth: 0, block: "module" };

// — simple statements: one document each —

type SimpleKind =
  | "ExprStmt" | "AssignStmt" | "AugAssign" | "AnnAssign" | "ReturnStmt" | "Pass" | "BreakStmt" | "ContinueStmt" | "Import" | "ImportFrom"
  | "Delete" | "Assert" | "Raise" | "Global" | "TypeAlias";

const SIMPLE: { readonly [K in SimpleKind]: (s: Of<K>) => Doc } = {
  ExprStmt: (s) => assigned(s.value),
  AssignStmt: (s) => [s.targets.map((t) => [target(t), " = "]), assigned(s.value)],
  AugAssign: (s) => [target(s.target), ` ${s.op} `, assigned(s.value)],
  AnnAssign: (s) => [annotated(s.target), ": ", unbroken(expression(s.annotation)), s.value === undefined ? "" : [" = ", assigned(s.value)]],
  ReturnStmt: (s) => (s.value === undefined ? "return" : ["return ", lineExpression(s.value)]),
  Pass: () => "pass",
  BreakStmt: () => "break",
  ContinueStmt: () => "continue",
  Import: (s) => ["import ", join(", ", s.names.map(importName))],
  ImportFrom: (s) => [`from ${".".repeat(s.level)}${s.module} import `, s.names === "*" ? "*" : importedNames(s.names)],
  Delete: (s) => ["del ", join(", ", s.targets.map((t) => expression(t)))],
  Assert: (s) => ["assert ", lineExpression(s.test), s.message === undefined ? "" : [", ", lineExpression(s.message)]],
  Raise: (s) => ["raise", s.value === undefined ? "" : [" ", lineExpression(s.value)], s.cause === undefined ? "" : [" from ", lineExpression(s.cause)]],
  Global: (s) => `${s.word} ${s.names.join(", ")}`,
  TypeAlias: (s) => [`type ${s.name}`, typeParameters(s.typeParams), " = ", lineExpression(s.value)],
};

const isSimple = (s: SStmt): s is Of<SimpleKind> => s.kind in SIMPLE;

/** What stands on the right of `=`, or alone: a `yield` needs no parentheses there. */
const assigned = (e: SExpr): Doc => lineExpression(e, e.kind === "YieldExpr" ? LEVEL.yield : EXPRESSION);

const target = (e: SExpr): Doc => bareTuple(e);

/** Python tells `(x): T` from `x: T`. */
const annotated = (e: SExpr): Doc => (e.kind === "Paren" ? ["(", target(e), ")"] : target(e));

const importName = ({ path, alias }: ImportName): string => (alias === undefined ? path : `${path} as ${alias}`);

function importedNames(names: readonly ImportName[]): Doc {
  return group([ifBreak("("), indent([softline, join([",", line], names.map(importName)), ifBreak(",")]), softline, ifBreak(")")]);
}

// — compound statements —

type CompoundKind = Exclude<SStmt["kind"], SimpleKind>;

const COMPOUND: { readonly [K in CompoundKind]: (s: Of<K>, out: Lines, place: Place) => void } = {
  IfStmt: ifStatement,
  ForStmt: (s, out, place) => {
    header(out, place, [s.async ? "async for " : "for ", target(s.target), " in ", lineExpression(s.iterable), ":"], s.trailing);
    writeBlock(s.body, out, inside(place));
    orElse(s.orelse, out, place);
  },
  WhileStmt: (s, out, place) => {
    header(out, place, ["while ", lineExpression(s.cond, NAMED), ":"], s.trailing);
    writeBlock(s.body, out, inside(place));
    orElse(s.orelse, out, place);
  },
  WithStmt: (s, out, place) => {
    const items = s.items.map(({ context, alias }) => [expression(context), alias === undefined ? "" : [" as ", target(alias)]]);
    header(out, place, [s.async ? "async with " : "with ", withItems(items), ":"], s.trailing);
    writeBlock(s.body, out, inside(place));
  },
  FunctionDef: (s, out, place) => {
    decorators(s, out, place);
    const params = bracketed("(", s.params.map(parameter), ")", { comma: true, last: closingComments(s.listTrailing) });
    const returns = s.returns === undefined ? "" : [" -> ", unbroken(expression(s.returns))];
    header(out, place, [s.async ? "async def " : "def ", s.name, typeParameters(s.typeParams), params, returns, ":"], s.trailing);
    writeBlock(s.body, out, inside(place));
  },
  ClassDef: (s, out, place) => {
    decorators(s, out, place);
    const bases = s.args.length === 0 && s.listTrailing === undefined ? "" : argumentList(s.args, s.listTrailing);
    header(out, place, [`class ${s.name}`, typeParameters(s.typeParams), bases, ":"], s.trailing);
    writeBlock(s.body, out, { depth: place.depth + 1, block: "class" });
  },
  Try: tryStatement,
  // What is not understood is kept as it was.
  Match: (s, out, place) => {
    header(out, place, ["match ", lineExpression(s.subject), ":"], s.trailing);
    raw(s.text, s.span, out, inside(place));
  },
  BadStmt: (s, out, place) => raw(s.text, s.span, out, place),
};

const inside = (place: Place): Place => ({ depth: place.depth + 1, block: "body" });

const withItems = (items: readonly Doc[]): Doc => group([ifBreak("("), indent([softline, join([",", line], [...items]), ifBreak(",")]), softline, ifBreak(")")]);

/** An `elif` chain is walked in a loop: it may be long. */
function ifStatement(first: Of<"IfStmt">, out: Lines, place: Place): void {
  let s = first;
  for (;;) {
    header(out, place, [s === first ? "if " : "elif ", lineExpression(s.cond, NAMED), ":"], s.trailing);
    writeBlock(s.body, out, inside(place));
    const [next] = s.orelse?.stmts ?? [];
    if (next?.kind !== "IfStmt" || !next.elif) break;
    ownLineComments(next.leading, out, place);
    s = next;
  }
  orElse(s.orelse, out, place);
}

const orElse = (block: Block | undefined, out: Lines, place: Place): void => clause("else:", block, out, place);

function clause(word: string, block: Block | undefined, out: Lines, place: Place): void {
  if (block === undefined) return;
  ownLineComments(block.header?.leading ?? [], out, place);
  header(out, place, word, block.header?.trailing);
  writeBlock(block, out, inside(place));
}

function tryStatement(s: Of<"Try">, out: Lines, place: Place): void {
  header(out, place, "try:", s.trailing);
  writeBlock(s.body, out, inside(place));
  for (const h of s.handlers) handler(h, out, place);
  orElse(s.orelse, out, place);
  clause("finally:", s.finally, out, place);
}

function handler(h: Handler, out: Lines, place: Place): void {
  ownLineComments(h.leading, out, place);
  const type = h.type === undefined ? "" : [" ", lineExpression(h.type)];
  header(out, place, [h.star ? "except*" : "except", type, h.name === undefined ? "" : ` as ${h.name}`, ":"], h.trailing);
  writeBlock(h.body, out, inside(place));
}

function decorators(s: Of<"FunctionDef" | "ClassDef">, out: Lines, place: Place): void {
  for (const d of s.decorators) {
    ownLineComments(d.leading, out, place);
    header(out, place, ["@", lineExpression(d.value, NAMED)], d.trailing);
  }
  ownLineComments(s.aboveDef ?? [], out, place);
}

function typeParameters(params: readonly SParam[] | undefined): Doc {
  return params === undefined || params.length === 0 ? "" : bracketed("[", params.map(parameter), "]", { comma: true });
}

// — lines —

/** A logical line and the comment behind it, which does not count for its width. */
function header(out: Lines, place: Place, doc: Doc, trailing: Comment | undefined): void {
  const text = layOut(doc, place.depth, out.margin);
  out.text.push(trailing === undefined ? text : `${text}  ${commentText(trailing)}`);
}

/** Comments on lines of their own, with the blank lines that stood between them. */
function ownLineComments(comments: readonly Comment[], out: Lines, place: Place): void {
  for (const [i, comment] of comments.entries()) {
    if (i > 0) blank(out, Math.min(blankLinesAbove(comment.span), mostBlank(place)));
    out.text.push(margin(out, place) + commentText(comment));
  }
}

/** Lines moved to a depth as a whole: each loses the indentation that the first one had in the source. */
function raw(text: string, within: Span, out: Lines, place: Place): void {
  const source = within.source.text;
  const start = Math.max(0, source.indexOf(text, within.start));
  const indentation = /[ \t]*$/.exec(source.slice(0, start))?.[0] ?? "";
  for (const line of text.split(/\r\n?|\n/)) {
    const moved = line.startsWith(indentation) ? line.slice(indentation.length) : line;
    out.text.push(moved.trim() === "" ? "" : margin(out, place) + moved.trimEnd());
  }
}

const margin = (out: Lines, place: Place): string => out.margin + " ".repeat(INDENT * place.depth);

const mostBlank = (place: Place): number => (place.block === "module" ? 2 : 1);

function blank(out: Lines, count: number): void {
  for (let i = 0; i < count; i++) out.text.push("");
}

// — blocks —

export function writeBlock(block: Block, out: Lines, place: Place): void {
  let previous: SStmt | undefined;
  for (const stmt of block.stmts) {
    const { above, below } = blankLinesAround(stmt, previous, place);
    blank(out, above);
    ownLineComments(stmt.leading, out, place);
    if (stmt.leading.length > 0) blank(out, below);
    writeStatement(stmt, out, place);
    previous = stmt;
  }
  for (const [i, comment] of block.trailingComments.entries()) {
    const apart = i === 0 && previous !== undefined && isDefinition(previous);
    blank(out, apart ? mostBlank(place) : Math.min(blankLinesAbove(comment.span), mostBlank(place)));
    out.text.push(margin(out, place) + commentText(comment));
  }
}

export function writeStatement(stmt: SStmt, out: Lines, place: Place): void {
  if (isSimple(stmt)) header(out, place, (SIMPLE[stmt.kind] as (s: SStmt) => Doc)(stmt), stmt.trailing); // the key fixes the kind
  else (COMPOUND[stmt.kind] as (s: SStmt, out: Lines, place: Place) => void)(stmt, out, place); // the key fixes the kind
}

/** Blank lines above a statement's comments, and between these and the statement. */
function blankLinesAround(stmt: SStmt, previous: SStmt | undefined, place: Place): { readonly above: number; readonly below: number } {
  const most = mostBlank(place);
  const below = Math.min(blankLinesAbove(startOf(stmt)), most);
  if (previous === undefined) return { above: 0, below };
  const authored = Math.min(stmt.blankLines, most);
  if (!isDefinition(stmt) && !isDefinition(previous)) return { above: isImport(previous) && !isImport(stmt) ? Math.max(authored, 1) : authored, below };
  // A comment that hugs the statement before and stands off from the definition belongs to the former.
  const detached = below > 0 && !isDefinition(previous) && authored < most;
  return detached ? { above: authored, below: most } : { above: most, below };
}

/** A definition begins at its first decorator. */
export function startOf(stmt: SStmt): Span {
  const [first] = stmt.kind === "FunctionDef" || stmt.kind === "ClassDef" ? stmt.decorators : [];
  return first !== undefined && first.span.start < stmt.span.start ? first.span : stmt.span;
}

const isDefinition = (s: SStmt): boolean => s.kind === "FunctionDef" || s.kind === "ClassDef";
const isImport = (s: SStmt): boolean => s.kind === "Import" || s.kind === "ImportFrom";
