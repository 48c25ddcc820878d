// A window or an element that is provably outside of its array is an error of the text. Simplification may come to see what the
// text did not show; such a program keeps the indices of its calls, and the bounds of the loops around them, as they were.

import {
  blocksOf, dialectOf, eachOperand, eachStmt, loopBounds, symbolFacts, toDim, withBounds,
  type Expr, type Facts, type FunctionNode, type Seq, type Stmt, type VarLike,
} from "@tilefoundry/ir";
import { inferCall, type Ops } from "@tilefoundry/ops";
import { eachVariable, somePart } from "../writes.ts";

/** Whether every call still has a type by the rule of its op, from the facts that the text shows. */
export function fits(fn: FunctionNode, body: Seq, ops: Ops): boolean {
  const dialect = dialectOf(fn);
  const fitsHere = (e: Expr, facts: Facts): boolean =>
    !somePart(e, (part) => {
      const record = part.kind === "Call" ? ops.byName(part.callee.name) : undefined;
      return part.kind === "Call" && record !== undefined && inferCall(record, part, { dialect, facts }).kind === "Unknown";
    });
  const blockFits = (block: Seq, facts: Facts): boolean =>
    block.stmts.every((stmt) => {
      let operandsFit = true;
      eachOperand(stmt, (operand) => (operandsFit &&= fitsHere(operand, facts)));
      const inside = factsInside(stmt, facts);
      return operandsFit && blocksOf(stmt).every((inner) => blockFits(inner, inside));
    });
  return blockFits(body, symbolFacts(fn.symbols));
}

function factsInside(stmt: Stmt, facts: Facts): Facts {
  if (stmt.kind === "Nest") return stmt.axes.reduce((known, axis, i) => withBounds(known, axis, loopBounds(0, dimAt(stmt.extents, i), 1)), facts);
  if (stmt.kind !== "For") return facts;
  const step = toDim(stmt.step);
  return typeof step === "number" && step !== 0 ? withBounds(facts, stmt.loopVar, loopBounds(toDim(stmt.start), toDim(stmt.stop), step)) : facts;
}

const dimAt = (extents: readonly Expr[], i: number): ReturnType<typeof toDim> => (extents[i] === undefined ? undefined : toDim(extents[i]));

const isCall = (e: Expr): boolean => e.kind === "Call";

/** Whether a call stands anywhere in a block. */
export function holdsCalls(block: Seq): boolean {
  let found = false;
  eachStmt(block, (stmt) => eachOperand(stmt, (operand) => (found ||= somePart(operand, isCall))));
  return found;
}

/** Variables in indices of calls and in bounds of loops around calls. */
export function indexVariables(body: Seq): ReadonlySet<VarLike> {
  const found = new Set<VarLike>();
  const note = (e: Expr): void => eachVariable(e, (v) => found.add(v));
  eachStmt(body, (stmt) => {
    eachOperand(stmt, (operand) =>
      somePart(operand, (part) => {
        if (part.kind === "Call") part.args.forEach((arg) => arg.kind === "Tuple" && note(arg));
        return false;
      }),
    );
    if (stmt.kind === "For" && holdsCalls(stmt.body)) [stmt.start, stmt.stop, stmt.step].forEach(note);
  });
  return found;
}
