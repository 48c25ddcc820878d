// Tile expressions as text: loads with tails and at run-time offsets, elementwise chains, expansions, reductions, products, choices,
// casts. What a sum or product is made of is whole numbers, small enough to add up exactly in any order.

import { CAST_MODES, DTYPES, isFloat, type DType } from "@tilefoundry/ir";
import { constText, dtypeText, elementText, isWhole, listText, type Program, type Scope, type TensorName, type Weighted, type Whole } from "./generate-scope.ts";
import { literal, position, value } from "./generate-scalars.ts";

export interface Want {
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** Whether the elements must be whole numbers of at most this magnitude. */
  readonly most?: number;
}

export interface TileText {
  readonly text: string;
  readonly whole: Whole;
}

type Make = (want: Want, scope: Scope, depth: number) => TileText | undefined;

/** A tile of the wanted type; the text is an expression. */
export function tile(want: Want, scope: Scope, depth = 2): TileText {
  const { random } = scope.program;
  const makers = depth <= 0 || random.chance(0.15) ? LEAVES : NODES;
  for (let tries = 0; tries < 6; tries++) {
    const made = random.weighted(makers)(want, scope, depth - 1);
    if (made !== undefined && fits(want, made)) return made;
  }
  return full(want, scope);
}

/** A tile to bind to a name: a copy where the name, or the one it would stand for, is written element by element. */
export function boundTile(want: Want, scope: Scope, written = false, depth = 2): TileText {
  const made = tile(want, scope, depth);
  const other = scope.tiles.find((t) => t.name === made.text);
  return other !== undefined && (written || other.written === true) ? { ...made, text: `pl.clone(${made.text})` } : made;
}

/** Integers wrap, and a sum of them is the same in any order. */
const fits = ({ dtype, most }: Want, { whole }: TileText): boolean => most === undefined || isWhole(dtype) || (whole !== undefined && whole <= most);

/** Largest magnitude of whole numbers that a float dtype adds up exactly. */
const exact = (dtype: DType): number => (dtype === "f64" ? 2 ** 50 : 2 ** 23);

const LEAVES: Weighted<Make> = [[5, named], [4, load], [1, full]];
const NODES: Weighted<Make> = [
  [3, named], [4, load], [0.5, full], [8, binary], [3, unary], [3, expand], [3, reduction], [2, positions], [2, transposed], [3, product], [2, converted], [2, selected], [1, masked], [1, partial], [1, three], [0.5, cloned], [1, fused], [1, truncated],
];

// — leaves —

function named({ dtype, shape }: Want, scope: Scope): TileText | undefined {
  const found = scope.tiles.filter((t) => t.dtype === dtype && sameShape(t.shape, shape));
  if (found.length === 0) return undefined;
  const { name, whole } = scope.program.random.pick(found);
  return { text: name, whole };
}

const sameShape = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((d, i) => d === b[i]);

export function full({ dtype, shape, most }: Want, { program }: Scope): TileText {
  const { random } = program;
  const n = dtype === "bool" ? random.below(2) : random.below(Math.min(most ?? 5, 5));
  const number = dtype === "bool" ? (n === 1 ? "True" : "False") : isFloat(dtype) ? `${n}.0` : String(n);
  return { text: `pl.full(${listText(shape, program)}, dtype=${dtypeText(dtype, program)}, value=${number})`, whole: n };
}

function load({ dtype, shape, most }: Want, scope: Scope): TileText | undefined {
  const { program } = scope;
  const found = scope.tensors.filter((t) => t.dtype === dtype && t.shape.length === shape.length && (most === undefined || isWhole(dtype) || t.whole !== undefined));
  if (found.length === 0) return undefined;
  const { name, shape: extents, whole } = program.random.pick(found);
  return { text: `pl.load(${name}, ${listText(windowOffsets(extents, shape, scope), program)}, ${listText(shape, program)})`, whole };
}

/** Where a window starts: at the beginning, at a multiple of its size, or wherever; in loops at their variables. */
export function windowOffsets(extents: TensorName["shape"], shape: readonly number[], scope: Scope): readonly string[] {
  const { random } = scope.program;
  return extents.map((extent, axis) => {
    const size = shape[axis] ?? 1;
    const loops = scope.scalars.filter((s) => s.dtype === "index" && /^[ijk]\d/.test(s.name));
    if (typeof extent === "string" && loops.length > 0 && random.chance(0.6)) return random.chance(0.8) ? random.pick(loops).name : `${random.pick(loops).name} * ${size}`;
    return random.chance(0.4) ? "0" : position(extent, scope);
  });
}

// — elementwise —

const WHOLE_BINARY = ["add", "sub", "mul", "maximum", "minimum", "div", "fmod", "and_", "or_", "xor", "shl", "shr"];
const FLOAT_BINARY = ["add", "sub", "mul", "maximum", "minimum", "div", "fmod"];
const OPERATORS: Readonly<Record<string, string>> = { add: "+", sub: "-", mul: "*", div: "/" };

function binary(want: Want, scope: Scope, depth: number): TileText | undefined {
  const { dtype } = want;
  const { random } = scope.program;
  if (dtype === "bool") return undefined;
  const ops = want.most !== undefined && isFloat(dtype) ? FLOAT_BINARY.slice(0, 5) : isWhole(dtype) ? WHOLE_BINARY : FLOAT_BINARY;
  const op = random.pick(ops);
  const part = partOf(want, op === "mul");
  const a = tile(part, scope, depth);
  const b = random.chance(0.3) ? number(part, scope) : tile({ ...part, shape: broadcasting(part.shape, scope) }, scope, depth);
  const operator = OPERATORS[op];
  const text = operator !== undefined && op !== "div" && random.chance(0.3) ? `(${a.text} ${operator} ${b.text})` : `pl.${op}(${a.text}, ${b.text})`;
  return { text, whole: wholeOf(op, a.whole, b.whole) };
}

/** What operands may be for a result of at most the wanted magnitude. */
function partOf(want: Want, multiplies: boolean): Want {
  if (want.most === undefined) return want;
  return { ...want, most: Math.max(1, Math.floor(multiplies ? Math.sqrt(want.most) : want.most / 2)) };
}

function wholeOf(op: string, a: Whole, b: Whole): Whole {
  if (a === undefined || b === undefined) return undefined;
  if (op === "add" || op === "sub") return a + b;
  if (op === "mul") return a * b;
  return op === "maximum" || op === "minimum" ? Math.max(a, b) : undefined;
}

function broadcasting(shape: readonly number[], { program: { random } }: Scope): readonly number[] {
  return shape.map((d) => (random.chance(0.12) ? 1 : d));
}

/** A number beside a tile: a literal of at most the wanted magnitude, else any scalar. */
function number({ dtype, most }: Want, scope: Scope): TileText {
  const { random } = scope.program;
  if (most === undefined && random.chance(0.6)) return { text: typed(value(dtype, scope, 2), dtype, scope.program), whole: undefined };
  const n = random.below(Math.min(most ?? 4, 4));
  return { text: elementText(n, dtype, scope.program), whole: n };
}

/** A bare literal of another float dtype would be f32. */
const typed = (text: string, dtype: DType, program: Program): string => (dtype === "f64" && /^-?\d/.test(text) ? constText(text, dtype, program) : text);

function unary(want: Want, scope: Scope, depth: number): TileText | undefined {
  const { dtype, most } = want;
  const { random } = scope.program;
  if (dtype === "bool") return { text: `tf.logical_not(${tile(want, scope, depth).text})`, whole: undefined };
  const op = random.pick(isWhole(dtype) ? ["pl.neg", "pl.abs", "tf.square", "tf.relu", "pl.not_"] : most !== undefined ? ["pl.neg", "pl.abs", "tf.relu", "tf.square"] : ["pl.neg", "pl.abs", "pl.sqrt", "pl.rsqrt", "pl.recip", "tf.square", "tf.relu", "tf.ceil", "tf.floor", "pl.rint"]);
  const x = tile(op === "tf.square" ? partOf(want, true) : want, scope, depth);
  const kept = ["pl.neg", "pl.abs", "tf.relu"].includes(op) ? x.whole : op === "tf.square" && x.whole !== undefined ? x.whole ** 2 : undefined;
  return { text: `${op}(${x.text})`, whole: kept };
}

function fused(want: Want, scope: Scope, depth: number): TileText | undefined {
  if (!isFloat(want.dtype) || want.most !== undefined) return undefined;
  const [a, b, c] = [0, 1, 2].map(() => tile(want, scope, depth).text);
  return { text: `pl.fma(${a}, ${b}, ${c})`, whole: undefined };
}

function truncated(want: Want, scope: Scope, depth: number): TileText | undefined {
  if (!isWhole(want.dtype) || want.dtype === "bool") return undefined;
  const op = scope.program.random.pick(["pl.floor_div", "pl.mod"]);
  return { text: `${op}(${tile(want, scope, depth).text}, ${tile(want, scope, depth).text})`, whole: undefined };
}

function converted(want: Want, scope: Scope, depth: number): TileText | undefined {
  const { dtype, shape, most } = want;
  const { random } = scope.program;
  const from = random.weighted<DType>([...scope.program.arrayDTypes.filter(([, d]) => d !== dtype && (most === undefined || isWhole(dtype) || d === "u8" || d === "bool")), [0.2, "u8"]]);
  const x = tile({ dtype: from, shape }, scope, depth);
  const mode = isFloat(from) && isWhole(dtype) && dtype !== "bool" && random.chance(0.7) ? `, mode="${random.pick(CAST_MODES)}"` : "";
  return { text: `pl.cast(${x.text}, ${dtypeText(dtype, scope.program)}${mode})`, whole: from === "u8" ? 255 : from === "bool" ? 1 : undefined };
}

function selected(want: Want, scope: Scope, depth: number): TileText {
  const { random } = scope.program;
  const { shape } = want;
  if (want.dtype === "bool") return compared(want, scope, depth);
  const condition = random.chance(0.3) ? tile({ dtype: "bool", shape }, scope, depth) : compared({ dtype: "bool", shape }, scope, depth);
  const [a, b] = [tile(want, scope, depth), tile(want, scope, depth)];
  return { text: `tf.where(${condition.text}, ${a.text}, ${b.text})`, whole: wholeOf("maximum", a.whole, b.whole) };
}

function compared({ shape }: Want, scope: Scope, depth: number): TileText {
  const { random } = scope.program;
  const of = { dtype: random.weighted<DType>([...scope.program.arrayDTypes.filter(([, d]) => d !== "bool"), [0.2, "i32"]]), shape };
  return { text: `tf.cmp_${random.pick(["lt", "le", "gt", "ge", "eq", "ne"])}(${tile(of, scope, depth).text}, ${tile(of, scope, depth).text})`, whole: undefined };
}

/** A choice by a packed mask. */
function masked(want: Want, scope: Scope, depth: number): TileText | undefined {
  const { random } = scope.program;
  if (want.dtype === "bool" || want.shape.length === 0) return undefined;
  const of = { dtype: random.weighted<DType>(scope.program.arrayDTypes.filter(([, d]) => d !== "bool")), shape: want.shape };
  const mask = `pl.cmp(${tile(of, scope, depth).text}, ${tile(of, scope, depth).text}, cmp_type=${random.below(6)})`;
  const [a, b] = [tile(want, scope, depth), tile(want, scope, depth)];
  return { text: `pl.sel(${mask}, ${a.text}, ${b.text})`, whole: wholeOf("maximum", a.whole, b.whole) };
}

/** A sum, product or extreme of what is valid in either operand. */
function partial(want: Want, scope: Scope, depth: number): TileText | undefined {
  if (want.dtype === "bool") return undefined;
  const op = scope.program.random.pick(["add", "mul", "max", "min"]);
  const part = partOf(want, op === "mul");
  const [a, b] = [tile(part, scope, depth), tile(part, scope, depth)];
  const either = wholeOf("maximum", a.whole, b.whole);
  const both = op === "add" || op === "mul" ? wholeOf(op, a.whole, b.whole) : either;
  return { text: `pl.part_${op}(${a.text}, ${b.text})`, whole: wholeOf("maximum", either, both) };
}

function three(want: Want, scope: Scope, depth: number): TileText | undefined {
  if (want.dtype === "bool") return undefined;
  const { random } = scope.program;
  const part = partOf(partOf(want, false), false);
  const [a, b, c] = [tile(part, scope, depth), random.chance(0.3) ? number(part, scope) : tile(part, scope, depth), tile(part, scope, depth)];
  return { text: `pl.${random.pick(["addc", "subc"])}(${a.text}, ${b.text}, ${c.text})`, whole: wholeOf("add", wholeOf("add", a.whole, b.whole), c.whole) };
}

function cloned(want: Want, scope: Scope, depth: number): TileText {
  const x = tile(want, scope, depth);
  return { text: `pl.clone(${x.text})`, whole: x.whole };
}

// — rows, columns, axes —

function expand(want: Want, scope: Scope, depth: number): TileText | undefined {
  const { dtype, shape, most } = want;
  const { random } = scope.program;
  if (shape.length !== 2 || dtype === "bool") return undefined;
  const byRow = random.chance(0.7);
  const op = random.pick(most !== undefined || !isFloat(dtype) ? ["add", "sub", "mul", "max", "min", ""] : ["add", "sub", "mul", "div", "max", "min", ""]);
  const part = partOf(want, op === "mul");
  const x = tile(part, scope, depth);
  const vector = tile({ ...part, shape: shape.map((d, axis) => (axis === (byRow ? 1 : 0) ? 1 : d)) }, scope, depth);
  if (op === "") return { text: `pl.${byRow ? "row" : "col"}_expand(${x.text}, ${vector.text})`, whole: vector.whole };
  return { text: `pl.${byRow ? "row" : "col"}_expand_${op}(${x.text}, ${vector.text})`, whole: wholeOf(op === "max" || op === "min" ? "maximum" : op, x.whole, vector.whole) };
}

function reduction(want: Want, scope: Scope, depth: number): TileText | undefined {
  const { dtype, shape, most } = want;
  const { random, extents } = scope.program;
  const axis = shape.length - (shape.length > 1 && random.chance(0.3) ? 2 : 1);
  if (dtype === "bool" || shape[axis] !== 1) return undefined;
  const length = random.pick(extents);
  const kind = random.pick(["sum", "sum", "max", "min", "prod"]);
  const summed = kind === "sum" ? { most: Math.floor((most ?? exact(dtype)) / length) } : kind === "prod" ? { most: Math.floor((most ?? exact(dtype)) ** (1 / length)) } : most === undefined ? {} : { most };
  if ("most" in summed && summed.most < 1) return undefined;
  const x = tile({ dtype, shape: shape.map((d, i) => (i === axis ? length : d)), ...summed }, scope, depth);
  const whole = x.whole === undefined ? undefined : kind === "sum" ? x.whole * length : kind === "prod" ? Math.max(1, x.whole) ** length : undefined;
  return { text: `pl.${axis === shape.length - 1 ? "row" : "col"}_${kind}(${x.text})`, whole };
}

function transposed(want: Want, scope: Scope, depth: number): TileText | undefined {
  const [rows, columns] = want.shape;
  if (rows === undefined || columns === undefined || want.shape.length !== 2) return undefined;
  const x = tile({ ...want, shape: [columns, rows] }, scope, depth);
  return { text: `pl.transpose(${x.text}, 0, 1)`, whole: x.whole };
}

function product(want: Want, scope: Scope, depth: number): TileText | undefined {
  const { dtype, shape, most } = want;
  const { random, extents } = scope.program;
  const [rows, columns] = shape;
  if (rows === undefined || columns === undefined || shape.length !== 2 || DTYPES[dtype].bits < 32) return undefined;
  const length = random.pick(extents);
  const of: DType = dtype === "i32" && random.chance(0.2) ? random.pick(["u8", "i8", "i16", "u16"] as const) : dtype;
  const limit = Math.floor((most ?? exact(dtype)) / 2);
  const factor = Math.floor(Math.sqrt(limit / length));
  if (factor < 1) return undefined;
  const [turnsA, turnsB] = [random.chance(0.2), random.chance(0.2)];
  const a = tile({ dtype: of, shape: turnsA ? [length, rows] : [rows, length], most: factor }, scope, depth);
  const b = tile({ dtype: of, shape: turnsB ? [columns, length] : [length, columns], most: factor }, scope, depth);
  const attributes = `${turnsA ? ", a_trans=True" : ""}${turnsB ? ", b_trans=True" : ""}`;
  const whole = a.whole === undefined || b.whole === undefined ? undefined : a.whole * b.whole * length;
  if (random.chance(0.5)) return { text: `pl.matmul(${a.text}, ${b.text}${attributes})`, whole };
  if (attributes === "" && random.chance(0.3)) {
    const bias = tile({ dtype, shape: [1, columns], most: limit }, scope, depth);
    return { text: `pl.${rows === 1 ? "gemv" : "matmul"}_bias(${a.text}, ${b.text}, ${bias.text})`, whole: wholeOf("add", bias.whole, whole) };
  }
  const acc = tile({ dtype, shape, most: limit }, scope, depth);
  const fresh = random.chance(0.2) ? `, init_cond=${value("bool", scope, 2)}` : "";
  return { text: `pl.matmul_acc(${acc.text}, ${a.text}, ${b.text}${attributes}${fresh})`, whole: wholeOf("add", acc.whole, whole) };
}

/** Where the extremes of rows or columns are. */
function positions({ dtype, shape, most }: Want, scope: Scope, depth: number): TileText | undefined {
  const { random, extents } = scope.program;
  const axis = random.below(2);
  if (dtype !== "i32" || shape.length !== 2 || shape[axis] !== 1) return undefined;
  const length = random.pick(extents);
  if (most !== undefined && most < length) return undefined;
  const of = random.weighted<DType>(scope.program.arrayDTypes.filter(([, d]) => d !== "bool"));
  const x = tile({ dtype: of, shape: shape.map((d, i) => (i === axis ? length : d)) }, scope, depth);
  return { text: `pl.${axis === 1 ? "row" : "col"}_arg${random.pick(["max", "min"])}(${x.text})`, whole: length };
}

/** One element to put into an array. */
export const elementOf = (dtype: DType, scope: Scope): string => {
  const text = scope.program.random.chance(0.8) ? value(dtype, scope, 2) : literal(dtype, scope);
  return typed(text, dtype, scope.program);
};
