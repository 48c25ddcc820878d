// A wrong invocation: one line that says what is wrong, on standard error.

import { nearest } from "@tilefoundry/text";
import { EXIT, type Exit } from "./exit.ts";

export function usage(message: string): Exit {
  process.stderr.write(`tf: ${message}\n`);
  return EXIT.usage;
}

/** ` (did you mean …?)` for a name that is close to a known one, else nothing. */
export function orNearest(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? "" : ` (did you mean ${near}?)`;
}
