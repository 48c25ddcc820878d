// Indentation: the levels of blocks, and the comment lines that wait for the statement or the end of block they belong to.

import type { Comment } from "./ast.ts";

/** What stands above a statement. */
export interface Trivia {
  readonly comments: readonly Comment[];
  readonly blankLines: number;
}

export const NO_TRIVIA: Trivia = { comments: [], blankLines: 0 };

interface Level {
  column: number;
  /** A second column that counts as this block's: its first line was reported, the next ones are not. */
  other: number;
  /** False for indentation that opens no block: its error is reported, no token stands for it. */
  readonly real: boolean;
}

interface Pending {
  readonly comment: Comment;
  readonly column: number;
  readonly blankLines: number;
}

/** What a line's indentation means. `closed` holds one entry a block that ends, innermost first: the comments at its tail. */
export interface Step {
  readonly closed: readonly (readonly Comment[])[];
  readonly opens: boolean;
  readonly fault: "indent" | "dedent" | undefined;
}

const SAME: Step = { closed: [], opens: false, fault: undefined };

export class Layout {
  private readonly levels: Level[];
  private pending: Pending[] = [];
  private blanks = 0;
  private begun = false;

  /** A template's text may be indented as a whole: its first line says how far. */
  private readonly floating: boolean;

  constructor(floating: boolean) {
    this.floating = floating;
    this.levels = [levelAt(0, true)];
  }

  get depth(): number {
    return this.levels.length - 1;
  }

  blankLine(): void {
    this.blanks++;
  }

  comment(comment: Comment, column: number): void {
    this.pending.push({ comment, column, blankLines: this.blanks });
    this.blanks = 0;
  }

  /** Takes what waits, for the statement that begins now. */
  trivia(): Trivia {
    const blankLines = this.pending[0]?.blankLines ?? this.blanks;
    if (blankLines === 0 && this.pending.length === 0) return NO_TRIVIA;
    const comments = this.pending.map((p) => p.comment);
    this.pending = [];
    this.blanks = 0;
    return { comments, blankLines };
  }

  /** A logical line begins at `column`; `expected` says whether the line before it opens a block. */
  line(column: number, expected: boolean): Step {
    const top = this.top();
    if (!this.begun) {
      this.begun = true;
      if (this.floating) top.column = column;
    }
    if (column === top.column || column === top.other) return SAME;
    if (column < top.column) return this.dedent(column);
    this.levels.push(levelAt(column, expected));
    return { closed: [], opens: expected, fault: expected ? undefined : "indent" };
  }

  /** Ends all blocks. */
  end(): Step["closed"] {
    return this.dedent(-1).closed;
  }

  private dedent(column: number): Step {
    const closed: (readonly Comment[])[] = [];
    while (this.levels.length > 1 && column < this.top().column) {
      const outer = this.levels[this.levels.length - 2]?.column ?? 0;
      if (column > outer) {
        this.top().other = column;
        return { closed, opens: false, fault: "dedent" };
      }
      const level = this.levels.pop();
      if (level?.real === true) closed.push(this.tail(level.column));
    }
    // only a template's first line can make the outermost level deeper than a later line
    const fault = this.levels.length === 1 && column >= 0 && column < this.top().column ? "dedent" : undefined;
    return { closed, opens: false, fault };
  }

  /** The comments that stand at the block's indentation or deeper, up to the first that does not. */
  private tail(column: number): readonly Comment[] {
    let count = 0;
    while ((this.pending[count]?.column ?? -1) >= column) count++;
    return count === 0 ? NO_TRIVIA.comments : this.pending.splice(0, count).map((p) => p.comment);
  }

  private top(): Level {
    return this.levels[this.levels.length - 1] ?? levelAt(0, true);
  }
}

function levelAt(column: number, real: boolean): Level {
  return { column, other: column, real };
}
