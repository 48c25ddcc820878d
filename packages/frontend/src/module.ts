// A whole text: imports, constants, decorated functions. Host code that is no kernel is refused by name, or passed over where it
// cannot matter.

import type { ClassDef, FunctionDef, Import, ImportFrom, SExpr, SStmt } from "@tilefoundry/grammar";
import { makeModule, type Dialect, type FunctionNode, type Meta, type ModuleNode } from "@tilefoundry/ir";
import type { Span } from "@tilefoundry/text";
import { classForm, classModule } from "./class.ts";
import { commentsOf, docstringLines, docstringOf, joined } from "./comments.ts";
import { notYet, refuse, twice } from "./complaints.ts";
import type { Constant, Definition, ModuleContext } from "./context.ts";
import { isTemplate, readDecorators } from "./decorator.ts";
import { functionsOf, readDefinition } from "./definitions.ts";
import { evaluate } from "./expr.ts";
import { modulePlace, type ModuleState } from "./module-state.ts";
import { NAMESPACES, type Namespace } from "./members.ts";
import { namesBoundBy, targetNames } from "./names-in.ts";
import { keywordSpan, refuseStmt } from "./refuse.ts";
import { itemsOf, knownOf, type Value } from "./value.ts";

export function moduleNode(stmts: readonly SStmt[], tail: readonly string[], name: string, module: ModuleContext): ModuleNode {
  const state: ModuleState = { module, place: modulePlace(module), pending: [], read: statementIn };
  for (const s of stmts) statementIn(s, state);
  const { owner } = module;
  if (owner.definitions.size + owner.classes.size === 0 && !module.reporter.hasErrors) module.reporter.report("TF1015", stmts[0]?.span, {});
  checkTargets(module);
  const functions = functionsOf(owner, module.reading);
  const made = [...owner.classes].map(([title, read]) => [title, read()] as const);
  const classes = made.flatMap(([title, one]) => (one === undefined || owner.placed.has(title) ? [] : [one])); // all are read: who places whom is known
  const comments = [...state.pending, ...tail];
  return wholeText(functions, classes, name, module, comments.length === 0 ? {} : { comments });
}

/**
 * A text is its only class, which bare functions beside it join, or a module of its functions and classes. A class that another one places is
 * no module of its own. Where a function calls a child module, the text is written as a class.
 */
function wholeText(functions: readonly FunctionNode[], classes: readonly ModuleNode[], name: string, module: ModuleContext, meta: Meta): ModuleNode {
  const { owner } = module;
  const [only, second] = classes;
  const attached = [...owner.children.values()];
  if (only !== undefined && second === undefined && attached.length === 0) {
    const comments = [...(only.meta.comments ?? []), ...(meta.comments ?? [])];
    const joined = functions.filter((f) => !only.functions.includes(f));
    return { ...only, functions: [...joined, ...only.functions], meta: comments.length === 0 ? only.meta : { ...only.meta, comments } };
  }
  const [definition, another] = owner.definitions.values();
  const title = definition !== undefined && another === undefined ? definition.def.name : name;
  const form = attached.length > 0 && classes.length === 0 ? "module" : "text";
  return makeModule(title, functions, entryOf(module), meta, { form, children: [...attached, ...classes] });
}

function entryOf({ owner }: ModuleContext): string | undefined {
  const definitions = [...owner.definitions.values()].filter((d) => d.says.kind !== "inline");
  const marked = definitions.find((d) => d.says.entry);
  if (marked !== undefined) return marked.def.name;
  return definitions.length === 1 ? definitions[0]?.def.name : undefined;
}

function checkTargets({ owner, reporter }: ModuleContext): void {
  let first: string | undefined;
  for (const { says, def } of owner.definitions.values()) {
    first ??= says.target;
    if (says.target === first || says.target === undefined) continue;
    const targets = new Set([...owner.definitions.values()].flatMap((d) => d.says.target ?? []));
    return reporter.report("TF2017", def.nameSpan, { targets: [...targets].map((t) => `"${t}"`).join(", ") });
  }
}

// — statements —

type Rule<K extends SStmt["kind"]> = (s: Extract<SStmt, { readonly kind: K }>, state: ModuleState, value?: Value) => void;

const RULES: { readonly [K in SStmt["kind"]]?: Rule<K> } = {
  Import: (s, { module }) => importModules(s, module),
  ImportFrom: (s, { module }) => importNames(s, module),
  AssignStmt: (s, state, known) => {
    const value = known ?? evaluate(s.value, state.place);
    for (const target of s.targets) define(target, value, state);
  },
  AnnAssign: (s, state) => {
    if (s.value !== undefined) define(s.target, evaluate(s.value, state.place), state);
  },
  FunctionDef: (s, state) => defineFunction(s, state),
  ClassDef: (s, state) => defineClass(s, state),
  Pass: () => undefined,
  BadStmt: (s, state) => silenceNames(s, state),
};

/** Reads a statement of a text or class; `value` is what an assignment assigns, if that is known already. */
export function statementIn(s: SStmt, state: ModuleState, value?: Value): void {
  state.module.constants.advance?.();
  const comments = joined(state.pending, commentsOf(s));
  const doc = docstringOf(s);
  state.pending = doc === undefined ? comments : [...comments, ...docstringLines(doc)];
  if (doc !== undefined || isHarmless(s)) return silenceNames(s, state);
  const rule = RULES[s.kind] as Rule<SStmt["kind"]> | undefined; // the key fixes the kind
  if (rule !== undefined) return rule(s, state, value);
  refuseHostCode(s, state.module);
  silenceNames(s, state);
}

/** `if __name__ == "__main__":` never runs here. */
const isHarmless = (s: SStmt): boolean =>
  s.kind === "IfStmt" && s.cond.kind === "Compare" && s.cond.operands.some((e) => e.kind === "Name" && e.name === "__name__");

const HOST: { readonly [K in SStmt["kind"]]?: string } = {
  IfStmt: "`if` at module level", ForStmt: "`for` at module level", WhileStmt: "`while` at module level",
  WithStmt: "`with` at module level", ExprStmt: "an expression at module level",
};

function refuseHostCode(s: SStmt, module: ModuleContext): void {
  const what = HOST[s.kind];
  if (what === undefined) return refuseStmt(s, module.reporter);
  const instead = "a text holds imports, constants and functions decorated with `@func`, `@prim_func` or `@pl.function`";
  refuse(what, instead, s.kind === "ExprStmt" ? s.span : keywordSpan(s), module);
}

/** Using what a refused statement would have defined is no further error. */
function silenceNames(s: SStmt, { module }: ModuleState): void {
  for (const name of namesBoundBy(s)) module.constants.set(name, { kind: "poison", span: s.span });
}

// — constants —

function define(target: SExpr, value: Value, state: ModuleState): void {
  const { module } = state;
  if (target.kind === "Paren") return define(target.value, value, state);
  if (target.kind === "Name") {
    const known = knownOf(value);
    module.constants.set(target.name, constantOf(known, value, target.span, module));
    return;
  }
  const items = target.kind === "TupleDisplay" || target.kind === "ListDisplay" ? target.items : undefined;
  const values = value.kind === "poison" ? items?.map(() => value) : itemsOf(value);
  if (items !== undefined && values?.length === items.length) {
    for (const [i, item] of items.entries()) define(item, values[i] ?? value, state);
    return;
  }
  for (const { name } of targetNames(target)) module.constants.set(name, { kind: "poison", span: target.span });
  if (value.kind === "poison") return;
  if (items === undefined) refuse("this target of an assignment", "give constants plain names", target.span, module);
  else module.reporter.report("TF3212", target.span, { op: "the right side", count: values?.length ?? 1, names: items.length });
}

function constantOf(known: ReturnType<typeof knownOf>, value: Value, span: Span, module: ModuleContext): Constant {
  if (known !== undefined) return { kind: "value", value: known, span };
  if (value.kind !== "poison") module.reporter.report("TF2004", value.span, { what: "a constant of the module" });
  return { kind: "poison", span };
}

// — functions —

function defineFunction(s: FunctionDef, state: ModuleState): void {
  const { module } = state;
  const known = module.owner.definitions.get(s.name);
  module.constants.set(s.name, { kind: s.decorators.length > 0 ? "function" : "poison", span: s.nameSpan });
  if (known !== undefined) twice(s.name, s.nameSpan, known.def.nameSpan, module);
  if (s.decorators.length === 0) {
    const instead = "decorate it with `@func`, `@prim_func` or `@pl.function`: helper functions come later";
    return notYet(`\`${s.name}\`, a function without decorator,`, instead, s.nameSpan, module);
  }
  if (isTemplate(s)) return defineTemplate(s, state);
  const says = readDecorators(s, state.place);
  const above = state.pending.slice(0, state.pending.length - commentsOf(s).length);
  state.pending = [];
  if (says === undefined) return;
  const constants = module.constants.here?.() ?? module.constants;
  const own: Definition = { def: withoutSelf(s), says, above, module: { ...module, constants }, state: "waiting", node: undefined };
  if (known === undefined) module.owner.definitions.set(s.name, own);
  else readDefinition(own, module.reading);
}

function defineTemplate(s: FunctionDef, state: ModuleState): void {
  const { module } = state;
  const known = module.owner.templates.get(s.name);
  if (known !== undefined) twice(s.name, s.nameSpan, known.def.nameSpan, module);
  const constants = module.constants.here?.() ?? module.constants;
  module.owner.templates.set(s.name, { def: withoutSelf(s), module: { ...module, constants }, made: new Map() });
}

/** A method's `self` is no parameter. */
function withoutSelf(def: FunctionDef): FunctionDef {
  const [first] = def.params;
  return first?.name === "self" && first.annotation === undefined && first.star === "" ? { ...def, params: def.params.slice(1) } : def;
}

function defineClass(s: ClassDef, state: ModuleState): void {
  const { module } = state;
  const form = classForm(s);
  if (form === undefined) {
    notYet(s.decorators.length > 0 ? "this decorated class" : "a class", "decorate a module with `@module` or `@pl.program`", keywordSpan(s), module);
    return silenceNames(s, state);
  }
  const above = state.pending.slice(0, state.pending.length - commentsOf(s).length);
  state.pending = [];
  const twin = module.owner.definitions.get(s.name);
  if (twin !== undefined || module.owner.classes.has(s.name)) module.reporter.report("TF2003", s.nameSpan, { name: s.name });
  const seen: ModuleContext = { ...module, constants: module.constants.here?.() ?? module.constants };
  module.constants.set(s.name, { kind: "module", span: s.nameSpan });
  const read = once(() => classModule(s, form, seen, above, statementIn), () => void module.reporter.report("TF2035", s.nameSpan, { name: s.name, cycle: s.name }));
  if (module.owner.form === "text") module.owner.classes.set(s.name, read);
  else {
    const child = read();
    if (child !== undefined) module.owner.children.set(s.name, child);
  }
}

/** Reads at most once; `again` complains where reading leads back to itself. */
function once(read: () => ModuleNode | undefined, again: () => void): () => ModuleNode | undefined {
  let state: "waiting" | "reading" | "done" = "waiting";
  let made: ModuleNode | undefined;
  return () => {
    if (state === "reading") again();
    if (state !== "waiting") return made;
    state = "reading";
    made = read();
    state = "done";
    return made;
  };
}

// — imports —

/** Modules of the parents by their first word. */
const ROOTS: ReadonlySet<string> = new Set(["tilefoundry", "pypto", "math", "__future__", "typing"]);

function importModules(s: Import, module: ModuleContext): void {
  for (const { path, alias } of s.names) {
    const [root = path] = path.split(".");
    if (!ROOTS.has(root)) refuseImport(path, alias ?? root, s.span, module);
    else if (alias !== undefined && path.endsWith("language")) module.namespaces.set(alias, "pl");
    else if (root === "math") module.namespaces.set(alias ?? "math", "math");
  }
}

function importNames(s: ImportFrom, module: ModuleContext): void {
  const [root = ""] = s.module.split(".");
  if (s.names === "*") {
    if (!ROOTS.has(root)) module.reporter.report("TF2010", s.span, { module: s.module });
    return;
  }
  for (const { path, alias } of s.names) {
    const name = alias ?? path;
    if (s.level > 0 || !ROOTS.has(root)) refuseImport(s.module, name, s.span, module);
    else if (path === "language") module.namespaces.set(name, "pl");
    else importMember(path, name, s.module, module);
  }
}

const isNamespace = (name: string): name is Namespace => NAMESPACES.some((n) => n === name);

/** A namespace under another name, or an op by name; decorators and types are known anyway. */
function importMember(path: string, name: string, from: string, module: ModuleContext): void {
  if (isNamespace(path)) {
    module.namespaces.set(name, path);
    return;
  }
  const candidates: readonly Dialect[] = from.startsWith("pypto") ? ["pl"] : ["tf", "pl"];
  const namespace = from.startsWith("math") ? "math" : candidates.find((n) => module.ops.find(n, path) !== undefined);
  if (namespace !== undefined) module.imported.set(name, { namespace, name: path });
}

function refuseImport(path: string, name: string, span: Span, module: ModuleContext): void {
  module.reporter.report("TF2010", span, { module: path || "." });
  module.constants.set(name, { kind: "poison", span });
}
