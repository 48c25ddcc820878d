// Index arithmetic as the passes from `lower-ops` on write it: canonical where it is affine, without additions of zero, and with a
// key by which equal expressions are found.

import {
  add, dimsEqual, indexConst, isVarLike, mul, sub, toDim,
  type Const, type Expr, type PrimAttrs, type VarLike,
} from "@tilefoundry/ir";

export const isIndexConst = (e: Expr, value: number): boolean => literal(e) === value;

/** The value of an integer literal. */
export function literal(e: Expr): number | undefined {
  return e.kind === "Const" && typeof e.value === "bigint" ? Number(e.value) : undefined;
}

/** `a + b`; literals are added up, and nothing is added to zero. */
export function plus(a: Expr, b: Expr): Expr {
  const x = literal(a);
  const y = literal(b);
  if (x !== undefined && y !== undefined) return indexConst(x + y);
  if (x === 0) return b;
  if (y === 0) return a;
  if (y !== undefined && a.kind === "Prim" && (a.op === "add" || a.op === "sub")) {
    const [left, right] = a.args;
    const inner = right && literal(right);
    if (left !== undefined && inner !== undefined) return offsetBy(left, a.op === "add" ? inner + y : y - inner);
  }
  return y !== undefined && y < 0 ? sub(a, indexConst(-y)) : add(a, b);
}

const offsetBy = (a: Expr, by: number): Expr => (by === 0 ? a : by < 0 ? sub(a, indexConst(-by)) : add(a, indexConst(by)));

export function times(a: Expr, b: Expr): Expr {
  const x = literal(a);
  const y = literal(b);
  if (x !== undefined && y !== undefined) return indexConst(x * y);
  if (x === 1) return b;
  return y === 1 ? a : mul(a, b);
}

/** Whether two index expressions surely denote one number. */
export function sameIndex(a: Expr, b: Expr): boolean {
  if (a === b) return true;
  if (a.kind !== "Prim" && b.kind !== "Prim") return a.kind === "Const" && b.kind === "Const" && a.value === b.value;
  const x = toDim(a);
  const y = toDim(b);
  if (x !== undefined && y !== undefined) return dimsEqual(x, y);
  return x === undefined && y === undefined && sameExpr(a, b);
}

/** Whether two expressions are built alike over the same variables. */
export function sameExpr(a: Expr, b: Expr): boolean {
  if (a === b) return true;
  if (a.kind === "Const") return b.kind === "Const" && a.type === b.type && Object.is(a.value, b.value);
  if (a.kind !== "Prim" || b.kind !== "Prim" || a.op !== b.op || a.args.length !== b.args.length) return false;
  return sameAttrs(a.attrs, b.attrs) && a.args.every((arg, i) => sameExpr(arg, b.args[i] as Expr)); // as many
}

const sameAttrs = (a: PrimAttrs, b: PrimAttrs): boolean =>
  a === b ||
  (a.dtype === b.dtype && a.mode === b.mode && a.lanes === b.lanes && a.index === b.index &&
    a.kind === b.kind && a.masked === b.masked && a.type === b.type && a.offset === b.offset);

/** Texts that are equal for structurally equal expressions over the same variables. */
export interface Keys {
  of(e: Expr): string;
}

export function makeKeys(): Keys {
  const numbers = new Map<VarLike, number>();
  const numberOf = (v: VarLike): number => {
    const known = numbers.get(v);
    if (known !== undefined) return known;
    numbers.set(v, numbers.size);
    return numbers.size - 1;
  };
  const of = (e: Expr): string => {
    if (isVarLike(e)) return `v${numberOf(e)}`;
    switch (e.kind) {
      case "Const": return constKey(e);
      case "Prim": return `${e.op}${attrsKey(e.attrs)}(${e.args.map(of).join()})`;
      case "Tuple": return `(${e.elements.map(of).join()})`;
      case "TupleGet": return `${of(e.tuple)}[${e.index}]`;
      case "FunctionCall": return `${e.callee.symbol}(${e.args.map(of).join()})`;
      case "Call": return `${e.callee.name}${attrsKey(e.callee.attrs)}(${e.args.map(of).join()})`;
    }
  };
  return { of };
}

function constKey({ type, value }: Const): string {
  const text = Object.is(value, -0) ? "-0" : String(value);
  return type.kind === "Vec" ? `${text}:${type.dtype}x${type.lanes}` : `${text}:${type.kind === "Scalar" ? type.dtype : type.kind}`;
}

/** Attributes with dims hold variables; those of such nodes are told apart by the node's type, so a shape's text is left out. */
function attrsKey(attrs: object): string {
  const entries = Object.entries(attrs);
  return entries.length === 0 ? "" : JSON.stringify(entries, (_, v: unknown) => (typeof v === "bigint" ? String(v) : isVariable(v) ? v.hint : v));
}

const isVariable = (v: unknown): v is VarLike => typeof v === "object" && v !== null && "kind" in v && (v.kind === "Var" || v.kind === "IterArg");
