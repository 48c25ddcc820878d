// Surface tree → IR at stage `parsed`. Never throws on what a user wrote: what is wrong is reported, and the rest is still read.

import type { SModule } from "@tilefoundry/grammar";
import type { ModuleNode } from "@tilefoundry/ir";
import type { Ops } from "@tilefoundry/ops";
import { hasErrors, Reporter, type Diagnostic, type Outcome } from "@tilefoundry/text";
import { bindValues, checkBindings, openBindings, type Binding } from "./bindings.ts";
import { blockEnd } from "./comments.ts";
import { moduleNames } from "./constants.ts";
import type { ModuleContext } from "./context.ts";
import { openLinker, openOwner } from "./definitions.ts";
import { faultsOf, openFiles } from "./files.ts";
import { functionNode } from "./function.ts";
import { knownHole, type HoleValue } from "./holes.ts";
import type { Library } from "./library.ts";
import { VISIBLE } from "./members.ts";
import { moduleNode, readText } from "./module.ts";
import { isUnknownHole, unknownExtents } from "./unknown-holes.ts";
import { freshWork } from "./work.ts";

export interface ToIROptions {
  /** Of the module, unless it has exactly one function: then that names it. */
  readonly name: string;
  readonly ops: Ops;
  /** Values of the template's holes, in order. */
  readonly holes?: readonly HoleValue[];
  /** Finds the files that imports name; without one there are none. */
  readonly library?: Library;
  /** Values for names that host code would make. */
  readonly bindings?: readonly Binding[];
  /** What becomes of host code beside kernels: files are full of it, templates have none. Default: skipped. */
  readonly host?: ModuleContext["host"];
  /** Faults of the text itself: what came of them is said together with them. In a Python file those of host code are nobody's. */
  readonly syntax?: readonly Diagnostic[];
  readonly isPython?: boolean;
}

export function toIR(tree: SModule, options: ToIROptions): Outcome<ModuleNode> {
  const reporter = new Reporter();
  const bindings = options.bindings === undefined || options.bindings.length === 0 ? undefined : openBindings();
  const module: ModuleContext = {
    reporter,
    ops: options.ops,
    holes: [],
    namespaces: new Map(VISIBLE),
    imported: new Map(),
    constants: moduleNames(undefined, bindings),
    extents: new Map(),
    owner: openOwner("text", options.name),
    readText,
    files: openFiles(options.library, tree.span.source),
    linker: openLinker(tree),
    held: new Map(),
    readFunction: functionNode,
    reading: [],
    late: [],
    host: options.host ?? "skipped",
    isPython: options.isPython ?? false,
    syntax: options.syntax ?? [],
    kernels: [],
    needed: new Set(),
    bindings,
    work: freshWork(),
  };
  if (bindings !== undefined) bindValues(options.bindings ?? [], bindings, module);
  const given = options.holes ?? [];
  const unknown = unknownExtents(given, tree, module);
  const holes = given.map((value, i) => (isUnknownHole(value) ? unknown.get(i) : knownHole(value, i, tree, module)));
  const value = moduleNode(tree.body.stmts, blockEnd(tree.body), options.name, { ...module, holes });
  if (bindings !== undefined) checkBindings(options.bindings ?? [], bindings, module);
  const faults = faultsOf(module);
  // what cannot be read may have been the kernel
  const found = hasErrors(faults) ? reporter.diagnostics.filter((d) => d.code !== "TF1015") : reporter.diagnostics;
  return { value, diagnostics: [...faults, ...found, ...module.late] };
}
