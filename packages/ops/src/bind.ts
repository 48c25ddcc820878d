// The binder: pairs what a call passes with the parameters of a record, checks arity and kinds, fills in defaults, and hands
// arguments by name to the record's functions. The one place where those functions' argument types are asserted.

import {
  call as callNode, op, sameDType, tuple, UNKNOWN,
  type AttrValue, type Call, type Dialect, type Expr, type Facts, type Meta, type Type,
} from "@tilefoundry/ir";
import type { Code, CodeParams, Reporter, Span } from "@tilefoundry/text";
import { attrArg, attrExpects, attrValue, defaultOf, isAttr, type Static } from "./attributes.ts";
import type { Args, AttrSpec, Elements, InferContext, InputKind, InputSpec, OpRecord, Params, ParamSpec, Reader } from "./define.ts";
import { showDType, showDTypes, showType, writeDType } from "./describe.ts";
import { parametersOf } from "./parameters.ts";

// — pairing arguments with parameters —

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

/** Arguments by parameter name, or undefined after complaints about arity and keywords. */
export function bindCall<A>(record: OpRecord, passed: Passed<A>, site: CallSite, spanOf: (argument: A) => Span | undefined): ReadonlyMap<string, A> | undefined {
  const parameters = parametersOf(record);
  const bound = new Map<string, A>();
  let sound = true;
  const complain = <C extends Code>(code: C, span: Span | undefined, params: CodeParams<C>): void => {
    sound = false;
    site.reporter.report(code, span, params);
  };
  if (passed.positional.length > parameters.all.length) {
    const expected = `${parameters.all.length} argument${parameters.all.length === 1 ? "" : "s"}`;
    complain("TF3001", site.span, { op: site.spelled, expected, given: passed.positional.length, params: signatureOf(record) });
  }
  for (const [i, { name }] of parameters.all.entries()) {
    const argument = passed.positional[i];
    if (argument !== undefined) bound.set(name, argument);
  }
  for (const { name, value } of passed.keywords) {
    const param = parameters.byKeyword.get(name);
    if (param === undefined) complain("TF3002", spanOf(value) ?? site.span, { op: site.spelled, name, params: signatureOf(record) });
    else if (bound.has(param)) complain("TF3003", spanOf(value) ?? site.span, { op: site.spelled, name });
    else bound.set(param, value);
  }
  for (const { name, spec } of parameters.all) {
    if (!bound.has(name) && isRequired(spec) && sound) complain("TF3004", site.span, { op: site.spelled, name, doc: spec.doc });
  }
  return sound ? bound : undefined;
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
  readonly outside?: (fault: OutsideFault) => void;
  readonly meta?: Meta;
}

export interface OutsideFault {
  readonly span: Span | undefined;
  readonly op: string;
  /** As the end of a sentence that begins with the op. */
  readonly reason: string;
}

/** The arguments of a call with literals converted: inputs as expressions (`indices` as a list), attributes as static values. */
export interface Given {
  readonly inputs: ReadonlyMap<string, Expr | readonly Expr[]>;
  readonly attributes: ReadonlyMap<string, Static>;
}

/** A typed call, or undefined after complaints (none if an argument is itself erroneous). */
export function makeCall(record: OpRecord, given: Given, site: MakeSite): Call | undefined {
  const inputs: Expr[] = [];
  const attrs: Record<string, AttrValue> = {};
  let sound = true;
  for (const { name, spec } of parametersOf(record).all) {
    if (isAttr(spec)) {
      const value = readAttr(name, spec, given, site);
      if (value === undefined) sound = false;
      else attrs[name] = value;
    } else {
      const input = readInput(record, name, spec, given, site);
      if (input === undefined) sound = false;
      else inputs.push(...input);
    }
  }
  if (!sound) return undefined;
  const untyped = callNode(op(record.name, attrs), inputs, UNKNOWN, site.meta);
  const type = record.infer(argsOf(record, untyped), inferContext(record, site));
  return type.kind === "Unknown" ? undefined : { ...untyped, type };
}

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

function readAttr(name: string, spec: AttrSpec, given: Given, site: MakeSite): AttrValue | undefined {
  const value = given.attributes.get(name);
  if (value === undefined) {
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

/** The arguments an input adds to the call: none for one that is left out, a tuple for `indices`. */
function readInput(record: OpRecord, name: string, spec: InputSpec, given: Given, site: MakeSite): readonly Expr[] | undefined {
  const value = given.inputs.get(name);
  if (value === undefined) {
    if (spec.optional) return [];
    site.reporter.report("TF3004", site.span, { op: site.spelled, name, doc: spec.doc });
    return undefined;
  }
  const exprs = elementsOfInput(value);
  if (exprs.some((e) => e.type.kind === "Unknown")) return undefined;
  const [first] = exprs;
  const fits = spec.input === "indices" ? exprs.every((e) => ADMITS.indices(e.type)) : exprs.length === 1 && first !== undefined && ADMITS[spec.input](first.type);
  if (!fits) {
    const at = exprs.find((e) => !ADMITS[spec.input](e.type)) ?? first;
    const found = exprs.length > 1 && spec.input !== "indices" ? `a list of ${exprs.length}` : at ? showType(at.type, site.dialect) : "an empty list";
    site.reporter.report("TF3005", site.spanOf(name) ?? site.span, { op: site.spelled, name, expected: EXPECTS[spec.input], found, doc: spec.doc });
    return undefined;
  }
  if (spec.input === "indices") return [tuple(exprs)];
  return first && admitsDType(record, name, first.type, site) ? [first] : undefined;
}

const elementsOfInput = (value: Expr | readonly Expr[]): readonly Expr[] =>
  isList(value) ? value : value.kind === "Tuple" ? value.elements : [value];

const isList = (value: Expr | readonly Expr[]): value is readonly Expr[] => Array.isArray(value);

function admitsDType(record: OpRecord, name: string, type: Type, site: MakeSite): boolean {
  if (type.kind !== "Tensor" || record.dtypes.includes(type.dtype)) return true;
  const { dialect } = site;
  const [wanted] = record.dtypes;
  const cast = `${dialect}.cast(…, ${wanted === undefined ? "…" : writeDType(wanted, dialect)})`;
  const params = { op: site.spelled, name, expected: showDTypes(record.dtypes, dialect), found: showDType(type.dtype, dialect), cast };
  site.reporter.report("TF3007", site.spanOf(name) ?? site.span, params);
  return false;
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
export function argsOf(record: OpRecord, call: Call): Args<Params> {
  const { inputs, attributes } = parametersOf(record);
  const args: Record<string, unknown> = {};
  for (const [i, { name, spec }] of inputs.entries()) {
    const value = call.args[i];
    if (value !== undefined) args[name] = spec.input === "indices" ? elementsOfInput(value) : value;
  }
  for (const { name } of attributes) {
    const value = call.callee.attrs[name];
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
