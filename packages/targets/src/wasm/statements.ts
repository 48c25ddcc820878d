// Statements: assignments to locals, conditionals, loops with carries.

import { invariant } from "@tilefoundry/text";
import type { Assign, For, If, Seq, Stmt, While } from "@tilefoundry/ir";
import { assignAll, forwardResults, nameResults, setAll, startCarries, type Targets } from "./carries.ts";
import type { Frame } from "./frame.ts";
import { forLoop } from "./loops.ts";
import { block, branch, comment, giveBack, ifElse, loop, op, type Tree } from "./tree.ts";

export function emitBlock(body: Seq, frame: Frame, targets: Targets = []): readonly Tree[] {
  const trees: Tree[] = [];
  frame.enterBlock();
  for (const [i, stmt] of body.stmts.entries()) {
    if (stmt.kind === "Assign" && frame.isFolded(stmt.target)) continue;
    frame.release();
    const next = body.stmts[i + 1];
    if (stmt.kind === "If" && next?.kind === "Yield") forwardResults(stmt.results, next.values, targets, frame);
    for (const text of stmt.meta.comments ?? []) trees.push(comment(text));
    trees.push(...emitStatement(stmt, frame, targets, next === undefined));
  }
  for (const text of body.meta.comments ?? []) trees.push(comment(text));
  frame.leaveBlock();
  return trees;
}

function emitStatement(stmt: Stmt, frame: Frame, targets: Targets, isLast: boolean): readonly Tree[] {
  switch (stmt.kind) {
    case "Assign": return assignment(stmt, frame);
    case "Eval": return frame.value(stmt.expr).flatMap((tree) => (tree.type === undefined ? [tree] : []));
    case "If": return conditional(stmt, frame);
    case "For": return countedLoop(stmt, frame);
    case "While": return whileLoop(stmt, frame);
    case "Yield": return assignAll(targets, stmt.values, frame);
    case "Return": return isLast ? [] : [giveBack()];
    case "Seq": return emitBlock(stmt, frame, targets);
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
  const targets = stmt.results.map((r) => frame.locals(r));
  const then = emitBlock(stmt.then, frame, targets);
  const orElse = stmt.else === undefined ? [] : emitBlock(stmt.else, frame, targets);
  if (then.length > 0) return [ifElse(cond, then, orElse)];
  return orElse.length === 0 ? [] : [ifElse(negated(cond), orElse)];
}

function negated(cond: Tree): Tree {
  const [inner] = cond.kind === "op" && cond.op === "i32.eqz" ? cond.operands : [];
  return inner ?? op("i32.eqz", [cond]);
}

/** The body of a loop ends in the update of its carries. */
const loopBody = ({ carries, body }: For | While, frame: Frame): readonly Tree[] =>
  emitBlock(body, frame, carries.map((carry) => frame.locals(carry)));

function countedLoop(stmt: For, frame: Frame): readonly Tree[] {
  const before = startCarries(stmt.carries, frame);
  const trees = forLoop(stmt, frame, () => loopBody(stmt, frame));
  nameResults(stmt.carries, stmt.results, frame);
  return [...before, ...trees];
}

function whileLoop(stmt: While, frame: Frame): readonly Tree[] {
  const before = startCarries(stmt.carries, frame);
  const [done, next] = [frame.labels.claim("done"), frame.labels.claim("while")];
  frame.enterLoop("while");
  frame.release();
  const leave = branch(done, negated(frame.scalar(stmt.cond)));
  const inner = [leave, ...loopBody(stmt, frame), branch(next)];
  const hoisted = frame.leaveLoop();
  nameResults(stmt.carries, stmt.results, frame);
  return [...before, ...hoisted, block(done, [loop(next, inner)])];
}
