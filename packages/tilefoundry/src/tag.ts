// The tf`…` tag. A template is parsed once per call site (identity of its strings) and bound again only when hole values change.

import { parse, templateIn, templateSource, type SModule, type TemplateText } from "@tilefoundry/grammar";
import { toIR, type Binding, type HoleValue } from "@tilefoundry/frontend";
import { builtinOps } from "@tilefoundry/ops";
import { readTextFile } from "@tilefoundry/runtime";
import { hasErrors, inTextOrder, makeSource, type Diagnostic, type Outcome, type Source } from "@tilefoundry/text";
import { TileFoundryError } from "./error.ts";
import type { OpenLibrary } from "./library.ts";
import { callSiteOf, stringsIn } from "./location.ts";
import { DATA, dataOf, makeProgram, type AnyProgram, type Program } from "./program.ts";
import { runnerOf } from "./compile.ts";

interface Parsed extends TemplateText {
  readonly tree: SModule;
  readonly diagnostics: readonly Diagnostic[];
  /** Its host is TypeScript: what is no kernel has no place in it. */
  readonly isTemplate: boolean;
}

interface Site {
  readonly parsed: Parsed;
  /** The last binding of the holes, and what it gave. */
  values: readonly TemplateValue[];
  program: AnyProgram;
}

const sites = new WeakMap<TemplateStringsArray, Site>();

/** What a hole may hold: also a program, whose functions the text calls. */
export type TemplateValue = HoleValue | AnyProgram | readonly TemplateValue[];

/**
 * A program from a template. Holes take numbers, bigints, booleans, dtypes, `DimVar`s, arrays of these, and programs to call.
 * Throws a TileFoundryError that carries every diagnostic if the program is wrong.
 */
export function tf<const Names extends string = never>(strings: TemplateStringsArray, ...values: readonly TemplateValue[]): Program<Names> {
  const site = sites.get(strings);
  if (site !== undefined && sameValues(site.values, values)) return site.program as Program<Names>; // names are the author's claim
  const parsed = site?.parsed ?? parseTemplate(strings);
  const program = bind(parsed, values, "template");
  sites.set(strings, { parsed, values, program });
  return program as Program<Names>;
}

function sameValues(a: readonly TemplateValue[], b: readonly TemplateValue[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!sameValue(a[i], b[i])) return false;
  return true;
}

function sameValue(a: TemplateValue | undefined, b: TemplateValue | undefined): boolean {
  if (Object.is(a, b)) return !Array.isArray(a); // an array may have been changed since
  return false;
}

function parseTemplate(strings: TemplateStringsArray): Parsed {
  const { source, holes } = textOf(strings.raw);
  const { value: tree, diagnostics } = parse(source, holes);
  return { source, holes, tree, diagnostics, isTemplate: true };
}

/** The template in its file where that can be read, else by itself: then columns on its first line and behind holes are its own. */
function textOf(raw: readonly string[]): TemplateText {
  const site = callSiteOf(tf);
  const text = site && readTextFile(site.file);
  const file = site && text !== undefined ? makeSource(site.file, text) : undefined;
  const ranges = site && file && stringsIn(file, site.position, raw);
  if (file !== undefined && ranges !== undefined) return templateIn(file, ranges);
  return templateSource(raw, site?.file ?? "template", { origin: site?.position ?? { line: 1, column: 1 }, exactColumns: false });
}

export interface FileOptions {
  /** Of the module; default: that of the file. */
  readonly module?: string;
  /** Finds the files that imports name (`makeLibrary`). */
  readonly library?: OpenLibrary;
  /** Values for names that host code would make (`bindingOf`, `bindingsOf`). */
  readonly bindings?: readonly Binding[];
}

/** A program from the text of a file. The module is called like the file, if nothing else is said. */
export function parseProgram(text: string, name: string, options: FileOptions = {}): Outcome<AnyProgram | undefined> {
  const read = options.library?.textOf(name, text) ?? alone(makeSource(name, text));
  return toProgram({ ...read, holes: [], isTemplate: false }, [], options.module ?? moduleName(name), options);
}

function alone(source: Source): Omit<Parsed, "holes" | "isTemplate"> {
  const { value: tree, diagnostics } = parse(source);
  return { source, tree, diagnostics };
}

/** A program from a template whose holes' values are known otherwise than by running it. */
export function bindTemplate({ source, holes }: TemplateText, values: readonly TemplateValue[]): Outcome<AnyProgram | undefined> {
  const { value: tree, diagnostics } = parse(source, holes);
  return toProgram({ source, holes, tree, diagnostics, isTemplate: true }, values, "template");
}

const moduleName = (file: string): string => (file.split(/[\\/]/).pop() ?? file).replace(/\.\w+$/, "") || "module";

/** Programs are functions to TypeScript; the text sees their modules. */
function holeValue(value: TemplateValue): HoleValue {
  if (typeof value === "function" && DATA in value) return { kind: "module", module: dataOf(value).module };
  return value as HoleValue; // anything else is looked at where the hole is read
}

function bind(parsed: Parsed, values: readonly TemplateValue[], name: string): AnyProgram {
  const { value, diagnostics } = toProgram(parsed, values, name);
  if (value === undefined) throw new TileFoundryError(diagnostics);
  return value;
}

function toProgram(parsed: Parsed, values: readonly TemplateValue[], name: string, { library, bindings }: FileOptions = {}): Outcome<AnyProgram | undefined> {
  const { source, holes, tree } = parsed;
  const { value: module, diagnostics: said } = toIR(tree, {
    name, ops: builtinOps,
    holes: values.map(holeValue),
    syntax: parsed.diagnostics,
    host: parsed.isTemplate ? "refused" : "skipped",
    isPython: source.name.endsWith(".py"),
    ...(library === undefined ? {} : { library }),
    ...(bindings === undefined ? {} : { bindings }),
  });
  const diagnostics = inTextOrder(said);
  if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
  return { value: makeProgram({ module, source, holes, tree, diagnostics }, runnerOf), diagnostics };
}
