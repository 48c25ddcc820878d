// Functions and modules by name, before all of them are read: a function is read when something first calls it or when its turn comes, so
// that calls may name what stands below. What a class needs of the text around it becomes its own.

import type { SModule } from "@tilefoundry/grammar";
import { callsOf, childNamed, cloneModule, resolve, type FunctionNode, type ModuleForm, type ModuleNode } from "@tilefoundry/ir";
import { Reporter, type Diagnostic, type Span } from "@tilefoundry/text";
import type { Definition, FileName, Given, Link, Linker, ModuleContext, Owner, Template } from "./context.ts";
import { allNames } from "./names-in.ts";

export const openOwner = (form: ModuleForm, name: string, outer?: Owner, linker?: Linker): Owner =>
  ({ form, name, outer, topologies: outer?.topologies, definitions: new Map(), templates: new Map(), children: new Map(), classes: new Map(), placed: new Set(), links: new Map(), linker });

/** Functions that are being read, outermost first: calling one of them again would be recursion. */
export type Reading = readonly Definition[];

/** Reads a function, once. */
export function readDefinition(definition: Definition, reading: Definition[]): FunctionNode | undefined {
  if (definition.state !== "waiting") return definition.node;
  const { def, says, above, module } = definition;
  definition.state = "reading";
  reading.push(definition);
  const reporter = new Reporter();
  definition.node = module.readFunction(def, says, above, { ...module, reporter }, definition.given);
  module.late.push(...reporter.diagnostics.map((d) => askedFor(d, definition)));
  reading.pop();
  definition.state = "done";
  return definition.node;
}

/** What is wrong in a template may be so only for the arguments of a call. */
function askedFor(d: Diagnostic, { def, askedAt }: Definition): Diagnostic {
  return askedAt === undefined ? d : { ...d, related: [...d.related, { message: `\`${def.name}\` is read for this call`, span: askedAt }] };
}

/** What a path of names means to a call: the symbol that the call holds, and the function, unless errors left none of it. */
export type Callee =
  | { readonly kind: "function"; readonly symbol: string; readonly fn: FunctionNode; readonly span: Span | undefined }
  | { readonly kind: "recursion"; readonly cycle: readonly Definition[] }
  /** A module without an entry. */
  | { readonly kind: "module"; readonly module: ModuleNode }
  | { readonly kind: "broken" };

export function calleeOf(owner: Owner, path: readonly string[], reading: Definition[]): Callee | undefined {
  const [first = "", ...rest] = path;
  for (let at: Owner | undefined = owner; at !== undefined; at = at.outer) {
    const definition = at.definitions.get(first);
    if (definition !== undefined && rest.length === 0) return calledDefinition(owner, ownDefinition(at, first, first, definition), reading);
    const link = at.links.get(first);
    const linked = link && linkedCallee(owner, link, path, reading);
    if (linked !== undefined) return linked;
    const child = at.children.get(first) ?? placedClass(owner, at, first, first);
    if (child === "broken") return { kind: "broken" };
    if (child !== undefined) return inChild(child, path);
  }
  return undefined;
}

function calledDefinition(owner: Owner, definition: Definition, reading: Definition[]): Callee {
  if (definition.state === "reading") return { kind: "recursion", cycle: [...reading.slice(reading.indexOf(definition)), definition] };
  const fn = readDefinition(definition, reading);
  if (fn === undefined) return { kind: "broken" };
  if (!owner.definitions.has(fn.name)) owner.definitions.set(fn.name, definition);
  return { kind: "function", symbol: fn.name, fn, span: definition.def.nameSpan };
}

/** A class of the text that is called by its name becomes a child of the caller's module. */
function placedClass(owner: Owner, at: Owner, name: string, as: string): ModuleNode | "broken" | undefined {
  const read = at.classes.get(name);
  if (read === undefined) return undefined;
  const module = read();
  if (module === undefined) return "broken";
  at.placed.add(name);
  const copy = cloneModule(module, as);
  owner.children.set(as, copy);
  return copy;
}

function inChild(child: ModuleNode, path: readonly string[]): Callee | undefined {
  const [, ...rest] = path;
  if (rest.length === 0 && child.entry === undefined) return { kind: "module", module: child };
  const found = resolve(child, rest.length === 0 ? (child.entry ?? "") : rest.join("."));
  if (found !== undefined) return { kind: "function", symbol: path.join("."), fn: found.fn, span: found.fn.meta.span };
  if (rest.length === 0) return { kind: "broken" }; // errors left nothing of the entry
  const inner = rest.reduce<ModuleNode | undefined>((at, name) => at && childNamed(at, name), child);
  return inner && { kind: "module", module: inner };
}

/** The functions that belong to a module: its own, and those of the text around it and of other files that they call, in the order of the text. */
export function functionsOf(owner: Owner, { reading, linker: { linked } }: Pick<ModuleContext, "reading" | "linker">): readonly FunctionNode[] {
  for (const definition of owner.definitions.values()) {
    const node = readDefinition(definition, reading);
    if (node === undefined || (owner.outer === undefined && linked.size === 0)) continue; // without a text around it all is its own
    for (const { callee } of callsOf(node)) {
      const [first = ""] = callee.symbol.split(".");
      if (owner.definitions.has(first) || owner.children.has(first)) continue;
      const other = linked.get(first);
      const child = definition.module.owner.children.get(first);
      if (other !== undefined) owner.definitions.set(first, other);
      else if (definition.isLinked === true && child !== undefined) owner.children.set(first, child);
      else calleeOf(owner, callee.symbol.split("."), reading);
    }
  }
  const nodes = [...owner.definitions.values()].flatMap(({ node, def }) => (node === undefined ? [] : [{ node, start: def.span.start, source: def.span.source }]));
  const [first, second] = nodes;
  if (second === undefined) return first === undefined ? [] : [first.node];
  return nodes.every((n) => n.source === first?.source) ? nodes.toSorted((a, b) => a.start - b.start).map((n) => n.node) : nodes.map((n) => n.node);
}

// — other files —

/** `tree` is the program's own text: what it names keeps its names. */
export function openLinker(tree: SModule): Linker {
  const linked = new Map<string, Definition>();
  let taken: ReadonlySet<string> | undefined;
  return {
    linked,
    fresh: (wanted) => {
      taken ??= allNames(tree.body);
      let name = wanted;
      for (let n = 1; linked.has(name) || taken.has(name); n++) name = `${wanted}_${n}`;
      return name;
    },
  };
}

/** A definition as the program has it: of another file under a name of its own, run where its caller runs. */
function ownDefinition(at: Owner, name: string, as: string, definition: Definition): Definition {
  if (at.linker === undefined || definition.isLinked === true) return definition;
  const own: Definition = { ...definition, def: { ...definition.def, name: at.linker.fresh(as) }, says: { ...definition.says, target: undefined, entry: false }, isLinked: true };
  at.linker.linked.set(own.def.name, own);
  at.definitions.set(name, own);
  return own;
}

function linkedCallee(owner: Owner, link: Link, path: readonly string[], reading: Definition[]): Callee | undefined {
  const [first = "", ...rest] = path;
  if (link.kind === "name") return calleeIn(link.owner, link.name, rest, first, owner, reading);
  const [name = "", ...inner] = rest;
  const part = link.file.parts.get(name);
  const found = part && linkedCallee(owner, { kind: "file", file: part }, rest, reading);
  return found ?? (link.file.scope && calleeIn(link.file.scope.owner, name, inner, name, owner, reading));
}

/** What a name of another file means to a caller, who calls it `as`. */
function calleeIn(at: Owner, name: string, rest: readonly string[], as: string, owner: Owner, reading: Definition[]): Callee | undefined {
  const definition = at.definitions.get(name);
  if (definition !== undefined && rest.length === 0) return calledDefinition(owner, ownDefinition(at, name, as, definition), reading);
  const link = at.links.get(name);
  if (link !== undefined) return linkedCallee(owner, link, [as, ...rest], reading);
  const child = owner.children.get(as) ?? placedClass(owner, at, name, as);
  if (child === "broken") return { kind: "broken" };
  return child && inChild(child, [as, ...rest]);
}

/** The class that a name or an import stands for. */
export function classNamed(owner: Owner, name: string): ModuleNode | undefined {
  for (let at: Owner | undefined = owner; at !== undefined; at = at.outer) {
    const link = at.links.get(name);
    const made = link?.kind === "name" ? classNamed(link.owner, link.name) : (at.classes.get(name)?.() ?? at.children.get(name));
    if (made !== undefined) return made;
  }
  return undefined;
}

/** The file that a chain of names stands for. */
export function fileCalled(file: FileName | undefined, path: readonly string[]): FileName | undefined {
  return path.reduce<FileName | undefined>((at, name) => at?.parts.get(name), file);
}

// — templates —

export function templateOf(owner: Owner, name: string): Template | undefined {
  for (let at: Owner | undefined = owner; at !== undefined; at = at.outer) {
    const link = at.links.get(name);
    const found = link?.kind === "name" ? templateOf(link.owner, link.name) : at.templates.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The function that a template is for such arguments; one for all calls with the like of them. */
export function instanceOf(template: Template, key: string, given: ReadonlyMap<string, Given>, askedAt: Span, owner: Owner, reading: Definition[]): Callee {
  const { def, module, made } = template;
  const known = made.get(key);
  if (known !== undefined) return calledDefinition(owner, known, reading);
  const { linker } = module.owner;
  let name = linker?.fresh(def.name) ?? def.name;
  for (let n = 1; owner.definitions.has(name) || owner.children.has(name); n++) name = `${def.name}_${n}`;
  const says = { kind: "inline", target: undefined, contract: false, entry: false } as const;
  // what no type says is no parameter: it is known, and stands in the body
  const params = def.params.filter((p) => {
    const one = given.get(p.name);
    return one !== undefined && "type" in one;
  });
  const own = linker === undefined ? { module: { ...module, owner } } : { module, isLinked: true as const };
  const definition: Definition = { def: { ...def, name, params }, says, above: [], ...own, given, askedAt, state: "waiting", node: undefined };
  made.set(key, definition);
  owner.definitions.set(name, definition);
  linker?.linked.set(name, definition);
  return calledDefinition(owner, definition, reading);
}
