// Fast code for the hot primitives: one closure a scalar operation, written out by dtype so that nothing is boxed and no function
// is called. What is not here goes through the scalar functions of `ops/evaluate`; a test holds both to the same values.

import type { DType, PrimOp } from "@tilefoundry/ir";
import { scalarFunction, type ScalarPrim } from "@tilefoundry/ops/evaluate";
import { at, get64, put64, type Emit, type Machine } from "./machine.ts";

/** Code that puts the result for operands in registers `a` and `b` into register `d`. */
export type Make = (d: number, a: number, b: number) => Emit;

const MAX = Number.MAX_SAFE_INTEGER;

type Binary64 = (x: number | bigint, y: number | bigint) => number | bigint;

/** Where the fast path of a 64-bit operation does not hold. */
function slow64(m: Machine, d: number, a: number, b: number, exact: Binary64): void {
  put64(m, d, exact(get64(m, a), get64(m, b)));
}

/** The exact function that a fast path falls back to; it takes and gives canonical 64-bit integers. */
const exact64 = (op: ScalarPrim): Binary64 => scalarFunction(op, "i64") as Binary64;
const add64 = exact64("add");
const sub64 = exact64("sub");
const mul64 = exact64("mul");
const floordiv64 = exact64("floordiv");
const mod64 = exact64("mod");

// — by kind of register: f32, f64, the narrow integers, 64-bit integers —

const ADD = {
  f32: (d, a, b) => ({ n }) => () => void (n[d] = Math.fround(at(n, a) + at(n, b))),
  f64: (d, a, b) => ({ n }) => () => void (n[d] = at(n, a) + at(n, b)),
  i32: (d, a, b) => ({ n }) => () => void (n[d] = (at(n, a) + at(n, b)) | 0),
  u32: (d, a, b) => ({ n }) => () => void (n[d] = (at(n, a) + at(n, b)) >>> 0),
  i8: (d, a, b) => ({ n }) => () => void (n[d] = ((at(n, a) + at(n, b)) << 24) >> 24),
  i16: (d, a, b) => ({ n }) => () => void (n[d] = ((at(n, a) + at(n, b)) << 16) >> 16),
  u8: (d, a, b) => ({ n }) => () => void (n[d] = (at(n, a) + at(n, b)) & 255),
  u16: (d, a, b) => ({ n }) => () => void (n[d] = (at(n, a) + at(n, b)) & 65535),
  i64: (d, a, b) => (m) => () => {
    const r = at(m.n, a) + at(m.n, b);
    if (r >= -MAX && r <= MAX) m.n[d] = r;
    else slow64(m, d, a, b, add64);
  },
} as const satisfies Row;

const SUB = {
  f32: (d, a, b) => ({ n }) => () => void (n[d] = Math.fround(at(n, a) - at(n, b))),
  f64: (d, a, b) => ({ n }) => () => void (n[d] = at(n, a) - at(n, b)),
  i32: (d, a, b) => ({ n }) => () => void (n[d] = (at(n, a) - at(n, b)) | 0),
  u32: (d, a, b) => ({ n }) => () => void (n[d] = (at(n, a) - at(n, b)) >>> 0),
  i8: (d, a, b) => ({ n }) => () => void (n[d] = ((at(n, a) - at(n, b)) << 24) >> 24),
  i16: (d, a, b) => ({ n }) => () => void (n[d] = ((at(n, a) - at(n, b)) << 16) >> 16),
  u8: (d, a, b) => ({ n }) => () => void (n[d] = (at(n, a) - at(n, b)) & 255),
  u16: (d, a, b) => ({ n }) => () => void (n[d] = (at(n, a) - at(n, b)) & 65535),
  i64: (d, a, b) => (m) => () => {
    const r = at(m.n, a) - at(m.n, b);
    if (r >= -MAX && r <= MAX) m.n[d] = r;
    else slow64(m, d, a, b, sub64);
  },
} as const satisfies Row;

const MUL = {
  f32: (d, a, b) => ({ n }) => () => void (n[d] = Math.fround(at(n, a) * at(n, b))),
  f64: (d, a, b) => ({ n }) => () => void (n[d] = at(n, a) * at(n, b)),
  i32: (d, a, b) => ({ n }) => () => void (n[d] = Math.imul(at(n, a), at(n, b))),
  u32: (d, a, b) => ({ n }) => () => void (n[d] = Math.imul(at(n, a), at(n, b)) >>> 0),
  i8: (d, a, b) => ({ n }) => () => void (n[d] = (Math.imul(at(n, a), at(n, b)) << 24) >> 24),
  i16: (d, a, b) => ({ n }) => () => void (n[d] = (Math.imul(at(n, a), at(n, b)) << 16) >> 16),
  u8: (d, a, b) => ({ n }) => () => void (n[d] = Math.imul(at(n, a), at(n, b)) & 255),
  u16: (d, a, b) => ({ n }) => () => void (n[d] = Math.imul(at(n, a), at(n, b)) & 65535),
  i64: (d, a, b) => (m) => () => {
    const r = at(m.n, a) * at(m.n, b) + 0; // no -0 among integers
    if (r >= -MAX && r <= MAX) m.n[d] = r;
    else slow64(m, d, a, b, mul64);
  },
} as const satisfies Row;

const DIV = {
  f32: (d, a, b) => ({ n }) => () => void (n[d] = Math.fround(at(n, a) / at(n, b))),
  f64: (d, a, b) => ({ n }) => () => void (n[d] = at(n, a) / at(n, b)),
} as const satisfies Row;

/** Safe integers divide so that the floor of the rounded quotient is that of the exact one. */
const FLOORDIV = {
  i32: (d, a, b) => ({ n }) => () => void (n[d] = at(n, b) === 0 ? 0 : Math.floor(at(n, a) / at(n, b)) | 0),
  i64: (d, a, b) => (m) => () => {
    const x = at(m.n, a);
    const y = at(m.n, b);
    if (x === x && y === y) m.n[d] = y === 0 ? 0 : Math.floor(x / y) + 0;
    else slow64(m, d, a, b, floordiv64);
  },
} as const satisfies Row;

const MOD = {
  i32: (d, a, b) => ({ n }) => () => {
    const y = at(n, b);
    const rest = y === 0 ? at(n, a) : at(n, a) % y;
    n[d] = (rest !== 0 && y !== 0 && rest < 0 !== y < 0 ? rest + y : rest) | 0;
  },
  i64: (d, a, b) => (m) => () => {
    const x = at(m.n, a);
    const y = at(m.n, b);
    if (!(x === x && y === y)) return slow64(m, d, a, b, mod64);
    const rest = y === 0 ? x : x % y;
    m.n[d] = (rest !== 0 && y !== 0 && rest < 0 !== y < 0 ? rest + y : rest) + 0;
  },
} as const satisfies Row;

const larger: Make = (d, a, b) => ({ n }) => () => void (n[d] = Math.max(at(n, a), at(n, b)));
const smaller: Make = (d, a, b) => ({ n }) => () => void (n[d] = Math.min(at(n, a), at(n, b)));
const MAX_ROW = { f32: larger, f64: larger, i8: larger, i16: larger, i32: larger, u8: larger, u16: larger, u32: larger } as const satisfies Row;
const MIN_ROW = { f32: smaller, f64: smaller, i8: smaller, i16: smaller, i32: smaller, u8: smaller, u16: smaller, u32: smaller } as const satisfies Row;

// — comparisons: registers of all dtypes compare as numbers, except where a 64-bit integer stands apart —

type Order = "eq" | "ne" | "lt" | "le" | "gt" | "ge";

const NARROW = {
  eq: (d, a, b) => ({ n }) => () => void (n[d] = at(n, a) === at(n, b) ? 1 : 0),
  ne: (d, a, b) => ({ n }) => () => void (n[d] = at(n, a) !== at(n, b) ? 1 : 0),
  lt: (d, a, b) => ({ n }) => () => void (n[d] = at(n, a) < at(n, b) ? 1 : 0),
  le: (d, a, b) => ({ n }) => () => void (n[d] = at(n, a) <= at(n, b) ? 1 : 0),
  gt: (d, a, b) => ({ n }) => () => void (n[d] = at(n, a) > at(n, b) ? 1 : 0),
  ge: (d, a, b) => ({ n }) => () => void (n[d] = at(n, a) >= at(n, b) ? 1 : 0),
} as const satisfies Readonly<Record<Order, Make>>;

/** Canonical forms: JavaScript orders numbers and bigints among each other exactly. */
const WIDE = {
  eq: (d, a, b) => (m) => () => void (m.n[d] = get64(m, a) === get64(m, b) ? 1 : 0),
  ne: (d, a, b) => (m) => () => void (m.n[d] = get64(m, a) !== get64(m, b) ? 1 : 0),
  lt: (d, a, b) => (m) => () => {
    const x = at(m.n, a);
    const y = at(m.n, b);
    m.n[d] = (x === x && y === y ? x < y : get64(m, a) < get64(m, b)) ? 1 : 0;
  },
  le: (d, a, b) => (m) => () => void (m.n[d] = get64(m, a) <= get64(m, b) ? 1 : 0),
  gt: (d, a, b) => (m) => () => void (m.n[d] = get64(m, a) > get64(m, b) ? 1 : 0),
  ge: (d, a, b) => (m) => () => void (m.n[d] = get64(m, a) >= get64(m, b) ? 1 : 0),
} as const satisfies Readonly<Record<Order, Make>>;

const comparison = (order: Order): Row => {
  const make = NARROW[order];
  return {
    f32: make, f64: make, i8: make, i16: make, i32: make, u8: make, u16: make, u32: make, bool: make, i64: WIDE[order], u64: WIDE[order],
  };
};

// — the table —

/** `index` is `i64`. */
type Kind = Exclude<DType, "index">;
type Row = { readonly [K in Kind]?: Make };

const FAST: { readonly [P in PrimOp]?: Row } = {
  add: ADD,
  sub: SUB,
  mul: MUL,
  div: DIV,
  floordiv: FLOORDIV,
  mod: MOD,
  max: MAX_ROW,
  min: MIN_ROW,
  eq: comparison("eq"),
  ne: comparison("ne"),
  lt: comparison("lt"),
  le: comparison("le"),
  gt: comparison("gt"),
  ge: comparison("ge"),
};

/** The fast code of a binary primitive on operands of a dtype, if there is one. */
export function fastBinary(op: PrimOp, dtype: DType): Make | undefined {
  return FAST[op]?.[dtype === "index" ? "i64" : dtype];
}

/** Every primitive and dtype with fast code: what the test compares. */
export const FAST_PAIRS: readonly { readonly op: PrimOp; readonly dtype: Kind }[] = Object.entries(FAST).flatMap(([op, row]) =>
  Object.keys(row).map((dtype) => ({ op: op as PrimOp, dtype: dtype as Kind })), // keys of the table
);
