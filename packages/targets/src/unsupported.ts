// What a target cannot do is a row of its table that says why: a located compile-time error for users, a line of the ops page.

export interface Unsupported {
  /** The reason, as the end of a sentence. */
  readonly unsupported: string;
}

export const unsupported = (reason: string): Unsupported => ({ unsupported: reason });

export function isUnsupported(row: unknown): row is Unsupported {
  return typeof row === "object" && row !== null && "unsupported" in row;
}
