// A whole text: imports, constants, decorated functions and classes. Other code is the host's (`host-statements.ts`).

import type { ClassDef, FunctionDef, SExpr, SStmt } from "@tilefoundry/grammar";
import { makeModule, type FunctionNode, type Meta, type ModuleNode } from "@tilefoundry/ir";
import type { Span } from "@tilefoundry/text";
import { classForm, classModule } from "./class.ts";
import { commentsOf, docstringLines, docstringOf, joined } from "./comments.ts";
import { notYet, refuse, twice } from "./complaints.ts";
import type { Constant, Definition, ModuleContext } from "./context.ts";
import { isTemplate, readDecorators } from "./decorator.ts";
import { functionsOf, readDefinition } from "./definitions.ts";
import { evaluate } from "./expr.ts";
import { attempt, changedNames } from "./host.ts";
import { badStatement, changeNames, hostStatement, isHostDefinition, isMainGuard, kernelsInside, refuseHostCode, silenceNames, unknownConstant } from "./host-statements.ts";
import { importModules, importNames } from "./imports.ts";
import { openState, trialPlace, type ModuleState } from "./module-state.ts";
import { targetNames } from "./names-in.ts";
import { recordClass } from "./records.ts";
import { keywordSpan } from "./refuse.ts";
import { itemsOf, knownOf, type Value } from "./value.ts";

export function moduleNode(stmts: readonly SStmt[], tail: readonly string[], name: string, module: ModuleContext): ModuleNode {
  const pending = readText(stmts, module);
  const { owner } = module;
  if (owner.definitions.size + owner.classes.size === 0 && !module.reporter.hasErrors) noKernel(stmts, module);
  checkTargets(module);
  const functions = functionsOf(owner, module);
  const made = [...owner.classes].map(([title, read]) => [title, read()] as const);
  const classes = made.flatMap(([title, one]) => (one === undefined || owner.placed.has(title) ? [] : [one])); // all are read: who places whom is known
  const comments = [...pending, ...tail];
  return wholeText(functions, classes, name, module, comments.length === 0 ? {} : { comments });
}

/** Reads the statements of a text; gives back the comments at its end. */
export function readText(stmts: readonly SStmt[], module: ModuleContext): readonly string[] {
  const state = openState(module, statementIn);
  for (const s of stmts) statementIn(s, state);
  return state.pending;
}

function noKernel(stmts: readonly SStmt[], { reporter }: ModuleContext): void {
  const makers = stmts.flatMap((s) => ((s.kind === "FunctionDef" || s.kind === "ClassDef") && kernelsInside(s) ? [`\`${s.name}\``] : []));
  const help = makers.length === 0 ? {} : { help: `kernels that ${makers.join(", ")} would make are not read yet: define them at module level` };
  reporter.report("TF1015", stmts[0]?.span, {}, help);
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
  const [definition, another] = [...owner.definitions.values()].filter((d) => d.isLinked !== true);
  const title = definition !== undefined && another === undefined ? definition.def.name : name;
  const form = attached.length > 0 && classes.length === 0 ? "module" : "text";
  return makeModule(title, functions, entryOf(module), meta, { form, children: [...attached, ...classes] });
}

function entryOf({ owner }: ModuleContext): string | undefined {
  const definitions = [...owner.definitions.values()].filter((d) => d.says.kind !== "inline" && d.isLinked !== true);
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
    const value = known ?? tried(s.value, state);
    for (const target of s.targets) define(target, value, state);
  },
  AnnAssign: (s, state) => {
    if (s.value !== undefined) define(s.target, tried(s.value, state), state);
  },
  FunctionDef: (s, state) => defineFunction(s, state),
  ClassDef: (s, state) => defineClass(s, state),
  Pass: () => undefined,
  BadStmt: (s, state) => badStatement(s, state),
};

/** Reads a statement of a text or class; `value` is what an assignment assigns, if that is known already. */
export function statementIn(s: SStmt, state: ModuleState, value?: Value): void {
  const { module } = state;
  module.constants.advance?.();
  const doc = docstringOf(s);
  const rule = RULES[s.kind] as Rule<SStmt["kind"]> | undefined; // the key fixes the kind
  if (rule === undefined && doc === undefined && module.host === "skipped") return hostStatement(s, state, statementIn);
  const comments = joined(state.pending, commentsOf(s));
  state.pending = doc === undefined ? comments : [...comments, ...docstringLines(doc)];
  if (rule !== undefined) return rule(s, state, value);
  if (doc === undefined && !isMainGuard(s)) refuseHostCode(s, module);
  silenceNames(s, state);
}

const tried = (e: SExpr, state: ModuleState): Value => attempt(e, trialPlace(state), state.module, evaluate);

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
  if (items === undefined && module.host === "skipped") return changeNames(changedNames(target), target.span, module);
  for (const { name } of targetNames(target)) module.constants.set(name, unknownConstant(value, target.span));
  if (value.kind === "poison") return;
  if (items === undefined) refuse("this target of an assignment", "give constants plain names", target.span, module);
  else module.reporter.report("TF3212", target.span, { op: "the right side", count: values?.length ?? 1, names: items.length });
}

function constantOf(known: ReturnType<typeof knownOf>, value: Value, span: Span, module: ModuleContext): Constant {
  if (known !== undefined) return { kind: "value", value: known, span };
  if (value.kind !== "poison") module.reporter.report("TF2004", value.span, { what: "a constant of the module" });
  return unknownConstant(value, span);
}

// — functions —

function defineFunction(s: FunctionDef, state: ModuleState): void {
  const { module } = state;
  if (isHostDefinition(s, module)) return hostFunction(s, state);
  module.kernels.push(s.span);
  const known = module.owner.definitions.get(s.name);
  module.constants.set(s.name, { kind: "function", span: s.nameSpan });
  if (known !== undefined) twice(s.name, s.nameSpan, known.def.nameSpan, module);
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

function hostFunction(s: FunctionDef, state: ModuleState): void {
  const { module } = state;
  state.pending = state.pending.slice(0, state.pending.length - commentsOf(s).length);
  if (module.host === "skipped") return module.constants.set(s.name, { kind: "host", span: s.nameSpan, because: [{ message: `\`${s.name}\` is defined here`, span: s.nameSpan }] });
  const known = module.owner.definitions.get(s.name);
  module.constants.set(s.name, { kind: "poison", span: s.nameSpan });
  if (known !== undefined) twice(s.name, s.nameSpan, known.def.nameSpan, module);
  notYet(`\`${s.name}\`, a function without decorator,`, "decorate it with `@func`, `@prim_func` or `@pl.function`: helper functions come later", s.nameSpan, module);
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
  if (form === undefined) return valueClass(s, state);
  module.kernels.push(s.span);
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

/** A class that only holds values, or one of the host's. */
function valueClass(s: ClassDef, state: ModuleState): void {
  const { module } = state;
  state.pending = state.pending.slice(0, state.pending.length - commentsOf(s).length);
  const made = recordClass(s, trialPlace(state), module, evaluate);
  if ("kind" in made) return module.constants.set(s.name, { kind: "value", value: made, span: s.nameSpan });
  if (module.host === "skipped") return module.constants.set(s.name, { kind: "host", span: s.nameSpan, because: made.because });
  notYet(s.decorators.length > 0 ? "this decorated class" : "a class", "decorate a module with `@module` or `@pl.program`", keywordSpan(s), module);
  silenceNames(s, state);
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

