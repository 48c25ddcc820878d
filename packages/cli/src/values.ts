// Values of arguments on the command line: numbers, .npy files, and generators whose values depend on the seed and the name only.

import { DTYPES, evalDim, isFloat, type DType, type Signature, type SignatureParam, type VarLike } from "@tilefoundry/ir";
import { fromNpy, NdArray, type ArgumentValue } from "@tilefoundry/runtime";
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
  const diagnostics = [...unknownNames(signature, given)];
  const arrays = new Map<string, NdArray>();
  for (const [name, text] of given.args) {
    if (!text.endsWith(".npy")) continue;
    const read = readNpy(text);
    diagnostics.push(...read.diagnostics);
    if (read.value !== undefined) arrays.set(name, read.value);
  }
  const extents = extentsOf(signature, given, arrays);
  const args: Record<string, ArgumentValue> = {};
  for (const param of signature.params) {
    const known = arrays.get(param.name);
    if (known !== undefined) args[param.name] = known;
    else if (param.direction === "out" && !given.args.has(param.name)) diagnostics.push(...missingExtents(signature, param, extents));
    else {
      const made = valueOf(signature, param, given, extents);
      diagnostics.push(...made.diagnostics);
      if (made.value !== undefined) args[param.name] = made.value;
    }
  }
  addOutShapes(signature, given, extents, args);
  return { value: args, diagnostics };
}

/** Out arrays whose extents only `--dim` tells are made here, so that the kernel can read them off. */
function addOutShapes(signature: Signature, given: Given, extents: ReadonlyMap<VarLike, number>, args: Record<string, ArgumentValue>): void {
  if (given.dims.size === 0) return;
  for (const param of signature.params) {
    if (param.kind !== "array" || param.direction !== "out" || param.name in args) continue;
    const shape = shapeOf(param.shape, extents);
    if (shape !== undefined) args[param.name] = NdArray.zeros(shape, param.dtype);
  }
}

function unknownNames(signature: Signature, given: Given): readonly Diagnostic[] {
  const params = signature.params.map((p) => p.name);
  const symbols = signature.symbols.map((s) => s.name);
  return [
    ...[...given.args.keys()].filter((n) => !params.includes(n)).map((name) => diagnostic("TF6025", undefined, { function: signature.name, name, names: params.join(", ") })),
    ...[...given.dims.keys()].filter((n) => !symbols.includes(n)).map((name) => diagnostic("TF6028", undefined, { function: signature.name, name, names: symbols.join(", ") || "none" })),
  ];
}

function readNpy(file: string): Outcome<NdArray | undefined> {
  try {
    return fromNpy(readFileSync(file), file);
  } catch (error) {
    const reason = error instanceof Error && "code" in error && error.code === "ENOENT" ? "there is no such file" : String(error);
    return { value: undefined, diagnostics: [diagnostic("TF6022", undefined, { file, reason })] };
  }
}

/** Extents from `--dim` and from the arrays given. */
function extentsOf(signature: Signature, given: Given, arrays: ReadonlyMap<string, NdArray>): ReadonlyMap<VarLike, number> {
  const extents = new Map<VarLike, number>();
  for (const symbol of signature.symbols) {
    const named = given.dims.get(symbol.name);
    const fromArray = signature.params.flatMap((p) => (p.kind === "array" ? axisOf(p, symbol.var, arrays.get(p.name)) : []))[0];
    const value = named ?? fromArray;
    if (value !== undefined) extents.set(symbol.var, value);
  }
  return extents;
}

function axisOf(param: Extract<SignatureParam, { kind: "array" }>, symbol: VarLike, array: NdArray | undefined): readonly number[] {
  if (array === undefined) return [];
  const axis = param.shape.findIndex((d) => typeof d !== "number" && d.constant === 0 && d.terms.length === 1 && d.terms[0]?.coefficient === 1 && d.terms[0].leaf.kind === "var" && d.terms[0].leaf.variable === symbol);
  const extent = axis < 0 ? undefined : array.shape[axis];
  return extent === undefined ? [] : [extent];
}

function shapeOf(dims: Extract<SignatureParam, { kind: "array" }>["shape"], extents: ReadonlyMap<VarLike, number>): readonly number[] | undefined {
  const needed = dims.every((d) => typeof d === "number" || d.terms.every((t) => t.leaf.kind !== "var" || extents.has(t.leaf.variable)));
  return needed ? dims.map((d) => evalDim(d, extents)) : undefined;
}

function missingExtents(signature: Signature, param: SignatureParam, extents: ReadonlyMap<VarLike, number>): readonly Diagnostic[] {
  if (param.kind !== "array" || shapeOf(param.shape, extents) !== undefined) return [];
  return signature.symbols
    .filter((s) => !extents.has(s.var) && usesSymbol(param.shape, s.var))
    .map((s) => diagnostic("TF6027", undefined, { symbol: s.name, function: signature.name }));
}

function usesSymbol(dims: Extract<SignatureParam, { kind: "array" }>["shape"], symbol: VarLike): boolean {
  return dims.some((d) => typeof d !== "number" && d.terms.some((t) => t.leaf.kind === "var" && t.leaf.variable === symbol));
}

function valueOf(signature: Signature, param: SignatureParam, given: Given, extents: ReadonlyMap<VarLike, number>): Outcome<ArgumentValue | undefined> {
  const text = given.args.get(param.name);
  if (param.kind === "scalar") return scalarOf(param, text, given.seed);
  const shape = shapeOf(param.shape, extents);
  if (shape === undefined) return { value: undefined, diagnostics: missingExtents(signature, param, extents) };
  const fill = generator(text ?? (isFloat(param.dtype) ? "randn" : param.dtype === "bool" ? "randint:0:2" : "randint:0:8"), param.dtype, given.seed, param.name);
  if (fill === undefined) {
    return { value: undefined, diagnostics: [diagnostic("TF6026", undefined, { text: text ?? "", param: param.name, expected: `give a .npy file, a number, ${GENERATORS.join(", ")}` })] };
  }
  return { value: NdArray.from(shape, param.dtype, fill), diagnostics: [] };
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

