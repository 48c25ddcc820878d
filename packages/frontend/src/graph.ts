// `@func` without loops: assignments and one `return` become a graph of values, shared by identity. A name is a label of its value;
// names for compile-time values leave nothing behind.

import type { AssignStmt, ReturnStmt, SStmt } from "@tilefoundry/grammar";
import { makeNames, tuple, tupleGet, isVarLike, type Expr, type Names } from "@tilefoundry/ir";
import { readAnnotation } from "./annotation.ts";
import { fit } from "./assign.ts";
import { blockEnd, commentsOf, commented, docstringLines, docstringOf } from "./comments.ts";
import { refuse } from "./complaints.ts";
import { bound, silence } from "./env.ts";
import { evaluate } from "./expr.ts";
import { toExpr } from "./literal.ts";
import { isTorn, namesBoundBy, targetNames } from "./names-in.ts";
import type { Place } from "./place.ts";
import { refuseInGraph } from "./refuse.ts";
import { annotationPlace } from "./signature.ts";
import { exprValue, itemsOf, poison, type Value } from "./value.ts";

export interface GraphResult {
  /** Undefined after a complaint. */
  readonly result: Expr | undefined;
  /** Comments that stand above nothing that is left. */
  readonly comments: readonly string[];
}

interface Graph {
  readonly place: Place;
  /** Values that have their name already. */
  readonly named: Set<Expr>;
  readonly labels: Names;
}

export function graphBody(stmts: readonly SStmt[], place: Place): GraphResult {
  const { params, symbols } = place.fn;
  const graph: Graph = { place, named: new Set(), labels: makeNames([...params.map((p) => p.var.hint), ...symbols.byName.keys()]) };
  let pending: readonly string[] = [];
  let result: Expr | undefined;
  let returned = false;
  for (const s of stmts) {
    const comments: readonly string[] = [...pending, ...commentsOf(s)];
    const doc = docstringOf(s);
    if (returned) place.reporter.report("TF4107", s.span, {});
    if (doc !== undefined || s.kind === "Pass" || returned) pending = [...comments, ...(doc === undefined ? [] : docstringLines(doc))];
    else if (s.kind === "ReturnStmt") {
      returned = true;
      const value = returnedValue(s, comments, graph);
      result = value.expr;
      pending = value.taken ? [] : comments;
    } else pending = graphStatement(s, comments, graph) ? [] : comments;
  }
  if (!returned && !isTorn(place.fn.def.body)) place.reporter.report("TF4121", place.fn.def.nameSpan, { name: place.fn.def.name });
  return { result, comments: [...pending, ...blockEnd(place.fn.def.body)] };
}

/** Whether the statement's comments were taken by a value. */
function graphStatement(s: SStmt, comments: readonly string[], graph: Graph): boolean {
  const { place } = graph;
  if (s.kind === "AssignStmt") return graphAssignment(s, comments, graph);
  if (s.kind === "AnnAssign" && s.value !== undefined && s.target.kind === "Name") {
    const declared = readAnnotation(s.annotation, annotationPlace(place.fn.symbols, place.dialect, place.module, "known symbols"));
    const value = evaluate(s.value, place);
    const fitted = declared === undefined || value.kind === "poison" ? poison(s.span) : fit(s.target.name, value, declared.type, place);
    return nameValue(s.target.name, fitted, s.target.span, comments, graph);
  }
  if (s.kind !== "BadStmt") refuseInGraph(s, place.reporter);
  for (const name of namesBoundBy(s)) silence(place.env, name);
  return false;
}

function graphAssignment(s: AssignStmt, comments: readonly string[], graph: Graph): boolean {
  const { place } = graph;
  const [target] = s.targets;
  const silenceTargets = (): false => {
    for (const { name } of s.targets.flatMap(targetNames)) silence(place.env, name);
    return false;
  };
  if (target === undefined || s.targets.length > 1) {
    refuse("a chain of assignments", "assign one name after the other", s.span, place);
    return silenceTargets();
  }
  if (target.kind === "Name") return nameValue(target.name, evaluate(s.value, place), target.span, comments, graph);
  if (target.kind === "Subscript") {
    place.reporter.report("TF4206", s.span, { op: "[…] =" });
    return false;
  }
  const names = targetNames(target);
  const value = evaluate(s.value, place);
  if (value.kind === "poison") return silenceTargets();
  const items = componentsOf(value, graph);
  if (items?.length !== names.length || (target.kind !== "TupleDisplay" && target.kind !== "ListDisplay")) {
    place.reporter.report("TF3212", s.span, { op: "the right side", count: items?.length ?? 1, names: names.length });
    return silenceTargets();
  }
  const taken = names.map(({ name, span }, i) => nameValue(name, items[i] ?? poison(span), span, i === 0 ? comments : [], graph));
  return taken[0] === true;
}

/** The parts of a tuple, which gets a label if it has none: it is printed as a value of its own. */
function componentsOf(value: Value, { named, labels }: Graph): readonly Value[] | undefined {
  if (value.kind !== "expr" || value.expr.type.kind !== "TupleType") return itemsOf(value);
  const { span } = value;
  const isNew = !isVarLike(value.expr) && !named.has(value.expr);
  const expr: Expr = isNew ? { ...value.expr, meta: { ...value.expr.meta, label: labels.fresh("values") } } : value.expr;
  if (isNew) named.add(expr);
  return value.expr.type.fields.map((_, i) => exprValue(tupleGet(expr, i, { span }), span));
}

/** Binds a name. A new value is labelled with it and takes the comments; another name for a value is only that. */
function nameValue(name: string, value: Value, span: Value["span"], comments: readonly string[], { place, named, labels }: Graph): boolean {
  if (value.kind === "poison") {
    silence(place.env, name);
    return false;
  }
  if (value.kind === "known") {
    place.env.own.set(name, { kind: "computed", known: value.known });
    return false;
  }
  const expr = toExpr(value, place);
  const isNew = !isVarLike(expr) && expr.kind !== "Const" && !named.has(expr) && expr.type.kind !== "Unknown";
  const labelled: Expr = isNew ? { ...expr, meta: commented({ ...expr.meta, label: labels.fresh(name) }, comments) } : expr;
  if (isNew) named.add(labelled);
  place.env.own.set(name, expr.type.kind === "Unknown" ? { kind: "poisoned" } : bound(labelled, span, undefined));
  return isNew;
}

interface Returned {
  readonly expr: Expr | undefined;
  /** Whether it took the comments of the return. */
  readonly taken: boolean;
}

function returnedValue(s: ReturnStmt, comments: readonly string[], { place, named }: Graph): Returned {
  if (s.value === undefined) {
    place.reporter.report("TF4121", s.span, { name: place.fn.def.name });
    return { expr: undefined, taken: false };
  }
  const value = evaluate(s.value, place);
  const items = itemsOf(value);
  const expr = items === undefined ? toExpr(value, place) : tuple(items.map((item) => toExpr(item, place)), { span: s.span });
  const parts = expr.kind === "Tuple" ? expr.elements : [expr];
  if (parts.some((p) => p.type.kind === "Unknown")) return { expr: undefined, taken: false };
  const isNew = !isVarLike(expr) && !named.has(expr);
  return { expr: isNew ? { ...expr, meta: commented(expr.meta, comments) } : expr, taken: isNew };
}
