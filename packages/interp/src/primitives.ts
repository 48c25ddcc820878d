// Compiling primitives: one rule each, total. Elementwise ones work lane by lane; fast code where arithmetic.ts has it.

import { forMath, type DType, type Expr, type Prim, type PrimOp, type ReduceKind, type Type } from "@tilefoundry/ir";
import { scalarFunction, type ScalarPrim } from "@tilefoundry/ops/evaluate";
import { invariant } from "@tilefoundry/text";
import { fastBinary } from "./arithmetic.ts";
import { compileOne, destination, emit, inBlock, type Builder } from "./builder.ts";
import type { FaultLog } from "./faults.ts";
import { lanesOf, type Place } from "./layout.ts";
import { at, type Emit } from "./machine.ts";
import { compileAlloc, compileLoad, compileStore } from "./memory.ts";
import { copyScalar, isWide, reader, writer } from "./scalars.ts";

export type PrimRule = (expr: Prim, b: Builder, into: Place | undefined) => Place;

const elementwise: PrimRule = (expr, b, into) => onLanes(expr, expr.args.map((a) => compileOne(a, b)), b, into);

function onLanes(expr: Prim, operands: readonly number[], b: Builder, into: Place | undefined): Place {
  const op = expr.op as ScalarPrim; // the table below brings no other here
  const d = destination(expr.type, b, into);
  const dtype = operandDType(expr);
  for (let lane = 0; lane < lanesOf(expr.type); lane++) emit(b, scalarCode(op, expr, dtype, d + lane, operands.map((r) => r + lane)));
  return d;
}

/** The dtype that decides the function: of `select` that of the values. */
function operandDType(expr: Prim): DType {
  const type = (expr.op === "select" ? expr.args[1] : expr.args[0])?.type;
  return dtypeOf(type);
}

function dtypeOf(type: Type | undefined): DType {
  invariant(type?.kind === "Scalar" || type?.kind === "Vec", () => `an operand of type ${type?.kind ?? "none"}`);
  return type.dtype;
}

function scalarCode(op: ScalarPrim, expr: Prim, dtype: DType, d: number, operands: readonly number[]): Emit {
  const [a = 0, b = a, c = b] = operands;
  const fast = operands.length === 2 ? fastBinary(op, dtype)?.(d, a, b) : undefined;
  if (fast !== undefined) return fast;
  if (op === "select" && !isWide(dtype)) return ({ n }) => () => void (n[d] = at(n, at(n, a) !== 0 ? b : c));
  const compute = scalarFunction(op, dtype, expr.attrs);
  const write = writer(dtypeOf(expr.type));
  const read = reader(dtype);
  const first = op === "select" ? reader("bool") : read;
  switch (operands.length) {
    case 1: return (m) => () => write(m, d, compute(first(m, a)));
    case 2: return (m) => () => write(m, d, compute(first(m, a), read(m, b)));
    default: return (m) => () => write(m, d, compute(first(m, a), read(m, b), read(m, c)));
  }
}

/** Integer division, which a strict run watches for zero. */
const division: PrimRule = (expr, b, into) => {
  const operands = expr.args.map((a) => compileOne(a, b));
  const [, divisor] = operands;
  if (b.faults !== undefined && divisor !== undefined) {
    for (let lane = 0; lane < lanesOf(expr.type); lane++) emit(b, zeroCheck(divisor + lane, expr, b.faults, b));
  }
  return onLanes(expr, operands, b, into);
};

function zeroCheck(divisor: number, expr: Prim, faults: FaultLog, b: Builder): Emit {
  const span = expr.meta.span ?? b.span;
  const op = expr.op === "mod" ? "%" : "//";
  return ({ n }) => () => {
    if (at(n, divisor) === 0) faults.report("TF6101", span, { op });
  };
}

/** `and`, `or` of scalars: the right side runs only where it decides. */
const shortCircuit =
  (decided: 0 | 1): PrimRule =>
  (expr, b, into) => {
    const [left, right] = expr.args;
    if (left === undefined || right === undefined || expr.type.kind === "Vec") return elementwise(expr, b, into);
    const d = destination(expr.type, b, undefined);
    const first = compileOne(left, b);
    const rest = inBlock(b, (inner) => compileOne(right, inner, d));
    emit(b, (m) => {
      const { n } = m;
      const run = rest.emit(m);
      return () => {
        if (at(n, first) === decided) n[d] = decided;
        else run();
      };
    });
    return d;
  };

const splat: PrimRule = (expr, b, into) => {
  const from = compileOne(operand(expr, 0), b);
  const d = destination(expr.type, b, into);
  for (let lane = 0; lane < lanesOf(expr.type); lane++) emit(b, copyScalar(dtypeOf(expr.type), d + lane, from));
  return d;
};

const lane: PrimRule = (expr, b) => compileOne(operand(expr, 0), b) + (expr.attrs.index ?? 0);

/** Lanes i and i + n/2 combined until one is left. */
const reduce: PrimRule = (expr, b, into) => {
  const vector = operand(expr, 0);
  const from = compileOne(vector, b);
  const dtype = dtypeOf(vector.type);
  const op: ScalarPrim = expr.attrs.kind ?? ("add" satisfies ReduceKind);
  const work = destination(vector.type, b, undefined);
  for (let i = 0; i < lanesOf(vector.type); i++) emit(b, copyScalar(dtype, work + i, from + i));
  for (let half = lanesOf(vector.type) >> 1; half > 0; half >>= 1) {
    for (let i = 0; i < half; i++) emit(b, scalarCode(op, expr, dtype, work + i, [work + i, work + i + half]));
  }
  const d = destination(expr.type, b, into);
  emit(b, copyScalar(dtype, d, work));
  return d;
};

function operand(expr: Prim, i: number): Expr {
  const found = expr.args[i];
  invariant(found !== undefined, () => `${expr.op} without operand ${i}`);
  return found;
}

export const PRIM_RULES = {
  add: elementwise,
  sub: elementwise,
  mul: elementwise,
  div: elementwise,
  floordiv: division,
  mod: division,
  bitand: elementwise,
  bitor: elementwise,
  bitxor: elementwise,
  shl: elementwise,
  shr: elementwise,
  and: shortCircuit(0),
  or: shortCircuit(1),
  eq: elementwise,
  ne: elementwise,
  lt: elementwise,
  le: elementwise,
  gt: elementwise,
  ge: elementwise,
  max: elementwise,
  min: elementwise,
  neg: elementwise,
  invert: elementwise,
  not: elementwise,
  abs: elementwise,
  sqrt: elementwise,
  floor: elementwise,
  ceil: elementwise,
  rint: elementwise,
  select: elementwise,
  cast: elementwise,
  bitcast: elementwise,
  fma: elementwise,
  mad: elementwise,
  ...forMath(elementwise),
  splat,
  lane,
  reduce,
  alloc_tensor: compileAlloc,
  load: compileLoad,
  store: compileStore,
  // where positions run one after the other in phases (positions.ts), the phases are the meeting
  barrier: () => [],
} as const satisfies Readonly<Record<PrimOp, PrimRule>>;
