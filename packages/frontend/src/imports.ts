// Imports: names of the parents' packages, constants and definitions of other files, and what belongs to the host.

import type { Import, ImportFrom } from "@tilefoundry/grammar";
import type { Dialect } from "@tilefoundry/ir";
import { editDistance, nearest, type Related, type Span } from "@tilefoundry/text";
import { TYPE_WORDS } from "./annotation.ts";
import { counted, suggestion } from "./complaints.ts";
import type { FileName, ModuleContext } from "./context.ts";
import { DECORATOR_NAMES } from "./decorator.ts";
import { DTYPE_SPELLINGS } from "./dtype-names.ts";
import { fileOf } from "./files.ts";
import { BUILTINS, MATH_CONSTANTS } from "./known-calls.ts";
import { ENUM_NAMES, isLaterMember, NAMESPACES, type Namespace } from "./members.ts";

/** Packages whose names the language knows. */
const PARENTS: ReadonlySet<string> = new Set(["tilefoundry", "pypto"]);

export function importModules(s: Import, module: ModuleContext): void {
  for (const { path, alias } of s.names) {
    const names = path.split(".");
    const [root = path] = names;
    const namespace = namespaceCalled(names.at(-1) ?? path);
    if (root === "math" && names.length === 1) module.namespaces.set(alias ?? "math", "math");
    else if (PARENTS.has(root) && alias !== undefined && namespace !== undefined) module.namespaces.set(alias, namespace);
    else if (!SILENT.has(root)) importFile(names, alias, s.span, module);
  }
}

/** Modules of Python whose names are read as words where they stand, or say nothing to kernels. */
const SILENT: ReadonlySet<string> = new Set(["__future__", "dataclasses"]);

/** `import sizes`, `import lib.kernels as k`: the file, or a module of the host. */
function importFile(path: readonly string[], alias: string | undefined, span: Span, module: ModuleContext): void {
  const [root = ""] = path;
  const file = PARENTS.has(root) ? undefined : fileOf({ level: 0, path }, span, module);
  if (file === undefined) return bindHost(path.join("."), alias ?? root, span, module);
  if (file === "cycle") return module.constants.set(alias ?? root, { kind: "poison", span });
  if (alias !== undefined) return bindFile(alias, { scope: file, parts: new Map() }, span, module);
  let at = fileNamed(root, path.length === 1 ? file : undefined, span, module);
  for (const [i, name] of path.entries()) {
    if (i === 0) continue;
    const next: FileName = at.parts.get(name) ?? { scope: i === path.length - 1 ? file : undefined, parts: new Map() };
    at.parts.set(name, next);
    at = next;
  }
}

/** The file or folder that a name stands for, bound if it is not yet. */
function fileNamed(name: string, scope: ModuleContext | undefined, span: Span, module: ModuleContext): FileName {
  const known = module.constants.get(name);
  const made: FileName = { scope: scope ?? known?.file?.scope, parts: known?.file?.parts ?? new Map() };
  bindFile(name, made, span, module);
  return made;
}

function bindFile(name: string, file: FileName, span: Span, { constants, owner }: ModuleContext): void {
  constants.set(name, { kind: "file", file, span });
  owner.links.set(name, { kind: "file", file });
}

/** A module or a name of one that is not read: fine until a kernel needs it. */
function bindHost(path: string, name: string, span: Span, module: ModuleContext): void {
  if (module.host === "refused") {
    module.reporter.report("TF2010", span, { module: path });
    return module.constants.set(name, { kind: "poison", span });
  }
  module.constants.set(name, { kind: "host", span, because: importedHere(span) });
}

const importedHere = (span: Span): readonly Related[] => [{ message: "it is imported from the host here", span }];

// — names —

export function importNames(s: ImportFrom, module: ModuleContext): void {
  const path = s.module === "" ? [] : s.module.split(".");
  const [root = ""] = path;
  if (s.level === 0 && (PARENTS.has(root) || root === "math" || SILENT.has(root))) return importWords(s, path, module);
  const file = fileOf({ level: s.level, path }, s.span, module);
  const names = s.names === "*" ? [] : s.names;
  if (file === "cycle") return names.forEach(({ path: name, alias }) => module.constants.set(alias ?? name, { kind: "poison", span: s.span }));
  if (s.names === "*" && file !== undefined) return namesOf(file).forEach((name) => importName(name, name, file, s, module));
  if (s.names === "*") return importAll(s, module);
  for (const { path: name, alias } of names) {
    if (file !== undefined && importName(name, alias ?? name, file, s, module)) continue;
    const inner = fileOf({ level: s.level, path: [...path, name] }, s.span, module);
    if (inner === "cycle") module.constants.set(alias ?? name, { kind: "poison", span: s.span });
    else if (inner !== undefined) bindFile(alias ?? name, { scope: inner, parts: new Map() }, s.span, module);
    else if (file !== undefined) unknownImport(name, alias ?? name, s, [...namesOf(file)], module);
    else if (s.level > 0 && module.host === "skipped") missingFile(s, path, name, alias ?? name, module);
    else bindHost(s.module || ".", alias ?? name, s.span, module);
  }
}

/** Whatever a star of the host's brings: a name that nothing else defines may be among it. */
function importAll(s: ImportFrom, module: ModuleContext): void {
  if (module.host === "refused") return module.reporter.report("TF2010", s.span, { module: s.module || "." });
  if (s.level > 0) return missingFile(s, s.module.split("."), "*", undefined, module);
  module.constants.open?.(importedHere(s.span));
}

/** Names that a star brings. */
const namesOf = (file: ModuleContext): readonly string[] => [...file.constants.keys()].filter((name) => !name.startsWith("_"));

/** Binds a name of another file; whether the file has it. */
function importName(name: string, as: string, file: ModuleContext, { span }: ImportFrom, module: ModuleContext): boolean {
  const constant = file.constants.get(name);
  const namespace = file.namespaces.get(name);
  const op = file.imported.get(name);
  if (constant !== undefined) {
    module.constants.set(as, { ...constant, span });
    if (constant.kind === "function" || constant.kind === "module") module.owner.links.set(as, { kind: "name", owner: file.owner, name });
    if (constant.kind === "file" && constant.file !== undefined) module.owner.links.set(as, { kind: "file", file: constant.file });
  } else if (namespace !== undefined) module.namespaces.set(as, namespace);
  else if (op !== undefined) module.imported.set(as, op);
  return constant !== undefined || namespace !== undefined || op !== undefined;
}

function unknownImport(name: string, as: string, s: ImportFrom, known: readonly string[], module: ModuleContext): void {
  const at = nameSpan(name, s);
  module.reporter.report("TF2111", at, { module: `${".".repeat(s.level)}${s.module}`, name, count: counted(known.length, "name") }, suggestion(name, known, at));
  module.constants.set(as, { kind: "poison", span: s.span });
  // the kernels below may be written for the name that is meant
  const wanted = as === name ? nearest(name, known) : undefined;
  if (wanted !== undefined && module.constants.get(wanted) === undefined) module.constants.set(wanted, { kind: "poison", span: s.span });
}

function missingFile(s: ImportFrom, path: readonly string[], name: string, as: string | undefined, module: ModuleContext): void {
  const wanted = s.module === "" ? [name] : path;
  const places = module.files.library?.places({ level: s.level, path: wanted }, s.span.source) ?? [];
  const help = places.length === 0 ? "this text has no folder: save it in a file, and import from there" : `looked for ${places.join(", ")}`;
  module.reporter.report("TF2110", s.span, { module: `${".".repeat(s.level)}${wanted.join(".")}` }, { help });
  if (as !== undefined) module.constants.set(as, { kind: "poison", span: s.span });
}

/** Where a name stands in an import. */
function nameSpan(name: string, { span }: ImportFrom): Span {
  const text = span.source.text.slice(span.start, span.end);
  const from = text.search(/\bimport\b/);
  const at = text.slice(from).search(new RegExp(`\\b${name}\\b`));
  return from < 0 || at < 0 ? span : { ...span, start: span.start + from + at, end: span.start + from + at + name.length };
}

// — the parents —

const namespaceCalled = (name: string): Namespace | undefined => (name === "language" ? "pl" : NAMESPACES.find((n) => n === name));

/** Names that are words wherever they stand: decorators, types, dtypes, enumerations. */
const WORDS: ReadonlySet<string> = new Set([
  ...DECORATOR_NAMES, ...TYPE_WORDS, ...DTYPE_SPELLINGS, ...ENUM_NAMES, ...Object.keys(BUILTINS), "Out", "InOut", "DimVar", "Topology", "Mesh", "dataclass", "field", "dynamic",
]);

/** `from pypto.language import FP32, load`: words of the language, namespaces, ops; anything else is the host's. */
function importWords(s: ImportFrom, path: readonly string[], module: ModuleContext): void {
  for (const { path: name, alias } of s.names === "*" ? [] : s.names) {
    const as = alias ?? name;
    const [root = ""] = path;
    const namespace = namespaceCalled(name);
    if (SILENT.has(root) && WORDS.has(name)) continue;
    if (root === "math" && Object.hasOwn(MATH_CONSTANTS, name)) module.constants.set(as, { kind: "value", value: MATH_CONSTANTS[name] ?? { kind: "none" }, span: s.span });
    else if (root === "math") module.imported.set(as, { namespace: "math", name });
    else if (PARENTS.has(root) && namespace !== undefined) module.namespaces.set(as, namespace);
    else if (!importOp(name, as, root, module) && !WORDS.has(name) && !isLaterMember(name)) unknownWord(name, as, s, path, module);
  }
}

function importOp(name: string, as: string, root: string, module: ModuleContext): boolean {
  const candidates: readonly Dialect[] = root === "pypto" ? ["pl"] : ["tf", "pl"];
  const namespace = candidates.find((n) => module.ops.find(n, name) !== undefined);
  if (namespace !== undefined) module.imported.set(as, { namespace, name });
  return namespace !== undefined;
}

/** A name that is one slip from a word of the language was meant to be it; any other is one of the many that the parents have for the host. */
function unknownWord(name: string, as: string, s: ImportFrom, path: readonly string[], module: ModuleContext): void {
  const known = [...WORDS, ...NAMESPACES, ...module.ops.spellings(path[0] === "pypto" ? "pl" : "tf")];
  const near = nearest(name, known);
  const isSlip = near !== undefined && near.length > 2 && near.toLowerCase() !== name.toLowerCase() && editDistance(name, near) === 1;
  if (isSlip && !SILENT.has(path[0] ?? "")) return unknownImport(name, as, s, known, module);
  if (module.host === "refused") return; // as far as a template knows, TypeScript has it
  module.constants.set(as, { kind: "host", span: s.span, because: importedHere(s.span) });
}
