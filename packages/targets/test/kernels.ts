// Placed functions made by builders, and the running of what is emitted for them.

import { DTYPES, makeFunction, makeModule, seq, type DType, type FunctionNode, type Param, type Stmt, type Var } from "@tilefoundry/ir";
import { canonical, type Scalar } from "@tilefoundry/ops/evaluate";
import { hasErrors } from "@tilefoundry/text";
import { emitWasm } from "../src/wasm/emit.ts";
import type { Artifact } from "../src/target.ts";

export const kernel = (name: string, params: readonly Param[], body: readonly Stmt[], symbols: readonly Var[] = []): FunctionNode =>
  makeFunction({ name, func: "prim", params, symbols: symbols.map((v) => ({ var: v, lo: 0, hi: 2 ** 31 })), body: seq(body) });

export function emitted(fn: FunctionNode): Artifact {
  const { value, diagnostics } = emitWasm(makeModule("test", [fn], fn.name), fn);
  if (hasErrors(diagnostics)) throw new Error(diagnostics.map((d) => d.message).join("; "));
  return value;
}

export function wasmBytes(artifact: Artifact): Uint8Array<ArrayBuffer> {
  const contents = artifact.files.find((f) => f.name.endsWith(".wasm"))?.contents;
  if (!(contents instanceof Uint8Array)) throw new Error("no wasm file");
  return new Uint8Array(contents);
}

export function watText(artifact: Artifact): string {
  const contents = artifact.files.find((f) => f.name.endsWith(".wat"))?.contents;
  if (typeof contents !== "string") throw new Error("no wat file");
  return contents;
}

/** A memory in which arrays are laid out one after the other. */
export interface Machine {
  place(dtype: DType, elements: readonly Scalar[]): number;
  read(address: number, dtype: DType, count: number): readonly Scalar[];
  /** Runs the entry of a module. */
  run(bytes: Uint8Array<ArrayBuffer>, entry: string, args: readonly (number | bigint)[]): void;
}

export function machine(pages = 1): Machine {
  const memory = new WebAssembly.Memory({ initial: pages });
  let next = 1024;
  return {
    place(dtype, elements) {
      const address = next;
      next += Math.ceil((elements.length * DTYPES[dtype].bytes + 64) / 64) * 64;
      for (const [i, element] of elements.entries()) put(memory.buffer, dtype, address + i * DTYPES[dtype].bytes, element);
      return address;
    },
    read: (address, dtype, count) => Array.from({ length: count }, (_, i) => take(memory.buffer, dtype, address + i * DTYPES[dtype].bytes)),
    run(bytes, entry, args) {
      const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
      const run = exports[entry];
      if (run === undefined) throw new Error(`no export ${entry}`);
      run(...args);
    },
  };
}

function put(buffer: ArrayBuffer, dtype: DType, at: number, value: Scalar): void {
  const view = new DataView(buffer, at, DTYPES[dtype].bytes);
  switch (dtype) {
    case "f32": return view.setFloat32(0, Number(value), true);
    case "f64": return view.setFloat64(0, Number(value), true);
    case "i64":
    case "index": return view.setBigInt64(0, BigInt(value), true);
    case "u64": return view.setBigUint64(0, BigInt(value as number | bigint), true); // no bool
    case "i32":
    case "u32": return view.setInt32(0, Number(value), true);
    case "i16":
    case "u16": return view.setInt16(0, Number(value), true);
    case "i8":
    case "u8":
    case "bool": return view.setUint8(0, Number(value));
  }
}

function take(buffer: ArrayBuffer, dtype: DType, at: number): Scalar {
  const view = new DataView(buffer, at, DTYPES[dtype].bytes);
  switch (dtype) {
    case "f32": return view.getFloat32(0, true);
    case "f64": return view.getFloat64(0, true);
    case "i64":
    case "index": return canonical(view.getBigInt64(0, true));
    case "u64": return canonical(view.getBigUint64(0, true));
    case "i8": return view.getInt8(0);
    case "i16": return view.getInt16(0, true);
    case "u16": return view.getUint16(0, true);
    case "i32": return view.getInt32(0, true);
    case "u32": return view.getUint32(0, true);
    case "u8": return view.getUint8(0);
    case "bool": return view.getUint8(0) !== 0;
  }
}
