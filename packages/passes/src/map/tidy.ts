// Names at the end of mapping: what nests and mapping itself made up is numbered anew, in order of appearance, now that most of it
// has gone. Names of parameters, symbols and authored locals stay.

import { eachBinding, eachDefinition, eachStmt, makeNames, type FunctionNode, type Seq, type VarLike } from "@tilefoundry/ir";
import { replaceBlock } from "./replace.ts";

/** A hint without its number. */
export const baseOf = (hint: string): string => (endsInDigit(hint) ? hint.replace(/_\d+$/, "") : hint);

const endsInDigit = (hint: string): boolean => {
  const last = hint.charCodeAt(hint.length - 1);
  return last >= 48 && last <= 57;
};

/** Numbers anew every variable of the body that is not authored. */
export function tidyNames(body: Seq, { symbols, params }: FunctionNode, authored: ReadonlySet<VarLike>): Seq {
  const taken: string[] = [];
  const take = (v: VarLike): void => {
    if (authored.has(v)) taken.push(v.hint);
  };
  for (const symbol of symbols) take(symbol.var);
  for (const param of params) take(param.var);
  eachStmt(body, (stmt) => {
    eachBinding(stmt, take);
    eachDefinition(stmt, take);
  });
  const names = makeNames(taken);
  return replaceBlock(body, { values: new Map(), rename: (v) => (authored.has(v) ? undefined : names.fresh(baseOf(v.hint))) });
}
