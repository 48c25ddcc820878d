// The printer: a surface tree as text. One printer serves every stage of the IR and the formatter.

import type { SExpr, SModule } from "@tilefoundry/grammar";
import { layOut } from "./docs.ts";
import { expression } from "./expressions.ts";
import { MODULE, writeBlock } from "./statements.ts";

/** The text of a module, with a line break at its end unless it is empty. Lines that are no part of a string stand behind the margin. */
export function print(module: SModule, margin = ""): string {
  const text: string[] = [];
  writeBlock(module.body, { text, margin }, MODULE);
  return text.length === 0 ? "" : `${text.join("\n")}\n`;
}

/** The text of one expression. */
export function printExpr(e: SExpr): string {
  return layOut(expression(e), 0);
}
