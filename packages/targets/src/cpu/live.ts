// Which variables of a function matter: those that an effect, a condition or a bound reads, and what these are computed from. The rest is not
// written, since C compilers warn of a local that nobody reads.

import { bodyOf, dimVars, eachStmt, walk, type Expr, type FunctionNode, type Seq, type Stmt, type VarLike } from "@tilefoundry/ir";

export function liveVariables(fn: FunctionNode): ReadonlySet<VarLike> {
  const live = new Set<VarLike>();
  const body = bodyOf(fn);
  if (body === undefined) return live;
  const sources = new Map<VarLike, Expr[]>();
  const roots: Expr[] = [];
  eachStmt(body, (stmt) => collect(stmt, sources, roots));
  const open = [...roots];
  for (let e = open.pop(); e !== undefined; e = open.pop()) {
    eachVariable(e, (v) => {
      if (live.has(v)) return;
      live.add(v);
      open.push(...(sources.get(v) ?? []));
    });
  }
  return live;
}

/** What a statement computes its variables from, and what it reads in any case. */
function collect(stmt: Stmt, sources: Map<VarLike, Expr[]>, roots: Expr[]): void {
  const feed = (v: VarLike | undefined, e: Expr | undefined): void => {
    if (v !== undefined && e !== undefined) sources.set(v, [...(sources.get(v) ?? []), e]);
  };
  switch (stmt.kind) {
    case "Assign":
      return feed(stmt.target, stmt.value);
    case "Eval":
      roots.push(stmt.expr);
      return;
    case "If":
      roots.push(stmt.cond);
      for (const block of [stmt.then, stmt.else]) for (const [i, v] of stmt.results.entries()) feed(v, block && yieldedBy(block)[i]);
      return;
    case "For":
    case "While":
      roots.push(...(stmt.kind === "For" ? [stmt.start, stmt.stop, stmt.step] : [stmt.cond]));
      for (const [i, carry] of stmt.carries.entries()) {
        feed(carry, carry.init);
        feed(carry, yieldedBy(stmt.body)[i]);
        feed(stmt.results[i], carry);
      }
      return;
    default:
      return; // a yield is read by the statement that receives it, returned values are Out parameters
  }
}

/** The values that a block yields. */
export function yieldedBy(block: Seq): readonly Expr[] {
  const last = block.stmts[block.stmts.length - 1];
  return last?.kind === "Yield" ? last.values : [];
}

/** Variables of an expression, those in the extents of accessed buffers and in offsets too. */
function eachVariable(e: Expr, visit: (v: VarLike) => void): void {
  walk(e, (node) => {
    if (node.kind === "Var" || node.kind === "IterArg") visit(node);
    if (node.kind !== "Prim") return;
    const [buffer] = node.args;
    if (buffer?.type.kind === "Tensor") for (const d of buffer.type.shape) dimVars(d, visit);
    if (node.attrs.offset !== undefined) dimVars(node.attrs.offset, visit);
  });
}
