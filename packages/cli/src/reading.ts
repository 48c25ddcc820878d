// How programs are read: where imports look for files, and what bindings say. Made once for a run of the command, so that a file that several
// import is read once.

import { bindingOf, bindingsOf, makeLibrary, type Binding, type OpenLibrary } from "tilefoundry";
import type { Diagnostic } from "@tilefoundry/text";
import { existsSync, statSync } from "node:fs";
import { readSource } from "./files.ts";

/** Options of all commands that read programs. */
export interface ReadingFlags {
  readonly bind?: readonly string[];
  readonly bindings?: string;
  readonly path?: readonly string[];
}

export interface Reading {
  readonly library: OpenLibrary;
  readonly bindings: readonly Binding[];
  /** What is wrong with the bindings themselves. */
  readonly diagnostics: readonly Diagnostic[];
}

export function openReading({ bind = [], bindings, path = [] }: ReadingFlags): Reading {
  const library = makeLibrary((file) => (existsSync(file) && statSync(file).isFile() ? readSource(file).value : undefined), path);
  const given = bind.map((text) => bindingOf(text, "--bind"));
  const document = bindings === undefined ? undefined : readSource(bindings);
  const members = document?.value === undefined ? undefined : bindingsOf(document.value, bindings ?? "");
  return {
    library,
    bindings: [...(members?.value ?? []), ...given.flatMap((g) => g.value ?? [])],
    diagnostics: [...(document?.diagnostics ?? []), ...(members?.diagnostics ?? []), ...given.flatMap((g) => g.diagnostics)],
  };
}
