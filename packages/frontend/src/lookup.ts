// What a bare name means in a function: a local by flow, a symbol, a constant of the module, a word of the language. Unknown names
// get the nearest spelling.

import { showType } from "@tilefoundry/ops";
import type { DiagnosticExtras, Span } from "@tilefoundry/text";
import { noValue, suggestion, type Speaker } from "./complaints.ts";
import type { FileName, ModuleContext } from "./context.ts";
import { classNamed } from "./definitions.ts";
import { dtypeCalled, storageCalled } from "./dtype-names.ts";
import { bound, read, silence, type Binding, type Bound, type Env } from "./env.ts";
import { needHost } from "./host.ts";
import { BUILTINS } from "./known-calls.ts";
import type { Place } from "./place.ts";
import { exprValue, knownValue, poison, type Known, type Value } from "./value.ts";

export function lookupName(name: string, span: Span, place: Place): Value {
  const binding = read(place.env, name, span);
  if (binding !== undefined) return READ[binding.kind](binding as never, name, span, place); // the key fixes the kind
  const symbol = place.fn.symbols.byName.get(name);
  if (symbol !== undefined) return exprValue(symbol.var, span);
  const known = moduleName(name, span, place.module);
  if (known?.kind === "known" && known.known.kind === "extent") return place.lookupExtent(known.known.dim, span);
  if (known !== undefined) return known;
  const assigned = place.fn.assigned.get(name);
  if (assigned !== undefined) {
    place.reporter.report("TF2013", span, { name }, { related: [{ message: `\`${name}\` is assigned here`, span: assigned.first }] });
    silence(place.env, name);
    return poison(span);
  }
  silence(place.env, name);
  return unknownName(name, () => [...visibleNames(place.env), ...place.fn.symbols.byName.keys(), ...place.module.constants.keys()], span, place);
}

// — locals —

type Reads = { readonly [K in Binding["kind"]]: (b: Extract<Binding, { readonly kind: K }>, name: string, span: Span, place: Place) => Value };

const READ: Reads = {
  poisoned: (_b, _name, span) => poison(span),
  computed: (b, _name, span) => knownValue(b.known, span),
  bound: (b, name, span, place) => {
    if (b.lost === undefined) return boundValue(b, span);
    place.reporter.report("TF4116", span, { name }, { related: [{ message: "each iteration of this loop assigns it", span: b.lost }] });
    return repaired(name, b, span, place);
  },
  maybe: (b, name, span, place) => {
    const related = [
      { message: "it is assigned here", span: b.bound.at },
      { message: b.what === "loop" ? "this loop may not run at all" : "this branch does not assign it", span: b.lacking },
    ];
    const isExtent = place.fn.symbols.byName.has(name);
    const help = isExtent ? { help: `elsewhere \`${name}\` is an extent of the signature: give the local another name` } : {};
    place.reporter.report("TF4101", span, { name, what: b.what === "loop" ? "loop" : "`if`" }, { related, ...help });
    return repaired(name, b.bound, span, place);
  },
  clash: (b, name, span, place) => {
    const { dialect } = place;
    const [left, right] = [showType(b.left.value.type, dialect), showType(b.right.value.type, dialect)];
    place.reporter.report("TF4103", span, { name, left, right }, { related: definitions(left, right, b.left, b.right) });
    silence(place.env, name);
    return poison(span);
  },
  gone: (b, name, span, place) => {
    const instead = b.result === undefined ? "assign what you need of it to another name in the loop" : `its last value is called \`${b.result}\``;
    place.reporter.report("TF4102", span, { name, instead }, { related: [{ message: "the loop that it belongs to", span: b.at }] });
    silence(place.env, name);
    return poison(span);
  },
};

export const definitions = (left: string, right: string, a: Bound, b: Bound) => [
  { message: `here it becomes ${left}`, span: a.at },
  { message: `here it becomes ${right}`, span: b.at },
];

const boundValue = (b: Bound, span: Span): Value => {
  const value = exprValue(b.value, span);
  return value.kind === "expr" && b.known !== undefined ? { ...value, known: b.known } : value;
};

/** The value as if it were always there: its error is reported once. */
function repaired(name: string, b: Bound, span: Span, place: Place): Value {
  place.env.own.set(name, bound(b.value, b.at, undefined));
  return boundValue(b, span);
}

function* visibleNames(env: Env): Iterable<string> {
  for (let at: Env | undefined = env; at !== undefined; at = at.parent) {
    for (const [name, binding] of at.own) if (binding.kind !== "poisoned") yield name;
  }
}

// — the module and the language —

/** A constant of the module or a word of the language; poison where its error is reported. */
export function moduleName(name: string, span: Span, module: ModuleContext): Value | undefined {
  const constant = module.constants.get(name);
  if (constant?.kind === "poison") return poison(span);
  if (constant?.value !== undefined) return knownValue(constant.value, span);
  if (constant?.kind === "host") {
    needHost(name, constant, span, module);
    return poison(span);
  }
  if (constant?.kind === "module") return classValue(name, span, module);
  if (constant?.kind === "file") {
    noValue(`the file \`${name}\``, `write a member, as in \`${name}.SIZE\``, span, module);
    return poison(span);
  }
  if (constant?.kind === "function" || module.namespaces.has(name)) {
    if (constant === undefined) noValue(`the namespace \`${name}\``, `write a member, as in \`${name}.add\``, span, module);
    else noValue(`the function \`${name}\``, "functions are no values", span, module);
    return poison(span);
  }
  const word = languageWord(name);
  return word === undefined ? undefined : knownValue(word, span);
}

function classValue(name: string, span: Span, { owner }: ModuleContext): Value {
  const made = classNamed(owner, name);
  return made === undefined ? poison(span) : knownValue({ kind: "module", module: made }, span);
}

/** A name of a file that is imported as a whole; undefined if the file has none. */
export function fileMember({ scope }: FileName, name: string, span: Span, module: ModuleContext): Value | undefined {
  return scope && moduleName(name, span, { ...scope, reporter: module.reporter, needed: module.needed });
}

/** Dtypes and memory spaces stand for themselves where nothing else is called so. */
function languageWord(name: string): Known | undefined {
  const dtype = dtypeCalled(name);
  if (dtype !== undefined) return { kind: "dtype", dtype };
  return storageCalled(name) === undefined ? undefined : { kind: "string", value: name };
}

/** So many messages are looked at: the names of the rest are not compared with each other. */
const SUGGESTIONS = 100;

export function unknownName(name: string, candidates: () => Iterable<string>, span: Span, { reporter }: Speaker): Value {
  const near = (): DiagnosticExtras => (reporter.diagnostics.length < SUGGESTIONS ? suggestion(name, candidates(), span) : {});
  const extras = Object.hasOwn(BUILTINS, name) ? { help: `\`${name}\` is a function: call it` } : near();
  reporter.report("TF2001", span, { name }, extras);
  return poison(span);
}
