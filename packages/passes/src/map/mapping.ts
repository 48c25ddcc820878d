// What mapping holds while it works on one function.

import { namesOf, type Device, type FunctionNode, type Names, type Stmt, type Var, type VarLike } from "@tilefoundry/ir";
import { makeKeys, type Keys } from "../index-math.ts";
import { knownFacts, type KnownFacts } from "../known-facts.ts";
import { eachAccess } from "./effects.ts";

export interface Mapping {
  readonly device: Device;
  readonly names: Names;
  readonly keys: Keys;
  readonly facts: KnownFacts;
  /** Buffers that the function allocates. */
  readonly local: Set<VarLike>;
  /** Whether rows are finished one by one even where a contraction would rather see many: else some buffers find no place. */
  sparing: boolean;
  /** Variables whose name went to what replaces them. */
  readonly renamed: Set<VarLike>;
}

export function makeMapping(f: FunctionNode, device: Device, local: Set<VarLike>): Mapping {
  return { device, names: namesOf(f), keys: makeKeys(), facts: knownFacts(f), local, sparing: false, renamed: new Set() };
}

/** How often each buffer is stored to in the text. */
export function countStores(stmts: readonly Stmt[]): ReadonlyMap<VarLike, number> {
  const stores = new Map<VarLike, number>();
  for (const stmt of stmts) {
    eachAccess(stmt, ({ buffer, writes }) => {
      if (writes) stores.set(buffer, (stores.get(buffer) ?? 0) + 1);
    });
  }
  return stores;
}

/** The buffer a statement allocates. */
export const allocated = (stmt: Stmt): Var | undefined =>
  stmt.kind === "Assign" && stmt.value.kind === "Prim" && stmt.value.op === "alloc_tensor" ? stmt.target : undefined;

