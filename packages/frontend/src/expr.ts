// Expressions of the surface tree → values: one function a kind. What Python has and the language has not is refused by name.

import type { Attribute, Binary, BoolOp, Compare, DictDisplay, SExpr, Slice } from "@tilefoundry/grammar";
import { tupleGet, type Expr, type TupleType } from "@tilefoundry/ir";
import type { Span } from "@tilefoundry/text";
import { callExpr } from "./call.ts";
import { dict, sequence } from "./collections.ts";
import { reportFailure, suggestion } from "./complaints.ts";
import { comprehension } from "./comprehension.ts";
import type { ExprContext, FileName } from "./context.ts";
import { fileCalled } from "./definitions.ts";
import { failed, knownItem, knownSlice, truth } from "./known-ops.ts";
import { fileMember } from "./lookup.ts";
import { dotted, isEnum, memberValue, spell, type Dotted } from "./members.ts";
import { binary, boolean, compare, unary } from "./operators.ts";
import { memberNames, memberOf } from "./records.ts";
import { refuseExpr } from "./refuse.ts";
import { elementRead } from "./subscript.ts";
import { bool, exprValue, float, knownOf, knownValue, poison, type Known, type KnownValue, type Value } from "./value.ts";

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
  DictDisplay: (e, c) => dictDisplay(e, c),
  Comprehension: (e, c) => comprehension(e, c, evaluate),
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
    if (left === undefined || right === undefined || op === undefined) return refuseExpr(e, c.reporter);
    if (e.ops.length > 1) return compareChain(e, c);
    return compare(op, evaluate(left, c), evaluate(right, c), { span: e.span, opSpan: e.span }, c);
  },
  Call: (e, c) => callExpr(e, c, evaluate),
  Subscript: (e, c) => {
    const value = evaluate(e.value, c);
    const known = value.kind === "tuple" ? undefined : knownOf(value);
    if (known !== undefined && INDEXED.has(known.kind)) return knownSubscript(known, e.index, e, c);
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
  return chain.reduceRight<Value>((left, { op, right, span }) => {
    // a constant of the module is computed as Python does: what is not needed need not exist
    if (c.dialect === undefined && left.kind === "poison") return left;
    const decided = c.dialect === undefined && left.kind === "known" ? truth(left.known) : undefined;
    return decided !== undefined && decided === (op === "or") ? left : boolean(op, left, evaluate(right, c), { span, opSpan: span }, c);
  }, evaluate(first, c));
}

/** `0 < N <= 64` of compile-time values. */
function compareChain(e: Compare, c: ExprContext): Value {
  let left: Value | undefined;
  for (const [i, operand] of e.operands.entries()) {
    const right = evaluate(operand, c);
    const op = e.ops[i - 1];
    if (left !== undefined && op !== undefined) {
      if (left.kind === "poison" || right.kind === "poison") return poison(e.span);
      if (left.kind !== "known" || right.kind !== "known") return refuseExpr(e, c.reporter);
      const holds = compare(op, left, right, { span: e.span, opSpan: e.span }, c);
      if (holds.kind !== "known" || truth(holds.known) !== true) return holds;
    }
    left = right;
  }
  return knownValue(bool(true), e.span);
}

function dictDisplay(e: DictDisplay, c: ExprContext): Value {
  const pairs: (readonly [Known, Known])[] = [];
  for (const { key, value } of e.entries) {
    const values = [...(key === undefined ? [] : [evaluate(key, c)]), evaluate(value, c)];
    if (values.some((v) => v.kind === "poison")) return poison(e.span);
    const [first, second] = values.map(knownOf);
    if (key === undefined && first?.kind === "dict") for (const entry of first.entries.values()) pairs.push([entry.key, entry.value]);
    else if (first !== undefined && second !== undefined) pairs.push([first, second]);
    else return refuseExpr(e, c.reporter);
  }
  const made = dict(pairs);
  return failed(made) ? reportFailure(made, e.span, c) : knownValue(made, e.span);
}

function display(form: "tuple" | "list", items: readonly SExpr[], e: SExpr, c: ExprContext): Value {
  const values = items.map((item) => evaluate(item, c));
  if (values.some((v) => v.kind === "poison")) return poison(e.span);
  if (!values.every(isKnown)) return { kind: "tuple", form, items: values, span: e.span };
  const made = sequence(form, values.map((v) => v.known));
  return failed(made) ? reportFailure(made, e.span, c) : { kind: "known", known: made, span: e.span, parts: values };
}

const isKnown = (v: Value): v is KnownValue => v.kind === "known";

/** What is indexed and sliced at compile time. */
const INDEXED: ReadonlySet<Known["kind"]> = new Set<Known["kind"]>(["sequence", "string", "dict", "record"]);

function knownSubscript(whole: Known, index: SExpr, e: SExpr, c: ExprContext): Value {
  if (index.kind === "Slice") return knownPart(whole, index, e, c);
  if (index.kind === "TupleDisplay" && whole.kind !== "dict") return refuseExpr(index, c.reporter);
  const at = evaluate(index, c);
  if (at.kind === "poison") return at;
  const known = knownOf(at);
  if (known === undefined) {
    c.reporter.report("TF2004", at.span, { what: "the index of a compile-time list" });
    return poison(e.span);
  }
  const item = knownItem(whole, known);
  return failed(item) ? reportFailure(item, e.span, c) : found(item, e.span, c);
}

function knownPart(whole: Known, { lower, upper, step }: Slice, e: SExpr, c: ExprContext): Value {
  const bounds = [lower, upper, step].map((bound) => bound && evaluate(bound, c));
  if (bounds.some((b) => b?.kind === "poison")) return poison(e.span);
  const open = bounds.find((b) => b !== undefined && b.kind !== "known");
  if (open !== undefined) {
    c.reporter.report("TF2004", open.span, { what: "the bound of a slice of a compile-time list" });
    return poison(e.span);
  }
  const part = knownSlice(whole, bounds.map((b) => b && knownOf(b)));
  return failed(part) ? reportFailure(part, e.span, c) : knownValue(part, e.span);
}

/** An element or member; an extent is the function's own. */
const found = (known: Known, span: Span, c: ExprContext): Value => (known.kind === "extent" ? c.lookupExtent(known.dim, span) : knownValue(known, span));

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

/** A dotted name that is not called: a member of a namespace, an enumeration, a record or a class. */
function attribute(e: Attribute, c: ExprContext): Value {
  const chain = dotted(e);
  if (chain === undefined) return member(evaluate(e.value, c), "the value", e, c);
  const coordinate = `${chain.root}.${chain.path[0] ?? ""}`;
  if (chain.path.length === 1 && c.binds(coordinate)) return c.lookup(coordinate, e.span);
  const file = c.module.constants.get(chain.root)?.file;
  if (file !== undefined && !c.binds(chain.root)) return ofFile(file, chain, e, c);
  const namespace = c.module.namespaces.get(chain.root);
  if (namespace === undefined && (!isEnum(chain.root) || c.module.constants.get(chain.root) !== undefined)) {
    return member(evaluate(e.value, c), spell({ root: chain.root, path: chain.path.slice(0, -1) }), e, c);
  }
  const path = namespace === undefined ? [chain.root, ...chain.path] : chain.path;
  const value = memberValue(e, namespace, path, c.reporter);
  if (value !== undefined) return value;
  const candidates = ["FP32", "FP64", "INT32", "INT64", "UINT8", "UINT32", "BOOL", "INDEX", "Mem", "FunctionType", "inf", "nan"];
  const owner = spell({ root: chain.root, path: chain.path.slice(0, -1) });
  c.reporter.report("TF2011", e.nameSpan, { owner, name: e.name }, suggestion(e.name, candidates, e.nameSpan));
  return poison(e.span);
}

/** `sizes.BLOCK` of `import sizes`. */
function ofFile(file: FileName, { root, path }: Dotted, e: Attribute, c: ExprContext): Value {
  const owner = fileCalled(file, path.slice(0, -1));
  const spelled = spell({ root, path: path.slice(0, -1) });
  if (owner === undefined) return member(evaluate(e.value, c), spelled, e, c);
  const value = fileMember(owner, e.name, e.span, c.module);
  if (value?.kind === "known" && value.known.kind === "extent") return c.lookupExtent(value.known.dim, e.span);
  if (value !== undefined) return value;
  c.reporter.report("TF2011", e.nameSpan, { owner: spelled, name: e.name }, suggestion(e.name, [...owner.parts.keys(), ...(owner.scope?.constants.keys() ?? [])], e.nameSpan));
  return poison(e.span);
}

function member(owner: Value, spelled: string, e: Attribute, c: ExprContext): Value {
  if (owner.kind === "poison") return owner;
  const known = knownOf(owner);
  const value = known && memberOf(known, e.name, e.span, c, evaluate);
  if (value !== undefined) return value;
  const extras = e.name === "shape" ? NO_SHAPE : known === undefined ? {} : suggestion(e.name, memberNames(known), e.nameSpan);
  c.reporter.report("TF2011", e.nameSpan, { owner: spelled, name: e.name }, extras);
  return poison(e.span);
}

const NO_SHAPE = { help: "name the extents in the signature, as in `Tensor[(M, N), \"f32\"]`, and use `M` and `N`" } as const;
