// f64 fused multiply-add on the bits: the exact product and the addend meet in 128-bit integers, whose sum is rounded once. What is
// shifted out below leaves a mark in the last bit (a sticky bit), which is all that rounding needs to know of it.

import { defineHelper, type Scope } from "./helper.ts";
import { f64, get, giveBack, i64, ifElse, op, select, set, type Local, type Tree, type WasmFunction } from "./tree.ts";

export const fmaF64 = (): WasmFunction =>
  defineHelper("fma_f64", { a: "f64", b: "f64", c: "f64" }, "f64", "a * b + c with one rounding", (s) => {
    const [a, b, c] = [s.param("a"), s.param("b"), s.param("c")];
    leaveSpecials(s, a, b, c);
    const [x, y, z] = [unpack(s, "a", a), unpack(s, "b", b), unpack(s, "c", c)];
    const sum = alignedSum(s, product(s, x, y), addend(z));
    return pack(s, sum);
  });

// — instructions —

const add = (a: Tree, b: Tree): Tree => op("i64.add", [a, b]);
const sub = (a: Tree, b: Tree): Tree => op("i64.sub", [a, b]);
const mul = (a: Tree, b: Tree): Tree => op("i64.mul", [a, b]);
const and = (a: Tree, b: Tree): Tree => op("i64.and", [a, b]);
const or = (a: Tree, b: Tree): Tree => op("i64.or", [a, b]);
const xor = (a: Tree, b: Tree): Tree => op("i64.xor", [a, b]);
const shl = (a: Tree, n: Tree): Tree => op("i64.shl", [a, n]);
const shr = (a: Tree, n: Tree): Tree => op("i64.shr_u", [a, n]);
const n = (value: number): Tree => i64(BigInt(value));
/** 1 if not 0. */
const mark = (a: Tree): Tree => op("i64.extend_i32_u", [op("i64.ne", [a, n(0)])]);

const EXPONENT = n(0x7ff);
const BIAS = 1075; // of the exponent, for a mantissa that is an integer

// — unpacking —

/** Infinities, NaN and zeros need no care: at most one rounding takes part. */
function leaveSpecials(s: Scope, a: Tree, b: Tree, c: Tree): void {
  const product = op("f64.mul", [a, b]);
  const isFinite = (x: Tree): Tree => op("f64.lt", [op("f64.abs", [x]), f64(Infinity)]);
  const finite = op("i32.and", [op("i32.and", [isFinite(a), isFinite(b)]), isFinite(c)]);
  const noFactor = op("i32.or", [op("f64.eq", [a, f64(0)]), op("f64.eq", [b, f64(0)])]);
  s.do(ifElse(op("i32.or", [op("i32.eqz", [finite]), noFactor]), [giveBack(op("f64.add", [product, c]))]));
  s.do(ifElse(op("f64.eq", [c, f64(0)]), [giveBack(product)])); // which may round to a zero of its own sign
}

interface Unpacked {
  /** 0 or 1. */
  readonly sign: Tree;
  /** 53 bits, the highest of them set. */
  readonly mantissa: Tree;
  /** Value is mantissa * 2^(exponent - BIAS). */
  readonly exponent: Tree;
}

function unpack(s: Scope, name: string, x: Tree): Unpacked {
  const bits = s.let(`bits_${name}`, op("i64.reinterpret_f64", [x]));
  const [mantissa, exponent] = [s.local(`mantissa_${name}`, "i64"), s.local(`exponent_${name}`, "i64")];
  const shift = s.local(`shift_${name}`, "i64");
  s.do(set(mantissa, and(bits, i64(2n ** 52n - 1n))));
  s.do(set(exponent, and(shr(bits, n(52)), EXPONENT)));
  const normalize = [
    set(shift, sub(op("i64.clz", [get(mantissa)]), n(11))),
    set(mantissa, shl(get(mantissa), get(shift))),
    set(exponent, sub(n(1), get(shift))),
  ];
  s.do(ifElse(op("i64.eqz", [get(exponent)]), normalize, [set(mantissa, or(get(mantissa), i64(2n ** 52n)))]));
  return { sign: s.let(`sign_${name}`, shr(bits, n(63))), mantissa: get(mantissa), exponent: get(exponent) };
}

// — 128-bit numbers —

interface Wide {
  readonly sign: Tree;
  readonly high: Tree;
  readonly low: Tree;
  /** Of the lowest bit. */
  readonly exponent: Tree;
}

/** The exact product, with 20 bits of room below: its highest bit is 124 or 125. */
function product(s: Scope, x: Unpacked, y: Unpacked): Wide {
  const half = (v: Tree): Tree => and(v, i64(2n ** 32n - 1n));
  const upper = (v: Tree): Tree => shr(v, n(32));
  const [x0, x1] = [s.let("x0", half(x.mantissa)), s.let("x1", upper(x.mantissa))];
  const [y0, y1] = [s.let("y0", half(y.mantissa)), s.let("y1", upper(y.mantissa))];
  const middle = s.let("middle", add(mul(x1, y0), upper(mul(x0, y0))));
  const other = s.let("other", add(mul(x0, y1), half(middle)));
  const high = s.let("product_high", add(add(mul(x1, y1), upper(middle)), upper(other)));
  const low = s.let("product_low", mul(x.mantissa, y.mantissa));
  return {
    sign: xor(x.sign, y.sign),
    high: or(shl(high, n(20)), shr(low, n(44))),
    low: shl(low, n(20)),
    exponent: sub(add(x.exponent, y.exponent), n(2 * BIAS + 20)),
  };
}

/** The addend 73 bits up: its highest bit is 125. */
const addend = (z: Unpacked): Wide => ({ sign: z.sign, high: shl(z.mantissa, n(9)), low: n(0), exponent: sub(z.exponent, n(BIAS + 73)) });

/** Locals of a 128-bit number. */
interface Words {
  readonly sign: Local;
  readonly high: Local;
  readonly low: Local;
  readonly exponent: Local;
}

function words(s: Scope, name: string): Words {
  const word = (part: string): Local => s.local(`${name}_${part}`, "i64");
  return { sign: word("sign"), high: word("high"), low: word("low"), exponent: word("exponent") };
}

const put = (w: Words, v: Wide): readonly Tree[] => [set(w.sign, v.sign), set(w.high, v.high), set(w.low, v.low), set(w.exponent, v.exponent)];

/** The sum in the scale of the number with the larger exponent; the other one is shifted down to it. */
function alignedSum(s: Scope, p: Wide, c: Wide): Words {
  const [x, y] = [words(s, "x"), words(s, "y")];
  s.do(ifElse(op("i64.ge_s", [p.exponent, c.exponent]), [...put(x, p), ...put(y, c)], [...put(x, c), ...put(y, p)]));
  shiftDown(s, y, s.let("distance", sub(get(x.exponent), get(y.exponent))));
  const borrow = s.local("borrow", "i64");
  const plus = [
    set(x.low, add(get(x.low), get(y.low))),
    set(x.high, add(add(get(x.high), get(y.high)), op("i64.extend_i32_u", [op("i64.lt_u", [get(x.low), get(y.low)])]))),
  ];
  const minus = [
    set(borrow, op("i64.extend_i32_u", [op("i64.lt_u", [get(x.low), get(y.low)])])),
    set(x.low, sub(get(x.low), get(y.low))),
    set(x.high, sub(sub(get(x.high), get(y.high)), get(borrow))),
    ifElse(op("i64.lt_s", [get(x.high), n(0)]), [
      set(x.sign, xor(get(x.sign), n(1))),
      set(x.high, sub(sub(n(0), get(x.high)), mark(get(x.low)))),
      set(x.low, sub(n(0), get(x.low))),
    ]),
  ];
  s.do(ifElse(op("i64.eq", [get(x.sign), get(y.sign)]), plus, minus));
  return x;
}

/** Shifts right; what is lost leaves its mark in the lowest bit. */
function shiftDown(s: Scope, { high, low }: Words, by: Tree): void {
  const back = sub(n(64), by);
  const few = [
    set(low, or(or(shl(get(high), back), shr(get(low), by)), mark(shl(get(low), back)))),
    set(high, shr(get(high), by)),
  ];
  const many = [
    set(low, or(shr(get(high), by), mark(or(get(low), select(n(0), shl(get(high), back), op("i64.eq", [by, n(64)])))))), // amounts count modulo 64
    set(high, n(0)),
  ];
  const all = [set(low, mark(or(get(high), get(low)))), set(high, n(0))];
  const below = (limit: number): Tree => op("i64.lt_u", [by, n(limit)]);
  s.do(ifElse(op("i64.ne", [by, n(0)]), [ifElse(below(64), few, [ifElse(below(128), many, all)])]));
}

// — packing —

/** Rounds to 53 bits, to nearest with ties to even; the carry of the rounding runs into the exponent as it should. */
function pack(s: Scope, { sign, high, low, exponent }: Words): Tree {
  s.do(ifElse(op("i64.eqz", [or(get(high), get(low))]), [giveBack(f64(0))]));
  // the highest bit goes to bit 63 of the high word
  s.do(ifElse(op("i64.eqz", [get(high)]), [set(high, get(low)), set(low, n(0)), set(exponent, sub(get(exponent), n(64)))]));
  const lead = s.let("lead", op("i64.clz", [get(high)]));
  const moved = or(shl(get(high), lead), select(n(0), shr(get(low), sub(n(64), lead)), op("i64.eqz", [lead])));
  s.do(set(high, or(moved, mark(shl(get(low), lead)))));
  // the biased exponent of a mantissa of 53 bits, of which 11 more lie below
  const biased = s.local("biased", "i64");
  s.do(set(biased, add(sub(get(exponent), lead), n(64 + 11 + BIAS))));
  const infinity = op("f64.reinterpret_i64", [or(shl(get(sign), n(63)), i64(0x7ffn << 52n))]);
  s.do(ifElse(op("i64.ge_s", [get(biased), EXPONENT]), [giveBack(infinity)]));
  s.do(ifElse(op("i64.le_s", [get(biased), n(0)]), subnormal(s, high, biased)));
  const mantissa = s.let("mantissa", shr(get(high), n(11)));
  const rest = s.let("rest", and(get(high), EXPONENT));
  const up = op("i64.gt_u", [add(rest, and(mantissa, n(1))), n(0x400)]);
  const bits = add(add(shl(sub(get(biased), n(1)), n(52)), mantissa), op("i64.extend_i32_u", [up]));
  return op("f64.reinterpret_i64", [or(bits, shl(get(sign), n(63)))]);
}

/** Below the least normal number the mantissa gets shorter. */
function subnormal(s: Scope, high: Local, biased: Local): readonly Tree[] {
  const short = s.local("short", "i64");
  return [
    set(short, sub(n(1), get(biased))),
    ifElse(op("i64.lt_u", [get(short), n(64)]), [
      set(high, or(shr(get(high), get(short)), mark(shl(get(high), sub(n(64), get(short)))))),
    ], [set(high, mark(get(high)))]),
    set(biased, n(1)),
  ];
}
