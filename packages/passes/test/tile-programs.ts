// Random tile programs at `outlined`: windows with tails and at negative offsets, elementwise chains, reductions, products, tiles that
// are carried, swapped and chosen, stores, single elements. Floats stay small integers, so that results compare bit for bit whatever
// the order of a sum.

import {
  add, indexConst, lessThan, mul, numberConst, prim, sub, tensorType, toExpr,
  type Dim, type DType, type Expr, type IterArg, type ModuleNode, type TensorType, type Var, type VarLike,
} from "@tilefoundry/ir";
import { makeKernel, type Kernel } from "./kernel.ts";
import { randomBy, type Random } from "./random.ts";

/** Largest magnitude that a float may have and still add up exactly. */
const EXACT = 2 ** 18;
const DTYPES = ["f32", "f32", "i32", "f64", "i64", "u8"] as const satisfies readonly DType[];

interface Tile {
  readonly value: VarLike;
  /** Bound of its elements' magnitude. */
  readonly most: number;
}

interface Program {
  readonly k: Kernel;
  readonly r: Random;
  readonly dtype: DType;
  readonly rows: number;
  readonly cols: number;
  /** Tensors that are only read. */
  readonly inputs: readonly Var[];
  /** Offsets of the tile that the loops stand at. */
  readonly at: readonly [Expr, Expr];
  /** Index scalars in scope. */
  readonly indices: readonly Expr[];
  pool: readonly Tile[];
  output: VarLike;
  readonly overlaps: boolean;
}

/** A program with parameters `a`, `b`, `c`; the same for the same seed. */
export function tileProgram(seed: number, size = 10): ModuleNode {
  const r = randomBy(seed);
  const k = makeKernel("f");
  const dtype = r.pick(DTYPES);
  const [M, N] = [k.symbol("M"), k.symbol("N")];
  const type = tensorType([M, N], dtype);
  const inputs = [k.param("a", type), k.param("b", type)];
  const c = k.param("c", type, "inout");
  const rows = r.pick([1, 2, 3, 4, 8]);
  const cols = r.chance(0.2) ? rows : r.pick([1, 4, 7, 8, 12, 16]);
  const overlaps = r.chance(0.3);
  const mode = overlaps ? "sequential" : r.pick(["parallel", "sequential"] as const);
  k.loop(toExpr(M), { step: rows, mode, hint: "i" }, [c], (i, [ci]) =>
    k.loop(toExpr(N), { step: cols, mode: "sequential", hint: "j" }, [ci as Expr], (j, [cj]) => {
      const p: Program = { k, r, dtype, rows, cols, inputs, at: [i, j], indices: [i, j], pool: [], output: cj as VarLike, overlaps };
      load(p);
      for (let n = 0; n < size; n++) step(p, 2);
      storeSome(p);
      return [p.output];
    }),
  );
  return k.done();
}

// — statements —

type Make = (p: Program, depth: number) => void;

const STEPS: readonly Make[] = [load, load, unary, unary, binary, binary, binary, reduce, expand, product, fill, turn, carried, chosen, storeSome, element];

function step(p: Program, depth: number): void {
  p.r.pick(STEPS)(p, depth);
}

function keep(p: Program, value: Var, most: number): void {
  if (p.dtype !== "i32" && p.dtype !== "i64" && p.dtype !== "u8" && most > EXACT) {
    const high = p.k.op("low", "minimum", { a: value, b: numberConst(64, p.dtype) });
    return keep(p, p.k.op("held", "maximum", { a: high, b: numberConst(-64, p.dtype) }), 64);
  }
  p.pool = [...p.pool, { value, most }];
}

const shapeOf = (t: Tile): readonly Dim[] => (t.value.type as TensorType).shape; // the pool holds tiles
const isShape = (t: Tile, rows: number, cols: number): boolean => shapeOf(t)[0] === rows && shapeOf(t)[1] === cols;
const pickTile = (p: Program, fits: (t: Tile) => boolean = () => true): Tile | undefined => {
  const all = p.pool.filter(fits);
  return all.length === 0 ? undefined : p.r.pick(all);
};

function load(p: Program): void {
  const { k, r } = p;
  const from = p.overlaps && r.chance(0.3) ? p.output : r.pick(p.inputs);
  const shift = (e: Expr): Expr => (r.chance(0.7) ? e : add(e, indexConst(r.pick([-2, -1, 1, 3]))));
  const offsets = r.chance(0.85) ? p.at.map(shift) : [indexConst(0), p.at[1]];
  keep(p, k.op("x", "load", { tensor: from, offsets }, { shapes: [BigInt(p.rows), BigInt(p.cols)] }), 16);
}

function unary(p: Program): void {
  const t = pickTile(p);
  if (t === undefined) return;
  const op = p.r.pick(["neg", "abs", "relu", "square", "clone"]);
  keep(p, p.k.op(op, op, { x: t.value }), op === "square" ? t.most * t.most : t.most);
}

function binary(p: Program): void {
  const { r, k } = p;
  const a = pickTile(p);
  if (a === undefined) return;
  const op = r.pick(["add", "sub", "mul", "maximum", "minimum"]);
  const b = pickTile(p, (t) => shapeOf(t).every((d, i) => d === shapeOf(a)[i] || d === 1));
  const literal = r.below(7);
  const right = b === undefined || r.chance(0.2) ? numberConst(literal, p.dtype) : b.value;
  const most = right === b?.value ? b.most : literal;
  keep(p, k.op(op, op, { a: a.value, b: right }), op === "mul" ? a.most * most : a.most + most);
}

function reduce(p: Program): void {
  const t = pickTile(p);
  if (t === undefined) return;
  const op = p.r.pick(["row_sum", "row_max", "row_min", "col_sum", "col_max"]);
  keep(p, p.k.op(op, op, { x: t.value }), op.endsWith("sum") ? t.most * 16 : t.most);
}

function expand(p: Program): void {
  const t = pickTile(p, (x) => isShape(x, p.rows, p.cols));
  const row = pickTile(p, (x) => isShape(x, p.rows, 1));
  if (t === undefined || row === undefined) return;
  keep(p, p.k.op("spread", p.r.pick(["row_expand_add", "row_expand_sub", "row_expand_mul"]), { x: t.value, row_vec: row.value }), Math.max(t.most + row.most, t.most * row.most));
}

function product(p: Program): void {
  if (p.dtype === "u8") return;
  const a = pickTile(p);
  const b = a === undefined ? undefined : pickTile(p, (t) => shapeOf(t)[0] === shapeOf(a)[1] || shapeOf(t)[1] === shapeOf(a)[1]);
  if (a === undefined || b === undefined || a.most * b.most * 16 > EXACT * 8) return;
  const turned = shapeOf(b)[0] !== shapeOf(a)[1];
  const made = p.k.op("product", "matmul", { a: a.value, b: b.value }, { b_trans: turned });
  keep(p, p.k.op("held", "maximum", { a: p.k.op("held", "minimum", { a: made, b: numberConst(64, p.dtype) }), b: numberConst(-64, p.dtype) }), 64);
}

function fill(p: Program): void {
  const value = p.r.below(5);
  keep(p, p.k.op("constant", "full", {}, { shape: [BigInt(p.rows), BigInt(p.cols)], dtype: { dtype: p.dtype }, value }), value);
}

function turn(p: Program): void {
  const t = pickTile(p);
  if (t !== undefined) keep(p, p.k.op("turned", "transpose", { x: t.value }, { axis1: 0n, axis2: 1n }), t.most);
}

/** A loop that carries one tile or two, which may change places, turn, or start another loop inside. */
function carried(p: Program, depth: number): void {
  if (depth === 0) return;
  const { r, k } = p;
  const first = pickTile(p);
  if (first === undefined) return;
  const alike = (t: Tile): boolean => shapeOf(t).every((d, i) => d === shapeOf(first)[i]);
  const second = pickTile(p, alike);
  const inits = r.chance(0.6) && second !== undefined ? [first, second] : [first];
  const outside = p.pool;
  const results = k.loop(r.chance(0.2) ? indexConst(0) : indexConst(1 + r.below(3)), { hint: "t" }, inits.map((t) => t.value), (t, carries) => {
    const own = carries.map((value: IterArg): Tile => ({ value, most: EXACT }));
    const inner: Program = { ...p, indices: [...p.indices, t], pool: [...outside.slice(-3), ...own] };
    for (let n = 0; n < 2; n++) step(inner, depth - 1);
    const yields = own.map((c) => nextOf(inner, c, alike));
    const rotated = r.chance(0.25) ? carries : yields;
    return r.chance(0.3) ? [...rotated].reverse() : rotated;
  });
  for (const result of results) keep(p, result, EXACT * 2);
}

/** What a carry is in the next iteration. */
function nextOf(p: Program, carry: Tile, alike: (t: Tile) => boolean): VarLike {
  const { r, k } = p;
  const [rows, cols] = shapeOf(carry);
  if (rows === cols && r.chance(0.5)) return k.op("turned", "transpose", { x: carry.value }, { axis1: 0n, axis2: 1n });
  const other = pickTile(p, alike);
  if (other === undefined) return carry.value;
  if (r.chance(0.2)) return other.value;
  return r.chance(0.3) ? carry.value : k.op("next", r.pick(["maximum", "minimum"]), { a: carry.value, b: other.value });
}

function chosen(p: Program, depth: number): void {
  if (depth === 0) return;
  const { r, k } = p;
  const like = pickTile(p);
  if (like === undefined) return;
  const side = (): readonly Expr[] => {
    const inner: Program = { ...p, pool: p.pool };
    for (let n = 0; n < 2; n++) step(inner, 0);
    return [(pickTile(inner, (t) => shapeOf(t).every((d, i) => d === shapeOf(like)[i])) ?? like).value];
  };
  const [result] = k.choose(lessThan(r.pick(p.indices), indexConst(r.below(9))), side, side);
  if (result !== undefined) keep(p, result, EXACT * 2);
}

/** Only in the block of the loops: a branch would have to pass the handle on. */
function storeSome(p: Program, depth = 2): void {
  const t = pickTile(p, (x) => isShape(x, p.rows, p.cols));
  if (t === undefined || depth < 2) return;
  const offsets = p.overlaps && p.r.chance(0.4) ? [add(p.at[0], indexConst(p.r.pick([-1, 1]))), p.at[1]] : p.at;
  p.output = p.k.op("c", "store", { tile: t.value, offsets, output_tensor: p.output });
}

/** An element read from a tile or a tensor, inside or not, takes part in a tile. */
function element(p: Program): void {
  const { r, k } = p;
  const t = pickTile(p);
  if (t === undefined) return;
  const at = (e: Expr, axis: number): Expr => {
    const extent = shapeOf(t)[axis];
    return typeof extent === "number" && r.chance(0.5) ? indexConst(r.below(extent)) : sub(prim("mod", [mul(e, indexConst(3)), indexConst(5)]), indexConst(r.below(2)));
  };
  const index = p.at.map(at);
  const from = r.chance(0.5) ? t.value : r.pick(p.inputs);
  const s = k.op("s", "read", { src: from, indices: index });
  keep(p, k.op("sum", "add", { a: t.value, b: s }), t.most + (from === t.value ? t.most : 16));
}
