// Statements: assignments to locals, conditionals, loops with carries.

import { invariant } from "@tilefoundry/text";
import type { Assign, Expr, For, If, Seq, Stmt, While } from "@tilefoundry/ir";
import { nameResults, setAll, startCarries, updateCarries, type CarryLoop } from "./carries.ts";
import type { Frame } from "./frame.ts";
import { forLoop } from "./loops.ts";
import { block, branch, comment, giveBack, ifElse, loop, op, type Tree } from "./tree.ts";

/** What a yield does: it ends a branch or an iteration with its values. */
export type OnYield = (values: readonly Expr[]) => readonly Tree[];

const NO_YIELD: OnYield = (values) => {
  invariant(values.length === 0, () => "a yield of values outside a loop or branch");
  return [];
};

export function emitBlock(body: Seq, frame: Frame, onYield: OnYield = NO_YIELD): readonly Tree[] {
  const trees: Tree[] = [];
  for (const stmt of body.stmts) {
    frame.release();
    if (stmt.kind === "Assign" && frame.isFolded(stmt.target)) continue;
    for (const text of stmt.meta.comments ?? []) trees.push(comment(text));
    trees.push(...emitStatement(stmt, frame, onYield, stmt === body.stmts.at(-1)));
  }
  for (const text of body.meta.comments ?? []) trees.push(comment(text));
  return trees;
}

function emitStatement(stmt: Stmt, frame: Frame, onYield: OnYield, isLast: boolean): readonly Tree[] {
  switch (stmt.kind) {
    case "Assign": return assignment(stmt, frame);
    case "Eval": return frame.value(stmt.expr).flatMap((tree) => (tree.type === undefined ? [tree] : []));
    case "If": return conditional(stmt, frame);
    case "For": return forLoop(stmt, frame, () => carryLoop(stmt, frame));
    case "While": return whileLoop(stmt, frame);
    case "Yield": return onYield(stmt.values);
    case "Return": return isLast ? [] : [giveBack()];
    case "Seq": return emitBlock(stmt, frame, onYield);
    default: invariant(false, () => `${stmt.kind} at stage placed`);
  }
}

function assignment({ target, value }: Assign, frame: Frame): readonly Tree[] {
  if (target.type.kind === "Tensor") return []; // the prologue has set its address
  const parts = frame.value(value);
  return setAll(frame.locals(target), parts);
}

function conditional(stmt: If, frame: Frame): readonly Tree[] {
  const cond = frame.scalar(stmt.cond);
  const results = stmt.results.map((r) => frame.locals(r));
  const onYield: OnYield = (values) => values.flatMap((v, i) => setAll(results[i] ?? [], frame.value(v)));
  const then = emitBlock(stmt.then, frame, onYield);
  const orElse = stmt.else === undefined ? [] : emitBlock(stmt.else, frame, onYield);
  if (then.length > 0) return [ifElse(cond, then, orElse)];
  return orElse.length === 0 ? [] : [ifElse(negated(cond), orElse)];
}

export function negated(cond: Tree): Tree {
  const [inner] = cond.kind === "op" && cond.op === "i32.eqz" ? cond.operands : [];
  return inner ?? op("i32.eqz", [cond]);
}

function carryLoop({ carries, body }: For | While, frame: Frame): CarryLoop {
  const before = startCarries(carries, frame);
  return { before, body: () => emitBlock(body, frame, (values) => updateCarries(carries, values, frame)) };
}

function whileLoop(stmt: While, frame: Frame): readonly Tree[] {
  const { before, body } = carryLoop(stmt, frame);
  const [done, next] = [frame.labels.claim("done"), frame.labels.claim("while")];
  frame.enterLoop();
  frame.release();
  const leave = branch(done, negated(frame.scalar(stmt.cond)));
  const inner = [leave, ...body(), branch(next)];
  const hoisted = frame.leaveLoop();
  nameResults(stmt.carries, stmt.results, frame);
  return [...before, ...hoisted, block(done, [loop(next, inner)])];
}
