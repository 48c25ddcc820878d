// Handles by their origin: which variable an array variable is another handle of, and whether that one is older than a loop.

import { blocksOf, boundBy, definedBy, isVarLike, type Expr, type Seq, type Stmt, type VarLike } from "@tilefoundry/ir";
import { writtenVariable, type Effects } from "../writes.ts";

export interface Origins {
  /** The handle behind `v` that exists before the loop, by `exists` for variables that are bound in several places. */
  before(v: VarLike, loop: Stmt, exists: (candidate: VarLike) => boolean): VarLike | undefined;
}

/** What binds variables: a block, or a statement with blocks; and what is around it. */
interface Nesting {
  readonly outer: Nesting | undefined;
}

/** Where something stands: its number in the text, and its block. */
interface Position {
  readonly at: number;
  readonly block: Nesting;
}

/** Asked for handles only where a loop binds one first: what is in the body is found out then. */
export function findOrigins(body: Seq, split: ReadonlySet<VarLike>, ops: Effects): Origins {
  let origins: Origins | undefined;
  return { before: (v, loop, exists) => (origins ??= originsIn(body, split, ops)).before(v, loop, exists) };
}

function originsIn(body: Seq, split: ReadonlySet<VarLike>, ops: Effects): Origins {
  const origin = new Map<VarLike, VarLike>();
  const positions = new Map<VarLike | Stmt, Position>();
  const place = (of: VarLike | Stmt, block: Nesting): void => {
    if (!positions.has(of)) positions.set(of, { at: positions.size, block });
  };
  const visit = (seq: Seq, block: Nesting): void => {
    for (const stmt of seq.stmts) {
      place(stmt, block);
      const within: Nesting = { outer: block };
      for (const v of boundBy(stmt)) place(v, within);
      for (const inner of blocksOf(stmt)) visit(inner, { outer: within });
      for (const v of definedBy(stmt)) place(v, block);
      const from = stmt.kind === "Assign" && stmt.target.type.kind === "Tensor" ? handleIn(stmt.value, ops) : undefined;
      if (stmt.kind === "Assign" && from !== undefined && from !== stmt.target && !origin.has(stmt.target)) origin.set(stmt.target, from);
    }
  };
  visit(body, { outer: undefined });
  /** Whether a variable that is bound once is so before the loop and in a block around it, as parameters are. */
  const older = (v: VarLike, loop: Stmt): boolean => {
    const [bound, use] = [positions.get(v), positions.get(loop)];
    return bound === undefined || (use !== undefined && bound.at < use.at && isAround(bound.block, use.block));
  };
  return {
    before: (v, loop, exists) => {
      const passed = new Set<VarLike>([v]);
      for (let at = origin.get(v); at !== undefined && !passed.has(at); at = origin.get(at)) {
        if (split.has(at) ? exists(at) : older(at, loop)) return at;
        passed.add(at);
      }
      return undefined;
    },
  };
}

function isAround(outer: Nesting, block: Nesting): boolean {
  for (let at: Nesting | undefined = block; at !== undefined; at = at.outer) if (at === outer) return true;
  return false;
}

/** The variable whose buffer a value is another handle of. */
function handleIn(value: Expr, ops: Effects): VarLike | undefined {
  return isVarLike(value) ? value : writtenVariable(value, ops);
}
