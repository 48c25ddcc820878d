// Surface tree → IR at stage `parsed`. Never throws on what a user wrote: what is wrong is reported, and the rest is still read.

import type { SModule } from "@tilefoundry/grammar";
import type { ModuleNode } from "@tilefoundry/ir";
import type { Ops } from "@tilefoundry/ops";
import { Reporter, type Outcome } from "@tilefoundry/text";
import { blockEnd } from "./comments.ts";
import { moduleNames } from "./constants.ts";
import type { ModuleContext } from "./context.ts";
import { openOwner } from "./definitions.ts";
import { functionNode } from "./function.ts";
import { knownHole, type HoleValue } from "./holes.ts";
import { NAMESPACES } from "./members.ts";
import { moduleNode } from "./module.ts";
import { isUnknownHole, unknownExtents } from "./unknown-holes.ts";

export interface ToIROptions {
  /** Of the module, unless it has exactly one function: then that names it. */
  readonly name: string;
  readonly ops: Ops;
  /** Values of the template's holes, in order. */
  readonly holes?: readonly HoleValue[];
}

/** Namespaces that need no import. */
const VISIBLE = NAMESPACES.filter((n) => n !== "math").map((n) => [n, n] as const);

export function toIR(tree: SModule, options: ToIROptions): Outcome<ModuleNode> {
  const reporter = new Reporter();
  const module: ModuleContext = {
    reporter,
    ops: options.ops,
    holes: [],
    namespaces: new Map(VISIBLE),
    imported: new Map(),
    constants: moduleNames(),
    extents: new Map(),
    owner: openOwner("text", options.name),
    held: new Map(),
    readFunction: functionNode,
    reading: [],
    late: [],
  };
  const given = options.holes ?? [];
  const unknown = unknownExtents(given, tree, module);
  const holes = given.map((value, i) => (isUnknownHole(value) ? unknown.get(i) : knownHole(value, i, tree, module)));
  const value = moduleNode(tree.body.stmts, blockEnd(tree.body), options.name, { ...module, holes });
  return { value, diagnostics: [...reporter.diagnostics, ...module.late] };
}
