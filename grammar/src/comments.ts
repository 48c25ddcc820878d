// Comments inside brackets, in order, each to be claimed by the element it stands at. What no element claims goes to its statement.

import type { Comment, ElementComments } from "./ast.ts";
import type { InnerComment } from "./lexer.ts";

export class CommentQueue {
  private inner: readonly InnerComment[] = [];
  private at = 0;
  /** Where the next unclaimed comment begins. */
  next = Infinity;

  load(inner: readonly InnerComment[]): void {
    this.inner = inner;
    this.at = 0;
    this.next = inner[0]?.comment.span.start ?? Infinity;
  }

  /** Claims the comments that begin before `offset`. */
  before(offset: number): readonly Comment[] {
    if (this.next >= offset) return NONE;
    const taken: Comment[] = [];
    while (this.next < offset) taken.push(...this.take());
    return taken;
  }

  /** Claims a comment behind `end` on the same line, if it stands before `limit`. */
  behind(end: number, limit: number): Comment | undefined {
    const first = this.inner[this.at];
    if (first === undefined || this.next >= limit || first.lineStart > end) return undefined;
    return this.take()[0];
  }

  private take(): readonly Comment[] {
    const taken = this.inner[this.at];
    this.at++;
    this.next = this.inner[this.at]?.comment.span.start ?? Infinity;
    return taken === undefined ? NONE : [taken.comment];
  }
}

const NONE: readonly Comment[] = [];

export function elementComments(leading: readonly Comment[], trailing: Comment | undefined): ElementComments {
  return trailing === undefined ? { leading } : { leading, trailing };
}
