// What mapping holds while it works on one function. Variables that it makes need no names of their own: in the end all are named anew.

import {
  eachBinding, eachDefinition, eachStmt,
  type Device, type FunctionNode, type Seq, type Stmt, type Var, type VarLike,
} from "@tilefoundry/ir";
import { knownFacts, type KnownFacts } from "../known-facts.ts";
import { emptyTable, type EffectsTable } from "./effects.ts";

export interface Mapping extends EffectsTable {
  readonly device: Device;
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
  const author = (v: VarLike): void => void authored.add(v);
  for (const symbol of f.symbols) authored.add(symbol.var);
  for (const param of f.params) authored.add(param.var);
  const local = new Set<VarLike>();
  let hasNests = false;
  eachStmt(body, (stmt) => {
    if (stmt.kind === "Nest") return void (hasNests = true);
    eachBinding(stmt, author);
    eachDefinition(stmt, author);
    const buffer = allocated(stmt);
    if (buffer !== undefined) local.add(buffer);
  });
  const { effects, uses } = emptyTable();
  return { effects, uses, device, facts: knownFacts(f), local, authored, hasNests, sparing: false, renamed: new Set() };
}

/** The buffer a statement allocates. */
export const allocated = (stmt: Stmt): Var | undefined =>
  stmt.kind === "Assign" && stmt.value.kind === "Prim" && stmt.value.op === "alloc_tensor" ? stmt.target : undefined;
