// Intervals of the integer values of a function in SSA: what emitters need to know to drop corrections and to choose widths.
// A result that could leave its dtype wraps, so its interval is then that of the dtype.

import {
  ANY_INTEGER, bodyOf, dimVar, dtypeInterval, eachStmt, isInteger, isStatic, isWithin, literalInterval, loopBounds, primInterval, rangeOf, toDim,
  type Bounds, type Dim, type DType, type Expr, type Facts, type For, type FunctionNode, type If, type Interval, type Prim, type PrimOp, type VarLike,
} from "@tilefoundry/ir";

export { isNonNegative, isWithin, point, type Interval } from "@tilefoundry/ir";

export interface Ranges {
  of(expr: Expr): Interval;
}

/** Intervals of the integer expressions of the function. */
export function rangesOf(fn: FunctionNode): Ranges {
  const table = new Table();
  for (const { var: symbol, lo, hi } of fn.symbols) table.define(symbol, { lo, hi: hi - 1 }, { lo, hi: hi - 1 });
  const body = bodyOf(fn);
  if (body !== undefined) {
    eachStmt(body, (stmt) => {
      if (stmt.kind === "Assign") table.assign(stmt.target, stmt.value);
      else if (stmt.kind === "For") table.loop(stmt);
      else if (stmt.kind === "If" && stmt.results.length > 0) table.join(stmt);
    });
  }
  return table;
}

/** What is known of a variable, if not at once then as far as it is asked for. */
interface Known {
  /** What gives the variable its values; undefined where all is known at once. */
  readonly from: Expr | For | undefined;
  interval: Interval | undefined;
  bounds: Bounds | undefined;
}

class Table implements Ranges, Facts {
  readonly #variables = new Map<VarLike, Known>();
  readonly #memo = new Map<Expr, Interval>();
  /** Expressions in which some step may wrap: their dims would say otherwise. */
  readonly #wrapping = new Set<Expr>();

  define(variable: VarLike, interval: Interval, bounds: Bounds): void {
    this.#variables.set(variable, { from: undefined, interval, bounds });
  }

  assign(variable: VarLike, value: Expr): void {
    if (isIntegerScalar(value)) this.#variables.set(variable, { from: value, interval: undefined, bounds: undefined });
  }

  loop(stmt: For): void {
    this.#variables.set(stmt.loopVar, { from: stmt, interval: undefined, bounds: undefined });
  }

  /** Results of an `if` lie where one of the yielded values does. */
  join(stmt: If): void {
    for (const [i, result] of stmt.results.entries()) {
      if (!isIntegerScalar(result)) continue;
      const known = [stmt.then, stmt.else].map((block) => this.#beforeIf(yielded(block, i)) ?? dtypeInterval(result.type.dtype));
      this.define(result, { lo: Math.min(...known.map((k) => k.lo)), hi: Math.max(...known.map((k) => k.hi)) }, UNBOUND);
    }
  }

  /** What a branch defines is not known yet: the walk meets the `if` first. */
  #beforeIf(v: Expr | undefined): Interval | undefined {
    return v?.kind === "Const" || (v?.kind === "Var" && this.#variables.has(v)) ? this.of(v) : undefined;
  }

  of(expr: Expr): Interval {
    if (!isIntegerScalar(expr)) return ANY_INTEGER;
    switch (expr.kind) {
      case "Const": return typeof expr.value === "bigint" ? literalInterval(expr.value) : dtypeInterval(expr.type.dtype);
      case "Var":
      case "IterArg": return this.#ofVariable(expr) ?? dtypeInterval(expr.type.dtype);
      case "Prim": return this.#memo.get(expr) ?? this.#ofPrim(expr, dtypeInterval(expr.type.dtype));
      default: return dtypeInterval(expr.type.dtype);
    }
  }

  #ofVariable(v: VarLike): Interval | undefined {
    const known = this.#variables.get(v);
    if (known === undefined || known.interval !== undefined || known.from === undefined) return known?.interval;
    return (known.interval = known.from.kind === "For" ? this.#ofLoop(known.from) : this.of(known.from));
  }

  #ofLoop({ start, stop, step, loopVar }: For): Interval {
    const first = this.of(start);
    const end = this.of(stop);
    const by = toDim(step);
    if (by === undefined || !isStatic(by) || by === 0) return { lo: Math.min(first.lo, end.lo), hi: Math.max(first.hi, end.hi) };
    const lo = by > 0 ? first.lo : Math.min(first.hi, end.lo + 1);
    const hi = by > 0 ? Math.max(first.lo, end.hi - 1) : first.hi;
    return this.#proved(loopVar, { lo, hi });
  }

  boundsOf(variable: VarLike): Bounds | undefined {
    const known = this.#variables.get(variable);
    if (known === undefined || known.bounds !== undefined || known.from === undefined) return known?.bounds;
    return (known.bounds = known.from.kind === "For" ? this.#loopBounds(known.from) : this.#valueBounds(known.from));
  }

  #loopBounds({ start, stop, step }: For): Bounds {
    const by = toDim(step);
    return by === undefined || !isStatic(by) || by === 0 ? UNBOUND : loopBounds(this.#dimOf(start), this.#dimOf(stop), by);
  }

  #valueBounds(value: Expr): Bounds {
    const dim = this.#dimOf(value);
    return { lo: dim, hi: dim };
  }

  #ofPrim(p: Prim, whole: Interval): Interval {
    const found = primInterval(p, (a) => this.of(a), whole);
    if (found === undefined || p.args.some((a) => this.#wrapping.has(a))) this.#wrapping.add(p);
    const known = found !== undefined && isWithin(found, whole) ? found : whole;
    const interval = PROVABLE.has(p.op) ? this.#proved(p, known) : known;
    this.#memo.set(p, interval);
    return interval;
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

const UNBOUND: Bounds = { lo: undefined, hi: undefined };

const NATURAL_INT32: Interval = { lo: 0, hi: 2 ** 31 - 1 };

const PROVABLE: ReadonlySet<PrimOp> = new Set<PrimOp>(["add", "sub", "min", "max"]);

function yielded(block: If["else"], i: number): Expr | undefined {
  const last = block?.stmts.at(-1);
  return last?.kind === "Yield" ? last.values[i] : undefined;
}

function isIntegerScalar(e: Expr): e is Expr & { readonly type: { readonly kind: "Scalar"; readonly dtype: DType } } {
  return e.type.kind === "Scalar" && isInteger(e.type.dtype);
}
