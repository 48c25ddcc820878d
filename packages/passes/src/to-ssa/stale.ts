// An older name of a buffer may be written, returned and handed on, but its elements may not be read once the buffer was written
// under a newer name. Follows handles on SSA; where it cannot tell which buffer a handle belongs to, it is silent.

import { isVarLike, type Expr, type IterArg, type Seq, type Stmt, type VarLike } from "@tilefoundry/ir";
import { Reporter } from "@tilefoundry/text";
import { writtenOperand, writtenVariable, type Effects } from "../writes.ts";

interface Handle {
  readonly root: VarLike;
  readonly version: number;
}

/** The state of a buffer: its version, and what wrote it last under which name. */
interface Written {
  readonly version: number;
  readonly as: VarLike;
  readonly stmt: Stmt;
}

interface Check {
  readonly ops: Effects;
  readonly reporter: Reporter;
  readonly nameOf: (v: VarLike) => string;
  readonly handles: Map<VarLike, Handle>;
  readonly buffers: Map<VarLike, Written>;
  /** Carries whose iterations hand on different buffers: not followed. */
  readonly mixed: Set<IterArg>;
  readonly silent: boolean;
  next: number;
}

type Loop = Extract<Stmt, { readonly carries: unknown }>;

/** What a visit reports holds if it met no mixed carry that it did not know of: most often the first. */
export function checkStale(body: Seq, params: readonly VarLike[], ops: Effects, nameOf: (v: VarLike) => string, reporter: Reporter): void {
  const mixed = new Set<IterArg>();
  for (;;) {
    const known = mixed.size;
    const own = new Reporter();
    const handles = new Map<VarLike, Handle>();
    for (const root of params) handles.set(root, { root, version: 0 });
    visitBlock(body, { ops, reporter: own, nameOf, handles, buffers: new Map(), mixed, silent: false, next: 1 });
    if (mixed.size === known) return void reporter.diagnostics.push(...own.diagnostics);
  }
}

function visitBlock(block: Seq, check: Check): void {
  for (const stmt of block.stmts) visitStmt(stmt, check);
}

function visitStmt(stmt: Stmt, check: Check): void {
  switch (stmt.kind) {
    case "Assign":
      readParts(stmt.value, stmt, check);
      return bind(stmt.target, stmt.value, stmt, check);
    case "If": return visitIf(stmt, check);
    case "For":
    case "While":
    case "Nest": return visitLoop(stmt, check);
    case "Scope": return visitScope(stmt, check);
    case "Eval": return readParts(stmt.expr, stmt, check);
    case "Return":
    case "Yield": return stmt.values.forEach((value) => isVarLike(value) || readParts(value, stmt, check));
  }
}

// — reading and writing —

function readParts(expr: Expr, stmt: Stmt, check: Check): void {
  if (isVarLike(expr) || expr.kind === "Const") return;
  const parts = expr.kind === "Tuple" ? expr.elements : expr.kind === "TupleGet" ? [expr.tuple] : expr.args;
  const written = writtenParts(expr, check.ops);
  for (const part of parts) {
    if (!isVarLike(part)) readParts(part, stmt, check);
    else if (!written.includes(part)) readElements(part, expr, stmt, check);
  }
}

function writtenParts(expr: Expr, ops: Effects): readonly (Expr | undefined)[] {
  if (expr.kind === "Call") return [writtenOperand(expr, ops)];
  if (expr.kind === "FunctionCall") return ops.calls?.written(expr) ?? [];
  return expr.kind === "Prim" && expr.op === "store" ? [expr.args[0]] : [];
}

function readElements(v: VarLike, expr: Expr, stmt: Stmt, check: Check): void {
  const handle = check.handles.get(v);
  const last = handle && check.buffers.get(handle.root);
  if (check.silent || handle === undefined || last === undefined || last.version === handle.version) return;
  const [name, newer] = [check.nameOf(v), check.nameOf(last.as)];
  const at = last.stmt.meta.span;
  const related = at === undefined ? [] : [{ message: `written here, as \`${newer}\``, span: at }];
  check.reporter.report("TF4207", expr.meta.span ?? stmt.meta.span, { name, newer }, { related });
}

function bind(target: VarLike, value: Expr, stmt: Stmt, check: Check): void {
  if (target.type.kind !== "Tensor") return;
  const from = isVarLike(value) ? value : writtenVariable(value, check.ops);
  const handle = from === undefined ? made(target, check) : check.handles.get(from);
  if (handle === undefined) return;
  check.handles.set(target, isCall(value) && from !== undefined ? write(handle.root, target, stmt, check) : handle);
}

/** A new buffer, in each iteration anew. */
function made(root: VarLike, { buffers }: Check): Handle {
  buffers.delete(root);
  return { root, version: 0 };
}

const isCall = (e: Expr): boolean => e.kind === "Call" || e.kind === "FunctionCall" || e.kind === "TupleGet";

/** The newest handle after a write. */
function write(root: VarLike, as: VarLike, stmt: Stmt, check: Check): Handle {
  const version = check.next++;
  check.buffers.set(root, { version, as, stmt });
  return { root, version };
}

const isNewest = (handle: Handle, { buffers }: Check): boolean => (buffers.get(handle.root)?.version ?? 0) === handle.version;

// — joins and loops —

function visitIf(stmt: Extract<Stmt, { readonly kind: "If" }>, check: Check): void {
  readParts(stmt.cond, stmt, check);
  const before = new Map(check.buffers);
  visitBlock(stmt.then, check);
  const then = yieldedHandles(stmt.then, check);
  const written = new Map(check.buffers);
  restore(before, check);
  if (stmt.else !== undefined) visitBlock(stmt.else, check);
  const orElse = stmt.else === undefined ? [] : yieldedHandles(stmt.else, check);
  for (const [root, last] of written) if (last !== before.get(root)) check.buffers.set(root, { ...last, version: check.next++ });
  stmt.results.forEach((result, i) => {
    const [a, b] = [then[i], orElse[i]];
    if (a === undefined || b === undefined || a.root !== b.root) return;
    const last = check.buffers.get(a.root);
    check.handles.set(result, { root: a.root, version: a.newest && b.newest ? (last?.version ?? 0) : -1 });
    if (last !== undefined && a.newest && b.newest) check.buffers.set(a.root, { ...last, as: result });
  });
}

/** What a region hands on is what it says, under another name. */
function visitScope(stmt: Extract<Stmt, { readonly kind: "Scope" }>, check: Check): void {
  visitBlock(stmt.body, check);
  for (const [i, handle] of yieldedHandles(stmt.body, check).entries()) {
    const result = stmt.results[i];
    if (handle !== undefined && result !== undefined) check.handles.set(result, handle);
  }
}

function restore(before: ReadonlyMap<VarLike, Written>, { buffers }: Check): void {
  buffers.clear();
  for (const [root, last] of before) buffers.set(root, last);
}

interface Yielded extends Handle {
  readonly newest: boolean;
}

function yieldedHandles(block: Seq, check: Check): readonly (Yielded | undefined)[] {
  const last = block.stmts.at(-1);
  if (last?.kind !== "Yield") return [];
  return last.values.map((value) => {
    const handle = isVarLike(value) ? check.handles.get(value) : undefined;
    return handle && { ...handle, newest: isNewest(handle, check) };
  });
}

function visitLoop(stmt: Loop, check: Check): void {
  for (const carry of stmt.carries) if (!isVarLike(carry.init)) readParts(carry.init, stmt, check);
  if (stmt.kind === "For") for (const bound of [stmt.start, stmt.stop, stmt.step]) readParts(bound, stmt, check);
  const before = stmt.kind === "Nest" ? new Map(check.buffers) : undefined;
  enter(stmt, check);
  if (stmt.kind === "While") readParts(stmt.cond, stmt, check);
  visitBlock(stmt.body, check);
  leave(stmt, yieldedHandles(stmt.body, check), check);
  // a nest hands no handles on: the names from before it stand for the buffers after it
  if (before !== undefined) restore(before, check);
}

/** What the body writes is newer than every name from outside but the carries, in all iterations but the first. */
function enter(stmt: Loop, check: Check): void {
  const starts = stmt.carries.map((carry) => {
    const handle = isVarLike(carry.init) ? check.handles.get(carry.init) : undefined;
    return handle && !check.mixed.has(carry) ? { ...handle, newest: isNewest(handle, check) } : undefined;
  });
  const written = check.silent || stmt.kind === "Nest" ? [] : writtenBelow(stmt, starts, check);
  for (const [root, last] of written) check.buffers.set(root, { ...last, version: check.next++ });
  stmt.carries.forEach((carry, i) => {
    const start = starts[i];
    if (start === undefined) return void check.handles.delete(carry);
    const last = check.buffers.get(start.root);
    check.handles.set(carry, { root: start.root, version: start.newest ? (last?.version ?? 0) : -1 });
    if (last !== undefined && start.newest) check.buffers.set(start.root, { ...last, as: carry });
  });
}

/** The buffers that a loop writes, by a silent visit of its body. What that notes of the handles inside is noted again afterwards. */
function writtenBelow(stmt: Loop, starts: readonly (Handle | undefined)[], check: Check): Iterable<readonly [VarLike, Written]> {
  stmt.carries.forEach((carry, i) => {
    const start = starts[i];
    if (start !== undefined) check.handles.set(carry, start);
  });
  const trial: Check = { ...check, buffers: new Map(), silent: true };
  visitBlock(stmt.body, trial);
  return trial.buffers;
}

function leave(stmt: Loop, yielded: readonly (Yielded | undefined)[], check: Check): void {
  stmt.carries.forEach((carry, i) => {
    const [start, end, result] = [check.handles.get(carry), yielded[i], stmt.results[i]];
    if (start === undefined || result === undefined) return;
    if (end === undefined || end.root !== start.root) return void check.mixed.add(carry);
    const last = check.buffers.get(end.root);
    check.handles.set(result, { root: end.root, version: end.newest ? (last?.version ?? 0) : -1 });
    if (last !== undefined && end.newest) check.buffers.set(end.root, { ...last, as: result });
  });
}
