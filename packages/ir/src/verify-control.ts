// Verifier, control: as many yields, carries and results as belong together, each of its type; yields, returns, `break` and
// `continue` only where they mean something; a nest has an extent for each axis.

import { compatible } from "./compatible.ts";
import type { Expr, For, IterArg, Nest, NodeOf, Return, Seq, Stmt, Type, While, Yield } from "./nodes.ts";
import { count, eachBlock, isFrom, nodeText, type Check } from "./verify-check.ts";
import { typeText } from "./type-text.ts";

/** Where control stands: which statements a `break` or `return` here would leave. */
interface Place {
  /** The innermost loop, if any. */
  readonly loop: Loop | undefined;
  /** Whether the block is the function's own. */
  readonly outermost: boolean;
}

type Loop = For | While | Nest;

export function checkControl(check: Check): void {
  const { f } = check;
  if (f.body.kind === "Graph") return checkReturned(f.body.result.type.kind === "TupleType" ? f.body.result.type.fields : [f.body.result.type], check);
  eachBlock(f.body, (block, holder) => checkYields(block, holder, check));
  visit(f.body, { loop: undefined, outermost: true }, check);
  if (isFrom(check.stage, "ssa") && f.returns.length > 0 && f.body.stmts.at(-1)?.kind !== "Return") checkReturned([], check);
}

type Rules = { readonly [K in Stmt["kind"]]: (stmt: NodeOf<K>, place: Place, check: Check) => void };

const nothing = (): void => undefined;

const RULES: Rules = {
  Assign: nothing,
  Eval: nothing,
  Yield: nothing,
  Seq: (block, place, check) => visit(block, place, check),
  If: (stmt, place, check) => {
    if (stmt.results.length > 0 && stmt.else === undefined) check.reporter.report("TF5011", stmt.meta.span, {});
    for (const block of [stmt.then, stmt.else]) if (block !== undefined) visit(block, { ...place, outermost: false }, check);
  },
  For: (loop, _place, check) => {
    checkCarries(loop, check);
    if (loop.mode === "parallel" && isFrom(check.stage, "ssa")) checkParallel(loop, check);
    visit(loop.body, { loop, outermost: false }, check);
  },
  While: (loop, _place, check) => {
    checkCarries(loop, check);
    visit(loop.body, { loop, outermost: false }, check);
  },
  Nest: (nest, _place, check) => {
    checkCarries(nest, check);
    checkNest(nest, check);
    visit(nest.body, { loop: nest, outermost: false }, check);
  },
  // a region is the block around it, until its values are handed on
  Scope: (scope, place, check) => visit(scope.body, { ...place, outermost: place.outermost && !isFrom(check.stage, "ssa") }, check),
  Return: checkReturn,
  Break: (stmt, place, check) => checkJump("break", stmt, place, check),
  Continue: (stmt, place, check) => checkJump("continue", stmt, place, check),
};

function visit(block: Seq, place: Place, check: Check): void {
  for (const [i, stmt] of block.stmts.entries()) {
    const rule = RULES[stmt.kind] as (stmt: Stmt, place: Place, check: Check) => void; // the key fixes the statement's type
    rule(stmt, { ...place, outermost: place.outermost && i === block.stmts.length - 1 }, check);
  }
}

// — carries and yields —

function checkCarries(loop: Loop, { reporter }: Check): void {
  const { carries, results, meta } = loop;
  if (carries.length !== results.length) {
    reporter.report("TF5006", meta.span, { what: nodeText(loop), carries: count(carries.length, "carry", "carries"), results: count(results.length, "result", "results") });
  }
  for (const carry of carries) {
    if (compatible(carry.init.type, carry.type)) continue;
    reporter.report("TF5025", carry.meta.span ?? meta.span, { name: carry.hint, expected: typeText(carry.type), actual: typeText(carry.init.type) });
  }
}

/** Results whose yields a block must end with; undefined where a yield has no place. */
function yieldTargets(holder: Stmt | undefined): readonly { readonly hint: string; readonly type: Type }[] | undefined {
  switch (holder?.kind) {
    case "If":
    case "Scope": return holder.results.length === 0 ? undefined : holder.results;
    case "For":
    case "While":
    case "Nest": return holder.carries.length === 0 ? undefined : namedByResults(holder);
    default: return undefined;
  }
}

/** The type to yield is the carry's; the name that the author gave it is the result's. */
function namedByResults({ carries, results }: Loop): readonly { readonly hint: string; readonly type: Type }[] {
  return carries.map((carry: IterArg, i) => ({ hint: results[i]?.hint ?? carry.hint, type: carry.type }));
}

function checkYields(block: Seq, holder: Stmt | undefined, check: Check): void {
  const targets = yieldTargets(holder);
  for (const [i, stmt] of block.stmts.entries()) {
    if (stmt.kind !== "Yield") continue;
    if (targets === undefined) check.reporter.report("TF5009", stmt.meta.span, { where: "where nothing takes its values" });
    else if (i < block.stmts.length - 1) check.reporter.report("TF5009", stmt.meta.span, { where: "before the end of its block" });
  }
  if (targets === undefined || holder === undefined) return;
  const last = block.stmts.at(-1);
  if (last?.kind === "Yield") checkYielded(last, targets, holder, check);
  else if (!endsElsewhere(last, check)) check.reporter.report("TF5010", last?.meta.span ?? holder.meta.span, { what: `a block of ${nodeText(holder)}` });
  checkResults(holder, check);
}

/** At `parsed` a branch may leave by `return`, `break` or `continue` instead. */
function endsElsewhere(last: Stmt | undefined, check: Check): boolean {
  return !isFrom(check.stage, "ssa") && (last?.kind === "Return" || last?.kind === "Break" || last?.kind === "Continue");
}

function checkYielded({ values, meta }: Yield, targets: readonly { readonly hint: string; readonly type: Type }[], holder: Stmt, { reporter }: Check): void {
  if (values.length !== targets.length) {
    const expected = `${targets.length} ${targets.length === 1 ? "is" : "are"}`;
    return reporter.report("TF5007", meta.span, { what: `a block of ${nodeText(holder)}`, actual: count(values.length, "value", "values"), expected });
  }
  for (const [i, value] of values.entries()) {
    const target = targets[i];
    if (target === undefined || compatible(value.type, target.type)) continue;
    reporter.report("TF5008", value.meta.span ?? meta.span, { name: target.hint, actual: typeText(value.type), expected: typeText(target.type) });
  }
}

/** A result has the type of its carry. */
function checkResults(holder: Stmt, { reporter }: Check): void {
  if (holder.kind !== "For" && holder.kind !== "While" && holder.kind !== "Nest") return;
  for (const [i, result] of holder.results.entries()) {
    const carry = holder.carries[i];
    if (carry === undefined || compatible(carry.type, result.type)) continue;
    reporter.report("TF5018", result.meta.span ?? holder.meta.span, { name: result.hint, expected: typeText(result.type), actual: typeText(carry.type) });
  }
}

function checkParallel({ carries, meta }: For, { reporter }: Check): void {
  for (const carry of carries) {
    if (carry.type.kind !== "Tensor") reporter.report("TF5034", carry.meta.span ?? meta.span, { name: carry.hint, type: typeText(carry.type) });
  }
}

function checkNest({ axes, extents, carries, reduce, meta }: Nest, { reporter }: Check): void {
  if (axes.length !== extents.length) reporter.report("TF5023", meta.span, { axes: count(axes.length, "axis", "axes"), extents: count(extents.length, "extent", "extents") });
  if (reduce !== carries.length > 0) reporter.report("TF5024", meta.span, { what: reduce ? "a reduction nest carries nothing" : "a parallel nest carries a value" });
}

// — jumps and returns —

function checkJump(word: "break" | "continue", { meta }: Stmt, { loop }: Place, { reporter }: Check): void {
  if (loop === undefined) reporter.report("TF5012", meta.span, { word, where: "outside a loop" });
  else if (loop.kind === "Nest" || (loop.kind === "For" && loop.mode !== "sequential")) reporter.report("TF5012", meta.span, { word, where: `in ${nodeText(loop)}` });
}

function checkReturn(stmt: Return, { loop, outermost }: Place, check: Check): void {
  if (loop !== undefined) check.reporter.report("TF5013", stmt.meta.span, { where: `in ${nodeText(loop)}` });
  else if (!outermost && isFrom(check.stage, "ssa")) check.reporter.report("TF5013", stmt.meta.span, { where: "before the end of the function" });
  checkReturned(stmt.values.map((v: Expr) => v.type), check, stmt);
}

function checkReturned(types: readonly Type[], { f, reporter }: Check, stmt?: Return): void {
  if (types.length === f.returns.length && types.every((t, i) => compatible(t, f.returns[i] ?? t))) return;
  const listed = (list: readonly Type[]): string => (list.length === 0 ? "nothing" : list.map(typeText).join(", "));
  reporter.report("TF5014", (stmt ?? f).meta.span, { function: f.name, actual: listed(types), expected: listed(f.returns) });
}
