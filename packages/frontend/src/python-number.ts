// Arithmetic on compile-time numbers by Python's rules: unbounded integers, `/` that is correctly rounded, `//` and `%` that
// floor. A failure is a sentence. Results are bounded, so that no text makes the compiler run out of memory.

import { bool, float, int, type Known, type KnownInt } from "./value.ts";

/** Why something cannot be computed. */
export interface Failure {
  readonly failure: string;
}

export const fail = (failure: string): Failure => ({ failure });

/** Bits of the largest integer that static evaluation makes. */
const INT_BITS = 65_536;
const TOO_LARGE = `the result has more than ${INT_BITS} bits`;

type Num = KnownInt | Extract<Known, { readonly kind: "float" | "bool" }>;
export const isNumber = (k: Known): k is Num => k.kind === "int" || k.kind === "float" || k.kind === "bool";

type Row = { readonly ints: (a: bigint, b: bigint) => Known | Failure; readonly floats: ((a: number, b: number) => Known | Failure) | undefined };

const whole = (f: (a: bigint, b: bigint) => bigint) => (a: bigint, b: bigint): Known | Failure => bounded(f(a, b));
const real = (f: (a: number, b: number) => number) => (a: number, b: number): Known => float(f(a, b));
const DIVISION = fail("division by zero");

const ARITHMETIC: Readonly<Record<string, Row>> = {
  "+": { ints: whole((a, b) => a + b), floats: real((a, b) => a + b) },
  "-": { ints: whole((a, b) => a - b), floats: real((a, b) => a - b) },
  "*": { ints: (a, b) => (bits(a) + bits(b) > INT_BITS + 1 ? fail(TOO_LARGE) : int(a * b)), floats: real((a, b) => a * b) },
  "/": { ints: trueDivision, floats: (a, b) => (b === 0 ? DIVISION : float(a / b)) },
  "//": { ints: (a, b) => (b === 0n ? DIVISION : int(floorDivision(a, b))), floats: (a, b) => (b === 0 ? DIVISION : float(floorQuotient(a, b))) },
  "%": { ints: (a, b) => (b === 0n ? DIVISION : int(a - b * floorDivision(a, b))), floats: (a, b) => (b === 0 ? DIVISION : float(floorModulo(a, b))) },
  "**": { ints: intPower, floats: realPower },
  "<<": { ints: (a, b) => shift(a, b, true), floats: undefined },
  ">>": { ints: (a, b) => shift(a, b, false), floats: undefined },
  "&": { ints: whole((a, b) => a & b), floats: undefined },
  "|": { ints: whole((a, b) => a | b), floats: undefined },
  "^": { ints: whole((a, b) => a ^ b), floats: undefined },
};

/** `a op b` on numbers; undefined where the operator does not take them. */
export function numberBinary(op: string, a: Num, b: Num): Known | Failure | undefined {
  const row = ARITHMETIC[op];
  if (row === undefined) return undefined;
  if (a.kind === "float" || b.kind === "float") {
    const [x, y] = [asFloat(a), asFloat(b)];
    if (x === undefined || y === undefined) return fail("an integer is too large for a float");
    return row.floats?.(x, y);
  }
  if (a.kind === "bool" && b.kind === "bool" && (op === "&" || op === "|" || op === "^")) return bool(asInt(row.ints(asBig(a), asBig(b))) !== 0n);
  const result = row.ints(asBig(a), asBig(b));
  const loose = (a.kind === "int" && a.loose) || (b.kind === "int" && b.loose);
  return loose && "kind" in result && result.kind === "int" ? { ...result, loose: true } : result;
}

const asInt = (k: Known | Failure): bigint => ("kind" in k && k.kind === "int" ? k.value : 0n);
const asBig = (k: KnownInt | { readonly kind: "bool"; readonly value: boolean }): bigint => BigInt(k.value);

/** The number as a double; undefined for an integer beyond the range of doubles. */
export function asFloat(k: Num): number | undefined {
  const value = Number(k.value);
  return k.kind === "int" && !Number.isFinite(value) ? undefined : value;
}

const bits = (a: bigint): number => (a < 0n ? -a : a).toString(16).length * 4;

function bounded(value: bigint): Known | Failure {
  return bits(value) > INT_BITS ? fail(TOO_LARGE) : int(value);
}

export function floorDivision(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

/** The correctly rounded quotient: 66 significant bits and a sticky bit, rounded once. */
function trueDivision(a: bigint, b: bigint): Known | Failure {
  if (b === 0n) return DIVISION;
  if (a === 0n) return float(0);
  const [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const scale = 66 - (x.toString(2).length - y.toString(2).length);
  const [dividend, divisor] = scale >= 0 ? [x << BigInt(scale), y] : [x, y << BigInt(-scale)];
  const quotient = (dividend / divisor) | (dividend % divisor === 0n ? 0n : 1n);
  const half = Math.trunc(scale / 2);
  const value = (Number(quotient) * 2 ** -half) * 2 ** -(scale - half);
  if (!Number.isFinite(value)) return fail("the quotient is too large for a float");
  return float(a < 0n === b < 0n ? value : -value);
}

function floorModulo(a: number, b: number): number {
  const rest = a % b;
  if (rest === 0) return b < 0 ? -0 : 0;
  return rest < 0 !== b < 0 ? rest + b : rest;
}

/** As CPython: the quotient of what the modulo leaves, snapped to the nearest whole number. */
function floorQuotient(a: number, b: number): number {
  const quotient = (a - floorModulo(a, b)) / b;
  if (quotient === 0) return a / b < 0 ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

function intPower(a: bigint, b: bigint): Known | Failure {
  if (b < 0n) return a === 0n ? fail("0 to a negative power") : realPower(Number(a), Number(b));
  if (a === 0n || a === 1n) return int(b === 0n ? 1n : a);
  if (a === -1n) return int(b % 2n === 0n ? 1n : -1n);
  return BigInt(bits(a) - 3) * b > BigInt(INT_BITS) ? fail(TOO_LARGE) : bounded(a ** b);
}

function realPower(a: number, b: number): Known | Failure {
  if (a === 0 && b < 0) return fail("0 to a negative power");
  if (a < 0 && !Number.isInteger(b)) return fail("a negative number to a fractional power");
  return float(a === 1 || b === 0 ? 1 : a ** b);
}

function shift(a: bigint, amount: bigint, left: boolean): Known | Failure {
  if (amount < 0n) return fail("a shift by a negative amount");
  if (!left) return int(a >> (amount > BigInt(INT_BITS) * 2n ? BigInt(INT_BITS) * 2n : amount));
  if (a === 0n) return int(0);
  return amount + BigInt(bits(a)) > BigInt(INT_BITS) ? fail(TOO_LARGE) : int(a << amount);
}

/** `round(x)`: to nearest, ties to even. */
export function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}
