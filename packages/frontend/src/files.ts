// Other files: read when they are first imported, once for a program. Their functions and classes become the program's where they are called.

import { Reporter, type Diagnostic, type Source, type Span } from "@tilefoundry/text";
import { moduleNames } from "./constants.ts";
import type { Files, ModuleContext } from "./context.ts";
import { openOwner } from "./definitions.ts";
import type { ImportPath, Library, LibraryText } from "./library.ts";
import { VISIBLE } from "./members.ts";

export const openFiles = (library: Library | undefined, source: Source): Files => ({ library, scopes: new Map(), chain: [{ source, span: undefined }] });

/** The names of the file that an import means; undefined if there is none. A file that is being read is no answer: that is said. */
export function fileOf(wanted: ImportPath, span: Span, module: ModuleContext): ModuleContext | "cycle" | undefined {
  const { files } = module;
  const text = wanted.path.length === 0 && wanted.level === 0 ? undefined : files.library?.find(wanted, span.source);
  if (text === undefined || text.source === span.source) return undefined;
  const known = files.scopes.get(text.source);
  if (known !== undefined) return known;
  const first = files.chain.findIndex((f) => f.source === text.source);
  if (first < 0) return readFile(text, span, module);
  const cycle = files.chain.slice(first);
  const names = [...cycle.map((f) => f.source.name), text.source.name];
  const related = cycle.slice(1).flatMap((f) => (f.span === undefined ? [] : [{ message: `this imports ${f.source.name}`, span: f.span }]));
  module.reporter.report("TF2112", span, { cycle: names.join(" → ") }, { related });
  return "cycle";
}

function readFile({ source, tree, diagnostics }: LibraryText, span: Span, importing: ModuleContext): ModuleContext {
  const { files, late } = importing;
  const name = (source.name.split(/[\\/]/).pop() ?? source.name).replace(/\.\w+$/, "");
  const module: ModuleContext = {
    ...importing,
    reporter: new Reporter(),
    holes: [],
    namespaces: new Map(VISIBLE),
    imported: new Map(),
    constants: moduleNames(undefined, importing.bindings),
    owner: openOwner("text", name, undefined, importing.linker),
    isPython: source.name.endsWith(".py"),
    syntax: diagnostics,
    kernels: [],
    needed: new Set(),
  };
  files.chain.push({ source, span });
  module.readText(tree.body.stmts, module);
  files.chain.pop();
  files.scopes.set(source, module);
  late.push(...faultsOf(module), ...module.reporter.diagnostics);
  return module;
}

/** The faults of a text that matter: in a Python file those of its kernels. */
export function faultsOf({ syntax, isPython, kernels }: ModuleContext): readonly Diagnostic[] {
  if (!isPython) return syntax;
  return syntax.filter(({ code, span }) => code === "TF1014" || kernels.some((k) => span !== undefined && k.start <= span.start && span.start <= k.end));
}
