// Intervals of the integer values of a function in SSA: what emitters need to know to drop corrections and to choose widths.
// A result that could leave its dtype wraps, so its interval is then that of the dtype.

import {
  ANY_INTEGER, bodyOf, dimVar, dtypeInterval, eachStmt, isInteger, isStatic, isWithin, literalInterval, loopBounds, primInterval, rangeOf, toDim,
  type Bounds, type Dim, type DType, type Expr, type Facts, type For, type FunctionNode, type If, type Interval, type PrimOp, type VarLike,
} from "@tilefoundry/ir";

export { isNonNegative, isWithin, point, type Interval } from "@tilefoundry/ir";

export interface Ranges {
  of(expr: Expr): Interval;
}

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
  /** Expressions in which some step may wrap: their dims would say otherwise. */
  readonly #wrapping = new Set<Expr>();

  boundsOf(variable: VarLike): Bounds | undefined {
    return this.#bounds.get(variable);
  }

  define(variable: VarLike, interval: Interval, bounds: Bounds): void {
    this.#intervals.set(variable, interval);
    this.#bounds.set(variable, bounds);
  }

  assign(variable: VarLike, value: Expr): void {
    if (!isIntegerScalar(value)) return;
    this.#intervals.set(variable, this.of(value));
    const dim = this.#dimOf(value);
    if (dim !== undefined) this.#bounds.set(variable, { lo: dim, hi: dim });
  }

  loop(stmt: For): void {
    const start = this.of(stmt.start);
    const stop = this.of(stmt.stop);
    const step = toDim(stmt.step);
    if (step === undefined || !isStatic(step) || step === 0) {
      return this.define(stmt.loopVar, { lo: Math.min(start.lo, stop.lo), hi: Math.max(start.hi, stop.hi) }, { lo: undefined, hi: undefined });
    }
    const bounds = loopBounds(this.#dimOf(stmt.start), this.#dimOf(stmt.stop), step);
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
    if (!isIntegerScalar(expr)) return ANY_INTEGER;
    const known = this.#memo.get(expr);
    if (known !== undefined) return known;
    const found = this.#compute(expr, dtypeInterval(expr.type.dtype));
    if (expr.kind === "Prim") this.#memo.set(expr, found);
    return found;
  }

  #compute(expr: Expr, whole: Interval): Interval {
    if (expr.kind === "Const") return typeof expr.value === "bigint" ? literalInterval(expr.value) : whole;
    if (expr.kind === "Var" || expr.kind === "IterArg") return this.#intervals.get(expr) ?? whole;
    if (expr.kind !== "Prim") return whole;
    const found = primInterval(expr, expr.args.map((a) => this.of(a)), whole);
    if (found === undefined || expr.args.some((a) => this.#wrapping.has(a))) this.#wrapping.add(expr);
    const known = found !== undefined && isWithin(found, whole) ? found : whole;
    return PROVABLE.has(expr.op) ? this.#proved(expr, known) : known;
  }

  /** The dim that an expression is; undefined where it may wrap. */
  #dimOf(expr: Expr): Dim | undefined {
    this.of(expr);
    return this.#wrapping.has(expr) ? undefined : toDim(expr);
  }

  /** The interval, narrowed by what the affine form proves (`M - r` is positive where `r < M`). */
  #proved(expr: Expr, known: Interval): Interval {
    if (isWithin(known, NATURAL_INT32)) return known; // all that emitters ask for
    const dim = expr.kind === "Var" ? dimVar(expr) : this.#wrapping.has(expr) ? undefined : toDim(expr);
    if (dim === undefined || isStatic(dim)) return known;
    const { lo, hi } = rangeOf(this, dim);
    return { lo: Math.max(known.lo, lo ?? -Infinity), hi: Math.min(known.hi, hi ?? Infinity) };
  }
}

const NATURAL_INT32: Interval = { lo: 0, hi: 2 ** 31 - 1 };

const PROVABLE: ReadonlySet<PrimOp> = new Set<PrimOp>(["add", "sub", "min", "max"]);

function yielded(block: If["else"], i: number): Expr | undefined {
  const last = block?.stmts.at(-1);
  return last?.kind === "Yield" ? last.values[i] : undefined;
}

function isIntegerScalar(e: Expr): e is Expr & { readonly type: { readonly kind: "Scalar"; readonly dtype: DType } } {
  return e.type.kind === "Scalar" && isInteger(e.type.dtype);
}
