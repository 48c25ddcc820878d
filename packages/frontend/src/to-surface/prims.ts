// Primitives: an operator where the row of PRIMS names one, else `T.name(…)`. A tree of nothing but literals is written with
// calls all through (`T.add(1, 2)`), since the frontend would fold the operators.

import { make, type BinaryOp, type CompareOp, type SExpr } from "@tilefoundry/grammar";
import { primRow, type Expr, type Prim, type PrimOp } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { dimExpr } from "./types.ts";
import { isTileSpace } from "../tile-spaces.ts";
import type { Printing } from "./spelling.ts";

export function primExpr(e: Prim, p: Printing): SExpr {
  const operator = primRow(e.op).operator;
  if (operator === undefined || isLiteralTree(e)) return spellCall(e, p);
  return e.args.length === 1 ? unaryExpr(operator, e, p) : chainExpr(e, p);
}

// — operators —

function unaryExpr(operator: string, { args }: Prim, p: Printing): SExpr {
  const [operand] = args;
  invariant(operand !== undefined && isUnary(operator), () => `the unary operator ${operator}`);
  return make.unary(operator, p.expr(operand));
}

/** A chain of binary operators, from its innermost left operand outwards: it may be thousands of operands long. */
function chainExpr(e: Prim, p: Printing): SExpr {
  const spine: Prim[] = [];
  let left: Expr = e;
  while (left.kind === "Prim" && isBinaryOperator(left.op) && (left === e || !p.named.has(left))) {
    spine.push(left);
    left = left.args[0] ?? left;
  }
  // Operators begin above the part of the spine that is all literals.
  let firstOperator = spine.length - 1;
  while (firstOperator > 0 && isLiteralTree(spine[firstOperator] ?? e)) firstOperator--;
  const base = spine[firstOperator]?.args[0] ?? left;
  return spine.slice(0, firstOperator + 1).reduceRight<SExpr>((tree, { op, args }) => {
    const right = args[1];
    invariant(right !== undefined, () => `${op} with one operand`);
    return binaryExpr(primRow(op).operator ?? "", tree, p.expr(right));
  }, p.expr(base));
}

const isBinaryOperator = (op: PrimOp): boolean => primRow(op).operator !== undefined && primRow(op).operands.length === 2;

const COMPARISONS: ReadonlySet<string> = new Set<CompareOp>(["==", "!=", "<", "<=", ">", ">="]);
const UNARIES: ReadonlySet<string> = new Set(["-", "~", "not"]);

const isComparison = (operator: string): operator is CompareOp => COMPARISONS.has(operator);
const isUnary = (operator: string): operator is "-" | "~" | "not" => UNARIES.has(operator);

function binaryExpr(operator: string, left: SExpr, right: SExpr): SExpr {
  if (operator === "and" || operator === "or") return make.boolOp(operator, left, right);
  if (isComparison(operator)) return make.compare(operator, left, right);
  return make.binary(operator as BinaryOp, left, right); // the other operators of PRIMS are Python's binary ones
}

const literalTrees = new WeakMap<Prim, boolean>();

/** Whether all leaves are literals, so that reading the operators would fold them. */
function isLiteralTree(e: Expr): boolean {
  if (e.kind === "Const") return true;
  if (e.kind !== "Prim" || e.args.length === 0) return false;
  const open: Prim[] = [];
  for (let at: Expr | undefined = e; at?.kind === "Prim" && !literalTrees.has(at); at = at.args[0]) open.push(at);
  for (const at of open.reverse()) literalTrees.set(at, at.args.length > 0 && at.args.every(isLiteralTree));
  return literalTrees.get(e) ?? false;
}

// — calls —

/** `T.name(…)`; names that are keywords of Python end in `_`. */
function spellCall(e: Prim, p: Printing): SExpr {
  const special = SPECIAL[e.op];
  return special === undefined ? tCall(e.op, e.args.map(p.expr)) : special(e, p);
}

const KEYWORDS: ReadonlySet<string> = new Set(["and", "or", "not"]);

/** The name after `T.` of a primitive. */
export const primName = (op: PrimOp): string => (KEYWORDS.has(op) ? `${op}_` : op);

const tCall = (op: PrimOp, args: readonly SExpr[], keywords: Parameters<typeof make.call>[2] = []): SExpr =>
  make.call(make.dotted(`T.${primName(op)}`), args, keywords);

type Spell = (e: Prim, p: Printing) => SExpr;

/** Primitives with attributes, and those whose operands are not simply in a row. */
export const SPECIAL: { readonly [Op in PrimOp]?: Spell } = {
  cast: (e, p) => tCall("cast", [...e.args.map(p.expr), make.text(e.attrs.dtype ?? "")], castMode(e)),
  bitcast: (e, p) => tCall("bitcast", [...e.args.map(p.expr), make.text(e.attrs.dtype ?? "")]),
  splat: (e, p) => tCall("splat", e.args.map(p.expr), lanes(e)),
  lane: (e, p) => tCall("lane", [...e.args.map(p.expr), make.integer(e.attrs.index ?? 0)]),
  reduce: (e, p) => tCall("reduce", [make.text(e.attrs.kind ?? ""), ...e.args.map(p.expr)]),
  alloc_tensor: allocExpr,
  load: loadExpr,
  store: storeExpr,
  barrier: (e) => tCall("barrier", [make.text(e.attrs.level ?? "")]),
};

const castMode = ({ attrs: { mode } }: Prim) => (mode === undefined || mode === "trunc" ? [] : [make.keyword("mode", make.text(mode))]);

const lanes = ({ attrs }: Prim) => (attrs.lanes === undefined || attrs.lanes === 1 ? [] : [make.keyword("lanes", make.integer(attrs.lanes))]);

function allocExpr({ attrs: { type, offset } }: Prim, p: Printing): SExpr {
  invariant(type !== undefined, () => "alloc_tensor without a type");
  const shape = make.tupleOf(type.shape.map((d) => dimExpr(d, p)));
  const isTile = type.domain === "tile";
  const keywords = [
    ...(isTile === isTileSpace(type.storage) ? [] : [make.keyword("tile", make.truth(isTile))]),
    ...(offset === undefined ? [] : [make.keyword("offset", dimExpr(offset, p))]),
  ];
  return tCall("alloc_tensor", [shape, make.text(type.dtype), make.text(type.storage)], keywords);
}

function loadExpr(e: Prim, p: Printing): SExpr {
  const { buffer, indices, mask } = memoryOperands(e, 0, p);
  return tCall("load", [buffer, indices], [...lanes(e), ...mask]);
}

function storeExpr(e: Prim, p: Printing): SExpr {
  const { buffer, indices, values, mask } = memoryOperands(e, 1, p);
  return tCall("store", [buffer, indices, ...values], mask);
}

/** Operands of an access: buffer, one index an axis, the values, and the mask if it is masked. */
function memoryOperands(e: Prim, valueCount: number, p: Printing) {
  const [buffer, ...rest] = e.args.map(p.expr);
  invariant(buffer !== undefined, () => `${e.op} without a buffer`);
  const end = rest.length - (e.attrs.masked ? 1 : 0);
  const mask = rest.slice(end).map((m) => make.keyword("mask", m));
  return { buffer, indices: make.tupleOf(rest.slice(0, end - valueCount)), values: rest.slice(end - valueCount, end), mask };
}
