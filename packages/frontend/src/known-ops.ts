// Operators, comparisons and subscripts on compile-time values, by Python's rules. A failure is a sentence.

import { addDims, floorDivDim, isStatic, modDim, mulDims, scaleDim, subDims, type Dim } from "@tilefoundry/ir";
import { fail, isNumber, numberBinary, type Failure } from "./python-number.ts";
import { isExactDim } from "./exact-dim.ts";
import { sequence, SIZE_LIMIT } from "./sequence.ts";
import { bool, float, int, type Known, type KnownSequence } from "./value.ts";

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
  if (op === "*" && b.kind === "int") return repeat(a, b.value) ?? unfit(op, a, b);
  if (op === "*" && a.kind === "int") return repeat(b, a.value) ?? unfit(op, a, b);
  return unfit(op, a, b);
}

const unfit = (op: string, a: Known, b: Known): Failure => fail(`\`${op}\` does not take ${describe(a)} and ${describe(b)}`);

function limited(length: number): Failure | undefined {
  return length > SIZE_LIMIT ? fail(`the result has more than ${SIZE_LIMIT} elements`) : undefined;
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
  if (!isExactDim(d)) return fail("the extent is beyond 2**53, or too complicated");
  return isStatic(d) ? int(d) : { kind: "extent", dim: d };
}

function extentBinary(op: string, a: Known, b: Known): Known | Failure | undefined {
  const [x, y] = [knownDim(a), knownDim(b)];
  if (x === undefined || y === undefined) return undefined;
  const dim = dimBinary(op, x, y);
  const reason = `\`${op}\` of symbolic extents is no extent: only sums, and products, \`//\` and \`%\` by literals are`;
  return dim === undefined ? fail(reason) : fromDim(dim);
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
  if (op === "not") return truth(k) === undefined ? fail(`\`not\` does not take ${describe(k)}`) : bool(!truth(k));
  if (k.kind === "extent" && op !== "~") return op === "-" ? fromDim(scaleDim(k.dim, -1)) : k;
  if (k.kind === "float" && op !== "~") return op === "-" ? float(-k.value) : k;
  if (k.kind === "int") return { ...k, value: op === "-" ? -k.value : op === "~" ? ~k.value : k.value };
  if (k.kind === "bool") return int(op === "-" ? -BigInt(k.value) : op === "~" ? ~BigInt(k.value) : BigInt(k.value));
  return fail(`\`${op}\` does not take ${describe(k)}`);
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
    case "dtype":
    case "module":
    case "topology":
    case "word": return true;
    case "extent": return undefined;
  }
}

export function knownCompare(op: string, a: Known, b: Known): Known | Failure {
  if (op === "==" || op === "!=" || op === "is" || op === "is not") {
    const same = sameKnown(a, b);
    if (same === undefined) return fail("symbolic extents are compared only when the kernel runs");
    return bool(same === (op === "==" || op === "is"));
  }
  if (op === "in" || op === "not in") {
    if (b.kind !== "sequence") return fail(`\`${op}\` does not take ${describe(b)}`);
    return bool(b.items.some((item) => sameKnown(a, item) === true) === (op === "in"));
  }
  const ordered = (isNumber(a) && isNumber(b)) || (a.kind === "string" && b.kind === "string");
  const order = ordered ? orderOf(a.value, b.value) : undefined;
  return order === undefined ? unfit(op, a, b) : bool(HOLDS[op as keyof typeof HOLDS](order)); // the equality operators are done above
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
  if (a.kind === "sequence" && b.kind === "sequence") {
    return a.form === b.form && a.items.length === b.items.length && a.items.every((item, i) => sameKnown(item, b.items[i] ?? item) === true);
  }
  if (a.kind === "string" && b.kind === "string") return a.value === b.value;
  if (a.kind === "dtype" && b.kind === "dtype") return a.dtype === b.dtype;
  if (a.kind === "word" && b.kind === "word") return a.family === b.family && a.word === b.word;
  return a.kind === "none" && b.kind === "none";
}

/** `sequence[index]`. */
export function knownItem(sequence: KnownSequence, index: Known): Known | Failure {
  if (index.kind !== "int") return fail(`a list is indexed by an integer, not by ${describe(index)}`);
  const item = sequence.items.at(Number(index.value));
  return item ?? fail(`index ${index.value} is outside of ${sequence.items.length} elements`);
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
