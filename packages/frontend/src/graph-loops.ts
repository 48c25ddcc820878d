// `@func` with loops. It is read as statements, like any other function: what its loops carry is found where all carries are found
// (to-ssa), and there is one kind of loop. It still writes nothing, and a loop at its end is its result.

import type { Name, SExpr, SStmt } from "@tilefoundry/grammar";
import { assignedIn, namesBoundBy } from "./names-in.ts";

export const holdsLoop = (stmts: readonly SStmt[]): boolean => stmts.some((s) => s.kind === "ForStmt");

/**
 * The statements, with the result of a loop at their end written out: what the loop carries, in order of first assignment; of a loop
 * that carries nothing, what its last statement binds.
 */
export function withResult(stmts: readonly SStmt[], params: readonly string[]): readonly SStmt[] {
  const last = stmts.at(-1);
  if (last?.kind !== "ForStmt") return stmts;
  const before = new Set([...params, ...stmts.slice(0, -1).flatMap(namesBoundBy)]);
  const assigned = [...assignedIn(last.body)];
  const carried = assigned.filter((name) => before.has(name));
  const names = carried.length > 0 ? carried : assigned.slice(-1);
  const { span } = last.iterable;
  const items = names.map((name): Name => ({ kind: "Name", name, span }));
  const [only] = items;
  if (only === undefined) return stmts;
  const value: SExpr = items.length === 1 ? only : { kind: "TupleDisplay", items, parenthesized: false, span };
  return [...stmts, { kind: "ReturnStmt", value, leading: [], trailing: undefined, blankLines: 0, span }];
}
