// Value functions as text: a few named values over tensors, then what is returned.

import { CAST_MODES, isFloat, type DType } from "@tilefoundry/ir";
import type { Random } from "./generate-random.ts";
import { isWhole } from "./generate-scope.ts";

interface Value {
  readonly text: string;
  readonly dtype: DType;
  readonly shape: readonly (number | string)[];
  /** Bound of whole numbers, as of tiles. */
  readonly whole: number | undefined;
  readonly isParam: boolean;
}

interface Graph {
  readonly random: Random;
  readonly values: Value[];
  made: number;
}

const DTYPES: readonly (readonly [number, DType])[] = [[5, "f32"], [2, "i32"], [1, "f64"], [1, "u8"], [1, "u32"], [0.5, "i8"], [0.5, "i16"], [0.5, "u16"], [0.5, "u64"]];

export function graphProgram(random: Random, name: string, size: number): string {
  const shape: readonly (number | string)[] = random.pick([["N", 8], ["N", "M"], [5, "N"], ["N"], [3, 7], ["N", 0], ["N", 4, "M"]]);
  const dtype = random.weighted(DTYPES);
  const params: readonly Value[] = [
    { text: "small_x", dtype, shape, whole: 4, isParam: true },
    { text: "y", dtype, shape, whole: undefined, isParam: true },
    { text: "small_v", dtype, shape: shape.slice(-1), whole: 4, isParam: true },
    { text: "n", dtype: random.weighted(DTYPES), shape: random.pick([shape, [6, 6]]), whole: undefined, isParam: true },
  ].slice(0, 1 + random.below(4));
  const g: Graph = { random, values: [...params], made: 0 };
  const lines: string[] = [];
  for (let n = Math.max(1, Math.ceil(size / 2)); n > 0; n--) {
    if (random.chance(0.15)) {
      lines.push(...loop(g, 2));
      continue;
    }
    const value = made(g);
    if (value === undefined) continue;
    const label = `v${++g.made}`;
    lines.push(`${label} = ${value.text}`);
    g.values.push({ ...value, text: label, isParam: false });
  }
  const results = g.values.slice(params.length);
  const returned = results.length === 0 ? [{ text: "tf.neg(small_x)" }] : results.slice(-1 - random.below(3));
  const signature = params.map((p) => `${p.text}: Tensor[(${p.shape.join(", ")}${p.shape.length === 1 ? "," : ""}), "${p.dtype}"]`);
  return ["@func", `def ${name}(${signature.join(", ")}):`, ...[...lines, `return ${returned.map((v) => v.text).join(", ")}`].map((l) => `    ${l}`), ""].join("\n");
}

/**
 * A loop that carries one or two values; what it makes besides is its own. It carries no parameter: whether a result is one would depend on
 * how much is known of the loop.
 */
function loop(g: Graph, depth: number): readonly string[] {
  const { random } = g;
  const own = g.values.filter((v) => !v.isParam);
  if (own.length === 0) return [];
  const carried = Array.from({ length: 1 + random.below(2) }, () => random.pick(own)).map((v) => ({ start: v.text, value: { ...v, text: `v${++g.made}`, whole: undefined } }));
  const inside: Graph = { random, values: [...g.values, ...carried.map((c) => c.value)], get made() { return g.made; }, set made(n) { g.made = n; } };
  const body: string[] = [];
  for (let n = random.below(3); n > 0; n--) {
    const value = made(inside);
    if (value === undefined) continue;
    const label = `v${++g.made}`;
    body.push(`${label} = ${value.text}`);
    inside.values.push({ ...value, text: label, isParam: false });
  }
  if (depth > 0 && random.chance(0.3)) body.push(...loop(inside, depth - 1));
  const next = carried.map(({ value }) => random.pick(inside.values.filter((v) => !v.isParam && v.dtype === value.dtype && sameShape(v, value))).text);
  const names = carried.map((c) => c.value.text);
  body.push(...(random.chance(0.5) ? [`${names.join(", ")} = ${next.join(", ")}`] : names.map((name, i) => `${name} = ${next[i]}`)));
  g.values.push(...carried.map((c) => c.value));
  const header = random.pick([`range(${random.below(4)})`, `range(1, ${1 + random.below(4)})`, `T.range(0, ${random.below(7)}, 2)`, `tile(${1 + random.below(9)}, 3)`]);
  return [...carried.map((c) => `${c.value.text} = ${c.start}`), `for i${++g.made} in ${header}:`, ...body.map((l) => `    ${l}`)];
}

type Make = (x: Value, g: Graph) => Value | undefined;

function made(g: Graph): Value | undefined {
  const { random } = g;
  for (let tries = 0; tries < 6; tries++) {
    const value = random.weighted(MAKERS)(random.pick(g.values), g);
    if (value !== undefined) return value;
  }
  return undefined;
}

const MAKERS: readonly (readonly [number, Make])[] = [
  [6, binary], [2, withNumber], [3, unary], [4, reduced], [2, transposed], [2, product], [2, converted], [2, chosen], [1, clamped], [1, filled], [1, positions],
];

const sameShape = (a: Value, b: Value): boolean => String(a.shape) === String(b.shape);

/** Right-aligned: one shape ends in the other, or an axis has extent 1. */
const broadcasts = (a: Value, b: Value): boolean =>
  b.shape.length <= a.shape.length && b.shape.every((d, i) => d === 1 || d === a.shape[a.shape.length - b.shape.length + i]);

function partner(x: Value, g: Graph): Value | undefined {
  const fitting = g.values.filter((v) => v.dtype === x.dtype && broadcasts(x, v));
  return fitting.length === 0 ? undefined : g.random.pick(fitting);
}

function binary(x: Value, g: Graph): Value | undefined {
  const { random } = g;
  const other = partner(x, g);
  if (x.dtype === "bool" || other === undefined) return undefined;
  const op = random.pick(["+", "-", "*", "max", "min", ...(isFloat(x.dtype) ? ["/"] : ["//", "%"])]);
  const text = /^m/.test(op) ? `tf.${op}(${x.text}, ${other.text})` : op === "//" || op === "%" ? `${op === "%" ? "pl.mod" : "pl.floor_div"}(${x.text}, ${other.text})` : `${x.text} ${op} ${other.text}`;
  const [a, b] = [x.whole, other.whole];
  const whole = a === undefined || b === undefined ? undefined : op === "*" ? a * b : op === "+" || op === "-" ? a + b : /^m/.test(op) ? Math.max(a, b) : undefined;
  return { ...x, text, whole };
}

function withNumber(x: Value, { random }: Graph): Value | undefined {
  if (!isFloat(x.dtype)) return undefined;
  const n = random.below(4);
  return random.chance(0.5) ? { ...x, text: `${x.text} * ${n}.0`, whole: x.whole === undefined ? undefined : x.whole * n } : { ...x, text: `${n}.5 - ${x.text}`, whole: undefined };
}

function unary(x: Value, { random }: Graph): Value | undefined {
  if (x.dtype === "bool") return { ...x, text: `tf.logical_not(${x.text})` };
  const kept = random.pick(["neg", "abs", "relu"]);
  if (random.chance(0.5)) return { ...x, text: `tf.${kept}(${x.text})` };
  if (random.chance(0.3)) return { ...x, text: `tf.square(${x.text})`, whole: x.whole === undefined ? undefined : x.whole ** 2 };
  return isFloat(x.dtype) ? { ...x, text: `tf.${random.pick(["sqrt", "rsqrt", "recip", "ceil", "floor", "round"])}(${x.text})`, whole: undefined } : undefined;
}

/** Longest row that arguments have. */
const LONGEST = 40;

function reduced(x: Value, { random }: Graph): Value | undefined {
  if (x.dtype === "bool" || x.shape.length === 0) return undefined;
  const axes = x.shape.map((_, i) => i).filter(() => random.chance(0.5));
  const sums = isWhole(x.dtype) || (x.whole !== undefined && x.whole * LONGEST ** axes.length < 2 ** 23);
  const kind = random.pick([...(sums ? ["sum", "sum"] : []), ...(sums && isFloat(x.dtype) ? ["mean"] : []), "max", "min", "abs_max"]);
  const keepdim = random.chance(0.6);
  const shape = keepdim ? x.shape.map((d, i) => (axes.includes(i) ? 1 : d)) : x.shape.filter((_, i) => !axes.includes(i));
  const shown = axes.map((axis) => (random.chance(0.3) ? axis - x.shape.length : axis));
  const text = `tf.reduce(${x.text}, axes=(${shown.join(", ")}${shown.length === 1 ? "," : ""}), keepdim=${keepdim ? "True" : "False"}, kind="${kind}")`;
  return { ...x, text, shape, whole: kind === "sum" && x.whole !== undefined ? x.whole * LONGEST ** axes.length : undefined };
}

/** Where the largest elements along an axis are. */
function positions(x: Value, { random }: Graph): Value | undefined {
  if (x.dtype === "bool" || x.shape.length === 0) return undefined;
  const axis = random.below(x.shape.length);
  const shown = random.chance(0.3) ? axis - x.shape.length : axis;
  return { text: `tf.argmax(${x.text}, axis=${shown})`, dtype: "i64", shape: x.shape.filter((_, i) => i !== axis), whole: LONGEST, isParam: false };
}

function transposed(x: Value, { random }: Graph): Value | undefined {
  if (x.shape.length < 2) return undefined;
  const perm = x.shape.map((_, i) => i).sort(() => (random.chance(0.5) ? 1 : -1));
  return { ...x, text: `tf.transpose(${x.text}, perm=(${perm.join(", ")}))`, shape: perm.map((p) => x.shape[p] ?? 1) };
}

function product(x: Value, g: Graph): Value | undefined {
  const fitting = g.values.filter((v) => v.dtype === x.dtype && v.shape.length === 2 && x.shape.length === 2 && v.shape[1] === x.shape[1]);
  if (fitting.length === 0 || x.dtype === "bool") return undefined;
  const other = g.random.pick(fitting);
  const whole = x.whole === undefined || other.whole === undefined ? undefined : x.whole * other.whole * LONGEST;
  if (isFloat(x.dtype) && (whole === undefined || whole > 2 ** 23)) return undefined;
  return { text: `tf.matmul(${x.text}, ${other.text}, b_trans=True)`, dtype: x.dtype, shape: [x.shape[0] ?? 1, other.shape[0] ?? 1], whole, isParam: false };
}

function converted(x: Value, { random }: Graph): Value {
  const to = random.weighted<DType>([...DTYPES, [1, "bool"], [1, "i64"]]);
  const mode = isFloat(x.dtype) && isWhole(to) && to !== "bool" ? `, mode="${random.pick(CAST_MODES)}"` : "";
  return { ...x, text: `tf.cast(${x.text}, "${to}"${mode})`, dtype: to, whole: x.dtype === "u8" ? 255 : undefined };
}

function chosen(x: Value, g: Graph): Value | undefined {
  const other = g.values.filter((v) => v.dtype === x.dtype && sameShape(v, x));
  if (x.dtype === "bool" || other.length === 0) return undefined;
  const [a, b] = [g.random.pick(other), g.random.pick(other)];
  return { ...x, text: `tf.where(tf.cmp_${g.random.pick(["lt", "ge", "eq"])}(${x.text}, ${a.text}), ${x.text}, ${b.text})`, whole: x.whole === undefined || b.whole === undefined ? undefined : Math.max(x.whole, b.whole) };
}

function clamped(x: Value, { random }: Graph): Value | undefined {
  if (x.dtype === "bool") return undefined;
  return { ...x, text: `tf.clamp(${x.text}, ${random.below(2)}, ${2 + random.below(3)})`, whole: undefined };
}

function filled(x: Value, { random }: Graph): Value | undefined {
  if (x.dtype === "bool") return undefined;
  const n = random.below(4);
  const shape = `(${x.shape.join(", ")}${x.shape.length === 1 ? "," : ""})`;
  return { ...x, text: random.chance(0.5) ? `tf.full_like(${x.text}, ${n})` : `tf.full(${shape}, "${x.dtype}", ${n})`, whole: n };
}
