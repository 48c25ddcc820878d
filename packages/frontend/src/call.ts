// Calls: of catalog ops (`pl.load`, `tf.reduce`), primitives (`T.max`), Python's functions on compile-time values, and the
// declarations of symbolic extents. Whatever else is called is refused by name.

import type { CallExpr, SExpr } from "@tilefoundry/grammar";
import { cloneModule, isRegister, type ModuleNode, type PrimOp } from "@tilefoundry/ir";
import { nearest, type Span } from "@tilefoundry/text";
import { passedArguments, type PassedArguments } from "./arguments.ts";
import { meant, notYet, noValue, reportFailure, suggestion } from "./complaints.ts";
import { BLOCK_PARTS, type BlockPart, type Constant, type Evaluate, type ExprContext } from "./context.ts";
import { dtypeCalled } from "./dtype-names.ts";
import { declareExtent, declareTopology } from "./extents.ts";
import { callFunction } from "./function-call.ts";
import { isPythons } from "./host.ts";
import { BUILTINS, mathCall, takesKeyword } from "./known-calls.ts";
import { methodOf } from "./known-members.ts";
import { failed } from "./known-ops.ts";
import { dotted, isLaterMember, spell, type Dotted, type Namespace } from "./members.ts";
import { callOp } from "./op-call.ts";
import { isOfKinds, opOfKind } from "./op-kinds.ts";
import { binary } from "./operators.ts";
import { constCall, PRIM_NAMES, primCall, primCalled } from "./prim-call.ts";
import { beyond, type Failure } from "./python-number.ts";
import { makeRecord, memberOf } from "./records.ts";
import { scalarPrim } from "./scalars.ts";
import { exprValue, int, knownOf, knownValue, poison, type Known, type Value } from "./value.ts";
import { pay, TOO_LONG } from "./work.ts";

interface Site {
  readonly chain: Dotted;
  readonly callee: SExpr;
  readonly evaluate: Evaluate;
  readonly spelled: string;
  readonly span: Span;
  readonly calleeSpan: Span;
  readonly passed: PassedArguments;
}

export function callExpr(e: CallExpr, c: ExprContext, evaluate: Evaluate): Value {
  const chain = dotted(e.callee);
  if (chain !== undefined && chain.path.length === 1 && chain.path[0] === "sync" && c.sync !== undefined && c.module.namespaces.get(chain.root) === "T") return c.sync(e);
  const passed = passedArguments(e.args, c, evaluate);
  if (passed === undefined) return poison(e.span);
  const held = holeCallee(e.callee);
  if (held !== undefined) {
    const known = c.module.holes[held.index];
    if (known?.kind === "module") return heldCall(known.module, held.path, { span: e.span, calleeSpan: e.callee.span, passed }, c);
  }
  if (chain === undefined) return valueCall({ chain: NO_CHAIN, callee: e.callee, evaluate, spelled: "this value", span: e.span, calleeSpan: e.callee.span, passed }, c);
  const site: Site = { chain, callee: e.callee, evaluate, spelled: spell(chain), span: e.span, calleeSpan: e.callee.span, passed };
  const namespace = chain.path.length === 0 ? undefined : c.module.namespaces.get(chain.root);
  if (namespace !== undefined) return inNamespace(namespace, pathOf(chain), site, c);
  return chain.path.length === 0 ? bareCall(chain.root, site, c) : memberCall(chain, site, c);
}

const NO_CHAIN: Dotted = { root: "", path: [] };

/** `(1, 2).count(2)`: a method of a compile-time value, an object of a class. */
function valueCall(site: Site, c: ExprContext): Value {
  const { callee, evaluate, calleeSpan, span } = site;
  if (callee.kind === "Attribute") {
    const owner = evaluate(callee.value, c);
    if (owner.kind === "poison") return owner;
    const known = knownOf(owner);
    const method = known && methodOf(known, callee.name);
    if (method !== undefined) return onKnown(site, method, c);
    const inner = known && memberOf(known, callee.name, calleeSpan, c, evaluate);
    if (inner !== undefined) return objectCall(inner, site, c);
    c.reporter.report("TF2011", site.chain === NO_CHAIN ? callee.nameSpan : calleeSpan, { owner: site.chain === NO_CHAIN ? "the value" : site.chain.root, name: callee.name });
    return poison(span);
  }
  return objectCall(evaluate(callee, c), site, c);
}

function objectCall(value: Value, site: Site, c: ExprContext): Value {
  if (value.kind === "poison") return value;
  if (value.kind === "known" && value.known.kind === "class") return makeRecord(value.known.class, site, c);
  c.reporter.report("TF2015", site.calleeSpan, { name: site.spelled });
  return poison(site.span);
}

/** `${program}` or `${program}.f`. */
function holeCallee(e: SExpr): { readonly index: number; readonly path: readonly string[] } | undefined {
  const path: string[] = [];
  let inner = e;
  for (; inner.kind === "Attribute"; inner = inner.value) path.unshift(inner.name);
  return inner.kind === "Hole" ? { index: inner.index, path } : undefined;
}

/** A program from a hole becomes a child of the module, under its own name or the next that is free. */
function heldCall(module: ModuleNode, path: readonly string[], site: Pick<Site, "span" | "calleeSpan" | "passed">, c: ExprContext): Value {
  const { owner } = c.module;
  let name = module.name;
  for (let n = 1; owner.definitions.has(name) || (owner.children.has(name) && c.module.held.get(module) !== name); n++) name = `${module.name}_${n}`;
  if (!owner.children.has(name)) owner.children.set(name, { ...cloneModule(module, name), form: module.form === "text" ? "module" : module.form, target: undefined });
  c.module.held.set(module, name);
  const spelled = [module.name, ...path].join(".");
  const called = callFunction({ ...site, spelled, path: [name, ...path] }, c);
  if (called !== undefined) return called;
  const functions = module.functions.map((f) => f.name).join(", ") || "none";
  c.reporter.report("TF2036", site.calleeSpan, { name: path.join("."), module: module.name, functions });
  return poison(site.span);
}

/** What stands behind the root of a chain: `tile.load` of `pl.tile.load`. */
const pathOf = ({ path }: Dotted): string => (path.length === 1 ? (path[0] ?? "") : path.join("."));

/** `self.k(…)` and `child.k(…)`: functions of the module. */
function memberCall(chain: Dotted, site: Site, c: ExprContext): Value {
  const isSelf = chain.root === "self" && !c.binds("self");
  if (!isSelf && c.binds(chain.root)) return valueCall(site, c);
  const path = isSelf ? chain.path : [chain.root, ...chain.path];
  const called = callFunction({ ...site, path }, c);
  if (called !== undefined) return called;
  if (!isSelf) return moduleMethod(chain, site, c) ?? valueCall(site, c);
  if (c.module.constants.get(path[0] ?? "")?.kind === "poison") return poison(site.span);
  const names = [...c.module.owner.definitions.keys(), ...c.module.owner.children.keys()];
  const extras = suggestion(path[0] ?? "", names, site.calleeSpan);
  c.reporter.report("TF2036", site.calleeSpan, { name: path.join("."), module: c.module.owner.name, functions: names.join(", ") || "none" }, extras.help === undefined ? {} : { help: extras.help });
  return poison(site.span);
}

/** `Layer.renamed("layer0")`, `Layer.cloned()`: the module under another name, and itself; a module that is placed is a copy anyway. */
function moduleMethod({ root, path }: Dotted, site: Site, c: ExprContext): Value | undefined {
  const [method, more] = path;
  if (c.module.constants.get(root)?.kind !== "module" || more !== undefined || (method !== "renamed" && method !== "cloned")) return undefined;
  const owner = c.lookup(root, site.calleeSpan);
  const known = owner.kind === "known" && owner.known.kind === "module" ? owner.known : undefined;
  const name = site.passed.positional[0] && knownOf(site.passed.positional[0]);
  if (known === undefined) return owner;
  if (method === "cloned") return knownValue(known, site.span);
  if (name?.kind === "string" && /^[A-Za-z]\w*$/.test(name.value)) return knownValue({ kind: "module", module: { ...known.module, name: name.value } }, site.span);
  c.reporter.report("TF2009", site.span, { callee: site.spelled, expected: "a name in quotes", found: site.passed.positional.length, known: "name" });
  return poison(site.span);
}

// — members of namespaces —

function inNamespace(namespace: Namespace, name: string, site: Site, c: ExprContext): Value {
  if (namespace === "math") return onKnown(site, (args) => mathCall(name, args), c);
  if (name === "const") return inFunction(site, c) ? constCall(site, c) : poison(site.span);
  if (name === "dynamic" && namespace === "pl") return declareExtent(site, c);
  if (namespace === "T") return primitive(name, site, c);
  const part = namespace === "pl" ? name.split(".").at(-1) ?? "" : "";
  if (Object.hasOwn(BLOCK_PARTS, part)) return blockPart(BLOCK_PARTS[part as keyof typeof BLOCK_PARTS], site, c); // the key is one
  if (namespace === "tf" && isOfKinds(name)) return ofKind(name, site, c);
  const record = c.module.ops.find(namespace, name);
  if (record === undefined && Object.hasOwn(EXTREMES, name) && site.passed.positional.length > 1) return extreme(name, site, c);
  if (record === undefined) return unknownOp(namespace, name, site, c);
  if (!inFunction(site, c)) return poison(site.span);
  return callOp(record, { spelled: site.spelled, namespace, span: site.span, passed: site.passed }, c);
}

function ofKind(name: Parameters<typeof opOfKind>[0], site: Site, c: ExprContext): Value {
  const found = inFunction(site, c) ? opOfKind(name, site.spelled, site.span, site.passed, c) : undefined;
  return found === undefined ? poison(site.span) : callOp(found.record, { spelled: site.spelled, namespace: "tf", span: site.span, passed: found.passed }, c);
}

function blockPart(which: BlockPart, site: Site, c: ExprContext): Value {
  if (!inFunction(site, c) || c.block === undefined) return poison(site.span);
  return exprValue(c.block(which), site.span);
}

function primitive(name: string, site: Site, c: ExprContext): Value {
  const op = primCalled(name);
  if (op === undefined) return unknownOp("T", name, site, c);
  return inFunction(site, c) ? primCall(op, site, c) : poison(site.span);
}

/** Ops compute when the kernel runs: constants of the module cannot call them. */
function inFunction(site: Site, c: ExprContext): boolean {
  if (c.dialect !== undefined) return true;
  const help = `\`${site.spelled}\` computes when the kernel runs: call it in a function`;
  c.reporter.report("TF2004", site.span, { what: "a constant of the module" }, { help });
  return false;
}

/** Words that are read in other places than expressions: what to say when they are called in one. */
const MISPLACED: Readonly<Record<string, string>> = {
  range: "loop over it: `for i in pl.range(n):`",
  parallel: "loop over it: `for i in pl.parallel(n):`",
  unroll: "loop over it: `for i in pl.unroll(4):`",
  pipeline: "loop over it: `for i in pl.pipeline(n):`",
  vector: "loop over it: `for i in T.vector(n):`",
  nest: "loop over it: `for i, j in T.nest((M, N)):`",
  while_: "loop over it: `for (x,) in pl.while_(init_values=(x0,)):`",
  yield_: "it is a statement: `y = pl.yield_(x)`",
  cond: "it is the first statement of a `pl.while_` loop",
};

function unknownOp(namespace: Exclude<Namespace, "math">, name: string, site: Site, c: ExprContext): Value {
  const { ops } = c.module;
  if (Object.hasOwn(MISPLACED, name)) {
    noValue(`\`${site.spelled}\``, MISPLACED[name] ?? "", site.span, c);
    return poison(site.span);
  }
  const dtype = site.callee.kind === "Attribute" && site.chain.path.length > 1 ? dtypeCalled(site.chain.path.at(-2) ?? "") : undefined;
  const method = dtype && methodOf({ kind: "dtype", dtype }, site.chain.path.at(-1) ?? "");
  if (method !== undefined) return onKnown(site, method, c);
  if (isLaterMember(name)) {
    notYet(`\`${site.spelled}\``, "this version has the ops and loops of its documentation", site.span, c);
    return poison(site.span);
  }
  const own = namespace === "T" ? PRIM_NAMES : ops.spellings(namespace);
  const other = namespace === "pl" ? "tf" : "pl";
  const elsewhere = ops.find(other, name) === undefined ? undefined : `${other}.${name}`;
  const near = elsewhere ?? withNamespace(site.chain.root, nearest(name, own));
  c.reporter.report("TF3208", site.calleeSpan, { op: site.spelled, namespace: site.chain.root }, meant(near, site.calleeSpan));
  return poison(site.span);
}

const withNamespace = (root: string, name: string | undefined): string | undefined => (name === undefined ? undefined : `${root}.${name}`);

// — bare names —

function bareCall(name: string, site: Site, c: ExprContext): Value {
  if (c.binds(name)) return notCallable(name, site, c);
  const constant = c.module.constants.get(name);
  if (constant?.kind === "poison") return poison(site.span);
  if (constant?.kind === "value") return constant.value?.kind === "class" ? makeRecord(constant.value.class, site, c) : notCallable(name, site, c);
  if (constant?.kind === "host") return hostCall(name, constant, site, c);
  const called = callFunction({ ...site, path: [name] }, c);
  if (called !== undefined) return called;
  if (constant !== undefined) return poison(site.span);
  if (name === "Topology") return declareTopology(site, c);
  if (name === "DimVar") return declareExtent(site, c);
  const imported = c.module.imported.get(name);
  if (imported !== undefined) return inNamespace(imported.namespace, imported.name, site, c);
  if (name === "ceildiv" || name === "cdiv") return ceilDivision(name, site, c);
  if (Object.hasOwn(EXTREMES, name)) return extreme(name, site, c);
  const builtin = Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
  return builtin === undefined ? unknownFunction(name, site, c) : onKnown(site, builtin, c);
}

function hostCall(name: string, constant: Constant, site: Site, c: ExprContext): Value {
  c.reporter.report("TF2102", site.calleeSpan, { name }, { related: constant.because ?? [] });
  return poison(site.span);
}

function notCallable(name: string, site: Site, c: ExprContext): Value {
  c.reporter.report("TF2015", site.calleeSpan, { name });
  return poison(site.span);
}

function unknownFunction(name: string, site: Site, c: ExprContext): Value {
  if (c.dialect === undefined && isPythons(name)) {
    c.reporter.report("TF2102", site.calleeSpan, { name });
    return poison(site.span);
  }
  const { ops } = c.module;
  const namespace = (["tf", "pl"] as const).find((n) => ops.find(n, name) !== undefined) ?? (primCalled(name) === undefined ? undefined : "T");
  const near = namespace === undefined ? nearest(name, [...Object.keys(BUILTINS), "DimVar"]) : `${namespace}.${name}`;
  c.reporter.report("TF2001", site.calleeSpan, { name }, meant(near, site.calleeSpan));
  return poison(site.span);
}

/** Applies a Python function to arguments that must all be known at compile time. */
function onKnown(site: Site, apply: (args: readonly Known[], keywords: ReadonlyMap<string, Known>) => Known | Failure, c: ExprContext): Value {
  const { positional, keywords } = site.passed;
  const strange = keywords.find((k) => !takesKeyword(site.chain.path.at(-1) ?? site.chain.root, k.name));
  if (strange !== undefined) {
    c.reporter.report("TF2103", strange.nameSpan, { why: `\`${site.spelled}\` takes no \`${strange.name}\` here` });
    return poison(site.span);
  }
  const args: Known[] = [];
  for (const value of [...positional, ...keywords.map((k) => k.value)]) {
    if (value.kind === "poison") return value;
    const known = value.kind === "expr" ? undefined : knownOf(value);
    if (known === undefined) {
      c.reporter.report("TF2004", value.span, { what: `an argument of \`${site.spelled}\`` });
      return poison(site.span);
    }
    pay(c.module, known);
    args.push(known);
  }
  const named = new Map(keywords.flatMap(({ name }, i) => { const k = args[positional.length + i]; return k === undefined ? [] : [[name, k] as const]; }));
  const result = apply(args.slice(0, positional.length), named);
  if (failed(result)) return reportFailure(result, site.span, c);
  if (!pay(c.module, result)) return reportFailure(beyond(TOO_LONG), site.span, c);
  return result.kind === "extent" ? c.lookupExtent(result.dim, site.span) : knownValue(result, site.span);
}

const EXTREMES: Readonly<Record<string, PrimOp>> = { min: "min", max: "max" };

/** `min` and `max` of scalars: computed if all are known at compile time, else the primitives. */
function extreme(name: string, site: Site, c: ExprContext): Value {
  const { positional } = site.passed;
  if (positional.every((v) => v.kind === "known")) return onKnown(site, BUILTINS[name] ?? (() => int(0)), c);
  const prim = EXTREMES[name] ?? "min";
  const array = positional.find((v) => v.kind === "expr" && !isRegister(v.expr.type));
  if (array !== undefined) {
    const help = `\`pl.${name}imum\` and \`tf.${name}imum\` compare tensors and tiles`;
    c.reporter.report("TF2004", array.span, { what: `an argument of \`${name}\`` }, { help });
    return poison(site.span);
  }
  return positional.reduce((left, right) => (left.kind === "poison" ? left : scalarPrim({ prim, text: name, span: site.span }, [left, right], c)));
}

/** `ceildiv(a, b)` is `(a + (b - 1)) // b`. */
function ceilDivision(name: string, site: Site, c: ExprContext): Value {
  const [a, b] = site.passed.positional;
  if (a === undefined || b === undefined || (a.kind === "known" && b.kind === "known")) return onKnown(site, BUILTINS[name] ?? (() => int(0)), c);
  const at = { span: site.span, opSpan: site.span };
  const less = binary("-", b, knownValue(int(1), b.span), at, c);
  return binary("//", binary("+", a, less, at, c), b, at, c);
}
