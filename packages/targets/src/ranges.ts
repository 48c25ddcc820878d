// Intervals of the integer values of a function in SSA: what emitters need to know to drop corrections and to choose widths.
// A result that could leave its dtype wraps, so its interval is then that of the dtype.

import {
  bodyOf, DTYPES, dimVar, eachStmt, isInteger, isSigned, isStatic, loopBounds, rangeOf, toDim,
  type Bounds, type DType, type Expr, type Facts, type For, type FunctionNode, type If, type Prim, type PrimOp, type VarLike,
} from "@tilefoundry/ir";

/** Inclusive. Beyond ±2^53 the ends are infinite: numbers would no longer be exact there. */
export interface Interval {
  readonly lo: number;
  readonly hi: number;
}

export interface Ranges {
  of(expr: Expr): Interval;
}

const UNKNOWN: Interval = { lo: -Infinity, hi: Infinity };

export const isNonNegative = ({ lo }: Interval): boolean => lo >= 0;
export const isWithin = (inner: Interval, outer: Interval): boolean => inner.lo >= outer.lo && inner.hi <= outer.hi;
export const point = (value: number): Interval => ({ lo: value, hi: value });

/** Intervals of every integer expression of the function. */
export function rangesOf(fn: FunctionNode): Ranges {
  const table = new Table();
  for (const { var: symbol, lo, hi } of fn.symbols) table.define(symbol, { lo, hi: hi - 1 }, { lo, hi: hi - 1 });
  const body = bodyOf(fn);
  if (body !== undefined) {
    eachStmt(body, (stmt) => {
      if (stmt.kind === "Assign") table.assign(stmt.target, stmt.value);
      else if (stmt.kind === "For") table.loop(stmt);
      else if (stmt.kind === "If") table.join(stmt);
    });
  }
  return table;
}

class Table implements Ranges, Facts {
  readonly #bounds = new Map<VarLike, Bounds>();
  readonly #intervals = new Map<VarLike, Interval>();
  readonly #memo = new Map<Expr, Interval>();

  boundsOf(variable: VarLike): Bounds | undefined {
    return this.#bounds.get(variable);
  }

  define(variable: VarLike, interval: Interval, bounds: Bounds): void {
    this.#intervals.set(variable, interval);
    this.#bounds.set(variable, bounds);
  }

  assign(variable: VarLike, value: Expr): void {
    if (!isIntegerScalar(value)) return;
    const dim = toDim(value);
    this.#intervals.set(variable, this.of(value));
    if (dim !== undefined) this.#bounds.set(variable, { lo: dim, hi: dim });
  }

  loop(stmt: For): void {
    const start = this.of(stmt.start);
    const stop = this.of(stmt.stop);
    const step = toDim(stmt.step);
    if (step === undefined || !isStatic(step) || step === 0) {
      return this.define(stmt.loopVar, { lo: Math.min(start.lo, stop.lo), hi: Math.max(start.hi, stop.hi) }, { lo: undefined, hi: undefined });
    }
    const bounds = loopBounds(toDim(stmt.start), toDim(stmt.stop), step);
    const interval = step > 0 ? { lo: start.lo, hi: Math.max(start.lo, stop.hi - 1) } : { lo: Math.min(start.hi, stop.lo + 1), hi: start.hi };
    this.define(stmt.loopVar, interval, bounds);
    this.#intervals.set(stmt.loopVar, this.#proved(stmt.loopVar, interval));
  }

  /** Results of an `if` lie where one of the yielded values does. */
  join(stmt: If): void {
    for (const [i, result] of stmt.results.entries()) {
      const values = [stmt.then, stmt.else].map((block) => yielded(block, i));
      if (!isIntegerScalar(result)) continue;
      // what a branch defines is not known yet: the walk meets the `if` first
      const known = values.map((v) => (v?.kind === "Const" || (v?.kind === "Var" && this.#intervals.has(v)) ? this.of(v) : dtypeInterval(result.type.dtype)));
      this.#intervals.set(result, { lo: Math.min(...known.map((k) => k.lo)), hi: Math.max(...known.map((k) => k.hi)) });
    }
  }

  of(expr: Expr): Interval {
    if (!isIntegerScalar(expr)) return UNKNOWN;
    const known = this.#memo.get(expr);
    if (known !== undefined) return known;
    const found = this.#compute(expr, dtypeInterval(expr.type.dtype));
    if (expr.kind === "Prim") this.#memo.set(expr, found);
    return found;
  }

  #compute(expr: Expr, whole: Interval): Interval {
    if (expr.kind === "Const") return typeof expr.value === "bigint" ? constant(expr.value) : whole;
    if (expr.kind === "Var" || expr.kind === "IterArg") return this.#intervals.get(expr) ?? whole;
    if (expr.kind !== "Prim") return whole;
    const found = interval(expr, expr.args.map((a) => this.of(a)), whole);
    const mathematical = found !== undefined && isWithin(found, whole) ? found : whole;
    return PROVABLE.has(expr.op) ? this.#proved(expr, mathematical) : mathematical;
  }

  /** The interval, narrowed by what the affine form proves (`M - r` is positive where `r < M`). */
  #proved(expr: Expr, known: Interval): Interval {
    const dim = expr.kind === "Var" ? dimVar(expr) : toDim(expr);
    if (dim === undefined || isStatic(dim)) return known;
    const { lo, hi } = rangeOf(this, dim);
    return { lo: Math.max(known.lo, lo ?? -Infinity), hi: Math.min(known.hi, hi ?? Infinity) };
  }
}

const PROVABLE: ReadonlySet<PrimOp> = new Set<PrimOp>(["add", "sub", "min", "max"]);

function yielded(block: If["else"], i: number): Expr | undefined {
  const last = block?.stmts.at(-1);
  return last?.kind === "Yield" ? last.values[i] : undefined;
}

function isIntegerScalar(e: Expr): e is Expr & { readonly type: { readonly kind: "Scalar"; readonly dtype: DType } } {
  return e.type.kind === "Scalar" && isInteger(e.type.dtype);
}

function dtypeInterval(d: DType): Interval {
  const { bits } = DTYPES[d];
  if (bits > 53) return UNKNOWN;
  return isSigned(d) ? { lo: -(2 ** (bits - 1)), hi: 2 ** (bits - 1) - 1 } : { lo: 0, hi: 2 ** bits - 1 };
}

function constant(value: bigint): Interval {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return point(number);
  return value > 0n ? { lo: Number.MAX_SAFE_INTEGER, hi: Infinity } : { lo: -Infinity, hi: Number.MIN_SAFE_INTEGER };
}

/** Interval of the mathematical result, or undefined where nothing is known. */
function interval({ op, args }: Prim, [a = UNKNOWN, b = UNKNOWN, c = UNKNOWN]: readonly Interval[], whole: Interval): Interval | undefined {
  switch (op) {
    case "add": return safe(a.lo + b.lo, a.hi + b.hi);
    case "sub": return safe(a.lo - b.hi, a.hi - b.lo);
    case "mul": return product(a, b);
    case "neg": return safe(-a.hi, -a.lo);
    case "abs": return safe(Math.max(0, a.lo, -a.hi), Math.max(Math.abs(a.lo), Math.abs(a.hi)));
    case "min": return { lo: Math.min(a.lo, b.lo), hi: Math.min(a.hi, b.hi) };
    case "max": return { lo: Math.max(a.lo, b.lo), hi: Math.max(a.hi, b.hi) };
    case "floordiv": return quotient(a, b);
    case "mod": return remainder(a, b);
    case "bitand": return a.lo < 0 && b.lo < 0 ? undefined : { lo: 0, hi: Math.min(a.lo < 0 ? Infinity : a.hi, b.lo < 0 ? Infinity : b.hi) };
    case "shr": return a.lo >= 0 ? { lo: 0, hi: a.hi } : undefined;
    case "select": return { lo: Math.min(b.lo, c.lo), hi: Math.max(b.hi, c.hi) };
    case "cast": return castInterval(args[0], a, whole);
    default: return undefined;
  }
}

function castInterval(x: Expr | undefined, a: Interval, whole: Interval): Interval | undefined {
  if (x?.type.kind !== "Scalar") return undefined;
  if (x.type.dtype === "bool") return { lo: 0, hi: 1 };
  return isInteger(x.type.dtype) && isWithin(a, whole) ? a : undefined;
}

/** Beyond the safe integers an end is not exact, hence infinite. */
function safe(lo: number, hi: number): Interval {
  return {
    lo: Number.isNaN(lo) || lo < Number.MIN_SAFE_INTEGER ? -Infinity : lo,
    hi: Number.isNaN(hi) || hi > Number.MAX_SAFE_INTEGER ? Infinity : hi,
  };
}

function product(a: Interval, b: Interval): Interval {
  const corners = [times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)];
  return safe(Math.min(...corners), Math.max(...corners));
}

/** 0 times an infinite end is 0. */
const times = (x: number, y: number): number => (x === 0 || y === 0 ? 0 : x * y);

/** Floor division by what is not negative; by zero gives 0. */
function quotient(a: Interval, b: Interval): Interval | undefined {
  if (b.lo < 0) return undefined;
  const least = Math.max(b.lo, 1);
  const lo = a.lo >= 0 ? (b.lo === 0 || b.hi === Infinity ? 0 : Math.floor(a.lo / b.hi)) : Math.floor(a.lo / least);
  return { lo: b.lo === 0 ? Math.min(0, lo) : lo, hi: a.hi >= 0 ? Math.floor(a.hi / least) : 0 };
}

/** Sign of the divisor; by zero gives the dividend. */
function remainder(a: Interval, b: Interval): Interval | undefined {
  if (b.lo < 0) return undefined;
  const byPositive = { lo: 0, hi: a.lo >= 0 ? Math.min(a.hi, b.hi - 1) : b.hi - 1 };
  return b.lo > 0 ? byPositive : { lo: Math.min(0, a.lo), hi: Math.max(byPositive.hi, a.hi) };
}
