// Random functions as they stand at `placed`: scalars and vectors of every dtype, masked accesses, loops with carries, branches with
// results. Every access is in bounds by its form, and loops are short.

import {
  allocTensor, assign, constant, DTYPES, evaluate, forLoop, ifThen, INDEX, indexConst, isFloat, isInteger, iterArg, load, makeFunction, makeModule, MATH_PRIMS, numberConst, prim,
  primType, PRIMS, scalarType, seq, splat, store, tensorType, tileType, variable, vecType, whileLoop, yieldValues,
  type DType, type Expr, type FunctionNode, type ModuleNode, type PrimOp, type ScalarType, type Seq, type Stmt, type Var, type VarLike, type VecType,
} from "@tilefoundry/ir";

export const LENGTH = 64;
export const BUFFER_DTYPES = ["f32", "f64", "i8", "i16", "i32", "u8", "u16", "u32", "u64", "i64", "bool"] as const satisfies readonly DType[];

type Register = ScalarType | VecType;

/** Uniform whole numbers below a bound. */
export interface Random {
  (bound: number): number;
}

interface Place {
  readonly random: Random;
  /** Registers in scope. */
  readonly values: readonly VarLike[];
  readonly buffers: readonly Var[];
  readonly names: { next: number };
  readonly depth: number;
}

export function placedProgram(random: Random): ModuleNode {
  const params = BUFFER_DTYPES.map((d) => variable(`${d}s`, tensorType([LENGTH], d)));
  const scalars = [variable("scale", scalarType("f32")), variable("count", scalarType("i32")), variable("at", INDEX)];
  const tile = variable("tile", tileType([4, 16], "f32"));
  const place: Place = { random, values: scalars, buffers: [...params, tile], names: { next: 0 }, depth: 0 };
  const type = tileType([4, 16], "f32");
  const body = seq([
    assign(tile, prim("alloc_tensor", [], { ...allocTensor(type).attrs, offset: 0 })),
    ...fill(tile),
    ...statements(place, 6),
  ]);
  const fn: FunctionNode = makeFunction({
    name: "random_kernel", func: "prim", body,
    params: [...params.map((v) => ({ var: v, direction: "inout" as const })), ...scalars.map((v) => ({ var: v, direction: "in" as const }))],
  });
  return makeModule("random", [fn], fn.name);
}

/** A tile holds nothing at first, so everything is written before it is read. */
function fill(tile: Var): readonly Stmt[] {
  const [r, c] = [variable("fill_r", INDEX), variable("fill_c", INDEX)];
  const body = seq([evaluate(store(tile, [r, c], constant(0.5, scalarType("f32"))))]);
  return [forLoop({ loopVar: r, stop: indexConst(4), body: seq([forLoop({ loopVar: c, stop: indexConst(16), body })]) })];
}

const pick = <T>(random: Random, items: readonly T[]): T => {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
};

function fresh(place: Place, hint: string, type: Register): Var {
  return variable(`${hint}${place.names.next++}`, type);
}

// — statements —

function statements(place: Place, count: number): readonly Stmt[] {
  const stmts: Stmt[] = [];
  let here = place;
  for (let i = 0; i < count; i++) {
    const { made, defined } = statement(here);
    stmts.push(...made);
    here = { ...here, values: [...here.values, ...defined] };
  }
  return stmts;
}

interface Made {
  readonly made: readonly Stmt[];
  readonly defined: readonly VarLike[];
}

function statement(place: Place): Made {
  const { random, depth } = place;
  const choice = random(depth > 2 ? 5 : 9);
  if (choice < 3) return definition(place);
  if (choice < 5) return { made: [evaluate(storing(place))], defined: [] };
  if (choice < 7) return branching(place);
  return choice === 7 ? counting(place) : repeating(place);
}

function definition(place: Place): Made {
  const target = fresh(place, "v", registerType(place.random));
  return { made: [assign(target, expression(target.type as Register, place, 3))], defined: [target] }; // `fresh` makes registers
}

function branching(place: Place): Made {
  const results = Array.from({ length: place.random(3) }, () => fresh(place, "r", registerType(place.random)));
  const inner = { ...place, depth: place.depth + 1 };
  const branch = (): Seq => endingIn(inner, results.map((r) => r.type as Register)); // `fresh` makes registers
  const cond = expression(scalarType("bool"), place, 2);
  return { made: [ifThen(cond, branch(), results.length > 0 || place.random(2) === 0 ? branch() : undefined, results)], defined: results };
}

function carriesOf(place: Place) {
  return Array.from({ length: place.random(4) }, () => {
    const type = registerType(place.random);
    return iterArg(`c${place.names.next++}`, type, expression(type, place, 2));
  });
}

function counting(place: Place): Made {
  const { random } = place;
  const carries = carriesOf(place);
  const results = carries.map((carry) => fresh(place, "t", carry.type as Register)); // carries are registers
  const loopVar = fresh(place, "i", INDEX);
  const [start, step] = [random(9) - 4, pick(random, [1, 2, 3, 5, -1, -2, -4])];
  const stop = start + Math.sign(step) * random(7);
  const inner = { ...place, depth: place.depth + 1, values: [...place.values, loopVar, ...carries] };
  const body = endingIn(inner, carries.map((carry) => carry.type as Register)); // carries are registers
  const bound = random(2) === 0 ? indexConst(stop) : prim("min", [prim("mod", [expression(INDEX, place, 1), indexConst(5)]), indexConst(stop)]);
  const made = forLoop({ loopVar, start: indexConst(start), stop: random(3) === 0 && step > 0 ? bound : indexConst(stop), step: indexConst(step), carries, body, results });
  return { made: [made], defined: results };
}

/** A counter bounds the trips, beside a condition on anything. */
function repeating(place: Place): Made {
  const left = iterArg(`n${place.names.next++}`, scalarType("i32"), numberConst(place.random(5), "i32"));
  const others = carriesOf(place);
  const carries = [left, ...others];
  const results = carries.map((carry) => fresh(place, "w", carry.type as Register)); // carries are registers
  const inner = { ...place, depth: place.depth + 1, values: [...place.values, ...carries] };
  const stmts = statements(inner, place.random(3));
  const values = others.map((carry) => expression(carry.type as Register, inner, 2)); // carries are registers
  const next = prim("sub", [left, numberConst(1, "i32")]);
  const cond = prim("and", [prim("gt", [left, numberConst(0, "i32")]), expression(scalarType("bool"), inner, 1)]);
  return { made: [whileLoop(cond, seq([...stmts, yieldValues([next, ...values])]), carries, results)], defined: results };
}

function endingIn(place: Place, types: readonly Register[]): Seq {
  let here = place;
  const stmts: Stmt[] = [];
  for (let i = place.random(4); i > 0; i--) {
    const { made, defined } = statement(here);
    stmts.push(...made);
    here = { ...here, values: [...here.values, ...defined] };
  }
  const values = types.map((type) => expression(type, here, 2));
  return seq([...stmts, ...(types.length > 0 ? [yieldValues(values)] : [])]);
}

function storing(place: Place): Expr {
  const { random } = place;
  const buffer = pick(random, place.buffers);
  if (buffer.type.kind !== "Tensor") throw new Error("no buffer");
  const lanes = pick(random, [1, 1, 2, 4, 8]);
  const type = lanes === 1 ? scalarType(buffer.type.dtype) : vecType(buffer.type.dtype, lanes);
  const mask = random(3) === 0 ? expression(lanes === 1 ? scalarType("bool") : vecType("bool", lanes), place, 1) : undefined;
  return store(buffer, indices(buffer, lanes, place), expression(type, place, 2), mask);
}

// — expressions —

function registerType(random: Random): Register {
  const dtype = pick(random, [...BUFFER_DTYPES, "index"] as const);
  return random(3) === 0 ? vecType(dtype, pick(random, [2, 4, 8])) : scalarType(dtype);
}

const lanesOf = (t: Register): number => (t.kind === "Vec" ? t.lanes : 1);
const withDType = (dtype: DType, lanes: number): Register => (lanes === 1 ? scalarType(dtype) : vecType(dtype, lanes));

/** In bounds for so many lanes along the last axis, whatever the value before the modulo. */
function indices(buffer: Var, lanes: number, place: Place): readonly Expr[] {
  if (buffer.type.kind !== "Tensor") throw new Error("no buffer");
  return buffer.type.shape.map((extent, axis) => {
    const last = axis === (buffer.type.kind === "Tensor" ? buffer.type.shape.length : 0) - 1;
    const most = Number(extent) - (last ? lanes - 1 : 0);
    if (place.random(4) === 0) return indexConst(place.random(most));
    return prim("mod", [expression(INDEX, place, 1), indexConst(most)]);
  });
}

function expression(type: Register, place: Place, depth: number): Expr {
  const { random } = place;
  const known = place.values.filter((v) => v.type === type);
  if (known.length > 0 && random(depth > 0 ? 3 : 2) === 0) return pick(random, known);
  if (depth === 0 || random(6) === 0) return literal(type, random);
  const ways = [loaded, computed, computed, computed, converted, chosen, spread, gathered];
  return pick(random, ways)(type, place, depth - 1) ?? literal(type, random);
}

function literal(type: Register, random: Random): Expr {
  const { dtype } = type;
  if (dtype === "bool") return constant(random(2) === 0, type);
  if (isFloat(dtype)) return constant(pick(random, [0, -0, 1, -1.5, 0.1, 3e8, 1e-3, Infinity, NaN]), type);
  const { bits, kind } = DTYPES[dtype];
  const small = BigInt(random(9) - (kind === "int" ? 4 : 0));
  const large = pick(random, [2n ** BigInt(bits - 1) - 1n, kind === "int" ? -(2n ** BigInt(bits - 1)) : 2n ** BigInt(bits) - 1n]);
  return constant(random(4) === 0 ? large : small, type);
}

function loaded(type: Register, place: Place, depth: number): Expr | undefined {
  const buffers = place.buffers.filter((b) => b.type.kind === "Tensor" && b.type.dtype === type.dtype);
  if (buffers.length === 0) return undefined;
  const buffer = pick(place.random, buffers);
  const lanes = lanesOf(type);
  const mask = place.random(4) === 0 ? expression(withDType("bool", lanes), place, depth) : undefined;
  return load(buffer, indices(buffer, lanes, place), mask === undefined ? { lanes } : { lanes, mask });
}

const SPECIAL: ReadonlySet<PrimOp> = new Set<PrimOp>(["select", "cast", "bitcast", "splat", "lane", "reduce", "alloc_tensor", "load", "store", ...MATH_PRIMS]);
const PLAIN = (Object.keys(PRIMS) as PrimOp[]).filter((op) => !SPECIAL.has(op)); // Object.keys forgets its key type

/** A primitive on operands of one type that gives the wanted one. */
function computed(type: Register, place: Place, depth: number): Expr | undefined {
  const op = pick(place.random, PLAIN);
  const from = type.dtype === "bool" ? pick(place.random, [...BUFFER_DTYPES]) : type.dtype;
  const operand = withDType(from, lanesOf(type));
  const args = PRIMS[op].operands.map(() => variable("x", operand));
  if (primType(op, args) !== type) return undefined;
  return prim(op, args.map(() => expression(operand, place, depth)));
}

function converted(type: Register, place: Place, depth: number): Expr {
  const from = pick(place.random, [...BUFFER_DTYPES]);
  const x = expression(withDType(from, lanesOf(type)), place, depth);
  const rounds = isFloat(from) && isInteger(type.dtype);
  return prim("cast", [x], { dtype: type.dtype, ...(rounds ? { mode: pick(place.random, ["trunc", "floor", "ceil", "rint", "round"] as const) } : {}) });
}

function chosen(type: Register, place: Place, depth: number): Expr {
  const cond = expression(withDType("bool", lanesOf(type)), place, depth);
  return prim("select", [cond, expression(type, place, depth), expression(type, place, depth)]);
}

function spread(type: Register, place: Place, depth: number): Expr | undefined {
  return type.kind === "Vec" ? splat(expression(scalarType(type.dtype), place, depth), type.lanes) : undefined;
}

function gathered(type: Register, place: Place, depth: number): Expr | undefined {
  if (type.kind === "Vec") return undefined;
  const lanes = pick(place.random, [2, 4, 8]);
  const v = expression(vecType(type.dtype, lanes), place, depth);
  if (place.random(2) === 0) return prim("lane", [v], { index: place.random(lanes) });
  const kind = type.dtype === "bool" ? pick(place.random, ["and", "or"] as const) : pick(place.random, ["add", "mul", "max", "min"] as const);
  return prim("reduce", [v], { kind });
}
