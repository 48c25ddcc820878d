// What nothing needs goes: values that are not read, results and carries of registers that nobody uses, and control around
// nothing. Writes, returns and `while` loops stay, and with them all that they need; so do handles that are handed on.

import { blocksOf, eachOperand, isRegister, primRow, type Expr, type If, type Seq, type Stmt, type VarLike } from "@tilefoundry/ir";
import type { Ops } from "@tilefoundry/ops";
import { eachVariable, somePart, writtenOperand } from "../writes.ts";
import { closeOutput, drop, emit, openOutput, withYield } from "./output.ts";

type Loop = Extract<Stmt, { readonly carries: readonly unknown[] }>;
type Holder = If | Loop;

/** What defines a variable: a statement, and for a carry or a result which one. */
interface Definition {
  readonly stmt: Stmt;
  readonly index: number | undefined;
}

interface Marking {
  readonly ops: Ops;
  readonly definitions: Map<VarLike, Definition>;
  readonly holders: Map<Stmt, Holder>;
  readonly kept: Set<Stmt>;
  /** Results, with their carries, that are needed. */
  readonly needed: Map<Stmt, Set<number>>;
  readonly open: (() => void)[];
}

export function dropDead(body: Seq, ops: Ops, pinned: ReadonlySet<VarLike>): Seq {
  const marking: Marking = { ops, definitions: new Map(), holders: new Map(), kept: new Set(), needed: new Map(), open: [] };
  collect(body, undefined, marking);
  for (const v of pinned) need(v, marking);
  for (let next = marking.open.pop(); next !== undefined; next = marking.open.pop()) next();
  return rebuild(body, marking);
}

// — marking —

function collect(block: Seq, holder: Holder | undefined, marking: Marking): void {
  const { definitions, holders } = marking;
  for (const stmt of block.stmts) {
    if (holder !== undefined) holders.set(stmt, holder);
    if (stmt.kind === "Assign") definitions.set(stmt.target, { stmt, index: undefined });
    if (isHolder(stmt)) {
      stmt.results.forEach((result, index) => definitions.set(result, { stmt, index }));
      if (stmt.kind !== "If") stmt.carries.forEach((carry, index) => definitions.set(carry, { stmt, index }));
      for (const inner of blocksOf(stmt)) collect(inner, stmt, marking);
    }
    if (hasEffect(stmt, marking.ops)) marking.open.push(() => keep(stmt, marking));
  }
}

const isHolder = (stmt: Stmt): stmt is Holder => stmt.kind === "If" || "carries" in stmt;

function hasEffect(stmt: Stmt, ops: Ops): boolean {
  switch (stmt.kind) {
    case "Assign": return writes(stmt.value, ops);
    case "Eval": return writes(stmt.expr, ops);
    case "Return":
    case "While":
    case "Break":
    case "Continue": return true;
    default: return false;
  }
}

const writes = (e: Expr, ops: Ops): boolean => somePart(e, (part) => writesItself(part, ops));

/** An op that nobody knows may do anything. */
function writesItself(e: Expr, ops: Ops): boolean {
  if (e.kind === "Prim") return primRow(e.op).effect === "write";
  if (e.kind === "FunctionCall") return true;
  return e.kind === "Call" && (ops.byName(e.callee.name) === undefined || writtenOperand(e, ops) !== undefined);
}

function keep(stmt: Stmt, marking: Marking): void {
  const { kept, holders } = marking;
  if (kept.has(stmt)) return;
  kept.add(stmt);
  const holder = holders.get(stmt);
  if (holder !== undefined) marking.open.push(() => keep(holder, marking));
  if (!isHolder(stmt)) return eachOperand(stmt, (e) => needAll(e, marking));
  if (stmt.kind === "If") needAll(stmt.cond, marking);
  else if (stmt.kind === "While") needAll(stmt.cond, marking);
  else for (const e of stmt.kind === "For" ? [stmt.start, stmt.stop, stmt.step] : stmt.extents) needAll(e, marking);
  stmt.results.forEach((result, index) => isRegister(result.type) || needIndex(stmt, index, marking));
}

function needAll(e: Expr, marking: Marking): void {
  eachVariable(e, (v) => need(v, marking));
}

function need(v: VarLike, marking: Marking): void {
  const definition = marking.definitions.get(v);
  if (definition === undefined) return;
  const { stmt, index } = definition;
  if (index === undefined || !isHolder(stmt)) return void marking.open.push(() => keep(stmt, marking));
  needIndex(stmt, index, marking);
}

/** A result is needed with all that may become it. */
function needIndex(stmt: Holder, index: number, marking: Marking): void {
  const indices = marking.needed.get(stmt) ?? new Set();
  if (indices.has(index)) return;
  marking.needed.set(stmt, indices.add(index));
  marking.open.push(() => {
    keep(stmt, marking);
    const start = stmt.kind === "If" ? undefined : stmt.carries[index]?.init;
    if (start !== undefined) needAll(start, marking);
    for (const block of blocksOf(stmt)) {
      const last = block.stmts.at(-1);
      const value = last?.kind === "Yield" ? last.values[index] : undefined;
      if (value !== undefined) needAll(value, marking);
    }
  });
}

// — rebuilding —

function rebuild(block: Seq, marking: Marking): Seq {
  const out = openOutput();
  for (const stmt of block.stmts) {
    if (stmt.kind === "Yield") emit(out, stmt);
    else if (!marking.kept.has(stmt)) dropAll(stmt, out);
    else emit(out, isHolder(stmt) ? rebuildHolder(stmt, marking) : stmt);
  }
  return closeOutput(out, block);
}

function dropAll(stmt: Stmt, out: Parameters<typeof drop>[0]): void {
  drop(out, stmt.meta);
  for (const block of blocksOf(stmt)) {
    for (const inner of block.stmts) dropAll(inner, out);
    drop(out, block.meta);
  }
}

function rebuildHolder(stmt: Holder, marking: Marking): Stmt {
  const needed = marking.needed.get(stmt) ?? new Set();
  const all = needed.size === stmt.results.length;
  const some = <T>(list: readonly T[]): readonly T[] => (all ? list : list.filter((_, i) => needed.has(i)));
  const block = (b: Seq): Seq => {
    const last = b.stmts.at(-1);
    return rebuild(all || last?.kind !== "Yield" ? b : withYield(b, some(last.values)), marking);
  };
  if (stmt.kind === "If") {
    const [then, orElse] = [block(stmt.then), stmt.else && block(stmt.else)];
    return all && then === stmt.then && orElse === stmt.else ? stmt : { ...stmt, then, else: orElse, results: some(stmt.results) };
  }
  const body = block(stmt.body);
  return all && body === stmt.body ? stmt : { ...stmt, body, carries: some(stmt.carries), results: some(stmt.results) };
}
