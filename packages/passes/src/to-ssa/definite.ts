// Every read sees a value: variables that may be undefined where they are read, found on the statements as authored, jumps
// included. Only variables that variables.ts could not settle are followed.

import {
  eachOperand, loopBounds, definedBy, proveLess, someVar, symbolFacts, toDim,
  type Bounds, type Dim, type Expr, type Facts, type For, type FunctionNode, type If, type Nest, type Seq, type Stmt, type VarLike, type While,
} from "@tilefoundry/ir";
import type { Related, Reporter, Span } from "@tilefoundry/text";
import { eachVariable } from "../writes.ts";
import type { Origins } from "./origins.ts";
import type { Variables } from "./variables.ts";

/** The followed variables that surely have a value; undefined where control never comes. */
type Known = ReadonlySet<VarLike> | undefined;

interface Jumps {
  readonly breaks: Known[];
  readonly continues: Known[];
}

interface Check {
  readonly variables: Variables;
  readonly origins: Origins;
  readonly reporter: Reporter;
  readonly bounds: Map<VarLike, Bounds>;
  readonly facts: Facts;
  /** Where a variable was assigned, and which statement did not do so on some way. */
  readonly assigned: Map<VarLike, Span | undefined>;
  readonly lost: Map<VarLike, If | For | While | Nest>;
  readonly reported: Set<VarLike>;
  readonly running: Set<VarLike>;
}

/** Reports what may be undefined; gives the loop variables of loops that surely run. */
export function checkDefinite(fn: FunctionNode, body: Seq, variables: Variables, origins: Origins, reporter: Reporter): ReadonlySet<VarLike> {
  const symbols = symbolFacts(fn.symbols);
  const bounds = new Map<VarLike, Bounds>();
  const facts: Facts = { boundsOf: (v) => bounds.get(v) ?? symbols.boundsOf(v) };
  const outside = [...fn.symbols, ...fn.params].map((p) => p.var).filter((v) => variables.unsure.has(v));
  const check: Check = { variables, origins, reporter, bounds, facts, assigned: new Map(), lost: new Map(), reported: new Set(), running: new Set() };
  ofBlock(body, new Set(outside), { breaks: [], continues: [] }, check);
  return check.running;
}

function ofBlock(block: Seq, before: Known, jumps: Jumps, check: Check): Known {
  return block.stmts.reduce<Known>((known, stmt) => ofStmt(stmt, known, jumps, check), before);
}

function ofStmt(stmt: Stmt, known: Known, jumps: Jumps, check: Check): Known {
  if (known === undefined) return undefined;
  if (stmt.kind !== "While") eachOperand(stmt, (operand) => readAll(operand, known, stmt, check));
  switch (stmt.kind) {
    case "If": return ofIf(stmt, known, jumps, check);
    case "For":
    case "Nest": return ofCounted(stmt, known, check);
    case "While": return ofWhile(stmt, known, check);
    case "Break": return void jumps.breaks.push(known);
    case "Continue": return void jumps.continues.push(known);
    case "Return": return undefined;
    default: return withDefinitions(stmt, known, check);
  }
}

function withDefinitions(stmt: Stmt, known: ReadonlySet<VarLike>, check: Check): Known {
  const followed = definedBy(stmt).filter((v) => check.variables.unsure.has(v));
  for (const v of followed) if (!check.assigned.has(v)) check.assigned.set(v, stmt.meta.span);
  if (stmt.kind === "Assign" && !check.variables.split.has(stmt.target)) note(check, stmt.target, stable(stmt.value, check));
  return followed.length === 0 || followed.every((v) => known.has(v)) ? known : new Set([...known, ...followed]);
}

function note({ bounds }: Check, v: VarLike, value: Dim | undefined): void {
  if (value !== undefined) bounds.set(v, { lo: value, hi: value });
}

/** The dim of an expression whose variables keep their value. */
function stable(expr: Expr, { variables }: Check): Dim | undefined {
  const dim = toDim(expr);
  return dim !== undefined && someVar(dim, (v) => variables.split.has(v)) ? undefined : dim;
}

function readAll(expr: Expr, known: ReadonlySet<VarLike>, stmt: Stmt, check: Check): void {
  eachVariable(expr, (v) => {
    if (!check.variables.unsure.has(v) || known.has(v) || check.reported.has(v)) return;
    check.reported.add(v);
    const lost = check.lost.get(v);
    const what = lost === undefined || lost.kind === "If" ? "`if`" : "loop";
    check.reporter.report("TF4101", expr.meta.span ?? stmt.meta.span, { name: v.hint, what }, { related: reasons(v, check) });
  });
}

function reasons(v: VarLike, { assigned, lost }: Check): readonly Related[] {
  const [at, around] = [assigned.get(v), lost.get(v)];
  const without = around === undefined || around.meta.span === undefined ? [] : [{ message: lacks(v, around), span: around.meta.span }];
  return [...(at === undefined ? [] : [{ message: `\`${v.hint}\` is assigned here`, span: at }]), ...without];
}

function lacks(v: VarLike, stmt: If | For | While | Nest): string {
  if (stmt.kind !== "If") return `this loop may end before it assigns \`${v.hint}\``;
  return stmt.else === undefined ? `without an \`else\`, \`${v.hint}\` is not assigned if the condition is false` : `one branch does not assign \`${v.hint}\``;
}

function ofIf(stmt: If, known: ReadonlySet<VarLike>, jumps: Jumps, check: Check): Known {
  const then = ofBlock(stmt.then, known, jumps, check);
  const orElse = stmt.else === undefined ? known : ofBlock(stmt.else, known, jumps, check);
  const joined = meet([then, orElse], stmt, check);
  return joined === undefined ? undefined : withDefinitions(stmt, joined, check);
}

/** What is known on every way that is reached. */
function meet(ways: readonly Known[], stmt: If | For | While | Nest, check: Check): Known {
  const [first, ...rest] = ways.filter((way): way is ReadonlySet<VarLike> => way !== undefined);
  if (first === undefined) return undefined;
  const all = new Set([...first].filter((v) => rest.every((way) => way.has(v))));
  for (const way of [first, ...rest]) for (const v of way) if (!all.has(v)) check.lost.set(v, stmt);
  return all;
}

function ofCounted(loop: For | Nest, known: ReadonlySet<VarLike>, check: Check): Known {
  const runs = loop.kind === "For" && bindLoop(loop, check);
  if (runs) check.running.add(loop.loopVar);
  const jumps: Jumps = { breaks: [], continues: [] };
  const end = ofBlock(loop.body, known, jumps, check);
  const after = [end, ...jumps.continues, ...jumps.breaks];
  const joined = runs ? meet(after, loop, check) : meet([known, ...after], loop, check);
  return withDefinitions(loop, withHandles(joined ?? known, after, loop, check), check);
}

/** Notes the range of the loop variable; gives whether the loop provably runs. */
function bindLoop(loop: For, check: Check): boolean {
  const [start, stop, step] = [loop.start, loop.stop, loop.step].map((e) => stable(e, check));
  if (typeof step !== "number" || step === 0) return false;
  check.bounds.set(loop.loopVar, loopBounds(start, stop, step));
  if (start === undefined || stop === undefined) return false;
  return proveLess(check.facts, ...(step > 0 ? [start, stop] as const : [stop, start] as const)) === true;
}

/** A handle that the loop binds first begins as the buffer that it is a handle of. */
function withHandles(known: ReadonlySet<VarLike>, ends: readonly Known[], loop: Stmt, check: Check): ReadonlySet<VarLike> {
  const candidates = ends.flatMap((end) => [...(end ?? [])]).filter((v) => !known.has(v) && v.type.kind === "Tensor");
  const handles = candidates.filter((v) => check.origins.before(v, loop, (at) => !check.variables.unsure.has(at) || known.has(at)) !== undefined);
  return handles.length === 0 ? known : new Set([...known, ...handles]);
}

function ofWhile(loop: While, known: ReadonlySet<VarLike>, check: Check): Known {
  for (const carry of loop.carries) readAll(carry.init, known, loop, check);
  readAll(loop.cond, known, loop, check);
  const jumps: Jumps = { breaks: [], continues: [] };
  const end = ofBlock(loop.body, known, jumps, check);
  const forever = loop.cond.kind === "Const" && loop.cond.value === true;
  const after = [end, ...jumps.continues, ...jumps.breaks];
  const joined = meet(forever ? jumps.breaks : [known, ...after], loop, check);
  return joined === undefined ? undefined : withDefinitions(loop, withHandles(joined, after, loop, check), check);
}
