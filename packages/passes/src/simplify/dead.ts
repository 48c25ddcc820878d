// What nothing needs goes: values that are not read, results and carries of registers that nobody uses, and control around
// nothing. Writes, returns and `while` loops stay, and with them all that they need; so do handles that are handed on.

import { eachOperand, ifThen, isRegister, primRow, withParts, type Expr, type If, type Seq, type Stmt, type Var, type VarLike } from "@tilefoundry/ir";
import type { Ops } from "@tilefoundry/ops";
import { eachVariable, writtenOperand } from "../writes.ts";
import { closeOutput, drop, emit, openOutput, withYield, type Output } from "./output.ts";

type Loop = Extract<Stmt, { readonly carries: readonly unknown[] }>;
type Holder = If | Loop;

/** What is found out about a statement. */
interface Entry {
  readonly stmt: Stmt;
  /** Of the statement around it. */
  readonly holder: Entry | undefined;
  kept: boolean;
  /** Of one that has results: which are needed, with their carries. */
  readonly needed: boolean[];
  /** Of the statements of its block, or of `then`, and of `else`. */
  inner: readonly Entry[];
  orElse: readonly Entry[];
}

interface Marking {
  readonly ops: Ops;
  /** What defines a variable; carries and results are defined by their statement. */
  readonly definitions: Map<VarLike, Entry>;
  /** Statements, or single results of them, whose needs are not noted yet. */
  readonly open: { readonly entry: Entry; readonly result: number | undefined }[];
  /** One function each for all nodes. */
  readonly needVariable: (v: VarLike) => void;
  readonly needExpr: (e: Expr) => void;
}

export interface Swept {
  readonly body: Seq;
  /** A branch lost all of its statements: its `if` may now be written in another way. */
  readonly emptied: boolean;
}

export function dropDead(body: Seq, ops: Ops, pinned: ReadonlySet<VarLike>): Swept {
  const marking: Marking = {
    ops, definitions: new Map(), open: [],
    needVariable: (v) => need(v, marking),
    needExpr: (e) => eachVariable(e, marking.needVariable),
  };
  const entries = collect(body, undefined, marking);
  for (const v of pinned) need(v, marking);
  for (let next = marking.open.pop(); next !== undefined; next = marking.open.pop()) {
    if (next.result === undefined) noteStatement(next.entry, marking);
    else noteResult(next.entry, next.result, marking);
  }
  const rebuilding: Rebuilding = { emptied: false };
  return { body: rebuild(body, entries, rebuilding), emptied: rebuilding.emptied };
}

// — marking —

const NONE: readonly never[] = [];

const isHolder = (stmt: Stmt): stmt is Holder => stmt.kind === "If" || stmt.kind === "For" || stmt.kind === "While" || stmt.kind === "Nest";

function collect(block: Seq, holder: Entry | undefined, marking: Marking): readonly Entry[] {
  const entries: Entry[] = [];
  for (const stmt of block.stmts) {
    const entry: Entry = { stmt, holder, kept: false, needed: [], inner: NONE, orElse: NONE };
    entries.push(entry);
    if (stmt.kind === "Assign") marking.definitions.set(stmt.target, entry);
    else if (isHolder(stmt)) collectInside(stmt, entry, marking);
    if (hasEffect(stmt, marking.ops)) keep(entry, marking);
  }
  return entries;
}

function collectInside(stmt: Holder, entry: Entry, marking: Marking): void {
  for (const result of stmt.results) marking.definitions.set(result, entry);
  if (stmt.kind === "If") {
    entry.inner = collect(stmt.then, entry, marking);
    if (stmt.else !== undefined) entry.orElse = collect(stmt.else, entry, marking);
  } else {
    for (const carry of stmt.carries) marking.definitions.set(carry, entry);
    entry.inner = collect(stmt.body, entry, marking);
  }
}

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

/** Whether evaluation changes memory. An op that nobody knows may do anything. */
function writes(e: Expr, ops: Ops): boolean {
  switch (e.kind) {
    case "Prim": return primRow(e.op).effect === "write" || someWrites(e.args, ops);
    case "FunctionCall": return true;
    case "Call": return ops.byName(e.callee.name) === undefined || writtenOperand(e, ops) !== undefined || someWrites(e.args, ops);
    case "Tuple": return someWrites(e.elements, ops);
    case "TupleGet": return writes(e.tuple, ops);
    default: return false;
  }
}

function someWrites(exprs: readonly Expr[], ops: Ops): boolean {
  for (const e of exprs) if (writes(e, ops)) return true;
  return false;
}

function keep(entry: Entry, { open }: Marking): void {
  if (entry.kept) return;
  entry.kept = true;
  open.push({ entry, result: undefined });
}

function need(v: VarLike, marking: Marking): void {
  const entry = marking.definitions.get(v);
  if (entry === undefined) return;
  if (isHolder(entry.stmt)) needResult(entry, positionOf(v, entry.stmt), marking);
  else keep(entry, marking);
}

function positionOf(v: VarLike, stmt: Holder): number {
  return stmt.kind !== "If" && v.kind === "IterArg" ? stmt.carries.indexOf(v) : stmt.results.indexOf(v as Var); // only carries are no `Var`
}

function needResult(entry: Entry, index: number, { open }: Marking): void {
  if (entry.needed[index] === true) return;
  entry.needed[index] = true;
  open.push({ entry, result: index });
}

/** What a statement needs for its effect, and that the statement around it stays. */
function noteStatement(entry: Entry, marking: Marking): void {
  const { stmt, holder } = entry;
  if (holder !== undefined) keep(holder, marking);
  if (!isHolder(stmt)) return eachOperand(stmt, marking.needExpr);
  noteControl(stmt, marking.needExpr);
  for (const [index, result] of stmt.results.entries()) if (!isRegister(result.type)) needResult(entry, index, marking);
}

/** What decides which way control takes; what carries start with is needed with the carry only. */
function noteControl(stmt: Holder, needExpr: (e: Expr) => void): void {
  switch (stmt.kind) {
    case "If":
    case "While": return needExpr(stmt.cond);
    case "For":
      needExpr(stmt.start);
      needExpr(stmt.stop);
      return needExpr(stmt.step);
    case "Nest":
      for (const extent of stmt.extents) needExpr(extent);
  }
}

/** A result is needed with all that may become it. */
function noteResult(entry: Entry, index: number, marking: Marking): void {
  const { stmt } = entry;
  keep(entry, marking);
  if (!isHolder(stmt)) return;
  if (stmt.kind === "If") {
    needYielded(stmt.then, index, marking);
    if (stmt.else !== undefined) needYielded(stmt.else, index, marking);
  } else {
    const carry = stmt.carries[index];
    if (carry !== undefined) marking.needExpr(carry.init);
    needYielded(stmt.body, index, marking);
  }
}

function needYielded(block: Seq, index: number, { needExpr }: Marking): void {
  const last = block.stmts.at(-1);
  const value = last?.kind === "Yield" ? last.values[index] : undefined;
  if (value !== undefined) needExpr(value);
}

// — rebuilding —

interface Rebuilding {
  emptied: boolean;
}

/** `block` may yield less than the one that the entries belong to. */
function rebuild(block: Seq, entries: readonly Entry[], rebuilding: Rebuilding): Seq {
  const out = openOutput();
  for (let i = 0; i < block.stmts.length; i++) {
    const stmt = block.stmts[i] as Stmt; // within the length
    const entry = entries[i];
    if (stmt.kind === "Yield" || entry === undefined) emit(out, stmt);
    else if (!entry.kept) dropAll(entry, out);
    else emit(out, isHolder(stmt) ? rebuildHolder(stmt, entry, rebuilding) : stmt);
  }
  return closeOutput(out, block);
}

function dropAll({ stmt, inner, orElse }: Entry, out: Output): void {
  drop(out, stmt.meta);
  if (stmt.kind === "If") {
    dropBlock(stmt.then, inner, out);
    if (stmt.else !== undefined) dropBlock(stmt.else, orElse, out);
  } else if (isHolder(stmt)) dropBlock(stmt.body, inner, out);
}

function dropBlock(block: Seq, entries: readonly Entry[], out: Output): void {
  for (const entry of entries) dropAll(entry, out);
  drop(out, block.meta);
}

function rebuildHolder(stmt: Holder, { needed, inner, orElse }: Entry, rebuilding: Rebuilding): Stmt {
  const { results } = stmt;
  const all = results.every((_, i) => needed[i] === true);
  const some = <T>(list: readonly T[]): readonly T[] => (all ? list : list.filter((_, i) => needed[i] === true));
  const block = (b: Seq, entries: readonly Entry[]): Seq => {
    const last = b.stmts.at(-1);
    return rebuild(all || last?.kind !== "Yield" ? b : withYield(b, some(last.values)), entries, rebuilding);
  };
  if (stmt.kind !== "If") {
    const body = block(stmt.body, inner);
    return all && body === stmt.body ? stmt : withParts<Loop>(stmt, { body, carries: some(stmt.carries), results: some(results) });
  }
  const then = block(stmt.then, inner);
  const other = stmt.else && block(stmt.else, orElse);
  if (isEmptied(then, stmt.then) || (other !== undefined && stmt.else !== undefined && isEmptied(other, stmt.else))) rebuilding.emptied = true;
  return all && then === stmt.then && other === stmt.else ? stmt : ifThen(stmt.cond, then, other, some(results), stmt.meta);
}

const isEmptied = (after: Seq, before: Seq): boolean => after.stmts.length === 0 && before.stmts.length > 0;
