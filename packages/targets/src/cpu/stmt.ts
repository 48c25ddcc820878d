// Statements in C: one total table over what stands at `placed`.

import { invariant } from "@tilefoundry/text";
import {
  eachOperand, eachStmt, loopBounds, PRIMS, toDim, walk, type Expr, type For, type If, type IterArg, type Seq, type Stmt, type Var, type VarLike, type While,
} from "@tilefoundry/ir";
import { CTYPES } from "./ctype.ts";
import { expression, mask, maskBitsOf, operand, typeName } from "./expr.ts";
import { yieldedBy } from "./live.ts";
import { emitParallel } from "./parallel.ts";
import { LEVEL, type Scope } from "./scope.ts";
import type { KernelFile } from "./kernel-file.ts";

type Emit<S> = (stmt: S, scope: Scope, file: KernelFile) => void;
type PlacedKind = "Assign" | "Eval" | "If" | "For" | "While" | "Return" | "Yield" | "Seq";

const STATEMENTS: { readonly [K in PlacedKind]: Emit<Extract<Stmt, { readonly kind: K }>> } = {
  Assign: emitAssign,
  Eval: (stmt, scope) => {
    scope.statement(() => `${expression(stmt.expr, scope).text};`);
  },
  If: emitIf,
  For: emitFor,
  While: emitWhile,
  Return: () => undefined, // results are written to Out parameters; the one return stands at the end of the entry
  Yield: () => invariant(false, () => "a yield is written by the statement that receives it"),
  Seq: (stmt, scope, file) => emitBlock(stmt, scope, file),
};

/** Writes the statements of a block; comments of the author stay above them. */
export function emitBlock(block: Seq, scope: Scope, file: KernelFile): void {
  inlineSingleUses(block, scope);
  for (const stmt of block.stmts) {
    if (stmt.kind === "Yield") continue;
    for (const comment of stmt.meta.comments ?? []) scope.writer.line(lineComment(comment));
    const emit = STATEMENTS[stmt.kind as PlacedKind] as Emit<Stmt>; // the stage admits no other kind, and the key fixes the type
    emit(stmt, scope, file);
  }
}

/** The author's comment; a backslash at its end would join the next line to it. */
export const lineComment = (text: string): string => `// ${text.replace(/\\$/, "\\ ")}`;

// — values —

/** Longest text that still reads well inside another expression, as a number of primitives. */
const INLINE_SIZE = 2;

/**
 * A small pure value used once, in a statement of its own block, is written inside its use. Loads stay where they are: a store
 * may lie between.
 */
function inlineSingleUses(block: Seq, scope: Scope): void {
  const here = new Map<VarLike, number>();
  const everywhere = new Map<VarLike, number>();
  const count = (uses: Map<VarLike, number>, e: Expr): void =>
    walk(e, (node) => {
      if (node.kind === "Var" || node.kind === "IterArg") uses.set(node, (uses.get(node) ?? 0) + 1);
    });
  for (const stmt of block.stmts) if (stmt.kind !== "While") eachOperand(stmt, (e) => count(here, e));
  eachStmt(block, (stmt) => eachOperand(stmt, (e) => count(everywhere, e)));
  for (const stmt of block.stmts) {
    if (stmt.kind !== "Assign" || here.get(stmt.target) !== 1 || everywhere.get(stmt.target) !== 1) continue;
    if (isSmallAndPure(stmt.value)) scope.inlined.set(stmt.target, stmt.value);
  }
}

function isSmallAndPure(value: Expr): boolean {
  let size = 0;
  let pure = true;
  walk(value, (node) => {
    if (node.kind !== "Prim") return;
    size++;
    pure &&= PRIMS[node.op].effect === "none";
  });
  return pure && size <= INLINE_SIZE;
}

function emitAssign(stmt: Extract<Stmt, { kind: "Assign" }>, scope: Scope, file: KernelFile): void {
  const { target, value } = stmt;
  if (!file.live.has(target)) return; // its value has no effect
  if (value.kind === "Prim" && value.op === "alloc_tensor") return emitAlloc(target, value, scope, file);
  learnValue(target, value, scope);
  if (scope.inlined.has(target)) return;
  declareMask(target, value, scope);
  scope.statement(() => {
    const text = expression(value, scope).text;
    return `const ${typeName(value, scope)} ${scope.names.of(target)} = ${text};`;
  });
}

function emitAlloc(target: Var, value: Extract<Expr, { kind: "Prim" }>, scope: Scope, file: KernelFile): void {
  const { type, offset } = value.attrs;
  invariant(type !== undefined && offset !== undefined, () => "an allocation without its place");
  file.usesArena = true;
  const stored = CTYPES[type.dtype].stored;
  const at = offset === 0 ? "arena" : `(arena + ${operand(scope.extentExpr(offset), LEVEL.mul, scope)})`;
  scope.statement(() => `${stored} *const ${scope.names.of(target)} = (${stored} *)${at};`);
}

/** An index variable is as bounded as its value. */
function learnValue(target: VarLike, value: Expr, scope: Scope): void {
  const dim = toDim(value);
  if (dim !== undefined) scope.learn(target, { lo: dim, hi: dim });
}

function declareMask(target: VarLike, value: Expr, scope: Scope): void {
  if (target.type.kind === "Vec" && target.type.dtype === "bool") scope.maskBits.set(target, maskBitsOf(value, scope));
}

// — control flow —

function emitIf(stmt: If, scope: Scope, file: KernelFile): void {
  for (const [i, result] of stmt.results.entries()) {
    const value = yieldedBy(stmt.then)[i];
    if (!file.live.has(result)) continue;
    if (value !== undefined) declareMask(result, value, scope);
    scope.writer.line(`${typeName(result, scope)} ${scope.names.of(result)};`);
  }
  scope.statement(() => `if (${expression(stmt.cond, scope).text}) {`);
  scope.writer.indented(() => emitBranch(stmt.then, stmt.results, scope, file));
  if (stmt.else !== undefined && stmt.else.stmts.length > 0) {
    scope.writer.line("} else {");
    const orElse = stmt.else;
    scope.writer.indented(() => emitBranch(orElse, stmt.results, scope, file));
  }
  scope.writer.line("}");
}

function emitBranch(block: Seq, results: readonly Var[], scope: Scope, file: KernelFile): void {
  emitBlock(block, scope, file);
  for (const [i, value] of yieldedBy(block).entries()) {
    const result = results[i];
    if (result !== undefined && file.live.has(result)) scope.statement(() => `${scope.names.of(result)} = ${valueFor(result, value, scope)};`);
  }
}

/** Carries become locals that live across the iterations. */
function declareCarries(carries: readonly IterArg[], scope: Scope, file: KernelFile): void {
  for (const carry of carries) {
    if (!file.live.has(carry)) continue;
    declareMask(carry, carry.init, scope);
    scope.statement(() => {
      const init = expression(carry.init, scope).text;
      return `${typeName(carry, scope)} ${scope.names.of(carry)} = ${init};`;
    });
  }
}

/**
 * All carries take their next values at once: a carry that a later value still reads waits, its next value in a temporary, until the
 * others are assigned.
 */
function updateCarries(body: Seq, carries: readonly IterArg[], scope: Scope, file: KernelFile): void {
  const values = yieldedBy(body);
  const updates = carries.flatMap((carry, i) => {
    const value = values[i];
    return value === undefined || !file.live.has(carry) ? [] : [{ carry, value }];
  });
  const next = updates.map(({ carry, value }, i) => {
    const text = valueFor(carry, value, scope);
    const waits = updates.some((other, j) => j > i && reads(other.value, carry, scope));
    return { name: scope.names.of(carry), waits, text: waits ? scope.declare(typeName(carry, scope), `${carry.hint}_next`, text) : text };
  });
  for (const line of scope.takePending()) scope.writer.line(line);
  for (const { name, text } of [...next.filter((n) => !n.waits), ...next.filter((n) => n.waits)]) {
    if (text !== name) scope.writer.line(`${name} = ${text};`);
  }
}

/** Text of a value as its receiver holds it: a mask in the receiver's width. */
function valueFor(receiver: VarLike, value: Expr, scope: Scope): string {
  const bits = scope.maskBits.get(receiver);
  return bits === undefined ? expression(value, scope).text : mask(value, bits, scope);
}

function reads(e: Expr, v: VarLike, scope: Scope): boolean {
  let found = false;
  walk(resolved(e, scope), (node) => (found ||= node === v));
  return found;
}

/** The expression with inlined values in their place. */
function resolved(e: Expr, scope: Scope): Expr {
  if (e.kind === "Var") {
    const value = scope.inlined.get(e);
    return value === undefined ? e : resolved(value, scope);
  }
  return e.kind === "Prim" ? { ...e, args: e.args.map((a) => resolved(a, scope)) } : e;
}

function nameResults(carries: readonly IterArg[], results: readonly Var[], scope: Scope, file: KernelFile): void {
  for (const [i, result] of results.entries()) {
    if (!file.live.has(result)) continue;
    const carry = carries[i];
    invariant(carry !== undefined, () => "a loop result without a carry");
    const bits = scope.maskBits.get(carry);
    if (bits !== undefined) scope.maskBits.set(result, bits);
    scope.writer.line(`const ${typeName(result, scope)} ${scope.names.of(result)} = ${scope.names.of(carry)};`);
  }
}

function emitFor(stmt: For, scope: Scope, file: KernelFile): void {
  if (stmt.level === "core" && !file.insideParallel) return emitParallel(stmt, scope, file, emitBlock);
  declareCarries(stmt.carries, scope, file);
  scope.statement(() => forHeader(stmt, scope));
  scope.writer.indented(() => {
    emitBlock(stmt.body, scope, file);
    updateCarries(stmt.body, stmt.carries, scope, file);
  });
  scope.writer.line("}");
  nameResults(stmt.carries, stmt.results, scope, file);
}

/** Past this the counter of a loop could wrap when it steps over the end. */
const COUNTER_SAFE = 2 ** 62;

function forHeader(stmt: For, scope: Scope): string {
  const { start, stop, step, loopVar } = stmt;
  const name = scope.names.of(loopVar);
  const by = step.kind === "Const" && typeof step.value === "bigint" ? Number(step.value) : undefined;
  const from = expression(start, scope).text;
  if (by !== undefined && by !== 0) {
    scope.learn(loopVar, loopBounds(toDim(start), toDim(stop), by));
    const stopRange = scope.range(stop);
    const safe = by > 0 ? stopRange.hi + by < COUNTER_SAFE : stopRange.lo + by > -COUNTER_SAFE;
    if (safe && scope.range(start).lo > -COUNTER_SAFE && scope.range(start).hi < COUNTER_SAFE) {
      const next = by === 1 ? `${name}++` : by === -1 ? `${name}--` : by > 0 ? `${name} += ${by}` : `${name} -= ${-by}`;
      return `for (int64_t ${name} = ${from}; ${name} ${by > 0 ? "<" : ">"} ${operand(stop, LEVEL.add, scope)}; ${next}) {`;
    }
  }
  return countedHeader(stmt, from, name, scope);
}

/** A range whose end may lie at the end of the type, or whose step is known only when it runs: counts iterations. */
function countedHeader(stmt: For, from: string, name: string, scope: Scope): string {
  const by = scope.declare("int64_t", "step", expression(stmt.step, scope).text);
  const first = scope.declare("int64_t", "start", from);
  const trips = scope.declare("uint64_t", "trips", `${scope.prelude.trips()}(${first}, ${expression(stmt.stop, scope).text}, ${by})`);
  const count = scope.names.fresh("trip");
  const next = `${name} = ${scope.prelude.wrapping("add", "i64")}(${name}, ${by})`;
  for (const line of scope.takePending()) scope.writer.line(line);
  scope.writer.line(`int64_t ${name} = ${first};`);
  return `for (uint64_t ${count} = 0; ${count} < ${trips}; ${count}++, ${next}) {`;
}

function emitWhile(stmt: While, scope: Scope, file: KernelFile): void {
  declareCarries(stmt.carries, scope, file);
  const cond = expression(stmt.cond, scope).text;
  const before = scope.takePending();
  scope.writer.line(before.length === 0 ? `while (${cond}) {` : "for (;;) {");
  scope.writer.indented(() => {
    for (const line of before) scope.writer.line(line);
    if (before.length > 0) scope.writer.line(`if (!(${cond})) break;`);
    emitBlock(stmt.body, scope, file);
    updateCarries(stmt.body, stmt.carries, scope, file);
  });
  scope.writer.line("}");
  nameResults(stmt.carries, stmt.results, scope, file);
}
