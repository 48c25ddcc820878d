// Directions of parameters. A wrapper is a contract and is checked; without one a parameter that the body may write is `inout`, or
// `out` if every element is provably written and none is read.

import {
  blocksOf, eachOperand, type Call, type Expr, type FunctionCall, type Param, type Prim, type Seq, type Stmt, type Var,
} from "@tilefoundry/ir";
import { handlesOf, parametersOf, type Handles } from "@tilefoundry/ops";
import type { Span } from "@tilefoundry/text";
import { fix, place } from "./complaints.ts";
import { writesEveryElement } from "./coverage.ts";
import { calleeNode, callContext } from "./handles.ts";
import type { FunctionScope } from "./place.ts";
import type { AuthoredParam } from "./signature.ts";

export function settleDirections(body: Seq, fn: FunctionScope, params: readonly AuthoredParam[]): readonly Param[] {
  const handles = handlesOf(body, params.map((p) => p.var), callContext(fn.module));
  const accesses = accessesIn(body, handles, fn);
  return params.map((p) => {
    const written = accesses.find((a) => a.writes && a.params.has(p.var));
    const isRead = accesses.some((a) => !a.writes && a.params.has(p.var));
    const inferred = written === undefined ? "in" : !isRead && writesEveryElement(body, p.var, handles) ? "out" : "inout";
    if (p.var.type.kind === "Tensor" && !breaksContract(p, written, accesses, fn) && written !== undefined) adviseWrapper(p, written, inferred, fn);
    return { var: p.var, direction: p.wrapper ?? inferred };
  });
}

const NONE: ReadonlySet<Var> = new Set();

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

function accessesIn(body: Seq, handles: Handles, fn: FunctionScope): readonly Access[] {
  const { touches, written } = survey(body, handles, fn);
  const accesses: Access[] = [];
  const visit = (block: Seq, start: ReadonlySet<Var>): ReadonlySet<Var> => {
    let before = start;
    for (const s of block.stmts) {
      for (const touch of touches.get(s) ?? []) {
        accesses.push({ ...touch, before });
        if (touch.writes) before = union(before, touch.params);
      }
      const blocks = blocksOf(s);
      if (s.kind !== "If" && s.kind !== "Scope") for (const inner of blocks) before = union(before, written.get(inner) ?? NONE);
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

function survey(body: Seq, handles: Handles, fn: FunctionScope): Survey {
  const touches = new Map<Stmt, readonly Touch[]>();
  const written = new Map<Seq, ReadonlySet<Var>>();
  const visit = (block: Seq): ReadonlySet<Var> => {
    let own = NONE;
    for (const s of block.stmts) {
      const found: Touch[] = [];
      eachOperand(s, (e) => touchesOf(e, s, handles, fn, found));
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

/** Reads come before the writes of the same call. */
function touchesOf(e: Expr, s: Stmt, handles: Handles, fn: FunctionScope, found: Touch[]): void {
  if (e.kind === "Tuple") for (const element of e.elements) touchesOf(element, s, handles, fn, found);
  if (e.kind !== "Call" && e.kind !== "Prim" && e.kind !== "FunctionCall") return;
  for (const arg of e.args) touchesOf(arg, s, handles, fn, found);
  const op = e.kind === "Call" ? e.callee.name : e.kind === "Prim" ? `T.${e.op}` : e.callee.symbol;
  const note = (arg: Expr, writes: boolean): void => {
    const sources = arg.type.kind === "Tensor" ? handles.sourcesOf(arg) : [];
    const [first, ...others] = sources.map((v) => handles.paramsOf(v));
    if (first === undefined) return;
    const params = others.reduce(union, first);
    if (params.size > 0) found.push({ writes, params, op, span: e.meta.span ?? s.meta.span });
  };
  const { read, written } = arraysOf(e, fn);
  for (const arg of read) note(arg, false);
  for (const arg of written) note(arg, true);
}

interface Arrays {
  readonly read: readonly Expr[];
  readonly written: readonly Expr[];
}

function arraysOf(e: Call | Prim | FunctionCall, { module }: FunctionScope): Arrays {
  if (e.kind === "Prim") return memoryOf(e);
  const { args } = e;
  if (e.kind === "FunctionCall") {
    const directions = calleeNode(module, e.callee.symbol)?.params.map((p) => p.direction) ?? [];
    return { read: args.filter((_, i) => directions[i] !== "out"), written: args.filter((_, i) => directions[i] === "out" || directions[i] === "inout") };
  }
  const record = module.ops.byName(e.callee.name);
  const at = record && parametersOf(record).written;
  return { read: at === undefined ? args : args.filter((_, i) => i !== at), written: args.filter((_, i) => i === at) };
}

function memoryOf({ op, args }: Prim): Arrays {
  const buffer = args.slice(0, 1);
  return { read: op === "load" ? buffer : [], written: op === "store" ? buffer : [] };
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

