// Directions of parameters. A wrapper is a contract and is checked; without one a parameter that the body may write is `inout`, or
// `out` if every element is provably written and none is read.

import {
  blocksOf, boundBy, eachOperand, eachStmt, isVarLike,
  type Call, type Expr, type Param, type Prim, type Seq, type Stmt, type Var, type VarLike,
} from "@tilefoundry/ir";
import { parametersOf } from "@tilefoundry/ops";
import type { Span } from "@tilefoundry/text";
import { fix, place } from "./complaints.ts";
import { writesEveryElement } from "./coverage.ts";
import { writtenArgument } from "./handles.ts";
import type { FunctionScope } from "./place.ts";
import type { AuthoredParam } from "./signature.ts";

export function settleDirections(body: Seq, fn: FunctionScope, params: readonly AuthoredParam[]): readonly Param[] {
  const buffers = buffersOf(body, params.map((p) => p.var), fn);
  const accesses = accessesIn(body, buffers, fn);
  return params.map((p) => {
    const written = accesses.find((a) => a.writes && a.params.has(p.var));
    const isRead = accesses.some((a) => !a.writes && a.params.has(p.var));
    const inferred = written === undefined ? "in" : !isRead && writesEveryElement(body, p.var, buffers, fn) ? "out" : "inout";
    if (p.var.type.kind === "Tensor" && !breaksContract(p, written, accesses, fn) && written !== undefined) adviseWrapper(p, written, inferred, fn);
    return { var: p.var, direction: p.wrapper ?? inferred };
  });
}

// — which parameters a variable may be a handle of: the union over all its assignments —

export type Buffers = ReadonlyMap<VarLike, ReadonlySet<Var>>;
const NONE: ReadonlySet<Var> = new Set();

function buffersOf(body: Seq, params: readonly Var[], fn: FunctionScope): Buffers {
  const sources = new Map<VarLike, VarLike[]>();
  const flows = (target: VarLike, value: Expr | undefined): void => {
    const source = value && handleIn(value, fn);
    if (source === undefined || target.type.kind !== "Tensor") return;
    sources.set(source, [...(sources.get(source) ?? []), target]);
  };
  eachStmt(body, (s) => eachFlow(s, flows));
  const buffers = new Map<VarLike, Set<Var>>();
  const open: (readonly [VarLike, Var])[] = params.filter((p) => p.type.kind === "Tensor").map((p) => [p, p]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [variable, param] = next;
    const known = buffers.get(variable) ?? new Set();
    if (known.has(param)) continue;
    buffers.set(variable, known.add(param));
    for (const target of sources.get(variable) ?? []) open.push([target, param]);
  }
  return buffers;
}

/** The variable whose buffer a value is a handle of. */
function handleIn(value: Expr, fn: FunctionScope): VarLike | undefined {
  if (isVarLike(value)) return value;
  const written = value.kind === "Call" ? writtenArgument(value, fn) : undefined;
  return written && handleIn(written, fn);
}

function eachFlow(s: Stmt, flows: (target: VarLike, value: Expr | undefined) => void): void {
  if (s.kind === "Assign") flows(s.target, s.value);
  for (const carry of boundBy(s)) if (carry.kind === "IterArg") flows(carry, carry.init);
  const results = s.kind === "If" || s.kind === "For" || s.kind === "While" || s.kind === "Nest" ? s.results : [];
  const carries = boundBy(s).filter((v) => v.kind === "IterArg");
  for (const block of blocksOf(s)) {
    const last = block.stmts.at(-1);
    if (last?.kind !== "Yield") continue;
    for (const [i, value] of last.values.entries()) for (const target of [results[i], carries[i]]) if (target !== undefined) flows(target, value);
  }
}

// — reads and writes, in the order of the text —

interface Touch {
  readonly writes: boolean;
  readonly params: ReadonlySet<Var>;
  readonly op: string;
  readonly span: Span | undefined;
}

interface Access extends Touch {
  /** Parameters that may have been written before, around loops included. */
  readonly before: ReadonlySet<Var>;
}

interface Survey {
  /** What each statement touches itself, in its blocks left out. */
  readonly touches: ReadonlyMap<Stmt, readonly Touch[]>;
  /** What each block may write. */
  readonly written: ReadonlyMap<Seq, ReadonlySet<Var>>;
}

function accessesIn(body: Seq, buffers: Buffers, fn: FunctionScope): readonly Access[] {
  const { touches, written } = survey(body, buffers, fn);
  const accesses: Access[] = [];
  const visit = (block: Seq, start: ReadonlySet<Var>): ReadonlySet<Var> => {
    let before = start;
    for (const s of block.stmts) {
      for (const touch of touches.get(s) ?? []) {
        accesses.push({ ...touch, before });
        if (touch.writes) before = union(before, touch.params);
      }
      const blocks = blocksOf(s);
      if (s.kind !== "If") for (const inner of blocks) before = union(before, written.get(inner) ?? NONE);
      const entered = before;
      for (const inner of blocks) before = union(before, visit(inner, entered));
    }
    return before;
  };
  visit(body, NONE);
  return accesses;
}

/** The same set where nothing is added: most accesses share one. */
function union(a: ReadonlySet<Var>, b: ReadonlySet<Var>): ReadonlySet<Var> {
  for (const v of b) if (!a.has(v)) return new Set([...a, ...b]);
  return a;
}

function survey(body: Seq, buffers: Buffers, fn: FunctionScope): Survey {
  const touches = new Map<Stmt, readonly Touch[]>();
  const written = new Map<Seq, ReadonlySet<Var>>();
  const visit = (block: Seq): ReadonlySet<Var> => {
    let own = NONE;
    for (const s of block.stmts) {
      const found: Touch[] = [];
      eachOperand(s, (e) => touchesOf(e, s, buffers, fn, found));
      if (found.length > 0) touches.set(s, found);
      for (const { writes, params } of found) if (writes) own = union(own, params);
      for (const inner of blocksOf(s)) own = union(own, visit(inner));
    }
    written.set(block, own);
    return own;
  };
  visit(body);
  return { touches, written };
}

/** Reads come before the write of the same call. */
function touchesOf(e: Expr, s: Stmt, buffers: Buffers, fn: FunctionScope, found: Touch[]): void {
  if (e.kind === "Tuple") for (const element of e.elements) touchesOf(element, s, buffers, fn, found);
  if (e.kind !== "Call" && e.kind !== "Prim") return;
  for (const arg of e.args) touchesOf(arg, s, buffers, fn, found);
  const op = e.kind === "Call" ? e.callee.name : `T.${e.op}`;
  const note = (arg: Expr | undefined, writes: boolean): void => {
    const handle = arg?.type.kind === "Tensor" ? handleIn(arg, fn) : undefined;
    const params = handle && buffers.get(handle);
    if (params !== undefined) found.push({ writes, params, op, span: e.meta.span ?? s.meta.span });
  };
  const { read, written } = e.kind === "Call" ? arraysOf(e, fn) : memoryOf(e);
  for (const arg of read) note(arg, false);
  note(written, true);
}

interface Arrays {
  readonly read: readonly Expr[];
  readonly written: Expr | undefined;
}

function arraysOf({ callee, args }: Call, { module }: FunctionScope): Arrays {
  const record = module.ops.byName(callee.name);
  const at = record && parametersOf(record).written;
  return { read: at === undefined ? args : args.filter((_, i) => i !== at), written: at === undefined ? undefined : args[at] };
}

function memoryOf({ op, args }: Prim): Arrays {
  const [buffer] = args;
  return { read: op === "load" && buffer !== undefined ? [buffer] : [], written: op === "store" ? buffer : undefined };
}

// — contracts —

/** Whether a complaint about the parameter was made. */
function breaksContract(p: AuthoredParam, written: Access | undefined, accesses: readonly Access[], fn: FunctionScope): boolean {
  const { reporter } = fn;
  const name = p.var.hint;
  if (p.var.isConst && written !== undefined) {
    reporter.report("TF4203", written.span, { op: written.op, name }, { related: [{ message: "it is declared here", span: p.syntax.span }] });
    return true;
  }
  if (p.wrapper !== "out") return false;
  if (written === undefined) reporter.report("TF4202", p.syntax.span, { name });
  else checkFirstRead(p, accesses, fn);
  return true;
}

/** A PyPTO kernel says which parameters it writes. */
function adviseWrapper(p: AuthoredParam, written: Access, inferred: Param["direction"], { reporter, dialect, kind }: FunctionScope): void {
  const { annotation, span } = p.syntax;
  if (p.wrapper !== undefined || annotation === undefined || (kind !== "incore" && kind !== "orchestration")) return;
  const wrapper = `${dialect === "pl" ? "pl." : ""}${inferred === "out" ? "Out" : "InOut"}`;
  const { source, start, end } = annotation.span;
  const text = `${wrapper}[${source.text.slice(start, end)}]`;
  const extras = { related: place("it is written here", written.span), fixes: [fix(`wrap its type in ${wrapper}`, annotation.span, text)] };
  reporter.report("TF4204", span, { name: p.var.hint, wrapper, text }, extras);
}

/** An Out parameter that is read where nothing can have written it yet. */
function checkFirstRead(p: AuthoredParam, accesses: readonly Access[], { reporter, dialect }: FunctionScope): void {
  const early = accesses.find((a) => !a.writes && a.params.has(p.var) && !a.before.has(p.var));
  if (early === undefined) return;
  const wrapper = `${dialect === "pl" ? "pl." : ""}InOut`;
  reporter.report("TF4205", early.span, { name: p.var.hint, wrapper }, { related: [{ message: "it is declared here", span: p.syntax.span }] });
}

