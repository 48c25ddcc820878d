// `break`, `continue` and early `return` become plain branches, on variables that are still mutable. What follows a branch that
// leaves becomes its other branch; where both branches may go on, a flag guards the rest. A `for` that is left early becomes a
// `while` over its index. Values authored as carries or results of what is left become variables.

import {
  add, assign, BOOL, boolConst, both, eachStmt, forLoop, ifThen, INDEX, indexConst, isVarLike, lessThan, NO_META, prim, returnValues, sameList, seq, substitute,
  variable, whileLoop,
  type Expr, type For, type FunctionNode, type If, type Meta, type Names, type Return, type Seq, type Stmt, type Var, type While,
} from "@tilefoundry/ir";
import { spanOnly } from "../meta.ts";
import { somePart } from "../writes.ts";
import { either, escapes, exitTable, type Exits, type ExitTable } from "./exits.ts";

export interface Structured {
  readonly body: Seq;
  /** Indices and flags of loops that were rewritten, which lead the list of carries. */
  readonly lead: ReadonlySet<Var>;
  readonly jumps: Jumps;
}

/** Where jumps were. */
export interface Jumps {
  /** Assignments in place of a jump: what follows in their block and around it is not meant to run. */
  readonly leaves: ReadonlySet<Stmt>;
  /** Branches around what runs only if the statement before did not jump. */
  readonly guards: ReadonlySet<Stmt>;
}

/** The innermost thing that a jump leaves: a loop, or the function for `return`. */
interface Frame {
  /** False once the loop was left. */
  readonly running: Var | undefined;
  /** False for the rest of the iteration or of the function; made when a guard first needs it. */
  active: Var | undefined;
}

interface Structuring {
  readonly exits: ExitTable;
  readonly names: Names;
  readonly lead: Set<Var>;
  readonly leaves: Set<Stmt>;
  readonly guards: Set<Stmt>;
  /** Of jumps that left nothing behind; the block or branch around them takes them. */
  comments: readonly string[];
  readonly results: readonly Var[];
  /** Whether a `return` assigns `results` and goes on. */
  readonly early: boolean;
}

const NO_STATEMENTS: ReadonlySet<Stmt> = new Set();
const NO_JUMPS: Jumps = { leaves: NO_STATEMENTS, guards: NO_STATEMENTS };
const NO_LEAD: ReadonlySet<Var> = new Set();

/** The body without jumps; the same object if it has none. */
export function structure(fn: FunctionNode, body: Seq, names: Names): Structured {
  return holdsJump(body, body) ? structured(fn, body, names) : { body, lead: NO_LEAD, jumps: NO_JUMPS };
}

/** Whether control leaves a block otherwise than at its end; a `return` at the end of the function is none. */
function holdsJump(block: Seq, body: Seq): boolean {
  for (const [i, stmt] of block.stmts.entries()) {
    switch (stmt.kind) {
      case "Break":
      case "Continue": return true;
      case "Return":
        if (block !== body || i < body.stmts.length - 1) return true;
        break;
      case "If":
        if (holdsJump(stmt.then, body) || (stmt.else !== undefined && holdsJump(stmt.else, body))) return true;
        break;
      case "For":
      case "While":
        if (holdsJump(stmt.body, body)) return true;
    }
  }
  return false;
}

function structured(fn: FunctionNode, body: Seq, names: Names): Structured {
  const exits = exitTable();
  const last = body.stmts.at(-1);
  const inner = last?.kind === "Return" ? body.stmts.slice(0, -1) : body.stmts;
  const early = inner.some((stmt) => exits.ofStmt(stmt).returns);
  const results = early ? fn.returns.map((type, i) => alwaysReturned(body, i) ?? variable(names.fresh("result"), type)) : [];
  const state: Structuring = { exits, names, lead: new Set(), leaves: new Set(), guards: new Set(), comments: [], results, early };
  const frame: Frame = { running: undefined, active: undefined };
  const stmts = block(early ? body.stmts : inner, inFrame(frame), state);
  const tail = early ? [...(results.length > 0 ? [returnValues(results)] : [])] : last?.kind === "Return" ? [last] : [];
  const all = [...activation(frame), ...stmts, ...tail];
  return { body: rebuiltSeq(body, all, state), lead: state.lead, jumps: state };
}

/** The variable that every `return` gives at this position. It keeps its value to the end: what follows a `return` does not run. */
function alwaysReturned(body: Seq, i: number): Var | undefined {
  const values = new Set<Expr | undefined>();
  eachStmt(body, (stmt) => stmt.kind === "Return" && values.add(stmt.values[i]));
  const [value, another] = values;
  return another === undefined && values.size === 1 && value?.kind === "Var" ? value : undefined;
}

const activation = ({ active }: Frame): readonly Stmt[] => (active === undefined ? [] : [assign(active, boolConst(true))]);

/** Where a block stands. */
interface Way {
  readonly frame: Frame;
  /** Guards behind this block read the flags, so a jump must set them. */
  readonly guarded: boolean;
  /** How often what follows a jump was put into its other branch on the way here. */
  readonly splits: number;
}

const inFrame = (frame: Frame): Way => ({ frame, guarded: false, splits: 0 });

function block(stmts: readonly Stmt[], way: Way, state: Structuring): readonly Stmt[] {
  const out: Stmt[] = [];
  for (const [i, stmt] of stmts.entries()) {
    switch (stmt.kind) {
      case "Break":
      case "Continue":
      case "Return":
        return [...out, ...jump(stmt, way, state)];
      case "If":
        if (escapes(state.exits.ofStmt(stmt))) return [...out, ...splitAt(withoutResults(stmt), stmts.slice(i + 1), way, state)];
        out.push(rebuiltIf(stmt, { ...way, guarded: false }, state));
        break;
      case "For":
      case "While":
        out.push(...loop(stmt, state));
        break;
      default:
        out.push(stmt);
    }
  }
  return out;
}

const nested = (b: Seq, way: Way, state: Structuring): Seq => rebuiltSeq(b, block(b.stmts, way, state), state);

const rebuiltSeq = (b: Seq, stmts: readonly Stmt[], state: Structuring): Seq => (sameList(stmts, b.stmts) ? b : seq(stmts, withComments(b.meta, state)));

/** The meta of a block with the comments that wait, at its end. */
function withComments(meta: Meta, state: Structuring): Meta {
  const { comments } = state;
  if (comments.length === 0) return meta;
  state.comments = [];
  return { ...meta, comments: [...comments, ...(meta.comments ?? [])] };
}

function rebuiltIf(stmt: If, way: Way, state: Structuring): If {
  const then = nested(stmt.then, way, state);
  const orElse = stmt.else && nested(stmt.else, way, state);
  return then === stmt.then && orElse === stmt.else ? stmt : { ...stmt, then, else: orElse };
}

function jump(stmt: Extract<Stmt, { readonly kind: "Break" | "Continue" | "Return" }>, { frame, guarded }: Way, state: Structuring): readonly Stmt[] {
  const flag = stmt.kind === "Break" ? frame.running : guarded ? activeOf(frame, state) : undefined;
  const leave = flag === undefined ? [] : [assign(flag, boolConst(false), stmt.kind === "Return" ? spanOnly(stmt.meta) : stmt.meta)];
  for (const assignment of leave) state.leaves.add(assignment);
  const stmts = stmt.kind === "Return" ? [...resultsOf(stmt, state), ...leave] : leave;
  if (stmts.length === 0) state.comments = [...state.comments, ...(stmt.meta.comments ?? [])];
  return stmts;
}

function resultsOf(stmt: Return, { results }: Structuring): readonly Stmt[] {
  return results.flatMap((result, i) => {
    const value = stmt.values[i];
    return value === undefined || value === result ? [] : [assign(result, value, stmt.meta)];
  });
}

const activeOf = (frame: Frame, state: Structuring): Var => (frame.active ??= variable(state.names.fresh("active"), BOOL));

/** How deep branches may nest in each other only because of jumps before them; what follows is guarded, statement by statement. */
const MOST_SPLITS = 12;

/** An `if` with a jump in it, and what follows it. */
function splitAt(stmt: If, rest: readonly Stmt[], way: Way, state: Structuring): readonly Stmt[] {
  const { exits } = state;
  const thenFalls = exits.ofBlock(stmt.then).falls;
  const elseFalls = stmt.else === undefined || exits.ofBlock(stmt.else).falls;
  if (rest.length > 0 && thenFalls && elseFalls) return guardedRest(stmt, [rest], way, state);
  if (rest.length > 0 && (thenFalls || elseFalls) && way.splits >= MOST_SPLITS) return guardedRest(stmt, upToJumps(rest, exits), way, state);
  const inner = { ...way, splits: way.splits + 1 };
  const orElse = stmt.else?.stmts ?? [];
  const then = collected(thenFalls ? [...stmt.then.stmts, ...rest] : stmt.then.stmts, stmt.then.meta, inner, state);
  const other = collected(elseFalls && !thenFalls ? [...orElse, ...rest] : orElse, stmt.else?.meta ?? NO_META, inner, state);
  return branches(stmt, then, other, state);
}

/** A block of its own, with the comments of the jumps that left nothing in it. */
function collected(stmts: readonly Stmt[], meta: Meta, way: Way, state: Structuring): Seq {
  const outer = state.comments;
  state.comments = [];
  const made = block(stmts, way, state);
  const whole = seq(made, withComments(meta, state));
  state.comments = outer;
  return whole;
}

/** Statements in groups that end where one may jump. */
function upToJumps(stmts: readonly Stmt[], exits: ExitTable): readonly (readonly Stmt[])[] {
  const groups: Stmt[][] = [[]];
  for (const stmt of stmts) {
    groups.at(-1)?.push(stmt);
    if (escapes(exits.ofStmt(stmt))) groups.push([]);
  }
  return groups.filter((group) => group.length > 0);
}

/** An empty `then` is turned around, so that no branch is written for nothing. Comments of an empty branch stand above. */
function branches(stmt: If, then: Seq, other: Seq, state: Structuring): readonly Stmt[] {
  const emptied = [then, other].flatMap((b) => (b.stmts.length === 0 ? (b.meta.comments ?? []) : []));
  const meta = emptied.length === 0 ? stmt.meta : { ...stmt.meta, comments: [...(stmt.meta.comments ?? []), ...emptied] };
  if (then.stmts.length > 0) return [ifThen(stmt.cond, then, other.stmts.length === 0 ? undefined : other, [], meta)];
  if (other.stmts.length > 0) return [ifThen(prim("not", [stmt.cond]), other, undefined, [], meta)];
  state.comments = [...state.comments, ...(meta.comments ?? [])];
  return [];
}

/** Each group runs only if nothing before it has jumped. */
function guardedRest(stmt: If, groups: readonly (readonly Stmt[])[], way: Way, state: Structuring): readonly Stmt[] {
  const out: Stmt[] = [rebuiltIf(stmt, { ...way, guarded: true }, state)];
  let exits = state.exits.ofStmt(stmt);
  for (const [i, group] of groups.entries()) {
    const inner = { ...way, guarded: way.guarded || i < groups.length - 1, splits: way.splits + 1 };
    const guard = ifThen(goesOn(exits, way.frame, state), seq(block(group, inner, state)), undefined, [], spanOnly(group[0]?.meta ?? stmt.meta));
    state.guards.add(guard);
    out.push(guard);
    for (const inside of group) exits = either(exits, state.exits.ofStmt(inside));
  }
  return out;
}

function goesOn(exits: Exits, frame: Frame, state: Structuring): Expr {
  const flags = [
    ...(exits.breaks && frame.running !== undefined ? [frame.running] : []),
    ...(exits.continues || exits.returns ? [activeOf(frame, state)] : []),
  ];
  return flags.slice(1).reduce<Expr>(both, flags[0] ?? boolConst(true));
}

/** The `if` with its results as variables that its branches assign, since a branch may leave before it yields. */
function withoutResults(stmt: If): If {
  if (stmt.results.length === 0) return stmt;
  const assigned = (b: Seq): Seq => seq(b.stmts.flatMap((s) => (s.kind === "Yield" ? assignments(stmt.results, s.values, s.meta) : [s])), b.meta);
  return { ...stmt, then: assigned(stmt.then), else: stmt.else && assigned(stmt.else), results: [] };
}

function assignments(targets: readonly Var[], values: readonly Expr[], meta: Meta): readonly Stmt[] {
  return targets.flatMap((target, i) => {
    const value = values[i];
    return value === undefined ? [] : [assign(target, value, meta)];
  });
}

// — loops —

function loop(stmt: For | While, state: Structuring): readonly Stmt[] {
  const { breaks, continues } = state.exits.ofBlock(stmt.body);
  if (!breaks && !continues) return [withBody(stmt, nested(stmt.body, inFrame({ running: undefined, active: undefined }), state))];
  const plain = withoutCarries(stmt, state);
  const frame: Frame = { running: breaks ? variable(state.names.fresh("running"), BOOL, spanOnly(stmt.meta)) : undefined, active: undefined };
  const stmts = block(plain.loop.body.stmts, inFrame(frame), state);
  const body = seq([...activation(frame), ...stmts], withComments(plain.loop.body.meta, state));
  const left = frame.running === undefined ? [withBody(plain.loop, body)] : leftEarly(withBody(plain.loop, body), frame.running, state);
  return [...plain.before, ...left, ...plain.after];
}

const withBody = <L extends For | While>(stmt: L, body: Seq): L => (body === stmt.body ? stmt : { ...stmt, body });

function leftEarly(stmt: For | While, running: Var, state: Structuring): readonly Stmt[] {
  state.lead.add(running);
  const meta = spanOnly(stmt.meta);
  const start = assign(running, boolConst(true), meta);
  if (stmt.kind === "For") return countedWhile(stmt, running, start, state);
  const cond = stmt.cond.kind === "Const" && stmt.cond.value === true ? running : both(running, stmt.cond);
  return [start, whileLoop(cond, stmt.body, [], [], stmt.meta)];
}

/** A counted loop by its index: `start`, `stop` and `step` keep the values that they had before it. */
function countedWhile(stmt: For, running: Var, start: Stmt, state: Structuring): readonly Stmt[] {
  const meta = spanOnly(stmt.meta);
  const before: Stmt[] = [];
  const kept = (hint: string, value: Expr): Expr => {
    if (value.kind === "Const") return value;
    const target = variable(state.names.fresh(hint), value.type, meta);
    before.push(assign(target, value, meta));
    return target;
  };
  const index = stmt.loopVar;
  const stop = kept("stop", stmt.stop);
  const step = kept("step", stmt.step);
  state.lead.add(index);
  const advance = advanced(index, step, running, state, meta);
  const body = seq([...stmt.body.stmts, ...advance], stmt.body.meta);
  const cond = both(running, withinRange(index, stop, step));
  return [...before, assign(index, stmt.start, meta), start, whileLoop(cond, body, [], [], stmt.meta)];
}

function withinRange(index: Expr, stop: Expr, step: Expr): Expr {
  const zero = indexConst(0);
  if (step.kind === "Const") return Number(step.value) > 0 ? lessThan(index, stop) : Number(step.value) < 0 ? prim("gt", [index, stop]) : boolConst(false);
  const up = both(prim("gt", [step, zero]), lessThan(index, stop));
  return prim("or", [up, both(lessThan(step, zero), prim("gt", [index, stop]))]);
}

/** The next index; a step of more than one may wrap around at the end of 64 bits, and the loop ends there. */
function advanced(index: Var, step: Expr, running: Var, state: Structuring, meta: Meta): readonly Stmt[] {
  const unit = step.kind === "Const" && (step.value === 1n || step.value === -1n);
  if (unit) return [assign(index, add(index, step), meta)];
  const next = variable(state.names.fresh(`next_${index.hint}`), INDEX, meta);
  const goesOnward = step.kind === "Const" && Number(step.value) > 0 ? lessThan(index, next)
    : step.kind === "Const" ? prim("gt", [index, next])
    : prim("select", [prim("gt", [step, indexConst(0)]), lessThan(index, next), prim("gt", [index, next])]);
  return [assign(next, add(index, step), meta), assign(running, both(running, goesOnward), meta), assign(index, next, meta)];
}

interface Plain {
  readonly before: readonly Stmt[];
  readonly loop: For | While;
  readonly after: readonly Stmt[];
}

/** The loop with its authored carries as variables: what an iteration leaves early keeps the value it has. */
function withoutCarries(stmt: For | While, { names }: Structuring): Plain {
  if (stmt.carries.length === 0) return { before: [], loop: stmt, after: [] };
  const meta = spanOnly(stmt.meta);
  const vars = stmt.carries.map((carry) => variable(carry.hint, carry.type, carry.meta));
  const map = new Map(stmt.carries.map((carry, i) => [carry, vars[i] ?? carry]));
  const stmts = substitute(stmt.body, map).stmts.flatMap((s) => (s.kind === "Yield" ? simultaneous(vars, s.values, s.meta, names) : [s]));
  const body = seq(stmts, stmt.body.meta);
  const rest = { carries: [], results: [], body };
  return {
    before: stmt.carries.flatMap((carry, i) => assignments(vars.slice(i, i + 1), [carry.init], meta)),
    loop: stmt.kind === "For" ? forLoop({ ...stmt, ...rest }, stmt.meta) : { ...stmt, ...rest, cond: substitute(stmt.cond, map) },
    after: assignments(stmt.results, vars, meta),
  };
}

/** All values are read before any variable is assigned. */
function simultaneous(vars: readonly Var[], values: readonly Expr[], meta: Meta, names: Names): readonly Stmt[] {
  const before: Stmt[] = [];
  const settled = values.map((value, i) => {
    if (!somePart(value, (part) => isVarLike(part) && vars.slice(0, i).some((v) => v === part))) return value;
    const kept = variable(names.fresh(vars[i]?.hint ?? "value"), value.type, spanOnly(meta));
    before.push(assign(kept, value, spanOnly(meta)));
    return kept;
  });
  return [...before, ...assignments(vars, settled, meta)];
}
