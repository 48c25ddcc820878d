// Programs of the shapes that kernels have, by seed: tiled products with an epilogue, rows and columns, neighbourhoods, transposed
// tiles, running totals, counts. What mapping fuses, blocks and vectorises is in them, with tails of every size.

import type { DType } from "@tilefoundry/ir";
import type { Random } from "./generate-random.ts";
import { arrayType, elementText, indent, isWhole, listText, type Lines, type Program } from "./generate-scope.ts";

interface Kernel {
  /** Parameters by name: shape, dtype, and the wrapper of those that are written. */
  readonly params: readonly (readonly [name: string, shape: readonly (string | number)[], dtype: DType, wrapper?: "Out" | "InOut"])[];
  readonly body: Lines;
}

type Shape = (p: Program) => Kernel;

export function kernelProgram(random: Random, name: string): string {
  const dialect = random.pick(["pl", "tf"] as const);
  const program: Program = { random, dialect, extents: [], symbols: [], scalarDTypes: [], arrayDTypes: [], returns: [], block: () => [], budget: 0, made: 0 };
  const { params, body } = random.pick(SHAPES)(program);
  const prefix = dialect === "pl" ? "pl." : "";
  const signature = params.map(([param, shape, dtype, wrapper]) => {
    const type = arrayType(shape, dtype, program);
    return `${param}: ${wrapper === undefined ? type : `${prefix}${wrapper}[${type}]`}`;
  });
  return [dialect === "pl" ? "@pl.function(type=pl.FunctionType.InCore)" : "@prim_func", `def ${name}(${signature.join(", ")}):`, ...indent(body), ""].join("\n");
}

const loop = ({ dialect, random }: Program, mode = random.pick(["range", "parallel"])): string => `${dialect === "pl" ? "pl" : "T"}.${mode}`;

const FLOATS: readonly DType[] = ["f32", "f32", "f32", "f64"];
const NUMBERS: readonly DType[] = [...FLOATS, "i32", "i32", "u32", "i64"];

/** c = f(a @ b), in blocks, the accumulator carried along K. */
const product: Shape = (p) => {
  const { random } = p;
  const of = random.pick<DType>([...NUMBERS, "u8"]);
  const dtype = of === "u8" ? "i32" : of;
  const [rows, columns, depth] = [random.pick([1, 4, 6, 8, 16, 32]), random.pick([1, 8, 12, 16, 32]), random.pick([1, 4, 8, 16, 32])];
  const [turnsA, turnsB] = [random.chance(0.2), random.chance(0.2)];
  const list = (...items: readonly (string | number)[]): string => listText(items, p);
  const a = turnsA ? `pl.load(small_a, ${list("k", "i")}, ${list(depth, rows)})` : `pl.load(small_a, ${list("i", "k")}, ${list(rows, depth)})`;
  const b = turnsB ? `pl.load(small_b, ${list("j", "k")}, ${list(columns, depth)})` : `pl.load(small_b, ${list("k", "j")}, ${list(depth, columns)})`;
  const attributes = `${turnsA ? ", a_trans=True" : ""}${turnsB ? ", b_trans=True" : ""}`;
  const c = random.chance(0.7) ? "c" : "small_c";
  const start = c === "c" ? `pl.full(${list(rows, columns)}, dtype="${dtype}", value=${elementText(0, dtype, { ...p, dialect: "pl" })})` : `pl.load(${c}, ${list("i", "j")}, ${list(rows, columns)})`;
  const epilogue = random.pick(["total", "tf.relu(total)", `pl.col_expand_add(total, pl.load(small_bias, ${list(0, "j")}, ${list(1, columns)}))`, `pl.maximum(pl.mul(total, ${elementText(3, dtype, p)}), ${elementText(1, dtype, p)})`, "pl.sub(total, pl.row_max(total))"]);
  return {
    params: [
      ["small_a", turnsA ? ["K", "M"] : ["M", "K"], of], ["small_b", turnsB ? ["N", "K"] : ["K", "N"], of], ["small_bias", [1, "N"], dtype],
      [c, ["M", "N"], dtype, c === "small_c" ? "InOut" : random.pick(["InOut", "Out"] as const)],
    ],
    body: [
      `for i in ${loop(p, "parallel")}(0, M, ${rows}):`,
      `    for j in ${loop(p)}(0, N, ${columns}):`,
      `        start = ${start}`,
      `        for k, (acc,) in ${loop(p, "range")}(0, K, ${depth}, init_values=(start,)):`,
      `            left = ${a}`,
      `            right = ${b}`,
      `            total = pl.yield_(pl.matmul_acc(acc, left, right${attributes}))`,
      `        pl.store(${epilogue}, ${list("i", "j")}, ${c})`,
    ],
  };
};

/** Each row by its largest, least or summed element; of small whole numbers, so that sums are exact. */
const rows: Shape = (p) => {
  const { random } = p;
  const dtype = random.pick(NUMBERS);
  const [high, wide] = [random.pick([1, 1, 2, 4]), random.pick([1, 4, 5, 8, 16, 19, 33])];
  const columns = random.chance(0.5) ? wide : "N";
  const window = (name: string): string => `pl.load(${name}, ${listText(["r", 0], p)}, ${listText([high, wide], p)})`;
  const op = random.pick(isWhole(dtype) ? ["add", "sub", "mul", "max", "min"] : ["add", "sub", "mul", "div", "max", "min"]);
  const reduced = random.pick(["max", "min", "sum", "sum"]);
  const last = random.pick(["e", "pl.row_expand_mul(e, pl.row_max(e))", "pl.add(e, row)", `pl.row_expand_add(row, pl.row_min(pl.mul(e, ${elementText(2, dtype, p)})))`]);
  return {
    params: [["small_x", ["M", columns], dtype], ["y", ["M", columns], dtype, "Out"], ["z", ["M", 1], dtype, "InOut"]],
    body: [
      `for r in ${loop(p, "parallel")}(0, M, ${high}):`,
      `    row = ${window("small_x")}`,
      `    e = pl.row_expand_${op}(row, pl.row_${reduced}(row))`,
      ...(random.chance(0.5) ? [`    pl.store(pl.row_sum(row), ${listText(["r", 0], p)}, z)`] : []),
      `    pl.store(${last}, ${listText(["r", 0], p)}, y)`,
    ],
  };
};

/** Each element with those beside it; windows begin before the array and end behind it. */
const neighbours: Shape = (p) => {
  const { random } = p;
  const dtype = random.pick(NUMBERS);
  const size = random.pick([1, 3, 4, 8, 16]);
  const shift = (by: number): string => (by === 0 ? "i" : by < 0 ? `i - ${-by}` : `i + ${by}`);
  const load = (by: number): string => `pl.load(x, ${listText([shift(by)], p)}, ${listText([size], p)})`;
  const offsets = Array.from({ length: 2 + random.below(2) }, () => random.below(5) - 2);
  const sum = offsets.map(load).reduce((a, b) => `pl.${random.pick(["add", "sub", "maximum"])}(${a}, ${b})`);
  return {
    params: [["x", ["N"], dtype], ["y", [random.pick(["N", "N + 1"])], dtype, "InOut"]],
    body: [`for i in ${loop(p)}(0, N, ${size}):`, `    pl.store(${sum}, ${listText(["i"], p)}, y)`],
  };
};

/** Transposed tiles beside tiles that are not. */
const turned: Shape = (p) => {
  const { random } = p;
  const dtype = random.pick<DType>([...NUMBERS, "u8", "bool"]);
  const [high, wide] = [random.pick([1, 4, 8, 16]), random.pick([1, 3, 8, 32])];
  const tile = `pl.transpose(pl.load(x, ${listText(["i", "j"], p)}, ${listText([high, wide], p)}), 0, 1)`;
  const other = `pl.load(z, ${listText(["j", "i"], p)}, ${listText([wide, high], p)})`;
  const value = dtype === "bool" ? `tf.logical_and(${tile}, ${other})` : random.pick([tile, `pl.add(${tile}, ${other})`, `pl.maximum(${other}, ${tile})`, `tf.where(tf.cmp_lt(${other}, ${tile}), ${other}, ${tile})`]);
  return {
    params: [["x", ["M", "N"], dtype], ["z", ["N", "M"], dtype], ["y", ["N", "M"], dtype, "Out"]],
    body: [`for i in ${loop(p, "parallel")}(0, M, ${high}):`, `    for j in ${loop(p)}(0, N, ${wide}):`, `        pl.store(${value}, ${listText(["j", "i"], p)}, y)`],
  };
};

/** A total that is carried and written as it grows, forward or backward. */
const totals: Shape = (p) => {
  const { random } = p;
  const dtype = random.pick(NUMBERS);
  const range = random.pick(["N", "0, N, 2", "N - 1, -1, -1", "N, -3, -2"]);
  const zero = dtype === "f32" ? "0.0" : `T.const(0, "${dtype}")`;
  const op = random.pick(["c + x[i]", "T.max(c, x[i])", "c * T.min(x[i], c)", "T.select(c < x[i], x[i], c - x[i])"]);
  return {
    params: [["x", ["N"], dtype], ["y", ["N"], dtype, "InOut"]],
    body: [
      `for i, (c,) in ${loop(p, "range")}(${range}, init_values=(${zero},)):`,
      `    y[i] = ${op}`,
      "    total = pl.yield_(y[i])",
      `pl.write(y, ${listText([0], p)}, total)`,
    ],
  };
};

/** Elements counted where other elements say. */
const counts: Shape = (p) => ({
  params: [["small_x", ["N", "M"], "i32"], ["y", [7], "i32", "InOut"]],
  body: [
    `for i in ${loop(p, "range")}(N):`,
    `    for j in ${loop(p, "range")}(M):`,
    "        at = T.cast(small_x[i, j] + small_x[i, 0], \"index\")",
    ...(p.random.chance(0.5) ? ["        if at < 0:", p.random.pick(["            continue", "            break"])] : []),
    "        y[at % 9] = y[at % 9] + small_x[i, j]",
  ],
});

const SHAPES: readonly Shape[] = [product, product, rows, rows, neighbours, turned, totals, counts];
