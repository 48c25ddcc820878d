// A look ahead over the syntax of a body: which names it assigns, where first and how often, and all names that it binds.

import type { Block, Name, SExpr, SStmt } from "@tilefoundry/grammar";
import type { Span } from "@tilefoundry/text";
import type { Assigned } from "./place.ts";

/** Names that the statements of a body assign; loop variables are not among them. */
export function assignments(block: Block): ReadonlyMap<string, Assigned> {
  const assigned = new Map<string, Assigned>();
  eachStmt(block, (s) => {
    for (const { name, span } of assignedBy(s)) {
      const known = assigned.get(name);
      assigned.set(name, { first: known?.first ?? span, count: (known?.count ?? 0) + 1 });
    }
  });
  return assigned;
}

/** All names that the loops of a body bind. */
export function loopTargets(block: Block): ReadonlySet<string> {
  const bound = new Set<string>();
  eachStmt(block, (s) => {
    if (s.kind === "ForStmt") for (const { name } of targetNames(s.target)) bound.add(name);
  });
  return bound;
}

const assignedSets = new WeakMap<Block, ReadonlySet<string>>();

/** Names that the statements of a block, and of blocks in it, assign. */
export function assignedIn(block: Block): ReadonlySet<string> {
  const known = assignedSets.get(block);
  if (known !== undefined) return known;
  const names = new Set<string>();
  for (const s of block.stmts) {
    for (const { name } of assignedBy(s)) names.add(name);
    for (const inner of blocksOf(s)) for (const name of assignedIn(inner)) names.add(name);
  }
  assignedSets.set(block, names);
  return names;
}

interface Target {
  readonly name: string;
  readonly span: Span;
}

function assignedBy(s: SStmt): readonly Target[] {
  switch (s.kind) {
    case "AssignStmt": return s.targets.every(isName) ? s.targets : s.targets.flatMap(targetNames);
    case "AnnAssign":
    case "AugAssign": return targetNames(s.target);
    default: return NOTHING;
  }
}

const isName = (e: SExpr): e is Name => e.kind === "Name";

const NOTHING: readonly never[] = [];

/** Names in a target; `y[i]` counts as `y`. */
export function targetNames(target: SExpr): readonly Target[] {
  switch (target.kind) {
    case "Name": return [target];
    case "TupleDisplay":
    case "ListDisplay": return target.items.flatMap(targetNames);
    case "Paren":
    case "Subscript":
    case "Starred": return targetNames(target.value);
    default: return [];
  }
}

/** Every name that a statement which is refused would have bound: using them is no further error. */
export function namesBoundBy(s: SStmt): readonly string[] {
  const own: string[] = assignedBy(s).map((t) => t.name);
  if (s.kind === "ForStmt") own.push(...targetNames(s.target).map((t) => t.name));
  if (s.kind === "WithStmt") own.push(...s.items.flatMap((item) => (item.alias === undefined ? [] : targetNames(item.alias).map((t) => t.name))));
  if (s.kind === "FunctionDef" || s.kind === "ClassDef" || s.kind === "TypeAlias") own.push(s.name);
  if (s.kind === "Import" || (s.kind === "ImportFrom" && s.names !== "*")) own.push(...importedNames(s.names === "*" ? [] : s.names));
  if (s.kind === "BadStmt") own.push(...namesInText(s.text));
  if (s.kind === "Try") own.push(...s.handlers.flatMap((h) => h.name ?? []));
  return [...own, ...blocksOf(s).flatMap((block) => block.stmts.flatMap(namesBoundBy))];
}

/** What `NAME = …` and the headers of definitions would bind in text that could not be read. */
function namesInText(text: string): readonly string[] {
  const assigned = text.matchAll(/(?:^|[\s,(])([A-Za-z_]\w*)\s*(?::[^=\n]*)?=(?!=)/g);
  const defined = text.matchAll(/^\s*(?:async\s+)?(?:def|class)\s+([A-Za-z_]\w*)/gm);
  return [...assigned, ...defined].flatMap((m) => m[1] ?? []);
}

const importedNames = (names: readonly { readonly path: string; readonly alias: string | undefined }[]): readonly string[] =>
  names.map(({ path, alias }) => alias ?? path.split(".")[0] ?? path);

/** Whether a line of the block could not be read: what is not there may have stood on it. */
export function isTorn(block: Block): boolean {
  let torn = false;
  eachStmt(block, (s) => (torn ||= s.kind === "BadStmt"));
  return torn;
}

function eachStmt(block: Block, visit: (s: SStmt) => void): void {
  for (const s of block.stmts) {
    visit(s);
    for (const inner of blocksOf(s)) eachStmt(inner, visit);
  }
}

/** The blocks of a statement; those of definitions are read apart. */
export function blocksOf(s: SStmt): readonly Block[] {
  switch (s.kind) {
    case "IfStmt":
    case "ForStmt":
    case "WhileStmt": return s.orelse === undefined ? [s.body] : [s.body, s.orelse];
    case "WithStmt": return [s.body];
    case "Try": return [s.body, ...s.handlers.map((h) => h.body), ...[s.orelse, s.finally].filter((b) => b !== undefined)];
    default: return NOTHING;
  }
}

/** All names that a text defines, assigns or takes as parameters, inside of its definitions too; not those that it imports. */
export function allNames(block: Block): ReadonlySet<string> {
  const names = new Set<string>();
  const open: Block[] = [block];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    eachStmt(at, (s) => {
      if (s.kind === "Import" || s.kind === "ImportFrom") return;
      for (const name of namesBoundBy(s)) names.add(name);
      if (s.kind !== "FunctionDef" && s.kind !== "ClassDef") return;
      for (const p of s.kind === "FunctionDef" ? s.params : []) names.add(p.name);
      open.push(s.body);
    });
  }
  return names;
}
