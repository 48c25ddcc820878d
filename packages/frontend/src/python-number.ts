// Arithmetic on compile-time numbers by Python's rules: unbounded integers, `/` that is correctly rounded, `//` and `%` that
// floor. A failure is a sentence. Results are bounded, so that no text makes the compiler run out of memory.

import { bool, float, int, type Known, type KnownInt } from "./value.ts";

/** Why something cannot be computed. */
export interface Failure {
  readonly failure: string;
  /** Python might compute it: static evaluation does not. */
  readonly beyond?: true;
}

export const fail = (failure: string): Failure => ({ failure });

export const beyond = (failure: string): Failure => ({ failure, beyond: true });

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
  "*": { ints: (a, b) => (bits(a) + bits(b) > INT_BITS + 1 ? beyond(TOO_LARGE) : int(a * b)), floats: real((a, b) => a * b) },
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
  return bits(value) > INT_BITS ? beyond(TOO_LARGE) : int(value);
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
  if (b < 0n) return a === 0n ? fail("0 to a negative power") : negativePower(a, b);
  if (a === 0n || a === 1n) return int(b === 0n ? 1n : a);
  if (a === -1n) return int(b % 2n === 0n ? 1n : -1n);
  return BigInt(bits(a) - 3) * b > BigInt(INT_BITS) ? beyond(TOO_LARGE) : bounded(a ** b);
}

function negativePower(a: bigint, b: bigint): Known | Failure {
  const [x, y] = [asFloat(int(a)), asFloat(int(b))];
  return x === undefined || y === undefined ? fail("an integer is too large for a float") : realPower(x, y);
}

function realPower(a: number, b: number): Known | Failure {
  if (a === 0 && b < 0) return fail("0 to a negative power");
  if (a < 0 && !Number.isInteger(b)) return beyond("a negative number to a fractional power");
  if (Number.isInteger(b) && Math.abs(b) <= EXACT_POWER && a !== 0 && Number.isFinite(a)) return exactPower(a, BigInt(b));
  const power = a === 1 || b === 0 ? 1 : a ** b;
  const overflows = !Number.isFinite(power) && Number.isFinite(a) && Number.isFinite(b);
  return overflows ? fail("the result is too large for a float") : float(power);
}

/** Engines differ from Python in the last bit of a power: small ones are rounded from the exact value. */
const EXACT_POWER = 32;

function exactPower(a: number, b: bigint): Known | Failure {
  const [numerator, denominator] = ratioOf(a);
  const [up, down] = b < 0n ? [denominator ** -b, numerator ** -b] : [numerator ** b, denominator ** b];
  const power = trueDivision(up, down);
  return "failure" in power ? fail("the result is too large for a float") : power;
}

function shift(a: bigint, amount: bigint, left: boolean): Known | Failure {
  if (amount < 0n) return fail("a shift by a negative amount");
  if (!left) return int(a >> (amount > BigInt(INT_BITS) * 2n ? BigInt(INT_BITS) * 2n : amount));
  if (a === 0n) return int(0);
  return amount + BigInt(bits(a)) > BigInt(INT_BITS) ? beyond(TOO_LARGE) : int(a << amount);
}

/** The integer that a float without a fraction is, or the quotient that it is exactly. */
export function ratioOf(x: number): readonly [bigint, bigint] {
  let denominator = 1n;
  let rest = x;
  for (; !Number.isInteger(rest); rest *= 2) denominator *= 2n; // exact: a subnormal doubles to an integer at last
  return [BigInt(rest), denominator];
}

/** `round(x)` and `round(x, digits)`: to nearest, ties to even, of the exact value. */
export function rounded(x: KnownInt | { readonly kind: "float"; readonly value: number }, digits: bigint | undefined): Known | Failure {
  if (digits !== undefined && (digits > 400n || digits < -400n)) return beyond("`round` to more than 400 digits");
  if (x.kind === "float" && !Number.isFinite(x.value)) return digits === undefined ? fail(`\`round\` of ${x.value} is no integer`) : x;
  const [numerator, denominator] = x.kind === "int" ? [x.value, 1n] : ratioOf(x.value);
  const places = digits ?? 0n;
  const [up, down] = places >= 0n ? [10n ** places, 1n] : [1n, 10n ** -places];
  const nearest = nearestEven(numerator * up, denominator * down);
  if (x.kind === "float" && digits !== undefined) return float(Number(`${nearest}e${-places}`) || x.value * 0);
  return int(places >= 0n ? (x.kind === "int" ? x.value : nearest) : nearest * down);
}

function nearestEven(numerator: bigint, denominator: bigint): bigint {
  const floor = floorDivision(numerator, denominator);
  const twice = (numerator - floor * denominator) * 2n;
  const up = twice > denominator || (twice === denominator && floor % 2n !== 0n);
  return up ? floor + 1n : floor;
}
