// The children of a node, spelt out for each kind: reading a field by its name from a table costs more than what most passes do
// with it. The test of this file holds every row against the field table. `mapChildren` gives back the same object when nothing
// changed, so a fixpoint is `===`.

import { assign, evaluate, ifThen, iterArg, scopeRegion } from "./build.ts";
import type { Role } from "./fields.ts";
import type { Call, Expr, For, FunctionCall, IterArg, Nest, Node, Prim, Scope, Seq, Stmt, VarLike, While } from "./nodes.ts";

type Visit = (child: Node, role: Role) => void;
type MapChild = (child: Node, role: Role) => Node;

/** Calls `visit` with each child node (expressions, blocks, binders and definitions) in evaluation order. */
export function eachChild(node: Node, visit: Visit): void {
  switch (node.kind) {
    case "Var":
    case "Const":
    case "Break":
    case "Continue": return;
    case "IterArg": return visit(node.init, "use");
    case "Prim":
    case "Call":
    case "FunctionCall": return eachIn(node.args, "uses", visit);
    case "Tuple": return eachIn(node.elements, "uses", visit);
    case "TupleGet": return visit(node.tuple, "use");
    case "Assign":
      visit(node.value, "use");
      return visit(node.target, "def");
    case "Eval": return visit(node.expr, "use");
    case "Return":
    case "Yield": return eachIn(node.values, "uses", visit);
    case "Seq": return eachIn(node.stmts, "stmts", visit);
    case "If":
      visit(node.cond, "use");
      visit(node.then, "body");
      if (node.else !== undefined) visit(node.else, "body");
      return eachIn(node.results, "defs", visit);
    case "For":
      visit(node.start, "use");
      visit(node.stop, "use");
      visit(node.step, "use");
      eachIn(node.carries, "binds", visit);
      visit(node.loopVar, "bind");
      visit(node.body, "body");
      return eachIn(node.results, "defs", visit);
    case "While":
      eachIn(node.carries, "binds", visit);
      visit(node.cond, "inner");
      visit(node.body, "body");
      return eachIn(node.results, "defs", visit);
    case "Scope":
      visit(node.body, "body");
      return eachIn(node.results, "defs", visit);
    case "Nest":
      eachIn(node.extents, "uses", visit);
      eachIn(node.carries, "binds", visit);
      eachIn(node.axes, "binds", visit);
      visit(node.body, "body");
      return eachIn(node.results, "defs", visit);
  }
}

function eachIn(nodes: readonly Node[], role: Role, visit: Visit): void {
  for (const node of nodes) visit(node, role);
}

/** Every expression directly evaluated by a statement (not those of its blocks), `init`s of carries included. */
export function eachOperand(stmt: Stmt, visit: (expr: Expr) => void): void {
  switch (stmt.kind) {
    case "Assign": return visit(stmt.value);
    case "Eval": return visit(stmt.expr);
    case "Return":
    case "Yield": return each(stmt.values, visit);
    case "If": return visit(stmt.cond);
    case "For":
      visit(stmt.start);
      visit(stmt.stop);
      visit(stmt.step);
      return eachInit(stmt.carries, visit);
    case "While":
      eachInit(stmt.carries, visit);
      return visit(stmt.cond);
    case "Nest":
      each(stmt.extents, visit);
      return eachInit(stmt.carries, visit);
    case "Break":
    case "Continue":
    case "Scope":
    case "Seq": return;
  }
}

function each(exprs: readonly Expr[], visit: (expr: Expr) => void): void {
  for (const expr of exprs) visit(expr);
}

function eachInit(carries: readonly IterArg[], visit: (expr: Expr) => void): void {
  for (const { init } of carries) visit(init);
}

/** Whether an expression that a statement evaluates itself passes a test. */
export function someOperand(stmt: Stmt, test: (expr: Expr) => boolean): boolean {
  switch (stmt.kind) {
    case "Assign": return test(stmt.value);
    case "Eval": return test(stmt.expr);
    case "Return":
    case "Yield": return stmt.values.some(test);
    case "If": return test(stmt.cond);
    case "For": return test(stmt.start) || test(stmt.stop) || test(stmt.step) || someInit(stmt.carries, test);
    case "While": return someInit(stmt.carries, test) || test(stmt.cond);
    case "Nest": return stmt.extents.some(test) || someInit(stmt.carries, test);
    case "Break":
    case "Continue":
    case "Scope":
    case "Seq": return false;
  }
}

function someInit(carries: readonly IterArg[], test: (expr: Expr) => boolean): boolean {
  for (const { init } of carries) if (test(init)) return true;
  return false;
}

const NONE: readonly never[] = [];

/** The blocks of a statement. */
export function blocksOf(stmt: Stmt): readonly Seq[] {
  switch (stmt.kind) {
    case "If": return stmt.else === undefined ? [stmt.then] : [stmt.then, stmt.else];
    case "For":
    case "While":
    case "Nest":
    case "Scope": return [stmt.body];
    default: return NONE;
  }
}

/** Variables that a statement defines for later siblings. */
export function definedBy(stmt: Stmt): readonly VarLike[] {
  switch (stmt.kind) {
    case "Assign": return [stmt.target];
    case "If":
    case "For":
    case "While":
    case "Nest":
    case "Scope": return stmt.results;
    default: return NONE;
  }
}

/** Calls `visit` with the variables that a statement defines for later siblings. */
export function eachDefinition(stmt: Stmt, visit: (v: VarLike) => void): void {
  switch (stmt.kind) {
    case "Assign": return visit(stmt.target);
    case "If":
    case "For":
    case "While":
    case "Nest":
    case "Scope":
      for (const result of stmt.results) visit(result);
  }
}

/** Calls `visit` with the variables that a statement binds inside itself. */
export function eachBinding(stmt: Stmt, visit: (v: VarLike) => void): void {
  switch (stmt.kind) {
    case "For":
      for (const carry of stmt.carries) visit(carry);
      return visit(stmt.loopVar);
    case "While":
      for (const carry of stmt.carries) visit(carry);
      return;
    case "Nest":
      for (const carry of stmt.carries) visit(carry);
      for (const axis of stmt.axes) visit(axis);
  }
}

/** Variables that a statement binds inside itself: loop variable, axes, carries. */
export function boundBy(stmt: Stmt): readonly VarLike[] {
  switch (stmt.kind) {
    case "For": return [...stmt.carries, stmt.loopVar];
    case "While": return stmt.carries;
    case "Nest": return [...stmt.carries, ...stmt.axes];
    default: return NONE;
  }
}

/**
 * Rebuilds a node with `map` applied to its children in evaluation order; the same object comes back if no child changed.
 * A carry is mapped like any binder: `map` decides whether to rebuild it with a mapped `init`. Types are the caller's matter.
 * A child must be replaced by what may stand in its place.
 */
export function mapChildren<N extends Node>(node: N, map: MapChild): N {
  return rebuilt(node, map as Replace) as N; // a rebuilt node has the kind of the old one
}

/** The kinds of what stands in a place are the caller's promise. */
type Replace = <C extends Node>(child: C, role: Role) => C;

function rebuilt(node: Node, map: Replace): Node {
  switch (node.kind) {
    case "Var":
    case "Const":
    case "Break":
    case "Continue": return node;
    case "IterArg": {
      const init = map(node.init, "use");
      return init === node.init ? node : iterArg(node.hint, node.type, init, node.meta);
    }
    case "Prim": return withArgs(node, mapList(node.args, "uses", map));
    case "Call":
    case "FunctionCall": return withCallArgs(node, mapList(node.args, "uses", map));
    case "Tuple": {
      const elements = mapList(node.elements, "uses", map);
      return elements === node.elements ? node : { kind: "Tuple", type: node.type, elements, meta: node.meta };
    }
    case "TupleGet": {
      const tuple = map(node.tuple, "use");
      return tuple === node.tuple ? node : { kind: "TupleGet", type: node.type, tuple, index: node.index, meta: node.meta };
    }
    case "Assign": {
      const value = map(node.value, "use");
      const target = map(node.target, "def");
      return value === node.value && target === node.target ? node : assign(target, value, node.meta);
    }
    case "Eval": {
      const expr = map(node.expr, "use");
      return expr === node.expr ? node : evaluate(expr, node.meta);
    }
    case "Return":
    case "Yield": {
      const values = mapList(node.values, "uses", map);
      return values === node.values ? node : { kind: node.kind, values, meta: node.meta };
    }
    case "Seq": {
      const stmts = mapList(node.stmts, "stmts", map);
      return stmts === node.stmts ? node : { kind: "Seq", stmts, meta: node.meta };
    }
    case "If":
    case "For":
    case "While":
    case "Nest":
    case "Scope": return rebuiltCompound(node, map);
  }
}

function rebuiltCompound(node: Extract<Stmt, { readonly results: unknown }>, map: Replace): Stmt {
  switch (node.kind) {
    case "If": {
      const cond = map(node.cond, "use");
      const then = map(node.then, "body");
      const orElse = node.else === undefined ? undefined : map(node.else, "body");
      const results = mapList(node.results, "defs", map);
      const same = cond === node.cond && then === node.then && orElse === node.else && results === node.results;
      return same ? node : ifThen(cond, then, orElse, results, node.meta);
    }
    case "For": {
      const start = map(node.start, "use");
      const stop = map(node.stop, "use");
      const step = map(node.step, "use");
      const carries = mapList(node.carries, "binds", map);
      const loopVar = map(node.loopVar, "bind");
      const body = map(node.body, "body");
      const results = mapList(node.results, "defs", map);
      const sameRange = start === node.start && stop === node.stop && step === node.step && loopVar === node.loopVar;
      return sameRange && carries === node.carries && body === node.body && results === node.results
        ? node
        : withParts(node, { start, stop, step, carries, loopVar, body, results });
    }
    case "While": {
      const carries = mapList(node.carries, "binds", map);
      const cond = map(node.cond, "inner");
      const body = map(node.body, "body");
      const results = mapList(node.results, "defs", map);
      const same = carries === node.carries && cond === node.cond && body === node.body && results === node.results;
      return same ? node : withParts(node, { carries, cond, body, results });
    }
    case "Scope": {
      const body = map(node.body, "body");
      const results = mapList(node.results, "defs", map);
      return body === node.body && results === node.results ? node : withParts(node, { body, results });
    }
    case "Nest": {
      const extents = mapList(node.extents, "uses", map);
      const carries = mapList(node.carries, "binds", map);
      const axes = mapList(node.axes, "binds", map);
      const body = map(node.body, "body");
      const results = mapList(node.results, "defs", map);
      const sameRange = extents === node.extents && axes === node.axes;
      return sameRange && carries === node.carries && body === node.body && results === node.results
        ? node
        : withParts(node, { extents, carries, axes, body, results });
    }
  }
}

/** The same list if no element changed; else a copy from the first change on. */
function mapList<C extends Node>(list: readonly C[], role: Role, map: Replace): readonly C[] {
  for (let i = 0; i < list.length; i++) {
    const child = list[i] as C; // within the length
    const next = map(child, role);
    if (next !== child) return mappedFrom(list, i, next, role, map);
  }
  return list;
}

function mappedFrom<C extends Node>(list: readonly C[], at: number, first: C, role: Role, map: Replace): readonly C[] {
  const mapped = list.slice();
  mapped[at] = first;
  for (let i = at + 1; i < list.length; i++) mapped[i] = map(list[i] as C, role); // within the length
  return mapped;
}

/** The primitive with other operands of the same types. Spelt out, since most nodes that are ever rebuilt are primitives. */
export function withArgs(p: Prim, args: readonly Expr[]): Prim {
  return args === p.args ? p : { kind: "Prim", type: p.type, op: p.op, args, attrs: p.attrs, meta: p.meta };
}

/** The call with other arguments of the same types. */
export function withCallArgs(call: Call | FunctionCall, args: readonly Expr[]): Call | FunctionCall {
  if (args === call.args) return call;
  const { type, meta } = call;
  return call.kind === "Call" ? { kind: "Call", type, callee: call.callee, args, meta } : { kind: "FunctionCall", type, callee: call.callee, args, meta };
}

/** Statements with one block. */
type Holder = For | While | Nest | Scope;

/** The statement with other parts; those not given stay. Spelt out, so that all statements of a kind are objects of one shape. */
export function withParts<H extends Holder>(stmt: H, parts: Partial<Omit<H, "kind">>): H {
  return remade(stmt, parts as Parts) as H; // of the same kind, with parts of that kind
}

type Parts = Partial<Omit<For, "kind"> & Omit<While, "kind"> & Omit<Nest, "kind"> & Omit<Scope, "kind">>;

function remade(stmt: Holder, parts: Parts): Holder {
  const { body = stmt.body, results = stmt.results, meta = stmt.meta } = parts;
  switch (stmt.kind) {
    case "For": {
      const { mode = stmt.mode, start = stmt.start, stop = stmt.stop, step = stmt.step, carries = stmt.carries, loopVar = stmt.loopVar } = parts;
      const { level = stmt.level, stages = stmt.stages } = parts;
      return { kind: "For", mode, level, stages, start, stop, step, carries, loopVar, body, results, meta };
    }
    case "While": {
      const { carries = stmt.carries, cond = stmt.cond } = parts;
      return { kind: "While", carries, cond, body, results, meta };
    }
    case "Nest": {
      const { extents = stmt.extents, carries = stmt.carries, axes = stmt.axes } = parts;
      return { kind: "Nest", reduce: stmt.reduce, extents, carries, axes, body, results, meta };
    }
    case "Scope": return scopeRegion(stmt.scope, body, results, meta);
  }
}

/** The statement with its blocks mapped. */
export function mapBlocks<S extends Stmt>(stmt: S, map: (block: Seq) => Seq): S {
  return withBlocks(stmt, map) as S; // a rebuilt statement has the kind of the old one
}

function withBlocks(stmt: Stmt, map: (block: Seq) => Seq): Stmt {
  switch (stmt.kind) {
    case "For":
    case "While":
    case "Nest":
    case "Scope": {
      const body = map(stmt.body);
      return body === stmt.body ? stmt : withParts(stmt, { body });
    }
    case "If": {
      const then = map(stmt.then);
      const orElse = stmt.else && map(stmt.else);
      return then === stmt.then && orElse === stmt.else ? stmt : ifThen(stmt.cond, then, orElse, stmt.results, stmt.meta);
    }
    default: return stmt;
  }
}
