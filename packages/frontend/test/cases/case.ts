// A wrong text, and the one thing that is said about it.

import type { Code } from "@tilefoundry/text";

export interface Case {
  readonly title: string;
  readonly text: string;
  readonly code: Code;
  /** The text that the diagnostic points at. */
  readonly at: string;
  /** A part of its help. */
  readonly help?: string;
  /** What its first fix puts in. */
  readonly fix?: string;
  /** Texts of related places. */
  readonly related?: readonly string[];
}
