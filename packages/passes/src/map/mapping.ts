// What mapping holds while it works on one function.

import {
  boundBy, definedBy, eachStmt, makeNames,
  type Device, type FunctionNode, type Names, type Seq, type Stmt, type Var, type VarLike,
} from "@tilefoundry/ir";
import { makeKeys, type Keys } from "../index-math.ts";
import { knownFacts, type KnownFacts } from "../known-facts.ts";

export interface Mapping {
  readonly device: Device;
  readonly names: Names;
  readonly keys: Keys;
  readonly facts: KnownFacts;
  /** Buffers that the function allocates. */
  readonly local: Set<VarLike>;
  /** Symbols, parameters, and variables whose names are somebody's choice: all but the axes, carries and results of nests. */
  readonly authored: ReadonlySet<VarLike>;
  readonly hasNests: boolean;
  /** Whether rows are finished one by one even where a contraction would rather see many: else some buffers find no place. */
  sparing: boolean;
  /** Variables whose name went to what replaces them. */
  readonly renamed: Set<VarLike>;
}

export function makeMapping(f: FunctionNode, body: Seq, device: Device): Mapping {
  const authored = new Set<VarLike>();
  for (const symbol of f.symbols) authored.add(symbol.var);
  for (const param of f.params) authored.add(param.var);
  const hints = Array.from(authored, (v) => v.hint);
  const local = new Set<VarLike>();
  let hasNests = false;
  eachStmt(body, (stmt) => {
    const isNest = stmt.kind === "Nest";
    if (isNest) hasNests = true;
    const note = (v: VarLike): void => {
      hints.push(v.hint);
      if (!isNest) authored.add(v);
    };
    for (const v of boundBy(stmt)) note(v);
    for (const v of definedBy(stmt)) note(v);
    const buffer = allocated(stmt);
    if (buffer !== undefined) local.add(buffer);
  });
  const names = makeNames(hints);
  return { device, names, keys: makeKeys(), facts: knownFacts(f), local, authored, hasNests, sparing: false, renamed: new Set() };
}

/** The buffer a statement allocates. */
export const allocated = (stmt: Stmt): Var | undefined =>
  stmt.kind === "Assign" && stmt.value.kind === "Prim" && stmt.value.op === "alloc_tensor" ? stmt.target : undefined;
