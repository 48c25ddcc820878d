// Expressions of the surface tree → values: one function a kind. What Python has and the language has not is refused by name.

import type { Binary, BoolOp, SExpr } from "@tilefoundry/grammar";
import { tupleGet, type Expr, type TupleType } from "@tilefoundry/ir";
import { callExpr } from "./call.ts";
import { suggestion } from "./complaints.ts";
import type { ExprContext } from "./context.ts";
import { failed, knownItem, truth } from "./known-ops.ts";
import { dotted, isEnum, memberValue, spell } from "./members.ts";
import { binary, boolean, compare, unary } from "./operators.ts";
import { refuseExpr } from "./refuse.ts";
import { sequence } from "./sequence.ts";
import { elementRead } from "./subscript.ts";
import { bool, exprValue, float, knownOf, knownValue, poison, type Known, type KnownSequence, type KnownValue, type Value } from "./value.ts";

type Rules = { readonly [K in SExpr["kind"]]: (e: Extract<SExpr, { readonly kind: K }>, c: ExprContext) => Value };

const RULES: Rules = {
  Name: (e, c) => c.lookup(e.name, e.span),
  Hole: (e, c) => {
    const known = c.module.holes[e.index];
    if (known === undefined) return poison(e.span);
    return known.kind === "extent" ? c.lookupExtent(known.dim, e.span) : knownValue(known, e.span);
  },
  Num: (e, c) => {
    if (e.form === "imaginary") return refuseExpr(e, c.reporter);
    return knownValue(e.form === "int" ? { kind: "int", value: BigInt(e.value) } : float(Number(e.value)), e.span);
  },
  Str: (e, c) => (e.value === undefined ? refuseExpr(e, c.reporter) : knownValue({ kind: "string", value: e.value }, e.span)),
  Keyword: (e, c) => (e.word === "..." ? refuseExpr(e, c.reporter) : knownValue(WORDS[e.word], e.span)),
  TupleDisplay: (e, c) => display("tuple", e.items, e, c),
  ListDisplay: (e, c) => display("list", e.items, e, c),
  SetDisplay: (e, c) => refuseExpr(e, c.reporter),
  DictDisplay: (e, c) => refuseExpr(e, c.reporter),
  Comprehension: (e, c) => refuseExpr(e, c.reporter),
  Lambda: (e, c) => refuseExpr(e, c.reporter),
  Ternary: (e, c) => {
    const cond = evaluate(e.cond, c);
    const decided = cond.kind === "known" ? truth(cond.known) : undefined;
    if (decided !== undefined) return evaluate(decided ? e.then : e.else, c);
    return cond.kind === "poison" ? cond : refuseExpr(e, c.reporter);
  },
  Unary: (e, c) => unary(e.op, evaluate(e.operand, c), { span: e.span, opSpan: { ...e.span, end: e.span.start + e.op.length } }, c),
  Binary: (e, c) => binaryChain(e, c),
  BoolOp: (e, c) => boolChain(e, c),
  Compare: (e, c) => {
    const [left, right] = e.operands;
    const [op] = e.ops;
    if (left === undefined || right === undefined || op === undefined || e.ops.length > 1) return refuseExpr(e, c.reporter);
    return compare(op, evaluate(left, c), evaluate(right, c), { span: e.span, opSpan: e.span }, c);
  },
  Call: (e, c) => callExpr(e, c, evaluate),
  Subscript: (e, c) => {
    const value = evaluate(e.value, c);
    const known = value.kind === "tuple" ? undefined : knownOf(value);
    if (known?.kind === "sequence") return knownSubscript(known, e.index, e, c);
    if (value.kind === "expr" && value.expr.type.kind === "TupleType") return tupleItem(value.expr, value.expr.type, e, c);
    return elementRead(value, e, c, evaluate);
  },
  Slice: (e, c) => refuseExpr(e, c.reporter),
  Attribute: (e, c) => attribute(e, c),
  Starred: (e, c) => refuseExpr(e, c.reporter),
  Await: (e, c) => refuseExpr(e, c.reporter),
  YieldExpr: (e, c) => refuseExpr(e, c.reporter),
  Walrus: (e, c) => refuseExpr(e, c.reporter),
  Paren: (e, c) => evaluate(e.value, c),
  BadExpr: (e) => poison(e.span),
};

const WORDS: Readonly<Record<"True" | "False" | "None", Known>> = { True: bool(true), False: bool(false), None: { kind: "none" } };

export function evaluate(e: SExpr, c: ExprContext): Value {
  const rule = RULES[e.kind] as (e: SExpr, c: ExprContext) => Value; // the key fixes the kind
  return rule(e, c);
}

/** A chain leans to the left and may be hundreds long: its operands are evaluated in order, without recursion along it. */
function binaryChain(e: Binary, c: ExprContext): Value {
  const chain: Binary[] = [];
  let first: SExpr = e;
  for (; first.kind === "Binary"; first = first.left) chain.push(first);
  return chain.reduceRight<Value>(
    (left, { op, right, span, opSpan }) => binary(op, left, evaluate(right, c), { span, opSpan }, c),
    evaluate(first, c),
  );
}

function boolChain(e: BoolOp, c: ExprContext): Value {
  const chain: BoolOp[] = [];
  let first: SExpr = e;
  for (; first.kind === "BoolOp"; first = first.left) chain.push(first);
  return chain.reduceRight<Value>(
    (left, { op, right, span }) => boolean(op, left, evaluate(right, c), { span, opSpan: span }, c),
    evaluate(first, c),
  );
}

function display(form: "tuple" | "list", items: readonly SExpr[], e: SExpr, c: ExprContext): Value {
  const values = items.map((item) => evaluate(item, c));
  if (values.some((v) => v.kind === "poison")) return poison(e.span);
  if (!values.every(isKnown)) return { kind: "tuple", form, items: values, span: e.span };
  const made = sequence(form, values.map((v) => v.known));
  if (!failed(made)) return { kind: "known", known: made, span: e.span, parts: values };
  c.reporter.report("TF2005", e.span, { why: made.failure });
  return poison(e.span);
}

const isKnown = (v: Value): v is KnownValue => v.kind === "known";

function knownSubscript(sequence: KnownSequence, index: SExpr, e: SExpr, c: ExprContext): Value {
  if (index.kind === "Slice" || index.kind === "TupleDisplay") return refuseExpr(index, c.reporter);
  const at = evaluate(index, c);
  if (at.kind === "poison") return at;
  const known = knownOf(at);
  if (known === undefined) {
    c.reporter.report("TF2004", at.span, { what: "the index of a compile-time list" });
    return poison(e.span);
  }
  const item = knownItem(sequence, known);
  if (!failed(item)) return knownValue(item, e.span);
  c.reporter.report("TF2005", e.span, { why: item.failure });
  return poison(e.span);
}

/** `t[0]` of a value that is a tuple. */
function tupleItem(tuple: Expr, type: TupleType, e: Extract<SExpr, { readonly kind: "Subscript" }>, c: ExprContext): Value {
  const at = evaluate(e.index, c);
  if (at.kind === "poison") return at;
  const known = knownOf(at);
  const index = known?.kind === "int" ? Number(known.value) : NaN;
  if (index >= 0 && index < type.fields.length) return exprValue(tupleGet(tuple, index, { span: e.span }), e.span);
  if (known === undefined) c.reporter.report("TF2004", at.span, { what: "the index of a tuple" });
  else c.reporter.report("TF2005", e.span, { why: `a tuple of ${type.fields.length} has no such element` });
  return poison(e.span);
}

/** A dotted name that is not called: a member of a namespace or an enumeration. */
function attribute(e: Extract<SExpr, { readonly kind: "Attribute" }>, c: ExprContext): Value {
  const chain = dotted(e);
  if (chain === undefined) {
    const owner = evaluate(e.value, c);
    if (owner.kind !== "poison") c.reporter.report("TF2011", e.nameSpan, { owner: "the value", name: e.name });
    return poison(e.span);
  }
  const coordinate = `${chain.root}.${chain.path[0] ?? ""}`;
  if (chain.path.length === 1 && c.binds(coordinate)) return c.lookup(coordinate, e.span);
  const namespace = c.module.namespaces.get(chain.root);
  if (namespace === undefined && !isEnum(chain.root)) {
    const owner = c.lookup(chain.root, { ...e.span, end: e.span.start + chain.root.length });
    if (owner.kind !== "poison") c.reporter.report("TF2011", e.nameSpan, { owner: chain.root, name: e.name }, e.name === "shape" ? NO_SHAPE : {});
    return poison(e.span);
  }
  const path = namespace === undefined ? [chain.root, ...chain.path] : chain.path;
  const value = memberValue(e, namespace, path, c.reporter);
  if (value !== undefined) return value;
  const candidates = ["FP32", "FP64", "INT32", "INT64", "UINT8", "UINT32", "BOOL", "INDEX", "Mem", "FunctionType", "inf", "nan"];
  const owner = spell({ root: chain.root, path: chain.path.slice(0, -1) });
  c.reporter.report("TF2011", e.nameSpan, { owner, name: e.name }, suggestion(e.name, candidates, e.nameSpan));
  return poison(e.span);
}

const NO_SHAPE = { help: "name the extents in the signature, as in `Tensor[(M, N), \"f32\"]`, and use `M` and `N`" } as const;
