// Names at the end of mapping: what nests and mapping itself made up is numbered anew, in order of appearance, now that most of it
// has gone. Names of parameters, symbols and authored locals stay.

import {
  blocksOf, boundBy, copyFresh, definedBy, eachStmt, makeNames, variablesOf,
  type FunctionNode, type Seq, type VarLike,
} from "@tilefoundry/ir";

/** A hint without its number. */
export const baseOf = (hint: string): string => hint.replace(/_\d+$/, "");

/** Variables of a function whose names are somebody's choice: all but the axes, carries and results of nests. */
export function authoredNames(f: FunctionNode, body: Seq): ReadonlySet<VarLike> {
  const authored = new Set(variablesOf(f));
  eachStmt(body, (stmt) => {
    if (stmt.kind === "Nest") for (const v of [...boundBy(stmt), ...definedBy(stmt)]) authored.delete(v);
  });
  return authored;
}

/** Numbers anew every variable of the body that is not authored; `outside` are parameters and symbols. */
export function tidyNames(body: Seq, authored: ReadonlySet<VarLike>, outside: readonly VarLike[]): Seq {
  const own: VarLike[] = [];
  inOrder(body, (v) => own.push(v));
  const names = makeNames([...outside, ...own.filter((v) => authored.has(v))].map((v) => v.hint));
  // hints are unique, so they stand for their variables
  const renamed = new Map<string, string>();
  for (const v of own) if (!authored.has(v)) renamed.set(v.hint, names.fresh(baseOf(v.hint)));
  return copyFresh(body, { fresh: (hint) => renamed.get(hint) ?? hint });
}

/** Variables in the order in which a reader meets them: the results of a loop stand at its end. */
function inOrder(block: Seq, visit: (v: VarLike) => void): void {
  for (const stmt of block.stmts) {
    boundBy(stmt).forEach(visit);
    for (const inner of blocksOf(stmt)) inOrder(inner, visit);
    definedBy(stmt).forEach(visit);
  }
}
