// Exit statuses of the command (they are part of its interface).

import { hasErrors, type Code, type Diagnostic } from "@tilefoundry/text";

export const EXIT = {
  fine: 0,
  /** The program is wrong, or a comparison failed. */
  wrong: 1,
  usage: 2,
  /** The machine lacks what the target needs. */
  lacking: 3,
} as const;

export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** Codes that say what the machine lacks. */
const LACKING: ReadonlySet<Code> = new Set<Code>(["TF6030", "TF6031", "TF6082"]);

/** What diagnostics come to. */
export function exitOf(diagnostics: readonly Diagnostic[]): Exit {
  if (!hasErrors(diagnostics)) return EXIT.fine;
  return diagnostics.some((d) => LACKING.has(d.code)) ? EXIT.lacking : EXIT.wrong;
}
