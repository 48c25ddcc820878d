// The only bridges between dims and expressions: `toDim` reads the affine part of an index expression, `toExpr` writes the one
// canonical spelling of a dim.

import { indexConst, prim } from "./build.ts";
import { addDims, dimVar, floorDivDim, isStatic, maxDim, minDim, modDim, mulDims, scaleDim, subDims } from "./dims.ts";
import type { Dim, DimLeaf, Expr } from "./nodes.ts";
import type { PrimOp } from "./prim-names.ts";

/**
 * Largest magnitude of a number in the dim of an expression. No array is nearly as large, and up to here sums and products of index
 * arithmetic neither lose digits nor wrap around.
 */
const LIMIT = 2 ** 45;

const isSmall = (n: number): boolean => n >= -LIMIT && n <= LIMIT;

const small = (d: Dim | undefined): Dim | undefined =>
  d === undefined || (isStatic(d) ? isSmall(d) : isSmall(d.constant) && d.terms.every((t) => isSmall(t.coefficient))) ? d : undefined;

/** The dim an index expression denotes, or undefined where it is not of the affine form, or of too large numbers. */
export function toDim(expr: Expr): Dim | undefined {
  switch (expr.kind) {
    case "Const":
      return typeof expr.value === "bigint" ? small(Number(expr.value)) : undefined;
    case "Var":
    case "IterArg":
      return expr.type.kind === "Scalar" && (expr.type.dtype === "index" || expr.type.dtype === "i64") ? dimVar(expr) : undefined;
    case "Prim": {
      if (!AFFINE.has(expr.op)) return undefined;
      const [x, y] = expr.args;
      const a = x && toDim(x);
      if (a === undefined) return undefined;
      if (expr.op === "neg") return scaleDim(a, -1);
      const b = y && toDim(y);
      return b === undefined ? undefined : small(combine(expr.op, a, b));
    }
    default:
      return undefined;
  }
}

const AFFINE: ReadonlySet<PrimOp> = new Set<PrimOp>(["add", "sub", "mul", "min", "max", "floordiv", "mod", "neg"]);

function combine(op: PrimOp, a: Dim, b: Dim): Dim | undefined {
  switch (op) {
    case "add": return addDims(a, b);
    case "sub": return subDims(a, b);
    case "mul": return mulDims(a, b);
    case "min": return minDim(a, b);
    case "max": return maxDim(a, b);
    case "floordiv": return isStatic(b) && b > 0 ? floorDivDim(a, b) : undefined;
    case "mod": return isStatic(b) && b > 0 ? modDim(a, b) : undefined;
    default: return undefined;
  }
}

/** The canonical expression of a dim: terms in order, subtraction for negative coefficients, the constant last. */
export function toExpr(d: Dim): Expr {
  if (isStatic(d)) return indexConst(d);
  let result: Expr | undefined;
  for (const { coefficient, leaf } of d.terms) {
    const size = Math.abs(coefficient);
    const term = size === 1 ? leafExpr(leaf) : prim("mul", [leafExpr(leaf), indexConst(size)]);
    if (result === undefined) result = coefficient < 0 ? prim("neg", [term]) : term;
    else result = prim(coefficient < 0 ? "sub" : "add", [result, term]);
  }
  if (result === undefined) return indexConst(d.constant);
  if (d.constant === 0) return result;
  return prim(d.constant < 0 ? "sub" : "add", [result, indexConst(Math.abs(d.constant))]);
}

function leafExpr(leaf: DimLeaf): Expr {
  switch (leaf.kind) {
    case "var": return leaf.variable;
    case "floordiv":
    case "mod": return prim(leaf.kind, [toExpr(leaf.dividend), indexConst(leaf.divisor)]);
    case "min":
    case "max": return prim(leaf.kind, [toExpr(leaf.a), toExpr(leaf.b)]);
  }
}
