// Directions of parameters. A wrapper is a contract and is checked; without one a parameter that the body may write is `inout`, or
// `out` if every element is provably written and none is read.

import {
  blocksOf, eachOperand, eachStmt, isVarLike, type Call, type Expr, type FunctionCall, type Param, type Prim, type Seq, type Stmt, type Var,
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
  const touches = touchesIn(body, handles, fn);
  return params.map((p) => {
    const written = touches.find((t) => t.writes && t.params.has(p.var));
    const isRead = touches.some((t) => !t.writes && t.params.has(p.var));
    const inferred = written === undefined ? "in" : !isRead && writesEveryElement(body, p.var, handles) ? "out" : "inout";
    if (p.var.type.kind === "Tensor" && !breaksContract(p, written, fn)) {
      const early = p.wrapper === "out" && isRead ? earlyRead(p.var, body, touches) : undefined;
      if (early !== undefined) refuseEarlyRead(p, early, fn);
      else if (written !== undefined) adviseWrapper(p, written, inferred, fn);
    }
    return { var: p.var, direction: p.wrapper ?? inferred };
  });
}

// — reads and writes, in the order of the text —

/** A statement reads or writes parameters' buffers. */
interface Touch {
  readonly stmt: Stmt;
  readonly writes: boolean;
  readonly params: ReadonlySet<Var>;
  readonly op: string;
  readonly span: Span | undefined;
}

function touchesIn(body: Seq, handles: Handles, fn: FunctionScope): readonly Touch[] {
  const touches: Touch[] = [];
  eachStmt(body, (stmt) => {
    const note = (arg: Expr, writes: boolean, by: Call | Prim | FunctionCall): void => {
      const params = arg.type.kind === "Tensor" ? paramsBehind(arg, handles) : undefined;
      if (params !== undefined && params.size > 0) touches.push({ stmt, writes, params, op: nameOf(by), span: by.meta.span ?? stmt.meta.span });
    };
    eachOperand(stmt, (e) => eachTouched(e, fn, note));
  });
  return touches;
}

const nameOf = (e: Call | Prim | FunctionCall): string => (e.kind === "Call" ? e.callee.name : e.kind === "Prim" ? `T.${e.op}` : e.callee.symbol);

function paramsBehind(arg: Expr, handles: Handles): ReadonlySet<Var> | undefined {
  if (isVarLike(arg)) return handles.paramsOf(arg);
  const [first, ...others] = handles.sourcesOf(arg).map((v) => handles.paramsOf(v));
  return first && others.reduce(union, first);
}

/** The same set where nothing is added. */
function union(a: ReadonlySet<Var>, b: ReadonlySet<Var>): ReadonlySet<Var> {
  for (const v of b) if (!a.has(v)) return new Set([...a, ...b]);
  return a;
}

/** Arguments that calls in an expression read or write, inner calls first; of one call the reads come before the writes. */
function eachTouched(e: Expr, fn: FunctionScope, note: (arg: Expr, writes: boolean, by: Call | Prim | FunctionCall) => void): void {
  if (e.kind === "Tuple") for (const element of e.elements) eachTouched(element, fn, note);
  if (e.kind !== "Call" && e.kind !== "Prim" && e.kind !== "FunctionCall") return;
  const { args } = e;
  for (const arg of args) eachTouched(arg, fn, note);
  if (e.kind === "Prim") {
    if (args[0] !== undefined && (e.op === "load" || e.op === "store")) note(args[0], e.op === "store", e);
    return;
  }
  const use = e.kind === "Call" ? ofOp(e, fn) : ofFunction(e, fn);
  let i = 0;
  for (const arg of args) if (use(i++) !== "out") note(arg, false, e);
  i = 0;
  for (const arg of args) if (use(i++) !== "in") note(arg, true, e);
}

type Use = (argument: number) => Param["direction"];

const READS: Use = () => "in";

function ofOp(e: Call, { module }: FunctionScope): Use {
  const record = module.ops.byName(e.callee.name);
  const written = record && parametersOf(record).written;
  return written === undefined ? READS : (i) => (i === written ? "out" : "in");
}

function ofFunction(e: FunctionCall, { module }: FunctionScope): Use {
  const callee = calleeNode(module, e.callee.symbol);
  return (i) => callee?.params[i]?.direction ?? "in";
}

/** The first read of a parameter before which nothing can have written it, loops around it included. */
function earlyRead(param: Var, body: Seq, touches: readonly Touch[]): Touch | undefined {
  const byStmt = new Map<Stmt, Touch[]>();
  for (const touch of touches) if (touch.params.has(param)) byStmt.set(touch.stmt, [...(byStmt.get(touch.stmt) ?? []), touch]);
  const writes = (block: Seq): boolean => block.stmts.some((s) => byStmt.get(s)?.some((t) => t.writes) === true || blocksOf(s).some(writes));
  let early: Touch | undefined;
  const visit = (block: Seq, start: boolean): boolean => {
    let before = start;
    for (const s of block.stmts) {
      for (const touch of byStmt.get(s) ?? []) {
        if (touch.writes) before = true;
        else if (!before) early ??= touch;
      }
      const blocks = blocksOf(s);
      before ||= s.kind !== "If" && s.kind !== "Scope" && blocks.some(writes);
      const entered = before;
      for (const inner of blocks) if (visit(inner, entered)) before = true;
    }
    return before;
  };
  visit(body, false);
  return early;
}

// — contracts —

/** Whether what is written breaks what the parameter's type or wrapper says. */
function breaksContract(p: AuthoredParam, written: Touch | undefined, { reporter }: FunctionScope): boolean {
  const name = p.var.hint;
  if (p.var.isConst && written !== undefined) {
    reporter.report("TF4203", written.span, { op: written.op, name }, { related: [{ message: "it is declared here", span: p.syntax.span }] });
    return true;
  }
  if (p.wrapper !== "out" || written !== undefined) return false;
  reporter.report("TF4202", p.syntax.span, { name });
  return true;
}

/** A PyPTO kernel says which parameters it writes. */
function adviseWrapper(p: AuthoredParam, written: Touch, inferred: Param["direction"], { reporter, dialect, kind }: FunctionScope): void {
  const { annotation, span } = p.syntax;
  if (p.wrapper !== undefined || annotation === undefined || (kind !== "incore" && kind !== "orchestration")) return;
  const wrapper = `${dialect === "pl" ? "pl." : ""}${inferred === "out" ? "Out" : "InOut"}`;
  const { source, start, end } = annotation.span;
  const text = `${wrapper}[${source.text.slice(start, end)}]`;
  const extras = { related: place("it is written here", written.span), fixes: [fix(`wrap its type in ${wrapper}`, annotation.span, text)] };
  reporter.report("TF4204", span, { name: p.var.hint, wrapper, text }, extras);
}

/** An Out parameter that is read where nothing can have written it yet. */
function refuseEarlyRead(p: AuthoredParam, early: Touch, { reporter, dialect }: FunctionScope): void {
  const wrapper = `${dialect === "pl" ? "pl." : ""}InOut`;
  reporter.report("TF4205", early.span, { name: p.var.hint, wrapper }, { related: [{ message: "it is declared here", span: p.syntax.span }] });
}
