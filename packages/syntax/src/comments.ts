// Comments and blank lines, both read from the source that a node's span points into; made nodes have neither.

import type { Comment, ElementComments, SExpr } from "@tilefoundry/grammar";
import type { Span } from "@tilefoundry/text";
import { breakParent, hardline, lineSuffix, type Doc } from "./docs.ts";

/** A comment as it is written: one blank after `#`, unless it is of a form that has none (`#!`, `#:`). */
export function commentText({ text, span }: Comment): string {
  if (text === "") return "#";
  const tight = /^#[!:#]/.test(span.source.text.slice(span.start, span.end));
  return tight ? `#${text}` : `# ${text}`;
}

export function withComments(comments: ElementComments | undefined, content: Doc): Doc {
  if (comments === undefined) return content;
  const above = comments.leading.flatMap((c) => [commentText(c), hardline]);
  const behind = comments.trailing === undefined ? "" : [lineSuffix(`  ${commentText(comments.trailing)}`), breakParent];
  return [above, content, behind];
}

/** Comments on lines of their own before a closing bracket. */
export function closingComments(comments: readonly Comment[] | undefined): Doc | undefined {
  if (comments === undefined || comments.length === 0) return undefined;
  return [breakParent, comments.flatMap((c, i) => (i === 0 ? [commentText(c)] : [hardline, commentText(c)]))];
}

/** Number of blank lines directly above the place where a span begins. */
export function blankLinesAbove({ source: { text }, start }: Span): number {
  let breaks = 0;
  for (let i = start - 1; i >= 0; i--) {
    const c = text[i];
    if (c === "\n" || (c === "\r" && text[i + 1] !== "\n")) breaks++;
    else if (c !== "\r" && c !== " " && c !== "\t" && c !== "\f") break;
  }
  return Math.max(0, breaks - 1);
}

/** Whether a comment stands in an expression outside any brackets of its own: parentheses around it must then stay. */
export function holdsComment(e: SExpr): boolean {
  return e.comments !== undefined || (e.kind === "Paren" && (e.trailing?.length ?? 0) > 0) || bareOperands(e).some(holdsComment);
}

function bareOperands(e: SExpr): readonly SExpr[] {
  switch (e.kind) {
    case "Paren":
    case "Attribute":
    case "Starred":
    case "Await":
    case "Subscript":
      return [e.value];
    case "Call":
      return [e.callee];
    case "Unary":
      return [e.operand];
    case "Binary":
    case "BoolOp":
      return [e.left, e.right];
    case "Compare":
      return e.operands;
    case "Ternary":
      return [e.then, e.cond, e.else];
    case "Walrus":
      return [e.target, e.value];
    default:
      return [];
  }
}
