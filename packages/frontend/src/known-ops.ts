// Operators, comparisons and subscripts on compile-time values, by Python's rules. A failure is a sentence.

import { addDims, floorDivDim, isStatic, modDim, mulDims, scaleDim, subDims, type Dim } from "@tilefoundry/ir";
import { beyond, fail, isNumber, numberBinary, type Failure } from "./python-number.ts";
import { dict, keyText, sequence, SIZE_LIMIT } from "./collections.ts";
import { isExactDim } from "./exact-dim.ts";
import { bool, float, int, type Known } from "./value.ts";

export const failed = (result: Known | Failure): result is Failure => "failure" in result;

export function knownBinary(op: string, a: Known, b: Known): Known | Failure {
  if (isNumber(a) && isNumber(b)) return numberBinary(op, a, b) ?? unfit(op, a, b);
  if (a.kind === "extent" || b.kind === "extent") return extentBinary(op, a, b) ?? unfit(op, a, b);
  if (op === "+" && a.kind === "string" && b.kind === "string") {
    return limited(a.value.length + b.value.length) ?? { kind: "string", value: a.value + b.value };
  }
  if (op === "+" && a.kind === "sequence" && b.kind === "sequence" && a.form === b.form) {
    return sequence(a.form, [...a.items, ...b.items]);
  }
  if (op === "|" && a.kind === "dict" && b.kind === "dict") return dict([...a.entries.values(), ...b.entries.values()].map((e) => [e.key, e.value]));
  if (op === "*" && b.kind === "int") return repeat(a, b.value) ?? unfit(op, a, b);
  if (op === "*" && a.kind === "int") return repeat(b, a.value) ?? unfit(op, a, b);
  return unfit(op, a, b);
}

const unfit = (op: string, a: Known, b: Known): Failure => beyond(`\`${op}\` does not take ${describe(a)} and ${describe(b)}`);

function limited(length: number): Failure | undefined {
  return length > SIZE_LIMIT ? beyond(`the result has more than ${SIZE_LIMIT} elements`) : undefined;
}

function repeat(a: Known, times: bigint): Known | Failure | undefined {
  const length = a.kind === "string" ? a.value.length : a.kind === "sequence" ? a.items.length : undefined;
  if (length === undefined) return undefined;
  const count = times <= 0n || length === 0 ? 0 : Number(times);
  const tooLong = limited(length * count);
  if (tooLong !== undefined) return tooLong;
  if (a.kind === "string") return { ...a, value: a.value.repeat(count) };
  return a.kind === "sequence" ? sequence(a.form, Array.from({ length: count }, () => a.items).flat()) : undefined;
}

/** A compile-time value as an extent, where it is one: an integer or a symbolic extent. */
export function knownDim(k: Known): Dim | undefined {
  if (k.kind === "extent") return k.dim;
  if (k.kind !== "int") return undefined;
  const value = Number(k.value);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** A dim as a value; a failure if it is no longer exact, or too large to compare. */
export function fromDim(d: Dim): Known | Failure {
  if (!isExactDim(d)) return beyond("the extent is beyond 2**53, or too complicated");
  return isStatic(d) ? int(d) : { kind: "extent", dim: d };
}

function extentBinary(op: string, a: Known, b: Known): Known | Failure | undefined {
  const [x, y] = [knownDim(a), knownDim(b)];
  if (x === undefined || y === undefined) return undefined;
  const dim = dimBinary(op, x, y);
  const reason = `\`${op}\` of symbolic extents is no extent: only sums, and products, \`//\` and \`%\` by literals are`;
  return dim === undefined ? beyond(reason) : fromDim(dim);
}

function dimBinary(op: string, a: Dim, b: Dim): Dim | undefined {
  switch (op) {
    case "+": return addDims(a, b);
    case "-": return subDims(a, b);
    case "*": return mulDims(a, b);
    case "//": return isStatic(b) && b > 0 ? floorDivDim(a, b) : undefined;
    case "%": return isStatic(b) && b > 0 ? modDim(a, b) : undefined;
    default: return undefined;
  }
}

export function knownUnary(op: "-" | "+" | "~" | "not", k: Known): Known | Failure {
  if (op === "not") return truth(k) === undefined ? beyond(`\`not\` does not take ${describe(k)}`) : bool(!truth(k));
  if (k.kind === "extent" && op !== "~") return op === "-" ? fromDim(scaleDim(k.dim, -1)) : k;
  if (k.kind === "float" && op !== "~") return op === "-" ? float(-k.value) : k;
  if (k.kind === "int") return { ...k, value: op === "-" ? -k.value : op === "~" ? ~k.value : k.value };
  if (k.kind === "bool") return int(op === "-" ? -BigInt(k.value) : op === "~" ? ~BigInt(k.value) : BigInt(k.value));
  return beyond(`\`${op}\` does not take ${describe(k)}`);
}

/** Python's truth of a value; undefined for what is known only when the kernel runs. */
export function truth(k: Known): boolean | undefined {
  switch (k.kind) {
    case "int": return k.value !== 0n;
    case "float": return k.value !== 0;
    case "bool": return k.value;
    case "string": return k.value !== "";
    case "none": return false;
    case "sequence": return k.items.length > 0;
    case "dict": return k.entries.size > 0;
    case "dtype":
    case "module":
    case "topology":
    case "record":
    case "class":
    case "word": return true;
    case "extent": return undefined;
  }
}

export function knownCompare(op: string, a: Known, b: Known): Known | Failure {
  if (op === "==" || op === "!=" || op === "is" || op === "is not") {
    const same = sameKnown(a, b);
    if (same === undefined) return beyond("symbolic extents are compared only when the kernel runs");
    return bool(same === (op === "==" || op === "is"));
  }
  if (op === "in" || op === "not in") {
    const found = contains(b, a);
    return found === undefined ? beyond(`\`${op}\` does not take ${describe(b)}`) : bool(found === (op === "in"));
  }
  const ordered = (isNumber(a) && isNumber(b)) || (a.kind === "string" && b.kind === "string");
  const order = ordered ? orderOf(a.value, b.value) : undefined;
  return order === undefined ? unfit(op, a, b) : bool(HOLDS[op as keyof typeof HOLDS](order)); // the equality operators are done above
}

function contains(whole: Known, part: Known): boolean | undefined {
  if (whole.kind === "string") return part.kind === "string" ? whole.value.includes(part.value) : undefined;
  if (whole.kind === "dict") return whole.entries.has(keyText(part) ?? "");
  return whole.kind === "sequence" ? whole.items.some((item) => sameKnown(part, item) === true) : undefined;
}

/** -1, 0 or 1, NaN where neither holds. JavaScript compares bigints with doubles exactly. */
function orderOf(a: bigint | number | boolean | string, b: bigint | number | boolean | string): number {
  return a < b ? -1 : a > b ? 1 : Number.isNaN(a) || Number.isNaN(b) ? NaN : 0;
}

const HOLDS = {
  "<": (order: number) => order < 0,
  "<=": (order: number) => order <= 0,
  ">": (order: number) => order > 0,
  ">=": (order: number) => order >= 0,
} as const;

function sameKnown(a: Known, b: Known): boolean | undefined {
  if (isNumber(a) && isNumber(b)) return orderOf(a.value, b.value) === 0;
  if (a.kind === "extent" || b.kind === "extent") return undefined;
  if (a.kind === "sequence" && b.kind === "sequence") return a.form === b.form && sameAll(a.items, b.items);
  if (a.kind === "dict" && b.kind === "dict") {
    const others = [...a.entries.keys()].flatMap((key) => b.entries.get(key) ?? []);
    return a.entries.size === b.entries.size && sameAll([...a.entries.values()].map((e) => e.value), others.map((e) => e.value));
  }
  if (a.kind === "record" && b.kind === "record") return a.class === b.class && sameAll([...a.fields.values()], [...a.fields.keys()].flatMap((name) => b.fields.get(name) ?? []));
  if (a.kind === "class" && b.kind === "class") return a.class === b.class;
  const key = keyText(a);
  return key !== undefined && key === keyText(b);
}

const sameAll = (a: readonly Known[], b: readonly Known[]): boolean => a.length === b.length && a.every((item, i) => sameKnown(item, b[i] ?? item) === true);

// — elements —

/** `x[index]`. */
export function knownItem(x: Known, index: Known): Known | Failure {
  if (x.kind === "dict") return entryOf(x.entries.get(keyText(index) ?? "")?.value, index);
  if (x.kind === "record" && index.kind === "string") return entryOf(x.fields.get(index.value), index);
  const items = elementsOf(x);
  if (items === undefined || x.kind === "record") return beyond(`${describe(x)} has no elements to index`);
  if (index.kind !== "int" && index.kind !== "bool") return fail(`a list is indexed by an integer, not by ${describe(index)}`);
  const item = items.at(Number(index.value));
  return item ?? fail(`index ${index.value} is outside of ${items.length} elements`);
}

const entryOf = (found: Known | undefined, key: Known): Known | Failure => found ?? fail(`there is no entry for ${describe(key)}`);

/** `x[start:stop:step]`; a bound of undefined is left out. */
export function knownSlice(x: Known, bounds: readonly (Known | undefined)[]): Known | Failure {
  const items = elementsOf(x);
  if (items === undefined || (x.kind !== "sequence" && x.kind !== "string")) return beyond(`${describe(x)} has no elements to slice`);
  const numbers = bounds.map((b) => (b?.kind === "int" ? Number(b.value) : undefined));
  if (bounds.some((b) => b !== undefined && b.kind !== "none" && b.kind !== "int")) return fail("the bounds of a slice are integers");
  const [start, stop, step = 1] = numbers;
  if (step === 0) return fail("a slice with a step of 0");
  const [low, high] = step > 0 ? [0, items.length] : [-1, items.length - 1];
  const clamp = (bound: number): number => Math.max(low, Math.min(high, bound < 0 ? bound + items.length : bound));
  const [from, to] = [start === undefined ? (step > 0 ? low : high) : clamp(start), stop === undefined ? (step > 0 ? high : low) : clamp(stop)];
  const taken: Known[] = [];
  for (let i = from; step > 0 ? i < to : i > to; i += step) taken.push(items[i] ?? { kind: "none" });
  return x.kind === "string" ? { kind: "string", value: taken.map((k) => (k.kind === "string" ? k.value : "")).join("") } : sequence(x.form, taken);
}

/** What a loop over the value takes one after the other; undefined where it is no collection. */
export function elementsOf(k: Known): readonly Known[] | undefined {
  switch (k.kind) {
    case "sequence": return k.items;
    case "dict": return [...k.entries.values()].map((e) => e.key);
    case "string": return [...k.value].map((value): Known => ({ kind: "string", value }));
    default: return undefined;
  }
}

/** What a compile-time value is, with its article, for messages. */
export function describe(k: Known): string {
  switch (k.kind) {
    case "int": return `the integer ${shortText(String(k.value))}`;
    case "float": return `the float ${floatText(k.value)}`;
    case "bool": return k.value ? "True" : "False";
    case "string": return `the string ${JSON.stringify(shortText(k.value))}`;
    case "none": return "None";
    case "sequence": return `a ${k.form} of ${k.items.length}`;
    case "dict": return `a dict of ${k.entries.size}`;
    case "record": return k.class === undefined ? "a record" : `a record of \`${k.class.name}\``;
    case "class": return `the class ${k.class.name}`;
    case "dtype": return `the dtype ${k.dtype}`;
    case "word": return `\`${k.family}.${k.word}\``;
    case "extent": return "a symbolic extent";
    case "module": return `the module ${k.module.name}`;
    case "topology": return `the level ${k.topology.name} of ${k.topology.size}`;
  }
}

const shortText = (text: string): string => (text.length > 40 ? `${text.slice(0, 37)}…` : text);

export function floatText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
  const text = Object.is(value, -0) ? "-0" : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
