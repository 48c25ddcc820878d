// Regions opened and closed: a region runs once, in its place, so that a pass may work on its statements as part of the block around it. Between
// two marks they stand in the open block; afterwards what lies between the marks is a region again, if it is still in one piece.

import {
  assign, blocksOf, definedBy, eachStmt, evaluate, functionCall, isVarLike, mapBlocks, mapChildren, scopeRegion, seq, substitute, UNIT, variable, variablesIn, withStmts, yieldValues,
  type Assign, type Eval, type Expr, type Meta, type Names, type Node, type Scope, type Seq, type Stmt, type TupleGet, type Var, type VarLike,
} from "@tilefoundry/ir";

/** The region that a mark, known by its expression, begins or ends. */
export interface Marks {
  readonly begin: ReadonlyMap<Expr, Scope>;
  readonly end: ReadonlyMap<Expr, Scope>;
}

export interface Opened {
  readonly body: Seq;
  readonly marks: Marks;
}

export function holdsScope(body: Seq): boolean {
  let found = false;
  eachStmt(body, (stmt) => (found ||= stmt.kind === "Scope"));
  return found;
}

export function openScopes(body: Seq): Opened {
  const marks = { begin: new Map<Expr, Scope>(), end: new Map<Expr, Scope>() };
  return { body: openBlock(body, marks), marks };
}

interface OpenMarks {
  readonly begin: Map<Expr, Scope>;
  readonly end: Map<Expr, Scope>;
}

function openBlock(block: Seq, marks: OpenMarks): Seq {
  const stmts = block.stmts.flatMap((stmt): readonly Stmt[] => (stmt.kind === "Scope" ? openScope(stmt, marks) : [mapBlocks(stmt, (inner) => openBlock(inner, marks))]));
  return withStmts(block, stmts);
}

function openScope(scope: Scope, marks: OpenMarks): readonly Stmt[] {
  const [first, last] = [mark(), mark()];
  marks.begin.set(first.expr, scope);
  marks.end.set(last.expr, scope);
  const { stmts } = openBlock(scope.body, marks);
  const end = stmts.at(-1);
  const values = end?.kind === "Yield" ? end.values : [];
  const handed = scope.results.flatMap((result, i) => (values[i] === undefined ? [] : [assign(result, values[i], result.meta)]));
  return [first, ...(end?.kind === "Yield" ? stmts.slice(0, -1) : stmts), ...handed, last];
}

/** A call of nothing: no pass takes it away or moves a write over it. */
const mark = (): Eval => evaluate(functionCall("scope", [], UNIT));

const markOf = (stmt: Stmt, of: ReadonlyMap<Expr, Scope>): Scope | undefined => (stmt.kind === "Eval" ? of.get(stmt.expr) : undefined);

/** Whether each region hands on by its results all that statements behind it read. */
export function scopesAreClosed(body: Seq): boolean {
  return body.stmts.every((stmt, i) => {
    if (!blocksOf(stmt).every(scopesAreClosed)) return false;
    if (stmt.kind !== "Scope") return true;
    const read = variablesIn(body.stmts.slice(i + 1));
    return !stmt.body.stmts.some((inner) => definedBy(inner).some((v) => read.has(v)));
  });
}

/** The block with its regions. What a region defines and statements behind it read becomes its results, under new names. */
export function closeScopes(body: Seq, marks: Marks, names: Names): Seq {
  return seq(closeStmts(body.stmts, marks, names), body.meta);
}

function closeStmts(stmts: readonly Stmt[], marks: Marks, names: Names): readonly Stmt[] {
  const out: Stmt[] = [];
  for (let i = 0; i < stmts.length; i++) {
    const stmt = stmts[i] as Stmt; // within bounds
    const scope = markOf(stmt, marks.begin);
    const end = scope === undefined ? -1 : stmts.findIndex((s, k) => k > i && markOf(s, marks.end) === scope);
    if (scope !== undefined && end > i) {
      const { region, rest } = closeScope(scope, stmts.slice(i, end + 1), stmts.slice(end + 1), marks, names);
      return [...out, region, ...closeStmts(rest, marks, names)];
    }
    if (scope === undefined && markOf(stmt, marks.end) === undefined) out.push(mapBlocks(stmt, (inner) => seq(closeStmts(inner.stmts, marks, names), inner.meta)));
  }
  return out;
}

interface Closed {
  readonly region: Scope;
  /** What follows, on the results. */
  readonly rest: readonly Stmt[];
}

/** `marked`: the statements of the region with its two marks. */
function closeScope(scope: Scope, marked: readonly Stmt[], behind: readonly Stmt[], marks: Marks, names: Names): Closed {
  const { inside, rest } = withElements(marked.slice(1, -1), behind, names);
  const read = variablesIn(rest);
  const copies = trailingCopies(inside, read);
  const own = inside.slice(0, inside.length - copies.length);
  const defined = own.flatMap(definedBy).filter((v): v is Var => v.kind === "Var" && read.has(v));
  const results = defined.map((v) => variable(names.fresh(v.hint), v.type, v.meta));
  const yields: readonly Expr[] = [...defined, ...copies.map((c) => c.value)];
  const body = [...closeStmts(own, marks, names), ...(yields.length === 0 ? [] : [yieldValues(yields)])];
  const renamed = new Map<VarLike, Expr>(defined.map((v, i) => [v, results[i] ?? v]));
  const after = renamed.size === 0 ? rest : rest.map((s) => substitute(s, renamed));
  const meta = withComments(scope.meta, commentsOf(marked[0]), "before");
  const ending = withComments(scope.body.meta, commentsOf(marked.at(-1)), "behind");
  return { region: scopeRegion(scope.scope, seq(body, ending), [...results, ...copies.map((c) => c.target)], meta), rest: after };
}

/** What a call gave in the region is taken apart in it: a region hands on the elements that are read, and never a tuple. */
function withElements(inside: readonly Stmt[], rest: readonly Stmt[], names: Names): { readonly inside: readonly Stmt[]; readonly rest: readonly Stmt[] } {
  const whole = new Set<VarLike>(inside.flatMap(definedBy).filter((v) => v.type.kind === "TupleType"));
  if (whole.size === 0) return { inside, rest };
  const taken = new Map<VarLike, Map<number, Var>>();
  const parts: Stmt[] = [];
  const element = (get: TupleGet, of: VarLike): Var => {
    const known = taken.get(of)?.get(get.index);
    if (known !== undefined) return known;
    const part = variable(names.fresh(of.hint), get.type, of.meta);
    parts.push(assign(part, get, of.meta));
    taken.set(of, new Map(taken.get(of)).set(get.index, part));
    return part;
  };
  const read = <N extends Node>(node: N): N =>
    mapChildren(node, (child) => {
      if (child.kind === "TupleGet" && isVarLike(child.tuple) && whole.has(child.tuple)) return element(child, child.tuple);
      return child.kind === "Var" || child.kind === "IterArg" ? child : read(child);
    });
  const apart = rest.map(read);
  return { inside: [...inside, ...parts], rest: apart };
}

const commentsOf = (stmt: Stmt | undefined): readonly string[] => stmt?.meta.comments ?? [];

/** Comments that a mark was given when the statement that had them went. */
function withComments(meta: Meta, comments: readonly string[], where: "before" | "behind"): Meta {
  const own = meta.comments ?? [];
  return comments.length === 0 ? meta : { ...meta, comments: where === "before" ? [...comments, ...own] : [...own, ...comments] };
}

/** Copies at the end of a region that only hand a value on. */
function trailingCopies(inside: readonly Stmt[], read: ReadonlySet<VarLike>): readonly Assign[] {
  const copies: Assign[] = [];
  for (let i = inside.length - 1; i >= 0; i--) {
    const stmt = inside[i];
    if (stmt?.kind !== "Assign" || !isVarLike(stmt.value) || !read.has(stmt.target)) break;
    copies.unshift(stmt);
  }
  return copies;
}
