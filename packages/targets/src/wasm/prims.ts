// Every primitive in WebAssembly: one total table over the primitive set.

import { forMath, type Expr, type Prim, type PrimOp } from "@tilefoundry/ir";
import { invariant } from "@tilefoundry/text";
import { fitsInt32, uniform } from "./arithmetic.ts";
import { bitcastScalar, bitcastVector, castScalar, castVector } from "./casts.ts";
import { hold, type Emit, type Parts } from "./context.ts";
import { asWidth } from "./integers.ts";
import { fromMask, laneOf, splatParts } from "./lanes.ts";
import { load, store } from "./memory.ts";
import { reduce } from "./reduce.ts";
import { kindOfType, vectorLanes } from "./registers.ts";
import { op, select, sequence, type Tree } from "./tree.ts";
import { operandAt, type Uniform } from "./uniform.ts";

type Rule = (p: Prim, c: Emit) => Parts;

function argOf(p: Prim, at: number): Expr {
  const found = p.args[at];
  invariant(found !== undefined, () => `${p.op} without operand ${at}`);
  return found;
}

const choice: Rule = (p, c) => {
  const [cond, a, b] = [argOf(p, 0), argOf(p, 1), argOf(p, 2)];
  if (p.type.kind !== "Vec") return [selectScalar(p, cond, a, b, c)];
  const lanes = vectorLanes(p.type);
  const [whenTrue, whenFalse] = [c.value(a), c.value(b)];
  const mask = fromMask(c.value(cond), lanes.shape, lanes.count, c);
  return mask.map((m, i) => op("v128.bitselect", [operandAt(whenTrue, i), operandAt(whenFalse, i), m]));
};

function selectScalar(p: Prim, cond: Expr, a: Expr, b: Expr, c: Emit): Tree {
  const [x, y] = [c.scalar(a), c.scalar(b)];
  if (kindOfType(p.type) !== "i64") return select(x, y, c.scalar(cond));
  const width = fitsInt32(c.ranges.of(p)) ? "i32" : "i64";
  return select(asWidth(x, width), asWidth(y, width), c.scalar(cond));
}

const cast: Rule = (p, c) => {
  const x = argOf(p, 0);
  const to = kindOfType(p.type);
  const mode = p.attrs.mode ?? "trunc";
  if (x.type.kind === "Vec") return castVector(c.value(x), vectorLanes(x.type), to, mode, c);
  return [castScalar(c.scalar(x), kindOfType(x.type), to, mode, c)];
};

const bitcast: Rule = (p, c) => {
  const x = argOf(p, 0);
  if (x.type.kind === "Vec") return bitcastVector(c.value(x), vectorLanes(x.type).kind, kindOfType(p.type));
  return [bitcastScalar(c.scalar(x), kindOfType(x.type), kindOfType(p.type))];
};

const splat: Rule = (p, c) => splatParts(c.scalar(argOf(p, 0)), vectorLanes(p.type), c);

const lane: Rule = (p, c) => {
  const v = argOf(p, 0);
  const lanes = vectorLanes(v.type);
  const index = p.attrs.index ?? 0;
  // each part is computed, since an earlier one may hold what a later one reads
  const parts = c.value(v).map((part) => (lanes.parts === 1 ? { before: [], read: part } : hold(part, c)));
  const holding = parts[Math.floor(index / lanes.perPart)];
  invariant(holding !== undefined, () => `no lane ${index}`);
  return [sequence(parts.flatMap((part) => part.before), laneOf(() => holding.read, lanes, index))];
};

/** Emission gives buffers their addresses; this is reached for no value. */
const allocTensor: Rule = () => [];

/** By the tables of scalars and vectors. */
const of = (name: Uniform): Rule => (p, c) => uniform(name, p, c);

const unexpanded: Rule = (p, c) => c.refuse(p, `\`${p.op}\``, "expand-math turns it into other primitives before emission");

const RULES: Readonly<Record<PrimOp, Rule>> = {
  add: of("add"), sub: of("sub"), mul: of("mul"), div: of("div"), floordiv: of("floordiv"), mod: of("mod"),
  bitand: of("bitand"), bitor: of("bitor"), bitxor: of("bitxor"), shl: of("shl"), shr: of("shr"), and: of("and"), or: of("or"),
  eq: of("eq"), ne: of("ne"), lt: of("lt"), le: of("le"), gt: of("gt"), ge: of("ge"), max: of("max"), min: of("min"),
  neg: of("neg"), invert: of("invert"), not: of("not"), abs: of("abs"), sqrt: of("sqrt"), floor: of("floor"), ceil: of("ceil"), rint: of("rint"),
  fma: of("fma"), mad: of("mad"), ...forMath(unexpanded),
  select: choice,
  cast,
  bitcast,
  splat,
  lane,
  reduce,
  load,
  store,
  alloc_tensor: allocTensor,
  barrier: () => [], // positions are in phases by now
};

export const primParts = (p: Prim, c: Emit): Parts => RULES[p.op](p, c);

