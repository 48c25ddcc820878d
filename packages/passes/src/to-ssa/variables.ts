// Which variables need more than one version: those bound more than once (a write through a handle binds it again), and those
// read where their one binding does not dominate. All others keep their object.

import { boundBy, definedBy, eachOperand, type FunctionNode, type Seq, type Stmt, type VarLike } from "@tilefoundry/ir";
import { eachVariable, writtenVariable, type Effects } from "../writes.ts";

export interface Variables {
  readonly split: ReadonlySet<VarLike>;
  /** Of these, the ones read at a place where no binding is sure to have come before. */
  readonly unsure: ReadonlySet<VarLike>;
}

interface Scan {
  readonly ops: Effects;
  readonly split: Set<VarLike>;
  readonly unsure: Set<VarLike>;
  readonly bound: Set<VarLike>;
  readonly visible: Set<VarLike>;
}

export function scanVariables(fn: FunctionNode, body: Seq, ops: Effects): Variables {
  const outside = [...fn.symbols, ...fn.params].map((p) => p.var);
  const scan: Scan = { ops, split: new Set(), unsure: new Set(), bound: new Set(outside), visible: new Set(outside) };
  scanBlock(body, scan);
  return scan;
}

function scanBlock(block: Seq, scan: Scan): void {
  const here: VarLike[] = [];
  for (const stmt of block.stmts) {
    scanStmt(stmt, scan);
    const written = stmt.kind === "Eval" ? writtenVariable(stmt.expr, scan.ops) : undefined;
    for (const v of written === undefined ? definedBy(stmt) : [written]) bind(v, here, scan);
  }
  for (const v of here) scan.visible.delete(v);
}

function bind(v: VarLike, here: VarLike[], { bound, split, visible }: Scan): void {
  if (bound.has(v)) split.add(v);
  bound.add(v);
  if (visible.has(v)) return;
  visible.add(v);
  here.push(v);
}

function scanStmt(stmt: Stmt, scan: Scan): void {
  if (stmt.kind !== "While") eachOperand(stmt, (operand) => eachVariable(operand, (v) => use(v, scan)));
  else for (const carry of stmt.carries) eachVariable(carry.init, (v) => use(v, scan));
  const binders = boundBy(stmt);
  for (const v of binders) bind(v, [], scan);
  if (stmt.kind === "While") eachVariable(stmt.cond, (v) => use(v, scan));
  if (stmt.kind === "If") {
    scanBlock(stmt.then, scan);
    if (stmt.else !== undefined) scanBlock(stmt.else, scan);
  } else if ("body" in stmt) scanBlock(stmt.body, scan);
  for (const v of binders) scan.visible.delete(v);
}

function use(v: VarLike, { visible, split, unsure }: Scan): void {
  if (visible.has(v)) return;
  split.add(v);
  unsure.add(v);
}
