// The binder: pairs what a call passes with the parameters of a record, checks arity and kinds, fills in defaults, and hands
// arguments by name to the record's functions. The one place where those functions' argument types are asserted.

import {
  call as callNode, op, sameDType, tuple, UNKNOWN,
  type AttrValue, type Call, type Dialect, type Expr, type Facts, type Meta, type Op, type Type,
} from "@tilefoundry/ir";
import type { Reporter, Span } from "@tilefoundry/text";
import { attrArg, attrExpects, attrValue, defaultOf, isAttr, isNone, type Static } from "./attributes.ts";
import type { Args, AttrSpec, Elements, InferContext, InputKind, InputSpec, OpRecord, Params, ParamSpec, Reader } from "./define.ts";
import { showDType, showDTypes, showType, writeDType } from "./describe.ts";
import { parametersOf } from "./parameters.ts";

// — pairing arguments with parameters —

/** One place for each parameter of a record; undefined where nothing is passed. */
export type Bound<A> = readonly (A | undefined)[];

/** What stands between the parentheses of a call, in whatever form the frontend has it. */
export interface Passed<A> {
  readonly positional: readonly A[];
  readonly keywords: readonly { readonly name: string; readonly value: A }[];
}

/** Where a call stands and who hears of its faults. */
export interface CallSite {
  readonly reporter: Reporter;
  readonly span: Span | undefined;
  /** As written: `pl.load`. */
  readonly spelled: string;
}

/** Arguments in the order of the parameters, or undefined after complaints about arity and keywords. */
export function bindCall<A>(record: OpRecord, { positional, keywords }: Passed<A>, site: CallSite, spanOf: (argument: A) => Span | undefined): Bound<A> | undefined {
  const { all, byKeyword } = parametersOf(record);
  const { reporter, span, spelled: op } = site;
  const before = reporter.diagnostics.length;
  if (positional.length > all.length) {
    const expected = `${all.length} argument${all.length === 1 ? "" : "s"}`;
    reporter.report("TF3001", span, { op, expected, given: positional.length, params: signatureOf(record) });
  }
  const bound = new Array<A | undefined>(all.length);
  for (let i = 0; i < all.length; i++) bound[i] = positional[i];
  for (const { name, value } of keywords) {
    const at = byKeyword.get(name);
    if (at === undefined) reporter.report("TF3002", spanOf(value) ?? span, { op, name, params: signatureOf(record) });
    else if (bound[at] !== undefined) reporter.report("TF3003", spanOf(value) ?? span, { op, name });
    else bound[at] = value;
  }
  for (let i = 0; i < all.length && reporter.diagnostics.length === before; i++) {
    const param = all[i];
    if (bound[i] === undefined && param !== undefined && isRequired(param.spec)) reporter.report("TF3004", span, { op, name: param.name, doc: param.spec.doc });
  }
  return reporter.diagnostics.length === before ? bound : undefined;
}

export const isRequired = (spec: ParamSpec): boolean => (isAttr(spec) ? spec.default === undefined : spec.optional !== true);

/** The parameters as a list for messages: `tensor, offsets, shapes, [target_memory]`. */
function signatureOf(record: OpRecord): string {
  const { all } = parametersOf(record);
  return all.length === 0 ? "none" : all.map(({ name, spec }) => (isRequired(spec) ? name : `[${name}]`)).join(", ");
}

// — making the call —

export interface MakeSite extends CallSite {
  readonly dialect: Dialect;
  /** The namespace it was spelt in; it decides defaults. */
  readonly namespace: Dialect;
  readonly facts: Facts;
  spanOf(param: string): Span | undefined;
  /** Hears of accesses that are provably outside of their arrays; without it they are errors. */
  readonly outside?: ((fault: OutsideFault) => void) | undefined;
  readonly meta?: Meta;
}

export interface OutsideFault {
  readonly span: Span | undefined;
  readonly op: string;
  /** As the end of a sentence that begins with the op. */
  readonly reason: string;
}

/** The arguments of a call by parameter, with literals converted: inputs are expressions (`indices` a list), attributes static values. */
export interface Given {
  readonly inputs: Bound<Expr | readonly Expr[]>;
  readonly attributes: Bound<Static>;
}

/** A typed call, or undefined after complaints (none if an argument is itself erroneous). */
export function makeCall(record: OpRecord, given: Given, site: MakeSite): Call | undefined {
  const { all, attributes } = parametersOf(record);
  const inputs = new Array<Expr>(given.inputs.reduce<number>((n, value) => (value === undefined ? n : n + 1), 0)); // what is kept is kept small
  const attrs: Record<string, AttrValue> = attributes.length === 0 ? NO_ATTRS : {};
  let passed = 0;
  let sound = true;
  for (let i = 0; i < all.length; i++) {
    const param = all[i];
    if (param === undefined) continue;
    const { name, spec } = param;
    if (isAttr(spec)) {
      const value = readAttr(name, spec, given.attributes[i], site);
      if (value === undefined) sound = false;
      else attrs[name] = value;
    } else {
      const value = given.inputs[i];
      const input = value === undefined && spec.optional ? undefined : readInput(record, name, spec, value, site);
      if (input !== undefined) inputs[passed++] = input;
      else if (value !== undefined || !spec.optional) sound = false;
    }
  }
  if (!sound) return undefined;
  const type = record.infer(argumentsOf(record, inputs, attrs), inferContext(record, site));
  return type.kind === "Unknown" ? undefined : callNode(op(record.name, attrs), inputs, type, site.meta);
}

const NO_ATTRS: Record<string, AttrValue> = {};

function inferContext(record: OpRecord, site: MakeSite): InferContext {
  return {
    dialect: site.dialect,
    facts: site.facts,
    fail: (param, reason) => {
      site.reporter.report("TF3006", site.spanOf(param) ?? site.span, { op: site.spelled, reason, doc: firstSentence(record.doc) });
      return UNKNOWN;
    },
    outside: (param, reason) => {
      const fault: OutsideFault = { span: site.spanOf(param) ?? site.span, op: site.spelled, reason };
      if (site.outside === undefined) site.reporter.report("TF3008", fault.span, fault);
      else site.outside(fault);
    },
  };
}

const firstSentence = (doc: string): string => /^.*?\.(?=\s|$)/s.exec(doc)?.[0] ?? doc;

function readAttr(name: string, spec: AttrSpec, value: Static | undefined, site: MakeSite): AttrValue | undefined {
  if (value === undefined || isNone(spec, value)) {
    const fallback = defaultOf(spec, site.namespace);
    if (fallback === undefined) site.reporter.report("TF3004", site.span, { op: site.spelled, name, doc: spec.doc });
    return fallback;
  }
  const read = attrValue(spec, value);
  if (read === undefined) {
    const params = { op: site.spelled, name, expected: attrExpects(spec), found: showStatic(value), doc: spec.doc };
    site.reporter.report("TF3005", site.spanOf(name) ?? site.span, params);
  }
  return read;
}

function showStatic(value: Static): string {
  if (typeof value === "string") return `"${value}"`;
  if (typeof value !== "object") return typeof value === "boolean" ? (value ? "True" : "False") : String(value);
  if (value === null) return "None";
  return "dtype" in value ? value.dtype : "dim" in value ? "an extent" : `a list of ${value.length}`;
}

/** The argument of an input, a tuple for `indices`; undefined after a complaint. */
function readInput(record: OpRecord, name: string, spec: InputSpec, value: Expr | readonly Expr[] | undefined, site: MakeSite): Expr | undefined {
  if (value === undefined) {
    site.reporter.report("TF3004", site.span, { op: site.spelled, name, doc: spec.doc });
    return undefined;
  }
  const admits = ADMITS[spec.input];
  if (spec.input !== "indices" && !isList(value) && value.kind !== "Tuple") {
    if (value.type.kind === "Unknown") return undefined;
    return admits(value.type) ? admitted(record, name, spec, value, site) : misfit(name, spec, [value], site);
  }
  const exprs = elementsOfInput(value);
  if (exprs.some((e) => e.type.kind === "Unknown")) return undefined;
  if (spec.input === "indices") return exprs.every((e) => admits(e.type)) ? tuple(exprs) : misfit(name, spec, exprs, site);
  const [only, second] = exprs;
  return only !== undefined && second === undefined && admits(only.type) ? admitted(record, name, spec, only, site) : misfit(name, spec, exprs, site);
}

function misfit(name: string, { input, doc }: InputSpec, exprs: readonly Expr[], site: MakeSite): undefined {
  const at = exprs.find((e) => !ADMITS[input](e.type)) ?? exprs[0];
  const found = exprs.length > 1 && input !== "indices" ? `a list of ${exprs.length}` : at ? showType(at.type, site.dialect) : "an empty list";
  site.reporter.report("TF3005", site.spanOf(name) ?? site.span, { op: site.spelled, name, expected: EXPECTS[input], found, doc });
  return undefined;
}

const elementsOfInput = (value: Expr | readonly Expr[]): readonly Expr[] =>
  isList(value) ? value : value.kind === "Tuple" ? value.elements : [value];

const isList = (value: Expr | readonly Expr[]): value is readonly Expr[] => Array.isArray(value);

/** The argument, unless its dtype is not the one wanted, or none of the record's. */
function admitted(record: OpRecord, name: string, { of }: InputSpec, value: Expr, site: MakeSite): Expr | undefined {
  const { type } = value;
  if (type.kind !== "Tensor" && type.kind !== "Scalar") return value;
  const wanted = of ?? (type.kind === "Scalar" ? undefined : record.dtypes);
  if (wanted === undefined || wanted.some((dtype) => sameDType(dtype, type.dtype))) return value;
  const { dialect } = site;
  const [first] = wanted;
  const cast = `${dialect}.cast(…, ${first === undefined ? "…" : writeDType(first, dialect)})`;
  const params = { op: site.spelled, name, expected: showDTypes(wanted, dialect), found: showDType(type.dtype, dialect), cast };
  site.reporter.report("TF3007", site.spanOf(name) ?? site.span, params);
  return undefined;
}

const ADMITS = {
  tensor: (t) => t.kind === "Tensor" && t.domain === "tensor",
  tile: (t) => t.kind === "Tensor" && t.domain === "tile",
  array: (t) => t.kind === "Tensor",
  operand: (t) => t.kind === "Tensor" || t.kind === "Scalar",
  scalar: (t) => t.kind === "Scalar",
  indices: (t) => t.kind === "Scalar" && sameDType(t.dtype, "index"),
} as const satisfies Readonly<Record<InputKind, (t: Type) => boolean>>;

const EXPECTS = {
  tensor: "a tensor",
  tile: "a tile",
  array: "a tensor or a tile",
  operand: "a tensor, a tile or a scalar",
  scalar: "a scalar",
  indices: "index scalars",
} as const satisfies Readonly<Record<InputKind, string>>;

// — arguments by name —

export interface InputArg {
  readonly name: string;
  readonly spec: InputSpec;
  readonly value: Expr;
}

/** The inputs a call passes, in order, with their parameters. */
export function inputsOf(record: OpRecord, call: Call): readonly InputArg[] {
  const { inputs } = parametersOf(record);
  return call.args.flatMap((value, i) => {
    const input = inputs[i];
    return input === undefined ? [] : [{ ...input, value }];
  });
}

/** The argument whose buffer a call writes, if its op writes one. */
export function writtenInput(record: OpRecord, call: Call): Expr | undefined {
  const { written } = parametersOf(record);
  return written === undefined ? undefined : call.args[written];
}

/** The arguments of a call by name, as the record's functions take them. */
export const argsOf = (record: OpRecord, call: Call): Args<Params> => argumentsOf(record, call.args, call.callee.attrs);

function argumentsOf(record: OpRecord, values: readonly Expr[], attrs: Op["attrs"]): Args<Params> {
  const { inputs, attributes } = parametersOf(record);
  const args: Record<string, unknown> = {};
  for (let i = 0; i < values.length; i++) {
    const input = inputs[i];
    const value = values[i];
    if (input !== undefined && value !== undefined) args[input.name] = input.spec.input === "indices" ? elementsOfInput(value) : value;
  }
  for (const { name } of attributes) {
    const value = attrs[name];
    if (value !== undefined) args[name] = attrArg(value);
  }
  return args as Args<Params>; // the cast of the binder: `makeCall` admitted each argument by the record's own `params`
}

/** The same with a reader in place of every tensor, tile and operand. */
export function elementsOf(record: OpRecord, call: Call, reader: (operand: Expr) => Reader): Elements<Params> {
  const elements: Record<string, unknown> = { ...argsOf(record, call) };
  for (const { name, spec, value } of inputsOf(record, call)) {
    if (spec.input !== "indices" && spec.input !== "scalar") elements[name] = reader(value);
  }
  return elements as Elements<Params>; // as in `argsOf`
}

/** The type a call has by its record's rule; Unknown where the arguments do not fit. */
export function inferCall(record: OpRecord, call: Call, context: { readonly dialect: Dialect; readonly facts: Facts }): Type {
  return record.infer(argsOf(record, call), { ...context, fail: () => UNKNOWN, outside: () => undefined });
}
