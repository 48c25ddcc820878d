// Arguments for a function by seed, and what a run of it leaves: its arrays, then what it returned. From `lowered` on a returned
// value is an Out parameter of its own.

import { bindSymbols, DTYPES, evalDim, isFloat, signatureOf, type DType, type FunctionNode, type ModuleNode, type Signature, type SignatureParam } from "@tilefoundry/ir";
import { interpret, type InterpretOptions } from "@tilefoundry/interp";
import { builtinOps, type Ops } from "@tilefoundry/ops";
import { arrayOf, canonical, isArrayValue, zeros, type ArrayValue, type Scalar, type Value } from "@tilefoundry/ops/evaluate";
import { NdArray, type ArgumentValues, type Runnable } from "@tilefoundry/runtime";
import { hasErrors, renderDiagnostics } from "@tilefoundry/text";
import { randomBy, seedOf, type Random } from "./generate-random.ts";

export const entryOf = (module: ModuleNode): FunctionNode => {
  const fn = module.functions.find((f) => f.name === module.entry) ?? module.functions[0];
  if (fn === undefined) throw new Error("a module without functions");
  return fn;
};

// — arguments —

const EXTENTS = [0, 1, 2, 3, 4, 7, 8, 13, 17, 32, 37];

/**
 * An argument for each parameter. Each depends only on the seed and on the name of its parameter or symbol, so that a program keeps
 * its arguments while lines are taken away. Names that begin with `small` or `of_` stand for small whole numbers.
 */
export function argumentsFor(fn: FunctionNode, seed: number): readonly Value[] {
  const signature = signatureOf(fn);
  const extents = new Map(signature.symbols.map((s) => [s.var, extentOf(s, seed)]));
  return signature.params.map((p) => {
    const random = randomBy(seedOf(seed, p.name));
    if (p.kind === "scalar") return scalar(p.dtype, random, "few");
    const shape = p.shape.map((d) => evalDim(d, extents));
    const kind = p.name.startsWith("small") || p.name.startsWith("of_") ? "small" : random.chance(0.4) ? "special" : "few";
    return arrayOf(p.dtype, shape, Array.from({ length: shape.reduce((n, d) => n * d, 1) }, () => scalar(p.dtype, random, kind)));
  });
}

function extentOf({ name, lo, hi }: Signature["symbols"][number], seed: number): number {
  const random = randomBy(seedOf(seed, `extent ${name}`));
  return random.pick(EXTENTS.filter((n) => n >= lo && n < hi));
}

/** `small`: whole numbers up to 4; `few`: numbers that stay finite for a while; `special`: NaN, infinities and the ends of ranges too. */
type ElementKind = "small" | "few" | "special";

const FEW = [0, 1, -1, 0.5, 3, -2.5, 100, 0.1, -0, 7, -4];
const SPECIAL = [...FEW, ...FEW, NaN, Infinity, -Infinity, 1e-40, 3e38, -0, 16777217, 2 ** 31, -1e10];

function scalar(dtype: DType, random: Random, kind: ElementKind): Scalar {
  if (dtype === "bool") return random.chance(0.5);
  if (isFloat(dtype)) {
    if (kind === "small") return random.below(9) - 4;
    const x = random.pick(kind === "few" ? FEW : SPECIAL);
    return dtype === "f32" ? Math.fround(x) : x;
  }
  const wide = kind === "special" && random.chance(0.2);
  const { kind: sign, bits } = DTYPES[dtype];
  if (sign === "uint") return wide ? canonical(2n ** BigInt(bits) - 1n - BigInt(random.below(3))) : random.below(bits === 8 ? 5 : 9);
  if (!wide) return random.below(9) - 4;
  return random.pick([canonical(-(2n ** BigInt(bits - 1))), canonical(2n ** BigInt(bits - 1) - 1n), ...(bits === 64 ? [2 ** 40] : [])]);
}

// — runs —

export interface RunOptions extends Partial<InterpretOptions> {
  readonly ops?: Ops;
}

/** More iterations than a generated program runs. */
const FUEL = 2_000_000;

/** Arrays of the parameters in order, then the returned values as arrays; scalars have rank 0. */
export function interpreted(module: ModuleNode, args: readonly Value[], options: RunOptions = {}): readonly ArrayValue[] {
  const fn = entryOf(module);
  const all = [...args.map(copied), ...addedParams(fn, args)];
  const { returns, faults } = interpret(module, fn, all, { ops: builtinOps, fuel: FUEL, ...options });
  if (hasErrors(faults)) throw new Error(renderDiagnostics(faults));
  const arrays = all.filter((v) => isArrayValue(v));
  // a returned handle of a parameter is that parameter's array
  const own = returns.map((v, i) => asArray(v, fn, i)).filter((r) => !arrays.some((a) => a.data === r.data));
  return [...arrays, ...own];
}

/** The same of what a target made of a placed module. */
export function ran(runnable: Runnable, args: readonly Value[]): readonly ArrayValue[] {
  const { params } = runnable.signature;
  const values = [...args.map(copied), ...added(runnable.signature, args)];
  const given: ArgumentValues = Object.fromEntries(params.map((p, i) => [p.name, argumentOf(p, values[i] ?? 0)]));
  const { value, diagnostics } = runnable.call(given);
  if (value === undefined || hasErrors(diagnostics)) throw new Error(renderDiagnostics(diagnostics));
  return values.filter((v) => isArrayValue(v));
}

function argumentOf(p: SignatureParam, value: Value): ArgumentValues[string] {
  if (isArrayValue(value)) return NdArray.wrap(value.data, value.shape, p.dtype);
  return value as Scalar; // parameters are arrays and scalars
}

const copied = (v: Value): Value => (isArrayValue(v) ? { ...v, data: v.data.slice() } : v);

const addedParams = (fn: FunctionNode, args: readonly Value[]): readonly Value[] => added(signatureOf(fn), args);

/** Arrays for the parameters that lowering put after the authored ones. */
function added(signature: Signature, args: readonly Value[]): readonly ArrayValue[] {
  const given = { ...signature, params: signature.params.slice(0, args.length) };
  const { value: extents } = bindSymbols(given, args.map((a) => (isArrayValue(a) ? a.shape : undefined)));
  return signature.params.slice(args.length).map((p) => zeros(p.dtype, p.kind === "array" ? p.shape.map((d) => evalDim(d, extents)) : []));
}

function asArray(v: Value, fn: FunctionNode, i: number): ArrayValue {
  if (isArrayValue(v)) return v;
  const type = fn.returns[i];
  return arrayOf(type?.kind === "Scalar" ? type.dtype : "f32", [], [v as Scalar]); // returns are arrays and scalars
}

/** Where two results differ in their bits, all NaNs being one; undefined if nowhere. */
export function difference(expected: readonly ArrayValue[], actual: readonly ArrayValue[]): string | undefined {
  if (expected.length !== actual.length) return `${expected.length} arrays were expected, there are ${actual.length}`;
  for (const [n, e] of expected.entries()) {
    const a = actual[n];
    if (a === undefined || String(a.shape) !== String(e.shape)) return `array ${n} has the shape [${String(a?.shape)}], not [${String(e.shape)}]`;
    for (let i = 0; i < e.data.length; i++) {
      if (!Object.is(e.data[i], a.data[i])) return `element ${i} of array ${n} is ${shown(a.data[i])}, not ${shown(e.data[i])}`;
    }
  }
  return undefined;
}

const shown = (x: number | bigint | undefined): string => (Object.is(x, -0) ? "-0" : String(x));
