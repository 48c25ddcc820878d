// Positions that meet, one after the other: a parallel loop with a barrier of its level becomes one loop for each part between barriers. What lives
// from one part to the next has an element for each position. Loops and branches around a barrier, which go the same way everywhere, stand
// outside of the positions' loops.

import {
  allocTensor, assign, bodyOf, definedBy, eachStmt, evaluate, forLoop, ifThen, isBarrier, isRegister, isStatic, load, mapBlocks, mapChildren, meetsAt, namesOf, seq,
  store, substitute, tileType, toDim, variable, variablesIn, walk, whileLoop, yieldValues,
  type Dim, type Expr, type For, type FunctionNode, type If, type IterArg, type Names, type Node, type Seq, type Stmt, type Var, type VarLike, type While,
} from "@tilefoundry/ir";
import type { Reporter } from "@tilefoundry/text";
import { spanOnly } from "./meta.ts";
import { eachFunction, type Pass } from "./pass.ts";

export const splitAtBarriers = {
  name: "split-at-barriers",
  from: "lowered",
  to: "lowered",
  doc: "Runs positions in phases, from barrier to barrier.",
  run: eachFunction((fn, _context, reporter) => splitFunction(fn, reporter)),
} as const satisfies Pass;

function splitFunction(fn: FunctionNode, reporter: Reporter): FunctionNode {
  const body = bodyOf(fn);
  if (body === undefined || !body.stmts.some((stmt) => meetsAt(stmt, "lane"))) return fn;
  const split = splitBlock(body, { names: namesOf(fn), reporter, used: new Set(), failed: false });
  return { ...fn, body: split };
}

interface Splitting {
  readonly names: Names;
  readonly reporter: Reporter;
  /** Variables of loops that stand in some part already. */
  readonly used: Set<VarLike>;
  failed: boolean;
}

function splitBlock(block: Seq, s: Splitting): Seq {
  const stmts = block.stmts.flatMap((stmt): readonly Stmt[] => {
    if (stmt.kind === "For" && isPositions(stmt) && meetsAt(stmt, stmt.level ?? "lane")) return phases(stmt, s);
    if (stmt.kind === "Eval" && isBarrier(stmt.expr)) return []; // nobody else is there to meet
    return [mapBlocks(stmt, (inner) => splitBlock(inner, s))];
  });
  return seq(stmts, block.meta);
}

const isPositions = (stmt: For): boolean => stmt.mode === "parallel" && stmt.level !== undefined;

// — the phases of one loop over positions —

interface Phases {
  /** Loops around what is being split, outermost first. */
  readonly loops: readonly For[];
  readonly splitting: Splitting;
  readonly out: Stmt[];
  /** Buffers that hold a value for each position, by the variable that it stands for. */
  readonly kept: Map<VarLike, Var>;
  /** Where allocations of buffers for all positions go: before the outermost loop. */
  readonly before: Stmt[];
  /** Values of variables that differ between positions. */
  readonly varying: Set<VarLike>;
}

function phases(loop: For, splitting: Splitting): readonly Stmt[] {
  const p: Phases = { loops: [loop], splitting, out: [], kept: new Map(), before: [], varying: varyingIn(loop) };
  splitBody(loop.body, p);
  const tidy = p.out.map((stmt) => mapBlocks(stmt, (inner) => splitBlock(inner, splitting)));
  return [...p.before, ...tidy];
}

function splitBody(block: Seq, p: Phases): void {
  const level = p.loops[0]?.level ?? "lane";
  const parts: Stmt[][] = [[]];
  for (const [i, stmt] of block.stmts.entries()) {
    if (stmt.kind === "Assign" && isRegister(stmt.target.type) && !p.varying.has(stmt.target)) p.out.push(stmt); // once for all positions
    else if (!meetsAt(stmt, level)) parts.at(-1)?.push(stmt);
    else {
      region(parts.at(-1) ?? [], block.stmts.slice(i), p);
      parts.push([]);
      around(stmt, p);
    }
  }
  region(parts.at(-1) ?? [], [], p);
}

/** What all positions do between two barriers: what later parts read of it is kept. */
function region(stmts: readonly Stmt[], rest: readonly Stmt[], p: Phases): void {
  if (stmts.length === 0) return;
  const read = variablesIn(rest);
  const inside: Stmt[] = [];
  for (const stmt of stmts) {
    if (stmt.kind === "Assign" && stmt.value.kind === "Prim" && stmt.value.op === "alloc_tensor" && stmt.target.type.kind === "Tensor") {
      if (read.has(stmt.target)) {
        keepBuffer(stmt.target, p);
        continue;
      }
    }
    inside.push(stmt);
    for (const v of definedBy(stmt)) {
      if (!read.has(v)) continue;
      const slot = slotOf(v, p);
      if (slot !== undefined) inside.push(evaluate(store(slot, indices(p), v), spanOnly(stmt.meta)));
    }
  }
  if (inside.length > 0) p.out.push(positioned(withKept(inside, p), p));
}

const indices = ({ loops }: Phases): readonly Expr[] => loops.map((l) => l.loopVar);

/** The statements in loops over all positions, with variables of their own. */
function positioned(stmts: readonly Stmt[], { loops, splitting }: Phases): Stmt {
  const renamed = new Map<VarLike, Var>();
  for (const { loopVar: v } of loops) {
    if (splitting.used.has(v)) renamed.set(v, variable(splitting.names.fresh(v.hint), v.type, v.meta));
    splitting.used.add(v);
  }
  const body = renamed.size === 0 ? seq(stmts) : substitute(seq(stmts), renamed);
  return loops.reduceRight<Stmt>((inner, loop) => {
    const { start, stop, step, mode, level } = loop;
    const loopVar = renamed.get(loop.loopVar) ?? loop.loopVar;
    return forLoop({ loopVar, start, stop, step, mode, level, body: inner.kind === "Seq" ? inner : seq([inner]) }, spanOnly(loop.meta));
  }, body);
}

// — what lives from one part to the next —

/** An element for each position; undefined (with a complaint) where the number of positions is not known before they run. */
function slotOf(v: VarLike, p: Phases): Var | undefined {
  const known = p.kept.get(v);
  if (known !== undefined) return known;
  if (!isRegister(v.type)) return undefined;
  const shape = shapeOf(p);
  if (shape === undefined) return undefined;
  const slot = variable(p.splitting.names.fresh(`${v.hint}_at`), tileType(shape, v.type.dtype));
  p.before.push(assign(slot, allocTensor(tileType(shape, v.type.dtype))));
  p.kept.set(v, slot);
  return slot;
}

/** A buffer that each position has of its own is one with an axis more for each loop. */
function keepBuffer(v: Var, p: Phases): void {
  const shape = shapeOf(p);
  if (shape === undefined || v.type.kind !== "Tensor") return;
  const type = { ...v.type, shape: [...shape, ...v.type.shape] };
  const whole = variable(v.hint, type, v.meta);
  p.before.push(assign(whole, allocTensor(type), spanOnly(v.meta)));
  p.kept.set(v, whole);
}

/** Extents of the positions: their loops begin at 0 in steps of 1. */
function shapeOf({ loops, splitting }: Phases): readonly Dim[] | undefined {
  const extents = loops.map((l) => (isNumber(l.start, 0n) && isNumber(l.step, 1n) ? toDim(l.stop) : undefined));
  if (extents.every((d): d is Dim => d !== undefined && isStatic(d))) return extents;
  if (!splitting.failed) splitting.reporter.report("TF5047", loops[0]?.meta.span, {});
  splitting.failed = true;
  return undefined;
}

const isNumber = (e: Expr, value: bigint): boolean => e.kind === "Const" && e.value === value;

/** Reads of what was kept, in place of the variables. */
function withKept(stmts: readonly Stmt[], p: Phases): readonly Stmt[] {
  const own = new Set(stmts.flatMap((s) => [...definedBy(s)]));
  const replaced = <N extends Node>(node: N): N =>
    mapChildren(node, (child, role) => {
      if (role === "def" || role === "defs" || role === "bind") return child;
      if (child.kind === "IterArg") return role === "binds" ? replaced(child) : (kept(child) ?? child);
      if (child.kind === "Var") return kept(child) ?? child;
      const slot = child.kind === "Prim" && (child.op === "load" || child.op === "store") ? bufferOf(child) : undefined;
      if (child.kind === "Prim" && slot !== undefined) {
        const [, ...rest] = child.args.map((a) => (a.kind === "Var" || a.kind === "IterArg" ? (kept(a) ?? a) : replaced(a)));
        return { ...child, args: [slot, ...indices(p), ...rest] };
      }
      return replaced(child);
    });
  const kept = (v: VarLike): Expr | undefined => {
    const slot = p.kept.get(v);
    return slot === undefined || own.has(v) || v.type.kind === "Tensor" ? undefined : load(slot, indices(p));
  };
  const bufferOf = (e: Extract<Node, { readonly kind: "Prim" }>): Var | undefined => {
    const [buffer] = e.args;
    return buffer !== undefined && (buffer.kind === "Var" || buffer.kind === "IterArg") && buffer.type.kind === "Tensor" ? p.kept.get(buffer) : undefined;
  };
  return stmts.map((s) => replaced(s));
}

// — what stands around a barrier —

function around(stmt: Stmt, p: Phases): void {
  switch (stmt.kind) {
    case "For": return isPositions(stmt) ? nested(stmt, p) : together(stmt, p);
    case "While": return whileTogether(stmt, p);
    case "If": return branch(stmt, p);
    default: return undefined; // the barrier itself
  }
}

/** Positions within positions. */
function nested(loop: For, p: Phases): void {
  splitBody(loop.body, { ...p, loops: [...p.loops, loop] });
}

/** Whether an expression is the same at all positions. */
function isUniform(e: Expr, varying: ReadonlySet<VarLike>): boolean {
  let uniform = true;
  walk(e, (node) => {
    if ((node.kind === "Var" || node.kind === "IterArg") && varying.has(node)) uniform = false;
    if (node.kind === "Prim" && node.op === "load") uniform = false;
  });
  return uniform;
}

/** Variables that may differ between positions: what depends on where they are, or on memory. Carries are taken to agree until they do not. */
function varyingIn(loop: For): Set<VarLike> {
  const varying = new Set<VarLike>([loop.loopVar]);
  const mark = (v: VarLike | undefined, when: boolean): void => void (when && v !== undefined && varying.add(v));
  for (let size = -1; size !== varying.size; ) {
    size = varying.size;
    eachStmt(loop.body, (stmt) => {
      if (stmt.kind === "Assign") return mark(stmt.target, !isRegister(stmt.target.type) || !isUniform(stmt.value, varying));
      if (stmt.kind === "For" && isPositions(stmt)) varying.add(stmt.loopVar);
      markControl(stmt, varying, mark);
    });
  }
  return varying;
}

/** Results and carries of what branches or loops. */
function markControl(stmt: Stmt, varying: ReadonlySet<VarLike>, mark: (v: VarLike | undefined, when: boolean) => void): void {
  if (stmt.kind !== "If" && stmt.kind !== "For" && stmt.kind !== "While" && stmt.kind !== "Nest") return;
  const deciding = stmt.kind === "For" ? [stmt.start, stmt.stop, stmt.step] : stmt.kind === "Nest" ? stmt.extents : [stmt.cond];
  const decides = !deciding.every((e) => isUniform(e, varying));
  if (stmt.kind === "For") mark(stmt.loopVar, decides);
  if (stmt.kind === "Nest") for (const axis of stmt.axes) mark(axis, true);
  for (const block of stmt.kind === "If" ? [stmt.then, stmt.else] : [stmt.body]) {
    const last = block?.stmts.at(-1);
    const values = last?.kind === "Yield" ? last.values : [];
    values.forEach((value, i) => {
      const start = stmt.kind === "If" ? undefined : stmt.carries[i]?.init;
      const differs = decides || !isUniform(value, varying) || (start !== undefined && !isUniform(start, varying));
      mark(stmt.results[i], differs);
      if (stmt.kind !== "If") mark(stmt.carries[i], differs);
    });
  }
}

function mustAgree(exprs: readonly Expr[], stmt: Stmt, p: Phases): boolean {
  if (exprs.every((e) => isUniform(e, p.varying))) return true;
  p.splitting.reporter.report("TF5048", stmt.meta.span, {});
  p.splitting.failed = true;
  return false;
}

/** A loop that all positions go through together; what differs between them each keeps, the rest it carries. */
function together(loop: For, p: Phases): void {
  if (!mustAgree([loop.start, loop.stop, loop.step], loop, p)) return;
  const { carries, results, body } = throughLoop(loop, p);
  p.out.push(forLoop({ loopVar: loop.loopVar, start: loop.start, stop: loop.stop, step: loop.step, mode: loop.mode, level: loop.level, carries, results, body }, spanOnly(loop.meta)));
}

function whileTogether(loop: While, p: Phases): void {
  if (!mustAgree([loop.cond], loop, p)) return;
  const { carries, results, body } = throughLoop(loop, p);
  p.out.push(whileLoop(loop.cond, body, carries, results, spanOnly(loop.meta)));
}

interface Through {
  readonly carries: readonly IterArg[];
  readonly results: readonly Var[];
  readonly body: Seq;
}

function throughLoop(loop: For | While, p: Phases): Through {
  const differs = loop.carries.map((carry) => p.varying.has(carry));
  const slots = loop.carries.map((carry, i) => (differs[i] ? slotOf(carry, p) : undefined));
  const starts = loop.carries.flatMap((carry, i) => (slots[i] === undefined ? [] : [evaluate(store(slots[i], indices(p), carry.init))]));
  if (starts.length > 0) p.out.push(positioned(withKept(starts, p), p));
  const body = splitInside(loop.body, slots, differs, p);
  loop.results.forEach((result, i) => slots[i] !== undefined && p.kept.set(result, slots[i]));
  return { carries: agreeing(loop.carries, differs), results: agreeing(loop.results, differs), body };
}

const agreeing = <T>(list: readonly T[], differs: readonly boolean[]): readonly T[] => list.filter((_, i) => !differs[i]);

/** The parts of a block that all positions go through together. It yields what agrees; the rest is kept in the slots. */
function splitInside(block: Seq, slots: readonly (Var | undefined)[], differs: readonly boolean[], p: Phases): Seq {
  const inner: Phases = { ...p, out: [] };
  splitBody(withYieldKept(block, slots, p), inner);
  const last = block.stmts.at(-1);
  const yielded = agreeing(last?.kind === "Yield" ? last.values : [], differs);
  return seq([...inner.out, ...(yielded.length === 0 ? [] : [yieldValues(yielded)])]);
}

/** The body with stores of what each position yields: all values are read before one is kept. */
function withYieldKept(body: Seq, slots: readonly (Var | undefined)[], p: Phases): Seq {
  const last = body.stmts.at(-1);
  if (last?.kind !== "Yield") return body;
  const kept = last.values.flatMap((value, i) => {
    const slot = slots[i];
    return slot === undefined ? [] : [{ value, slot, next: variable(p.splitting.names.fresh("next"), value.type) }];
  });
  for (const { next } of kept) p.varying.add(next);
  const reads = kept.map(({ next, value }) => assign(next, value));
  const writes = kept.map(({ next, slot }) => evaluate(store(slot, indices(p), next)));
  return seq([...body.stmts.slice(0, -1), ...reads, ...writes], body.meta);
}

function branch(stmt: If, p: Phases): void {
  if (!mustAgree([stmt.cond], stmt, p)) return;
  const differs = stmt.results.map((result) => p.varying.has(result));
  const slots = stmt.results.map((result, i) => (differs[i] ? slotOf(result, p) : undefined));
  const [then, orElse] = [stmt.then, stmt.else].map((block) => block && splitInside(block, slots, differs, p));
  p.out.push(ifThen(stmt.cond, then ?? seq([]), orElse, agreeing(stmt.results, differs), spanOnly(stmt.meta)));
}
