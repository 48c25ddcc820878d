// Comments of statements: those above, those inside brackets, and the one behind. They become the comment lines above the
// statement's first IR statement; a docstring counts as comments too.

import type { Block, Comment, SExpr, SStmt, Str } from "@tilefoundry/grammar";
import type { Meta, Stmt } from "@tilefoundry/ir";
import type { Source } from "@tilefoundry/text";

export const NO_LINES: readonly string[] = [];

/** Most lists of comments are empty. */
export const joined = (above: readonly string[], below: readonly string[]): readonly string[] =>
  above.length === 0 ? below : below.length === 0 ? above : [...above, ...below];

/** All comment lines of a statement without those of its blocks. */
export function commentsOf(s: SStmt): readonly string[] {
  const isDefinition = s.kind === "FunctionDef" || s.kind === "ClassDef";
  const inside = insideHeader(s);
  if (s.leading.length === 0 && s.trailing === undefined && inside.length === 0 && !isDefinition) return NO_LINES; // most
  const above = isDefinition ? [...s.decorators.flatMap((d) => [...d.leading, ...(d.trailing ? [d.trailing] : [])]), ...(s.aboveDef ?? [])] : [];
  const behind = [...(isDefinition ? (s.listTrailing ?? []) : []), ...(s.trailing ? [s.trailing] : [])];
  return [...s.leading, ...above, ...inside, ...behind].map((c) => c.text);
}

/** Comments in the expressions of the statement itself; most have none, and then nothing is walked. */
function insideHeader(s: SStmt): readonly Comment[] {
  switch (s.kind) {
    case "IfStmt":
    case "WhileStmt": return within(s.cond, s.cond.span.source, s.cond.span.start, s.cond.span.end);
    case "ForStmt": return within([s.target, s.iterable], s.span.source, s.target.span.start, s.iterable.span.end);
    case "FunctionDef": return within([s.decorators.map((d) => d.value), s.params, s.returns], s.span.source, s.span.start, s.body.span.start);
    case "ExprStmt":
    case "AssignStmt":
    case "AnnAssign":
    case "AugAssign":
    case "ReturnStmt": return within(s, s.span.source, s.span.start, s.span.end);
    default: return NO_COMMENTS;
  }
}

const NO_COMMENTS: readonly Comment[] = [];

const within = (part: unknown, { text }: Source, start: number, end: number): readonly Comment[] =>
  text.slice(start, end).includes("#") ? commentsWithin(part) : NO_COMMENTS;

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
  header === undefined ? NO_LINES : [...header.leading, ...(header.trailing ? [header.trailing] : [])].map((c) => c.text);

export const blockEnd = ({ trailingComments }: Block): readonly string[] => (trailingComments.length === 0 ? NO_LINES : trailingComments.map((c) => c.text));

/** Adds comment lines in front of those that a node has. */
export function withComments<N extends Stmt>(node: N, comments: readonly string[]): N {
  return comments.length === 0 ? node : { ...node, meta: commented(node.meta, comments) };
}

export const commented = (meta: Meta, comments: readonly string[]): Meta =>
  comments.length === 0 ? meta : { ...meta, comments: [...comments, ...(meta.comments ?? [])] };
