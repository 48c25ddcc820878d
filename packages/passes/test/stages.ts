// Runs a function at any stage and gives what it computed: its arrays after the call, then what it returned. From `lowered` on a
// returned value is an Out parameter of its own.

import { bindSymbols, evalDim, isVarLike, signatureOf, type Device, type FunctionNode, type ModuleNode } from "@tilefoundry/ir";
import { interpret, type InterpretOptions } from "@tilefoundry/interp";
import { builtinOps } from "@tilefoundry/ops";
import { arrayOf, isArrayValue, zeros, type ArrayValue, type Scalar, type Value } from "@tilefoundry/ops/evaluate";
import { PASSES, type PassContext } from "@tilefoundry/passes";

export const GENERIC: Device = {
  name: "cpu:generic", target: "cpu", vectorBits: 128, vectorRegisters: 16, matmulBlock: { rows: 4, vectors: 2 },
  l1Bytes: 32768, l2Bytes: 524288, arenaBytes: 2 ** 30, cores: 1, fusesMad: false,
};

export const CONTEXT: PassContext = { ops: builtinOps, device: GENERIC, fold: true };

export const functionOf = (module: ModuleNode): FunctionNode => module.functions[0] as FunctionNode; // kernels of the tests have one

/** The passes of the second half, in order. */
export const SECOND_HALF = PASSES.slice(PASSES.findIndex((p) => p.name === "lower-ops"));

/** Arrays of the call in the order of the parameters, then returned values. Scalars come as arrays of rank 0. */
export function outputsOf(module: ModuleNode, args: readonly Value[], options: Partial<InterpretOptions> = {}): readonly ArrayValue[] {
  const f = functionOf(module);
  const all = [...args.map(copied), ...addedParams(f, args)];
  const { returns, faults } = interpret(module, f, all, { ops: builtinOps, ...options });
  const [fault] = faults;
  if (fault !== undefined) throw new Error(`${fault.code} ${fault.message}`);
  const own = returns.filter((_, i) => !returnsParam(f, i));
  return [...all.filter((v) => isArrayValue(v)), ...own.map((v, i) => asArray(v, f, i))];
}

function copied(v: Value): Value {
  return isArrayValue(v) ? { ...v, data: v.data.slice() } : v;
}

function addedParams(f: FunctionNode, args: readonly Value[]): readonly Value[] {
  const signature = signatureOf(f);
  const given = { ...signature, params: signature.params.slice(0, args.length) };
  const bound = bindSymbols(given, args.map((a) => (isArrayValue(a) ? a.shape : undefined)));
  return signature.params.slice(args.length).map((p) => zeros(p.dtype, p.kind === "array" ? p.shape.map((d) => evalDim(d, bound.value)) : []));
}

function returnsParam(f: FunctionNode, i: number): boolean {
  const last = f.body.kind === "Seq" ? f.body.stmts.at(-1) : undefined;
  const value = last?.kind === "Return" ? last.values[i] : undefined;
  return value !== undefined && isVarLike(value) && value.type.kind === "Tensor" && f.params.some((p) => p.var === value);
}

function asArray(v: Value, f: FunctionNode, i: number): ArrayValue {
  if (isArrayValue(v)) return v;
  const type = f.returns[i];
  return arrayOf(type?.kind === "Scalar" ? type.dtype : "f32", [], [v as Scalar]); // returns are arrays and scalars
}

/** Where two results differ in bits, all NaNs and, if asked, both zeros being one; undefined if nowhere. */
export function difference(a: readonly ArrayValue[], b: readonly ArrayValue[]): string | undefined {
  if (a.length !== b.length) return `${a.length} arrays and ${b.length}`;
  for (const [n, x] of a.entries()) {
    const y = b[n];
    if (y === undefined || x.data.length !== y.data.length) return `array ${n}: ${x.data.length} elements and ${y?.data.length}`;
    for (let i = 0; i < x.data.length; i++) if (!Object.is(x.data[i], y.data[i])) return `array ${n}, element ${i}: ${x.data[i]} and ${y.data[i]}`;
  }
  return undefined;
}
