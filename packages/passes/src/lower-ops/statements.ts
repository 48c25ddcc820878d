// The walk of `lower-ops` over the statements of a block. Handle bookkeeping leaves no trace; every value that is an array gets a
// buffer; scalar code passes through.

import {
  assign, evaluate, isVarLike, nest, primRow, seq, store, yieldValues,
  type Assign, type Call, type Eval, type Expr, type Nest, type Return, type Seq, type Stmt, type Var, type Yield,
} from "@tilefoundry/ir";
import { argsOf } from "@tilefoundry/ops";
import { invariant } from "@tilefoundry/text";
import { nestBlock, lowerContext } from "./context.ts";
import { noteAll } from "./demand.ts";
import { lowerArrayCall, named } from "./forms.ts";
import { arrayVar } from "./handles.ts";
import { emitCopies, type Copy } from "./copies.ts";
import { lowerIf, lowerLoop, remakeCarry } from "./joins.ts";
import { lowerOperands, lowerScalar } from "./scalars.ts";
import { define, emit, takeMeta, type Lowering } from "./state.ts";

export function lowerStatements(l: Lowering, block: Seq): void {
  for (const stmt of block.stmts) {
    l.meta = stmt.meta;
    lowerStatement(l, stmt, block);
  }
}

function lowerStatement(l: Lowering, stmt: Stmt, block: Seq): void {
  switch (stmt.kind) {
    case "Assign": return lowerAssign(l, stmt);
    case "Eval": return lowerEval(l, stmt);
    case "If": return lowerIf(l, stmt, block);
    case "For":
    case "While": return lowerLoop(l, stmt, block);
    case "Nest": return lowerNest(l, stmt);
    case "Seq": return lowerStatements(l, stmt);
    case "Return":
    case "Yield":
    case "Break":
    case "Continue": return; // the holder of the block asks for what it yields or returns
  }
}

function lowerAssign(l: Lowering, { target, value }: Assign): void {
  if (target.type.kind === "TupleType" && value.kind === "Call") return lowerPartsCall(l, lowerOperands(l, value), target);
  if (target.type.kind !== "Tensor") {
    const lowered = lowerScalar(l, value);
    emit(l, assign(target, lowered, takeMeta(l)));
    return define(l, target, lowered);
  }
  if (isVarLike(value) || value.kind === "TupleGet") return;
  if (value.kind === "Call") return lowerCall(l, lowerOperands(l, value), target);
  invariant(value.kind === "Prim" && value.op === "alloc_tensor", () => `${target.hint} is an array, but ${value.kind}`);
  emit(l, assign(target, value, takeMeta(l)));
  l.values.set(target, { buffer: target, extents: target.type.shape });
}

function lowerCall(l: Lowering, call: Call, target: Var): void {
  const record = l.ops.byName(call.callee.name);
  invariant(record !== undefined, () => `the op ${call.callee.name} is not known`);
  if (record.writes === undefined) return lowerArrayCall(l, record, call, target);
  lowerWrite(l, call);
}

/** Each part that is taken from the tuple gets its buffer; the tuple itself vanishes. */
function lowerPartsCall(l: Lowering, call: Call, target: Var): void {
  const record = l.ops.byName(call.callee.name);
  invariant(record?.lowering.form === "parts" && call.type.kind === "TupleType", () => `${call.callee.name} makes no tuple`);
  const types = call.type.fields.filter((field) => field.kind === "Tensor");
  const made = record.lowering.lower(argsOf(record, call), lowerContext(l), types);
  const roots = l.handles.parts(target);
  for (const [i, { buffer, extents }] of made.entries()) {
    const root = roots[i];
    invariant(buffer.kind === "Var", () => `part ${i} of ${record.name} has no buffer`);
    if (root !== undefined) l.values.set(root, { buffer, extents: named(l, root, extents) });
  }
}

function lowerWrite(l: Lowering, call: Call): void {
  const record = l.ops.byName(call.callee.name);
  invariant(record?.lowering.form === "statements", () => `${call.callee.name} writes, but has no statements`);
  record.lowering.lower(argsOf(record, call), lowerContext(l), call.type);
}

function lowerEval(l: Lowering, { expr }: Eval): void {
  if (expr.kind === "Call" && l.ops.byName(expr.callee.name)?.writes !== undefined) return lowerWrite(l, lowerOperands(l, expr));
  if (expr.kind === "Prim" && primRow(expr.op).effect === "write") emit(l, evaluate(lowerScalar(l, expr), takeMeta(l)));
}

/** A nest written by hand: what it holds is lowered like any block. */
function lowerNest(l: Lowering, stmt: Nest): void {
  const meta = takeMeta(l);
  const extents = stmt.extents.map((e) => lowerScalar(l, e));
  const carries = stmt.carries.map((c) => remakeCarry(l, c));
  const inner = nestBlock(l, stmt.axes, extents, () => {
    lowerStatements(l, stmt.body);
    const last = stmt.body.stmts.at(-1);
    if (last?.kind === "Yield") emit(l, yieldValues(last.values.map((v) => lowerScalar(l, v)), last.meta));
  });
  emit(l, { ...nest(stmt.axes, extents, seq(inner.stmts, stmt.body.meta), meta), reduce: stmt.reduce, carries, results: stmt.results });
  for (const result of stmt.results) l.block.defined.add(result);
}

/** What a block yields or returns, as its last statement says. */
export function valuesOf(block: Seq): Yield["values"] | Return["values"] {
  const last = block.stmts.at(-1);
  return last?.kind === "Yield" || last?.kind === "Return" ? last.values : [];
}

/** Puts the arrays a function returns into the parameters that stand for them, and its scalars into rank-0 ones. */
export function lowerReturn(l: Lowering, values: readonly Expr[], outs: readonly (Var | undefined)[]): void {
  const copies: Copy[] = [];
  for (const [i, value] of values.entries()) {
    const out = outs[i];
    if (out === undefined) continue;
    const array = arrayVar(value);
    if (array !== undefined) noteAll(l, array);
    const from = array && l.values.get(l.handles.root(array));
    if (from !== undefined) copies.push({ from, to: out });
    else emit(l, evaluate(store(out, [], lowerScalar(l, value)), takeMeta(l)));
  }
  emitCopies(l, copies);
}

