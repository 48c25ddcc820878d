// Calls of catalog ops: pairs arguments with the record's parameters, converts literals as the dialect says, and types the call.
// An op whose operands are all scalars is its primitive.

import {
  CAST_MODES, DTYPE_NAMES, isFloat, isInteger, isRegister, sameDType, toDim, type AttrValue, type Dialect, type DType, type Expr,
} from "@tilefoundry/ir";
import {
  attrExpects, attrValue, bindCall, defaultOf, isAttr, isNone, isRequired, makeCall, parametersOf, showType,
  type AttrSpec, type Bound, type InputSpec, type OpRecord, type Static,
} from "@tilefoundry/ops";
import type { Span } from "@tilefoundry/text";
import type { PassedArguments } from "./arguments.ts";
import { inWords, suggestion } from "./complaints.ts";
import { dialectOf, type ExprContext } from "./context.ts";
import { dtypeCalled, storageCalled } from "./dtype-names.ts";
import { isExactDim } from "./exact-dim.ts";
import { toIndex } from "./index-value.ts";
import { toExpr, typedLiteral } from "./literal.ts";
import { isNumber } from "./python-number.ts";
import { primExpr, scalarPrim, type PrimSite } from "./scalars.ts";
import { exprValue, itemsOf, knownOf, poison, unknownExpr, type Known, type Value } from "./value.ts";

/** Arguments by position among the parameters. */
type Values = Bound<Value>;

export interface OpCall {
  /** As written: `pl.load`, `+`. */
  readonly spelled: string;
  readonly namespace: Dialect;
  readonly span: Span;
  readonly passed: PassedArguments;
}

export function callOp(record: OpRecord, call: OpCall, c: ExprContext): Value {
  if (!knowsKeywords(record, call, c)) return poison(call.span);
  const values = bindCall(record, call.passed, { reporter: c.reporter, span: call.span, spelled: call.spelled }, spanOf);
  if (values === undefined || values.some((v) => v?.kind === "poison")) return poison(call.span);
  if (record.writes !== undefined && c.isPure) {
    c.reporter.report("TF4206", call.span, { op: call.spelled });
    return poison(call.span);
  }
  if (record.scalar !== undefined && allScalars(record, values)) return asPrimitive(record, values, call, c);
  return makeTyped(record, values, call, c);
}

const spanOf = (v: Value): Span => v.span;

/** Complains about keywords that no parameter has, with the nearest one that has. */
function knowsKeywords(record: OpRecord, { passed, spelled }: OpCall, c: ExprContext): boolean {
  const { all, byKeyword } = parametersOf(record);
  let knows = true;
  for (const { name, nameSpan } of passed.keywords) {
    if (byKeyword.has(name)) continue;
    const params = all.map(({ name: param, spec }) => (isRequired(spec) ? param : `[${param}]`)).join(", ") || "none";
    c.reporter.report("TF3002", nameSpan, { op: spelled, name, params }, suggestion(name, [...byKeyword.keys()], nameSpan));
    knows = false;
  }
  return knows;
}

/** What is passed for a parameter. */
const argument = (record: OpRecord, values: Values, name: string): Value | undefined => values[parametersOf(record).byKeyword.get(name) ?? -1];

// — scalars —

function allScalars(record: OpRecord, values: Values): boolean {
  return parametersOf(record).all.every(({ spec }, i) => {
    const value = values[i];
    if (value === undefined || isAttr(spec)) return true;
    return value.kind === "known" ? value.known.kind !== "sequence" : value.kind === "expr" && isRegister(value.expr.type);
  });
}

function asPrimitive(record: OpRecord, values: Values, call: OpCall, c: ExprContext): Value {
  const prim = record.scalar;
  if (prim === undefined) return poison(call.span);
  const site = { prim, text: call.spelled, span: call.span };
  const inputs = parametersOf(record).all.flatMap(({ spec }, i) => (isAttr(spec) ? [] : (values[i] ?? [])));
  if (prim !== "cast") return scalarPrim(site, inputs, c);
  return castScalar(record, site, inputs[0], values, call, c);
}

/** The rounding mode is kept only where a float becomes an integer and the mode is not the primitive's own. */
function castScalar(record: OpRecord, site: PrimSite, input: Value | undefined, values: Values, call: OpCall, c: ExprContext): Value {
  const x = input === undefined ? unknownExpr(call.span) : toExpr(input, c);
  const attrs = { dtype: scalarAttribute(record, "dtype", values, call, c), mode: scalarAttribute(record, "mode", values, call, c) };
  const dtype = DTYPE_NAMES.find((d) => typeof attrs.dtype === "object" && attrs.dtype !== null && "dtype" in attrs.dtype && attrs.dtype.dtype === d);
  if (dtype === undefined || attrs.mode === undefined) return poison(call.span);
  const rounds = isRegister(x.type) && isFloat(x.type.dtype) && isInteger(dtype);
  const mode = CAST_MODES.find((m) => m === attrs.mode);
  if (rounds && mode === undefined) {
    const params = { op: call.spelled, name: "mode", expected: `one of ${CAST_MODES.join(", ")} for a scalar`, found: `"${String(attrs.mode)}"`, doc: record.params["mode"]?.doc ?? "" };
    c.reporter.report("TF3005", argument(record, values, "mode")?.span ?? call.span, params);
    return poison(call.span);
  }
  return exprValue(primExpr(site, [x], !rounds || mode === undefined || mode === "trunc" ? { dtype } : { dtype, mode }, c), call.span);
}

/** An attribute of an op that is its primitive: as written, or its default; undefined after a complaint. */
function scalarAttribute(record: OpRecord, name: string, values: Values, call: OpCall, c: ExprContext): AttrValue | undefined {
  const spec = record.params[name];
  if (spec === undefined || !isAttr(spec)) return undefined;
  const given = argument(record, values, name);
  if (given === undefined) return defaultOf(spec, call.namespace);
  const written = attribute(name, spec, given, call, c);
  if (written !== undefined && isNone(spec, written)) return defaultOf(spec, call.namespace);
  const value = written === undefined ? undefined : attrValue(spec, written);
  if (written !== undefined && value === undefined) {
    const params = { op: call.spelled, name, expected: attrExpects(spec), found: inWords(given), doc: spec.doc };
    c.reporter.report("TF3005", given.span, params);
  }
  return value;
}

// — arrays —

function makeTyped(record: OpRecord, values: Values, call: OpCall, c: ExprContext): Value {
  const { all } = parametersOf(record);
  const inputs = new Array<Expr | readonly Expr[] | undefined>(all.length);
  const attributes = new Array<Static | undefined>(all.length);
  let sound = true;
  const element = elementDType(record, values);
  for (let i = 0; i < all.length; i++) {
    const param = all[i];
    const value = values[i];
    if (param === undefined || value === undefined) continue;
    const { name, spec } = param;
    if (!isAttr(spec)) inputs[i] = inputExpr(spec, value, spec.of?.[0] ?? element, c);
    else if ((attributes[i] = attribute(name, spec, value, call, c)) === undefined) sound = false;
  }
  if (!sound) return poison(call.span);
  const made = makeCall(record, { inputs, attributes }, {
    reporter: c.reporter, span: call.span, spelled: call.spelled, dialect: dialectOf(c), namespace: call.namespace, facts: c.facts,
    spanOf: (param) => argument(record, values, param)?.span, meta: { span: call.span }, outside: c.outside,
  });
  return made === undefined ? poison(call.span) : exprValue(made, call.span);
}

/** The dtype that literals beside arrays may take: that of the written array, else of the first whose dtype is free. */
function elementDType(record: OpRecord, values: Values): DType | undefined {
  const written = record.writes === undefined ? undefined : arrayDType(argument(record, values, record.writes));
  if (written !== undefined) return written;
  const { all } = parametersOf(record);
  for (let i = 0; i < all.length; i++) {
    const spec = all[i]?.spec;
    const dtype = spec === undefined || isAttr(spec) || spec.of !== undefined ? undefined : arrayDType(values[i]);
    if (dtype !== undefined) return dtype;
  }
  return undefined;
}

const arrayDType = (value: Value | undefined): DType | undefined =>
  value?.kind === "expr" && value.expr.type.kind === "Tensor" ? value.expr.type.dtype : undefined;

function inputExpr(spec: InputSpec, value: Value, element: DType | undefined, c: ExprContext): Expr | readonly Expr[] {
  if (spec.input === "indices") {
    const items = itemsOf(value);
    return items === undefined ? [toIndex(value, c)] : items.map((item) => toIndex(item, c));
  }
  const known = value.kind === "known" ? value.known : undefined;
  if (known === undefined || element === undefined || !isNumber(known) || !adopts(spec, known, element, c)) return toExpr(value, c);
  return typedLiteral(known, element, value.span, c, spec.input === "scalar" || c.dialect === "pl") ?? unknownExpr(value.span);
}

/** An element's value takes the element dtype; beside arrays PyPTO's numbers do, but for floats beside integers, and TileFoundry's floats beside floats. */
function adopts(spec: InputSpec, known: Known, element: DType, c: ExprContext): boolean {
  if (spec.input === "scalar") return true;
  if (c.dialect === "pl") return known.kind !== "float" || isFloat(element) || spec.of !== undefined;
  if (known.kind === "float") return isFloat(element);
  return known.kind === "int" && (isFloat(element) ? known.loose === true : sameDType(element, "index"));
}

// — attributes —

/** An attribute's argument as the binder takes it; undefined after a complaint. */
function attribute(name: string, spec: AttrSpec, value: Value, call: OpCall, c: ExprContext): Static | undefined {
  const items = itemsOf(value);
  if (items !== undefined) {
    const list = items.map((item) => attribute(name, spec, item, call, c));
    return list.every((a): a is Static => a !== undefined) ? list : undefined;
  }
  const known = knownOf(value);
  if (known !== undefined && isPlain(known)) return staticOf(known, spec);
  const expr = toExpr(value, c);
  if (expr.type.kind === "Unknown") return undefined;
  const dim = toDim(expr);
  if (spec.attr === "dims" && dim !== undefined && c.isSymbol(expr) && isExactDim(dim)) return { dim };
  const what = `\`${name}\` of \`${call.spelled}\``;
  const help = `${showType(expr.type, dialectOf(c))} stands here: write a literal, a constant of the module or a hole`;
  c.reporter.report("TF2004", value.span, { what }, { help });
  return undefined;
}

/** What an attribute may be as it is; lists are taken apart before. */
type Plain = Extract<Known, { readonly kind: "int" | "float" | "bool" | "string" | "none" | "dtype" | "word" }>;

const PLAIN: ReadonlySet<Known["kind"]> = new Set<Plain["kind"]>(["int", "float", "bool", "string", "none", "dtype", "word"]);
const isPlain = (k: Known): k is Plain => PLAIN.has(k.kind);

function staticOf(known: Plain, spec: AttrSpec): Static {
  switch (known.kind) {
    case "int":
    case "float":
    case "bool": return known.value;
    case "string": return textAttribute(known.value, spec);
    case "none": return null;
    case "dtype": return { dtype: known.dtype };
    case "word": return spec.attr === "storage" ? (storageCalled(known.word) ?? known.word) : known.word;
  }
}

/** Both parents' spellings of dtypes and spaces are read in strings. */
function textAttribute(text: string, spec: AttrSpec): Static {
  if (spec.attr === "dtype") return dtypeCalled(text) ?? text;
  return spec.attr === "storage" ? (storageCalled(text) ?? text) : text;
}
