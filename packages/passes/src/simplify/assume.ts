// What a condition tells about the block behind it: truth values of variables, and where integers lie.

import { boolConst, isVarLike, type Expr, type Interval, type Prim, type VarLike } from "@tilefoundry/ir";

/** Where assumptions go; each gives back what it replaced, so that it can be taken back behind the block. */
export interface Assumptions {
  value(v: VarLike, truth: Expr | undefined): Expr | undefined;
  interval(v: VarLike, interval: Interval | undefined): Interval | undefined;
  intervalOf(e: Expr): Interval;
}

type Undo = () => void;

/** Notes that a condition is true, or false; gives how to forget it. */
export function assume(cond: Expr, truth: boolean, to: Assumptions): Undo {
  const undo: Undo[] = [];
  note(cond, truth, to, undo);
  return () => undo.toReversed().forEach((step) => step());
}

function note(cond: Expr, truth: boolean, to: Assumptions, undo: Undo[]): void {
  if (isVarLike(cond)) {
    const before = to.value(cond, boolConst(truth));
    return void undo.push(() => to.value(cond, before));
  }
  if (cond.kind !== "Prim") return;
  const [a, b] = cond.args;
  if (a === undefined) return;
  if (cond.op === "not") return note(a, !truth, to, undo);
  if (b === undefined) return;
  if (cond.op === (truth ? "and" : "or")) {
    note(a, truth, to, undo);
    note(b, truth, to, undo);
  } else compare(truth ? cond.op : OPPOSITE[cond.op as keyof typeof OPPOSITE], a, b, to, undo);
}

const OPPOSITE = { lt: "ge", le: "gt", gt: "le", ge: "lt", eq: "ne", ne: "eq" } as const;

function compare(op: Prim["op"] | undefined, a: Expr, b: Expr, to: Assumptions, undo: Undo[]): void {
  const [x, y] = [to.intervalOf(a), to.intervalOf(b)];
  switch (op) {
    case "lt": return between(a, { lo: -Infinity, hi: y.hi - 1 }, b, { lo: x.lo + 1, hi: Infinity }, to, undo);
    case "le": return between(a, { lo: -Infinity, hi: y.hi }, b, { lo: x.lo, hi: Infinity }, to, undo);
    case "gt": return compare("lt", b, a, to, undo);
    case "ge": return compare("le", b, a, to, undo);
    case "eq": return between(a, y, b, x, to, undo);
  }
}

function between(a: Expr, left: Interval, b: Expr, right: Interval, to: Assumptions, undo: Undo[]): void {
  for (const [e, { lo, hi }] of [[a, left], [b, right]] as const) {
    if (!isVarLike(e)) continue;
    const known = to.intervalOf(e);
    const narrowed = { lo: Math.max(known.lo, lo), hi: Math.min(known.hi, hi) };
    if (narrowed.lo > narrowed.hi || (narrowed.lo === known.lo && narrowed.hi === known.hi)) continue; // a block that never runs tells nothing
    const before = to.interval(e, narrowed);
    undo.push(() => to.interval(e, before));
  }
}
