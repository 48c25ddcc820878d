// Python's functions that static evaluation knows, and the declarations of symbolic extents.

import { floorDivDim, addDims, isStatic, maxDim, minDim, type Dim } from "@tilefoundry/ir";
import { describe, failed, fromDim, knownBinary, knownCompare, knownDim, truth } from "./known-ops.ts";
import { asFloat, fail, floorDivision, isNumber, roundHalfEven, type Failure } from "./python-number.ts";
import { sequence, SIZE_LIMIT } from "./sequence.ts";
import { bool, float, int, type Known, type KnownSequence } from "./value.ts";

type Builtin = (args: readonly Known[]) => Known | Failure;

export const BUILTINS: Readonly<Record<string, Builtin>> = {
  abs: ([x]) => {
    if (x === undefined || !isNumber(x)) return unfit("abs", [x]);
    return x.kind === "float" ? float(Math.abs(x.value)) : int(magnitude(BigInt(x.value)));
  },
  min: (args) => extreme("min", args),
  max: (args) => extreme("max", args),
  sum: ([list]) => {
    if (list?.kind !== "sequence") return unfit("sum", [list]);
    return list.items.reduce<Known | Failure>((total, item) => (failed(total) ? total : knownBinary("+", total, item)), int(0));
  },
  len: ([x]) => (x?.kind === "sequence" ? int(x.items.length) : x?.kind === "string" ? int([...x.value].length) : unfit("len", [x])),
  int: ([x]) => toInt(x),
  float: ([x]) => {
    const value = x !== undefined && isNumber(x) ? asFloat(x) : x?.kind === "string" ? floatOf(x.value) : undefined;
    return value === undefined ? unfit("float", [x]) : float(value);
  },
  bool: ([x]) => {
    const value = x === undefined ? false : truth(x);
    return value === undefined ? unfit("bool", [x]) : bool(value);
  },
  round: ([x]) => (x?.kind === "float" && Number.isFinite(x.value) ? int(roundHalfEven(x.value)) : x?.kind === "int" ? x : unfit("round", [x])),
  tuple: ([x]) => converted("tuple", x),
  list: ([x]) => converted("list", x),
  range,
  ceildiv: ([a, b]) => ceilDivision(a, b),
  cdiv: ([a, b]) => ceilDivision(a, b),
};

export const MATH: Readonly<Record<string, Known | ((x: number) => number)>> = {
  pi: float(Math.PI), e: float(Math.E), inf: float(Infinity), nan: float(NaN),
  sqrt: Math.sqrt, exp: Math.exp, log: Math.log, log2: Math.log2, log10: Math.log10, floor: Math.floor, ceil: Math.ceil,
};

/** A call of `math.name`; `floor` and `ceil` give integers. */
export function mathCall(name: string, args: readonly Known[]): Known | Failure {
  const [x] = args;
  const row = Object.hasOwn(MATH, name) ? MATH[name] : undefined;
  const value = x !== undefined && isNumber(x) ? asFloat(x) : undefined;
  if (typeof row !== "function" || value === undefined || args.length !== 1) return unfit(`math.${name}`, args);
  const result = row(value);
  if (Number.isNaN(result) && !Number.isNaN(value)) return fail(`math.${name} of ${value} is undefined`);
  if (name !== "floor" && name !== "ceil") return float(result);
  return Number.isFinite(result) ? int(result) : fail(`math.${name} of ${value} is no integer`);
}

const unfit = (name: string, args: readonly (Known | undefined)[]): Failure =>
  fail(`\`${name}\` does not take ${args.map((a) => (a === undefined ? "nothing" : describe(a))).join(", ")}`);

const magnitude = (x: bigint): bigint => (x < 0n ? -x : x);

function extreme(name: "min" | "max", args: readonly Known[]): Known | Failure {
  const [only] = args;
  const list = args.length === 1 && only?.kind === "sequence" ? only.items : args;
  const [first, ...rest] = list;
  if (first === undefined) return unfit(name, args);
  const dims = list.map(knownDim);
  if (list.some((k) => k.kind === "extent") && dims.every((d) => d !== undefined)) return fromDim(dims.reduce(name === "min" ? minDim : maxDim));
  return rest.reduce<Known | Failure>((best, next) => {
    if (failed(best)) return best;
    const replaces = knownCompare(name === "min" ? "<" : ">", next, best);
    return failed(replaces) ? replaces : truth(replaces) ? next : best;
  }, first);
}

function toInt(x: Known | undefined): Known | Failure {
  if (x?.kind === "int") return x;
  if (x?.kind === "bool") return int(BigInt(x.value));
  if (x?.kind === "float") return Number.isFinite(x.value) ? int(Math.trunc(x.value)) : fail(`\`int\` of ${x.value} is no integer`);
  const digits = x?.kind === "string" && x.value.length <= 4096 ? /^\s*\+?(-?\d+(?:_\d+)*)\s*$/.exec(x.value)?.[1] : undefined;
  return digits === undefined ? unfit("int", [x]) : int(BigInt(digits.replaceAll("_", "")));
}

function floatOf(text: string): number | undefined {
  const word = text.trim().toLowerCase().replace(/^\+/, "");
  if (/^-?inf(inity)?$/.test(word)) return word.startsWith("-") ? -Infinity : Infinity;
  if (/^-?nan$/.test(word)) return NaN;
  return /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(word) ? Number(word) : undefined;
}

function converted(form: KnownSequence["form"], x: Known | undefined): Known | Failure {
  if (x === undefined) return sequence(form, []);
  return x.kind === "sequence" ? sequence(form, x.items) : unfit(form, [x]);
}

function range(args: readonly Known[]): Known | Failure {
  const numbers = args.map((a) => (a.kind === "int" ? a.value : undefined));
  const [first, second, third] = numbers;
  if (first === undefined || numbers.includes(undefined) || numbers.length > 3) return unfit("range", args);
  const [start, stop, step] = [second === undefined ? 0n : first, second ?? first, third ?? 1n];
  if (step === 0n) return fail("a range with a step of 0");
  const count = step > 0n ? floorDivision(stop - start + step - 1n, step) : floorDivision(start - stop - step - 1n, -step);
  if (count > BigInt(SIZE_LIMIT)) return fail(`a range of more than ${SIZE_LIMIT} elements`);
  return sequence("list", Array.from({ length: Math.max(0, Number(count)) }, (_, i) => int(start + BigInt(i) * step)));
}

function ceilDivision(a: Known | undefined, b: Known | undefined): Known | Failure {
  if (a?.kind === "int" && b?.kind === "int") return b.value === 0n ? fail("division by zero") : int(-floorDivision(-a.value, b.value));
  const dividend: Dim | undefined = a && knownDim(a);
  const divisor: Dim | undefined = b && knownDim(b);
  if (dividend === undefined || divisor === undefined || !isStatic(divisor) || divisor <= 0) return unfit("ceildiv", [a, b]);
  return fromDim(floorDivDim(addDims(dividend, divisor - 1), divisor));
}
