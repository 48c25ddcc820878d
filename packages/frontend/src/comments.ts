// Comments of statements: those above, those inside brackets, and the one behind. They become the comment lines above the
// statement's first IR statement; a docstring counts as comments too.

import type { Block, Comment, SExpr, SStmt, Str } from "@tilefoundry/grammar";
import type { Meta, Stmt } from "@tilefoundry/ir";
import type { Span } from "@tilefoundry/text";

/** All comment lines of a statement without those of its blocks. */
export function commentsOf(s: SStmt): readonly string[] {
  const inside = headerParts(s).flatMap(({ part, span }) => (holdsComment(span) ? commentsWithin(part) : []));
  const isDefinition = s.kind === "FunctionDef" || s.kind === "ClassDef";
  const above = isDefinition ? [...s.decorators.flatMap((d) => [...d.leading, ...(d.trailing ? [d.trailing] : [])]), ...(s.aboveDef ?? [])] : [];
  const behind = [...(isDefinition ? (s.listTrailing ?? []) : []), ...(s.trailing ? [s.trailing] : [])];
  return [...s.leading, ...above, ...inside, ...behind].map((c) => c.text);
}

/** Expressions of the statement itself; most have no comment in them, and then nothing is walked. */
function headerParts(s: SStmt): readonly { readonly part: unknown; readonly span: Span }[] {
  switch (s.kind) {
    case "IfStmt":
    case "WhileStmt": return [{ part: s.cond, span: s.cond.span }];
    case "ForStmt": return [{ part: [s.target, s.iterable], span: { ...s.target.span, end: s.iterable.span.end } }];
    case "FunctionDef": return [{ part: [s.decorators.map((d) => d.value), s.params, s.returns], span: { ...s.span, end: s.body.span.start } }];
    case "ExprStmt":
    case "AssignStmt":
    case "AnnAssign":
    case "AugAssign":
    case "ReturnStmt": return [{ part: s, span: s.span }];
    default: return [];
  }
}

const holdsComment = ({ source, start, end }: Span): boolean => source.text.slice(start, end).includes("#");

/** Comments on elements inside brackets, in order. */
function commentsWithin(part: unknown): readonly Comment[] {
  if (Array.isArray(part)) return part.flatMap(commentsWithin);
  if (typeof part !== "object" || part === null) return [];
  const found: Comment[] = [];
  const { comments, ...rest } = part as { readonly comments?: SExpr["comments"] }; // any part of the tree: the field is looked for
  if (comments !== undefined) found.push(...comments.leading);
  for (const [field, value] of Object.entries(rest)) {
    if (SKIPPED.has(field)) continue;
    if (field === "trailing" && Array.isArray(value)) found.push(...(value as readonly Comment[])); // a list's or call's last comments
    else found.push(...commentsWithin(value));
  }
  if (comments?.trailing !== undefined) found.push(comments.trailing);
  return found;
}

/** Fields without expressions; a statement's own comments are taken by `commentsOf`. */
const SKIPPED: ReadonlySet<string> = new Set(["span", "opSpan", "nameSpan", "leading", "body", "parts"]);

/** Lines of a docstring, without the indentation that they share. */
export function docstringLines(e: Str): readonly string[] {
  const lines = (e.value ?? "").split(/\r\n?|\n/);
  const margin = Math.min(...lines.slice(1).filter((l) => l.trim() !== "").map((l) => l.length - l.trimStart().length));
  const trimmed = lines.map((line, i) => (i === 0 ? line.trim() : line.slice(Number.isFinite(margin) ? margin : 0).trimEnd()));
  while (trimmed.at(-1) === "") trimmed.pop();
  while (trimmed[0] === "") trimmed.shift();
  return trimmed;
}

/** The string a statement consists of: a docstring, wherever it stands. */
export function docstringOf(s: SStmt | undefined): Str | undefined {
  return s?.kind === "ExprStmt" && s.value.kind === "Str" ? s.value : undefined;
}

/** Comments above an `else:` and behind it. */
export const blockStart = ({ header }: Block): readonly string[] =>
  header === undefined ? [] : [...header.leading, ...(header.trailing ? [header.trailing] : [])].map((c) => c.text);

export const blockEnd = (block: Block): readonly string[] => block.trailingComments.map((c) => c.text);

/** Adds comment lines in front of those that a node has. */
export function withComments<N extends Stmt>(node: N, comments: readonly string[]): N {
  return comments.length === 0 ? node : { ...node, meta: commented(node.meta, comments) };
}

export const commented = (meta: Meta, comments: readonly string[]): Meta =>
  comments.length === 0 ? meta : { ...meta, comments: [...comments, ...(meta.comments ?? [])] };
