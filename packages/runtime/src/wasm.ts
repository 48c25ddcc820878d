// Loads a WebAssembly artifact and calls it. Arrays in the library's memory are used in place; others are copied in and, if written,
// out again.

import { evalDim, type DimValues, DTYPES } from "@tilefoundry/ir";
import { arenaBytes, type Artifact, type EntrySlot } from "@tilefoundry/targets";
import { diagnostic, type Diagnostic, type Outcome } from "@tilefoundry/text";
import { bindArguments, resultOf, type ArgumentValues, type BoundArgument, type BoundArguments, type CallResult } from "./arguments.ts";
import type { Runnable } from "./call.ts";
import { viewOf } from "./elements.ts";
import { sharedMemory } from "./memory.ts";
import { copyElements } from "./nd-array.ts";

type Entry = (...args: readonly (number | bigint)[]) => unknown;

export function loadWasm(artifact: Artifact): Outcome<Runnable | undefined> {
  const entry = instantiate(artifact);
  if (typeof entry !== "function") return { value: undefined, diagnostics: [entry] };
  return { value: { signature: artifact.signature, call: (args, out = {}) => call(artifact, entry, args, out) }, diagnostics: [] };
}

function instantiate(artifact: Artifact): Entry | Diagnostic {
  const contents = artifact.files.find((f) => f.name.endsWith(".wasm"))?.contents;
  if (!(contents instanceof Uint8Array)) return diagnostic("TF6050", undefined, { function: artifact.entry, reason: "the artifact holds no .wasm file" });
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(contents)), { env: { memory: sharedMemory().memory } });
    const entry = exports[artifact.entry];
    if (typeof entry === "function") return entry as Entry; // exports are typed as any function
    return diagnostic("TF6050", undefined, { function: artifact.entry, reason: "the module does not export it" });
  } catch (error) {
    return diagnostic("TF6050", undefined, { function: artifact.entry, reason: error instanceof Error ? error.message : String(error) });
  }
}

function call(artifact: Artifact, entry: Entry, args: ArgumentValues, out: ArgumentValues): Outcome<CallResult | undefined> {
  const { value: bound, diagnostics } = bindArguments(artifact.signature, args, out);
  if (bound === undefined) return { value: undefined, diagnostics };
  const lease = new Lease();
  try {
    const addresses = bound.args.map((a) => lease.addressOf(a));
    const arena = lease.take(arenaBytes(artifact.arena, bound.extents));
    if (lease.isShort || arena === undefined) return { value: undefined, diagnostics: [...diagnostics, tooLarge(artifact, bound)] };
    lease.copyIn();
    entry(...artifact.slots.map((slot) => slotValue(slot, artifact, bound, addresses, arena)));
    lease.copyOut();
    return { value: resultOf(bound), diagnostics };
  } catch (error) {
    // a kernel does not trap; what is left is the engine's own limit
    return { value: undefined, diagnostics: [...diagnostics, diagnostic("TF6051", undefined, { function: artifact.entry, reason: String(error) })] };
  } finally {
    lease.end();
  }
}

type ArrayArgument = Extract<BoundArgument, { readonly kind: "array" }>;

/** Blocks held for one call. */
class Lease {
  readonly #blocks: number[] = [];
  readonly #copies: { readonly argument: ArrayArgument; readonly address: number }[] = [];
  isShort = false;

  take(bytes: number): number | undefined {
    const address = sharedMemory().allocate(bytes);
    if (address === undefined) this.isShort = true;
    else this.#blocks.push(address);
    return address;
  }

  /** Where an array lies for the call; 0 for a scalar. */
  addressOf(argument: BoundArgument): number {
    if (argument.kind === "scalar") return 0;
    const { array } = argument;
    if (array.address !== undefined) return array.address;
    const address = this.take(array.size * DTYPES[array.dtype].bytes);
    if (address !== undefined) this.#copies.push({ argument, address });
    return address ?? 0;
  }

  /** Out arrays too: what a kernel does not write keeps the caller's elements. */
  copyIn(): void {
    for (const { argument: { array }, address } of this.#copies) copyElements(array.data, this.#view(array, address));
  }

  copyOut(): void {
    for (const { argument: { array, param }, address } of this.#copies) {
      if (param.direction !== "in") copyElements(this.#view(array, address), array.data);
    }
  }

  end(): void {
    for (const address of this.#blocks) sharedMemory().free(address);
  }

  #view(array: ArrayArgument["array"], address: number) {
    return viewOf(array.dtype, sharedMemory().memory.buffer, address, array.size);
  }
}

function slotValue(slot: EntrySlot, artifact: Artifact, bound: BoundArguments, addresses: readonly number[], arena: number): number | bigint {
  switch (slot.kind) {
    case "array": return addresses[slot.index] ?? 0;
    case "arena": return arena;
    case "symbol": return sized(extentOf(artifact, slot.index, bound.extents), slot);
    case "scalar": {
      const argument = bound.args[slot.index];
      return sized(argument?.kind === "scalar" ? argument.value : 0, slot);
    }
  }
}

/** WebAssembly takes an i64 as a bigint, everything else as a number. */
const sized = (value: number | bigint, { type }: EntrySlot): number | bigint => (type === "i64" ? BigInt(value) : Number(value));

function extentOf(artifact: Artifact, index: number, extents: DimValues): number {
  const symbol = artifact.signature.symbols[index];
  return symbol === undefined ? 0 : (extents.get(symbol.var) ?? 0);
}

const MIB = 2 ** 20;

function tooLarge(artifact: Artifact, bound: BoundArguments): Diagnostic {
  const arrays = bound.args.flatMap((a) => (a.kind === "array" ? [{ name: `\`${a.param.name}\``, bytes: a.array.size * DTYPES[a.array.dtype].bytes }] : []));
  const buffers = artifact.arena.map((b) => ({
    name: `\`${b.name}\``,
    bytes: b.shape.reduce<number>((n, d) => n * evalDim(d, bound.extents), DTYPES[b.dtype].bytes),
  }));
  const largest = [...arrays, ...buffers].sort((a, b) => b.bytes - a.bytes).slice(0, 4);
  const sizes = largest.map(({ name, bytes }) => `${name} (${Math.ceil(bytes / MIB)} MiB)`).join(", ");
  return diagnostic("TF6052", undefined, { function: artifact.entry, arrays: sizes });
}
