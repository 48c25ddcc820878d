// Whether the iterations of an axis can run in the lanes of vectors: every element access is contiguous along the axis or the same in
// all iterations, all values that vary have one width, and every operation on them exists for vectors.

import {
  DTYPES, isFloat, isVarLike, toDim,
  type DType, type Expr, type Nest, type Prim, type PrimOp, type Stmt, type Type, type VarLike,
} from "@tilefoundry/ir";
import { accessOf, storedValue, type Access } from "./effects.ts";

/** How a value depends on the axis: not at all, or by lane. */
type Kind = "uniform" | "vector";

/** Primitives that run lane by lane at full speed. The rest are scalar work on every target. */
const LANEWISE: ReadonlySet<PrimOp> = new Set<PrimOp>([
  "add", "sub", "mul", "div", "mad", "max", "min", "neg", "abs", "sqrt", "exp", "exp2", "log", "log2", "tanh", "erf", "floor", "ceil", "rint", "cast", "bitcast", "select",
  "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "not", "bitand", "bitor", "bitxor", "invert", "shl", "shr",
]);

interface Check {
  readonly axis: VarLike;
  readonly kinds: Map<VarLike, Kind>;
  /** Of the values that vary, in bits: 0 while there is none, MIXED if there are several. */
  width: number;
}

const MIXED = -1;

/** Number of elements of the axis that a vector of the device takes, 1 if the statements must stay scalar. */
export function lanesFor(vectorBits: number, axis: VarLike, stmts: readonly Stmt[], varying: readonly VarLike[] = []): number {
  const check: Check = { axis, kinds: new Map(), width: 0 };
  for (const v of varying) {
    check.kinds.set(v, "vector");
    noteWidth(v.type, check);
  }
  const fits = stmts.every((s) => admits(s, check)) && (check.width === 32 || check.width === 64);
  return fits ? vectorBits / check.width : 1;
}

function admits(stmt: Stmt, check: Check): boolean {
  switch (stmt.kind) {
    case "Assign": return admitsValue(stmt.target, stmt.value, check);
    case "Eval": {
      const access = accessOf(stmt.expr);
      return access !== undefined && access.writes && admitsStore(access, check);
    }
    case "Nest": return admitsReduction(stmt, check);
    case "Yield": return stmt.values.every((e) => kindOf(e, check) !== undefined);
    default: return false;
  }
}

function admitsValue(target: VarLike, value: Expr, check: Check): boolean {
  const kind = kindOf(value, check);
  if (kind === undefined || target.type.kind === "Tensor") return false;
  check.kinds.set(target, kind);
  return true;
}

function admitsStore(access: Access, check: Check): boolean {
  const value = storedValue(access);
  if (access.prim.attrs.masked === true || value === undefined || kindOf(value, check) === undefined) return false;
  return addressOf(access, check) === "vector" && noteWidth(access.buffer.type, check);
}

/** A reduction inside an iteration: its carries become vectors, its own axis is the same for all lanes. */
function admitsReduction(nest: Nest, check: Check): boolean {
  if (!nest.reduce || nest.axes.length !== 1 || nest.extents.some((e) => kindOf(e, check) !== "uniform")) return false;
  for (const carry of nest.carries) {
    if (kindOf(carry.init, check) === undefined || !noteWidth(carry.type, check)) return false;
    check.kinds.set(carry, "vector");
  }
  if (!nest.body.stmts.every((s) => admits(s, check))) return false;
  for (const result of nest.results) check.kinds.set(result, "vector");
  return true;
}

// — expressions —

function kindOf(e: Expr, check: Check): Kind | undefined {
  if (isVarLike(e)) return e === check.axis ? undefined : (check.kinds.get(e) ?? "uniform");
  if (e.kind === "Const") return "uniform";
  if (e.kind !== "Prim") return undefined;
  const access = accessOf(e);
  if (access !== undefined) return loadKind(access, check);
  let kind: Kind = "uniform";
  for (const a of e.args) {
    const own = kindOf(a, check);
    if (own === undefined) return undefined;
    if (own === "vector") kind = "vector";
  }
  return kind === "vector" && !runsInLanes(e, check) ? undefined : kind;
}

function loadKind(access: Access, check: Check): Kind | undefined {
  if (access.writes || access.prim.attrs.masked === true || access.prim.attrs.lanes !== undefined) return undefined;
  const kind = addressOf(access, check);
  return kind === "vector" && !noteWidth(access.buffer.type, check) ? undefined : kind;
}

/** Contiguous along the axis: the last index is the axis plus what is the same for all lanes, the others are the same. */
function addressOf({ index }: Access, check: Check): Kind | undefined {
  const last = index.length - 1;
  for (let d = 0; d < last; d++) if (kindOf(index[d] as Expr, check) !== "uniform") return undefined; // within the length
  const at = index[last];
  if (at === undefined || kindOf(at, check) === "uniform") return "uniform";
  return isAxisPlus(at, check) ? "vector" : undefined;
}

function isAxisPlus(e: Expr, { axis, kinds }: Check): boolean {
  if (e === axis) return true;
  const dim = toDim(e);
  if (dim === undefined || typeof dim === "number") return false;
  let once = false;
  for (const { coefficient, leaf } of dim.terms) {
    if (leaf.kind !== "var") return false;
    if (leaf.variable === axis) once = coefficient === 1;
    else if (kinds.get(leaf.variable) === "vector") return false;
  }
  return once;
}

function runsInLanes(e: Prim, check: Check): boolean {
  if (!LANEWISE.has(e.op)) return false;
  if (e.op === "cast" && e.args.some((a) => widthOf(a.type) === 64)) return false;
  return noteWidth(e.type, check) && e.args.every(({ type }) => noteWidth(type, check));
}

const widthOf = (type: Type): number => (type.kind === "Scalar" || type.kind === "Tensor" ? DTYPES[type.dtype].bits : 0);

/** Notes the width of a value that varies; truth values have none of their own in registers, but none in memory either. */
function noteWidth(type: Type, check: Check): boolean {
  if (type.kind === "Scalar" && type.dtype === "bool") return true;
  if (type.kind !== "Scalar" && type.kind !== "Tensor") return false;
  if (!hasLanes(type.dtype)) return false;
  const width = widthOf(type);
  check.width = check.width === 0 || check.width === width ? width : MIXED;
  return true;
}

const hasLanes = (d: DType): boolean => isFloat(d) || d === "i32" || d === "u32" || d === "i64" || d === "index";
