// Assignments: to a name, to several names at once, to an element; with or without annotation. A name keeps its variable as long
// as its type stays; a new type starts a new variable.

import type { CallExpr, SExpr, SStmt } from "@tilefoundry/grammar";
import {
  assign, cast, compatible, isInteger, isVarLike, tupleGet, UNKNOWN, variable, walk, type Expr, type Stmt, type Type, type Var,
} from "@tilefoundry/ir";
import { showType } from "@tilefoundry/ops";
import { invariant, type Span } from "@tilefoundry/text";
import { readAnnotation } from "./annotation.ts";
import { noValue, refuse } from "./complaints.ts";
import { bound, POISONED, silence } from "./env.ts";
import { evaluate } from "./expr.ts";
import { bufferOf } from "./handles.ts";
import { toExpr, typedLiteral } from "./literal.ts";
import { localFor } from "./locals.ts";
import { targetNames } from "./names-in.ts";
import { callOp } from "./op-call.ts";
import type { Place } from "./place.ts";
import { isNumber } from "./python-number.ts";
import { mayRebind } from "./rebind.ts";
import { annotationPlace } from "./signature.ts";
import { elementIndices } from "./subscript.ts";
import { exprValue, itemsOf, poison, type Known, type Value } from "./value.ts";
import type { ResultName, YieldSlot } from "./yield-slot.ts";
import { isYield, yieldStatement } from "./yields.ts";

type AssignStmt = Extract<SStmt, { readonly kind: "AssignStmt" }>;
type AnnAssign = Extract<SStmt, { readonly kind: "AnnAssign" }>;

export function assignment(s: AssignStmt, place: Place, slot: YieldSlot | undefined): readonly Stmt[] {
  const [first, second] = s.targets;
  if (first === undefined) return [];
  if (second !== undefined) {
    refuse("a chain of assignments", "assign one name after the other", s.span, place);
    return silenceAll(s.targets, place);
  }
  const target = first.kind === "Paren" ? first.value : first;
  if (isYield(s.value, place)) return yieldTo(target, s.value, s.span, place, slot);
  if (target.kind === "Name") return assignName(target.name, target.span, evaluate(s.value, place), s.span, place);
  if (target.kind === "TupleDisplay" || target.kind === "ListDisplay") return assignSeveral(target.items, evaluate(s.value, place), s.span, place);
  if (target.kind === "Subscript") return assignElement(target, s, place);
  const instead = target.kind === "Attribute" ? "values have no attributes: assign a name" : "write a name on the left";
  refuse("this target of an assignment", instead, target.span, place);
  return [];
}

function silenceAll(targets: readonly SExpr[], place: Place): readonly Stmt[] {
  for (const { name } of targets.flatMap(targetNames)) silence(place.env, name);
  return [];
}

function yieldTo(target: SExpr, e: CallExpr, span: Span, place: Place, slot: YieldSlot | undefined): readonly Stmt[] {
  const items = target.kind === "TupleDisplay" ? target.items : [target];
  const names = items.flatMap((item): readonly ResultName[] => (item.kind === "Name" ? [{ name: item.name, span: item.span }] : []));
  if (names.length === items.length) return yieldStatement(names, e, span, place, slot);
  place.reporter.report("TF4108", target.span, { problem: "gives its values to names only" });
  return [];
}

// — one name —

/** Binds the name to the value; the type of its variable is `declared`, if given. */
function assignName(name: string, at: Span, value: Value, span: Span, place: Place, declared?: Type): readonly Stmt[] {
  if (value.kind === "poison") {
    place.env.own.set(name, POISONED);
    return [];
  }
  if (value.kind === "known" && isCompileTimeOnly(value.known)) return nameKnown(name, value.known, value, place);
  const expr = toExpr(value, place);
  const type = declared ?? expr.type;
  if (type.kind === "Unknown" || type.kind === "Unit") {
    if (type.kind === "Unit") noValue("what this gives", "it only has an effect: write it as a statement of its own", value.span, place);
    silence(place.env, name);
    return [];
  }
  const root = bufferOf(expr, place.env, place);
  if (!mayRebind(name, type, root, span, place)) return [];
  const target = localFor(place.fn.locals, name, type, at, declared !== undefined);
  if (expr.kind === "FunctionCall") place.fn.calls.set(target, expr);
  const known = value.kind === "known" && place.fn.assigned.get(name)?.count === 1 ? value.known : undefined;
  place.env.own.set(name, bound(target, at, root, known));
  return [assign(target, expr, { span })];
}

/** Lists, strings and dtypes are for the compiler only. */
const isCompileTimeOnly = (k: Known): boolean => k.kind === "sequence" || k.kind === "string" || k.kind === "dtype" || k.kind === "word";

function nameKnown(name: string, known: Known, value: Value, place: Place): readonly Stmt[] {
  if (place.fn.assigned.get(name)?.count === 1) {
    place.env.own.set(name, { kind: "computed", known });
    return [];
  }
  noValue(`what \`${name}\` would be`, "a name for a list, a string or a dtype is assigned once", value.span, place);
  silence(place.env, name);
  return [];
}

// — annotated —

export function annotated(s: AnnAssign, place: Place, slot: YieldSlot | undefined): readonly Stmt[] {
  const { target } = s;
  if (s.value === undefined) {
    refuse("an annotation without a value", "a variable begins with its first value: assign one", s.span, place);
    return silenceAll([target], place);
  }
  if (target.kind !== "Name") {
    refuse("an annotation of something else than a name", "annotate one name", target.span, place);
    return silenceAll([target], place);
  }
  const declared = readAnnotation(s.annotation, annotationPlace(place.fn.symbols, place.dialect, place.module, "known symbols"));
  if (isYield(s.value, place)) {
    const stmts = yieldTo(target, s.value, s.span, place, slot);
    const type = slot?.found?.values?.[0]?.type;
    if (declared !== undefined && type !== undefined && !compatible(type, declared.type)) contradict(target.name, type, declared.type, s.value.span, place);
    return stmts;
  }
  const value = evaluate(s.value, place);
  if (declared === undefined || value.kind === "poison") return assignName(target.name, target.span, poison(s.span), s.span, place);
  if (declared.direction !== undefined || declared.isConst) {
    const found = "wrapped in a direction";
    place.reporter.report("TF3110", s.annotation.span, { what: `\`${target.name}\``, found, instead: "directions are for parameters" });
  }
  const fitted = fit(target.name, value, declared.type, place);
  return assignName(target.name, target.span, fitted, s.span, place, declared.type);
}

/** The value as the annotation wants it: literals by value, integers cast to other integers; complains if it does not fit. */
export function fit(name: string, value: Value, declared: Type, place: Place): Value {
  if (value.kind === "known" && declared.kind === "Scalar" && isNumber(value.known)) {
    if (declared.dtype === "i64" || declared.dtype === "index") return fitExpr(name, toExpr(value, place), value, declared, place);
    const made = typedLiteral(value.known, declared.dtype, value.span, place);
    return made === undefined ? poison(value.span) : exprValue(made, value.span);
  }
  return fitExpr(name, toExpr(value, place), value, declared, place);
}

function fitExpr(name: string, expr: Expr, value: Value, declared: Type, place: Place): Value {
  const { type } = expr;
  if (type.kind === "Unknown") return poison(value.span);
  if (compatible(type, declared)) return exprValue(expr, value.span);
  if (type.kind === "Scalar" && declared.kind === "Scalar" && isInteger(type.dtype) && isInteger(declared.dtype)) {
    return exprValue({ ...cast(expr, declared.dtype), meta: { span: value.span } }, value.span);
  }
  contradict(name, type, declared, value.span, place);
  return poison(value.span);
}

function contradict(name: string, type: Type, declared: Type, span: Span, { reporter, dialect }: Place): void {
  reporter.report("TF3106", span, { name, found: showType(type, dialect), annotated: showType(declared, dialect) });
}

// — several names —

function assignSeveral(targets: readonly SExpr[], value: Value, span: Span, place: Place): readonly Stmt[] {
  const names = targets.flatMap((t): readonly ResultName[] => (t.kind === "Name" ? [{ name: t.name, span: t.span }] : []));
  if (names.length !== targets.length) {
    const odd = targets.find((t) => t.kind !== "Name");
    refuse("this target among several", "unpack to plain names, and assign the rest on lines of their own", odd?.span ?? span, place);
    return silenceAll(targets, place);
  }
  if (value.kind === "poison") return silenceAll(targets, place);
  const items = itemsOf(value);
  if (items?.length === names.length) return assignAtOnce(names, items, span, place);
  if (items !== undefined) return refuseCount(targets, items.length, span, place);
  if (value.kind !== "expr" || value.expr.type.kind !== "TupleType") return refuseCount(targets, 1, span, place);
  const { fields } = value.expr.type;
  if (fields.length !== names.length) return refuseCount(targets, fields.length, span, place);
  const whole = isVarLike(value.expr) ? value.expr : variable(place.fn.names.fresh("values"), value.expr.type, { span });
  if (whole.kind === "Var" && value.expr.kind === "FunctionCall") place.fn.calls.set(whole, value.expr);
  const first: readonly Stmt[] = whole === value.expr || whole.kind !== "Var" ? [] : [assign(whole, value.expr, { span })];
  return [...first, ...names.flatMap(({ name, span: at }, i) => assignName(name, at, exprValue(tupleGet(whole, i, { span }), span), span, place))];
}

function refuseCount(targets: readonly SExpr[], count: number, span: Span, place: Place): readonly Stmt[] {
  place.reporter.report("TF3212", span, { op: "the right side", count, names: targets.length });
  return silenceAll(targets, place);
}

/** All values are computed before any name changes: a value that reads a name assigned before it gets a name of its own first. */
function assignAtOnce(names: readonly ResultName[], values: readonly Value[], span: Span, place: Place): readonly Stmt[] {
  const changed = new Set<Expr>();
  const before: Stmt[] = [];
  const settled = names.map(({ name, span: at }, i): Value => {
    const value = values[i] ?? poison(span);
    const reads = value.kind === "expr" && readsAny(value.expr, changed);
    const type = value.kind === "known" && isCompileTimeOnly(value.known) ? UNKNOWN : toExpr(value, place).type;
    if (type.kind !== "Unknown") changed.add(localFor(place.fn.locals, name, type, at));
    if (!reads || value.kind !== "expr") return value;
    const kept: Var = variable(place.fn.names.fresh(name), value.expr.type, { span: at });
    place.env.own.set(kept.hint, bound(kept, at, bufferOf(value.expr, place.env, place)));
    before.push(assign(kept, value.expr, { span }));
    return exprValue(kept, value.span);
  });
  return [...before, ...names.flatMap(({ name, span: at }, i) => assignName(name, at, settled[i] ?? poison(span), span, place))];
}

function readsAny(expr: Expr, variables: ReadonlySet<Expr>): boolean {
  let found = false;
  walk(expr, (node) => {
    if ((node.kind === "Var" || node.kind === "IterArg") && variables.has(node)) found = true;
  });
  return found;
}

// — elements —

/** `y[i, j] = v` is the op `write`, which gives a newer handle of `y`. */
function assignElement(target: Extract<SExpr, { readonly kind: "Subscript" }>, s: AssignStmt, place: Place): readonly Stmt[] {
  const base = evaluate(target.value, place);
  const indices = elementIndices(base, target, place, evaluate);
  const value = evaluate(s.value, place);
  if (indices === undefined || value.kind === "poison") return [];
  if (target.value.kind !== "Name") {
    refuse("an element of something else than a name as a target", "give the tensor or tile a name first", target.value.span, place);
    return [];
  }
  const record = place.module.ops.byName("write");
  invariant(record !== undefined, () => "the op `write` is missing");
  const positional = [base, indices, value];
  const written = callOp(record, { spelled: "[…] =", namespace: place.dialect, span: s.span, passed: { positional, keywords: [] } }, place);
  return written.kind === "poison" ? [] : assignName(target.value.name, target.value.span, written, s.span, place);
}
