// `@module` and `@pl.program` classes: functions, child modules, constants, and plain methods, which are kept as text.

import { make, type ClassDef, type FunctionDef, type SExpr, type SStmt } from "@tilefoundry/grammar";
import { cloneModule, makeModule, type Method, type ModuleForm, type ModuleNode, type Topology } from "@tilefoundry/ir";
import { print } from "@tilefoundry/syntax";
import { bindArguments, passedArguments, type Params } from "./arguments.ts";
import { commentsOf, docstringOf } from "./comments.ts";
import { misfit, twice } from "./complaints.ts";
import { moduleNames } from "./constants.ts";
import type { ExprContext, ModuleContext, Owner } from "./context.ts";
import { functionsOf, openOwner } from "./definitions.ts";
import { evaluate } from "./expr.ts";
import { attempt } from "./host.ts";
import { dotted } from "./members.ts";
import { modulePlace, openState, trialPlace, type ModuleState } from "./module-state.ts";
import { keywordSpan } from "./refuse.ts";
import { itemsOf, knownOf, type Value } from "./value.ts";

/** The form that a class's decorator gives it; undefined for a class that is no module. */
export function classForm(def: ClassDef): Exclude<ModuleForm, "text"> | undefined {
  const [first] = def.decorators;
  const callee = first?.value.kind === "Call" ? first.value.callee : first?.value;
  const chain = callee && dotted(callee);
  const name = chain?.path.at(-1) ?? chain?.root;
  return name === "module" || name === "program" ? name : undefined;
}

/** What the decorator says. */
interface Says {
  readonly entry: { readonly name: string; readonly value: Value } | undefined;
  readonly target: string | undefined;
  readonly topologies: readonly Topology[] | undefined;
}

const OPTIONS: Params = { entry: "keyword", target: "keyword", topologies: "keyword", strict_ssa: "keyword" };

/** Reads the class; its name is that of the module. Undefined if errors left nothing that could be called. */
export function classModule(def: ClassDef, form: Exclude<ModuleForm, "text">, outer: ModuleContext, above: readonly string[], statementIn: ModuleState["read"]): ModuleNode | undefined {
  const errorsBefore = errorCount(outer);
  const owner = openOwner(form, def.name, outer.owner);
  const module: ModuleContext = { ...outer, owner, constants: moduleNames(outer.constants) };
  const state = openState(module, statementIn);
  const says = decoratorOf(def, modulePlace(outer));
  owner.topologies = says.topologies ?? owner.topologies;
  const methods: Method[] = [];
  for (const s of def.body.stmts) classStatement(s, state, methods);
  const functions = functionsOf(owner, module);
  const children = [...owner.children.values()];
  if (owner.definitions.size + children.length + methods.length === 0 && !module.reporter.hasErrors) module.reporter.report("TF2032", def.nameSpan, { name: def.name });
  const entry = entryOf(owner, says, module);
  const comments = [...above, ...commentsOf(def), ...state.pending, ...def.body.trailingComments.map((c) => c.text)];
  if (errorCount(outer) > errorsBefore) return undefined;
  const meta = { span: def.span, ...(comments.length === 0 ? {} : { comments }) };
  return makeModule(def.name, functions, entry, meta, { form, children, target: says.target, topologies: says.topologies, methods });
}

const errorCount = ({ reporter, late }: ModuleContext): number => [...reporter.diagnostics, ...late].filter((d) => d.severity === "error").length;

// — the decorator —

function decoratorOf(def: ClassDef, c: ExprContext): Says {
  const nothing: Says = { entry: undefined, target: undefined, topologies: undefined };
  const call = def.decorators[0]?.value;
  if (call?.kind !== "Call") return nothing;
  const passed = passedArguments(call.args, c, evaluate);
  const bound = passed && bindArguments({ spelled: "@module", span: call.span, passed }, OPTIONS, c);
  if (bound === undefined) return nothing;
  const entry = bound.get("entry");
  const name = entry && textOf("entry", entry, c);
  return { entry: entry && name !== undefined ? { name, value: entry } : undefined, target: targetOf(bound.get("target"), c), topologies: topologiesOf(bound.get("topologies"), c) };
}

function textOf(name: string, value: Value, c: ExprContext): string | undefined {
  const known = knownOf(value);
  if (known?.kind === "string") return known.value;
  return known?.kind === "none" ? undefined : misfit(name, value, `name it in quotes, as in \`${name}="…"\``, c);
}

const targetOf = (value: Value | undefined, c: ExprContext): string | undefined => value && textOf("target", value, c);

function topologiesOf(value: Value | undefined, c: ExprContext): readonly Topology[] | undefined {
  if (value === undefined) return undefined;
  const known = (itemsOf(value) ?? []).map(knownOf);
  const levels = known.flatMap((k) => (k?.kind === "topology" ? [k.topology] : []));
  const isList = itemsOf(value) !== undefined && levels.length === known.length;
  const repeated = levels.find((t, i) => levels.findIndex((other) => other.name === t.name) < i);
  if (isList && repeated === undefined) return levels;
  return misfit("topologies", value, repeated === undefined ? "write a tuple of levels: `topologies=(Topology(\"cta\", 8), Topology(\"thread\", 32))`" : `the level \`${repeated.name}\` stands in it twice`, c);
}

// — what stands in it —

function classStatement(s: SStmt, state: ModuleState, methods: Method[]): void {
  const { module } = state;
  if (s.kind === "FunctionDef" && s.decorators.length === 0) return void methods.push(method(s, state));
  if (s.kind === "AssignStmt" && s.targets.length === 1 && s.targets[0]?.kind === "Name") {
    const value = attempt(s.value, trialPlace(state), module, evaluate);
    if (attach(s.targets[0].name, value, s.targets[0], state)) return;
    return state.read(s, state, value);
  }
  if (docstringOf(s) !== undefined || s.kind === "FunctionDef" || s.kind === "ClassDef" || s.kind === "AssignStmt" || s.kind === "AnnAssign" || s.kind === "Pass" || s.kind === "BadStmt") return state.read(s, state);
  module.reporter.report("TF2031", s.kind === "ExprStmt" ? s.span : keywordSpan(s), { what: WORDS[s.kind] ?? "this statement" });
}

const WORDS: { readonly [K in SStmt["kind"]]?: string } = {
  ExprStmt: "an expression", IfStmt: "`if`", ForStmt: "`for`", WhileStmt: "`while`", WithStmt: "`with`", ReturnStmt: "`return`", Import: "an import", ImportFrom: "an import",
};

function method(def: FunctionDef, state: ModuleState): Method {
  const comments = [...state.pending, ...commentsOf(def)];
  state.pending = [];
  claim(def.name, def, state);
  const { leading: _comments, ...rest } = def;
  const alone = { ...rest, leading: comments.map(make.comment), blankLines: 0 };
  return { name: def.name, text: print(make.moduleOf([alone], [])) };
}

/** A child under the name of its attribute; several as `name0`, `name1`, … unless they were renamed. */
function attach(name: string, value: Value, target: SExpr, state: ModuleState): boolean {
  const known = knownOf(value);
  if (known?.kind === "module") {
    claim(name, { nameSpan: target.span }, state);
    place(name, known.module, state);
    return true;
  }
  const items = known?.kind === "sequence" ? known.items : [];
  if (items.length === 0 || !items.every((k) => k.kind === "module")) return false;
  for (const [i, item] of items.entries()) {
    const renamed = items.findIndex((other) => other.module.name === item.module.name) === i && items.filter((other) => other.module.name === item.module.name).length === 1;
    const own = renamed ? item.module.name : `${name}${i}`;
    claim(own, { nameSpan: target.span }, state);
    place(own, item.module, state);
  }
  return true;
}

/** A placed class is no module of the text any more, and declares no target: its owner does. */
function place(name: string, child: ModuleNode, { module }: ModuleState): void {
  for (let at: Owner | undefined = module.owner; at !== undefined; at = at.outer) if (at.classes.has(child.name)) at.placed.add(child.name);
  if (child.target !== undefined) module.reporter.report("TF2034", child.meta.span, { name: child.name });
  module.owner.children.set(name, cloneModule(child, name));
}

/** Functions, children and methods share one space of names. */
function claim(name: string, { nameSpan }: { readonly nameSpan: FunctionDef["nameSpan"] }, { module }: ModuleState): void {
  const known = module.owner.definitions.get(name);
  if (known !== undefined) twice(name, nameSpan, known.def.nameSpan, module);
  else if (module.owner.children.has(name)) module.reporter.report("TF2003", nameSpan, { name });
}

/** The marked or named function; of a program the only Orchestration function, or the only function. */
function entryOf(owner: Owner, says: Says, module: ModuleContext): string | undefined {
  const definitions = [...owner.definitions.values()].filter((d) => d.says.kind !== "inline" && d.isLinked !== true);
  if (says.entry !== undefined) {
    if (owner.definitions.has(says.entry.name)) return says.entry.name;
    module.reporter.report("TF2033", says.entry.value.span, { name: says.entry.name, functions: [...owner.definitions.keys()].join(", ") || "none" });
    return undefined;
  }
  const marked = definitions.find((d) => d.says.entry);
  if (marked !== undefined || owner.form === "module") return marked?.def.name;
  const leading = definitions.filter((d) => d.says.kind === "orchestration");
  const candidates = leading.length > 0 ? leading : definitions;
  return candidates.length === 1 ? candidates[0]?.def.name : undefined;
}
