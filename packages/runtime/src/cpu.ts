// Loads a C artifact and calls it: arrays in place, wherever they lie; scalars in fields of 8 bytes.

import type { DType } from "@tilefoundry/ir";
import { arenaBytes, ARENA_ALIGNMENT, type Artifact } from "@tilefoundry/targets";
import { diagnostic, type Outcome } from "@tilefoundry/text";
import { bindArguments, resultOf, type ArgumentValues, type BoundArgument, type BoundArguments, type CallResult } from "./arguments.ts";
import type { Runnable } from "./call.ts";
import { loadLibrary, type Library } from "./cpu-library.ts";

export function loadCpu(artifact: Artifact): Outcome<Runnable | undefined> {
  const { value: library, diagnostics } = loadLibrary(artifact);
  if (library === undefined) return { value: undefined, diagnostics };
  return { value: { signature: artifact.signature, call: (args, out = {}) => call(artifact, library, args, out) }, diagnostics };
}

function call(artifact: Artifact, library: Library, args: ArgumentValues, out: ArgumentValues): Outcome<CallResult | undefined> {
  const { value: bound, diagnostics } = bindArguments(artifact.signature, args, out);
  if (bound === undefined) return { value: undefined, diagnostics };
  const bytes = arenaBytes(artifact.arena, bound.extents);
  const arena = new Uint8Array(bytes + ARENA_ALIGNMENT);
  const status = library.launch(argumentStruct(artifact, library, bound, arena, bytes));
  if (status !== 0) return { value: undefined, diagnostics: [...diagnostics, diagnostic("TF6034", undefined, { function: artifact.signature.name })] };
  return { value: resultOf(bound), diagnostics };
}

/** The fields of the kernel's argument struct: parameters, symbols, the arena and its size. */
function argumentStruct(artifact: Artifact, library: Library, bound: BoundArguments, arena: Uint8Array, bytes: number): BigInt64Array {
  const { params, symbols } = artifact.signature;
  const fields = new BigInt64Array(params.length + symbols.length + 2);
  const view = new DataView(fields.buffer);
  for (const [i, argument] of bound.args.entries()) writeArgument(view, i * 8, argument, library);
  for (const [i, { var: symbol }] of symbols.entries()) fields[params.length + i] = BigInt(bound.extents.get(symbol) ?? 0);
  const alignment = BigInt(ARENA_ALIGNMENT);
  fields[fields.length - 2] = ((library.address(arena) + alignment - 1n) / alignment) * alignment;
  fields[fields.length - 1] = BigInt(bytes);
  return fields;
}

function writeArgument(view: DataView, at: number, argument: BoundArgument, library: Library): void {
  if (argument.kind === "array") view.setBigInt64(at, library.address(argument.array.data), LITTLE);
  else WRITERS[argument.param.dtype](view, at, argument.value);
}

/** The struct is read by this machine, in its own byte order. */
const LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

const WRITERS: Readonly<Record<DType, (view: DataView, at: number, value: number | bigint) => void>> = {
  f32: (view, at, v) => view.setFloat32(at, Number(v), LITTLE),
  f64: (view, at, v) => view.setFloat64(at, Number(v), LITTLE),
  i8: (view, at, v) => view.setInt8(at, Number(v)),
  i16: (view, at, v) => view.setInt16(at, Number(v), LITTLE),
  i32: (view, at, v) => view.setInt32(at, Number(v), LITTLE),
  u8: (view, at, v) => view.setUint8(at, Number(v)),
  u16: (view, at, v) => view.setUint16(at, Number(v), LITTLE),
  u32: (view, at, v) => view.setUint32(at, Number(v), LITTLE),
  u64: (view, at, v) => view.setBigUint64(at, BigInt(v), LITTLE),
  bool: (view, at, v) => view.setUint8(at, Number(v)),
  i64: (view, at, v) => view.setBigInt64(at, BigInt(v), LITTLE),
  index: (view, at, v) => view.setBigInt64(at, BigInt(v), LITTLE),
};
