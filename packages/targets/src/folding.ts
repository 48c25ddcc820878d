// Which locals an emitter writes inside their use: those used once, at the same loop depth, whose value may move there. A value
// that reads memory moves only past statements that write none, and into an `if` only where that writes none.

import { invariant } from "@tilefoundry/text";
import { primRow, type Assign, type Expr, type For, type Seq, type Stmt, type VarLike, type While } from "@tilefoundry/ir";

/** Values of the locals that stand inside their use. */
export type Folded = ReadonlyMap<VarLike, Expr>;

/** One walk finds what decides about each local, in order of their definitions. */
export function foldedValues(body: Seq): Folded {
  const walk: Walk = { locals: new Map(), user: undefined, loop: undefined, branches: [], reads: 0, writes: 0 };
  visitBlock(body, walk);
  const folded = new Map<VarLike, Expr>();
  for (const [target, local] of walk.locals) {
    if (local.uses !== 1) continue;
    if (local.reads && local.user !== undefined) local.user.reads = true;
    if (local.isNear && (!local.reads || passesNoWrite(local))) folded.set(target, local.value);
  }
  return folded;
}

/** A definition, and its use: the last one met, which counts if it is the only one. */
interface Local {
  readonly value: Expr;
  readonly loop: Stmt | undefined;
  /** How many branches lie around it. */
  readonly depth: number;
  /** Writes before it. */
  readonly writes: number;
  /** Whether its value reads memory, itself or through what is only used in it. */
  reads: boolean;
  uses: number;
  /** Whether the use is in the same loop: what moves into a loop would be computed again and again. */
  isNear: boolean;
  writesBeforeUse: number;
  /** The outermost `if` around the use, but not around the definition. */
  branch: Branch | undefined;
  /** The local whose value is the use. */
  user: Local | undefined;
}

interface Branch {
  /** Writes before the end of the `if`; known then. */
  writes: number;
}

/** The place of the walk. Reads and writes are counted in order of the text. */
interface Walk {
  readonly locals: Map<VarLike, Local>;
  readonly branches: Branch[];
  loop: Stmt | undefined;
  user: Local | undefined;
  reads: number;
  writes: number;
}

const passesNoWrite = ({ writes, writesBeforeUse, branch }: Local): boolean => writesBeforeUse === writes && (branch === undefined || branch.writes === writes);

// — statements —

function visitBlock({ stmts }: Seq, walk: Walk): void {
  for (const stmt of stmts) visit(stmt, walk);
}

function visit(stmt: Stmt, walk: Walk): void {
  switch (stmt.kind) {
    case "Assign": return visitAssign(stmt, walk);
    case "Eval": return use(stmt.expr, walk);
    case "Yield":
    case "Return":
      for (const value of stmt.values) use(value, walk);
      return;
    case "If": {
      use(stmt.cond, walk);
      const branch: Branch = { writes: Infinity };
      walk.branches.push(branch);
      visitBlock(stmt.then, walk);
      if (stmt.else !== undefined) visitBlock(stmt.else, walk);
      walk.branches.pop();
      branch.writes = walk.writes;
      return;
    }
    case "For":
      use(stmt.start, walk);
      use(stmt.stop, walk);
      use(stmt.step, walk);
      return visitLoop(stmt, undefined, walk);
    case "While": return visitLoop(stmt, stmt.cond, walk);
    case "Seq": return visitBlock(stmt, walk);
    default: invariant(false, () => `${stmt.kind} at stage placed`);
  }
}

function visitAssign({ target, value }: Assign, walk: Walk): void {
  const { loop, branches, reads, writes } = walk;
  const local: Local = {
    value, loop, depth: branches.length, writes, reads: false, uses: 0, isNear: false, writesBeforeUse: 0, branch: undefined, user: undefined,
  };
  walk.user = local;
  use(value, walk);
  walk.user = undefined;
  local.reads = walk.reads > reads;
  const isRegister = target.type.kind === "Scalar" || target.type.kind === "Vec";
  if (isRegister && walk.writes === writes) walk.locals.set(target, local);
}

/** The carries start before the loop; a condition is part of it. */
function visitLoop(stmt: For | While, cond: Expr | undefined, walk: Walk): void {
  for (const carry of stmt.carries) use(carry.init, walk);
  const around = walk.loop;
  walk.loop = stmt;
  if (cond !== undefined) use(cond, walk);
  visitBlock(stmt.body, walk);
  walk.loop = around;
}

// — values —

function use(e: Expr, walk: Walk): void {
  if (e.kind === "Var") return useVariable(walk.locals.get(e), walk);
  if (e.kind !== "Prim") return;
  for (const arg of e.args) use(arg, walk);
  const { effect } = primRow(e.op);
  if (effect === "read") walk.reads++;
  else if (effect !== "none") walk.writes++;
}

function useVariable(local: Local | undefined, { branches, loop, user, writes }: Walk): void {
  if (local === undefined) return;
  local.uses++;
  local.isNear = local.loop === loop;
  local.writesBeforeUse = writes;
  local.branch = branches[local.depth];
  local.user = user;
}
