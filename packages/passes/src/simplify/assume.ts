// What a condition tells about the block behind it: truth values of variables, and where integers lie.

import { boolConst, isVarLike, type Expr, type Interval, type Prim, type VarLike } from "@tilefoundry/ir";
import { intervalOf, type Known } from "./known.ts";

type Undo = () => void;

/** Notes that a condition is true, or false; gives how to forget it. */
export function assume(cond: Expr, truth: boolean, known: Known): Undo {
  const undo: Undo[] = [];
  note(cond, truth, known, undo);
  return () => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) step();
  };
}

function note(cond: Expr, truth: boolean, known: Known, undo: Undo[]): void {
  if (isVarLike(cond)) return put(known.values, cond, boolConst(truth), undo);
  if (cond.kind !== "Prim") return;
  const [a, b] = cond.args;
  if (a === undefined) return;
  if (cond.op === "not") return note(a, !truth, known, undo);
  if (b === undefined) return;
  if (cond.op === (truth ? "and" : "or")) {
    note(a, truth, known, undo);
    note(b, truth, known, undo);
  } else compare(truth ? cond.op : OPPOSITE[cond.op as keyof typeof OPPOSITE], a, b, known, undo);
}

function put<V>(map: Map<VarLike, V>, v: VarLike, value: V, undo: Undo[]): void {
  const before = map.get(v);
  map.set(v, value);
  undo.push(() => (before === undefined ? map.delete(v) : map.set(v, before)));
}

const OPPOSITE = { lt: "ge", le: "gt", gt: "le", ge: "lt", eq: "ne", ne: "eq" } as const;

function compare(op: Prim["op"] | undefined, a: Expr, b: Expr, known: Known, undo: Undo[]): void {
  const x = intervalOf(a, known);
  const y = intervalOf(b, known);
  switch (op) {
    case "lt": return between(a, { lo: -Infinity, hi: y.hi - 1 }, b, { lo: x.lo + 1, hi: Infinity }, known, undo);
    case "le": return between(a, { lo: -Infinity, hi: y.hi }, b, { lo: x.lo, hi: Infinity }, known, undo);
    case "gt": return compare("lt", b, a, known, undo);
    case "ge": return compare("le", b, a, known, undo);
    case "eq": return between(a, y, b, x, known, undo);
  }
}

function between(a: Expr, left: Interval, b: Expr, right: Interval, known: Known, undo: Undo[]): void {
  narrow(a, left, known, undo);
  narrow(b, right, known, undo);
}

function narrow(e: Expr, { lo, hi }: Interval, known: Known, undo: Undo[]): void {
  if (!isVarLike(e)) return;
  const before = intervalOf(e, known);
  const narrowed = { lo: Math.max(before.lo, lo), hi: Math.min(before.hi, hi) };
  if (narrowed.lo > narrowed.hi || (narrowed.lo === before.lo && narrowed.hi === before.hi)) return; // a block that never runs tells nothing
  put(known.intervals, e, narrowed, undo);
}
