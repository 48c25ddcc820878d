// Random programs at `parsed`: scalars that are assigned again and again, branches, loops of all kinds with `break`, `continue`,
// carries and early `return`, reads and writes of elements, tiles. Every program is correct: no name is read before it is
// bound, no older handle is read, loops end. Floats keep to exactly rounded operations, so that results compare bit for bit.

import {
  add, assign, boolConst, breakLoop, constant, continueLoop, dimVar, evaluate, forLoop, ifThen, INDEX, indexConst, iterArg, lessThan, makeFunction, makeModule,
  makeNames, numberConst, prim, returnValues, scalarType, seq, tensorType, tileType, variable, whileLoop, yieldValues,
  type Expr, type IterArg, type LoopMode, type ModuleNode, type Names, type Param, type Stmt, type SymbolDef, type TensorType, type Type, type Var, type VarLike,
} from "@tilefoundry/ir";
import { arrayOf, type Scalar, type Value } from "@tilefoundry/ops/evaluate";
import { isVar, position, SCALARS, smallBound, valueOf, type ScalarDType } from "./generate-values.ts";
import { callOf } from "./kernel.ts";
import { randomBy, type Random } from "./random.ts";

export interface GenerateOptions {
  /** About how many statements. */
  readonly size?: number;
  /** Whether tiles are loaded, computed and stored. */
  readonly tiles?: boolean;
  /** Whether jumps may leave loops with authored carries, which the IR admits and the language does not. */
  readonly wild?: boolean;
}

/** The extent of the arrays that `argumentsFor` makes. */
const EXTENT = 6;
const TILE = 4;

interface Program {
  readonly random: Random;
  readonly names: Names;
  readonly tiles: boolean;
  readonly wild: boolean;
  readonly returns: readonly ScalarDType[];
  /** Statements that may still be made. */
  budget: number;
}

/** What a block sees, and what it may do. Lists are replaced, never changed. */
interface Scope {
  readonly program: Program;
  scalars: readonly VarLike[];
  /** Tiles, and the valid handles of tensors. */
  arrays: readonly VarLike[];
  /** Those of them that may be bound again or written. */
  readonly fixed: ReadonlySet<VarLike>;
  readonly inLoop: boolean;
  readonly mayJump: boolean;
  readonly depth: number;
}

/** A program with one function; the same for the same seed and options. */
export function generate(seed: number, { size = 24, tiles = true, wild = false }: GenerateOptions = {}): ModuleNode {
  const random = randomBy(seed);
  const names = makeNames(["f", "N"]);
  const extent = variable("N", INDEX);
  const symbols: SymbolDef[] = [{ var: extent, lo: 0, hi: 2 ** 31 }];
  const array = (hint: string, dtype: "i32" | "f32" | "u8", direction: Param["direction"]): Param => {
    return { var: variable(names.fresh(hint), tensorType([dimVar(extent)], dtype)), direction };
  };
  const scalar = (hint: string, dtype: ScalarDType): Param => ({ var: variable(names.fresh(hint), scalarType(dtype)), direction: "in" });
  const arrays = [array("a", "i32", "inout"), array("b", "i32", "in"), array("x", "f32", "inout"), array("y", "f32", "in"), array("c", "u8", "inout")];
  const scalars = [scalar("n", "index"), scalar("k", "i32"), scalar("p", "f32"), scalar("q", "bool")];
  const returns = random.chance(0.4) ? [random.pick(["i32", "f32", "index"] as const), ...(random.chance(0.5) ? ["i32" as const] : [])] : [];
  const program: Program = { random, names, tiles, wild, returns, budget: size };
  const scope: Scope = {
    program, scalars: scalars.map((p) => p.var), arrays: arrays.map((p) => p.var), inLoop: false, mayJump: false, depth: 0,
    fixed: new Set(arrays.filter((p) => p.direction === "in").map((p) => p.var)),
  };
  const stmts: Stmt[] = [];
  while (program.budget > 0) stmts.push(...statement(scope));
  if (returns.length > 0) stmts.push(returned(scope));
  const fn = makeFunction({
    name: "f", func: random.chance(0.5) ? "prim" : "incore", params: [...arrays, ...scalars], symbols,
    returns: returns.map(scalarType), body: seq(stmts),
  });
  return makeModule("f", [fn], "f");
}

/** Arguments for a generated program. */
export function argumentsFor(module: ModuleNode, seed: number): readonly Value[] {
  const random = randomBy(seed + 77);
  const pick = (dtype: string): Scalar => {
    if (dtype === "bool") return random.chance(0.5);
    if (dtype === "f32") return random.pick([0, 1, -1, 0.5, 3, -2.5, 100, NaN, Infinity, -0]);
    return dtype === "u8" ? random.below(256) : random.below(12) - 4;
  };
  const params = module.functions[0]?.params ?? [];
  return params.map(({ var: { type } }) => {
    if (type.kind !== "Tensor") return pick(type.kind === "Scalar" ? type.dtype : "index");
    return arrayOf(type.dtype, [EXTENT], Array.from({ length: EXTENT }, () => pick(type.dtype)));
  });
}

// — blocks —

function inner(scope: Scope, change: Partial<Scope> = {}): Scope {
  return { ...scope, depth: scope.depth + 1, ...change };
}

function block(scope: Scope, most = 4): readonly Stmt[] {
  const stmts: Stmt[] = [];
  for (let i = scope.program.random.below(most) + 1; i > 0 && scope.program.budget > 0; i--) stmts.push(...statement(scope));
  return stmts;
}

type Maker = (scope: Scope) => readonly Stmt[];

const SIMPLE: readonly Maker[] = [assignment, assignment, assignment, write, write];
const TILES: readonly Maker[] = [loadTile, computeTile, storeTile, assignment, write];
const CONTROL: readonly Maker[] = [branch, branch, branch, binding, yielding, loop, loop, loop, carrying, natural, counted, parallel];

function statement(scope: Scope): readonly Stmt[] {
  const { program } = scope;
  program.budget--;
  if (scope.mayJump && program.random.chance(0.12)) return jump(scope);
  if (scope.depth > 0 && !scope.inLoop && program.returns.length > 0 && program.random.chance(0.06)) return earlyReturn(scope);
  if (scope.depth === 0 && program.random.chance(0.05)) return rename(scope);
  const list = scope.depth < 4 && program.random.chance(0.4) ? CONTROL : program.tiles && program.random.chance(0.35) ? TILES : SIMPLE;
  return program.random.pick(list)(scope);
}

const value = (dtype: ScalarDType, scope: Scope): Expr => valueOf(dtype, { ...scope, random: scope.program.random });

// — straight-line —

const HINTS = ["a", "t", "s", "x", "acc", "r"] as const;

function newVar(type: Type, { program }: Scope): Var {
  return variable(program.names.fresh(program.random.pick(HINTS)), type);
}

const dtypeOf = (v: VarLike): ScalarDType => (v.type.kind === "Scalar" ? (v.type.dtype as ScalarDType) : "index"); // only scalars of these are made

function assignment(scope: Scope): readonly Stmt[] {
  const { random } = scope.program;
  const open = scope.scalars.filter(isVar).filter((v) => !scope.fixed.has(v));
  if (open.length > 0 && random.chance(0.6)) {
    const target = random.pick(open);
    return [assign(target, value(dtypeOf(target), scope))];
  }
  const dtype = random.pick(SCALARS);
  const target = newVar(scalarType(dtype), scope);
  const made = value(dtype, scope);
  scope.scalars = [...scope.scalars, target];
  return [assign(target, made)];
}

const arrayType = (v: VarLike): TensorType => v.type as TensorType; // only arrays are in `arrays`

function writable(scope: Scope, domain: TensorType["domain"]): readonly VarLike[] {
  return scope.arrays.filter((v) => !scope.fixed.has(v) && arrayType(v).domain === domain);
}

function write(scope: Scope): readonly Stmt[] {
  const { random } = scope.program;
  const targets = [...writable(scope, "tensor"), ...(random.chance(0.3) ? writable(scope, "tile") : [])];
  if (targets.length === 0) return assignment(scope);
  const target = random.pick(targets);
  const dst = callOf("write", { dst: target, indices: [position(value("index", scope), random)], value: value(arrayType(target).dtype as ScalarDType, scope) });
  return [isVar(target) && random.chance(0.2) ? assign(target, dst) : evaluate(dst)];
}

/** At the top level a buffer may go on under a newer name. */
function rename(scope: Scope): readonly Stmt[] {
  const targets = writable(scope, "tensor");
  const { random } = scope.program;
  if (targets.length === 0) return assignment(scope);
  const target = random.pick(targets);
  const newer = newVar(target.type, scope);
  const dst = random.chance(0.3) ? target : callOf("write", { dst: target, indices: [indexConst(0)], value: value(arrayType(target).dtype as ScalarDType, scope) });
  scope.arrays = scope.arrays.map((v) => (v === target ? newer : v));
  return [assign(newer, dst)];
}

// — tiles —

function tileSource(dtype: "i32" | "f32", scope: Scope): Expr {
  const { random } = scope.program;
  const tensors = scope.arrays.filter((v) => arrayType(v).domain === "tensor" && arrayType(v).dtype === dtype);
  if (tensors.length === 0 || random.chance(0.2)) {
    const literal = dtype === "f32" ? random.pick([0, 1, 0.5]) : BigInt(random.below(5));
    return callOf("full", {}, { shape: [BigInt(TILE)], dtype: { dtype }, value: literal });
  }
  return callOf("load", { tensor: random.pick(tensors), offsets: [position(value("index", scope), random)] }, { shapes: [BigInt(TILE)] });
}

const tilesOf = (dtype: "i32" | "f32", scope: Scope): readonly VarLike[] =>
  scope.arrays.filter((v) => arrayType(v).domain === "tile" && arrayType(v).dtype === dtype);

function loadTile(scope: Scope): readonly Stmt[] {
  return bindTile(scope.program.random.pick(["i32", "f32"]), tileSource, scope);
}

function computeTile(scope: Scope): readonly Stmt[] {
  return bindTile(scope.program.random.pick(["i32", "f32"]), (dtype, s) => tileValue(dtype, s, 2), scope);
}

function tileValue(dtype: "i32" | "f32", scope: Scope, depth: number): Expr {
  const { random } = scope.program;
  const tiles = tilesOf(dtype, scope);
  if (depth === 0 || tiles.length === 0) return tiles.length > 0 && random.chance(0.8) ? random.pick(tiles) : tileSource(dtype, scope);
  const b = random.chance(0.2) ? value(dtype, scope) : tileValue(dtype, scope, depth - 1);
  return callOf(random.pick(["add", "mul", "maximum", "sub"]), { a: tileValue(dtype, scope, depth - 1), b });
}

function bindTile(dtype: "i32" | "f32", make: (dtype: "i32" | "f32", scope: Scope) => Expr, scope: Scope): readonly Stmt[] {
  const { random } = scope.program;
  const open = tilesOf(dtype, scope).filter(isVar).filter((v) => !scope.fixed.has(v));
  const made = make(dtype, scope);
  if (open.length > 0 && random.chance(0.5)) return [assign(random.pick(open), made)];
  const target = newVar(tileType([TILE], dtype), scope);
  scope.arrays = [...scope.arrays, target];
  return [assign(target, made)];
}

function storeTile(scope: Scope): readonly Stmt[] {
  const { random } = scope.program;
  const targets = writable(scope, "tensor").filter((v) => arrayType(v).dtype !== "u8");
  if (targets.length === 0) return assignment(scope);
  const target = random.pick(targets);
  const tile = tileValue(arrayType(target).dtype as "i32" | "f32", scope, 1);
  return [evaluate(callOf("store", { tile, offsets: [position(value("index", scope), random)], output_tensor: target }))];
}

// — branches —

function branch(scope: Scope): readonly Stmt[] {
  const then = block(inner(scope));
  const { random } = scope.program;
  const orElse = random.chance(0.5) ? seq(random.chance(0.3) ? branch(inner(scope)) : block(inner(scope))) : undefined;
  return [ifThen(value("bool", scope), seq(then), orElse)];
}

/** Both branches bind a name that is read later. */
function binding(scope: Scope): readonly Stmt[] {
  const dtype = scope.program.random.pick(SCALARS);
  const target = newVar(scalarType(dtype), scope);
  const cond = value("bool", scope);
  const [yes, no] = [inner(scope, { mayJump: false }), inner(scope, { mayJump: false })];
  const then = [...block(yes, 2), assign(target, value(dtype, yes))];
  const orElse = [...block(no, 2), assign(target, value(dtype, no))];
  scope.scalars = [...scope.scalars, target];
  return [ifThen(cond, seq(then), seq(orElse))];
}

function yielding(scope: Scope): readonly Stmt[] {
  const { random } = scope.program;
  const dtypes = random.chance(0.5) ? [random.pick(SCALARS)] : [random.pick(SCALARS), random.pick(SCALARS)];
  const cond = value("bool", scope);
  const side = (): Stmt => {
    const s = inner(scope);
    const stmts = block(s, 2);
    return seq([...stmts, yieldValues(dtypes.map((d) => value(d, s)))]);
  };
  const results = dtypes.map((d) => newVar(scalarType(d), scope));
  const [then, orElse] = [side(), side()];
  scope.scalars = [...scope.scalars, ...results];
  return [ifThen(cond, seq([then]), seq([orElse]), results)];
}

function jump(scope: Scope): readonly Stmt[] {
  const { random } = scope.program;
  const leave = (): Stmt => (random.chance(0.5) ? breakLoop() : continueLoop());
  const then = [...(random.chance(0.4) ? block(inner(scope), 2) : []), leave()];
  const orElse = random.chance(0.4) ? block(inner(scope), 2) : undefined;
  const [first, second] = orElse !== undefined && random.chance(0.5) ? [orElse, then] : [then, orElse];
  return [ifThen(value("bool", scope), seq(first), second && seq(second))];
}

const returned = (scope: Scope): Stmt => returnValues(scope.program.returns.map((d) => value(d, scope)));

function earlyReturn(scope: Scope): readonly Stmt[] {
  return [ifThen(value("bool", scope), seq([...block(inner(scope), 2), returned(scope)]))];
}

// — loops —

function loop(scope: Scope): readonly Stmt[] {
  const { random } = scope.program;
  const step = random.pick([1, 1, 1, 2, 3, -1, -2]);
  const fixed = random.chance(0.5);
  const loopVar = variable(scope.program.names.fresh(fixed ? "i" : "j"), INDEX);
  const mode: LoopMode = fixed && random.chance(0.3) ? "unroll" : "sequential";
  const [low, high] = fixed ? [indexConst(random.below(3)), indexConst(random.below(4) + 3)] : [smallBound(sightOf(scope)), smallBound(sightOf(scope))];
  const mayJump = mode === "sequential" && random.chance(0.7);
  const body = inner(scope, { inLoop: true, mayJump, scalars: [...scope.scalars, loopVar], fixed: new Set([...scope.fixed, loopVar]) });
  const stmts = [...block(body)];
  if (fixed && !mayJump && random.chance(0.6)) stmts.push(...outliving(scope, body));
  const [start, stop] = step > 0 ? [low, high] : [high, low];
  return [forLoop({ loopVar, start, stop, step: indexConst(step), mode, body: seq(stmts) })];
}

/** A name that a loop which surely runs binds, read after it. */
function outliving(scope: Scope, body: Scope): readonly Stmt[] {
  const dtype = scope.program.random.pick(SCALARS);
  const target = newVar(scalarType(dtype), scope);
  const made = value(dtype, body);
  scope.scalars = [...scope.scalars, target];
  return [assign(target, made)];
}

const sightOf = (scope: Scope): Parameters<typeof smallBound>[0] => ({ ...scope, random: scope.program.random });

interface Carried {
  readonly carries: readonly IterArg[];
  readonly results: readonly Var[];
  readonly dtypes: readonly ScalarDType[];
}

function carried(scope: Scope): Carried {
  const { random, names } = scope.program;
  const dtypes = Array.from({ length: random.below(2) + 1 }, () => random.pick(SCALARS));
  const carries = dtypes.map((d) => iterArg(names.fresh("acc"), scalarType(d), value(d, scope)));
  return { carries, dtypes, results: dtypes.map((d) => newVar(scalarType(d), scope)) };
}

/** A counted loop with authored carries. */
function carrying(scope: Scope): readonly Stmt[] {
  const { random, names, wild } = scope.program;
  const { carries, results, dtypes } = carried(scope);
  const loopVar = variable(names.fresh("j"), INDEX);
  const stop = smallBound(sightOf(scope));
  const body = inner(scope, { inLoop: true, mayJump: wild && random.chance(0.6), scalars: [...scope.scalars, loopVar, ...carries], fixed: new Set([...scope.fixed, loopVar]) });
  const stmts = [...block(body), yieldValues(dtypes.map((d) => value(d, body)))];
  scope.scalars = [...scope.scalars, ...results];
  return [forLoop({ loopVar, stop, carries, results, body: seq(stmts) })];
}

/** `while` on a variable that counts up first thing in the body. */
function natural(scope: Scope): readonly Stmt[] {
  const { random, names } = scope.program;
  const count = variable(names.fresh("count"), scalarType("i32"));
  const start = assign(count, numberConst(0, "i32"));
  const below = lessThan(count, numberConst(random.below(5) + 1, "i32"));
  const fixed = new Set([...scope.fixed, count]);
  const outer = { ...scope, scalars: [...scope.scalars, count] };
  const cond = random.chance(0.4) ? prim("and", [below, value("bool", outer)]) : below;
  const body = inner(outer, { inLoop: true, mayJump: random.chance(0.7), fixed });
  return [start, whileLoop(cond, seq([assign(count, add(count, numberConst(1, "i32"))), ...block(body)]))];
}

/** `pl.while_` with authored carries, the first of which counts. */
function counted(scope: Scope): readonly Stmt[] {
  const { random, names } = scope.program;
  const { carries, results, dtypes } = carried(scope);
  const count = iterArg(names.fresh("count"), INDEX, indexConst(0));
  const last = variable(names.fresh("count"), INDEX);
  const body = inner(scope, { inLoop: true, mayJump: false, scalars: [...scope.scalars, count, ...carries] });
  const cond = lessThan(count, indexConst(random.below(5)));
  const stmts = [...block(body), yieldValues([add(count, indexConst(1)), ...dtypes.map((d) => value(d, body))])];
  scope.scalars = [...scope.scalars, last, ...results];
  return [whileLoop(random.chance(0.3) ? boolConst(false) : cond, seq(stmts), [count, ...carries], [last, ...results])];
}

/** Iterations that write elements of their own. */
function parallel(scope: Scope): readonly Stmt[] {
  const { random, names } = scope.program;
  const targets = writable(scope, "tensor");
  if (scope.inLoop || targets.length === 0) return loop(scope);
  const target = random.pick(targets);
  const loopVar = variable(names.fresh("i"), INDEX);
  const outside = new Set([...scope.fixed, ...scope.scalars, ...scope.arrays, loopVar]);
  const body = inner(scope, { inLoop: true, mayJump: false, fixed: outside, scalars: [...scope.scalars, loopVar], arrays: scope.arrays.filter((v) => v !== target) });
  const stmts = [...block(body)];
  const dtype = arrayType(target).dtype as ScalarDType;
  stmts.push(evaluate(callOf("write", { dst: target, indices: [loopVar], value: value(dtype, body) })));
  return [forLoop({ loopVar, stop: constant(BigInt(random.below(EXTENT) + 1), INDEX), mode: "parallel", body: seq(stmts) })];
}
