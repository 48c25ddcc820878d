// Classes that only hold values: dataclasses, whose objects are records, and classes as lists of constants. What their methods do is the
// host's matter, but a property that is one expression is evaluated.

import type { ClassDef, FunctionDef, SExpr, SStmt } from "@tilefoundry/grammar";
import type { Span } from "@tilefoundry/text";
import { bindArguments, type BoundCall, type Params } from "./arguments.ts";
import { record } from "./collections.ts";
import { docstringOf } from "./comments.ts";
import { reportFailure } from "./complaints.ts";
import type { Evaluate, ExprContext, ModuleContext } from "./context.ts";
import { attempt, changedBy, reportHost } from "./host.ts";
import { failed } from "./known-ops.ts";
import { dotted } from "./members.ts";
import { namesBoundBy } from "./names-in.ts";
import { knownOf, knownValue, poison, type Known, type KnownRecord, type RecordClass, type RecordField, type Value, type Waiting } from "./value.ts";

/** Where a class was read: its properties are evaluated there. */
const scopes = new WeakMap<RecordClass, ExprContext>();

/** Properties that are evaluated one in another. */
const DEPTH_LIMIT = 32;

/** Methods that decide what an object or a look at it is. */
const MAKERS: ReadonlySet<string> = new Set(["__init__", "__new__", "__post_init__", "__getattr__", "__getattribute__", "__class_getitem__"]);

interface Reading {
  readonly trial: ExprContext;
  readonly module: ModuleContext;
  readonly evaluate: Evaluate;
  readonly fields: RecordField[];
  readonly constants: Map<string, Known | Waiting>;
  readonly properties: Map<string, SExpr>;
  readonly isRecord: boolean;
}

/** The class, or why only the host knows it. */
export function recordClass(def: ClassDef, trial: ExprContext, module: ModuleContext, evaluate: Evaluate): Known | Waiting {
  const decorators = def.decorators.map((d) => lastWord(d.value));
  const isPlain = def.args.every((a) => a.name === undefined && a.value.kind === "Name" && a.value.name === "object");
  const maker = def.body.stmts.find((s) => s.kind === "FunctionDef" && MAKERS.has(s.name));
  const isRecord = decorators.length === 1 && decorators[0] === "dataclass";
  if (!isPlain || decorators.length > (isRecord ? 1 : 0) || (isRecord && maker !== undefined)) {
    return { because: [{ message: `\`${def.name}\` is a class of the host`, span: maker?.kind === "FunctionDef" ? maker.nameSpan : def.nameSpan }] };
  }
  const constants = new Map<string, Known | Waiting>();
  const place: ExprContext = { ...trial, lookup: (name, span) => memberValueOf(constants.get(name), name, span, trial) ?? trial.lookup(name, span) };
  const reading: Reading = { trial: place, module, evaluate, fields: [], constants, properties: new Map(), isRecord };
  for (const s of def.body.stmts) statement(s, reading);
  const made: RecordClass = { name: def.name, span: def.nameSpan, fields: isRecord ? reading.fields : maker === undefined ? [] : undefined, constants, properties: reading.properties };
  scopes.set(made, trial);
  return { kind: "class", class: made };
}

function lastWord(e: SExpr): string | undefined {
  const chain = dotted(e.kind === "Call" ? e.callee : e);
  return chain && (chain.path.at(-1) ?? chain.root);
}

function statement(s: SStmt, reading: Reading): void {
  const { constants, properties } = reading;
  if (docstringOf(s) !== undefined || s.kind === "Pass") return;
  if (s.kind === "AnnAssign" && s.target.kind === "Name" && reading.isRecord && lastWord(s.annotation.kind === "Subscript" ? s.annotation.value : s.annotation) !== "ClassVar") {
    const value = s.value && fieldDefault(s.value, reading);
    reading.fields.push({ name: s.target.name, default: value });
    if (value !== undefined) constants.set(s.target.name, value);
    return;
  }
  const [target] = s.kind === "AssignStmt" ? s.targets : s.kind === "AnnAssign" ? [s.target] : [];
  if ((s.kind === "AssignStmt" || s.kind === "AnnAssign") && s.value !== undefined && target?.kind === "Name") return void constants.set(target.name, tried(s.value, reading));
  const property = s.kind === "FunctionDef" ? propertyOf(s) : undefined;
  if (s.kind === "FunctionDef" && property !== undefined) return void properties.set(s.name, property);
  for (const name of [...namesBoundBy(s), ...changedBy(s)]) constants.set(name, { because: [{ message: `\`${name}\` is made here`, span: s.kind === "FunctionDef" || s.kind === "ClassDef" ? s.nameSpan : s.span }] });
}

/** `default` of `field(default=…)`, or the value itself. */
function fieldDefault(e: SExpr, reading: Reading): Known | Waiting | undefined {
  if (e.kind !== "Call" || lastWord(e) !== "field") return tried(e, reading);
  const [argument] = e.args.filter((a) => a.name?.text === "default" || a.name?.text === "default_factory");
  if (argument === undefined) return undefined;
  return argument.name?.text === "default" ? tried(argument.value, reading) : tried({ kind: "Call", callee: argument.value, args: [], span: argument.value.span }, reading);
}

function tried(e: SExpr, { trial, module, evaluate }: Reading): Known | Waiting {
  const value = attempt(e, trial, module, evaluate);
  return knownOf(value) ?? { because: (value.kind === "poison" ? value.because : undefined) ?? [{ message: "this is known only when the kernel runs", span: e.span }] };
}

/** What a property returns, if that is all that it does. */
function propertyOf({ decorators, body }: FunctionDef): SExpr | undefined {
  const word = decorators.length === 1 && decorators[0] !== undefined ? lastWord(decorators[0].value) : undefined;
  const stmts = docstringOf(body.stmts[0]) === undefined ? body.stmts : body.stmts.slice(1);
  const [only, second] = stmts;
  return (word === "property" || word === "cached_property") && second === undefined && only?.kind === "ReturnStmt" ? only.value : undefined;
}

// — use —

/** An object of the class. */
export function makeRecord(of: RecordClass, call: BoundCall, c: ExprContext): Value {
  const { fields } = of;
  if (fields === undefined) {
    reportHost(`${of.name}(…)`, { because: [{ message: `\`${of.name}\` makes its objects by code`, span: of.span }] }, call.span, c);
    return poison(call.span);
  }
  const params: Params = Object.fromEntries(fields.map((f) => [f.name, f.default === undefined ? "required" : "optional"] as const));
  const bound = bindArguments(call, params, c);
  if (bound === undefined) return poison(call.span);
  const values = new Map<string, Known>();
  for (const { name, default: otherwise } of fields) {
    const given = bound.get(name);
    const known = given === undefined ? otherwise : knownOf(given);
    if (known === undefined) c.reporter.report("TF2004", given?.span ?? call.span, { what: `the field \`${name}\` of a record` });
    else if ("because" in known) reportHost(`${of.name}.${name}`, known, call.span, c);
    else {
      values.set(name, known);
      continue;
    }
    return poison(call.span);
  }
  const made = record(of, values);
  return failed(made) ? reportFailure(made, call.span, c) : knownValue(made, call.span);
}

/** A field, constant or property; undefined if the value has none of that name. */
export function memberOf(owner: Known, name: string, span: Span, c: ExprContext, evaluate: Evaluate): Value | undefined {
  if (owner.kind === "class") return memberValueOf(owner.class.constants.get(name), `${owner.class.name}.${name}`, span, c);
  if (owner.kind !== "record") return undefined;
  const field = owner.fields.get(name);
  if (field !== undefined) return knownValue(field, span);
  const { class: of } = owner;
  const property = of?.properties.get(name);
  if (of !== undefined && property !== undefined) return propertyValue(owner, of, property, span, c, evaluate);
  return of && memberValueOf(of.constants.get(name), `${of.name}.${name}`, span, c);
}

/** Names that members may have, to suggest one. */
export const memberNames = (owner: Known): readonly string[] =>
  owner.kind === "record" ? [...owner.fields.keys(), ...(owner.class?.properties.keys() ?? []), ...(owner.class?.constants.keys() ?? [])] : owner.kind === "class" ? [...owner.class.constants.keys()] : [];

function memberValueOf(member: Known | Waiting | undefined, name: string, span: Span, c: ExprContext): Value | undefined {
  if (member === undefined) return undefined;
  if (!("because" in member)) return member.kind === "extent" ? c.lookupExtent(member.dim, span) : knownValue(member, span);
  reportHost(name, member, span, c);
  return poison(span);
}

function propertyValue(self: KnownRecord, of: RecordClass, property: SExpr, span: Span, c: ExprContext, evaluate: Evaluate): Value {
  const { work } = c.module;
  const scope = scopes.get(of) ?? c;
  if (work.depth >= DEPTH_LIMIT) {
    c.reporter.report("TF2103", span, { why: `properties call each other more than ${DEPTH_LIMIT} deep` });
    return poison(span);
  }
  work.depth++;
  const value = evaluate(property, { ...scope, reporter: c.reporter, module: { ...scope.module, reporter: c.reporter, needed: c.module.needed }, lookup: (name, at) => (name === "self" ? knownValue(self, at) : scope.lookup(name, at)) });
  work.depth--;
  const known = knownOf(value);
  if (known === undefined) return value.kind === "poison" ? value : poison(span);
  return known.kind === "extent" ? c.lookupExtent(known.dim, span) : knownValue(known, span);
}
