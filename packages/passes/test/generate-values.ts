// Random scalar expressions over what is visible: small integers, exactly rounded float operations, element reads.

import {
  boolConst, cast, indexConst, isInteger, numberConst, prim, scalarType, toDim,
  type DType, type Expr, type PrimOp, type Var, type VarLike,
} from "@tilefoundry/ir";
import { callOf } from "./kernel.ts";
import type { Random } from "./random.ts";

export type ScalarDType = "i32" | "u8" | "f32" | "index" | "bool";
export const SCALARS = ["i32", "i32", "index", "f32", "f32", "u8", "bool"] as const satisfies readonly ScalarDType[];

/** What an expression may use. */
export interface Sight {
  readonly random: Random;
  readonly scalars: readonly VarLike[];
  /** Arrays whose elements may be read, by the name that is valid here. */
  readonly arrays: readonly VarLike[];
}

export function valueOf(dtype: ScalarDType, sight: Sight, depth = 3): Expr {
  const { random } = sight;
  const variables = sight.scalars.filter((v) => v.type === scalarType(dtype));
  if (variables.length > 0 && random.chance(depth === 0 ? 0.8 : 0.3)) return random.pick(variables);
  if (depth === 0 || random.chance(0.15)) return literal(dtype, random);
  const inner = (d: ScalarDType): Expr => valueOf(d, sight, depth - 1);
  if (random.chance(0.1)) return prim("select", [inner("bool"), inner(dtype), inner(dtype)]);
  switch (dtype) {
    case "bool": return truth(inner, random);
    case "index": return indexValue(inner, random);
    default: return numberValue(dtype, sight, inner);
  }
}

function literal(dtype: ScalarDType, random: Random): Expr {
  if (dtype === "bool") return boolConst(random.chance(0.5));
  if (dtype === "f32") return numberConst(random.pick([0, 1, -1, 0.5, 2, -3, 4, 0.25, -0, 1e10]), "f32");
  if (dtype === "u8") return numberConst(random.pick([0, 1, 2, 3, 7, 200, 255]), "u8");
  return numberConst(random.pick([0, 1, -1, 2, 3, -4, 5, 7, 8]), dtype);
}

const COMPARISONS = ["lt", "le", "gt", "ge", "eq", "ne"] as const satisfies readonly PrimOp[];

function truth(inner: (d: ScalarDType) => Expr, random: Random): Expr {
  if (random.chance(0.25)) return prim(random.pick(["and", "or"]), [inner("bool"), inner("bool")]);
  if (random.chance(0.15)) return prim("not", [inner("bool")]);
  const of = random.pick(["i32", "index", "f32", "u8"] as const);
  return prim(random.pick(COMPARISONS), [inner(of), inner(of)]);
}

const INDEX_OPS = ["add", "sub", "add", "mul", "min", "max", "floordiv", "mod"] as const satisfies readonly PrimOp[];

function indexValue(inner: (d: ScalarDType) => Expr, random: Random): Expr {
  if (random.chance(0.15)) return cast(inner("i32"), "index");
  const op = random.pick(INDEX_OPS);
  const right = op === "mul" || op === "floordiv" || op === "mod" ? indexConst(random.pick([2, 3, 4, 8, 1, -2])) : inner("index");
  return prim(op, [inner("index"), right]);
}

const WHOLE_OPS = ["add", "sub", "mul", "floordiv", "mod", "min", "max", "bitand", "bitor", "bitxor", "shl", "shr"] as const satisfies readonly PrimOp[];
const FLOAT_OPS = ["add", "sub", "mul", "div", "min", "max", "add", "mul"] as const satisfies readonly PrimOp[];

function numberValue(dtype: "i32" | "u8" | "f32", sight: Sight, inner: (d: ScalarDType) => Expr): Expr {
  const { random } = sight;
  const arrays = sight.arrays.filter((a) => a.type.kind === "Tensor" && a.type.dtype === dtype);
  if (arrays.length > 0 && random.chance(0.25)) return callOf("read", { src: random.pick(arrays), indices: [position(inner("index"), random)] });
  if (random.chance(0.12)) return cast(inner(random.pick(sourcesOf(dtype))), dtype);
  if (random.chance(0.1)) return prim(dtype === "f32" ? random.pick(["neg", "abs", "floor"]) : random.pick(["neg", "abs", "invert"]), [inner(dtype)]);
  return prim(random.pick(isInteger(dtype) ? WHOLE_OPS : FLOAT_OPS), [inner(dtype), inner(dtype)]);
}

const sourcesOf = (dtype: DType): readonly ScalarDType[] => (dtype === "f32" ? ["i32", "u8", "bool"] : ["index", "bool", "f32"]);

/** An index that is mostly inside of a small array, sometimes just outside, and never provably so: loop variables `i` count from 0. */
export function position(index: Expr, random: Random): Expr {
  if (random.chance(0.2)) return indexConst(random.below(4));
  if (index.kind === "Var" && index.hint.startsWith("i") && random.chance(0.5)) return index;
  const around = prim("sub", [prim("mod", [index, indexConst(7)]), indexConst(random.below(2))]);
  return typeof toDim(around) === "number" ? indexConst(random.below(4)) : around;
}

/** A loop bound within a few iterations of 0. */
export function smallBound(sight: Sight): Expr {
  const value = valueOf("index", sight, 1);
  return prim("min", [prim("max", [value, indexConst(-2)]), indexConst(5)]);
}

export const isVar = (v: VarLike): v is Var => v.kind === "Var";
