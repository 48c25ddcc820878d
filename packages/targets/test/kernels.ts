// Placed functions made by builders, and the running of what is emitted for them.

import { makeFunction, makeModule, seq, type FunctionNode, type Param, type Stmt, type Var } from "@tilefoundry/ir";
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
