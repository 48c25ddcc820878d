// The interpreter: what a function of any stage means, by the rules of the language and nothing else. The oracle that passes and
// targets are held against.

import { signatureOf, type FunctionNode, type ModuleNode, type Type } from "@tilefoundry/ir";
import type { Ops } from "@tilefoundry/ops";
import { isArrayValue, type ArrayValue, type Value } from "@tilefoundry/ops/evaluate";
import { diagnostic, hasErrors, type Diagnostic } from "@tilefoundry/text";
import { argumentScalar, bindArguments } from "./arguments.ts";
import { compileFunction, type CompiledFunction } from "./compile.ts";
import { makeFaultLog } from "./faults.ts";
import { lanesOf, oneRegister, type Place } from "./layout.ts";
import { arrayAt, NEXT, OUT_OF_FUEL, type Machine } from "./machine.ts";
import { ordersBySeed } from "./order.ts";
import { reader, writer } from "./scalars.ts";

export interface InterpretOptions {
  readonly ops: Ops;
  /** Picks the order of parallel iterations; without it they run in order. */
  readonly seed?: number;
  /** Reports divisions by zero, accesses outside arrays, negative windows and loops of step 0. */
  readonly strict?: boolean;
  /** Fills what `T.alloc_tensor` makes with NaN, or a pattern of bits: an arena is not cleared, so its elements must be written first. */
  readonly poison?: boolean;
  /** How many loop iterations may run before the run is stopped. */
  readonly fuel?: number;
}

export interface Interpretation {
  /** Empty if the arguments were wrong or the run was stopped. */
  readonly returns: readonly Value[];
  readonly faults: readonly Diagnostic[];
}

/** Runs a function of a module on one argument a parameter; array arguments are written in place. */
export function interpret(module: ModuleNode, f: FunctionNode, args: readonly Value[], options: InterpretOptions): Interpretation {
  const signature = signatureOf(f);
  const bound = bindArguments(signature, args);
  if (hasErrors(bound.diagnostics)) return { returns: [], faults: bound.diagnostics };
  const log = options.strict === true ? makeFaultLog() : undefined;
  const compiled = compileFunction(module, f, options.ops, log);
  const m = makeMachine(compiled, options);
  for (const [i, symbol] of signature.symbols.entries()) m.n[oneRegister(compiled.symbols[i] ?? [])] = bound.value.get(symbol.var) ?? 0;
  for (const [i, { var: v }] of f.params.entries()) setArgument(v.type, oneRegister(compiled.params[i] ?? []), args[i], m);
  const stopped = run(compiled, m, f, options);
  const faults = [...(log?.found ?? []), ...(stopped === undefined ? [] : [stopped])];
  return { returns: stopped === undefined ? f.returns.map((t, i) => valueAt(t, compiled.returns[i] ?? [], m)) : [], faults };
}

const NO_ARRAY: ArrayValue = { kind: "array", dtype: "bool", shape: [], data: new Uint8Array(1), valid: [] };

function makeMachine({ layout }: CompiledFunction, { seed, poison = false, fuel = Infinity }: InterpretOptions): Machine {
  const { numbers, arrays } = layout.sizes();
  const m: Machine = {
    n: new Float64Array(numbers),
    wide: new Array<undefined>(numbers).fill(undefined),
    arrays: new Array<ArrayValue>(arrays).fill(NO_ARRAY),
    signal: NEXT,
    fuel,
    poison,
    orderOf: seed === undefined ? undefined : ordersBySeed(seed),
  };
  for (const { register, dtype, value } of layout.presets) writer(dtype)(m, register, value);
  return m;
}

function setArgument(type: Type, register: number, value: Value | undefined, m: Machine): void {
  if (value === undefined) return;
  if (isArrayValue(value)) m.arrays[register] = value;
  else if (typeof value !== "object" && type.kind === "Scalar") writer(type.dtype)(m, register, argumentScalar(type.dtype, value));
}

/** Runs to the end, or says why not. */
function run(compiled: CompiledFunction, m: Machine, f: FunctionNode, { fuel = Infinity }: InterpretOptions): Diagnostic | undefined {
  try {
    compiled.body.emit(m)();
    return undefined;
  } catch (thrown) {
    if (thrown === OUT_OF_FUEL) return diagnostic("TF6106", f.meta.span, { function: f.name, limit: fuel });
    if (isOutOfMemory(thrown)) return diagnostic("TF6107", f.meta.span, { function: f.name });
    throw thrown;
  }
}

/** What making an array throws that is too large. */
const isOutOfMemory = (thrown: unknown): boolean => thrown instanceof RangeError && /allocation|array length/i.test(thrown.message);

function valueAt(type: Type, place: Place, m: Machine): Value {
  const register = oneRegister(place);
  if (type.kind === "Tensor") return arrayAt(m, register);
  if (type.kind !== "Scalar" && type.kind !== "Vec") return [];
  const read = reader(type.dtype);
  return type.kind === "Scalar" ? read(m, register) : Array.from({ length: lanesOf(type) }, (_, lane) => read(m, register + lane));
}
