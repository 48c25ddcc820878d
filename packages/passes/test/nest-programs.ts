// Random lowered programs, as somebody might write them by hand: nests that read buffers at shifted and turned indices, reductions,
// overwritten buffers, loops and branches around them. Iterations of a nest are independent, all that is read was written.

import {
  add, allocTensor, assign, evaluate, forLoop, ifThen, INDEX, indexConst, iterArg, lessThan, load, makeFunction, makeModule, makeNames, nest,
  numberConst, prim, reduceNest, scalarType, seq, store, sub, tensorType, tileType, variable, yieldValues,
  type DType, type Expr, type ModuleNode, type Names, type Param, type ReduceKind, type Stmt, type TensorType, type Var,
} from "@tilefoundry/ir";
import { randomBy, type Random } from "./random.ts";

/** All buffers have this shape; nests stay so far inside that shifts do not leave it. */
const EXTENT = 14;
const SHIFT = 2;

interface Program {
  readonly r: Random;
  readonly names: Names;
  readonly dtype: DType;
  /** Buffers whose elements are all written. */
  readonly buffers: readonly Var[];
  readonly writable: readonly Var[];
  /** Scalars in scope. */
  readonly scalars: readonly Expr[];
  /** A run-time extent of at most EXTENT - 2 * SHIFT. */
  readonly n: Var;
  /** A loop variable from 0 to SHIFT, if any. */
  readonly t: Expr;
}

export function nestProgram(seed: number, size = 7): ModuleNode {
  const r = randomBy(seed);
  const names = makeNames(["x", "y", "n"]);
  const dtype = r.pick(["f32", "f32", "i32", "f64", "u8"] as const);
  const type = tensorType([EXTENT, EXTENT], dtype);
  const [x, y, n] = [variable("x", type), variable("y", type), variable("n", INDEX)];
  const params: Param[] = [{ var: x, direction: "in" }, { var: y, direction: "inout" }, { var: n, direction: "in" }];
  const locals = Array.from({ length: 1 + r.below(3) }, () => variable(names.fresh("b"), tileType([EXTENT, EXTENT], dtype)));
  const p: Program = { r, names, dtype, buffers: [x, y, ...locals], writable: [y, ...locals], scalars: [numberConst(2, dtype)], n, t: indexConst(0) };
  const begin = locals.flatMap((b) => [assign(b, allocTensor(b.type as TensorType)), filled(p, b)]); // locals are tiles
  const stmts = Array.from({ length: size }, () => statement(p, 2)).flat();
  return makeModule("f", [makeFunction({ name: "f", func: "prim", params, body: seq([...begin, ...stmts, ...locals.map((b) => copied(p, b, y))]) })]);
}

const axis = (p: Program, hint: string): Var => variable(p.names.fresh(hint), INDEX);

function filled(p: Program, b: Var): Stmt {
  const [i, j] = [axis(p, "i"), axis(p, "j")];
  return nest([i, j], [indexConst(EXTENT), indexConst(EXTENT)], seq([evaluate(store(b, [i, j], load(p.buffers[0] as Var, [j, i])))])); // `x` is the first
}

/** What is left in a local becomes visible: added to `y`, which takes it in its own elements. */
function copied(p: Program, b: Var, y: Var): Stmt {
  const [i, j] = [axis(p, "i"), axis(p, "j")];
  const value = held(p, add(load(y, [i, j]), load(b, [i, j])));
  return nest([i, j], [indexConst(EXTENT), indexConst(EXTENT)], seq([evaluate(store(y, [i, j], value))]));
}

/** Kept small, so that floats stay whole numbers. */
function held(p: Program, value: Expr): Expr {
  if (p.dtype === "u8" || p.dtype === "i32") return value;
  return prim("max", [prim("min", [value, numberConst(64, p.dtype)]), numberConst(-64, p.dtype)]);
}

function statement(p: Program, depth: number): readonly Stmt[] {
  const { r } = p;
  const kind = r.below(depth === 0 ? 9 : 13);
  if (kind < 4) return [parallel(p)];
  if (kind === 6) return poked(p);
  if (kind === 7) return produced(p, depth);
  if (kind === 8) return imperfect(p);
  if (kind === 4) return rowReduction(p);
  if (kind === 5) return wholeReduction(p);
  if (kind === 9) {
    const t = axis(p, "t");
    return [forLoop({ loopVar: t, stop: indexConst(1 + r.below(SHIFT)), mode: "sequential", body: seq([...statement({ ...p, t }, depth - 1), ...statement({ ...p, t }, depth - 1)]) })];
  }
  if (kind === 10) return [ifThen(lessThan(p.n, indexConst(r.below(12))), seq(statement(p, depth - 1)), r.chance(0.5) ? seq(statement(p, depth - 1)) : undefined)];
  return [...statement(p, depth - 1), ...statement(p, depth - 1)];
}

const extentOf = (p: Program): Expr => p.r.pick([indexConst(EXTENT - 2 * SHIFT), indexConst(1), indexConst(7), p.n, p.n]);

interface Place {
  readonly index: readonly [Expr, Expr];
  /** What the nest writes, and where. */
  readonly target: Var;
}

function shifted(p: Program, e: Expr): Expr {
  const by = p.r.below(2 * SHIFT + 1);
  return by === 0 ? e : p.r.chance(0.2) ? add(add(e, p.t), indexConst(Math.min(by, SHIFT))) : add(e, indexConst(by));
}

function element(p: Program, at: Place, i: Expr, j: Expr, depth = 2): Expr {
  const { r } = p;
  if (depth === 0 || r.chance(0.4)) {
    const from = r.pick(p.buffers);
    if (from === at.target) return load(from, at.index);
    const index = r.chance(0.8) ? [shifted(p, i), shifted(p, j)] : [shifted(p, j), shifted(p, i)];
    return load(from, r.chance(0.6) ? [i, j] : index);
  }
  if (r.chance(0.15)) return r.pick(p.scalars);
  const [a, b] = [element(p, at, i, j, depth - 1), element(p, at, i, j, depth - 1)];
  return held(p, prim(r.pick(["add", "sub", "max", "min", "mul"] as const), [a, b]));
}

function parallel(p: Program): Stmt {
  const { r } = p;
  const [i, j] = [axis(p, "i"), axis(p, "j")];
  const target = r.pick(p.writable);
  const turned = r.chance(0.15);
  const index: readonly [Expr, Expr] = r.chance(0.6) ? [i, j] : turned ? [j, i] : [shifted(p, i), shifted(p, j)];
  const at: Place = { index, target };
  const lets: Stmt[] = [];
  let value = element(p, at, i, j);
  if (r.chance(0.3)) {
    const s = variable(p.names.fresh("s"), scalarType(p.dtype));
    lets.push(assign(s, value));
    value = prim("max", [s, sub(s, numberConst(1, p.dtype))]);
  }
  return nest([i, j], [extentOf(p), extentOf(p)], seq([...lets, evaluate(store(target, index, value))]));
}

/** A value for each row from all of it, as sums, maxima and products of two operands are. */
function rowReduction(p: Program): readonly Stmt[] {
  const { r, names, dtype } = p;
  const [i, j, k] = [axis(p, "i"), axis(p, "j"), axis(p, "k")];
  const target = r.pick(p.writable);
  const at: Place = { index: [i, j], target };
  const sources = p.buffers.filter((b) => b !== target);
  const carry = iterArg(names.fresh("acc"), scalarType(dtype), r.chance(0.5) ? numberConst(0, dtype) : element(p, at, i, j, 0));
  const a = load(r.pick(sources), [i, k]);
  const b = load(r.pick(sources), r.chance(0.5) ? [k, j] : [j, k]);
  const next = r.chance(0.6) ? prim("mad", [held(p, a), prim("min", [b, numberConst(3, dtype)]), carry]) : prim(r.pick(["add", "max"] as const), [carry, a]);
  const result = variable(names.fresh("total"), scalarType(dtype));
  const inner = reduceNest([k], [extentOf(p)], [carry], seq([yieldValues([next])]), [result]);
  return [nest([i, j], [extentOf(p), extentOf(p)], seq([inner, evaluate(store(target, [i, j], held(p, result)))]))];
}

function wholeReduction(p: Program): readonly Stmt[] {
  const { r, names, dtype } = p;
  const [i, j] = [axis(p, "i"), axis(p, "j")];
  const kind = r.pick(["add", "max", "min"] as const satisfies readonly ReduceKind[]);
  const carry = iterArg(names.fresh("acc"), scalarType(dtype), numberConst(0, dtype));
  const result = variable(names.fresh("whole"), scalarType(dtype));
  const value = element(p, { index: [i, j], target: variable("none", INDEX) }, i, j, 1);
  const axes = r.chance(0.5) ? [i, j] : [j, i];
  const stmt = reduceNest(axes, [extentOf(p), extentOf(p)], [carry], seq([yieldValues([prim(kind, [carry, value])])]), [result]);
  const target = r.pick(p.writable);
  return [stmt, evaluate(store(target, [indexConst(r.below(EXTENT)), indexConst(r.below(EXTENT))], held(p, result)))];
}

/** One element, read and written again. */
function poked(p: Program): readonly Stmt[] {
  const { r, names, dtype } = p;
  const target = r.pick(p.writable);
  const at = [indexConst(r.below(2)), indexConst(1)];
  const s = variable(names.fresh("s"), scalarType(dtype));
  return [assign(s, load(target, at)), evaluate(store(target, at, held(p, add(s, numberConst(1, dtype)))))];
}

/** A local of its own that is written once, then read while what it was computed from may have changed. */
function produced(p: Program, depth: number): readonly Stmt[] {
  const { r, names, dtype } = p;
  const c = variable(names.fresh("c"), tileType([EXTENT, EXTENT], dtype));
  const [i, j] = [axis(p, "i"), axis(p, "j")];
  const source = (): Expr => load(r.pick(p.buffers), r.chance(0.8) ? [i, j] : [j, i]);
  const value = r.chance(0.5) ? source() : held(p, prim(r.pick(["add", "sub", "mul"] as const), [source(), source()]));
  const made = nest([i, j], [indexConst(EXTENT), indexConst(EXTENT)], seq([evaluate(store(c, [i, j], value))]));
  const readers: Program = { ...p, buffers: [...p.buffers, c, c] };
  const between = r.chance(0.5) ? statement(p, 0) : [];
  return [assign(c, allocTensor(c.type as TensorType)), made, ...between, parallel(readers), ...(r.chance(0.5) ? statement(readers, Math.min(depth, 1)) : [])]; // a local is a tile
}

/** Rows one after the other: a row is computed, reduced, and read again. */
function imperfect(p: Program): readonly Stmt[] {
  const { r, names, dtype } = p;
  const c = variable(names.fresh("c"), tileType([EXTENT, EXTENT], dtype));
  const [i, j, k, l] = [axis(p, "i"), axis(p, "j"), axis(p, "k"), axis(p, "l")];
  const target = r.pick(p.writable);
  const from = (): Expr => load(r.pick(p.buffers.filter((b) => b !== target)), [i, j]);
  const row = nest([j], [indexConst(EXTENT)], seq([evaluate(store(c, [i, j], held(p, prim(r.pick(["add", "sub"] as const), [from(), from()]))))]));
  const carry = iterArg(names.fresh("acc"), scalarType(dtype), numberConst(0, dtype));
  const sum = variable(names.fresh("sum"), scalarType(dtype));
  const total = reduceNest([k], [extentOf(p)], [carry], seq([yieldValues([add(carry, load(c, [i, k]))])]), [sum]);
  const last = nest([l], [extentOf(p)], seq([evaluate(store(target, [i, l], held(p, add(load(c, [i, shifted(p, l)]), sum))))]));
  const rows = nest([i], [extentOf(p)], seq([row, total, last]));
  return [assign(c, allocTensor(c.type as TensorType)), rows]; // a local is a tile
}
