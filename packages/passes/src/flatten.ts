// Calls do not nest: an array-valued operand of a call, a yield, a `return` or the start of a carry becomes an assignment of its
// own above the statement. Scalar expressions stay trees, element reads included, except where an op goes through the elements of
// arrays: what it reads of memory is read before it begins.

import {
  assign, bodyOf, boolConst, breakLoop, calleeNames, eachOperand, ifThen, isVarLike, iterArg, mapChildren, namesOf, prim, seq, substitute, variable, withStmts,
  type Expr, type FunctionNode, type IterArg, type Names, type Seq, type Stmt, type VarLike, type While,
} from "@tilefoundry/ir";
import type { Ops } from "@tilefoundry/ops";
import { hintOf } from "./graph-to-statements.ts";
import { spanOnly, withoutComments } from "./meta.ts";
import { eachFunction, type Pass } from "./pass.ts";
import { somePart, writtenOperand } from "./writes.ts";

export const flatten = {
  name: "flatten",
  from: "parsed",
  to: "parsed",
  doc: "Names array-valued operands, so that calls do not nest.",
  run: eachFunction((fn, { ops }) => flattenFunction(fn, ops)),
} as const satisfies Pass;

interface Flattening {
  readonly ops: Ops;
  readonly names: Names;
}

/** Where the statements go that a statement needs above it. */
interface Above {
  readonly state: Flattening;
  readonly stmts: Stmt[];
  /** Whether element reads are named too: a write comes after them within one statement. */
  readonly reads: boolean;
}

function flattenFunction(fn: FunctionNode, ops: Ops): FunctionNode {
  const body = bodyOf(fn);
  if (body === undefined) return fn;
  const flat = flattenBlock(body, { ops, names: namesOf(fn, calleeNames) }, []);
  return flat === body ? fn : { ...fn, body: flat };
}

/** `targets` are what the yield at the end of the block gives its values to. */
function flattenBlock(block: Seq, state: Flattening, targets: readonly VarLike[]): Seq {
  const stmts: Stmt[] = [];
  for (const stmt of block.stmts) {
    const above: Above = { state, stmts: [], reads: writesWithin(stmt, state.ops) };
    const flat = flattenStmt(stmt, above, targets);
    const [first, ...rest] = above.stmts;
    if (first === undefined) stmts.push(flat);
    else stmts.push(moveComments(first, stmt), ...rest, { ...flat, meta: withoutComments(flat.meta) });
  }
  return withStmts(block, stmts);
}

function flattenStmt(stmt: Stmt, above: Above, targets: readonly VarLike[]): Stmt {
  if ("carries" in stmt) return flattenLoop(stmt, above);
  let yielded = 0;
  return mapChildren(stmt, (child, role) => {
    if (child.kind === "Seq") return flattenBlock(child, above.state, stmt.kind === "If" || stmt.kind === "Scope" ? stmt.results : []);
    if (role !== "use" && role !== "uses") return child;
    const value = child as Expr; // the roles hold expressions
    if (stmt.kind === "Assign" || stmt.kind === "Eval") return flattenParts(value, above);
    return named(value, above, stmt.kind === "Yield" ? targets[yielded++]?.hint : undefined);
  });
}

function flattenLoop(loop: Loop, above: Above): Stmt {
  const restarted = withStarts(loop, loop.carries.map((carry) => named(carry.init, above, undefined)));
  if (restarted.kind === "While") return flattenWhile(restarted, above);
  return mapChildren(restarted, (child, role) => {
    if (child.kind === "Seq") return flattenBlock(child, above.state, restarted.carries);
    return role === "use" || role === "uses" ? flattenParts(child as Expr, above) : child; // the roles hold expressions
  });
}

/** What a condition needs is computed again before each iteration. */
function flattenWhile(loop: While, { state, reads }: Above): Stmt {
  const body = flattenBlock(loop.body, state, loop.carries);
  const above: Above = { state, stmts: [], reads };
  const cond = flattenParts(loop.cond, above);
  if (above.stmts.length === 0) return body === loop.body ? loop : { ...loop, body };
  const meta = spanOnly(loop.meta);
  const leave = ifThen(prim("not", [cond]), seq([breakLoop(meta)]), undefined, [], meta);
  return { ...loop, cond: boolConst(true), body: seq([...above.stmts, leave, ...body.stmts], body.meta) };
}

type Loop = Extract<Stmt, { readonly carries: readonly IterArg[] }>;

/** The loop with other starts of its carries, which makes them new carries. */
function withStarts<L extends Loop>(loop: L, starts: readonly Expr[]): L {
  if (loop.carries.every((carry, i) => carry.init === starts[i])) return loop;
  const carries = loop.carries.map((carry, i) => iterArg(carry.hint, carry.type, starts[i] ?? carry.init, carry.meta));
  const renamed = new Map(loop.carries.map((carry, i) => [carry, carries[i] ?? carry]));
  const body = substitute(loop.body, renamed);
  return loop.kind === "While" ? { ...loop, carries, body, cond: substitute(loop.cond, renamed) } : { ...loop, carries, body };
}

/** An operand: an array by variable, a scalar as a tree of such. */
function named(expr: Expr, above: Above, hint: string | undefined): Expr {
  const flat = flattenParts(expr, above);
  if (isVarLike(flat) || flat.kind === "Const" || flat.kind === "Tuple") return flat;
  const array = flat.type.kind === "Tensor" || flat.type.kind === "TupleType" || flat.kind === "FunctionCall";
  if (!array && !(above.reads && readsMemory(flat))) return flat;
  const meta = spanOnly(flat.meta);
  const target = variable(above.state.names.fresh(hint ?? hintOf(flat)), flat.type, meta);
  above.stmts.push(assign(target, flat, meta));
  return target;
}

function flattenParts(expr: Expr, above: Above): Expr {
  if (isVarLike(expr) || expr.kind === "Const") return expr;
  const inner = above.reads || !goesThroughElements(expr, above.state.ops) ? above : { ...above, reads: true };
  return mapChildren(expr, (child) => named(child as Expr, inner, undefined)); // children of expressions are expressions
}

/** Whether a call makes or fills an array from others, element by element. */
function goesThroughElements(expr: Expr, ops: Ops): boolean {
  if (expr.kind !== "Call" || expr.type.kind !== "Tensor") return false;
  const written = writtenOperand(expr, ops);
  return expr.args.some((arg) => arg.type.kind === "Tensor" && arg !== written);
}

const readsMemory = (e: Expr): boolean => e.kind === "Call" || e.kind === "FunctionCall" || (e.kind === "Prim" && e.op === "load");

/** Whether a call within another expression of the statement writes, so that reads before it must not move behind it. */
function writesWithin(stmt: Stmt, ops: Ops): boolean {
  let found = false;
  eachOperand(stmt, (operand) => {
    const root = stmt.kind === "Assign" || stmt.kind === "Eval" ? operand : undefined;
    found ||= somePart(operand, (part) => part !== root && (part.kind === "FunctionCall" || (part.kind === "Call" && writtenOperand(part, ops) !== undefined)));
  });
  return found;
}

function moveComments(first: Stmt, from: Stmt): Stmt {
  const { comments } = from.meta;
  return comments === undefined ? first : { ...first, meta: { ...first.meta, comments } };
}
