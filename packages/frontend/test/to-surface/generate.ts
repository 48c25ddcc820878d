// Random functions by seed, of the kinds that the printer meets at every stage: scalars and vectors of every dtype, literals,
// every primitive, loops with carries, branches with results, nests, buffers.

import {
  assign, boolConst, constant, DTYPE_NAMES, DTYPES, evaluate, forLoop, ifThen, INDEX, isFloat, iterArg, load, makeFunction, makeModule, makeNames, nest, numberConst, prim,
  PRIMS, primType, reduceNest, returnValues, scalarType, seq, store, tensorType, variable, vecType, whileLoop, yieldValues,
  type CastMode, type DType, type Expr, type ModuleNode, type PrimAttrs, type PrimOp, type ScalarType, type Seq, type Stmt, type Type, type Var, type VecType,
} from "@tilefoundry/ir";

type Register = ScalarType | VecType;

export interface Random {
  below(n: number): number;
  pick<T>(list: readonly T[]): T;
}

export function random(seed: number): Random {
  let state = (seed * 2654435761 + 1) >>> 0;
  const below = (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  return { below, pick: (list) => list[below(list.length)] as (typeof list)[number] }; // lists are never empty
}

/** What a place of the function sees. */
interface Scope {
  readonly r: Random;
  readonly names: { fresh(hint: string): string };
  readonly values: readonly Expr[];
  readonly buffers: readonly Var[];
}

const LANES = 4;
const TYPES: readonly Register[] = DTYPE_NAMES.flatMap((d): readonly Register[] => [scalarType(d), vecType(d, LANES)]);

// — expressions —

const sameRegister = (a: Type, b: Type): boolean => a === b;

function leaf({ r, values }: Scope, type: Register): Expr {
  const fitting = values.filter((v) => sameRegister(v.type, type));
  return fitting.length > 0 && r.below(3) > 0 ? r.pick(fitting) : literal(r, type);
}

function literal(r: Random, type: Register): Expr {
  if (type.dtype === "bool") return constant(r.below(2) === 0, type);
  if (isFloat(type.dtype)) return constant(r.pick([0, -0, 1, -1.5, 0.1, 1e-7, 3e38, Infinity, -Infinity, NaN]), type);
  const wide = type.dtype === "index" || type.dtype === "i64";
  return constant(r.pick(DTYPES[type.dtype].kind === "uint" ? [0n, 1n, 200n] : DTYPES[type.dtype].bits < 32 ? [0n, -1n, 7n, -128n] : wide ? [0n, -1n, 5n, -(2n ** 63n), 2n ** 63n - 1n] : [0n, -1n, 7n, -(2n ** 31n)]), type);
}

/** Primitives that give a type from operands of types that the generator has. */
const MAKERS: readonly ((s: Scope, type: Register, depth: number) => Expr | undefined)[] = [
  ...(Object.keys(PRIMS) as PrimOp[]).filter((op) => PRIMS[op].attrs.length === 0 && op !== "select").map((op) => (s: Scope, type: Register, depth: number) => plain(s, op, type, depth)),
  (s, type, d) => prim("select", [expr(s, like(type, "bool"), d), expr(s, type, d), expr(s, type, d)]),
  (s, type, d) => castTo(s, type, d),
  (s, type, d) => (type.kind === "Vec" ? prim("splat", [expr(s, scalarType(type.dtype), d)], { lanes: type.lanes }) : undefined),
  (s, type, d) => (type.kind === "Scalar" ? prim("lane", [expr(s, vecType(type.dtype, LANES), d)], { index: s.r.below(LANES) }) : undefined),
  (s, type, d) => (type.kind === "Scalar" && type.dtype !== "bool" ? prim("reduce", [expr(s, vecType(type.dtype, LANES), d)], { kind: s.r.pick(["add", "max"] as const) }) : undefined),
  (s, type, d) => loadOf(s, type, d),
];

const like = (type: Register, dtype: DType): Register => (type.kind === "Vec" ? vecType(dtype, type.lanes) : scalarType(dtype));

function plain(s: Scope, op: PrimOp, type: Register, depth: number): Expr | undefined {
  const compares = type.dtype === "bool" && ["eq", "ne", "lt", "le", "gt", "ge"].includes(op);
  const operand = compares ? like(type, s.r.pick(DTYPE_NAMES)) : type;
  const types = PRIMS[op].operands.map(() => operand);
  if (primTypeOf(op, types) !== type) return undefined;
  const operands = types.map((t) => expr(s, t, depth));
  // A literal divisor of 0 and a literal shift beyond the width are errors.
  const limited = DIVIDES_OR_SHIFTS.has(op) && operands[1]?.kind === "Const";
  return prim(op, limited ? [operands[0] ?? numberConst(1, operand.dtype), numberConst(1, operand.dtype, operand.kind === "Vec" ? operand.lanes : 1)] : operands);
}

const DIVIDES_OR_SHIFTS: ReadonlySet<PrimOp> = new Set(["floordiv", "mod", "shl", "shr"]);

const primTypeOf = (op: PrimOp, types: readonly Register[]): Type | string => primType(op, types.map((t) => variable("x", t)));

function castTo(s: Scope, type: Register, depth: number): Expr {
  const from = s.r.pick(DTYPE_NAMES);
  const rounds = isFloat(from) && !isFloat(type.dtype) && type.dtype !== "bool";
  const mode: CastMode | undefined = rounds && s.r.below(2) === 0 ? s.r.pick(["rint", "floor"] as const) : undefined;
  const attrs: PrimAttrs = mode === undefined ? { dtype: type.dtype } : { dtype: type.dtype, mode };
  return prim("cast", [expr(s, like(type, from), depth)], attrs);
}

function loadOf(s: Scope, type: Register, depth: number): Expr | undefined {
  const fitting = s.buffers.filter((b) => b.type.kind === "Tensor" && b.type.dtype === type.dtype);
  if (fitting.length === 0) return undefined;
  const buffer = s.r.pick(fitting);
  const masked = s.r.below(2) === 0 ? { mask: expr(s, like(type, "bool"), depth) } : {};
  return load(buffer, indices(s, buffer, depth), { lanes: type.kind === "Vec" ? type.lanes : 1, ...masked });
}

const indices = (s: Scope, buffer: Var, depth: number): readonly Expr[] =>
  buffer.type.kind === "Tensor" ? buffer.type.shape.map(() => expr(s, INDEX, depth)) : [];

export function expr(s: Scope, type: Register, depth: number): Expr {
  if (depth > 0) {
    for (let tries = 0; tries < 4; tries++) {
      const made = s.r.pick(MAKERS)(s, type, depth - 1);
      if (made !== undefined) return made;
    }
  }
  return leaf(s, type);
}

// — statements —

const declared = (s: Scope, type: Type, hint = "v"): Var => variable(s.names.fresh(hint), type);

const inside = (s: Scope, ...values: readonly Expr[]): Scope => ({ ...s, values: [...s.values, ...values] });

/** A block of some statements, and what is visible after them. */
function block(s: Scope, depth: number, last: (s: Scope) => readonly Stmt[] = () => []): Seq {
  let scope = s;
  const stmts: Stmt[] = [];
  for (let n = s.r.below(3); n > 0; n--) {
    const [made, values] = statement(scope, depth);
    stmts.push(made);
    scope = inside(scope, ...values);
  }
  return seq([...stmts, ...last(scope)], s.r.below(6) === 0 ? { comments: ["the end", "of it"] } : {});
}

type Made = readonly [Stmt, readonly Expr[]];

const STATEMENTS: readonly ((s: Scope, depth: number) => Made)[] = [
  (s) => {
    const value = expr(s, s.r.pick(TYPES), 3);
    const target = declared(s, value.type);
    return [assign(target, value, s.r.below(4) === 0 ? { comments: ["what it is"] } : {}), [target]];
  },
  (s) => {
    const buffer = s.r.pick(s.buffers);
    const dtype = buffer.type.kind === "Tensor" ? buffer.type.dtype : "f32";
    return [evaluate(store(buffer, indices(s, buffer, 2), expr(s, s.r.pick([scalarType(dtype), vecType(dtype, LANES)]), 2))), []];
  },
];

const COMPOUND: readonly ((s: Scope, depth: number) => Made)[] = [
  (s, d) => {
    const loopVar = declared(s, INDEX, "i");
    const step = s.r.pick([1, 1, 4, -1]);
    const mode = s.r.pick(["sequential", "parallel", "unroll", "pipeline", "vector"] as const);
    const known = mode === "unroll"; // its bounds must be literals
    const start = known || s.r.below(2) === 0 ? numberConst(0, "index") : expr(s, INDEX, 1);
    const stop = known ? numberConst(s.r.below(9), "index") : expr(s, INDEX, 1);
    const stages = mode === "pipeline" ? 2 : undefined;
    return [forLoop({ loopVar, start, stop, step: numberConst(step, "index"), mode, stages, level: s.r.pick([undefined, "core"] as const), body: block(inside(s, loopVar), d) }), []];
  },
  (s, d) => {
    const { carries, results, yields } = carried(s);
    const loopVar = declared(s, INDEX, "i");
    return [forLoop({ loopVar, stop: expr(s, INDEX, 1), carries, results, body: block(inside(s, loopVar, ...carries), d, yields) }), results];
  },
  (s, d) => {
    const { carries, results, yields } = carried(s);
    const scope = inside(s, ...carries);
    return [whileLoop(expr(scope, scalarType("bool"), 2), block(scope, d, yields), carries, results), results];
  },
  (s, d) => [whileLoop(expr(s, scalarType("bool"), 2), block(s, d)), []],
  (s, d) => {
    const { results, yields } = carried(s);
    return [ifThen(expr(s, scalarType("bool"), 2), block(s, d, yields), block(s, d, yields), results), results];
  },
  (s, d) => [ifThen(expr(s, scalarType("bool"), 2), block(s, d), s.r.below(2) === 0 ? undefined : block(s, d)), []],
  (s, d) => {
    const axes = Array.from({ length: 1 + s.r.below(3) }, () => declared(s, INDEX, "i"));
    return [nest(axes, axes.map(() => expr(s, INDEX, 1)), block(inside(s, ...axes), d)), []];
  },
  (s, d) => {
    const { carries, results, yields } = carried(s);
    const axis = declared(s, INDEX, "k");
    return [reduceNest([axis], [expr(s, INDEX, 1)], carries, block(inside(s, axis, ...carries), d, yields), results), results];
  },
];

function carried(s: Scope) {
  const types = Array.from({ length: 1 + s.r.below(2) }, () => s.r.pick(TYPES));
  return {
    carries: types.map((t) => iterArg(s.names.fresh("acc"), t, expr(s, t, 1))),
    results: types.map((t) => declared(s, t, "total")),
    yields: (scope: Scope) => [yieldValues(types.map((t) => expr(scope, t, 2)))],
  };
}

function statement(s: Scope, depth: number): Made {
  return s.r.pick(depth > 0 && s.r.below(2) === 0 ? COMPOUND : STATEMENTS)(s, depth - 1);
}

/** A module of one function. */
export function program(seed: number): ModuleNode {
  const r = random(seed);
  const M = variable("M", INDEX);
  const scalars = DTYPE_NAMES.map((d) => variable(`s_${d}`, scalarType(d)));
  const buffers = DTYPE_NAMES.map((d) => variable(`b_${d}`, tensorType([{ kind: "sum", terms: [{ coefficient: 1, leaf: { kind: "var", variable: M } }], constant: 0 }, 8], d)));
  const params = [...scalars.map((v) => ({ var: v, direction: "in" as const })), ...buffers.map((v) => ({ var: v, direction: "inout" as const }))];
  const names = makeNames([M, ...scalars, ...buffers].map((v) => v.hint));
  const scope: Scope = { r, names, values: [M, ...scalars], buffers };
  const func = r.pick(["prim", "incore"] as const);
  const returned = r.below(2) === 0 ? [] : [scalars[0] ?? boolConst(true)];
  const body = block(scope, 3, () => (returned.length === 0 ? [] : [returnValues(returned)]));
  const f = makeFunction({ name: "f", func, params, symbols: [{ var: M, lo: 0, hi: 2 ** 31 }], returns: returned.map((v) => v.type), body });
  return makeModule("f", [f], "f");
}
