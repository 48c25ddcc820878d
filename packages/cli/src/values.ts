// Values of arguments on the command line: numbers, .npy files, and generators whose values depend on the seed and the name only.

import { dimVars, DTYPES, evalDim, isFloat, isInteger, isSigned, soleVariable, type DType, type Signature, type SignatureParam, type VarLike } from "@tilefoundry/ir";
import { fromNpy, newArray, type ArgumentValue, type NdArray } from "@tilefoundry/runtime";
import { diagnostic, type Diagnostic, type Outcome } from "@tilefoundry/text";
import { readFileSync } from "node:fs";

export interface Given {
  /** By parameter: the text after `NAME=`. */
  readonly args: ReadonlyMap<string, string>;
  /** By symbolic extent. */
  readonly dims: ReadonlyMap<string, number>;
  readonly seed: number;
}

const GENERATORS = ["zeros", "ones", "arange", "randn", "randint:LO:HI"];

/** Arguments for a signature, and what is wrong with those given. Parameters not given are random inputs; Out arrays are made. */
export function makeArguments(signature: Signature, given: Given): Outcome<Readonly<Record<string, ArgumentValue>>> {
  const { arrays, diagnostics: unread } = readArrays(given);
  const extents = extentsOf(signature, given, arrays);
  const wrong = [...unknownNames(signature, given), ...unread, ...wrongDims(signature, given, arrays)];
  if (wrong.length > 0) return { value: {}, diagnostics: wrong };
  const missing = missingExtents(signature, extents, arrays);
  if (missing.length > 0) return { value: {}, diagnostics: missing };
  const made = signature.params.map((param) => ({ name: param.name, ...argumentFor(param, given, extents, arrays.get(param.name)) }));
  return {
    value: Object.fromEntries(made.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
    diagnostics: made.flatMap((m) => m.diagnostics),
  };
}

/** Out arrays whose extents only `--dim` tells are made here, so that the kernel can read them off. */
function argumentFor(param: SignatureParam, given: Given, extents: Extents, read: NdArray | undefined): Outcome<ArgumentValue | undefined> {
  if (read !== undefined) return { value: read, diagnostics: [] };
  if (param.kind === "scalar" || param.direction !== "out" || given.args.has(param.name)) return valueOf(param, given, extents);
  if (given.dims.size === 0) return { value: undefined, diagnostics: [] };
  return newArray(shapeOf(param.shape, extents), param.dtype, `\`${param.name}\``);
}

function unknownNames(signature: Signature, given: Given): readonly Diagnostic[] {
  const params = signature.params.map((p) => p.name);
  const symbols = signature.symbols.map((s) => s.name);
  return [
    ...[...given.args.keys()].filter((n) => !params.includes(n)).map((name) => diagnostic("TF6025", undefined, { function: signature.name, name, names: params.join(", ") })),
    ...[...given.dims.keys()].filter((n) => !symbols.includes(n)).map((name) => diagnostic("TF6028", undefined, { function: signature.name, name, names: symbols.join(", ") || "none" })),
  ];
}

/** Arguments that are files. */
function readArrays(given: Given): { readonly arrays: ReadonlyMap<string, NdArray>; readonly diagnostics: readonly Diagnostic[] } {
  const arrays = new Map<string, NdArray>();
  const diagnostics: Diagnostic[] = [];
  for (const [name, text] of given.args) {
    if (!text.endsWith(".npy")) continue;
    const read = readNpy(text);
    diagnostics.push(...read.diagnostics);
    if (read.value !== undefined) arrays.set(name, read.value);
  }
  return { arrays, diagnostics };
}

function readNpy(file: string): Outcome<NdArray | undefined> {
  try {
    return fromNpy(readFileSync(file), file);
  } catch (error) {
    const reason = error instanceof Error && "code" in error && error.code === "ENOENT" ? "there is no such file" : String(error);
    return { value: undefined, diagnostics: [diagnostic("TF6022", undefined, { file, reason })] };
  }
}

/** Extents that `--dim` gives outside of their range, or otherwise than an array has them. */
function wrongDims(signature: Signature, given: Given, arrays: ReadonlyMap<string, NdArray>): readonly Diagnostic[] {
  return signature.symbols.flatMap(({ name, var: symbol, lo, hi }) => {
    const value = given.dims.get(name);
    if (value === undefined) return [];
    if (value < lo || value >= hi) return [diagnostic("TF6029", symbol.meta.span, { symbol: name, value, lo, hi })];
    return signature.params.flatMap((param) => {
      const { axis, extent } = (param.kind === "array" && axisOf(param, symbol, arrays.get(param.name))) || {};
      if (axis === undefined || extent === undefined || extent === value) return [];
      const because = `\`--dim ${name}=${value}\` says so`;
      return [diagnostic("TF6004", param.var.meta.span, { axis, param: param.name, actual: extent, dim: name, expected: value, because })];
    });
  });
}

type Extents = ReadonlyMap<VarLike, number>;

/** Extents from `--dim` and from the arrays given. */
function extentsOf(signature: Signature, given: Given, arrays: ReadonlyMap<string, NdArray>): Extents {
  const extents = new Map<VarLike, number>();
  for (const symbol of signature.symbols) {
    const named = given.dims.get(symbol.name);
    const fromArray = signature.params.flatMap((p) => (p.kind === "array" ? (axisOf(p, symbol.var, arrays.get(p.name))?.extent ?? []) : []))[0];
    const value = named ?? fromArray;
    if (value !== undefined) extents.set(symbol.var, value);
  }
  return extents;
}

type ArrayParam = Extract<SignatureParam, { kind: "array" }>;

/** The axis of a parameter that is exactly the symbol, and its extent in the array given for it. */
function axisOf(param: ArrayParam, symbol: VarLike, array: NdArray | undefined): { readonly axis: number; readonly extent: number } | undefined {
  const axis = param.shape.findIndex((d) => soleVariable(d) === symbol);
  const extent = array?.shape[axis];
  return extent === undefined ? undefined : { axis, extent };
}

const shapeOf = (shape: ArrayParam["shape"], extents: Extents): readonly number[] => shape.map((d) => evalDim(d, extents));

/** Extents without a value that the shape of an array needs which is not given. */
function missingExtents(signature: Signature, extents: Extents, arrays: ReadonlyMap<string, NdArray>): readonly Diagnostic[] {
  const needed = new Set<VarLike>();
  for (const param of signature.params) {
    if (param.kind === "array" && !arrays.has(param.name)) for (const d of param.shape) dimVars(d, (v) => needed.add(v));
  }
  return signature.symbols
    .filter((s) => needed.has(s.var) && !extents.has(s.var))
    .map((s) => diagnostic("TF6027", undefined, { symbol: s.name, function: signature.name }));
}

function valueOf(param: SignatureParam, given: Given, extents: Extents): Outcome<ArgumentValue | undefined> {
  const text = given.args.get(param.name);
  if (param.kind === "scalar") return scalarOf(param, text, given.seed);
  const fill = generator(text ?? (isFloat(param.dtype) ? "randn" : param.dtype === "bool" ? "randint:0:2" : "randint:0:8"), param.dtype, given.seed, param.name);
  if (fill === undefined) {
    return { value: undefined, diagnostics: [diagnostic("TF6026", undefined, { text: text ?? "", param: param.name, expected: `give a .npy file, a number, ${GENERATORS.join(", ")}` })] };
  }
  const shape = shapeOf(param.shape, extents);
  const limits = limitsOf(param.dtype);
  const [least, most] = spread(text ?? "", shape.reduce((a, b) => a * b, 1));
  if (limits !== undefined && (least < limits[0] || most > limits[1])) {
    return { value: undefined, diagnostics: [diagnostic("TF6026", undefined, { text: text ?? "", param: param.name, expected: `elements of dtype ${param.dtype} are ${limits[0]} to ${limits[1]}` })] };
  }
  return newArray(shape, param.dtype, `\`${param.name}\``, fill);
}

/** The least and the greatest value of an integer dtype. */
function limitsOf(dtype: DType): readonly [bigint, bigint] | undefined {
  if (!isInteger(dtype)) return undefined;
  const bits = BigInt(DTYPES[dtype].bits);
  return isSigned(dtype) ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n];
}

/** The least and the greatest element that a text gives an array of so many. */
function spread(text: string, count: number): readonly [bigint, bigint] {
  if (text === "arange") return [0n, BigInt(Math.max(0, count - 1))];
  const range = /^randint:(-?\d+):(-?\d+)$/.exec(text);
  if (range !== null) return [BigInt(range[1] ?? 0), BigInt(range[2] ?? 0) - 1n];
  const value = /^-?\d+$/.test(text) ? BigInt(text) : Number.isInteger(Number(text)) ? BigInt(Number(text)) : 0n;
  return [value, value];
}

type Scalar = number | bigint | boolean;

function scalarOf(param: SignatureParam, text: string | undefined, seed: number): Outcome<ArgumentValue | undefined> {
  const fill = generator(text ?? (isFloat(param.dtype) ? "randn" : "randint:0:8"), param.dtype, seed, param.name);
  if (fill === undefined) return { value: undefined, diagnostics: [diagnostic("TF6026", undefined, { text: text ?? "", param: param.name, expected: `give a number of dtype ${param.dtype}` })] };
  return { value: fill(0), diagnostics: [] };
}

/** Element by flat position, or undefined if the text names no generator and is no number. */
function generator(text: string, dtype: DType, seed: number, name: string): ((i: number) => Scalar) | undefined {
  const as = (x: number): Scalar => (dtype === "bool" ? x !== 0 : isFloat(dtype) ? x : DTYPES[dtype].bits === 64 ? BigInt(Math.trunc(x)) : Math.trunc(x));
  if (text === "zeros" || text === "false") return () => as(0);
  if (text === "ones" || text === "true") return () => as(1);
  if (text === "arange") return (i) => as(i);
  const random = randomFrom(seed, name);
  if (text === "randn") return () => as(normal(random));
  const range = /^randint:(-?\d+):(-?\d+)$/.exec(text);
  if (range !== null) {
    const [lo, hi] = [Number(range[1]), Number(range[2])];
    return hi > lo ? () => as(lo + Math.floor(random() * (hi - lo))) : undefined;
  }
  if (DTYPES[dtype].bits === 64 && /^-?\d+$/.test(text)) return () => (isFloat(dtype) ? Number(text) : BigInt(text));
  const value = Number(text);
  if (text.trim() === "" || Number.isNaN(value) !== (text.toLowerCase() === "nan")) return undefined;
  return isFloat(dtype) || Number.isInteger(value) ? () => as(value) : undefined;
}

/** Uniform numbers in [0, 1) from a seed and a name (mulberry32 over an FNV-1a hash). */
function randomFrom(seed: number, name: string): () => number {
  let state = (2166136261 ^ seed) >>> 0;
  for (const c of name) state = Math.imul(state ^ (c.codePointAt(0) ?? 0), 16777619) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Standard normal by Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

