// Python's functions that static evaluation knows: those that need no import, and those of `math`.

import { floorDivDim, addDims, isStatic, maxDim, minDim, type Dim } from "@tilefoundry/ir";
import { dict, pairs, record, sequence, SIZE_LIMIT } from "./collections.ts";
import { describe, elementsOf, failed, floatText, fromDim, knownBinary, knownCompare, knownDim, truth } from "./known-ops.ts";
import { asFloat, beyond, fail, floorDivision, isNumber, ratioOf, rounded, type Failure } from "./python-number.ts";
import { bool, float, int, type Known } from "./value.ts";

type Builtin = (args: readonly Known[], keywords: ReadonlyMap<string, Known>) => Known | Failure;

export const BUILTINS: Readonly<Record<string, Builtin>> = {
  abs: ([x]) => {
    if (x === undefined || !isNumber(x)) return unfit("abs", [x]);
    return x.kind === "float" ? float(Math.abs(x.value)) : int(magnitude(BigInt(x.value)));
  },
  min: (args) => extreme("min", args),
  max: (args) => extreme("max", args),
  sum: ([list, start]) => {
    const items = list === undefined ? undefined : elementsOf(list);
    return items === undefined ? unfit("sum", [list]) : items.reduce<Known | Failure>((total, item) => (failed(total) ? total : knownBinary("+", total, item)), start ?? int(0));
  },
  len: ([x]) => {
    const items = x === undefined ? undefined : elementsOf(x);
    return items === undefined ? unfit("len", [x]) : int(items.length);
  },
  int: ([x]) => toInt(x),
  float: ([x]) => {
    const value = x !== undefined && isNumber(x) ? asFloat(x) : x?.kind === "string" ? floatOf(x.value) : undefined;
    return value === undefined ? unfit("float", [x]) : float(value);
  },
  bool: ([x]) => {
    const value = x === undefined ? false : truth(x);
    return value === undefined ? unfit("bool", [x]) : bool(value);
  },
  round: ([x, digits]) => {
    const number = x?.kind === "bool" ? int(BigInt(x.value)) : x;
    if ((number?.kind !== "float" && number?.kind !== "int") || (digits !== undefined && digits.kind !== "int" && digits.kind !== "none")) return unfit("round", [x, digits]);
    return rounded(number, digits?.kind === "int" ? digits.value : undefined);
  },
  tuple: ([x]) => converted("tuple", x),
  list: ([x]) => converted("list", x),
  range,
  str: ([x]) => (x === undefined ? { kind: "string", value: "" } : asText(x)),
  all: ([x]) => every(x, "all"),
  any: ([x]) => every(x, "any"),
  sorted: ([x], keywords) => sorted(x, keywords.get("reverse")),
  reversed: ([x]) => {
    const items = x?.kind === "sequence" || x?.kind === "string" ? elementsOf(x) : undefined;
    return items === undefined ? unfit("reversed", [x]) : sequence("list", [...items].reverse());
  },
  enumerate: ([x, start]) => {
    const items = x && elementsOf(x);
    if (items === undefined || (start !== undefined && start.kind !== "int")) return unfit("enumerate", [x, start]);
    return pairs(items.map((item, i) => [int((start?.value ?? 0n) + BigInt(i)), item]));
  },
  zip: (args) => {
    const lists = args.map(elementsOf);
    if (lists.includes(undefined)) return unfit("zip", args);
    const shortest = Math.min(...lists.map((l) => l?.length ?? 0), lists.length === 0 ? 0 : Infinity);
    return pairs(Array.from({ length: shortest }, (_, i) => lists.flatMap((l) => l?.[i] ?? [])));
  },
  divmod: ([a, b]) => {
    if (a === undefined || b === undefined) return unfit("divmod", [a, b]);
    const [quotient, rest] = [knownBinary("//", a, b), knownBinary("%", a, b)];
    return failed(quotient) ? quotient : failed(rest) ? rest : sequence("tuple", [quotient, rest]);
  },
  pow: ([a, b, modulus]) => (a === undefined || b === undefined || modulus !== undefined ? unfit("pow", [a, b, modulus]) : knownBinary("**", a, b)),
  dict: ([x], keywords) => asDict(x, keywords),
  replace: ([x], keywords) => {
    if (x?.kind !== "record") return unfit("replace", [x]);
    const strange = [...keywords.keys()].find((name) => !x.fields.has(name));
    return strange === undefined ? record(x.class, new Map([...x.fields, ...keywords])) : fail(`${describe(x)} has no field \`${strange}\``);
  },
  ceildiv: ([a, b]) => ceilDivision(a, b),
  cdiv: ([a, b]) => ceilDivision(a, b),
};

/** Keywords that a function takes; of one that is not here, none. "any" are names of its own. */
const KEYWORDS: Readonly<Record<string, readonly string[] | "any">> = { sorted: ["reverse"], dict: "any", replace: "any" };

export const takesKeyword = (name: string, keyword: string): boolean => {
  const taken = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
  return taken === "any" || taken?.includes(keyword) === true;
};

/** What `math` has of floats; a failure where Python raises. */
const REAL: Readonly<Record<string, (x: number) => number>> = {
  sqrt: Math.sqrt, exp: Math.exp, fabs: Math.abs, sin: Math.sin, cos: Math.cos, tan: Math.tan, tanh: Math.tanh,
};

/** Of integers, exactly. */
const WHOLE: Readonly<Record<string, (args: readonly bigint[]) => bigint | Failure>> = {
  gcd: (args) => args.reduce(gcd, 0n),
  lcm: (args) => args.reduce((a, b) => (a === 0n || b === 0n ? 0n : magnitude((a / gcd(a, b)) * b)), 1n),
  isqrt: ([x]) => (x === undefined ? beyond("`math.isqrt` takes an integer") : x < 0n ? fail("the root of a negative number") : integerRoot(x)),
};

const LOGARITHMS: Readonly<Record<string, (x: number) => number>> = { log: Math.log, log2: Math.log2, log10: Math.log10 };
const TO_INTEGER: Readonly<Record<string, (numerator: bigint, denominator: bigint) => bigint>> = {
  floor: floorDivision,
  ceil: (n, d) => -floorDivision(-n, d),
  trunc: (n, d) => n / d,
};

export const MATH_CONSTANTS: Readonly<Record<string, Known>> = {
  pi: float(Math.PI), e: float(Math.E), tau: float(2 * Math.PI), inf: float(Infinity), nan: float(NaN),
};

const own = <V>(table: Readonly<Record<string, V>>, name: string): V | undefined => (Object.hasOwn(table, name) ? table[name] : undefined);

/** A call of `math.name`. */
export function mathCall(name: string, args: readonly Known[]): Known | Failure {
  const [x, y] = args;
  const spelled = `math.${name}`;
  const whole = own(WHOLE, name);
  if (whole !== undefined) {
    const numbers = args.flatMap((a) => (a.kind === "int" || a.kind === "bool" ? [BigInt(a.value)] : []));
    const result = numbers.length === args.length ? whole(numbers) : unfit(spelled, args);
    return typeof result === "bigint" ? int(result) : result;
  }
  if (name === "prod") return (x && elementsOf(x))?.reduce<Known | Failure>((total, item) => (failed(total) ? total : knownBinary("*", total, item)), int(1)) ?? unfit(spelled, args);
  if (name === "pow" && x !== undefined && y !== undefined && isNumber(x) && isNumber(y)) return knownBinary("**", float(asFloat(x) ?? Infinity), float(asFloat(y) ?? Infinity));
  if (x === undefined || !isNumber(x) || args.length > (name === "log" ? 2 : 1)) return unfit(spelled, args);
  const integral = own(TO_INTEGER, name);
  if (integral !== undefined) return toWhole(x, integral, spelled);
  const value = asFloat(x);
  if (value === undefined) return fail("an integer is too large for a float");
  const logarithm = own(LOGARITHMS, name);
  if (logarithm !== undefined) return value > 0 || Number.isNaN(value) ? quotientOf(logarithm(value), y, logarithm) : fail(`\`${spelled}\` of ${floatText(value)} is undefined`);
  const real = own(REAL, name);
  if (real === undefined) return name === "isnan" ? bool(Number.isNaN(value)) : name === "isinf" ? bool(Math.abs(value) === Infinity) : unfit(spelled, args);
  const result = real(value);
  if (Number.isNaN(result) && !Number.isNaN(value)) return fail(`\`${spelled}\` of ${floatText(value)} is undefined`);
  return Number.isFinite(result) || !Number.isFinite(value) ? float(result) : fail("the result is too large for a float");
}

/** `math.log(x, base)`. */
function quotientOf(dividend: number, base: Known | undefined, logarithm: (x: number) => number): Known | Failure {
  if (base === undefined) return float(dividend);
  const value = isNumber(base) ? asFloat(base) : undefined;
  return value !== undefined && value > 0 ? knownBinary("/", float(dividend), float(logarithm(value))) : unfit("math.log", [base]);
}

function toWhole(x: Known, integral: (numerator: bigint, denominator: bigint) => bigint, spelled: string): Known | Failure {
  if (x.kind === "int") return x;
  if (x.kind === "bool") return int(BigInt(x.value));
  if (x.kind !== "float" || !Number.isFinite(x.value)) return fail(`\`${spelled}\` of ${describe(x)} is no integer`);
  return int(integral(...ratioOf(x.value)));
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [magnitude(a), magnitude(b)];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** By Newton's steps from above. */
function integerRoot(x: bigint): bigint {
  if (x < 2n) return x;
  let root = 1n << BigInt((x.toString(16).length * 4) / 2 + 1);
  for (let next = (root + x / root) / 2n; next < root; next = (root + x / root) / 2n) root = next;
  return root;
}

const unfit = (name: string, args: readonly (Known | undefined)[]): Failure =>
  beyond(`\`${name}\` does not take ${args.map((a) => (a === undefined ? "nothing" : describe(a))).join(", ")}`);

const magnitude = (x: bigint): bigint => (x < 0n ? -x : x);

function extreme(name: "min" | "max", args: readonly Known[]): Known | Failure {
  const [only] = args;
  const list = args.length === 1 && only !== undefined ? (elementsOf(only) ?? args) : args;
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

function converted(form: "tuple" | "list", x: Known | undefined): Known | Failure {
  const items = x === undefined ? [] : elementsOf(x);
  return items === undefined ? unfit(form, [x]) : sequence(form, items);
}

function asText(x: Known): Known | Failure {
  if (x.kind === "string") return x;
  if (x.kind === "int") return { kind: "string", value: String(x.value) };
  if (x.kind === "bool") return { kind: "string", value: x.value ? "True" : "False" };
  return unfit("str", [x]);
}

function every(x: Known | undefined, name: "all" | "any"): Known | Failure {
  const truths = x && elementsOf(x)?.map(truth);
  if (truths === undefined || truths.includes(undefined)) return unfit(name, [x]);
  return bool(name === "all" ? truths.every((t) => t === true) : truths.includes(true));
}

/** Stable, as Python sorts. */
function sorted(x: Known | undefined, reverse: Known | undefined): Known | Failure {
  const items = x && elementsOf(x);
  if (items === undefined) return unfit("sorted", [x]);
  let failure: Failure | undefined;
  const less = (a: Known, b: Known): boolean => {
    const result = knownCompare("<", a, b);
    if (!failed(result)) return truth(result) === true;
    failure ??= result;
    return false;
  };
  const down = reverse !== undefined && truth(reverse) === true;
  const order = [...items].sort((a, b) => (less(a, b) ? -1 : less(b, a) ? 1 : 0) * (down ? -1 : 1));
  return failure ?? sequence("list", order);
}

function asDict(x: Known | undefined, keywords: ReadonlyMap<string, Known>): Known | Failure {
  const rows = x?.kind === "dict" ? [...x.entries.values()].map((e) => [e.key, e.value]) : x === undefined ? [] : elementsOf(x)?.map((item) => elementsOf(item) ?? []);
  if (rows === undefined || rows.some((row) => row.length !== 2)) return unfit("dict", [x]);
  const named = [...keywords].map(([name, value]): readonly [Known, Known] => [{ kind: "string", value: name }, value]);
  return dict([...rows.flatMap(([key, value]): readonly (readonly [Known, Known])[] => (key === undefined || value === undefined ? [] : [[key, value]])), ...named]);
}

function range(args: readonly Known[]): Known | Failure {
  const numbers = args.map((a) => (a.kind === "int" ? a.value : undefined));
  const [first, second, third] = numbers;
  if (first === undefined || numbers.includes(undefined) || numbers.length > 3) return unfit("range", args);
  const [start, stop, step] = [second === undefined ? 0n : first, second ?? first, third ?? 1n];
  if (step === 0n) return fail("a range with a step of 0");
  const count = step > 0n ? floorDivision(stop - start + step - 1n, step) : floorDivision(start - stop - step - 1n, -step);
  if (count > BigInt(SIZE_LIMIT)) return beyond(`a range of more than ${SIZE_LIMIT} elements`);
  return sequence("range", Array.from({ length: Math.max(0, Number(count)) }, (_, i) => int(start + BigInt(i) * step)));
}

function ceilDivision(a: Known | undefined, b: Known | undefined): Known | Failure {
  if (a?.kind === "int" && b?.kind === "int") return b.value === 0n ? fail("division by zero") : int(-floorDivision(-a.value, b.value));
  const dividend: Dim | undefined = a && knownDim(a);
  const divisor: Dim | undefined = b && knownDim(b);
  if (dividend === undefined || divisor === undefined || !isStatic(divisor) || divisor <= 0) return unfit("ceildiv", [a, b]);
  return fromDim(floorDivDim(addDims(dividend, divisor - 1), divisor));
}
