// Statements: assignments to locals, conditionals, loops with carries. Each appends its trees to those of its block.

import { invariant } from "@tilefoundry/text";
import type { Assign, For, If, Seq, Stmt, While } from "@tilefoundry/ir";
import { assignAll, forwardResults, nameResults, setAll, startCarries, type Targets } from "./carries.ts";
import type { Frame } from "./frame.ts";
import { forLoop } from "./loops.ts";
import { block, branch, comment, giveBack, ifElse, loop, op, type Local, type Tree } from "./tree.ts";

export function emitBlock(body: Seq, frame: Frame, targets: Targets, out: Tree[]): void {
  const { stmts } = body;
  frame.enterBlock();
  for (let i = 0; i < stmts.length; i++) {
    const stmt = stmts[i] as Stmt; // within the length
    if (stmt.kind === "Assign" && frame.isFolded(stmt.target)) continue;
    frame.release();
    const next = stmts[i + 1];
    if (stmt.kind === "If" && next?.kind === "Yield") forwardResults(stmt.results, next.values, targets, frame);
    for (const text of stmt.meta.comments ?? []) out.push(comment(text));
    emitStatement(stmt, frame, targets, next === undefined, out);
  }
  for (const text of body.meta.comments ?? []) out.push(comment(text));
  frame.leaveBlock();
}

function emitStatement(stmt: Stmt, frame: Frame, targets: Targets, isLast: boolean, out: Tree[]): void {
  switch (stmt.kind) {
    case "Assign": return assignment(stmt, frame, out);
    case "Eval":
      for (const tree of frame.value(stmt.expr)) if (tree.type === undefined) out.push(tree);
      return;
    case "If": return conditional(stmt, frame, out);
    case "For": return countedLoop(stmt, frame, out);
    case "While": return whileLoop(stmt, frame, out);
    case "Yield": return assignAll(targets, stmt.values, frame, out);
    case "Return":
      if (!isLast) out.push(giveBack());
      return;
    case "Seq": return emitBlock(stmt, frame, targets, out);
    default: invariant(false, () => `${stmt.kind} at stage placed`);
  }
}

function assignment({ target, value }: Assign, frame: Frame, out: Tree[]): void {
  if (target.type.kind === "Tensor") return; // the prologue has set its address
  const parts = frame.value(value);
  setAll(frame.locals(target), parts, out);
}

function conditional(stmt: If, frame: Frame, out: Tree[]): void {
  const cond = frame.scalar(stmt.cond);
  const targets = stmt.results.map((r) => frame.locals(r));
  const then: Tree[] = [];
  emitBlock(stmt.then, frame, targets, then);
  const orElse: Tree[] = [];
  if (stmt.else !== undefined) emitBlock(stmt.else, frame, targets, orElse);
  if (then.length > 0) out.push(ifElse(cond, then, orElse));
  else if (orElse.length > 0) out.push(ifElse(negated(cond), orElse));
}

function negated(cond: Tree): Tree {
  const inner = cond.kind === "op" && cond.op === "i32.eqz" ? cond.operands[0] : undefined;
  return inner ?? op("i32.eqz", [cond]);
}

/** The body of a loop ends in the update of its carries. */
function loopBody({ carries, body }: For | While, frame: Frame, out: Tree[]): void {
  const targets = carries.map((carry): readonly Local[] => frame.locals(carry));
  emitBlock(body, frame, targets, out);
}

function countedLoop(stmt: For, frame: Frame, out: Tree[]): void {
  startCarries(stmt.carries, frame, out);
  forLoop(stmt, frame, (inner) => loopBody(stmt, frame, inner), out);
  nameResults(stmt.carries, stmt.results, frame);
}

function whileLoop(stmt: While, frame: Frame, out: Tree[]): void {
  startCarries(stmt.carries, frame, out);
  const done = frame.labels.claim("done");
  const next = frame.labels.claim("while");
  frame.enterLoop("while");
  frame.release();
  const inner: Tree[] = [branch(done, negated(frame.scalar(stmt.cond)))];
  loopBody(stmt, frame, inner);
  inner.push(branch(next));
  out.push(...frame.leaveLoop());
  nameResults(stmt.carries, stmt.results, frame);
  out.push(block(done, [loop(next, inner)]));
}
