// Which buffer a tensor or tile variable stands for. Handles are followed through aliases, writes, carries and results to the one
// variable that makes the buffer: a parameter, an allocation, the value of an op. A carry or an `if` result whose sources are
// different buffers is a buffer of its own.

import {
  bodyOf, isVarLike,
  type Call, type Expr, type For, type FunctionNode, type If, type Seq, type Stmt, type TupleGet, type VarLike, type While, type Yield,
} from "@tilefoundry/ir";
import { inputsOf, type Ops } from "@tilefoundry/ops";

export interface Handles {
  /** The variable whose buffer an array variable stands for. */
  root(array: VarLike): VarLike;
  /** Roots written through a handle. */
  readonly written: ReadonlySet<VarLike>;
  /** The roots of the parts that are taken from a tuple. */
  parts(tuple: VarLike): readonly (VarLike | undefined)[];
  /** Of a carry or result with a buffer of its own: the buffers that its value may come from. */
  sources(own: VarLike): readonly VarLike[];
}

interface Links {
  readonly ops: Ops;
  readonly parent: Map<VarLike, VarLike>;
  readonly written: Set<VarLike>;
  readonly sources: Map<VarLike, readonly VarLike[]>;
  /** For each tuple of arrays, the first variable that takes each part: all others are handles of the same buffer. */
  readonly parts: Map<VarLike, (VarLike | undefined)[]>;
}

export function resolveHandles(f: FunctionNode, ops: Ops): Handles {
  const links: Links = { ops, parent: new Map(), written: new Set(), sources: new Map(), parts: new Map() };
  const body = bodyOf(f);
  if (body !== undefined) linkBlock(body, links);
  const root = (v: VarLike): VarLike => find(v, links);
  return {
    root,
    written: new Set([...links.written].map(root)),
    parts: (tuple) => links.parts.get(tuple) ?? NO_PARTS,
    sources: (own) => (links.sources.get(own) ?? []).map(root),
  };
}

const NO_PARTS: readonly (VarLike | undefined)[] = [];

function find(v: VarLike, { parent }: Links): VarLike {
  let at = v;
  for (let next = parent.get(at); next !== undefined; next = parent.get(at)) at = next;
  if (at !== v) parent.set(v, at);
  return at;
}

/** The array variable an expression is; `undefined` for scalars and fresh values. */
export function arrayVar(e: Expr | undefined): VarLike | undefined {
  return e !== undefined && (e.kind === "Var" || e.kind === "IterArg") && e.type.kind === "Tensor" ? e : undefined;
}

/** The argument whose buffer a call writes. */
export function writtenArg(call: Call, ops: Ops): VarLike | undefined {
  const record = ops.byName(call.callee.name);
  if (record?.writes === undefined) return undefined;
  return arrayVar(inputsOf(record, call).find((input) => input.name === record.writes)?.value);
}

function linkBlock(block: Seq, links: Links): void {
  for (const stmt of block.stmts) linkStmt(stmt, links);
}

function linkStmt(stmt: Stmt, links: Links): void {
  switch (stmt.kind) {
    case "Assign": return linkAssign(stmt.target, stmt.value, links);
    case "Eval": {
      const target = stmt.expr.kind === "Call" ? writtenArg(stmt.expr, links.ops) : undefined;
      if (target !== undefined) links.written.add(target);
      return;
    }
    case "If": return linkIf(stmt, links);
    case "For":
    case "While": return linkLoop(stmt, links);
    case "Nest": return linkBlock(stmt.body, links);
    default: return;
  }
}

function linkAssign(target: VarLike, value: Expr, links: Links): void {
  if (target.type.kind !== "Tensor") return;
  if (value.kind === "TupleGet") return linkPart(target, value, links);
  const written = value.kind === "Call" ? writtenArg(value, links.ops) : undefined;
  if (written !== undefined) links.written.add(written);
  const same = written ?? arrayVar(value);
  if (same !== undefined) links.parent.set(target, find(same, links));
}

function linkPart(target: VarLike, { tuple, index }: TupleGet, { parts, parent }: Links): void {
  if (!isVarLike(tuple)) return;
  let taken = parts.get(tuple);
  if (taken === undefined) parts.set(tuple, (taken = []));
  const first = taken[index];
  if (first === undefined) taken[index] = target;
  else parent.set(target, first);
}

function linkIf(stmt: If, links: Links): void {
  linkBlock(stmt.then, links);
  if (stmt.else !== undefined) linkBlock(stmt.else, links);
  for (const [i, result] of stmt.results.entries()) {
    const then = arrayVar(yielded(stmt.then)[i]);
    const orElse = arrayVar(stmt.else && yielded(stmt.else)[i]);
    if (then === undefined || orElse === undefined) continue;
    if (find(then, links) === find(orElse, links)) links.parent.set(result, find(then, links));
    else links.sources.set(result, [then, orElse]);
  }
}

/** A carry that comes back as its own handle, or as the buffer it began with, is that buffer. */
function linkLoop(loop: For | While, links: Links): void {
  linkBlock(loop.body, links);
  for (const [i, carry] of loop.carries.entries()) {
    const init = arrayVar(carry.init);
    const next = arrayVar(yielded(loop.body)[i]);
    const result = loop.results[i];
    if (init === undefined || next === undefined || result === undefined) continue;
    const back = find(next, links);
    if (back === carry || back === find(init, links)) links.parent.set(carry, find(init, links));
    else links.sources.set(carry, [init, next]);
    links.parent.set(result, carry);
  }
}

/** What a block yields; nothing if it does not end in a yield. */
export function yielded(block: Seq): Yield["values"] {
  const last = block.stmts.at(-1);
  return last?.kind === "Yield" ? last.values : [];
}
